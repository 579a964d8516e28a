"""What is certain and new at one case: each such case counts, however well the others do."""

from __future__ import annotations

from typing import TypedDict

from raggate_action.core.comparison.baseline_index import PastCase, Then
from raggate_action.core.comparison.citation_faults import citation_faults
from raggate_action.core.comparison.row_states import says_nothing
from raggate_action.core.counting.heaviest import Heaviest
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.listed import LISTED_AT_MOST


class NewCases(TypedDict):
    """Case ids, by the fields of a comparison."""

    newly_inadmissible: tuple[str, ...]
    newly_unanswered: tuple[str, ...]
    newly_miscited: tuple[str, ...]
    newly_slow: tuple[str, ...]
    new_phrases: tuple[str, ...]


class MoreCases(TypedDict):
    """How many cases are not listed, by the fields of a comparison."""

    newly_inadmissible: int
    newly_unanswered: int
    newly_miscited: int
    newly_slow: int
    new_phrases: int


class HardRules:
    """Cases that are newly inadmissible, unanswered, miscited or slow, or say a forbidden phrase; no waived failure."""

    def __init__(self) -> None:
        self._inadmissible: Heaviest[str] = Heaviest(LISTED_AT_MOST)
        self._unanswered: Heaviest[str] = Heaviest(LISTED_AT_MOST)
        self._miscited: Heaviest[str] = Heaviest(LISTED_AT_MOST)
        self._slow: Heaviest[str] = Heaviest(LISTED_AT_MOST)
        self._phrases: Heaviest[str] = Heaviest(LISTED_AT_MOST)

    def add_phrases(self, row: CaseRun, standing: Standing, past: PastCase | None) -> None:
        """Look at the phrases of one case; they are new in a case that the baseline did not have, too."""
        if standing.flagged and (past is None or not past.flagged):
            self._phrases.offer(row.weight, row.position, row.case_id)

    def add(self, row: CaseRun, standing: Standing, past: PastCase, then: Then) -> None:
        """Look at everything else of one case that is on both runs."""
        admissibility = row.outcomes.get("admissibility")
        if (
            then.admissible
            and admissibility is not None
            and admissibility.kind == "failed"
            and "admissibility" not in standing.waived
        ):
            self._inadmissible.offer(row.weight, row.position, row.case_id)
        if newly_unanswered(row, standing, then):
            self._unanswered.offer(row.weight, row.position, row.case_id)
        if newly_slow(row, standing, then):
            self._slow.offer(row.weight, row.position, row.case_id)
        if "citation_support" not in standing.waived and citation_faults(row) - past.citation_faults:
            self._miscited.offer(row.weight, row.position, row.case_id)

    @property
    def listed(self) -> NewCases:
        """The cases, heaviest first; at most `LISTED_AT_MOST` of each."""
        return {
            "newly_inadmissible": self._inadmissible.ranked,
            "newly_unanswered": self._unanswered.ranked,
            "newly_miscited": self._miscited.ranked,
            "newly_slow": self._slow.ranked,
            "new_phrases": self._phrases.ranked,
        }

    @property
    def dropped(self) -> MoreCases:
        """How many more there are."""
        return {
            "newly_inadmissible": self._inadmissible.dropped,
            "newly_unanswered": self._unanswered.dropped,
            "newly_miscited": self._miscited.dropped,
            "newly_slow": self._slow.dropped,
            "new_phrases": self._phrases.dropped,
        }


def newly_unanswered(row: CaseRun, standing: Standing, then: Then) -> bool:
    """Whether a case had an answer on the baseline and has an error, an empty or a declining one now."""
    target = row.outcomes.get("target")
    silent = then.answered and target is not None and target.kind == "failed" and "target" not in standing.waived
    evasive = then.asserted and says_nothing(row) and "answered" not in standing.waived
    return silent or evasive


def newly_slow(row: CaseRun, standing: Standing, then: Then) -> bool:
    """Whether a case is over its limit of time that the baseline's answer kept."""
    slow = row.outcomes.get("slow")
    return then.kept_time and slow is not None and slow.kind == "failed" and "slow" not in standing.waived
