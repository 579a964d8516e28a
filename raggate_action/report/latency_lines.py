"""Answers that take far longer than the baseline's: one line, which decides nothing."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Strong, Text
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import milliseconds

# A busy machine or a cold start moves a few answers, and small times by any factor. The median of so many cases moves
# so far only where the app has changed.
_FEWEST = 10
_TIMES = 2
_MORE_MS = 500
# Of the cases that were answered, so many per cent stand on both runs: other cases take another time.
_SAME_PERCENT = 80


def latency_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`Answers take 4.2 s (median), 0.1 s on the baseline`, where the whole suite was run on both."""
    run, comparison = reporting.run, reporting.comparison
    if comparison is None or comparison.partial is not None:
        return
    answered, then = run.counts.answered_by_target, comparison.baseline
    before, now = then.p50_latency_ms, run.summary.p50_latency_ms
    same = min(comparison.compared, answered)
    if before is None or now is None or same < _FEWEST or 100 * same < _SAME_PERCENT * answered:
        return
    if now < _TIMES * before or now - before < _MORE_MS:
        return
    what = Strong(f"Answers take {milliseconds(now)}"), f" (median), {milliseconds(before)} on the baseline"
    slowest, slowest_before = run.summary.p95_latency_ms, then.p95_latency_ms
    tail = f"; 95th percentile {milliseconds(slowest)}, {milliseconds(slowest_before)} there"
    has_gate = any(gate.gate == "p95_latency_ms" for gate in run.gates)
    step: Text = (
        "." if has_gate else (". Only a limit can block it: ", Code("gates: {p95_latency_ms: {max: ...}}"), ".")
    )
    yield FaultLine((what, tail if slowest_before is not None else "", step), level="warn")
