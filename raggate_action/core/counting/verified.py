"""What is known of an answer: verified, refuted, or neither. That no rule speaks against it does not verify it."""

from __future__ import annotations

from raggate_action.core.counting.heaviest import Heaviest
from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.decision import FailedCase
from raggate_action.strings.visible_text import cut

_CLAIM_LENGTH = 200


def is_answered(row: CaseRun) -> bool:
    """Whether there is an answer, or a decline where one is asked for; one that may be either counts."""
    answered = row.outcomes.get("answered")
    return answered is not None and answered.kind in {"passed", "unmeasured"}


def is_verified(row: CaseRun) -> bool:
    """Whether every claim of the answer is supported by a label, a quotation or a judge, or it declined as asked.

    Every claim: what a suite's `per_case` lets through is not verified by that. Required phrases, tools and sources say
    nothing of the other claims.
    """
    faithful = row.outcomes.get("faithfulness")
    if faithful is None or not is_answered(row):
        return False
    if row.expect == "abstain":
        return faithful.kind == "not_applicable"
    return faithful.kind == "passed" and (faithful.share is None or faithful.share.hits == faithful.share.total)


def passes_gates(row: CaseRun) -> bool | None:
    """Whether the answer passes the suite's gates; None where nobody knows.

    Of an answer that is not verified, and that was held against no phrase and no tool, no gate says anything.
    """
    if row.state == "unmeasured":
        return None
    was_held = is_verified(row) or row.musts is not None or row.forbids
    return (True if was_held else None) if row.state == "passed" else False


class Knowledge:
    """Counts what is known of a run's answers.

    Attributes:
        answered, verified, refuted, forbidding: As in `Counts`.
    """

    def __init__(self) -> None:
        self.answered = self.verified = self.refuted = self.forbidding = 0
        self._unverified: Heaviest[CaseRun] = Heaviest(NAMED_AT_MOST)

    def add(self, row: CaseRun, standing: Standing) -> None:
        """Count one ordinary case."""
        self.forbidding += row.forbids
        if not is_answered(row):
            return
        self.answered += 1
        passed = standing.state == "passed"
        if passed and standing.hallucinations:
            self.refuted += 1
        elif passed and is_verified(row):
            self.verified += 1
            return
        self._unverified.offer(row.weight, row.position, row)

    @property
    def unverified(self) -> tuple[FailedCase, ...]:
        """The heaviest answered cases that are not verified, each with its first claim that is not supported."""
        return tuple([FailedCase(case_id=row.case_id, problem=_open_claim(row)) for row in self._unverified.ranked])


def _open_claim(row: CaseRun) -> str:
    claims = [claim.text for claim in row.claims if claim.verdict != "supported"]
    return cut(claims[0], _CLAIM_LENGTH) if claims else ""
