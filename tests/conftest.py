"""What every test finds as the process began, and leaves so: a command run in it leaves nothing behind for the next."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.forked import Forks
from tests.thorough import ROOT, THOROUGH, examples

# How fast inputs are made is the machine's matter: beside other work tests would fail that show no fault.
settings.register_profile("any machine", suppress_health_check=[HealthCheck.too_slow], max_examples=examples(100))
settings.load_profile("any machine")

# `nohup`, and a shell without job control for what is in its background, have SIGINT ignored, and whatever is started
# from here would ignore it as well. A signal with a handler is as usual in a program that is started; this process goes
# on ignoring it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, lambda _number, _frame: None)


def pytest_collection(session: pytest.Session) -> None:
    """Workers begin to load at files of their own: in a fresh clone each compiles some, and finds the others compiled."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    files = [file for file in sorted(ROOT.glob("tests/*/test_*.py")) if file.parent.name != "container"]
    for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
        # What goes wrong goes wrong again where pytest loads it, and is told.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """What was collected stays to the end: ten thousand tests are not looked through at each search for cycles."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What did not run is said."""
    if not THOROUGH:
        terminalreporter.write_line("Drawn examples: a third. All: make test ALL=1")


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Programs in processes of their own that have loaded already what they load."""
    forks = Forks()
    yield forks
    forks.end()


@pytest.fixture(autouse=True)
def process_settings() -> Iterator[None]:
    """`main` is the process's own: it sets how SIGTERM ends it, and how often cycles are looked for."""
    ended, collected = signal.getsignal(signal.SIGTERM), gc.get_threshold()
    yield
    signal.signal(signal.SIGTERM, ended)
    gc.set_threshold(*collected)


@pytest.fixture(autouse=True)
def processes() -> Iterator[None]:
    """What a test starts ends with it. What is left of one is killed, with all that it started itself."""
    before = started_by(os.getpid())
    yield
    left = {pid: words for pid in started_by(os.getpid()) - before if (words := command_of(pid))}
    for pid in left:
        end(pid)
    assert not left, "still running after the test"


def started_by(pid: int) -> set[int]:
    """The processes that one has started and not waited for; none where the system keeps no such list."""
    found: set[int] = set()
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            found.update(map(int, file.read_text().split()))
    return found


def command_of(pid: int) -> str:
    """Its command line; empty where it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    return ""


def end(pid: int) -> None:
    """Kill a process, and what it has started, which nobody would find without it."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        for child in started_by(pid):
            end(child)
        os.kill(pid, signal.SIGKILL)
