from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
only_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can become another user; the container tests do too"
)

# What the system shows of the process, whether its own variables are there, and which files it holds open.
PROGRAM = """
import json, os
from pathlib import Path
from raggate_action.isolation.own_process import protect_own_process

before = set(os.listdir("/proc/self/fd"))
protect_own_process()
shown = dict(item.split("=", 1) for item in Path("/proc/self/environ").read_text(errors="surrogateescape").split("\\0") if item)
status = Path("/proc/self/status").read_text()
print(json.dumps({
    "pid": os.getpid(),
    "shown": shown,
    "own": dict(os.environ),
    "files": sorted(set(os.listdir("/proc/self/fd")) - before),
    "no_new_rights": "NoNewPrivs:\\t1" in status,
}))
"""
SECRETS = {
    "INPUT_GITHUB-TOKEN": "ghs_" + "x" * 30,
    "ACTIONS_RUNTIME_TOKEN": "runtime",
    "OPENAI_API_KEY": "sk-1",
    "ODD": "line\nbreak \udcff é",
}


def protected(environment: dict[str, str], *, argument: str = "raggate_action") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, argument],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def said(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# The new start finds no PYTHONPATH, as in the image, so the package has to be installed; in `.venv` it is.
@only_root
def test_no_secret_stays_in_the_environment_the_system_shows() -> None:
    found = said(protected({"GITHUB_ACTIONS": "true", **SECRETS}))
    shown, own = found["shown"], found["own"]
    assert set(shown) <= {"PATH", "LC_CTYPE", "RAGGATE_ENVIRONMENT_FD"}
    assert {name: own[name] for name in SECRETS} == SECRETS
    assert "RAGGATE_ENVIRONMENT_FD" not in own
    assert found["files"] == []
    assert found["no_new_rights"]


@pytest.mark.parametrize(
    ("environment", "argument"),
    [
        pytest.param({}, "raggate_action", id="a laptop or another CI system"),
        pytest.param({"GITHUB_ACTIONS": "true"}, "pytest", id="a program that is not ours"),
    ],
)
def test_elsewhere_nothing_happens(environment: dict[str, str], argument: str) -> None:
    found = said(protected({**environment, **SECRETS}, argument=argument))
    assert found["shown"]["OPENAI_API_KEY"] == "sk-1"
    assert not found["no_new_rights"]


@only_root
@pytest.mark.parametrize("handed_over", ["77", "none"])
def test_an_environment_that_was_not_handed_over_is_an_error(handed_over: str) -> None:
    done = protected({"GITHUB_ACTIONS": "true", "RAGGATE_ENVIRONMENT_FD": handed_over})
    assert "ProtectionError: raggate cannot read the environment handed over" in done.stderr
