"""The gate on answers that are poorer than the base branch's."""

from __future__ import annotations

from math import sqrt

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, Facts, shortened
from raggate_action.core.decision.run_gates import NO_CASES
from raggate_action.schema.change import Change
from raggate_action.schema.decision import Bar, Measured, RunGate
from raggate_action.schema.later import Comparison, PoorerAnswers
from raggate_action.schema.outcome import Level, Problem
from raggate_action.schema.policy import CeilingGate

# Fewer poorer answers block nothing, and half as many where fewer cases are compared.
_FEWEST, _FEWEST_OF_FEW = 3, 2
_FEW = 20
# Of recorded answers.
_FEWEST_RECORDED = 5
# The same answer for so large a part of the cases blocks.
_PART_OF_ALL = 5


def poorer_gate(comparison: Comparison, rule: CeilingGate) -> RunGate | None:
    """Cases with a poorer answer, against the share allowed: more blocks, more than half as many warns.

    Cases that lost or changed a value are held against those that have one to lose as well. The same answer for a fifth
    of the cases, and three, blocks; so does one value that every ask gives otherwise than its evidence. None where
    no case is poorer.
    """
    found = comparison.poorer
    if found is None or not found.all_cases:
        return None
    allowed = allowed_of(found.compared, rule)
    blocks = _blocks(found, rule)
    level: Level = "warn" if rule.level == "block" and not blocks else rule.level
    hits = found.all_cases
    warns = hits > rule.max / 2 * found.compared
    named = []
    for case in found.listed[:NAMED_AT_MOST]:
        first = case.reasons[0]
        problem = shortened(Problem(code=first.state, detail=first.value or first.here))
        named.append(Change(case_id=case.case_id, gate="poorer", problem=problem, move="new"))
    bar = Bar(operator="<=", amount=rule.max, unit="share", allowed=allowed)
    measured = Measured(kind="cases", hits=hits, looked_at=found.compared)
    if blocks and found.counted <= allowed:
        # Another rule than that on the share of all decides.
        of_values = allowed_of(found.with_values, rule)
        if found.sharp:
            bar = NO_CASES
        elif found.with_values and found.counted_values > of_values:
            bar = bar.model_copy(update={"allowed": of_values})
            measured = Measured(kind="cases", hits=found.counted_values, looked_at=found.with_values)
    return RunGate(
        gate="poorer",
        level=level,
        status="failed" if blocks or warns else "passed",
        passed=found.compared - min(hits, found.compared),
        scored=found.compared,
        waived=found.waived,
        bar=bar,
        measured=measured,
        offenders=tuple(named),
        offending=hits,
    )


def alone_gate(facts: Facts, rule: CeilingGate) -> RunGate | None:
    """Without a baseline: answers that are cut, and the same one for several questions; any warns and none blocks.

    None where there is none.
    """
    found = facts.alone
    hits, cases = found.measured.hits, found.measured.looked_at
    if not hits:
        return None
    return RunGate(
        gate="poorer",
        level="warn" if rule.level == "block" else rule.level,
        status="failed",
        passed=cases - hits,
        scored=cases,
        waived=found.waived,
        bar=NO_CASES,
        measured=found.measured,
        offenders=found.named,
        offending=hits,
    )


def _blocks(found: PoorerAnswers, rule: CeilingGate) -> bool:
    """Whether so many poorer answers are more than chance and an honest change of words make."""
    if found.same_for_all >= _FEWEST and found.same_for_all * _PART_OF_ALL >= found.compared:
        return True
    if found.sharp:
        return True
    # What can be read either way counts in the share, and blocks nothing alone.
    certain = found.counted - found.doubtful
    if certain >= fewest_of(found.compared) and found.counted > allowed_of(found.compared, rule):
        return True
    if found.with_values and found.counted_values > allowed_of(found.with_values, rule):
        return True
    # Nobody could be asked: more than main's own answers make, by what chance may add.
    own = found.own_thousandths / 1000
    return (
        found.recorded >= _FEWEST_RECORDED
        and found.recorded > rule.max * found.with_values
        and found.recorded > own + 2 * sqrt(own + 1)
    )


def allowed_of(cases: int, rule: CeilingGate) -> int:
    """How many of the cases compared may be poorer."""
    return max(int(rule.max * cases), fewest_of(cases) - 1)


def fewest_of(cases: int) -> int:
    """How many of the cases compared have to be poorer to block, whatever their share."""
    return _FEWEST if cases >= _FEW else _FEWEST_OF_FEW
