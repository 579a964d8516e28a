"""A release, then a block: the menu app as it is, and after a prompt change that invents facts.

Everything is real: the app is a process of its own on a free port, asked over HTTP. No key is needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MENU = ROOT / "examples" / "menu"
RELEASE, BLOCK = 0, 1


def main() -> int:
    """Run both and leave `demo/` behind; 0 when both ended as they must."""
    demo = ROOT / "demo"
    shutil.rmtree(demo, ignore_errors=True)
    demo.mkdir()
    print("1. The app as it is: it answers from the menu, or says that the menu does not tell.")
    good = suite_run("disciplined", demo / "baseline")
    print("\n2. A prompt change makes it more helpful: what the menu does not say, it now makes up.")
    changed = suite_run("helpful", demo / "changed", "--baseline", str(demo / "baseline"))
    shutil.copy(demo / "changed" / "comment.md", demo / "comment.md")
    print("\nWhat a reviewer would read on the pull request: demo/comment.md")
    print("Every case on a page, to open in a browser: demo/changed/report.html")
    if (good, changed) == (RELEASE, BLOCK):
        print("As it must be: the first run releases, the second blocks.")
        return 0
    print(f"Not as it must be: exit codes {good} and {changed}, expected {RELEASE} and {BLOCK}.")
    return 1


def suite_run(mode: str, out: Path, *more: str) -> int:
    """Run the menu suite against the app in one mode; returns the exit code."""
    with running_app(mode) as port:
        suite = os.path.relpath(MENU / "raggate.yaml")
        command = [sys.executable, "-m", "raggate_action", "run", suite, "--out", os.path.relpath(out), *more]
        environment = {**os.environ, "MENU_PORT": str(port)}
        return subprocess.run(command, env=environment, check=False).returncode


@contextmanager
def running_app(mode: str, *more: str, host: str = "127.0.0.1") -> Iterator[int]:
    """The app as a process of its own, with further options, listening at `host`; yields its port."""
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder) / "port"
        place = ["--host", host, "--port", "0", "--port-file", str(port_file)]
        app = subprocess.Popen(
            [sys.executable, str(MENU / "app.py"), "--mode", mode, *place, *more], stdout=subprocess.DEVNULL
        )
        try:
            yield port_written(port_file, app)
        finally:
            app.terminate()
            app.wait(timeout=10)


def port_written(port_file: Path, app: subprocess.Popen[bytes]) -> int:
    """Wait for the app to say where it listens."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and app.poll() is None:
        if port_file.exists() and (text := port_file.read_text().strip()):
            return int(text)
        time.sleep(0.02)
    sys.exit("demo: the example app did not start")


if __name__ == "__main__":
    sys.exit(main())
