"""Twenty kills, also inside a write: no finished case is asked again, and the end is an unbroken run's."""

from __future__ import annotations

import json
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.integration.servers import ScriptedApp, scripted_app

CASES = 420
KILLS = 20
# Moments and durations: the only things in which a broken run may differ from an unbroken one.
TIMES = re.compile(r'"(started_at|decided_at|as_of|finished_at|\w*latency_ms)": ?("[^"]*"|[0-9.e+-]+|null)')


def write_suite(folder: Path, app: ScriptedApp) -> Path:
    cases = [
        {"case_id": f"case-{number}", "question": f"number {number}?", "category": f"kind-{number % 3}"}
        | ({"must_contain": ["nowhere"] * 1, "must_not_contain": ["number 7"]} if number % 7 == 0 else {})
        for number in range(CASES)
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "evidence.jsonl").write_text('{"chunk_id": "c1", "text": "A."}\n{"chunk_id": "c2", "text": "B."}\n')
    suite = folder / "raggate.yaml"
    suite.write_text(
        "suite: crash\nevidence: [evidence.jsonl]\ncases: [cases.jsonl]\n"
        f"target: {{kind: http, url: '{app.url}', concurrency: 8}}\nslices: {{by: [category]}}\n"
    )
    return suite


def start(suite: Path, out: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "raggate_action", "run", str(suite), "--out", str(out), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=suite.parent)


def finished(out: Path) -> set[str]:
    """Cases whose row is whole on disk."""
    rows = out / "cases.jsonl"
    if not rows.exists():
        return set()
    lines = rows.read_bytes().split(b"\n")[:-1]
    return {json.loads(line)["case_id"] for line in lines}


def kill_after(process: subprocess.Popen[bytes], app: ScriptedApp, *, answers: int, wait_s: float) -> None:
    seen = len(app.asked)
    while len(app.asked) < seen + answers and process.poll() is None:
        time.sleep(0.001)
    time.sleep(wait_s)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def tear(out: Path, draw: random.Random) -> None:
    """Leave what a kill inside a write leaves: the beginning of a line."""
    for name in ("traces.jsonl", "cases.jsonl"):
        lines = (out / name).read_bytes().splitlines()
        if lines and draw.random() < 0.7:
            with (out / name).open("ab") as file:
                file.write(lines[-1][: draw.randrange(1, len(lines[-1]))])


def timeless(path: Path) -> Any:
    lines = [
        json.loads(TIMES.sub(r'"\1": null', line)) for line in path.read_text().splitlines() if path.suffix == ".jsonl"
    ]
    return lines or json.loads(TIMES.sub(r'"\1": null', path.read_text()))


def test_twenty_kills_and_no_finished_case_is_asked_again(tmp_path: Path) -> None:
    draw = random.Random(7)
    with scripted_app(default="slow", slow_s=0.02) as app:
        suite, out = write_suite(tmp_path, app), tmp_path / "broken"
        asked_when_finished: dict[str, int] = {}
        for number in range(KILLS):
            resume = ("--resume",) if (out / "run.json").exists() else ()
            process = start(suite, out, *resume)
            kill_after(process, app, answers=draw.randrange(4, 18), wait_s=draw.random() * 0.03)
            assert process.returncode == -signal.SIGKILL, f"kill {number} came too late: the run had ended"
            for case_id in finished(out) - asked_when_finished.keys():
                asked_when_finished[case_id] = app.counts[case_id]
            if draw.random() < 0.6:
                tear(out, draw)
        assert len(asked_when_finished) > KILLS, "the kills came before anything was finished"

        done = start(suite, out, "--resume")
        printed, complained = done.communicate(timeout=60)
        assert done.returncode == 1, (printed, complained)
        again = {case_id for case_id, times in asked_when_finished.items() if app.counts[case_id] != times}
        assert not again
        assert set(app.counts) == {f"case-{number}" for number in range(CASES)}

        unbroken = tmp_path / "unbroken"
        start(suite, unbroken).communicate(timeout=60)
    assert timeless(out / "run.json") == timeless(unbroken / "run.json")
    assert timeless(out / "cases.jsonl") == timeless(unbroken / "cases.jsonl")
    assert not [path for path in out.iterdir() if "partial" in path.name]
