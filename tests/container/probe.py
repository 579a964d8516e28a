"""Tries what a hostile app would: run by the app's interpreter inside the container, as target and as check.

A script on its own: nothing but the standard library. `reached` names each thing it got hold of. As root it gets hold of everything, which shows that it tries.
"""

# ruff: noqa: PTH123, PTH207, PTH208, T201 - an app of a stranger's, not code of ours

from __future__ import annotations

import glob
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

SECRET = b"s3cret"
COMMANDS = "/github/file_commands"


def reached() -> list[str]:
    """What may not be reached and was; empty when the walls hold."""
    return [*secrets(), *runner_files(), *docker(), *rights()]


def secrets() -> Iterator[str]:
    if SECRET in repr(sorted(os.environ.items())).encode():
        yield "a secret in its own environment"
    for path in glob.glob("/proc/[0-9]*/environ"):
        if SECRET in content(path):
            yield f"a secret in {path}"
    if can(lambda: os.close(os.open("/proc/1/mem", os.O_RDONLY))):
        yield "the memory of the action"
    if can(lambda: os.listdir("/proc/1/fd")):
        yield "the open files of the action"


def runner_files() -> Iterator[str]:
    for folder in (COMMANDS, "/github/runner_temp", "/github/home"):
        if can(partial(os.listdir, folder)):
            yield f"the list of {folder}"
    # Their names are told here, as if guessed.
    for name in ("set_output", "set_env", "add_path", "save_state", "step_summary"):
        for mode, what in (("a", "writing"), ("r", "reading")):
            if can(partial(opened, f"{COMMANDS}/{name}", mode)):
                yield f"{name} for {what}"


def docker() -> Iterator[str]:
    with socket.socket(socket.AF_UNIX) as client:
        if can(lambda: client.connect("/var/run/docker.sock")):
            yield "the Docker socket"


def rights() -> Iterator[str]:
    if can(lambda: os.setuid(0)):
        yield "root"
    status = content("/proc/self/status").decode()
    if "NoNewPrivs:\t1" not in status:
        yield "setuid programs"
    if "CapEff:\t0000000000000000" not in status:
        yield "capabilities"
    if set(os.getgroups()) - {65532}:
        yield "groups"
    if can(lambda: os.kill(1, 0)):
        yield "signals to the action"


def opened(path: str, mode: str) -> None:
    with open(path, mode):
        pass


def content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def can(attempt: Callable[[], Any]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """As target: the answer is what was asked for, as JSON."""
    said: Any = dict(os.environ) if case["case_id"] == "environment" else reached()
    return {"answer": json.dumps(said), "context": []}


def check(_case: dict[str, Any], _trace: dict[str, Any]) -> list[str]:
    """As check: an issue for each thing reached."""
    return reached()


if __name__ == "__main__":
    if "--once" in sys.argv:
        print(json.dumps(reached()))
    else:
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))), flush=True)
