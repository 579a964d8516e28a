"""Gates and slices, those that need attention first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from raggate_action.report.comment_size import Extent, gate_name, left_out
from raggate_action.report.decision_words import bar_in_words, measured_in_words
from raggate_action.report.page import (
    Column,
    FirstEntries,
    Fold,
    Foreign,
    Section,
    Table,
    Text,
    sentences,
)
from raggate_action.report.report_input import Reporting
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate, RunGateStatus
from raggate_action.schema.later import Comparison, GateDelta
from raggate_action.schema.outcome import GATES
from raggate_action.strings import numbers
from raggate_action.strings.numbers import NOTHING
from raggate_action.strings.visible_text import cut

# More than there are; a run file from elsewhere may claim any number, with names and bars of any length.
_MOST_GATES = 40
_LONGEST_BAR = 30
_LONGEST_VALUE = 60

_GATE_ORDER = ("block failed", "block unmeasured", "warn failed", "warn unmeasured", "insufficient", "passed")
_ICONS: dict[RunGateStatus, str] = {
    "failed": "❌ failed",
    "unmeasured": "⏳ not measured",
    "insufficient": "watch",
    "passed": "✅ passed",
}
_SLICE_ORDER: tuple[RunGateStatus, ...] = ("failed", "unmeasured", "insufficient", "passed")


def gate_section(reporting: Reporting, extent: Extent) -> Section:
    """In a comment the gates that failed or moved, folded; in the job summary all that have something to show, open."""
    found = sorted([gate for gate in reporting.run.gates if _has_count(gate)], key=_rank)
    comparison = reporting.comparison
    if extent.whole:
        gates = found[:_MOST_GATES]
        more = left_out(len(gates), len(found), extent, file="run.json")
        return Section(table=_gate_table(gates, reporting) if gates else None, more=more)
    before = {delta.name: delta for delta in comparison.gates} if comparison is not None else {}
    counted = {gate.gate: (gate.passed or 0, gate.scored or 0) for gate in found}
    stands_out = [
        gate.status in {"failed", "unmeasured"} or _has_moved(counted[gate.gate], before.get(gate.gate))
        for gate in found
    ]
    listed = [gate for gate, is_out in zip(found, stands_out, strict=True) if is_out and gate.level != "off"]
    listed = listed[:_MOST_GATES]
    if not listed:
        return Section()
    title = f"Gates that failed or moved ({len(listed):,} of {len(found):,})"
    return Section(folds=(Fold(title, table=_gate_table(listed, reporting), more=_others(len(found) - len(listed))),))


def _has_moved(now: tuple[int, int], before: GateDelta | None) -> bool:
    """Whether another share of the same cases passes than on the baseline."""
    if before is None or not before.scored or not now[1]:
        return False
    passed, scored = _now(now, before)
    return passed * before.scored != before.passed * scored


def _others(left: int) -> Text:
    return f"{left:,} more stand in the job summary." if left else ""


def _has_count(gate: RunGate) -> bool:
    """Whether a gate has something to show: cases scored, not measured or waived; 0 of 0 cases is nothing."""
    counted = gate.scored or gate.waived or gate.unmeasured
    measured = gate.measured is not None and not (gate.measured.kind == "cases" and not gate.measured.looked_at)
    return gate.status in {"failed", "unmeasured"} or measured or bool(counted)


def _rank(gate: RunGate) -> tuple[int, int]:
    order = list(GATES)
    place = order.index(gate.gate) if gate.gate in GATES else len(order)
    needs = gate.status if gate.status in {"insufficient", "passed"} else f"{gate.level} {gate.status}"
    return _GATE_ORDER.index(needs) if gate.level != "off" else len(_GATE_ORDER), place


def _gate_table(gates: Sequence[RunGate], reporting: Reporting) -> Table:
    """A table with the columns that one of its gates has something to say in."""
    comparison = reporting.comparison
    unmeasured = any(gate.unmeasured for gate in gates)
    before = {delta.name: delta for delta in comparison.gates} if comparison is not None else {}
    numeric = ["Passed", "Rate", *(["Not measured"] if unmeasured else ())]
    numeric += ["Baseline", "Change"] if comparison is not None else []
    columns = Column("Gate"), *[Column(title, numeric=True) for title in (*numeric, "Bar")], Column("Status")
    rows: list[tuple[Text, ...]] = []
    for gate in gates:
        passed: tuple[Text, Text] = NOTHING, NOTHING
        if (measured := measured_in_words(gate, reporting.base_name)) is not None:
            passed = NOTHING, Foreign(cut(measured, _LONGEST_VALUE), NOTHING)
        elif gate.passed is not None and gate.scored is not None:
            passed = numbers.rate(gate.passed, gate.scored), numbers.percent(gate.passed, gate.scored)
        cells: list[Text] = [Foreign(gate_name(gate.gate), NOTHING), *passed]
        cells += [f"{gate.unmeasured:,}"] if unmeasured else []
        cells += _moved(gate, before.get(gate.gate), comparison) if comparison is not None else []
        rows.append((*cells, Foreign(cut(bar_in_words(gate), _LONGEST_BAR), NOTHING), _gate_status(gate)))
    return Table(columns, tuple(rows))


def _moved(gate: RunGate, before: GateDelta | None, comparison: Comparison) -> tuple[str, str]:
    """The baseline's figure and how far this run's is from it."""
    baseline = comparison.baseline
    amounts = {
        "p95_latency_ms": numbers.milliseconds(baseline.p95_latency_ms),
        "cost_usd": numbers.money(baseline.cost_usd),
    }
    if gate.gate in amounts:
        return amounts[gate.gate], NOTHING
    if gate.gate != "hallucination_rate" and (gate.measured is not None or before is None):
        return NOTHING, NOTHING
    if before is None:
        return stored_rate(comparison), NOTHING
    now, then = _now((gate.passed or 0, gate.scored or 0), before), (before.passed, before.scored)
    if gate.gate != "hallucination_rate":
        return numbers.rate(*then), numbers.points(now, then)
    now, then = (now[1] - now[0], now[1]), (then[1] - then[0], then[1])
    of_same = before.now_scored is not None and before.scored
    return numbers.percent(*then) if of_same else stored_rate(comparison), numbers.points(now, then)


def stored_rate(comparison: Comparison) -> str:
    """The hallucination rate of the baseline; nothing where a part of it could not be evaluated again."""
    is_part = comparison.again is not None and comparison.again.cases
    return NOTHING if is_part else numbers.percent_as_stored(comparison.baseline.hallucination_rate)


def _now(rate: tuple[int, int], before: GateDelta | None) -> tuple[int, int]:
    """What a change is measured from: the cases of both runs, where the two are not of the same cases."""
    if before is None or before.now_passed is None or before.now_scored is None:
        return rate
    return before.now_passed, before.now_scored


def _gate_status(gate: RunGate) -> str:
    status = "⚠️ warns" if (gate.level, gate.status) == ("warn", "failed") else _ICONS[gate.status]
    waived = f", {gate.waived:,} waived" if gate.waived else ""
    carried = f", {gate.carried:,} carried" if gate.carried else ""
    return f"{'reported' if gate.level == 'off' else status}{waived}{carried}"


def slice_section(reporting: Reporting, extent: Extent) -> Section:
    """In a comment the slices that failed or moved, folded; in the job summary all of them, red ones first."""
    comparison = reporting.comparison
    red = comparison.policy.red_slices if comparison is not None and comparison.policy is not None else ()
    failed = {part.name for part in reporting.run.slices if part.status == "failed"}
    by_base = {part.name: part for part in red if part.name not in failed}
    own = [part for part in sorted(reporting.run.slices, key=_slice_rank) if part.name not in by_base]
    slices = [*by_base.values(), *own]
    before = {delta.name: delta for delta in comparison.slices} if comparison is not None else None

    def stands_out(part: SliceResult) -> bool:
        """Whether a slice failed, has failing cases too few to be judged by, or moved."""
        fails = part.name in by_base or part.status in {"failed", "unmeasured"} or part.passed < part.scored
        return fails or _has_moved((part.passed, part.scored), (before or {}).get(part.name))

    notable = slices if extent.whole else [part for part in slices if stands_out(part)]
    if not notable:
        return Section()
    listed = notable[: extent.rows]
    more = left_out(len(listed), len(notable), extent, file="run.json")
    suites = dict.fromkeys(by_base, f" by the {reporting.base_name}'s suite")
    table = None
    if listed:
        numeric = ("Passed", "Rate", *(("Baseline", "Change") if before is not None else ()))
        columns = Column("Slice"), *[Column(title, numeric=True) for title in numeric], Column("Status")
        rows = FirstEntries(listed, lambda part: _slice_row(part, before, suites.get(part.name, "")), len(listed))
        table = Table(columns, rows)
    if extent.whole:
        return Section(table=table, more=more)
    title = f"Slices that failed or moved ({len(notable):,} of {len(slices):,})"
    return Section(folds=(Fold(title, table=table, more=sentences(more, _others(len(slices) - len(notable)))),))


def _slice_rank(part: SliceResult) -> tuple[int, bool, Fraction]:
    """What needs attention first: by status, then protected ones, then the smaller share of cases that pass."""
    share = Fraction(part.passed, part.scored) if part.scored else Fraction(0)
    return _SLICE_ORDER.index(part.status), not part.protected, share


def _slice_row(part: SliceResult, before: Mapping[str, GateDelta] | None, suite: str) -> tuple[Text, ...]:
    """A slice; `suite` says by whose suite its figures are, if not by the run's own."""
    now = (part.passed, part.scored)
    name: Text = Foreign(cut(part.name, 80), NOTHING), " (protected)" if part.protected else ""
    cells: list[Text] = [name, numbers.rate(*now), numbers.percent(*now)]
    if before is not None:
        then = before.get(part.name)
        was = (then.passed, then.scored) if then is not None else (0, 0)
        cells += [numbers.rate(*was), numbers.points(_now(now, then), was)]
    carried = f", {part.carried:,} carried" if part.carried else ""
    unmeasured = f", {part.unmeasured:,} not measured" if part.unmeasured and part.scored else ""
    return (*cells, _ICONS[part.status] + suite + unmeasured + carried)
