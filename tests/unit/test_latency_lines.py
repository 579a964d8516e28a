"""Cases that take three times as long as on the baseline are one line that decides nothing; noise is none."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import pytest

from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.comparison_lines import latency_lines
from raggate_action.report.plain_sink import plain
from tests.golden.builders import RELEASED, make_reporting
from tests.row_builders import compare, make_row


def told(times: Sequence[tuple[float | None, float | None]]) -> list[str]:
    """The line of cases that took so long on the baseline, and now."""
    base = [make_row(place, latency_ms=before) for place, (before, _now) in enumerate(times)]
    head = [make_row(place, latency_ms=now) for place, (_before, now) in enumerate(times)]
    reporting = make_reporting((), RELEASED, comparison=compare(head, base))
    found = list(latency_lines(reporting, COMMENT_EXTENTS[0]))
    assert {line.level for line in found} <= {"warn"}
    return [plain(line.words) for line in found]


def test_ten_of_a_hundred_cases_from_3_to_31_seconds_are_told() -> None:
    line = "10 of 100 cases take three times as long as on the baseline or longer: q4 (3.0 s → 33.0 s) and 9 more."
    assert told([(3_000, (33_000 if n == 4 else 31_000) if n < 10 else 3_000) for n in range(100)]) == [line]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (2, 900),  # 450 times as long, and nobody waits for it
        (5_000, 14_999),  # 10 s more, less than three times
        (31_000, 3_000),  # faster
        (None, 4_200),  # nobody knows
        (110, None),
    ],
)
def test_noise_small_times_and_unknown_ones_are_no_line(before: float | None, now: float | None) -> None:
    assert told([(before, now)] * 20) == []


def test_as_many_as_chance_makes_are_no_line() -> None:
    """Three slower ones alone come by chance once in 16 runs, mid-p, and five beside one once in 16 (7/64 - 6/128)."""
    slower, faster, same = (500, 1_500), (1_500, 500), (500, 500)
    assert told([slower] * 3 + [same] * 20) == []
    assert len(told([slower] * 4 + [same] * 20)) == 1
    assert told([slower] * 5 + [faster] + [same] * 20) == []


@pytest.mark.parametrize("slow", [0.05, 0.1])
def test_an_unchanged_app_with_slow_answers_is_not_told(slow: float) -> None:
    """200 runs of 25 cases beside another run of the same app, at most 1 in 20 told."""

    def run(seed: str) -> list[float]:
        chance = random.Random(seed)
        answers = [chance.lognormvariate(math.log(300), 0.3) for _ in range(25)]
        return [chance.uniform(2_000, 9_000) if chance.random() < slow else each for each in answers]

    runs = [list(zip(run(f"{n} main"), run(f"{n} head"), strict=True)) for n in range(200)]
    assert sum(bool(told(each)) for each in runs) <= 10
