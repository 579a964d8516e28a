"""Kill -9 at random moments: what was acknowledged is there, and the directory can always be resumed."""

from __future__ import annotations

import os
import random
import signal
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from raggate_action.errors import RunStoreError
from raggate_action.run_store import RunDirectory, read_rows, read_run, read_started, read_traces
from raggate_action.run_store.work_file import WORK
from raggate_action.schema.trace import Trace
from tests import thorough
from tests.stored_runs import answer_of, make_row, make_run, make_started, suite_cases

KILLS = 20
# `make test` starts them five times, `make test ALL=1` twenty.
ROUNDS = thorough.KILLS
_ACK = struct.Struct("=i")


@contextmanager
def child(work: Callable[[int], None]) -> Iterator[tuple[int, int]]:
    """A process of its own that does `work` with the writing end of a pipe; gives its id and the reading end.

    It is killed at the end of the block, and waited for.
    """
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.close(reading)
            work(writing)
        finally:
            # No test of the parent's may go on in here.
            os._exit(0)
    os.close(writing)
    try:
        yield process, reading
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(reading)


def acknowledged(reading: int) -> int | None:
    """The next position the child says is safe; None when there is none any more."""
    said = os.read(reading, _ACK.size)
    return _ACK.unpack(said)[0] if said else None


def trace_of(position: int) -> Trace | None:
    """Every fourth case leaves no trace; every tenth leaves one of some 300 KB, so that a kill can fall inside it."""
    if position % 4 == 0:
        return None
    return Trace(case_id=f"case-{position}", answer=str(position) * (100_000 if position % 10 == 3 else 40))


def append_in_a_loop(place: Path, order: list[int], *, durable: bool) -> Callable[[int], None]:
    """Resume and append what is missing, saying each case that is done; ends without finishing the run."""

    def work(writing: int) -> None:
        directory = RunDirectory.resume(place, make_started())
        finished = {row.position for row in directory.rows()}
        for position in order:
            if position not in finished:
                directory.append(make_row(position), trace_of(position))
                if durable or position % 16 == 0:
                    directory.work.commit()
                os.write(writing, _ACK.pack(position))
        signal.pause()

    return work


@pytest.mark.parametrize("durable", [True, False], ids=["durable rows", "buffered rows"])
def test_a_killed_run_is_resumed_without_losing_what_was_acknowledged(tmp_path: Path, durable: bool) -> None:  # noqa: FBT001
    draw = random.Random(20260602)
    order = draw.sample(range(2000), 2000)
    RunDirectory.create(tmp_path, make_started()).close()
    safe: list[int] = []
    for _kill in range(KILLS):
        with child(append_in_a_loop(tmp_path, order, durable=durable)) as (process, reading):
            acks = [acknowledged(reading) for _ in range(draw.randrange(60))]
            time.sleep(draw.random() / 1000)
            os.kill(process, signal.SIGKILL)
            acks.extend(iter(lambda: acknowledged(reading), None))
        with RunDirectory.resume(tmp_path, make_started()) as directory:
            there = [row.position for row in directory.rows()]
        if durable:
            safe.extend(position for position in acks if position is not None)
            # One more may have been written before it could be acknowledged; it stays.
            assert set(safe) <= set(there)
            assert len(there) <= len(safe) + 1
        safe = order[: len(there)]
        assert there == sorted(safe)
        assert [stored.trace for stored in read_traces(tmp_path)] == [t for t in map(trace_of, there) if t is not None]
    assert read_started(tmp_path) == make_started()
    if durable:
        assert len(safe) > 5 * KILLS, "the kills came too early to show anything"


def test_a_run_killed_while_it_finishes_is_whole_or_can_be_finished(tmp_path: Path) -> None:
    draw = random.Random(7)
    order = draw.sample(range(300), 300)
    expected: dict[str, bytes] = {}
    left_incomplete = 0
    for kill in range(KILLS + 1):
        place = tmp_path / str(kill)
        with RunDirectory.create(place, make_started()) as directory:
            for position in order:
                directory.append(make_row(position), answer_of(position))
        if not expected:
            finish(place)
            expected = contents(place)
            continue
        with child(lambda writing: finish(place, writing)) as (process, reading):  # noqa: B023
            acknowledged(reading)
            time.sleep(draw.random() / 100)
            os.kill(process, signal.SIGKILL)
        if read_started(place) is None:
            assert read_run(place).complete
            # The last step is to remove the work file, which nobody reads any more.
            for left in place.glob(f"{WORK}*"):
                left.unlink()
        else:
            left_incomplete += 1
            with RunDirectory.resume(place, make_started()) as directory:
                assert {row.position for row in directory.rows()} == set(range(300))
            finish(place)
        assert contents(place) == expected
    assert left_incomplete, "no kill came before the end"


def finish(place: Path, writing: int | None = None) -> None:
    directory = RunDirectory.resume(place, make_started())
    if writing is not None:
        os.write(writing, _ACK.pack(0))
    directory.finish(make_run(), suite_cases(300), {"comment.md": "x" * 10_000, "summary.md": "y"})


def contents(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in place.iterdir()}


def test_a_kill_while_a_run_is_replaced_never_locks_the_directory(tmp_path: Path) -> None:
    draw = random.Random(11)

    def replace_in_a_loop(writing: int) -> None:
        while True:
            with RunDirectory.create(tmp_path, make_started()) as directory:
                directory.append(make_row(0), answer_of(0))
                directory.finish(make_run(), suite_cases(1), {"comment.md": "# release"})
            os.write(writing, _ACK.pack(0))

    for _kill in range(KILLS):
        with child(replace_in_a_loop) as (process, reading):
            acknowledged(reading)
            time.sleep(draw.random() / 100)
            os.kill(process, signal.SIGKILL)
        RunDirectory.create(tmp_path, make_started()).close()
        assert list(read_rows(tmp_path)) == []


def test_two_processes_never_write_one_run(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path, make_started()).close()
    with child(append_in_a_loop(tmp_path, [0], durable=True)) as (process, reading):
        assert acknowledged(reading) == 0
        for way in (RunDirectory.create, RunDirectory.resume):
            with pytest.raises(RunStoreError, match="another process is writing its run"):
                way(tmp_path, make_started())
        os.kill(process, signal.SIGKILL)
    assert [row.position for row in read_rows(tmp_path)] == [0], "the refusals changed nothing"
    RunDirectory.create(tmp_path, make_started()).close()
    assert list(read_rows(tmp_path)) == []


def test_of_processes_that_start_together_one_writes_and_the_others_are_told_why(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path, make_started()).finish(make_run(), suite_cases(1), {"comment.md": "# release"})
    for _round in range(ROUNDS):
        ready, start = os.pipe()
        with ExitStack() as stack:
            found = [stack.enter_context(child(_begin_when_told(tmp_path, ready)))[1] for _ in range(6)]
            os.write(start, b"." * len(found))
            answers = [os.read(each, 500).decode() for each in found]
        os.close(ready)
        os.close(start)
        assert {*answers} == {" ", f"another process is writing its run into {tmp_path}"}
        assert answers.count(" ") == 1, answers


def _begin_when_told(place: Path, ready: int) -> Callable[[int], None]:
    """Begins a run at the same moment as its siblings, tells how that went, and stays in it until it is killed."""

    def begin(writing: int) -> None:
        os.read(ready, 1)
        try:
            with RunDirectory.create(place, make_started()):
                os.write(writing, b" ")
                time.sleep(60)
        except RunStoreError as error:
            os.write(writing, str(error).encode())

    return begin
