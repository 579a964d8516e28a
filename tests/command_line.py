"""The command line in the process of the tests: what it decides and writes, without half a second of imports a time.

What a process itself is about (signals, exit, environment, what is loaded) has tests that start one.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import tempfile
from pathlib import Path
from unittest import mock

from raggate_action.cli.main import main

# Stands for the command in a shell, and says what the shell has made of a line: directory, and words as they arrive.
_TOLD = """#!/bin/sh
printf '%s\\0' "$PWD" "$@"
"""
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "CI": "true"}


def raggate(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What `raggate-action ARGUMENTS` does in `cwd`, as `subprocess.run` gives it."""
    command = [str(argument) for argument in arguments]
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, {**ENVIRONMENT, **environment}, clear=True),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main(command)
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())


def typed(line: str, *, cwd: Path, shell: str = "bash", **environment: str) -> subprocess.CompletedProcess[str]:
    """What a line with one `raggate-action` in it does: a real shell reads it, and the command runs as `raggate` does."""
    with tempfile.TemporaryDirectory() as folder:
        stub = Path(folder, "raggate-action")
        stub.write_text(_TOLD)
        stub.chmod(0o755)
        env = {**ENVIRONMENT, "HOME": "/nonexistent", **environment, "PATH": f"{folder}:{ENVIRONMENT['PATH']}"}
        told = subprocess.run([shell, "-c", line], cwd=cwd, env=env, capture_output=True, text=True, check=True)
    directory, *arguments, _end = told.stdout.split("\0")
    return raggate(*arguments, cwd=Path(directory), HOME="/nonexistent", **environment)
