"""Answers that judges who do not count newly call faulty, for suites that have somebody look at them."""

from __future__ import annotations

from raggate_action.core.comparison.baseline_index import PastCase
from raggate_action.core.comparison.called_faulty import heard_on, is_called_false_by_all
from raggate_action.core.counting.judge_only_findings import advised_claims, fault_called
from raggate_action.core.counting.run_totals import NAMED_AT_MOST, PROBLEM_LENGTH
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.comparison import ReviewedAnswers
from raggate_action.schema.decision import FailedCase
from raggate_action.schema.judges import LABS_TO_REVIEW
from raggate_action.schema.panel import Panel
from raggate_action.strings.visible_text import cut


class Review:
    """Collects them, where either suite has them reviewed: one that leaves off still answers for its own change."""

    def __init__(self, before: Panel | None, now: Panel | None, waivers: Waivers) -> None:
        """Start from nothing.

        Args:
            before: The baseline's judges.
            now: The head's.
            waivers: Those of the head's policy.
        """
        self._is_asked = now is not None and any(map(_reviews, (before, now)))
        self._labs = {each.name: each.lab.strip().casefold() for each in (now.members if now is not None else ())}
        self._waived_cases = waivers.reviewed
        self._new: TopN[FailedCase] = TopN(NAMED_AT_MOST)
        self._waived = self._not_comparable = 0

    def add(self, row: CaseRun, past: PastCase) -> None:
        """An answer of the head, and the baseline's to the same case.

        Whether it is new is known where the same judges were heard on both answers, or rules left nothing open on the
        baseline's.
        """
        if not self._is_asked:
            return
        found = [claim for claim in advised_claims(row) if self._is_reviewed(claim)]
        if not found:
            return
        before = past.advised
        if not heard_on(row) <= before.heard and not past.panel.settled:
            self._not_comparable += 1
            return
        new = [claim for claim in found if not before.has(claim)]
        if not new:
            return
        if row.case_id in self._waived_cases:
            self._waived += 1
            return
        said = f"{fault_called(new[0])}: {new[0].text}" if new[0].text else fault_called(new[0])
        self._new.offer(row.weight, row.position, FailedCase(case_id=row.case_id, problem=cut(said, PROBLEM_LENGTH)))

    def _is_reviewed(self, claim: Claim) -> bool:
        labs = {self._labs.get(vote.judge, "") for vote in claim.votes}
        return not claim.cleared and is_called_false_by_all(claim) and len(labs) >= LABS_TO_REVIEW

    @property
    def result(self) -> ReviewedAnswers | None:
        """What was found; None where no suite has it reviewed."""
        if not self._is_asked:
            return None
        return ReviewedAnswers(
            cases=self._new.offered,
            listed=self._new.ranked,
            waived=self._waived,
            not_comparable=self._not_comparable,
        )


def _reviews(panel: Panel | None) -> bool:
    return panel is not None and panel.rules is not None and panel.rules.counts == "review"
