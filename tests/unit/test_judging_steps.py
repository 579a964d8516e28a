"""The three steps of judging: lanes, what waits, and what may end a run in each of them."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, Iterable
from pathlib import Path
from typing import Any

import pytest

from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.errors import RunStoreError, TargetError
from raggate_action.run.ask_and_judge import evaluate
from raggate_action.run.judging_steps import Evaluation, VerdictSource
from raggate_action.run_store import WorkFile
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure
from raggate_action.schema.verdicts import CheckIssues, Verdicts
from tests.builders import make_rules, make_trace
from tests.unit.test_ask_and_judge import CONTEXT, place, taken


class App:
    """Answers at once what `answers` has for a case, else something true; fails every case from the `down`th on."""

    def __init__(self, *, down: int | None = None, answers: dict[str, Reply] | None = None) -> None:
        self.asked: list[str] = []
        self._down = down
        self._answers = answers or {}

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        for placed in cases:
            if len(self.asked) == self._down:
                raise TargetError("the app is gone", hint="Start it.")
            case_id = placed.case.case_id
            self.asked.append(case_id)
            given = make_trace(case_id=case_id, answer="Tea is hot.", context=CONTEXT)
            yield placed, self._answers.get(case_id) or Answered(given, 5)
            await asyncio.sleep(0)


class Judge(VerdictSource):
    """Asked about every answer but free ones; waits `wait_s`, until `opens`, or until `together` wait at once."""

    def __init__(self, *, wait_s: float = 0.0, opens: asyncio.Event | None = None, together: int = 0) -> None:
        self.asked: list[str] = []
        self.done: list[str] = []
        self.at_once = self.most_at_once = self.most_drafts = 0
        self._wait_s = wait_s
        self._opens = opens
        self._together = asyncio.Event() if together else None
        self._how_many = together
        self._looks_left = 5

    def asks(self, drafted: Drafted) -> bool:
        return drafted.case.custom_check is not None

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
        self.asked.append(drafted.case.case_id)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        opens = self._opens or self._together
        if self._together is not None and self.at_once == self._how_many:
            if self._looks_left:  # each look walks every object there is
                self._looks_left -= 1
                gc.collect()  # what tracebacks of other tests still hold is none of ours
                found = sum(isinstance(each, Drafted) for each in gc.get_objects())
                self.most_drafts = max(self.most_drafts, found)
            # Whoever comes now is one too many.
            asyncio.get_running_loop().call_later(0.2, self._together.set)
        try:
            await (opens.wait() if opens is not None else asyncio.sleep(self._wait_s))
        finally:
            self.at_once -= 1
        self.done.append(drafted.case.case_id)
        return rule_verdicts(drafted, CheckIssues(issues=(f"judged {drafted.case.case_id}",)))


def made(
    app: App,
    judge: Judge,
    placed: list[PlacedCase],
    waiting: WorkFile,
    *,
    lanes: int = 2,
    deadline_s: float | None = None,
    store: EvidenceStore | None = None,
) -> Evaluation:
    return Evaluation(
        target=app,
        rules=make_rules(store),
        verdicts=judge,
        now=lambda: "now",
        cases_at=lambda positions: (placed[position] for position in positions),
        waiting=waiting,
        lanes=lanes,
        deadline_s=deadline_s,
    )


def run(app: App, judge: Judge, ids: Iterable[str], **more: Any) -> dict[str, Evaluated]:
    placed = cases(ids)
    waiting: WorkFile = more.pop("waiting", WorkFile())
    done: list[Evaluated] = []
    asyncio.run(evaluate(placed, made(app, judge, placed, waiting, **more), taken(waiting, done)))
    assert not waiting.positions()
    waiting.close()
    assert len(done) == len(placed)
    return {each.row.case_id: each for each in done}


def cases(ids: Iterable[str]) -> list[PlacedCase]:
    """Each names a check, but for those that are free of one."""
    return place(*({"case_id": name} | ({} if name.startswith("free") else {"custom_check": "m:f"}) for name in ids))


def many(number: int) -> list[str]:
    return [f"case-{n}" for n in range(number)]


# Lanes


@pytest.mark.parametrize("lanes", [1, 7, 32])
def test_as_many_verdicts_are_awaited_at_once_as_there_are_lanes_and_no_more_drafts_are_kept(lanes: int) -> None:
    judge = Judge(together=lanes)
    done = run(App(), judge, many(100), lanes=lanes)
    assert judge.most_at_once == lanes
    assert sorted(judge.asked) == sorted(many(100)), "each is asked about once"
    # On a lane, and one being drafted.
    assert judge.most_drafts <= lanes + 1
    assert {row.row.issues for row in done.values()} == {(f"judged {name}",) for name in many(100)}


def test_what_nobody_is_asked_about_waits_for_nothing() -> None:
    order: list[str] = []

    async def both() -> None:
        opens = asyncio.Event()
        placed = cases(["case-0", "free-1", "free-2"])
        waiting = WorkFile()

        def take(done: Evaluated) -> None:
            order.append(done.row.case_id)
            if done.row.case_id == "free-2":
                opens.set()

        await evaluate(placed, made(App(), Judge(opens=opens), placed, waiting), take)
        waiting.close()

    asyncio.run(both())
    assert order == ["free-1", "free-2", "case-0"]


def test_a_fault_of_a_source_ends_the_run_as_itself(tmp_path: Path) -> None:
    class Full(Judge):
        async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
            await super().of(drafted)
            raise RunStoreError("the disk is full", hint="Free some space.")

    with pytest.raises(RunStoreError, match="the disk is full"):
        run(App(), Full(), many(5), waiting=WorkFile.at(tmp_path))


# Deadline


def test_a_verdict_that_has_come_counts_after_the_deadline() -> None:
    class Slow(Judge):
        async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
            self._wait_s = 30 if drafted.case.case_id != "case-0" else 0
            return await super().of(drafted)

    done = run(App(), Slow(), many(3), deadline_s=0.3, lanes=1)
    assert [done[name].row.state for name in many(3)] == ["failed", "unmeasured", "unmeasured"]
    assert done["case-0"].row.issues == ("judged case-0",)


# An app that cannot be asked


def test_when_the_app_goes_what_it_answered_is_judged_all_the_same() -> None:
    judge = Judge(wait_s=0.05)
    done = run(App(down=2), judge, many(4))
    assert sorted(judge.done) == ["case-0", "case-1"]
    assert [done[name].row.error for name in many(4)] == [None, None, *["the app is gone. Start it."] * 2]


# Stopped and resumed


def stop_in(step: str, tmp_path: Path, ids: list[str]) -> tuple[App, Judge, list[Evaluated]]:
    """Cancel a run in a step, as Ctrl-C does: verdicts on the first two where it gets so far."""
    app, done, tasks = App(), list[Evaluated](), list[asyncio.Future[None]]()
    placed = cases(ids)
    waiting = WorkFile.at(tmp_path)

    class Until(Judge):
        async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
            if len(self.done) == 2:
                self._wait_s = 30
            return await super().of(drafted)

    judge = Until()

    def take(each: Evaluated) -> None:
        if step == "gates":
            tasks[0].cancel()
            raise asyncio.CancelledError
        taken(waiting, done)(each)

    async def cancelled() -> None:
        task = asyncio.ensure_future(evaluate(placed, made(app, judge, placed, waiting, lanes=1), take))
        tasks.append(task)
        await asyncio.sleep(0.3)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(cancelled())
    waiting.close()
    return app, judge, done


@pytest.mark.parametrize(("step", "rows", "verdicts"), [("verdicts", 2, 2), ("gates", 0, 1)], ids=str)
def test_a_run_that_is_cancelled_in_a_step_asks_nobody_again(
    tmp_path: Path, step: str, rows: int, verdicts: int
) -> None:
    ids = many(5)
    app, judge, done = stop_in(step, tmp_path, ids)
    assert (len(done), len(judge.done)) == (rows, verdicts)
    waiting = WorkFile.at(tmp_path)
    begun = {each.row.position for each in done}.union(waiting.positions())
    left = [each for each in cases(ids) if each.position not in begun]
    later, again, rest = App(), Judge(), list[Evaluated]()
    asyncio.run(evaluate(left, made(later, again, cases(ids), waiting), taken(waiting, rest)))
    assert sorted([*app.asked, *later.asked]) == ids, "each ask once"
    assert sorted([*judge.done, *again.done]) == ids, "each verdict once"
    assert sorted(each.row.case_id for each in [*done, *rest]) == ids
    assert {each.row.issues for each in [*done, *rest]} == {(f"judged {name}",) for name in ids}
    assert not waiting.positions()
    waiting.remove(tmp_path)
    assert not [*tmp_path.iterdir()]


# What waits


def test_what_waits_comes_back_the_same(tmp_path: Path) -> None:
    trace = make_trace(
        answer={"text": "Tea.", "claims": [{"text": "Tea."}]}, tool_calls=[{"name": "f", "arguments": {"a": None}}]
    )
    trace = trace.model_copy(update={"stage_latency_ms": {"retrieve": float("inf")}})
    replies: list[Reply] = [Answered(trace, 5.5, labelled=True), TargetFailure("500", 3.0), NoTrace("trace", "none")]
    waiting = WorkFile.at(tmp_path)
    for position, reply in enumerate(replies):
        waiting.add_reply(position, reply)
    verdicts = Verdicts(claims=(), check=CheckIssues(error="it raised"))
    waiting.add_verdicts(1, verdicts)
    for kept in (waiting, WorkFile.at(tmp_path)):
        assert kept.positions() == [0, 1, 2]
        assert [kept.reply(position) for position in range(3)] == replies
        assert [kept.verdicts(position) for position in range(3)] == [None, verdicts, None]
        kept.close()
