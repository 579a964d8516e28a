"""Kills at random moments, also inside a write: what is finished is asked no more, and the end is an unbroken run's."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from raggate_action.run_store import read_rows
from raggate_action.run_store.work_file import WORK
from tests.forked import Forked, Forks
from tests.integration.servers import ScriptedApp, scripted_app
from tests.stored_runs import in_work_file
from tests.thorough import KILLS

# `make test` kills five times, `make test ALL=1` twenty.
CASES = 60 + 18 * KILLS
# Moments and durations, and the digests of files that have them: all in which a broken run may differ from an unbroken.
TIMES = re.compile(r'"(started_at|decided_at|as_of|finished_at|\w*latency_ms|digest)": ?("[^"]*"|[0-9.e+-]+|null)')


KILLS_WHILE_CHECKED = 2 + max(2, KILLS // 5)
CHECKED = 40 + 20 * KILLS_WHILE_CHECKED
# Says that it was asked, once for each time.
CHECKS = """
import time

def say(word, case):
    with open("checked", "a") as file:
        file.write(word + " " + case["case_id"] + "\\n")

def slowly(case, trace):
    say("asked", case)
    time.sleep(0.03)
    return ["not so"] if "7" in case["question"] else []
"""


def write_suite(folder: Path, app: ScriptedApp, *, number_of_cases: int = CASES, check: str | None = None) -> Path:
    cases = [
        {"case_id": f"case-{number}", "question": f"number {number}.", "category": f"kind-{number % 3}"}
        | ({"custom_check": check} if check else {})
        | ({"must_contain": ["nowhere"] * 1, "must_not_contain": ["number 7"]} if number % 7 == 0 else {})
        for number in range(number_of_cases)
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "evidence.jsonl").write_text('{"chunk_id": "c1", "text": "A."}\n{"chunk_id": "c2", "text": "B."}\n')
    suite = folder / "raggate.yaml"
    suite.write_text(
        "suite: crash\nevidence: [evidence.jsonl]\ncases: [cases.jsonl]\n"
        f"target: {{kind: http, url: '{app.url}', concurrency: 8}}\nslices: {{by: [category]}}\n"
        # A case whose check fails would be asked three times, and the check with it.
        + ("confirm: 0\n" if check else "")
    )
    return suite


Start = Callable[..., Forked]


@pytest.fixture
def start(forks: Forks) -> Start:
    """Start a run in a process of its own."""

    def run(suite: Path, out: Path, *more: str) -> Forked:
        program = ("-m", "raggate_action", "run", str(suite), "--out", str(out), *more)
        return forks.start(*program, cwd=suite.parent, env=os.environ)

    return run


def finished(out: Path) -> set[str]:
    """Cases whose row is whole on disk."""
    return {row.case_id for row in read_rows(out)} if (out / "run.json").exists() else set()


def kill_after(process: Forked, count: Callable[[], int], *, more: int, wait_s: float) -> None:
    """Kill the run some moments after `count` has grown by so many."""
    seen = count()
    while count() < seen + more and process.poll() is None:
        time.sleep(0.001)
    time.sleep(wait_s)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def tear(out: Path, draw: random.Random) -> None:
    """Leave what a kill inside a commit leaves: some of its pages, and the beginning of one."""
    log = out / f"{WORK}-wal"
    pages = log.read_bytes()[32:] if log.exists() else b""
    with log.open("ab") as file:
        file.write(pages[: draw.randrange(len(pages))] if pages else b"")


def timeless(path: Path) -> Any:
    lines = [
        json.loads(TIMES.sub(r'"\1": null', line)) for line in path.read_text().splitlines() if path.suffix == ".jsonl"
    ]
    return lines or json.loads(TIMES.sub(r'"\1": null', path.read_text()))


def test_kills_and_no_finished_case_is_asked_again(tmp_path: Path, start: Start) -> None:
    draw = random.Random(7)
    with scripted_app(default="slow", slow_s=0.02) as app:
        suite, out = write_suite(tmp_path, app), tmp_path / "broken"
        asked_when_finished: dict[str, int] = {}
        for number in range(KILLS):
            resume = ("--resume",) if (out / "run.json").exists() else ()
            process = start(suite, out, *resume)
            kill_after(process, lambda: len(app.asked), more=draw.randrange(4, 18), wait_s=draw.random() * 0.03)
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
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def waiting(out: Path, what: str) -> set[str]:
    """Cases whose reply (`trace`), or the verdicts on it, stand whole on disk before their row."""
    held = in_work_file(out, "SELECT position, trace IS NOT NULL, verdicts IS NOT NULL FROM answers")
    return {f"case-{n}" for n, *has in held if has[what == "verdicts"]}


def calls_in(checked: Path) -> Counter[str]:
    """How often each case was checked."""
    return Counter(checked.read_text().split()[1::2]) if checked.exists() else Counter()


def test_kills_while_checks_are_waited_for_repeat_no_answer_and_no_finished_check(tmp_path: Path, start: Start) -> None:
    draw = random.Random(11)
    (tmp_path / "checks.py").write_text(CHECKS)
    checked = tmp_path / "checked"
    asked_when: dict[str, int] = {}
    checked_when: dict[str, int] = {}
    between = {"draft and verdict": 0, "verdict and row": 0}
    with scripted_app(default="slow", slow_s=0.02) as app:
        suite, out = write_suite(tmp_path, app, number_of_cases=CHECKED, check="checks:slowly"), tmp_path / "broken"
        for kill in range(KILLS_WHILE_CHECKED):
            process = start(suite, out, *(("--resume",) if (out / "run.json").exists() else ()))
            # The first while cases are asked; the later ones while checks are waited for, or between these and rows.
            count = (lambda: len(app.asked)) if kill < 2 else (lambda: calls_in(checked).total())
            kill_after(process, count, more=draw.randrange(6, 14), wait_s=draw.random() * 0.05)
            assert process.returncode == -signal.SIGKILL, f"kill {kill} came too late: the run had ended"
            answered, judged, rows = waiting(out, "trace"), waiting(out, "verdicts"), finished(out)
            between["draft and verdict"] += len(answered - judged - rows)
            between["verdict and row"] += len(judged - rows)
            calls = calls_in(checked)
            asked_when |= {case_id: app.counts[case_id] for case_id in (answered | rows) - asked_when.keys()}
            checked_when |= {case_id: calls[case_id] for case_id in (judged | rows) - checked_when.keys()}
            tear(out, draw)
        assert between["draft and verdict"], "no kill came while a check was waited for"
        assert len(checked_when) > 6

        done = start(suite, out, "--resume")
        printed, complained = done.communicate(timeout=120)
        assert done.returncode == 1, (printed, complained)
        assert {case_id: app.counts[case_id] for case_id in asked_when} == asked_when
        calls = calls_in(checked)
        assert {case_id: calls[case_id] for case_id in checked_when} == checked_when
        assert set(app.counts) == set(calls) == {f"case-{number}" for number in range(CHECKED)}

        unbroken = tmp_path / "unbroken"
        start(suite, unbroken).communicate(timeout=120)
    assert timeless(out / "run.json") == timeless(unbroken / "run.json")
    assert timeless(out / "cases.jsonl") == timeless(unbroken / "cases.jsonl")
    assert not [path for path in out.iterdir() if path.name.startswith(".")]
