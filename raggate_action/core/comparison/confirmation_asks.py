"""Which cases of a live app are retried before they count, and the outcome of all answers together.

An app that answers with a model now and then fails a case that it passes the next time. What is asked again fails only
if every answer does; a case of which one answer is in order is flaky. No answer is that has a value which a finding
stands against in one before it, in whatever words. Some faults no second answer excuses: they count
if one answer shows them. Of these, a certain hallucination that only one answer shows is chance where the base branch's
own answers have as many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import NamedTuple

from raggate_action.core.claims.false_claim_identity import statement_of, values_of
from raggate_action.core.comparison.baseline_index import BaselineIndex, PastCase
from raggate_action.core.comparison.certain_regressions import lost_sources, newly_missed, newly_slow, newly_unanswered
from raggate_action.core.comparison.hallucination_changes import (
    Suspect,
    match_hallucinations,
    new_among,
    suspects_of,
)
from raggate_action.core.comparison.own_rate import OwnRateCount
from raggate_action.core.counting.case_state import citation_faults, suspects_in, was_answered
from raggate_action.core.counting.waivers import Standing, Waivers
from raggate_action.schema.case_run import Ask, CaseRun, Claim, is_certainly_false
from raggate_action.schema.main_answers import OwnRate
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

    def __init__(
        self, policy: Policy, *, decided_on: date, baseline: BaselineIndex | None, own: OwnRateCount | None = None
    ) -> None:
        """Prepare.

        Args:
            policy: What the run is judged by.
            decided_on: The day that decides which waivers hold.
            baseline: The baseline run; without one every failing case is new.
            own: Counts the run's answers beside main's; None where one answer with a certain hallucination is enough.
        """
        self._waivers = Waivers(policy, decided_on=decided_on)
        self._past = baseline.cases if baseline is not None else {}
        self._protected = policy.slices.protected_names
        self._gates = policy.gates
        # Where main has none, nothing is counted.
        self._own = own if own is not None and own.may_explain else None

    def seen(self, row: CaseRun) -> None:
        """Count an answer of the run, first or further, beside main's; none to a case that main was not asked."""
        if self._own is None:
            return
        past = self._compared(row)
        if past is not None and past.then is not None and was_answered(row):
            found = self._false_in(row, past)
            self._own.add(row.case_id, false=False in found, known=True in found)

    def is_false_once(self, row: CaseRun) -> bool:
        """Whether an answer has a certain hallucination that may be chance: one that main's latest answer has not.

        Never in a protected slice, nor beside another fault that counts if one answer shows it.
        """
        if self._own is None or not row.hallucinations or not self._own.may_explain:
            return False
        if (past := self._compared(row)) is None:
            return False
        at_once = counts_at_once(row, row.slices, self._protected, but_false=True)
        return not at_once and self._false_in(row, past) == {False}

    def explained(self) -> OwnRate | None:
        """Both rates where main's explains the certain hallucinations of single answers; once all answers are seen."""
        return self._own.explained() if self._own is not None else None

    def _false_in(self, row: CaseRun, past: PastCase) -> frozenset[bool]:
        """Of its certain hallucinations that are not waived, whether main's latest answer has them."""
        if row.kind == "known_bad" or not is_certainly_false(row):
            return frozenset()
        unwaived = {each.key for each in self._waivers.standing(row).hallucinations if each.kind != "phrase"}
        pairs = match_hallucinations(row, past).pairs
        return frozenset([each.is_known for each in pairs if each.hallucination.key in unwaived])

    def is_doubtful(self, row: CaseRun) -> bool:
        """Whether a case is in doubt: its answer has a new fault that another one may excuse. No known-bad case is."""
        return self.is_false_once(row) or (self._is_new(row) and not counts_at_once(row, row.slices, self._protected))

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
        past = self._compared(row)
        if past is None or past.then is None:
            return standing.state == "failed"
        if past.then.state != "failed" and standing.state == "failed":
            return True
        return _has_new_fault(row, standing, past) or bool(lost_sources(row, standing, past, self._gates))

    def poorer_in(self, row: CaseRun) -> frozenset[str]:
        """In what an answer is poorer than main's, as far as that counts; in nothing where it is waived."""
        main = row.beside_main
        if main is None or row.kind == "known_bad" or self._waivers.poorer & {"", row.case_id}:
            return frozenset()
        return frozenset([f"{each.state} {each.key}" for each in main.counting])

    def refuted_in(self, row: CaseRun) -> frozenset[str]:
        """The values of an answer that a finding counts against: one that the baseline's had not, or that fails it."""
        past, found = self._compared(row), suspects_of(row, self._waivers.standing(row))
        if past is not None and past.then is not None:
            found = new_among(found, past)
        elif not _fails(row, "faithfulness"):
            return frozenset()
        return _values(found)

    def shows_more(self, row: CaseRun) -> bool:
        """Whether an answer has a new fault that counts if one answer shows it."""
        at_once = counts_at_once(row, row.slices, self._protected)
        return self._is_new(row) and at_once and not self.is_false_once(row)

    def loses_source(self, row: CaseRun) -> bool:
        """Whether a required source or quote is gone that the baseline had."""
        past = self._compared(row)
        return past is not None and bool(lost_sources(row, self._waivers.standing(row), past, self._gates))

    def _compared(self, row: CaseRun) -> PastCase | None:
        """The case on the baseline, where it is the same."""
        past = self._past.get(row.case_id)
        return past if past is not None and past.digest == row.digest else None


def _has_new_fault(row: CaseRun, standing: Standing, past: PastCase) -> bool:
    """Whether something counts against the baseline's answer to the same case, whatever the case's state is."""
    return bool(
        (past.then is not None and newly_unanswered(row, standing, past.then))
        or (past.then is not None and newly_slow(row, standing, past.then))
        or newly_missed(row, standing, past.met)
        or ("citation_support" not in standing.waived and citation_faults(row) - past.citation_faults)
        or new_among(suspects_of(row, standing), past)
    )


def _values(found: Iterable[Suspect]) -> frozenset[str]:
    return frozenset().union(*(values_of(finding, claim.text) for claim, finding in found))


def still_says(row: CaseRun, values: frozenset[str]) -> bool:
    """Whether an answer has one of these values in anything but what is verified."""
    if not values:
        return False
    said = [statement_of(claim).values for claim in (Claim(claim_id="", text=row.answer or ""), *row.claims)]
    verified = [statement_of(claim).values for claim in row.claims if claim.verdict == "supported"]
    return not values.isdisjoint(frozenset().union(*said).difference(*verified))


def counts_at_once(answer: Ask, slices: Collection[str], protected: frozenset[str], *, but_false: bool = False) -> bool:
    """Whether an answer has a fault that no other answer excuses.

    An inadmissible trace, a forbidden phrase or tool, a certain hallucination; in a protected slice anything new.

    Args:
        answer: The answer.
        slices: Those of its case.
        protected: The protected ones.
        but_false: A certain hallucination is left out.
    """
    return (
        not protected.isdisjoint(slices)
        or answer.flagged
        or (bool(answer.hallucinations) and not but_false)
        or _fails(answer, "admissibility")
        or _fails(answer, "behaviour", code="tool-forbidden")
    )


def standing_without(answers: Sequence[CaseRun], false: int) -> int | None:
    """Which answer stands for a case when the one false answer is chance: the first that passes, else the first.

    Args:
        answers: All answers to the case, in order.
        false: Which of them has the certain hallucination.

    Returns:
        None where no other answer could be measured without a value refuted in it, so that nothing excuses it.
    """
    refuted = _values(suspects_in(answers[false].claims))
    others = [
        number
        for number, each in enumerate(answers)
        if number != false and each.state != "unmeasured" and not still_says(each, refuted)
    ]
    passing = [number for number in others if answers[number].state == "passed"]
    return next(iter(passing or others), None)


def _fails(answer: Ask, gate: GateName, *, code: str | None = None) -> bool:
    outcome = answer.outcomes.get(gate)
    return isinstance(outcome, Failed) and (code is None or any(each.code == code for each in outcome.problems))
