"""What is certain and new at one case: each such case counts, however well the others do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias, get_args

from raggate_action.core.comparison.baseline_index import PastCase, Then
from raggate_action.core.counting.case_state import NamedCases, citation_faults, says_nothing
from raggate_action.core.counting.run_totals import PROBLEM_LENGTH
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import Ask, CaseRun, Musts
from raggate_action.schema.comparison import LostSources, MissedMust
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.outcome import Failed, GateName, RunGateName
from raggate_action.schema.policy import Gates
from raggate_action.strings.visible_text import cut

# In the order in which the demands are numbered.
_CODES = ("phrase-missing", "tool-missing", "tool-forbidden")
# By the remainder of a number of `CaseRun.recalled`.
_RECALL: Final[tuple[GateName, GateName]] = ("candidate_recall", "context_recall")


class NewlyMissed:
    """Counts cases that miss what the baseline met: a phrase or tool, a required source or quote; no waived failure.

    A lost source of a case that was to be asked again, and was not, does not count by itself: the share of those asked
    again that lost theirs each time stands for it.

    Attributes:
        compared: Cases seen whose demands were judged on both runs.
    """

    def __init__(self, gates: Gates, named: NamedCases) -> None:
        self._gates, self._named = gates, named
        self._cases: TopN[MissedMust] = TopN(LISTED_AT_MOST)
        self._asked = self._confirmed = self._unasked = 0
        self.compared = 0

    def add(self, row: CaseRun, standing: Standing, past: PastCase) -> None:
        """Compare one case with the baseline's; of a flaky one only whether it found a source again."""
        lost = lost_sources(row, standing, past, self._gates)
        if row.asks and not row.unconfirmed and past.recalled.intersection(_ever_missed(row)):
            self._asked += 1
            self._confirmed += bool(lost)
        if row.state == "flaky":
            return
        self.compared += bool((row.musts is not None and past.met) or (row.recalled is not None and past.recalled))
        if missed := newly_missed(row, standing, past.met):
            self._offer(row, "behaviour", _CODES, row.musts.missed.index(missed[0]) if row.musts else 0)
        elif lost and row.unconfirmed:
            self._unasked += 1
        elif lost:
            self._offer(row, _RECALL[lost[0] % 2], None, 0)

    def _offer(self, row: CaseRun, gate: GateName, codes: tuple[str, ...] | None, place: int) -> None:
        outcome = row.outcomes[gate]
        problems = outcome.problems if isinstance(outcome, Failed) else ()
        first = [problem for problem in problems if codes is None or problem.code in codes][place]
        text = cut(str(first), PROBLEM_LENGTH) if first.detail else first.code
        self._named.name("newly_missed")
        missed = MissedMust(case_id=row.case_id, problem=text, gate=None if codes else gate)
        self._cases.offer(row.weight, row.position, missed)

    @property
    def listed(self) -> tuple[MissedMust, ...]:
        """The cases, heaviest first."""
        return self._cases.ranked

    @property
    def dropped(self) -> int:
        """How many more there are."""
        return self._cases.dropped

    @property
    def unasked(self) -> LostSources | None:
        """The cases that were not retried, and the counts taken instead; None if all were retried."""
        if not self._unasked:
            return None
        return LostSources(unasked=self._unasked, asked=self._asked, confirmed=self._confirmed)


def newly_missed(row: CaseRun, standing: Standing, met: tuple[int, ...]) -> list[int]:
    """The demands by number that a case fails behaviour by and the baseline's answer met; none where it is waived."""
    behaved = row.outcomes.get("behaviour")
    if row.musts is not None and isinstance(behaved, Failed) and "behaviour" not in standing.waived:
        return [number for number in row.musts.missed if number in met]
    return []


def lost_sources(row: CaseRun, standing: Standing, past: PastCase, gates: Gates) -> list[int]:
    """The required sources and quotes by number that the baseline found, or kept, and no answer of the case does.

    None of a stage whose gate the case passes, is waived, or is off.
    """
    if row.recalled is None or not (row.recalled.missed and past.recalled):
        return []
    counts = [_counts(row, standing, gates, gate) for gate in _RECALL]
    found = {number for recalled in _recalled(row.asks) for number in recalled.met}
    new = [number for number in row.recalled.missed if number in past.recalled and number not in found]
    return [number for number in new if counts[number % 2]]


def _counts(row: CaseRun, standing: Standing, gates: Gates, gate: GateName) -> bool:
    fails = isinstance(row.outcomes.get(gate), Failed)
    return fails and gate not in standing.waived and gates.of(gate).level != "off"


def _ever_missed(row: CaseRun) -> set[int]:
    return {number for recalled in _recalled((row, *row.asks)) for number in recalled.missed}


def _recalled(answers: Iterable[CaseRun | Ask]) -> list[Musts]:
    return [each.recalled for each in answers if each.recalled is not None]


HardRule: TypeAlias = Literal["newly_inadmissible", "newly_unanswered", "newly_miscited", "newly_slow", "new_phrases"]
# A case over its limit of time fails a gate of its own alone.
_NAMED_BY: Final[dict[HardRule, RunGateName]] = {
    "newly_inadmissible": "newly_inadmissible",
    "newly_unanswered": "newly_unanswered",
    "newly_miscited": "newly_miscited",
    "new_phrases": "forbidden_phrases",
}


class HardRules:
    """Cases that are newly inadmissible, unanswered, miscited or slow, or say a forbidden phrase; no waived failure.

    Attributes:
        cases: The ids of the heaviest, by the fields of a comparison.
    """

    def __init__(self, named: NamedCases) -> None:
        self._named = named
        self.cases: dict[HardRule, TopN[str]] = {rule: TopN(LISTED_AT_MOST) for rule in get_args(HardRule)}

    def add_phrases(self, row: CaseRun, standing: Standing, past: PastCase | None) -> None:
        """Look at the phrases of one case; they are new in a case that the baseline did not have, too."""
        if standing.flagged and (past is None or not past.flagged):
            self._offer("new_phrases", row)

    def add(self, row: CaseRun, standing: Standing, past: PastCase, then: Then) -> None:
        """Look at everything else of one case that is on both runs."""
        admissibility = row.outcomes.get("admissibility")
        if (
            then.admissible
            and admissibility is not None
            and admissibility.kind == "failed"
            and "admissibility" not in standing.waived
        ):
            self._offer("newly_inadmissible", row)
        if newly_unanswered(row, standing, then):
            self._offer("newly_unanswered", row)
        if newly_slow(row, standing, then):
            self._offer("newly_slow", row)
        if "citation_support" not in standing.waived and citation_faults(row) - past.citation_faults:
            self._offer("newly_miscited", row)

    def _offer(self, rule: HardRule, row: CaseRun) -> None:
        self.cases[rule].offer(row.weight, row.position, row.case_id)
        if rule in _NAMED_BY:
            self._named.name(_NAMED_BY[rule])


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
