"""Requests that failed and were answered when they were sent again: counted, told in one line, and no case's fault."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from raggate_action.report.resent_lines import resent_in_words
from tests.command_line import raggate
from tests.integration.servers import scripted_app


def run(folder: Path, script: dict[str, str]) -> tuple[str, Counter[str]]:
    """A run over a real app that behaves so, case by case; what the terminal shows, and the requests it got."""
    cases = [{"case_id": each, "question": f"How long, {each}?"} for each in script]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    with scripted_app(script) as app:
        target = json.dumps({"kind": "http", "url": app.url})
        (folder / "raggate.yaml").write_text(f"suite: shop\ncases: [cases.jsonl]\ntarget: {target}\n")
        done = raggate("run", "--out", "out", cwd=folder)
    return done.stdout + done.stderr, app.counts


def stored(folder: Path) -> dict[str, int]:
    resent: dict[str, int] = json.loads((folder / "out" / "run.json").read_text()).get("resent", {})
    return resent


def test_a_request_sent_again_is_counted_by_its_cause(tmp_path: Path) -> None:
    said, _counts = run(tmp_path, {"a": "503 then good", "b": "drops then good", "c": "good", "d": "503 then good"})
    line = "3 requests to the app failed and were sent again: HTTP 503 (2), connection closed (1)."
    assert f"app: {line}" in said
    assert f"- {line}" in (tmp_path / "out" / "comment.md").read_text()
    assert stored(tmp_path) == {"HTTP 503": 2, "connection closed": 1}


@pytest.mark.parametrize(
    ("script", "requests"),
    [({"a": "good", "b": "good"}, 1), ({"a": "429 then good", "b": "good"}, 2), ({"a": "503", "b": "good"}, 3)],
    ids=["a steady app", "a rate limit", "a case that failed for it"],
)
def test_what_is_no_silent_failure_is_no_line(tmp_path: Path, script: dict[str, str], requests: int) -> None:
    said, counts = run(tmp_path, script)
    assert counts["a"] >= requests
    assert "sent again" not in said
    assert stored(tmp_path) == {}


def test_one_is_told_as_one_and_the_most_frequent_first() -> None:
    assert resent_in_words({"HTTP 500": 1}) == "1 request to the app failed and was sent again: HTTP 500 (1)"
    assert resent_in_words({"HTTP 500": 1, "no connection": 2}).endswith(": no connection (2), HTTP 500 (1)")
    assert resent_in_words({}) == ""
