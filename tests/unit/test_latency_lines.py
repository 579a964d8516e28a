"""Answers that take far longer than the baseline's are one line that decides nothing; noise is none."""

from __future__ import annotations

import pytest

from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.latency_lines import latency_lines
from raggate_action.report.plain_sink import plain
from raggate_action.report.report_input import Reporting
from raggate_action.schema.partial_scope import PartialScope
from tests.golden.builders import RELEASED, gates, make_comparison, make_reporting

LINE = (
    "Answers take 4.2 s (median), 110 ms on the baseline; 95th percentile 5.1 s, 640 ms there. "
    "Only a limit can block it: gates: {p95_latency_ms: {max: ...}}."
)


def told(
    before: float | None, now: float | None, *, compared: int = 10, answered: int = 10, partial: bool = False
) -> Reporting:
    """A run of this median beside a baseline of that one."""
    comparison = make_comparison(compared=compared, partial=PartialScope(carried=5) if partial else None)
    amounts = comparison.baseline.model_copy(update={"p50_latency_ms": before})
    reporting = make_reporting((), RELEASED, comparison=comparison.model_copy(update={"baseline": amounts}))
    counts = reporting.run.counts.model_copy(update={"answered_by_target": answered})
    times = reporting.run.summary.model_copy(update={"p50_latency_ms": now, "p95_latency_ms": 5100.0})
    return reporting._replace(run=reporting.run.model_copy(update={"counts": counts, "summary": times}))


def lines(reporting: Reporting) -> list[str]:
    return [plain(line.words) for line in latency_lines(reporting, COMMENT_EXTENTS[0])]


def test_far_slower_answers_are_one_line_that_warns() -> None:
    reporting = told(110, 4200)
    assert lines(reporting) == [LINE]
    assert [line.level for line in latency_lines(reporting, COMMENT_EXTENTS[0])] == ["warn"]


def test_a_gate_on_it_needs_no_hint() -> None:
    reporting = told(110, 4200)
    run = reporting.run.model_copy(update={"gates": gates("p95_latency_ms  block  passed  -  <= 9000 ms  812 ms")})
    assert lines(reporting._replace(run=run)) == [LINE.split(" Only", maxsplit=1)[0]]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (2, 300),  # 150 times as long, and nobody waits for it
        (5_000, 9_999),  # 5 s more, less than twice
        (400, 899),  # twice, and 499 ms more
        (4_200, 110),  # faster
        (None, 4_200),  # stored before medians were
        (110, None),  # nothing was timed
    ],
)
def test_noise_small_times_and_unknown_ones_are_no_line(before: float | None, now: float | None) -> None:
    assert lines(told(before, now)) == []


def test_the_bounds_themselves_are_told() -> None:
    assert len(lines(told(500, 1_000))) == 1


def test_few_cases_other_cases_and_a_part_are_no_line() -> None:
    assert lines(told(110, 4200, compared=9, answered=9)) == []
    assert lines(told(110, 4200, compared=15, answered=20)) == []  # 75 % stand on both runs
    assert len(lines(told(110, 4200, compared=16, answered=20))) == 1
    assert lines(told(110, 4200, partial=True)) == []
