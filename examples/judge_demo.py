"""Judges on trial: the menu app on questions that nobody has labelled, before and after a prompt change, and once more.

Everything is real but the models: the app and the three scripted judges are processes of their own on free ports, asked
over HTTP. No key is needed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import Any

from examples.demo import BLOCK, MENU, RELEASE, ROOT, port_written, running_app

JUDGES = ROOT / "examples" / "judges"
DEMO = ROOT / "judge-demo"
# Where the suite expects the judges.
_PORT = "8091"


def main() -> int:
    """Run all four steps and leave `judge-demo/` behind; 0 when each ended as it must."""
    shutil.rmtree(DEMO, ignore_errors=True)
    with running_judges() as port:
        suite = copied_suite(port)
        print("1. Three judges, and 55 claims of this app that people have labelled. Which of them can be believed?")
        tried = command("judges", "check", "--suite", suite)
        print("\n2. The app as it is, on questions without a label.")
        first = suite_run("disciplined", suite, "baseline")
        print("\n3. A prompt change makes it more helpful: what the menu does not say, it now makes up.")
        changed = suite_run("helpful", suite, "changed", "--baseline", shown(DEMO / "baseline"))
        print("\n4. The app as it was, once more: what did not change is not asked again.")
        again = suite_run("disciplined", suite, "again", "--baseline", shown(DEMO / "baseline"))
    print("\nWhat judging came to:")
    for name in ("baseline", "changed", "again"):
        print(f"  {name:<9} {judged(DEMO / name)}")
    shutil.copy(DEMO / "changed" / "comment.md", DEMO / "comment.md")
    print("What a reviewer would read on the pull request: judge-demo/comment.md")
    found = (tried, first, changed, again)
    if found == (RELEASE, RELEASE, BLOCK, RELEASE) and not calls_of(DEMO / "again"):
        print("As it must be: released, blocked by what judges alone can see, released again without a call.")
        return 0
    print(f"Not as it must be: exit codes {found}, {calls_of(DEMO / 'again')} calls in the last run.")
    return 1


def copied_suite(port: int) -> Path:
    """The suite beside the evidence it names, with the judges where they listen; examples stay as they are."""
    (DEMO / "menu").mkdir(parents=True)
    shutil.copy(MENU / "menu.jsonl", DEMO / "menu")
    (DEMO / "judges").mkdir()
    for name in ("questions.yaml", "labels.yaml"):
        shutil.copy(JUDGES / name, DEMO / "judges")
    suite = DEMO / "judges" / "raggate.yaml"
    suite.write_text((JUDGES / "raggate.yaml").read_text().replace(f":{_PORT}/", f":{port}/"))
    return suite


def command(*words: str | Path, port: int | None = None) -> int:
    """Run raggate; returns the exit code. Without an app's port the app is not asked."""
    line = [
        sys.executable,
        "-m",
        "raggate_action",
        *[shown(each) if isinstance(each, Path) else each for each in words],
    ]
    return subprocess.run(line, env={**os.environ, "MENU_PORT": str(port or 1)}, check=False).returncode


def suite_run(mode: str, suite: Path, out: str, *more: str) -> int:
    """Run the suite against the app in one mode; returns the exit code."""
    with running_app(mode) as port:
        return command("run", suite, "--out", DEMO / out, *more, port=port)


def shown(path: Path) -> str:
    """A path as somebody here would type it."""
    return os.path.relpath(path)


@contextmanager
def running_judges() -> Iterator[int]:
    """The scripted judges as a process of their own; yields its port."""
    with tempfile.TemporaryDirectory() as folder:
        port_file = Path(folder) / "port"
        place = ["--port", "0", "--port-file", str(port_file)]
        server = subprocess.Popen([sys.executable, str(JUDGES / "server.py"), *place])
        try:
            yield port_written(port_file, server)
        finally:
            server.terminate()
            server.wait(timeout=10)


def judged(directory: Path) -> str:
    """What judging a run came to, of its judgements as they lie there."""
    found = judgements_of(directory)
    lost = Counter(each["lost"]["code"] for each in found if each.get("lost"))
    of_lost = "".join(f", {number} lost ({code})" for code, number in lost.items())
    reused = sum(bool(each.get("reused")) for each in found)
    dollars = sum(each.get("cost_usd") or 0 for each in found)
    # Rounded up, as in the comment.
    cents = ceil(round(dollars * 10_000, 6)) / 10_000
    return f"{len(found)} judgements, {reused} reused{of_lost}; {calls_of(directory)} calls, {cents:.4f} USD"


def calls_of(directory: Path) -> int:
    """Calls made for a run, those about labels among them."""
    return sum(int(each.get("calls", 0)) for each in judgements_of(directory))


def judgements_of(directory: Path) -> list[dict[str, Any]]:
    """The lines of a run's `judgements.jsonl`."""
    return [json.loads(line) for line in (directory / "judgements.jsonl").read_text().splitlines()]


if __name__ == "__main__":
    sys.exit(main())
