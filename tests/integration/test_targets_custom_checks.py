from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from raggate_action.isolation.child_environment import child_environment
from raggate_action.schema.case import Case
from raggate_action.schema.trace import Trace, TracedChunk
from raggate_action.targets.custom_checks import CheckFailure, CustomChecks
from tests.integration.asking import eventually, is_running

CHECKS = """
import os, sys, time

open("starts", "a").write("x")

def refund(case, trace):
    print("looking")
    issues = []
    if "30 days" not in trace["answer"]["text"]:
        issues.append("the refund period is missing for " + case["case_id"])
    if trace["context"] != [{"chunk_id": "c1"}, {"chunk_id": "c2", "text": "t"}]:
        issues.append("unexpected context: %r" % trace["context"])
    if trace["tool_calls"] != [{"name": "search"}]:
        issues.append("unexpected tools: %r" % trace["tool_calls"])
    return issues

async def waits(case, trace):
    return ["awaited", case["must_contain"][0]]

def fine(case, trace):
    return []

def forgets(case, trace):
    issues = ["the refund period is missing"]

def text(case, trace):
    return "one\\nissue"

def truth(case, trace):
    return True

def raises(case, trace):
    return 1 / 0

def dies(case, trace):
    os._exit(4)

def slow(case, trace):
    time.sleep(30)

def who(case, trace):
    return [str(os.getpid())]

def naps(case, trace):
    time.sleep(0.2)
    return [str(os.getpid())]

def secret(case, trace):
    return [str(os.environ.get("GITHUB_TOKEN"))]
"""

TRACE = Trace(answer="within 30 days", context=("c1", TracedChunk(chunk_id="c2", text="t")), tool_calls=("search",))


def case(check: str | None) -> Case:
    return Case(case_id="q1", question="?", must_contain=("30 days",), custom_check=check)


def checked(directory: Path, use: Callable[[CustomChecks], Awaitable[None]], *, processes: int = 1) -> None:
    (directory / "checks.py").write_text(CHECKS)

    async def run() -> None:
        environment = child_environment(dict(os.environ), {})
        checks = CustomChecks(directory, python=None, env=environment, timeout_s=0.6, processes=processes)
        try:
            await use(checks)
        finally:
            await checks.aclose()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("check", "trace", "issues"),
    [
        pytest.param("checks:refund", TRACE, (), id="no issue"),
        pytest.param(
            "checks:refund",
            TRACE.model_copy(update={"answer": "soon"}),
            ("the refund period is missing for q1",),
            id="an issue; the trace comes in its long form",
        ),
        pytest.param(
            "checks:waits", TRACE, ("awaited", "30 days"), id="an async check; the case with its expectations"
        ),
        pytest.param("checks:fine", TRACE, (), id="an empty list is no issue"),
        pytest.param("checks:text", TRACE, ("one issue",), id="a text is one issue, on one line"),
        pytest.param(None, TRACE, (), id="a case without a check"),
    ],
)
def test_a_check_says_what_it_finds(tmp_path: Path, check: str | None, trace: Trace, issues: tuple[str, ...]) -> None:
    async def use(checks: CustomChecks) -> None:
        assert await checks.issues_of(case(check), trace) == issues

    checked(tmp_path, use)


@pytest.mark.parametrize(
    ("check", "detail"),
    [
        pytest.param("checks:raises", "ZeroDivisionError: division by zero (checks.py line 33)", id="it raises"),
        pytest.param("checks:forgets", "TypeError: the check returned nothing; return a list", id="no return"),
        pytest.param("checks:truth", "TypeError: the check returned bool; return a list of issues", id="wrong type"),
        pytest.param("checks:no_such", "has no attribute 'no_such'", id="no such check"),
        pytest.param("no_such:check", "No module named 'no_such'", id="no such module"),
        pytest.param("checks:dies", "checks:dies: the program ended with exit code 4", id="it dies"),
        pytest.param("checks:slow", "checks:slow did not end within 0.6 s", id="it takes too long"),
    ],
)
def test_a_check_that_fails_says_nothing_about_the_answer_and_the_next_one_runs(
    tmp_path: Path, check: str, detail: str
) -> None:
    async def use(checks: CustomChecks) -> None:
        found = await checks.issues_of(case(check), TRACE)
        assert isinstance(found, CheckFailure)
        assert detail in found.detail
        assert await checks.issues_of(case("checks:refund"), TRACE) == ()

    checked(tmp_path, use)


def test_one_process_serves_all_checks_and_ends_with_them(tmp_path: Path) -> None:
    seen: set[str] = set()

    async def use(checks: CustomChecks) -> None:
        for found in await asyncio.gather(*(checks.issues_of(case("checks:who"), TRACE) for _ in range(5))):
            seen.update(found)

    checked(tmp_path, use)
    assert len(seen) == 1
    assert (tmp_path / "starts").read_text() == "x"
    pid = int(seen.pop())
    assert eventually(lambda: not is_running(pid), within_s=0.5)


def test_slow_checks_run_side_by_side_in_no_more_processes_than_given(tmp_path: Path) -> None:
    seen: set[str] = set()

    async def use(checks: CustomChecks) -> None:
        for found in await asyncio.gather(*(checks.issues_of(case("checks:naps"), TRACE) for _ in range(9))):
            assert not isinstance(found, CheckFailure), found
            seen.update(found)

    checked(tmp_path, use, processes=3)
    assert 2 <= len(seen) <= 3
    assert all(eventually(lambda pid=pid: not is_running(int(pid)), within_s=0.5) for pid in seen)  # type: ignore[misc]


def test_a_check_that_is_cancelled_does_not_answer_the_next(tmp_path: Path) -> None:
    async def use(checks: CustomChecks) -> None:
        task = asyncio.create_task(_ask(checks))
        await asyncio.sleep(0.3)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert await checks.issues_of(case("checks:refund"), TRACE) == ()

    async def _ask(checks: CustomChecks) -> None:
        await checks.issues_of(case("checks:slow"), TRACE)

    checked(tmp_path, use)


def test_nothing_is_started_without_a_check(tmp_path: Path) -> None:
    async def use() -> None:
        checks = CustomChecks(tmp_path / "gone", python="no-such-python", env={}, timeout_s=0.6)
        assert await checks.issues_of(case(None), TRACE) == ()
        await checks.aclose()

    asyncio.run(use())


def test_an_interpreter_that_does_not_start_is_a_failure_of_the_check(tmp_path: Path) -> None:
    async def use() -> None:
        checks = CustomChecks(tmp_path, python="no-such-python", env={}, timeout_s=0.6)
        found = await checks.issues_of(case("checks:refund"), TRACE)
        assert isinstance(found, CheckFailure)
        assert "'no-such-python' cannot be started" in found.detail

    asyncio.run(use())


def test_checks_do_not_see_the_jobs_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "of the job")

    async def use(checks: CustomChecks) -> None:
        assert await checks.issues_of(case("checks:secret"), TRACE) == ("None",)

    checked(tmp_path, use)
