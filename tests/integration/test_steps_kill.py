"""Kill -9 in each step of judging: no finished ask and no finished verdict is repeated by the run that goes on."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable
from functools import partial
from pathlib import Path

import pytest

from raggate_action.core.comparison.confirmation_asks import Confirmation
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Drafted, rule_verdicts
from raggate_action.run.ask_and_judge import evaluate
from raggate_action.run.judging_steps import Evaluation, VerdictSource
from raggate_action.run.second_ask import DoubtfulCases
from raggate_action.run_store import RunDirectory, read_rows, read_run
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.run import Policy
from raggate_action.schema.trace import Answered, Reply
from raggate_action.schema.verdicts import CheckIssues, Verdicts
from tests.builders import make_rules, make_trace
from tests.integration.test_run_store_kill import child
from tests.row_builders import TODAY
from tests.stored_runs import make_run, make_started, suite_cases
from tests.unit.test_ask_and_judge import CONTEXT, place

CASES = 24
LANES = 4
WITHIN_S = 30.0


class Log:
    """What was asked and what was finished, one line each, by whichever process: `ask 3`, `verdict 3`."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._path = path

    def add(self, what: str, position: int) -> None:
        os.write(self._file, f"{what} {position}\n".encode())

    def lines(self) -> list[str]:
        return self._path.read_text().splitlines()

    def positions(self, what: str) -> list[int]:
        """Of which cases this was said, in order."""
        return [int(line.split()[1]) for line in self.lines() if line.startswith(f"{what} ")]

    def repeated(self, asked: str, finished: str) -> set[str]:
        """Cases that were asked when that had been finished already."""
        done, again = set[str](), set[str]()
        for line in self.lines():
            what, position = line.split()
            if what == finished:
                done.add(position)
            elif what == asked and position in done:
                again.add(position)
        return again


class Slow(VerdictSource):
    """The app and a check that finds fault with every answer, which hang where `hangs` says so after `after` cases."""

    def __init__(self, log: Log, *, hangs: str = "", after: int = 0) -> None:
        self._log = log
        self._hangs = hangs
        self._left = after
        self._rounds = 0

    def hang(self, step: str) -> None:
        """Hang for good where this is the step and enough cases have come so far."""
        if step == self._hangs:
            if not self._left:
                self._log.add("hangs", 0)
                signal.pause()
            self._left -= 1

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        self._rounds += 1
        for placed in cases:
            self._log.add("ask", placed.position)
            await asyncio.sleep(0.002)
            if self._rounds > 1:
                self.hang("again")
            trace = make_trace(case_id=placed.case.case_id, answer="Tea is hot.", context=CONTEXT)
            yield placed, Answered(trace, 5)
            # It was taken from us, and is finished.
            self._log.add("answered", placed.position)

    def asks(self, _drafted: Drafted) -> bool:
        return True

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - as `VerdictSource` has it
        number = drafted.case.case_id.removeprefix("case-")
        self._log.add("verdict", int(number))
        await asyncio.sleep(0.005)
        self.hang("verdicts")
        return rule_verdicts(drafted, CheckIssues(issues=(number,)))


def one_run(place_of: Path, slow: Slow, log: Log, *, again: bool) -> None:
    """Go on with the run in a directory, and finish it when every case has its row."""
    placed = place(*({"case_id": f"case-{n}", "custom_check": "m:f"} for n in range(CASES)))
    with RunDirectory.resume(place_of, make_started()) as directory:
        finished = set[int]()
        confirmation = Confirmation(Policy(), decided_on=TODAY, baseline=None)
        doubtful = DoubtfulCases(confirmation, times=2, most=CASES, tell=lambda _line: None)
        for row in directory.rows():
            finished.add(row.position)
            doubtful.finished(row)
        evaluation = Evaluation(
            target=slow,
            rules=make_rules(),
            verdicts=slow,
            now=lambda: "2026-06-02T12:00:00Z",
            cases_at=lambda positions: (placed[position] for position in positions),
            waiting=directory.work,
            lanes=LANES,
            doubtful=doubtful if again else None,
        )

        def take(done: Evaluated) -> None:
            # The verdict is finished, and the row is not there yet.
            log.add("judged", done.row.position)
            slow.hang("gates")
            directory.append(done.row, done.trace)
            directory.work.commit()

        begun = finished.union(directory.work.positions())
        left = [each for each in placed if each.position not in begun]
        asyncio.run(evaluate(left, evaluation, take))
        directory.finish(make_run(), suite_cases(CASES), {})


def in_child(work: Callable[[], None]) -> Callable[[int], None]:
    return lambda _writing: work()


@pytest.mark.parametrize("step", ["again", "verdicts", "gates"])
def test_killed_in_a_step_nothing_that_was_finished_is_asked_again(tmp_path: Path, step: str) -> None:
    log = Log(tmp_path / "log")
    store = tmp_path / "run"
    RunDirectory.create(store, make_started()).close()
    for after in (1, 5, 9):
        slow = Slow(log, hangs=step, after=after)
        work = partial(one_run, store, slow, log, again=step == "again")
        before = len(log.positions("hangs"))
        with child(in_child(work)):
            until = time.monotonic() + WITHIN_S
            while len(log.positions("hangs")) == before:
                assert time.monotonic() < until, "it never came to that step"
                time.sleep(0.01)
        # The block ends by SIGKILL.
    assert len(log.positions("answered")) > 5
    assert bool(log.positions("judged")) == (step != "again")
    if step == "gates":
        rows = {row.position for row in read_rows(store)}
        assert set(log.positions("judged")) - rows, "a verdict was finished and had no row"

    one_run(store, Slow(log), log, again=step == "again")
    if step == "again":
        assert Counter(log.positions("answered")) == dict.fromkeys(range(CASES), 3)
        assert {len(row.asks) for row in read_rows(store)} == {2}
    else:
        assert not log.repeated("ask", "answered")
        assert not log.repeated("verdict", "judged")
    assert read_run(store).complete
    assert [(row.position, row.issues) for row in read_rows(store)] == [(n, (str(n),)) for n in range(CASES)]
    assert not [path for path in store.iterdir() if path.name.startswith(".")]
