"""Python programs in processes of their own, forked from one that has loaded what they load, and has used it once.

Such a process costs what it does, not a second of imports. What only a new start shows (what is loaded, isolation,
shadowed imports, a start anew, signals) has tests that start one.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

_SUITE = Path(__file__).parents[1] / "examples/deploy_policy/raggate.yaml"
# It says its own id, and last its exit code: a process that was killed says none.
_SERVER = """
import contextlib, gc, importlib, io, json, os, pkgutil, runpy, signal, socket, sys, tempfile, traceback, warnings

import github, httpx, jinja2, pytest
import raggate_action
from raggate_action.cli.main import main

for found in pkgutil.walk_packages(raggate_action.__path__, "raggate_action."):
    if found.name not in {"raggate_action.__main__", "raggate_action.cli.pytest_plugin"}:
        importlib.import_module(found.name)
# Validators, expressions and templates are made when first used: by a run and one against it.
os.environ.clear()
ended, collected = signal.getsignal(signal.SIGTERM), gc.get_threshold()
unread = io.StringIO()
with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(unread), contextlib.redirect_stderr(unread):
    for names in (["one"], ["other", "--baseline", folder + "/one"]):
        assert main(["run", sys.argv[2], "--out", folder + "/" + names[0], *names[1:]]) in {0, 1}
signal.signal(signal.SIGTERM, ended)
gc.set_threshold(*collected)
gc.collect()
gc.freeze()

def run(order):
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    program, *arguments = order["arguments"]
    if program == "-W":
        action, program, *arguments = arguments
        warnings.simplefilter(action)
    module = program == "-m"
    if module:
        program, *arguments = arguments
        if not order["isolated"]:
            sys.path.insert(0, os.getcwd())
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
    sys.argv = [program, *arguments]
    if module:
        runpy.run_module(program, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(program, run_name="__main__")

def code_of(order):
    try:
        run(order)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

def child(order, said, *standard):
    for number, file in enumerate(standard):
        os.dup2(file, number)
        os.close(file)
    os.set_inheritable(said, False)
    os.write(said, b"%d " % os.getpid())
    code = code_of(order)
    gc.collect()  # what was left open warns as it is let go
    for stream in (sys.stdout, sys.stderr):
        if not stream.closed:
            stream.flush()
    os.write(said, b"%d" % code)
    os._exit(code)

orders = socket.socket(fileno=int(sys.argv[1]))
while True:
    message, files, *_ = socket.recv_fds(orders, 1 << 20, 4)
    if not message:
        break
    if not os.fork():
        orders.close()
        child(json.loads(message), *files)
    for file in files:
        os.close(file)
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass
"""


class Forked:
    """A process that was forked, with what tests use of a `subprocess.Popen`."""

    def __init__(self, arguments: Sequence[str], out: IO[bytes], err: IO[bytes] | None, said: int) -> None:
        self.returncode: int | None = None
        self._arguments, self._out, self._err = [*arguments], out, err
        self._said = said
        self._told = b""
        self._sent: int | None = None

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        while self.returncode is None and select.select([self._said], [], [], 0)[0]:
            self._read()
        return self.returncode

    def communicate(self, timeout: float = 60) -> tuple[str, str]:
        """Wait for its end; what it has printed, and what beside."""
        out, err = self.printed(timeout)
        return _text(out), _text(err)

    def printed(self, timeout: float) -> tuple[bytes, bytes]:
        """As `communicate`, byte for byte."""
        end = time.monotonic() + timeout
        while self.returncode is None:
            if not select.select([self._said], [], [], max(0, end - time.monotonic()))[0]:
                os.kill(int(self._told.split()[0]), signal.SIGKILL)
                raise subprocess.TimeoutExpired(self._arguments, timeout)
            self._read()
        return _all(self._out), b"" if self._err is None else _all(self._err)

    def send_signal(self, number: int) -> None:
        """Signal it, unless it is known to have ended."""
        while b" " not in self._told and self.returncode is None:
            self._read()
        if self.poll() is None:
            self._sent = number
            os.kill(int(self._told.split()[0]), number)

    def _read(self) -> None:
        part = os.read(self._said, 100)
        self._told += part
        if not part:
            os.close(self._said)
            _pid, *code = self._told.split()
            # What has said no code was ended by a signal.
            self.returncode = int(code[0]) if code else -(self._sent or signal.SIGKILL)


class Forks:
    """The process that others are forked from."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with theirs:
            self._server = subprocess.Popen(
                [sys.executable, "-I", "-c", _SERVER, str(theirs.fileno()), str(_SUITE)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def start(
        self,
        *arguments: str,
        cwd: Path,
        env: Mapping[str, str],
        isolated: bool = False,
        stderr: int | None = None,
        given: bytes = b"",
    ) -> Forked:
        """Start `python ARGUMENTS`: `-W ACTION` or nothing, a module after `-m`, or a file, and what it is given.

        `given` is what it reads from its standard input.
        """
        order = {"arguments": arguments, "cwd": str(cwd), "env": dict(env), "isolated": isolated}
        out = TemporaryFile()  # noqa: SIM115  read when it has ended
        err = None if stderr == subprocess.STDOUT else TemporaryFile()  # noqa: SIM115
        reading, writing = os.pipe()
        with TemporaryFile() as read:
            read.write(given)
            read.seek(0)
            files = [writing, read.fileno(), out.fileno(), (err or out).fileno()]
            socket.send_fds(self._orders, [json.dumps(order).encode()], files)
        os.close(writing)
        return Forked(arguments, out, err, reading)

    def run(self, *arguments: str, cwd: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """As `subprocess.run` with what it prints as text."""
        process = self.start(*arguments, cwd=cwd, env=env)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess([*arguments], process.returncode or 0, out, err)

    def run_bytes(
        self, *arguments: str, cwd: Path, env: Mapping[str, str], given: bytes = b""
    ) -> subprocess.CompletedProcess[bytes]:
        """As `subprocess.run` with `input`."""
        process = self.start(*arguments, cwd=cwd, env=env, given=given)
        out, err = process.printed(timeout=120)
        return subprocess.CompletedProcess([*arguments], process.returncode or 0, out, err)

    def end(self) -> None:
        """No more are forked."""
        self._orders.close()
        self._server.wait(timeout=60)


def _all(file: IO[bytes]) -> bytes:
    with file:
        file.seek(0)
        return file.read()


def _text(printed: bytes) -> str:
    return printed.decode().replace("\r\n", "\n").replace("\r", "\n")
