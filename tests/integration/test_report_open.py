"""`report --open`: the page of a run in a real program that BROWSER names; and where `run` names the page."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from raggate_action.cli.main import main
from tests.integration.terminal import Terminal
from tests.integration.test_report_file import GOOD, WORSE
from tests.integration.test_report_file import suite as suite  # noqa: PLC0414 - a fixture

SHOWN = "  page: raggate-run/report.html (open it by `raggate-action report --open`)"


def browser(folder: Path, *, ends: int = 0) -> dict[str, str]:
    """The environment of a machine whose one browser writes down what it was asked to open."""
    program = folder / "browser"
    program.write_text(f'#!/bin/sh\necho "$@" >> "{folder}/opened"\nexit {ends}\n')
    program.chmod(0o755)
    return {"BROWSER": str(program), "PATH": str(folder)}


def report(folder: Path, environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "raggate_action", "report", *arguments]
    hidden = {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY"}
    env = {name: value for name, value in os.environ.items() if name not in hidden} | environment
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_the_page_is_opened_and_made_where_it_is_missing(suite: Callable[..., Path], tmp_path: Path) -> None:
    head = suite("head", WORSE)
    page, before = head / "report.html", (head / "report.html").read_bytes()
    for made in (False, True):
        if made:
            page.unlink()
        done = report(tmp_path, browser(tmp_path), "--open")
        assert (done.returncode, done.stdout) == (0, f"opened: {page.as_uri()}\n")
        assert (tmp_path / "opened").read_text() == f"{page.as_uri()}\n"
        assert page.read_bytes() == before
        (tmp_path / "opened").unlink()


def test_without_a_browser_the_address_is_printed(suite: Callable[..., Path], tmp_path: Path) -> None:
    page = suite("head", GOOD) / "report.html"
    for environment in ({"PATH": "/nonexistent"}, {**browser(tmp_path, ends=1), "PATH": "/nonexistent"}):
        done = report(tmp_path, environment, "head", "--open")
        assert (done.returncode, done.stdout) == (0, f"no browser was found; open: {page.as_uri()}\n")


def test_beside_another_baseline_the_page_of_the_run_stays_as_it_is(suite: Callable[..., Path], tmp_path: Path) -> None:
    base, head = suite("base", GOOD), suite("head", WORSE)
    own = (head / "report.html").read_bytes()
    done = report(tmp_path, {**browser(tmp_path), "TMPDIR": str(tmp_path)}, "head", "--baseline", str(base), "--open")
    assert done.returncode == 1
    (opened,) = (tmp_path / "opened").read_text().splitlines()
    page = Path(opened.removeprefix("file://"))
    assert tmp_path in page.parents
    assert page.read_bytes() != own
    assert (head / "report.html").read_bytes() == own


def test_a_run_names_its_page_at_a_terminal_and_nowhere_else(
    suite: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suite("raggate-run", GOOD)
    assert "report.html" not in capsys.readouterr().out
    with Terminal("run", "raggate.yaml", cwd=tmp_path, columns=160) as terminal:
        code, shown = terminal.ended()
    assert code == 0
    assert SHOWN in shown.splitlines()
    with Terminal("run", "raggate.yaml", cwd=tmp_path, columns=160, CI="true") as logged:
        logged.ended()
    assert "comment: raggate-run/comment.md" in logged.shown
    assert "report.html" not in logged.shown


def test_open_and_format_are_two_things(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--open", "--format", "html"]) == 2
    assert "not allowed with argument" in capsys.readouterr().err
