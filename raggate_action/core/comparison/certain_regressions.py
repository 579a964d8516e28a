"""What is certain and new at one case: each such case counts, however well the others do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from raggate_action.core.comparison.baseline_index import PastCase, Then
from raggate_action.core.comparison.change_list import ChangeList
from raggate_action.core.counting.case_state import citation_faults, says_nothing
from raggate_action.core.counting.run_totals import hallucination_problem
from raggate_action.core.counting.waivers import Standing
from raggate_action.schema.case_run import Ask, CaseRun, Musts
from raggate_action.schema.change import DEMANDS_ON_AN_ANSWER
from raggate_action.schema.outcome import Failed, GateName, Problem
from raggate_action.schema.policy import Gates

# By the remainder of a number of `CaseRun.recalled`.
_RECALL: Final[tuple[GateName, GateName]] = ("candidate_recall", "context_recall")


def add_missed(changes: ChangeList, row: CaseRun, standing: Standing, past: PastCase, gates: Gates) -> None:
    """Whether a case misses what the baseline met: a phrase or tool, a required source or quote; no waived failure.

    Of a flaky case only whether it found a source again. A lost source of a case that was to be asked again, and was
    not, does not count by itself: the share of those asked again that lost theirs each time stands for it.
    """
    lost = lost_sources(row, standing, past, gates)
    if row.asks and not row.unconfirmed and past.recalled.intersection(_ever_missed(row)):
        changes.count("newly_missed", "asked")
        changes.count("newly_missed", "confirmed", bool(lost))
    if row.state == "flaky":
        return
    if (row.musts is not None and past.met) or (row.recalled is not None and past.recalled):
        changes.count("newly_missed", "of")
    if missed := newly_missed(row, standing, past.met):
        found = [each for each in _problems(row, "behaviour") if each.code in DEMANDS_ON_AN_ANSWER]
        changes.add(row, "newly_missed", "new", found[row.musts.missed.index(missed[0]) if row.musts else 0])
    elif lost and row.unconfirmed:
        changes.count("newly_missed", "unasked")
    elif lost:
        changes.add(row, "newly_missed", "new", _problems(row, _RECALL[lost[0] % 2])[0])


def _problems(row: CaseRun, gate: GateName) -> tuple[Problem, ...]:
    outcome = row.outcomes.get(gate)
    return outcome.problems if isinstance(outcome, Failed) else ()


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


def _recalled(answers: Iterable[Ask]) -> list[Musts]:
    return [each.recalled for each in answers if each.recalled is not None]


def add_phrase(changes: ChangeList, row: CaseRun, standing: Standing, past: PastCase | None) -> None:
    """Whether a case says a forbidden phrase that the baseline's answer did not, or of which it has no answer."""
    if standing.flagged and (past is None or not past.flagged):
        phrases = [hallucination_problem(each) for each in standing.hallucinations if each.kind == "phrase"]
        changes.add(row, "forbidden_phrases", "new", next(iter(phrases), None))


def add_certain(changes: ChangeList, row: CaseRun, standing: Standing, past: PastCase, then: Then) -> None:
    """Whether a case that is on both runs is newly inadmissible, unanswered or miscited; no waived failure."""
    inadmissible = _problems(row, "admissibility")
    if then.admissible and inadmissible and "admissibility" not in standing.waived:
        changes.add(row, "newly_inadmissible", "new", inadmissible[0])
    if newly_unanswered(row, standing, then):
        changes.add(
            row, "newly_unanswered", "new", next(iter([*_problems(row, "target"), *_problems(row, "answered")]), None)
        )
    if "citation_support" not in standing.waived and citation_faults(row) - past.citation_faults:
        changes.add(row, "newly_miscited", "new", next(iter(_problems(row, "citation_support")), None))


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
