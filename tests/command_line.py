"""The command line in the process of the tests: what it decides and writes, without half a second of imports a time.

What a process itself is about (signals, exit, environment, what is loaded) has tests that start one.
"""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
from pathlib import Path
from unittest import mock

from raggate_action.main import main

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
