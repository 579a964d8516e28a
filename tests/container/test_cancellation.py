"""F12: the runner sends SIGINT, waits 7.5 s, sends SIGTERM, waits 2.5 s, kills."""

from __future__ import annotations

import json
import signal
import time

import pytest

from raggate_action.run_store import read_rows
from raggate_action.run_store.work_file import WORK
from tests.container.action_container import ActionContainer
from tests.integration.asking import eventually

SLOW_APP = """
import json, sys, time
for line in sys.stdin:
    time.sleep(0.1)
    print(json.dumps({"answer": "Fine.", "context": []}), flush=True)
"""
CASES = "".join(f"- {{case_id: q{number}, question: How are you?}}\n" for number in range(200))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_f12_a_cancelled_run_ends_in_time_and_is_marked_incomplete(
    number: signal.Signals, container: ActionContainer
) -> None:
    suite = "suite: slow\ntarget: {kind: command, command: [python3, app.py]}\ncases: [cases.yaml]\n"
    container.checkout({"app.py": SLOW_APP, "raggate.yaml": suite, "cases.yaml": CASES})
    directory = container.workspace / "raggate-run"
    running = container.start()
    # Its owner's alone: of the log only the size can be seen. A case is a page or two of 4 KiB, the tables are six.
    log = directory / f"{WORK}-wal"
    assert eventually(lambda: log.exists() and log.stat().st_size >= 16 * 4096, within_s=60)
    told = time.monotonic()
    running.interrupt(number)
    step = running.end()
    assert time.monotonic() - told < 5, step.log
    assert step.code == 130, step.log
    finished = [row.case_id for row in read_rows(directory)]
    assert 3 <= len(finished) < 200
    assert finished == [f"q{position}" for position in range(len(finished))]
    stored = directory / "run.json"
    assert not stored.exists() or json.loads(stored.read_text())["complete"] is False
