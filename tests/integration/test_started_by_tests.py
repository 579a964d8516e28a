"""Tests in the background: what they start has the signals of a foreground, and nothing of it is left."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tests import conftest

TESTS = """
import subprocess, sys

SIGINT_IS_AS_USUAL = "import signal; assert signal.getsignal(signal.SIGINT) is signal.default_int_handler"

def test_of_signals():
    subprocess.run([sys.executable, "-c", SIGINT_IS_AS_USUAL], check=True)

def test_that_ends_what_it_starts():
    with subprocess.Popen(["sleep", "600"]) as process:
        process.kill()

def test_that_leaves_a_tree():
    process = subprocess.Popen(["/bin/sh", "-c", "sleep 600 & echo $$ $!; wait"], stdout=subprocess.PIPE, text=True)
    open("left", "w").write(process.stdout.readline())
    process.stdout.close()
    kept.append(process)

kept = []
"""


def test_what_tests_start_is_as_usual_and_ends_with_them(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(Path(conftest.__file__).read_text())
    (tmp_path / "test_these.py").write_text(TESTS)
    command = f"trap '' INT; exec {sys.executable} -m pytest -q -p no:cacheprovider -p no:xdist -p no:hypothesispytest"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "3 passed, 1 error" in done.stdout, done.stdout
    assert "ERROR test_these.py::test_that_leaves_a_tree" in done.stdout
    left = [int(pid) for pid in (tmp_path / "left").read_text().split()]
    assert len(left) == 2
    until = time.monotonic() + 10
    while any(map(conftest.command_of, left)):
        assert time.monotonic() < until, "what the test had started goes on"
        time.sleep(0.01)
