"""The evaluator: every case once, inline traces without the target, deadlines, an app that cannot be asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from threading import Thread
from typing import Any

import pytest

from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.errors import TargetError
from raggate_action.run.ask_and_judge import evaluate
from raggate_action.run.judging_steps import Evaluation, VerdictSource
from raggate_action.run_store import WorkFile
from raggate_action.run_store.case_lines import row_line
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.trace import Answered, Reply
from raggate_action.schema.verdicts import CheckIssues, Verdicts
from tests.builders import make_case, make_rules, make_trace

# An alarm that rings inside a callback of the cycle collector (hypothesis has one) is lost there, with a warning; the
# next one counts.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

CONTEXT = [{"chunk_id": "c1", "text": "Tea is hot all day."}]


class AppTwin:
    """A target in this process: answers at once, or after `wait_s` for the case ids in `slow`."""

    def __init__(self, *, slow: frozenset[str] = frozenset(), broken: bool = False) -> None:
        self.asked: list[str] = []
        self.closed = False
        self._slow = slow
        self._broken = broken

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        try:
            for placed in cases:
                if self._broken:
                    raise TargetError("nobody answers at port 1", hint="Start the app.")
                self.asked.append(placed.case.case_id)
                if placed.case.case_id in self._slow:
                    await asyncio.sleep(30)
                trace = make_trace(case_id=placed.case.case_id, answer="Tea is hot.", context=CONTEXT)
                yield placed, Answered(trace=trace, latency_ms=5)
        finally:
            self.closed = True


class Checks(VerdictSource):
    """A verdict source whose checks find one issue, after `wait_s`; asked for cases that name a check."""

    def __init__(self, *, wait_s: float = 0) -> None:
        self.asked: list[str] = []
        self.at_once = 0
        self.most_at_once = 0
        self._wait_s = wait_s

    def asks(self, drafted: Drafted) -> bool:
        return drafted.case.custom_check is not None

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
        self.asked.append(drafted.case.case_id)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self._wait_s)
        finally:
            self.at_once -= 1
        return rule_verdicts(drafted, CheckIssues(issues=("always one",)))


def place(*cases: dict[str, Any]) -> list[PlacedCase]:
    return [PlacedCase(c, n, case_digest(c), "f", n + 1) for n, c in enumerate(make_case(**case) for case in cases)]


def taken(work: WorkFile, done: list[Evaluated]) -> Callable[[Evaluated], None]:
    """Keeps each row in a work file, as a run does."""

    def take(each: Evaluated) -> None:
        work.add_case(each.row.position, row_line(each.row, withheld=each.withheld), None)
        work.commit()
        done.append(each)

    return take


def run(
    target: AppTwin,
    *cases: dict[str, Any],
    deadline_s: float | None = None,
    checks: Checks | None = None,
    lanes: int = 1,
) -> list[Evaluated]:
    placed = place(*cases)
    waiting = WorkFile()
    evaluation = Evaluation(
        target=target,
        rules=make_rules(),
        verdicts=checks or Checks(),
        now=lambda: "now",
        cases_at=lambda positions: (placed[position] for position in positions),
        waiting=waiting,
        lanes=lanes,
        deadline_s=deadline_s,
    )
    done: list[Evaluated] = []
    asyncio.run(evaluate(placed, evaluation, taken(waiting, done)))
    assert not waiting.positions(), "nothing is left behind"
    waiting.close()
    return done


def test_every_case_is_asked_once_and_measured_by_us_when_the_app_is_silent() -> None:
    target = AppTwin()
    rows = [e.row for e in run(target, {"case_id": "a"}, {"case_id": "b"})]
    assert [(row.case_id, row.state, row.latency_ms) for row in rows] == [("a", "passed", 5), ("b", "passed", 5)]
    assert target.asked == ["a", "b"]


def test_a_case_with_an_inline_trace_never_reaches_the_app() -> None:
    inline = {"case_id": "a", "trace": {"answer": "Tea is hot.", "context": CONTEXT}}
    target = AppTwin()
    rows = [e.row for e in run(target, inline, {"case_id": "b"}, {**inline, "case_id": "c"})]
    assert {row.case_id for row in rows} == {"a", "b", "c"}
    assert target.asked == ["b"]
    assert {row.case_id: row.outcomes["target"].kind for row in rows} == {
        "a": "not_applicable", "b": "passed", "c": "not_applicable",
    }  # fmt: skip


def test_what_is_left_at_the_deadline_is_unmeasured_and_the_target_is_let_go() -> None:
    target = AppTwin(slow=frozenset({"b"}))
    cases = [{"case_id": name} for name in ("a", "b", "c")]
    rows = {e.row.case_id: e.row for e in run(target, *cases, deadline_s=0.2)}
    assert {name: row.state for name, row in rows.items()} == {"a": "passed", "b": "unmeasured", "c": "unmeasured"}
    outcome = rows["b"].outcomes["target"]
    assert (outcome.kind, getattr(outcome, "reason", None)) == ("unmeasured", "cut")
    assert target.closed


def test_an_app_that_cannot_be_asked_fails_every_case_with_its_one_message() -> None:
    rows = [e.row for e in run(AppTwin(broken=True), {"case_id": "a"}, {"case_id": "b"})]
    assert [(row.case_id, row.first_failed_stage, row.score) for row in rows] == [
        ("a", "target", 0.0),
        ("b", "target", 0.0),
    ]
    assert {row.error for row in rows} == {"nobody answers at port 1. Start the app."}


def test_custom_checks_are_asked_only_where_a_case_names_one() -> None:
    rows = [e.row for e in run(AppTwin(), {"case_id": "a"}, {"case_id": "b", "custom_check": "m:f"})]
    assert [row.issues for row in rows] == [(), ("always one",)]


def test_a_check_that_hangs_at_the_deadline_leaves_its_case_and_the_rest_unmeasured() -> None:
    inline = {"trace": {"answer": "Tea is hot.", "context": CONTEXT}}
    cases: list[dict[str, Any]] = [
        {"case_id": "a"},
        {"case_id": "b", "custom_check": "m:f"},
        {"case_id": "c"},
        {"case_id": "d", "custom_check": "m:f", **inline},
        {"case_id": "e", **inline},
    ]
    target, checks = AppTwin(), Checks(wait_s=30)
    rows = {e.row.case_id: e.row for e in run(target, *cases, deadline_s=0.2, checks=checks)}
    assert {name: row.state for name, row in rows.items()} == {
        "a": "passed", "b": "unmeasured", "c": "passed", "d": "unmeasured", "e": "passed",
    }  # fmt: skip
    for name in "bd":
        outcome = rows[name].outcomes["target"]
        assert (getattr(outcome, "reason", None), getattr(outcome, "detail", None)) == (
            "cut",
            "the deadline of 0.2 s had passed",
        )
    assert checks.asked == ["b"], "none is begun after the deadline"
    assert target.asked == ["a", "b", "c"], "the app is asked on while a check is waited for"
    assert target.closed


def test_a_check_that_ends_before_the_deadline_counts() -> None:
    rows = [e.row for e in run(AppTwin(), {"case_id": "b", "custom_check": "m:f"}, deadline_s=30)]
    assert [row.issues for row in rows] == [("always one",)]


# Sixty claims, none of them a quotation, each held against four thousand sentences: seconds, not milliseconds.
HEAVY: dict[str, Any] = {
    "answer": " ".join(f"Tea number {n} of London costs {n + 7} euros." for n in range(60)),
    "context": [
        {"chunk_id": f"c{c}", "text": " ".join(f"Tea number {n} of Paris costs {n * c} euros." for n in range(150))}
        for c in range(30)
    ],
}


def test_an_answer_that_takes_too_long_to_judge_is_cut_and_never_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("raggate_action.run.judging_steps._CASE_S", 0.25)
    cases: list[dict[str, Any]] = [{"case_id": "a"}, {"case_id": "b", "trace": HEAVY}, {"case_id": "c"}]
    rows = {e.row.case_id: e.row for e in run(AppTwin(), *cases)}
    assert {name: row.state for name, row in rows.items()} == {"a": "passed", "b": "unmeasured", "c": "passed"}
    outcome = rows["b"].outcomes["target"]
    assert (getattr(outcome, "reason", None), getattr(outcome, "detail", None)) == (
        "cut",
        "judging its answer took longer than 0.25 s",
    )


def test_the_deadline_interrupts_judging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("raggate_action.run.judging_steps._AFTER_DEADLINE_S", 0.1)
    cases: list[dict[str, Any]] = [{"case_id": "a"}, {"case_id": "b", "trace": HEAVY}]
    rows = {e.row.case_id: e.row for e in run(AppTwin(), *cases, deadline_s=0.15)}
    outcome = rows["b"].outcomes["target"]
    assert (getattr(outcome, "reason", None), getattr(outcome, "detail", None)) == (
        "cut",
        "the deadline of 0.15 s had passed",
    )


def test_outside_the_main_thread_judging_is_interrupted_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("raggate_action.run.judging_steps._CASE_S", 0.25)
    found: list[Evaluated] = []
    thread = Thread(target=lambda: found.extend(run(AppTwin(), {"case_id": "b", "trace": HEAVY}, {"case_id": "c"})))
    thread.start()
    thread.join(60)
    assert {e.row.case_id: e.row.state for e in found} == {"b": "unmeasured", "c": "passed"}


def test_without_a_limit_in_its_way_the_same_answer_is_judged() -> None:
    (row,) = [e.row for e in run(AppTwin(), {"case_id": "b", "trace": HEAVY})]
    assert row.outcomes["target"].kind == "not_applicable"
    assert len(row.claims) == 60
