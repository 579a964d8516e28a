"""The history of a branch: which runs are in it, how two files become one, and when a level is said to have moved."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from raggate_action.core.comparison.run_history import carried, folded, history_line, moved_levels, trend_of
from raggate_action.report.render import render_history
from raggate_action.report.trend_view import figures
from raggate_action.schema.base import Rate
from raggate_action.schema.history import HISTORY_AT_MOST, HistoryLine, Trend
from raggate_action.schema.origin import Origin
from tests.stored_runs import make_run


def moment(number: int) -> str:
    return f"2026-06-{number // 24 + 1:02d}T{number % 24:02d}:00:00Z"


def line(number: int, *, passed: int = 50, cases: int = 60, false: int = 0, score: float | None = None) -> HistoryLine:
    return HistoryLine(
        date=moment(number),
        git_sha=f"{number:040x}",
        version=f"v{number}",
        decision="release",
        measured_by="the same",
        score=score,
        hallucination_rate=100 * false / cases,
        cases=cases,
        passed=Rate(hits=passed, total=cases),
        hallucinating=Rate(hits=false, total=cases),
        verified=Rate(hits=passed, total=passed),
    )


def levels(passed: Sequence[int], cases: int = 60) -> list[str]:
    lines = [line(n, passed=each, cases=cases) for n, each in enumerate(passed)]
    return [f"{move.level} {move.before.hits}/{move.before.total} {move.after.hits}/{move.after.total}"
            for move in moved_levels(lines)]  # fmt: skip


def test_a_run_has_its_baseline_behind_the_baselines_own_history() -> None:
    baseline = make_run()
    before = (line(0), line(1))
    history = carried(before, baseline)
    assert history == (*before, history_line(baseline))
    head = make_run(decided_at="2026-12-01T00:00:00Z")
    assert [each.date for each in trend_of(history, head).lines] == [*(each.date for each in history), head.decided_at]


@pytest.mark.parametrize(
    ("named", "sha", "version"),
    [
        ({"service_version": "2.1"}, "0a1b2c3d4e5f6071", "2.1"),
        ({"agent_version": "a3"}, "0a1b2c3d4e5f6071", "a3"),
        ({}, "0a1b2c3d4e5f6071", "0a1b2c3d4e5f"),
        ({}, None, "traced-7"),
    ],
)
def test_the_version_is_the_suites_else_the_commit_else_what_traces_say(
    named: dict[str, str], sha: str | None, version: str
) -> None:
    run = make_run()
    changed = {
        "release_names": run.release_names.model_copy(update=named),
        "provenance": run.provenance.model_copy(update={"git_sha": sha}),
        "release_report": run.release_report.model_copy(update={"service_version": "traced-7"}),
    }
    assert history_line(run.model_copy(update=changed)).version == version


@pytest.mark.parametrize("told", [{"pull_request": 7}, {"fork": True}])
def test_a_pull_requests_run_enters_no_history_even_as_a_baseline(told: dict[str, object]) -> None:
    origin = Origin.model_validate(
        {
            "repository": "a/b",
            "server_url": "https://github.test",
            "event": "pull_request",
            "workflow_run_id": 1,
            "head_sha": "0" * 40,
            **told,
        }
    )
    before = (line(0), line(1))
    assert carried(before, make_run(origin=origin)) == before


def test_two_histories_fold_into_one_in_whatever_order_and_keep_the_last_runs() -> None:
    runs = [line(number) for number in range(230)]
    one, other = runs[:200], [*runs[150:180], *runs[190:]]
    assert folded([*one, *other]) == folded([*other, *one]) == tuple(runs[30:])
    assert len(folded(runs)) == HISTORY_AT_MOST == 200
    assert folded([*runs[:3], *runs[:3]]) == tuple(runs[:3])


def test_a_cancelled_run_or_one_of_single_cases_has_no_trend() -> None:
    for update in ({"cancelled": True}, {"case_filter": ("one",)}):
        assert trend_of((line(0),), make_run(**update)) == Trend()


def test_levels_move_where_exact_intervals_do_not_touch() -> None:
    # 72 % to 91 % over ten versions (43 to 55 of 60): the halves have 226/300 and 262/300, that is [70.0, 80.1] and
    # [83.0, 90.9] by scipy.stats.binomtest(...).proportion_ci(method="exact").
    assert levels([43, 44, 45, 46, 48, 50, 52, 52, 53, 55]) == ["passed 226/300 262/300"]
    # One bad run of three is no level: 55/60 is [81.6, 97.2], 97/120 is [72.6, 87.5].
    assert levels([55, 54, 43]) == []
    # Two runs are a comparison, whatever they are.
    assert levels([60, 0]) == []
    assert levels([60, 0, 0]) == ["passed 60/60 0/120"]


def test_runs_of_other_cases_or_rules_are_left_out() -> None:
    lines = [line(n, passed=20) for n in range(5)] + [line(n, passed=60) for n in range(5, 10)]
    assert [move.level for move in moved_levels(lines)] == ["passed"]
    other = [each.model_copy(update={"measured_by": "other cases"}) for each in lines[:5]]
    assert list(moved_levels([*other, *lines[5:]])) == []


def test_an_unchanged_app_shows_the_line_in_less_than_one_run_of_a_hundred() -> None:
    """By chance alone: every case passes with its own chance, drawn anew at every run; 20 branches of 60 runs."""
    shown = asked = 0
    for branch in range(20):
        draw = Random(f"branch {branch}")
        chances = [draw.choice((0.5, 0.8, 0.95, 1.0)) for _case in range(40)]
        runs = [line(n, passed=sum(draw.random() < c for c in chances), cases=40) for n in range(60)]
        for number in range(3, 61):
            asked += 1
            shown += bool(list(moved_levels(runs[:number])))
    assert asked == 1160
    assert shown <= asked / 100


def test_the_drawing_says_first_and_last_and_its_figure_stands_beside_the_run_before() -> None:
    ten = [line(n, score=score) for n, score in enumerate((0.72, 0.74, 0.75, 0.78, 0.8, 0.83, 0.85, 0.88, 0.9, 0.91))]
    score = next(each for each in figures(Trend(lines=tuple(ten))) if each.name == "Score")
    assert (score.first, score.last, score.span, score.words) == ("0.72", "0.91", "10 versions", "0.90 → 0.91")
    text = render_history(Trend(lines=tuple(ten)))
    assert "- Score 0.72 -> 0.91 over 10 versions\n" in text
    # What no run reports has no column; the latest run stands first.
    table = [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.splitlines() if row.startswith("|")]
    assert table[0] == ["Date", "Version", "Decision", "Passed", "Score", "Hallucinations", "Verified"]
    assert table[2] == ["2026-06-01 09:00", "`v9`", "release", "50/60 · 83.3 %", "0.91", "0.0 %", "50/50"]


def test_a_run_that_was_not_measured_is_a_gap() -> None:
    runs = [line(n, score=score) for n, score in enumerate((0.5, 0.6, None, 0.75, 0.9))]
    score = next(each for each in figures(Trend(lines=tuple(runs))) if each.name == "Score")
    assert len(score.lines) == 2
    # Scores from 0.5 to 0.9 in 24 of 32 units between margins of 4, upwards.
    assert score.end == ("116.0", "4.0")
