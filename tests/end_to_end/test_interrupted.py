"""A run that is stopped, by whoever may stop it, ends in order: a real process, a real app that is slow."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.servers import ScriptedApp, scripted_app
from tests.stored_runs import finished_cases

_MOST_S = 20.0


def suite_of(folder: Path, app: ScriptedApp, *, cases: int = 4) -> None:
    (folder / "cases.json").write_text(
        json.dumps([{"case_id": f"case-{number}", "question": "tea."} for number in range(cases)])
    )
    target = {"kind": "http", "url": app.url, "attempts": 1, "concurrency": 1}
    (folder / "raggate.yaml").write_text(json.dumps({"suite": "s", "cases": ["cases.json"], "target": target}))


@contextmanager
def started(folder: Path, *, ignoring_sigint: bool) -> Iterator[subprocess.Popen[str]]:
    """The run; with SIGINT ignored it is started as a shell without job control starts what is in its background."""
    run = f"exec {sys.executable} -m raggate_action run"
    command = f"trap '' INT; {run}" if ignoring_sigint else run
    with subprocess.Popen(
        ["/bin/sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def under_way(process: subprocess.Popen[str], app: ScriptedApp) -> None:
    until = time.monotonic() + _MOST_S
    while not app.asked and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert app.asked, process.communicate()


@pytest.mark.parametrize("ignoring_sigint", [True, False], ids=["SIGINT ignored", "SIGINT as usual"])
def test_sigterm_ends_a_run_in_order(tmp_path: Path, *, ignoring_sigint: bool) -> None:
    with scripted_app(default="slow", slow_s=30) as app:
        suite_of(tmp_path, app)
        with started(tmp_path, ignoring_sigint=ignoring_sigint) as process:
            under_way(process, app)
            process.send_signal(signal.SIGTERM)
            _printed, complained = process.communicate(timeout=_MOST_S)
    assert process.returncode == 130, complained
    assert "--resume goes on from there" in complained
    assert json.loads((tmp_path / "raggate-run" / "run.json").read_text())["complete"] is False


def test_what_ignores_sigint_goes_on_ignoring_it(tmp_path: Path) -> None:
    with scripted_app(default="slow", slow_s=0.5) as app:
        suite_of(tmp_path, app, cases=2)
        with started(tmp_path, ignoring_sigint=True) as process:
            under_way(process, app)
            process.send_signal(signal.SIGINT)
            _printed, complained = process.communicate(timeout=_MOST_S)
    assert "interrupted" not in complained
    assert json.loads((tmp_path / "raggate-run" / "run.json").read_text())["complete"] is True


# The other two steps: while a check is waited for, and where nothing is ever waited for.

CHECKS = """
import time

def hangs(case, trace):
    open("checking", "a").close()
    time.sleep(30)
    return []
"""


def ends_in_order(process: subprocess.Popen[str], folder: Path) -> None:
    process.send_signal(signal.SIGTERM)
    _printed, complained = process.communicate(timeout=_MOST_S)
    assert process.returncode == 130, complained
    assert "--resume goes on from there" in complained
    assert json.loads((folder / "raggate-run" / "run.json").read_text())["complete"] is False


def test_sigterm_while_a_check_is_waited_for_keeps_the_answers(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(CHECKS)
    with scripted_app() as app:
        suite_of(tmp_path, app)
        cases = json.loads((tmp_path / "cases.json").read_text())
        (tmp_path / "cases.json").write_text(json.dumps([case | {"custom_check": "checks:hangs"} for case in cases]))
        with started(tmp_path, ignoring_sigint=False) as process:
            until = time.monotonic() + _MOST_S
            while not ((tmp_path / "checking").exists() and len(app.asked) == len(cases)):
                assert time.monotonic() < until, process.communicate()
                time.sleep(0.01)
            time.sleep(0.2)
            ends_in_order(process, tmp_path)
        (tmp_path / "checks.py").write_text("def hangs(case, trace):\n    return []\n")
        command = [sys.executable, "-m", "raggate_action", "run", "--resume"]
        subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, timeout=_MOST_S)
        assert set(app.counts.values()) == {1}, "nobody was asked again"
    run = json.loads((tmp_path / "raggate-run" / "run.json").read_text())
    assert run["complete"] is True
    assert run["counts"]["answered_by_target"] == len(cases)


def test_sigterm_is_felt_while_recorded_traces_are_judged(tmp_path: Path) -> None:
    number = 40_000
    with (tmp_path / "cases.jsonl").open("w") as cases, (tmp_path / "traces.jsonl").open("w") as traces:
        for n in range(number):
            cases.write(json.dumps({"case_id": f"case-{n}", "question": "What?"}) + "\n")
            traces.write(json.dumps({"case_id": f"case-{n}", "answer": "Tea is hot.", "context": []}) + "\n")
    target = {"kind": "recorded", "traces": "traces.jsonl"}
    suite = {"suite": "s", "cases": ["cases.jsonl"], "target": target}
    (tmp_path / "raggate.yaml").write_text(json.dumps(suite))
    out = tmp_path / "raggate-run"
    with started(tmp_path, ignoring_sigint=False) as process:
        until = time.monotonic() + 3 * _MOST_S
        while not finished_cases(out):
            assert time.monotonic() < until, process.communicate()
            time.sleep(0.01)
        ends_in_order(process, tmp_path)
    assert 0 < finished_cases(out) < number
