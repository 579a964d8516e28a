"""Which cases of a live app are retried before they count, and the outcome of all answers together.

An app that answers with a model now and then fails a case that it passes the next time. What is asked again fails only
if every answer does; a case of which one answer is in order is flaky. Some faults no second answer excuses: they count
if one answer shows them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex, PastCase
from raggate_action.core.comparison.certain_regressions import lost_sources, newly_missed, newly_slow, newly_unanswered
from raggate_action.core.comparison.hallucination_changes import new_among, suspects_of
from raggate_action.core.comparison.same_judges import is_judged_otherwise
from raggate_action.core.counting.case_state import citation_faults
from raggate_action.core.counting.waivers import Standing, Waivers
from raggate_action.schema.case_run import Ask, CaseRun
from raggate_action.schema.outcome import GATES, Failed, GateName
from raggate_action.schema.run import Policy

# The most cases that are asked again: so many, or this part of the suite, whichever is more.
_MOST = 20
_PART = 10


def most_asked_again(suite_size: int) -> int:
    """The most cases of a suite that are retried."""
    return max(_MOST, suite_size // _PART)


class Severity(NamedTuple):
    """How bad a case's first answer is; the smaller of two is retried first.

    Attributes:
        weight: Of the case, negative: heavier ones come first.
        stage: Place of the first failed gate in the diagnosis; behind all of them where none failed.
        score: Its behaviour score, lowest first.
        position: Place in the suite.
    """

    weight: float
    stage: int
    score: float
    position: int


class Confirmation:
    """Decides which cases of a run are retried."""

    def __init__(self, policy: Policy, *, decided_on: date, baseline: BaselineIndex | None) -> None:
        """Prepare.

        Args:
            policy: What the run is judged by.
            decided_on: The day that decides which waivers hold.
            baseline: The baseline run; without one every failing case is new.
        """
        self._waivers = Waivers(policy, decided_on=decided_on)
        self._past = baseline.cases if baseline is not None else {}
        self._protected = policy.slices.protected_names
        self._gates = policy.gates

    def is_doubtful(self, row: CaseRun) -> bool:
        """Whether a case is in doubt: its answer has a new fault that another one may excuse. No known-bad case is."""
        return self._is_new(row) and not counts_at_once(row, row.slices, self._protected)

    def settles(self, row: CaseRun) -> bool:
        """Whether a retry decides the case: it has no new fault, or one that counts at once.

        An answer that could not be measured says neither.
        """
        return row.state != "unmeasured" and not self.is_doubtful(row)

    def severity(self, row: CaseRun) -> Severity:
        """How bad a doubtful answer is."""
        gates = list(GATES)
        failed = next(
            (gates.index(gate) for gate, each in row.outcomes.items() if isinstance(each, Failed)), len(gates)
        )
        return Severity(-row.weight, failed, row.score if row.score is not None else 1.0, row.position)

    def _is_new(self, row: CaseRun) -> bool:
        if row.kind == "known_bad":
            return False
        standing = self._waivers.standing(row)
        past = self._past.get(row.case_id)
        if past is None or past.then is None or past.digest != row.digest:
            return standing.state == "failed"
        if standing.state == "failed" and is_judged_otherwise(row, past.panel):
            # Whether the baseline's answer fails as well is known when it has been judged again.
            return True
        if past.then.state != "failed" and standing.state == "failed":
            return True
        return _has_new_fault(row, standing, past) or bool(lost_sources(row, standing, past, self._gates))

    def poorer_in(self, row: CaseRun) -> frozenset[str]:
        """In what an answer is poorer than main's, as far as that counts; in nothing where it is waived."""
        beside = row.beside_main
        if beside is None or row.kind == "known_bad" or self._waivers.poorer & {"", row.case_id}:
            return frozenset()
        return frozenset([f"{each.state} {each.key}" for each in beside.counting])

    def shows_more(self, row: CaseRun) -> bool:
        """Whether an answer has a new fault that counts if one answer shows it."""
        return self._is_new(row) and counts_at_once(row, row.slices, self._protected)

    def loses_source(self, row: CaseRun) -> bool:
        """Whether a required source or quote is gone that the baseline had."""
        past = self._past.get(row.case_id)
        if past is None or past.digest != row.digest:
            return False
        return bool(lost_sources(row, self._waivers.standing(row), past, self._gates))


def _has_new_fault(row: CaseRun, standing: Standing, past: PastCase) -> bool:
    """Whether something counts against the baseline's answer to the same case, whatever the case's state is."""
    return bool(
        (past.then is not None and newly_unanswered(row, standing, past.then))
        or (past.then is not None and newly_slow(row, standing, past.then))
        or newly_missed(row, standing, past.met)
        or ("citation_support" not in standing.waived and citation_faults(row) - past.citation_faults)
        or new_among(suspects_of(row, standing), past)
    )


def counts_at_once(answer: CaseRun | Ask, slices: Collection[str], protected: frozenset[str]) -> bool:
    """Whether an answer has a fault that no other answer excuses.

    An inadmissible trace, a forbidden phrase or tool, a certain hallucination; in a protected slice anything new.
    """
    return (
        not protected.isdisjoint(slices)
        or answer.flagged
        or bool(answer.hallucinations)
        or _fails(answer, "admissibility")
        or _fails(answer, "behaviour", code="tool-forbidden")
    )


def _fails(answer: CaseRun | Ask, gate: GateName, *, code: str | None = None) -> bool:
    outcome = answer.outcomes.get(gate)
    return isinstance(outcome, Failed) and (code is None or any(each.code == code for each in outcome.problems))
