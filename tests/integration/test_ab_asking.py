"""Two arms behind one real server: asked side by side, each with what differs, and nothing of a secret written down."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from tests.ab_suites import ab_of, panel, rows_in
from tests.command_line import raggate
from tests.fake_chat.server import fake_chat
from tests.integration.servers import scripted_app
from tests.judged_suites import lines
from tests.pair_judges import fives, scripted

IDS = ["q0", "q1", "q2", "q3"]


def write(folder: Path, url: str, judges: list[dict[str, object]]) -> None:
    (folder / "cases.jsonl").write_text(lines({"case_id": name, "question": f"What of {name}?"} for name in IDS))
    target = {"kind": "http", "url": url, "concurrency": 1, "attempts": 1}
    treatment = {"target": {"headers": {"X-Tool": "Bearer ${TOOL_KEY}"}}}
    ab = {"control": {"model": "m", "lab": "l"}, "treatment": treatment, "judges": judges}
    suite = {"suite": "sides", "cases": ["cases.jsonl"], "target": target, "ab": ab}
    (folder / "raggate.json").write_text(json.dumps(suite))


def test_each_question_is_with_both_arms_at_once(tmp_path: Path) -> None:
    with scripted_app(default="says") as app, fake_chat({"ada": scripted(fives())}) as chat:
        # Whoever answers waits for the other arm's question: one arm after the other would wait for ever.
        app.gate = threading.Barrier(2)
        app.replies = {name: json.dumps({"answer": "Yes.", "context": ["c"]}).encode() for name in IDS}
        write(tmp_path, app.url, panel(chat, "ada"))
        done = raggate("ab", "raggate.json", "--out", "out", cwd=tmp_path, TOOL_KEY="hush-hush-hush")
        assert done.returncode == 0, done.stderr
        assert chat.asked == [], "the same answer of both is a tie without a call"
    asked = [(each.case_id, "x-tool" in each.headers) for each in app.asked]
    assert sorted(asked) == [(name, tool) for name in IDS for tool in (False, True)]
    assert [case_id for case_id, _tool in asked] == [name for name in IDS for _arm in range(2)]
    assert app.most_at_once == 2
    one = ab_of(tmp_path / "out")["one_variable"]
    assert one["fields"] == ["target.headers.X-Tool"]
    assert ab_of(tmp_path / "out")["aggregate"]["identical"] == IDS
    assert {row["identical"] for row in rows_in(tmp_path / "out")} == {"yes"}


def test_what_an_arm_is_given_in_secret_stands_nowhere(tmp_path: Path) -> None:
    key = "hush-hush-hush"
    with scripted_app(default="says") as app, fake_chat({"ada": scripted(fives())}) as chat:
        app.replies = {name: json.dumps({"answer": f"I use {key}, {name}.", "context": ["c"]}).encode() for name in IDS}
        app.script = {"q3": "401 echo"}
        write(tmp_path, app.url, panel(chat, "ada"))
        done = raggate("ab", "raggate.json", "--out", "out", cwd=tmp_path, TOOL_KEY=key)
        sent = json.dumps([each.body for each in chat.asked])
    written = "".join(file.read_text() for file in (tmp_path / "out").iterdir())
    assert key not in written + sent + done.stdout + done.stderr
    assert "*** " in written or "***," in written


def test_an_unset_variable_of_an_arm_is_told_with_its_place(tmp_path: Path) -> None:
    with scripted_app() as app, fake_chat({"ada": scripted(fives())}) as chat:
        write(tmp_path, app.url, panel(chat, "ada"))
        done = raggate("ab", "raggate.json", "--out", "out", cwd=tmp_path)
        run = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert {each.case_id for each in app.asked} == set(IDS), "the run asks its own target, which lacks nothing"
    assert done.returncode == 2
    assert "`${TOOL_KEY}` is not set in the environment" in done.stderr
    assert run.returncode != 2
    assert not (tmp_path / "out").exists()
