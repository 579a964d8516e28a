"""Answers that take far longer than the baseline's are one line that decides nothing; noise is none."""

from __future__ import annotations

import math
import random

import pytest

from raggate_action.core.counting.summary_amounts import nearest_rank
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
    before: float | None,
    now: float | None,
    *,
    compared: int = 10,
    answered: int = 10,
    partial: bool = False,
    tail: tuple[float | None, float | None] = (640.0, 5100.0),
) -> Reporting:
    """A run of this median beside a baseline of that one; their 95th percentiles likewise, the baseline's first."""
    comparison = make_comparison(compared=compared, partial=PartialScope(carried=5) if partial else None)
    amounts = comparison.baseline.model_copy(update={"p50_latency_ms": before, "p95_latency_ms": tail[0]})
    reporting = make_reporting((), RELEASED, comparison=comparison.model_copy(update={"baseline": amounts}))
    counts = reporting.run.counts.model_copy(update={"answered_by_target": answered})
    times = reporting.run.summary.model_copy(update={"p50_latency_ms": now, "p95_latency_ms": tail[1]})
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
    assert lines(told(before, now, tail=(640.0, 700.0))) == []


@pytest.mark.parametrize(
    ("median", "tail", "is_told"),
    [
        pytest.param((195, 685), (838, 8_300), True, id="answers three times as long, the slowest ten times"),
        pytest.param((200, 400), (500, 1_500), True, id="the bounds themselves"),
        pytest.param((200, 400), (500, 1_499), False, id="less than three times"),
        pytest.param((200, 400), (499, 1_498), False, id="less than a second"),
        pytest.param((200, 399), (500, 9_000), False, id="the slowest alone"),
        pytest.param((200, 400), (None, 9_000), False, id="nobody knows how slow they were"),
    ],
)
def test_a_small_median_is_told_where_the_slowest_take_far_longer_too(
    median: tuple[float, float], tail: tuple[float | None, float], *, is_told: bool
) -> None:
    assert bool(lines(told(*median, tail=tail))) == is_told


@pytest.mark.parametrize("slow", [0.05, 0.1])
def test_an_unchanged_app_with_slow_answers_is_not_told(slow: float) -> None:
    """200 runs of 25 cases beside another run of the same app, at most 1 in 20 told; the slowest alone tell more."""

    def run(seed: str) -> list[float]:
        chance = random.Random(seed)
        answers = [chance.lognormvariate(math.log(300), 0.3) for _ in range(25)]
        return sorted([chance.uniform(2_000, 9_000) if chance.random() < slow else each for each in answers])

    times = [(run(f"{n} main"), run(f"{n} head")) for n in range(200)]
    points = [[[nearest_rank(one, percent) for one in pair] for percent in (50, 95)] for pair in times]
    found = [lines(told(*median, compared=25, answered=25, tail=(tail[0], tail[1]))) for median, tail in points]
    assert sum(map(bool, found)) <= 10
    by_tail = [now >= 3 * before and now - before >= 1_000 for _median, (before, now) in points if before and now]
    assert sum(by_tail) > 10, "the rule needs its median"


def test_the_bounds_themselves_are_told() -> None:
    assert len(lines(told(500, 1_000))) == 1


def test_few_cases_other_cases_and_a_part_are_no_line() -> None:
    assert lines(told(110, 4200, compared=9, answered=9)) == []
    assert lines(told(110, 4200, compared=15, answered=20)) == []  # 75 % stand on both runs
    assert len(lines(told(110, 4200, compared=16, answered=20))) == 1
    assert lines(told(110, 4200, partial=True)) == []
