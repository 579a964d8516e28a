"""Answers that take far longer than the baseline's: one line, which decides nothing."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Strong, Text
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import milliseconds

# A busy machine or a cold start moves a few answers, and small times by any factor. The median of so many cases moves
# so far only where the app has changed. The slowest alone say nothing: of an unchanged app that answers 1 in 20 slowly,
# the 95th percentile of 25 cases is three times the baseline's in every fifth run.
_FEWEST = 10
_TIMES = 2
_MORE_MS = 500
_TAIL_TIMES = 3
_TAIL_MORE_MS = 1_000
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
    slowest, slowest_before = run.summary.p95_latency_ms, then.p95_latency_ms
    if now < _TIMES * before or not (now - before >= _MORE_MS or _has_longer_tail(slowest, slowest_before)):
        return
    what = Strong(f"Answers take {milliseconds(now)}"), f" (median), {milliseconds(before)} on the baseline"
    tail = f"; 95th percentile {milliseconds(slowest)}, {milliseconds(slowest_before)} there"
    has_gate = any(gate.gate == "p95_latency_ms" for gate in run.gates)
    step: Text = (
        "." if has_gate else (". Only a limit can block it: ", Code("gates: {p95_latency_ms: {max: ...}}"), ".")
    )
    yield FaultLine((what, tail if slowest_before is not None else "", step), level="warn")


def _has_longer_tail(now: float | None, before: float | None) -> bool:
    """Whether the 95th percentile is so much longer that people wait, however small the median."""
    return now is not None and before is not None and now >= _TAIL_TIMES * before and now - before >= _TAIL_MORE_MS
