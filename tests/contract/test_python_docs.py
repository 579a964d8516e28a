"""`docs/python.md` cannot lie: its files are written, its programs run in a process each, its test by pytest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import raggate_action
from tests.forked import Forks

DOCUMENT = (Path(__file__).parents[2] / "docs/python.md").read_text()
SAMPLES = dict(re.findall(r"<!-- sample: (\S+) -->\n```\w+\n(.*?)```", DOCUMENT, re.DOTALL))
PROGRAMS = re.findall(r"(?<!-->)\n```python\n(.*?)```", DOCUMENT, re.DOTALL)
COMMANDS = re.findall(r"^(pytest [^#\n]*)", DOCUMENT, re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in SAMPLES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run_program(forks: Forks, text: str, *, cwd: Path, anew: bool = False) -> subprocess.CompletedProcess[str]:
    """A program whose warnings are errors, forked or started anew."""
    (cwd / "program.py").write_text(text)
    strict = ("-W", "error", "program.py")
    if anew:
        return subprocess.run([sys.executable, *strict], cwd=cwd, capture_output=True, text=True, check=False)
    return forks.run(*strict, cwd=cwd, env=os.environ)


def run_pytest(forks: Forks, *arguments: str, cwd: Path) -> str:
    """What pytest prints that has loaded pytest and the package. Of its plugins only ours: the others take longest."""
    # What is loaded already is not rewritten, of which pytest warns.
    strict = "-W error -W ignore::pytest.PytestAssertRewriteWarning"
    env = {**os.environ, "PYTEST_ADDOPTS": f"{strict} -p no:hypothesispytest -p no:anyio -p no:xdist"}
    return forks.run("-m", *arguments, "-p", "no:cacheprovider", cwd=cwd, env=env).stdout


def test_every_piece_is_found() -> None:
    assert sorted(SAMPLES) == [
        "cases.yaml",
        "evidence.jsonl",
        "raggate.yaml",
        "support.py",
        "test_in_one_line.py",
        "test_release.py",
    ]
    assert len(PROGRAMS) == 6
    assert len(COMMANDS) == 2
    assert len(SAMPLES) + len(PROGRAMS) + DOCUMENT.count("```sh") == DOCUMENT.count("```") / 2


# What is not shown by itself.
WARNINGS = ["import warnings\nwarnings.warn('old', PendingDeprecationWarning)", "open('program.py')"]


@pytest.mark.parametrize("anew", [True, False])
@pytest.mark.parametrize("program", WARNINGS)
def test_a_program_that_warns_is_seen(program: str, folder: Path, forks: Forks, *, anew: bool) -> None:
    assert "Warning" in run_program(forks, program, cwd=folder, anew=anew).stderr


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.strip().splitlines()[-1][:40])
def test_the_programs_do_what_they_say(program: str, folder: Path, forks: Forks) -> None:
    # What they load themselves is seen where they are started anew, in one of them.
    done = run_program(forks, program, cwd=folder, anew=program == PROGRAMS[0])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_tests_pass_and_fail_with_the_app(folder: Path, forks: Forks) -> None:
    run = ("pytest", "-q", "test_release.py", "test_in_one_line.py")
    assert "2 passed" in run_pytest(forks, *run, cwd=folder)
    app = folder / "support.py"
    app.write_text(app.read_text().replace("within 30 days", "within 90 days"))
    # As long as before, and in the same second: bytecode that was kept would be taken for this one's.
    os.utime(app, (0, 0))
    failed = run_pytest(forks, *run, cwd=folder)
    assert "2 failed" in failed
    assert failed.count("refund-window") > 1


@pytest.mark.parametrize("command", COMMANDS)
def test_the_suite_is_collected_as_tests(command: str, folder: Path, forks: Forks) -> None:
    printed = run_pytest(forks, *command.split(), "-rA", cwd=folder)
    assert "PASSED raggate.yaml::refund-window" in printed
    assert "PASSED raggate.yaml::refund-in-cash" in printed


def test_every_public_name_is_documented() -> None:
    assert [name for name in raggate_action.__all__ if f"`{name}" not in DOCUMENT] == []


@pytest.mark.parametrize("call", ["decide()", "asyncio.run(in_a_loop())"])
def test_the_suites_own_function_is_asked_too(folder: Path, forks: Forks, call: str) -> None:
    program = f"""
import asyncio
from raggate_action import run_suite

def decide():
    assert run_suite("raggate.yaml").decision == "release"

async def in_a_loop():
    decide()

{call}
"""
    done = run_program(forks, program, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
