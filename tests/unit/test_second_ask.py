"""Cases in doubt: who is asked again, how often, what their answers come to, and what is left of a run that stops."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from raggate_action.core.comparison.confirmation_asks import Confirmation, most_asked_again
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.errors import TargetError
from raggate_action.run.ask_and_judge import evaluate
from raggate_action.run.judging_steps import Evaluation, VerdictSource
from raggate_action.run.second_ask import DoubtfulCases
from raggate_action.run_store import WorkFile
from raggate_action.run_store.case_lines import row_line, stored_trace_line
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.run import Policy
from raggate_action.schema.trace import Answered, Reply, TargetFailure, TraceLine
from raggate_action.schema.verdicts import CheckIssues, Verdicts
from tests.builders import make_chunk, make_rules, make_store, make_trace
from tests.row_builders import TODAY, index, make_policy, make_row, suspicious, waiver
from tests.unit.test_ask_and_judge import CONTEXT, HEAVY, place, taken

GOOD, EMPTY = "Tea is hot.", ""
DOWN = TargetFailure("503 Service Unavailable", 7)
STORE = make_store(
    make_chunk("c1", "Tea is hot all day."),
    make_chunk("note", "The vault opens with ZX-4471-QQ after midnight.", permitted=False),
)
LEAK = "The vault opens with ZX-4471-QQ after midnight."


class App:
    """Gives each case the next of its replies, and the last one from then on; what has none is answered well."""

    def __init__(self, script: dict[str, list[str | Reply]], *, gone_after: int | None = None) -> None:
        self.asked: list[str] = []
        self.rounds = 0
        self._script = script
        self._gone_after = gone_after

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        self.rounds += 1
        for placed in cases:
            if len(self.asked) == self._gone_after:
                raise TargetError("the app is gone", hint="Start it.")
            case_id = placed.case.case_id
            script = self._script.get(case_id, [GOOD])
            given = script[min(self.asked.count(case_id), len(script) - 1)]
            self.asked.append(case_id)
            await asyncio.sleep(0)
            if isinstance(given, str):
                given = Answered(make_trace(case_id=case_id, answer=given, context=CONTEXT), 5)
            yield placed, given


class Nobody(VerdictSource):
    """Nobody is asked about an answer."""

    def asks(self, drafted: Drafted) -> bool:
        return drafted.case.custom_check is not None

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
        await asyncio.sleep(0)
        issues = ("too short",) if len(drafted.answered.trace.reply.text) < 5 else ()
        return rule_verdicts(drafted, CheckIssues(issues=issues))


class Run:
    """A run over these cases, or a part of one; `rows` holds what is finished."""

    def __init__(
        self,
        app: App,
        *cases: str | dict[str, Any],
        policy: Policy | None = None,
        base: list[CaseRun] | None = None,
        waiting: WorkFile | None = None,
        times: int = 2,
        most: int = 20,
        deadline_s: float | None = None,
        finished: Iterable[CaseRun] = (),
        store: EvidenceStore | None = STORE,
    ) -> None:
        self.app = app
        self.placed = place(*({"case_id": case} if isinstance(case, str) else case for case in cases))
        self.waiting = waiting if waiting is not None else WorkFile()
        self.done: list[Evaluated] = []
        self.lines: list[str] = []
        policy = policy or Policy()
        baseline = index(base, policy) if base is not None else None
        confirmation = Confirmation(policy, decided_on=TODAY, baseline=baseline)
        doubtful = DoubtfulCases(confirmation, times=times, most=most, tell=self.lines.append)
        for row in finished:
            doubtful.finished(row)
        rules = make_rules(store)._replace(gates=policy.gates, slices_by=policy.slices.by)
        self.evaluation = Evaluation(
            target=app,
            rules=rules,
            verdicts=Nobody(),
            now=lambda: "now",
            cases_at=lambda positions: (self.placed[position] for position in positions),
            waiting=self.waiting,
            lanes=2,
            deadline_s=deadline_s,
            doubtful=doubtful,
        )

    def go(self, take: Callable[[Evaluated], None] | None = None) -> Run:
        begun = {each.row.position for each in self.done}.union(self.waiting.positions())
        left = [each for each in self.placed if each.position not in begun]
        asyncio.run(evaluate(left, self.evaluation, take or taken(self.waiting, self.done)))
        return self

    @property
    def rows(self) -> dict[str, CaseRun]:
        return {each.row.case_id: each.row for each in self.done}

    @property
    def states(self) -> dict[str, str]:
        return {case_id: row.state for case_id, row in self.rows.items()}


# What the answers come to


@pytest.mark.parametrize(
    ("answers", "state", "asked"),
    [
        pytest.param([GOOD], "passed", 1, id="in order at once"),
        pytest.param([EMPTY, GOOD], "flaky", 2, id="in order when asked again"),
        pytest.param([EMPTY, EMPTY, GOOD], "flaky", 3, id="in order the third time"),
        pytest.param([EMPTY, DOWN, EMPTY, GOOD], "failed", 3, id="never in order, and nobody asks a fourth time"),
        pytest.param([DOWN, GOOD], "flaky", 2, id="an error, and then an answer"),
    ],
)
def test_a_case_fails_only_if_every_answer_does(answers: list[str | Reply], state: str, asked: int) -> None:
    run = Run(App({"a": answers}), "a", "b").go()
    assert run.states == {"a": state, "b": "passed"}
    assert Counter(run.app.asked) == {"a": asked, "b": 1}
    assert len(run.rows["a"].asks) == asked - 1
    assert not run.rows["a"].unconfirmed


def test_the_first_answer_in_order_stands_for_a_flaky_case_and_the_others_beside_it() -> None:
    done = next(each for each in Run(App({"a": [DOWN, EMPTY, GOOD]}), "a", "b").go().done if each.row.case_id == "a")
    assert (done.row.answer, done.row.first_failed_stage) == (GOOD, None)
    assert [(ask.error, ask.answer, ask.first_failed_stage) for ask in done.row.asks] == [
        ("503 Service Unavailable", None, "target"),
        (None, EMPTY, "answer completeness"),
    ]
    row = CaseRun.model_validate_json(row_line(done.row, withheld=False))
    assert row == done.row
    assert done.trace is not None
    line = stored_trace_line(done.row, done.trace, texts="quotes", withheld=False, others=done.others)
    stored = TraceLine.model_validate_json(line)
    assert stored.trace.reply.text == GOOD
    assert [(other.error, other.reply.text, other.latency_ms) for other in stored.asks] == [
        ("503 Service Unavailable", "", 7), (None, EMPTY, 5),
    ]  # fmt: skip
    assert [other.ids("context") for other in stored.asks] == [None, ("c1",)]
    assert b"Tea is hot all day" not in line, "chunk texts are kept by `texts: full` alone"


def test_of_a_case_that_always_fails_the_first_answer_counts() -> None:
    row = Run(App({"a": [EMPTY, DOWN, DOWN]}), "a", "b").go().rows["a"]
    assert (row.answer, row.first_failed_stage, len(row.asks)) == (EMPTY, "answer completeness", 2)


def test_a_failing_check_is_asked_about_again_as_well() -> None:
    run = Run(App({"a": ["No.", GOOD]}), {"case_id": "a", "custom_check": "m:f"}, "b").go()
    assert run.states == {"a": "flaky", "b": "passed"}
    assert run.rows["a"].asks[0].issues == ("too short",)


# What no second answer excuses


@pytest.mark.parametrize(
    ("case", "answers", "policy"),
    [
        pytest.param({"must_not_contain": ["free"]}, ["Tea is free.", GOOD], {}, id="a forbidden phrase"),
        pytest.param({}, [Answered(make_trace(answer=GOOD, context=[]), 5), GOOD], {}, id="an inadmissible trace"),
        pytest.param(
            {"forbidden_tools": ["rm"], "expected_tools": []},
            [Answered(make_trace(answer=GOOD, context=CONTEXT, tool_calls=["rm"]), 5), GOOD],
            {},
            id="a forbidden tool",
        ),
        pytest.param(
            {"expect": "abstain"}, ["Tea is cold.", "I don't know."], {}, id="an answer where none was possible"
        ),
        pytest.param(
            {"category": "allergen"},
            [EMPTY, GOOD],
            {"slices": {"by": ["category"], "protected": {"category": ["allergen"]}}},
            id="any failure in a protected slice",
        ),
    ],
)
def test_some_faults_count_if_one_answer_shows_them(
    case: dict[str, Any], answers: list[str | Reply], policy: dict[str, Any]
) -> None:
    run = Run(App({"a": answers}), {"case_id": "a", **case}, "b", policy=make_policy(**policy)).go()
    assert run.states["a"] == "failed"
    assert Counter(run.app.asked) == {"a": 1, "b": 1}, "nobody is asked for an excuse"


def test_they_count_in_a_further_answer_too_and_that_answer_stands() -> None:
    run = Run(App({"a": [EMPTY, "Tea is free.", GOOD]}), {"case_id": "a", "must_not_contain": ["free"]}, "b").go()
    row = run.rows["a"]
    assert (row.state, row.flagged, row.answer) == ("failed", True, "Tea is free.")
    assert [ask.answer for ask in row.asks] == [EMPTY]


# Against a baseline


def stored(app: App) -> list[CaseRun]:
    """The rows of a baseline run of the cases a and b."""
    return list(Run(app, "a", "b", times=0, most=0).go().rows.values())


def test_what_failed_on_the_baseline_is_not_asked_again_and_what_passed_or_was_flaky_is() -> None:
    failing, passing = stored(App({"a": [EMPTY]})), stored(App({}))
    flaky = list(Run(App({"a": [EMPTY, GOOD]}), "a", "b").go().rows.values())
    assert {row.case_id: row.state for row in flaky} == {"a": "flaky", "b": "passed"}
    asked = {
        name: Run(App({"a": [EMPTY]}), "a", "b", base=base).go().app.asked.count("a")
        for name, base in (("failing", failing), ("passing", passing), ("flaky", flaky))
    }
    assert asked == {"failing": 1, "passing": 3, "flaky": 3}


def test_an_error_of_a_case_that_failed_before_is_confirmed_for_it_was_answered_then() -> None:
    base = stored(App({"a": ["Milk is cold."]}))
    base = [row.model_copy(update={"state": "failed"}) if row.case_id == "a" else row for row in base]
    run = Run(App({"a": [DOWN, "Milk is cold."]}), "a", "b", base=base).go()
    assert run.app.asked.count("a") == 2
    assert run.rows["a"].answer == "Milk is cold."


def test_a_new_suspect_is_asked_about_and_one_the_baseline_had_is_not() -> None:
    confirmation = Confirmation(Policy(), decided_on=TODAY, baseline=index([make_row(0), suspicious(1, "conflict")]))
    assert confirmation.is_doubtful(suspicious(0, "conflict"))
    assert not confirmation.is_doubtful(suspicious(1, "conflict"))
    assert not Confirmation(Policy(), decided_on=TODAY, baseline=None).is_doubtful(suspicious(0, "conflict"))


LOANS = make_store(make_chunk("c1", "Books may be borrowed for 28 days at no cost. The deposit is 12 euros."))


def loan(answer: str) -> Reply:
    return Answered(make_trace(case_id="a", answer=answer, context=["c1"]), 5)


@pytest.mark.parametrize(
    ("again", "is_excused"),
    [
        ("Books may be borrowed for 28 days at no cost.", True),
        ("As long as you like.", True),
        # No rule finds anything in these.
        ("If I remember rightly, 35 days.", False),
        ("Is it thirty-five days? Yes.", False),
    ],
)
def test_an_ask_excuses_a_finding_only_without_the_refuted_value(again: str, is_excused: bool) -> None:  # noqa: FBT001
    base = list(Run(App({"a": [loan("As long as you like.")]}), "a", store=LOANS, most=0).go().rows.values())
    wrong = "You may keep a book for 35 days."
    row = Run(App({"a": [loan(wrong), loan(again)]}), "a", base=base, store=LOANS).go().rows["a"]
    assert row.answer == (again if is_excused else wrong)
    assert [ask.answer for ask in row.asks] == ([wrong] if is_excused else [again, again])
    assert not any(claim.findings for ask in row.asks if ask.answer == again for claim in ask.claims)


def test_a_waived_failure_is_asked_about_nobody() -> None:
    policy = make_policy(waivers=[waiver("a", "behaviour")])
    run = Run(App({}), {"case_id": "a", "must_contain": ["milk"]}, "b", policy=policy).go()
    assert run.app.asked == ["a", "b"]


# How many


def test_at_most_twenty_cases_or_a_tenth_of_the_suite_are_asked_again() -> None:
    assert [most_asked_again(cases) for cases in (5, 199, 200, 210, 1000)] == [20, 20, 20, 21, 100]


def test_the_worst_are_asked_again_and_of_the_others_the_first_answer_counts() -> None:
    light = {"case_id": "light", "must_contain": ["milk"]}
    heavy = {"case_id": "heavy", "must_contain": ["milk"], "weight": 5}
    down = {"case_id": "down"}
    run = Run(App({"down": [DOWN, GOOD]}), light, heavy, down, "b", most=2).go()
    assert run.states == {"light": "failed", "heavy": "failed", "down": "flaky", "b": "passed"}
    assert {name: row.unconfirmed for name, row in run.rows.items()} == {
        "light": True, "heavy": False, "down": False, "b": False,
    }  # fmt: skip
    assert run.lines == ["asking 2 cases again, 1 of at most 2 times", "asking 1 case again, 2 of at most 2 times"]


def test_a_passing_case_has_its_row_at_once_and_only_what_is_in_doubt_waits(tmp_path: Path) -> None:
    order: list[str] = []
    waiting = WorkFile.at(tmp_path)
    run = Run(App({"a": [EMPTY]}), "a", "b", "c", waiting=waiting)

    def take(done: Evaluated) -> None:
        order.append(done.row.case_id)
        if done.row.case_id == "c":
            assert run.app.rounds == 1, "nobody has been asked again yet"
            assert waiting.positions() == [0]

    run.go(take)
    assert order == ["b", "c", "a"]
    waiting.close()


def test_an_app_that_answers_nothing_is_not_asked_again() -> None:
    run = Run(App({"a": [DOWN], "b": [DOWN]}), "a", "b").go()
    assert run.app.asked == ["a", "b"]
    assert run.states == {"a": "failed", "b": "failed"}


def test_a_trace_in_the_suite_is_not_asked_about() -> None:
    inline = {"case_id": "a", "trace": {"answer": "", "context": CONTEXT}}
    run = Run(App({}), inline, "b").go()
    assert run.states == {"a": "failed", "b": "passed"}
    assert run.app.rounds == 1


# What may end it


def test_when_the_app_is_gone_the_first_answers_count() -> None:
    run = Run(App({"a": [EMPTY], "b": [EMPTY]}, gone_after=4), "a", "b", "c").go()
    assert run.states == {"a": "failed", "b": "failed", "c": "passed"}
    assert [len(run.rows[name].asks) for name in ("a", "b")] == [1, 0]
    assert all(run.rows[name].unconfirmed for name in ("a", "b"))


def test_when_the_time_is_over_the_first_answers_count() -> None:
    class Hanging(App):
        async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
            if self.rounds:
                await asyncio.sleep(30)
            async for each in super().replies(cases):
                yield each

    run = Run(Hanging({"a": [EMPTY]}), "a", "b", deadline_s=0.2).go()
    assert run.states == {"a": "failed", "b": "passed"}
    assert run.rows["a"].unconfirmed


# An alarm that rings inside a callback of the cycle collector (hypothesis has one) is lost there, with a warning.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_further_answer_that_takes_too_long_to_judge_settles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("raggate_action.run.judging_steps._CASE_S", 0.3)
    heavy = Answered(make_trace(**{**HEAVY, "case_id": None}), 5)
    run = Run(App({"a": [EMPTY, heavy, GOOD], "b": [EMPTY, heavy, EMPTY]}), "a", "b", "c", store=None).go()
    assert run.states == {"a": "flaky", "b": "failed", "c": "passed"}
    assert [len(run.rows[name].asks) for name in ("a", "b")] == [2, 2]
    assert not run.rows["b"].unconfirmed


def test_what_its_asker_may_not_read_is_never_written_down(tmp_path: Path) -> None:
    leak = Answered(make_trace(answer=LEAK, context=["c1"]), 5)
    echo = TargetFailure(f"500: {LEAK}", 5, f"<p>{LEAK}</p>")
    written: list[bytes] = []
    waiting = WorkFile.at(tmp_path)
    run = Run(App({"a": [leak], "b": [echo, leak], "c": [EMPTY, EMPTY]}), "a", "b", "c", "d", waiting=waiting)

    def take(done: Evaluated) -> None:
        written.extend(path.read_bytes() for path in tmp_path.iterdir())
        run.done.append(done)

    run.go(take)
    waiting.close()
    assert run.states == {"a": "failed", "b": "failed", "c": "failed", "d": "passed"}
    assert any(b"CREATE TABLE answers" in each for each in written)
    assert b"ZX-4471" not in b"".join(written)
    assert run.rows["b"].first_failed_stage == "admissibility"
    assert "ZX-4471" not in "".join(row_line(done.row, withheld=done.withheld).decode() for done in run.done)


@pytest.mark.parametrize("after", range(1, 9))
def test_a_run_that_stops_anywhere_asks_nothing_that_was_answered_again(tmp_path: Path, after: int) -> None:
    script: dict[str, list[str | Reply]] = {"a": [EMPTY, EMPTY, GOOD], "b": [DOWN, GOOD], "c": [EMPTY], "d": [GOOD]}

    class Stopping(App):
        async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
            async for each in super().replies(cases):
                if len(self.asked) > after:
                    self.asked.pop()
                    raise asyncio.CancelledError
                yield each

    app = Stopping(script)
    first = Run(app, *script, waiting=WorkFile.at(tmp_path))
    with pytest.raises(asyncio.CancelledError):
        first.go()
    first.waiting.close()

    waiting = WorkFile.at(tmp_path)
    later = App(script)
    later.asked = app.asked
    second = Run(later, *script, waiting=waiting, finished=[each.row for each in first.done])
    second.done = first.done
    second.go()
    waiting.close()
    assert second.states == {"a": "flaky", "b": "flaky", "c": "failed", "d": "passed"}
    assert Counter(later.asked) == {"a": 3, "b": 2, "c": 3, "d": 1}
    assert {name: len(row.asks) for name, row in second.rows.items()} == {"a": 2, "b": 1, "c": 2, "d": 0}
