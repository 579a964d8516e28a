"""`suite.json` of a baseline is a stranger's file: whatever it names, nobody is asked, nothing starts, nothing is imported."""

from __future__ import annotations

import hashlib
import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import RunStoreError
from raggate_action.run.count_and_decide import RunReport
from raggate_action.run_store import read_suite
from tests.weaker_suites import App, Project, live, project, run

Json = dict[str, Any]
EASY = project(12, gates={"behaviour": {"min": "50%"}})


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        yield server


def nobody_came(listener: socket.socket) -> bool:
    try:
        listener.accept()
    except TimeoutError:
        return True
    return False


def forge(folder: Path, **keys: Any) -> None:
    """The baseline's `suite.json` with other keys, and `run.json` that vouches for it."""
    path, run_path = folder / "run" / "suite.json", folder / "run" / "run.json"
    data = json.dumps({**json.loads(path.read_text()), **keys}).encode()
    path.write_bytes(data)
    stored = json.loads(run_path.read_text())
    stored["files"]["suite.json"] = {"digest": hashlib.sha256(data).hexdigest(), "lines": data.count(b"\n")}
    run_path.write_text(json.dumps(stored))


def test_a_suite_that_names_command_judge_and_check_does_nothing(tmp_path: Path, listener: socket.socket) -> None:
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    marker = tmp_path / "started"
    (tmp_path / "head").mkdir()
    (tmp_path / "head" / "evil.py").write_text(f"open({str(marker)!r}, 'w')\ndef check(case, trace):\n    return []\n")
    live(tmp_path / "base", EASY, App(EASY, lambda _case, _ask: False))
    stored = json.loads((tmp_path / "base" / "run" / "suite.json").read_text())
    named = [{**case, "custom_check": "evil:check"} for case in stored["cases"]]
    head = project(12, gates={"behaviour": {"min": "50%", "per_case": "60%"}}).but(cases={"q3": None})

    def pull_request(app: App) -> RunReport:
        return live(tmp_path / "head", head, app, tmp_path / "base" / "run")

    # A check is a name in the data of a case: nobody asks it, of an answer that is there or of a case taken out.
    forge(tmp_path / "base", cases=named, digests={"target.command": "0", "judges.ada": address})
    app = App(EASY, lambda _case, _ask: False)
    compared = pull_request(app).reporting.comparison
    assert compared is not None
    assert compared.policy is not None
    assert compared.policy.decision == "inconclusive", "what only its checks could tell is open"
    assert "q3" not in app.asked
    # What is no data is refused by name.
    for keys, name in (
        ({"target": {"kind": "command", "command": ["touch", str(marker)]}}, "target"),
        ({"judges": {"arming": {}, "panel": [{"name": "ada", "base_url": address}]}}, "judges"),
        ({"cases": [{**stored["cases"][0], "trace": {"answer": "x", "context": []}}]}, "has a trace"),
        ({"evidence": ["/etc/passwd"]}, "evidence"),
    ):
        forge(tmp_path / "base", **{**stored, **keys})
        with pytest.raises(RunStoreError, match=name):
            pull_request(app)
        (tmp_path / "base" / "run" / "suite.json").write_text(json.dumps(stored))
    assert not marker.exists()
    assert nobody_came(listener)
    assert "evil" not in sys.modules


def test_a_suite_that_its_run_does_not_vouch_for_is_refused(tmp_path: Path) -> None:
    run(tmp_path, EASY)
    path = tmp_path / "run" / "suite.json"
    assert read_suite(tmp_path / "run").cases[3].case_id == "q3"
    path.write_text(path.read_text().replace("33 days", "3 days"))
    with pytest.raises(RunStoreError, match="is not the file that the run ended with"):
        read_suite(tmp_path / "run")


def test_no_target_address_or_passage_is_in_it(tmp_path: Path) -> None:
    known_bad = {
        "released": False,
        "blocked_at": "answer completeness",
        "trace": {"answer": "A secret.", "context": ["c3"]},
    }
    target = {"kind": "http", "url": "http://10.1.2.3/answer", "headers": {"Authorization": "Bearer abc"}}
    own: Project = project(5, target=target, own_addresses=["help@example.com"])
    found = own.but(cases={"bad": {"question": "Why?", **known_bad}})
    live(tmp_path, found, App(found, lambda _case, _ask: False))
    content = (tmp_path / "run" / "suite.json").read_text()
    for word in ("10.1.2.3", "Bearer", "example.com", "A secret", "cases.jsonl", "evidence.jsonl", "sold in all shops"):
        assert word not in content, word
    stored = json.loads(content)
    assert set(stored["known_bad"]) == {"bad"}
    assert {"target.url", "target.headers", "own_addresses"} <= set(stored["digests"])
