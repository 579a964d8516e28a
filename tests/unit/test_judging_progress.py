"""What is said of judging while a run goes on."""

from __future__ import annotations

import io
from typing import Any

import pytest

from raggate_action.run.progress import Progress, TrialProgress, duration
from raggate_action.schema.judgement import Judgement


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(**fields: Any) -> Judgement:
    return Judgement(**{"id": "a", "judge": "ada", "fingerprint": "f", "prompt": "p", "key": "k", "calls": 1, "cost_usd": 0.05, **fields})  # fmt: skip


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("raggate_action.run.progress.time.monotonic", lambda: now[0])
    return now


def test_a_terminal_shows_calls_cost_and_the_time_left(clock: list[float]) -> None:
    stream = Terminal()
    shown = Progress(10, environment={}, stream=stream)
    shown.judged(said())
    clock[0] += 30
    shown.judged(said())
    shown.count(failed=False)
    clock[0] += 30
    shown.count(failed=True)
    assert stream.getvalue().rpartition("\r")[2].endswith("2/10 cases, 1 failed; judges: 2 calls, $0.10, 4 min left")


def test_a_log_hears_of_it_every_half_minute_and_no_oftener(clock: list[float]) -> None:
    stream = io.StringIO()
    shown = Progress(10, environment={"CI": "true"}, stream=stream)
    for _second in range(65):
        clock[0] += 1
        shown.judged(said(cost_usd=None))
    assert stream.getvalue().splitlines() == [
        "raggate: 0/10 cases, 0 failed; judges: 30 calls, $0.00 and more",
        "raggate: 0/10 cases, 0 failed; judges: 60 calls, $0.00 and more",
    ]


def test_what_was_said_before_costs_nothing_and_a_run_without_judges_speaks_of_none(clock: list[float]) -> None:
    stream = Terminal()
    shown = Progress(2, environment={}, stream=stream)
    clock[0] += 1
    shown.count(failed=False)
    assert stream.getvalue().endswith("1/2 cases, 0 failed")
    clock[0] += 1
    shown.judged(said(calls=0, cost_usd=0.0, reused=True))
    assert stream.getvalue().endswith("1/2 cases, 0 failed; judges: 0 calls, 1 s left")


def test_a_trial_counts_each_judgement_once_and_says_what_it_cost(clock: list[float]) -> None:
    stream = Terminal()
    shown = TrialProgress(6, environment={}, stream=stream)
    shown.judged(said(id="a", about="label"))
    clock[0] += 30
    shown.judged(said(id="a", about="label", judge="bob", cost_usd=None))
    assert stream.getvalue().rpartition("\r")[2].endswith("2/6 judgements; 2 calls, $0.05 and more, 60 s left")
    clock[0] += 30
    shown.judged(said(id="a", about="label", calls=0, cost_usd=0.0, reused=True))
    assert stream.getvalue().rpartition("\r")[2].endswith("2/6 judgements; 2 calls, $0.05 and more, 2 min left")
    shown.close()
    assert stream.getvalue().endswith("\r\x1b[K"), "a clean line is left behind"


def test_a_trial_of_which_all_was_said_before_speaks_of_no_cost(clock: list[float]) -> None:
    stream = Terminal()
    shown = TrialProgress(1, environment={}, stream=stream)
    clock[0] += 1
    shown.judged(said(calls=0, cost_usd=0.0, reused=True))
    assert stream.getvalue().endswith(" 1/1 judgements; 0 calls")


def test_a_trial_tells_a_log_every_half_minute_and_no_oftener(clock: list[float]) -> None:
    stream = io.StringIO()
    shown = TrialProgress(100, environment={"CI": "true"}, stream=stream)
    for second in range(65):
        clock[0] += 1
        shown.judged(said(id=f"label-{second}"))
    assert stream.getvalue().splitlines() == [
        "raggate: 30/100 judgements; 30 calls, $1.50, 68 s left",
        "raggate: 60/100 judgements; 60 calls, $3.00, 39 s left",
    ]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.2, "1 s"), (80, "80 s"), (100, "2 min"), (5000, "83 min"), (9000, "2 h")]
)
def test_a_duration_is_rounded_to_what_matters(seconds: float, text: str) -> None:
    assert duration(seconds) == text
