"""What judges cost an app that has not changed: a second run of judged cases beside the same run without judges.

    python -m bench.judged_again                            # 200 cases, three judges

Both are processes of their own, in turn, over the same recorded answers and each with its own baseline. It fails where
a judge is called, or the best of the judged runs takes more than half a second longer than the best of the others.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.fake_chat.server import fake_chat
from tests.judged_suites import judging, lie, member, truth, write_suite

_MOST_S = 0.5
_JUDGES = ("ada", "bob", "cyd")
_ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "CI": "true"}


def seconds(folder: Path, *arguments: str) -> float:
    """How long a run takes, start of the process included."""
    command = [sys.executable, "-m", "raggate_action", "run", "raggate.json", *arguments]
    began = time.monotonic()
    subprocess.run(command, cwd=folder, env=_ENVIRONMENT, check=False, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def measured(folder: Path, cases: int, rounds: int) -> tuple[float, float, int]:
    """The best judged and the best plain second run in seconds, and how many calls judges got for all of them."""
    answers = {f"q{number}": lie(number) if number % 7 == 0 else truth(number) for number in range(cases)}
    (folder / "judged").mkdir()
    (folder / "plain").mkdir()
    write_suite(folder / "plain", answers)
    judged, plain = list[float](), list[float]()
    with fake_chat(dict.fromkeys(_JUDGES, judging())) as chat:
        write_suite(folder / "judged", answers, [member(name, chat, concurrency=32) for name in _JUDGES])
        for name in ("judged", "plain"):
            seconds(folder / name, "--out", "base")
        asked = len(chat.asked)
        for _round in range(rounds):
            judged.append(seconds(folder / "judged", "--out", "head", "--baseline", "base"))
            plain.append(seconds(folder / "plain", "--out", "head", "--baseline", "base"))
        return min(judged), min(plain), len(chat.asked) - asked


def main() -> int:
    """Measure and print; 1 where a bound is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        judged, plain, calls = measured(Path(folder), options.cases, options.rounds)
    sys.stdout.write(
        f"{options.cases} cases, {len(_JUDGES)} judges, nothing changed: {calls} calls; {judged:.2f} s judged, "
        f"{plain:.2f} s without judges, {judged - plain:+.2f} s (at most {_MOST_S:+.2f})\n"
    )
    return int(calls > 0 or judged - plain > _MOST_S)


if __name__ == "__main__":
    sys.exit(main())
