"""The example app compared with itself in its other mode, over real sockets, by judges who are told of neither."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ab_suites import ab_of, panel, rows_in
from tests.example_files import MENU, read_cases
from tests.fake_chat.server import fake_chat
from tests.integration.test_menu_app import running
from tests.pair_judges import grading, scripted
from tests.pair_prompts import pair_in

ROOT = Path(__file__).parents[2]
# A judge that knows what vouching for what nobody verified looks like; everything else is alike to it.
CAREFUL = scripted(
    grading(lambda text, _: 5 if re.search(r"cannot|does not (say|state|name)|no \w+ (is|states)", text) else 3)
)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The menu's suite in a folder of its own, its address a variable."""
    text = (MENU / "raggate.yaml").read_text()
    text = re.sub(r"(?<=[\[ ])(\w+\.(?:yaml|jsonl))(?=[\],])", rf"{MENU}/\1", text)
    path = tmp_path / "raggate.yaml"
    path.write_text(text)
    return path


def test_two_modes_of_the_menu_app_are_compared_in_one_thing(suite: Path, tmp_path: Path) -> None:
    asked = [case for case in read_cases(MENU) if case.trace is None]
    with (
        fake_chat({"ada": CAREFUL, "bob": CAREFUL}) as chat,
        running("helpful", tmp_path) as helpful,
        running("disciplined", tmp_path) as disciplined,
    ):
        ab = {
            "control": {"model": "none", "lab": "none"},
            "treatment": {
                "target": {"url": f"{disciplined.url}/answer", "ready": {"url": f"{disciplined.url}/healthz"}}
            },
            "judges": panel(chat, "ada", "bob"),
        }
        suite.write_text(f"{suite.read_text()}\nab: {json.dumps(ab)}\n")
        port = helpful.url.rpartition(":")[2]
        command = [sys.executable, "-m", "raggate_action", "ab", "raggate.yaml", "--out", "out"]
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "MENU_PORT": port}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        sent = [body["messages"] for body in (each.body for each in chat.asked)]
        pairs = [pair_in(each.body) for each in chat.asked]
    run = ab_of(tmp_path / "out")
    assert run["control"]["answered"] == run["treatment"]["answered"] == len(asked)
    one = run["one_variable"]
    assert one["fields"] == ["target.url"], "where it is waited for makes no answer"
    assert (one["compared"], one["apart"]) == (len(asked), [])
    assert [version["key"] for version in one["versions"]] == ["policy"]
    judged = run["judging"]["pairs"]
    assert len(run["aggregate"]["identical"]) + judged == len(asked)
    assert len(sent) == 2 * 2 * judged
    assert len(rows_in(tmp_path / "out")) == len(sent) + 2 * len(run["aggregate"]["identical"])
    # Blind: nothing that is sent tells which arm wrote what, or that there are arms.
    words = json.dumps(sent).casefold()
    for told in ("control", "treatment", "helpful", "disciplined", "policy", port, disciplined.url, "latency", "tool"):
        assert told not in words, told
    assert all(pair.chunks for pair in pairs)
