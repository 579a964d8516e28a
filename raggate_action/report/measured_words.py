"""What a gate asks for and what is held against it, in words; plain text of any characters."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import assert_never

from raggate_action.schema.decision import RunGate
from raggate_action.schema.measured import (
    AdviceCount,
    AmountMeasured,
    ArmsMeasured,
    CaseCount,
    Operator,
    ShiftMeasured,
    SliceCount,
    SuspectCount,
    UnmeasuredCount,
    WeakeningCount,
)
from raggate_action.strings.numbers import (
    apart,
    exact_dollars,
    exact_milliseconds,
    percent_up,
    score,
    share,
    whole_number,
)

Signs = Mapping[Operator, str]
# For terminals and logs, which may not know the others.
ASCII_SIGNS: Signs = {">=": ">= ", "<=": "<= ", "==": "", ">": "> "}
SIGNS: Signs = {">=": "≥ ", "<=": "≤ ", "==": "", ">": "> "}

_ADVICE = {"facts": "facts stated", "criteria": "criteria met"}
# Decimal places of an amount beside its bar; more where the two would read the same.
_PLACES_OF_MS = 1
_PLACES_OF_USD = 4
_PLACES_OF_P = 3


def bar_in_words(gate: RunGate, signs: Signs = ASCII_SIGNS) -> str:
    """What a gate asks for: `>= 95 %`, `each >= 95 %`, `<= 2 %, here 1`, `<= 8000 ms`, `none new`."""
    bar = gate.bar
    sign = ("each " if bar.each else "") + signs[bar.operator]
    match bar.unit:
        case "share":
            allowed = f", here {bar.allowed}" if bar.allowed is not None else ""
            return f"{sign}{share(bar.amount)}{allowed}"
        case "cases" | "new cases":
            new = " new" if bar.unit == "new cases" else ""
            return f"none{new}" if not bar.amount else f"{sign}{whole_number(bar.amount)}{new} cases"
        case "ms" | "usd" | "score" | "points":
            return f"{sign}{_apart(gate)[1]}"
        case "p":
            return f"p {sign}{_apart(gate)[1]}"
        case _:
            assert_never(bar.unit)


def measured_in_words(gate: RunGate) -> str | None:
    """What is held against the bar where that is not the share that passed: `3.0 % (3 of 100 cases)`, `900 ms`."""
    match gate.measured:
        case CaseCount() | WeakeningCount() | AdviceCount() | ArmsMeasured():
            return _hits(gate.measured, gate)
        case UnmeasuredCount() as count:
            gone = f" and {count.removed} removed" if count.removed else ""
            faults = f", {count.faults} for a fault in raggate" if count.faults else ""
            return f"{count.unmeasured} of {count.cases} cases{gone}{faults}"
        case SuspectCount() as count:
            return f"{count.conflict + count.absent} of {count.compared} cases{_kinds(count)}"
        case SliceCount() as count:
            watched = [f"{count.watched} on watch"] if count.watched else []
            unmeasured = [f"{count.unmeasured} not measured"] if count.unmeasured else []
            return ", ".join([f"{count.red} of {count.slices} red", *watched, *unmeasured])
        case AmountMeasured() | ShiftMeasured():
            return _apart(gate)[0]
        case None:
            return None
        case _:
            assert_never(gate.measured)


def _cases_gone(cases: int) -> str:
    return "1 case taken out fails" if cases == 1 else f"{cases:,} cases taken out fail"


def _hits(count: CaseCount | WeakeningCount | AdviceCount | ArmsMeasured, gate: RunGate) -> str:
    if isinstance(count, AdviceCount):
        return f"advises: {count.good:,} of {count.total:,} {_ADVICE[count.of]}"
    if isinstance(count, ArmsMeasured):
        return _preferred(count, gate)
    if isinstance(count, WeakeningCount):
        if not count.gates and gate.offending:
            return f"{_cases_gone(gate.offending)} by the base branch's suite"
        if not count.gates:
            # Another gate may block all the same, by both suites.
            return "no other gate fails by the base branch's suite" if gate.status == "passed" else "not comparable"
        more = "1 gate fails" if count.gates == 1 else f"{count.gates} gates fail"
        return f"{more} by the base branch's suite"
    cases = f"{count.hits} of {count.looked_at} cases"
    return f"{percent_up(count.hits, count.looked_at)} ({cases})" if gate.bar.unit == "share" else cases


def _preferred(arms: ArmsMeasured, gate: RunGate) -> str:
    questions = arms.treatment + arms.control + arms.tie
    chance = f", p = {_apart(gate)[0]}" if arms.p is not None else ""
    return f"control {arms.control}, treatment {arms.treatment} of {questions} questions{chance}"


def _kinds(count: SuspectCount) -> str:
    parts = [f"{count.conflict} in conflict"] if count.conflict else []
    parts += [f"{count.absent} absent"] if count.absent else []
    return f" ({', '.join(parts)})" if parts else ""


def _apart(gate: RunGate) -> tuple[str, str]:
    """An amount and its bar; without one the bar alone, twice."""
    if gate.bar.unit in {"score", "points"}:
        return _shifted(gate)
    bar = gate.bar.amount
    if gate.bar.unit == "p":
        chance = gate.measured.p if isinstance(gate.measured, ArmsMeasured) else None
        return apart(whole_number, chance.value if chance is not None else bar, bar, _PLACES_OF_P)
    amount = Decimal(str(gate.measured.amount)) if isinstance(gate.measured, AmountMeasured) else bar
    if gate.bar.unit == "usd":
        return apart(exact_dollars, amount, bar, _PLACES_OF_USD)
    if gate.bar.unit == "ms":
        return apart(exact_milliseconds, amount, bar, _PLACES_OF_MS)
    return apart(whole_number, amount, bar, 0)


def _shifted(gate: RunGate) -> tuple[str, str]:
    """A mean on both runs with the way it went, and how far it may go: `1.00 to 0.94 (0.06 lower)`, `0.05 lower`."""
    of_score = gate.bar.unit == "score"
    way = " lower" if of_score else " points higher"
    shift = gate.measured
    if not isinstance(shift, ShiftMeasured) or not shift.cases:
        return "", f"{gate.bar.amount:f}{way}"
    worse = Decimal(shift.before - shift.after if of_score else shift.after - shift.before) / shift.cases
    worse = worse / 100 if of_score else worse * 100
    shown, bar = apart(whole_number, worse, gate.bar.amount, 2 if of_score else 1)
    before, after = (_mean(total, shift.cases, of_score=of_score) for total in (shift.before, shift.after))
    moved = f" ({shown}{way})" if worse > 0 else ""
    return f"{before} to {after}{moved}, {shift.cases} cases", f"{bar}{way}"


def _mean(total: int, cases: int, *, of_score: bool) -> str:
    return score(total / 100 / cases) if of_score else percent_up(total, cases)
