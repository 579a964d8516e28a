"""Two small programs as arms, of which one is given a tool by its environment; and the texts rebuilt from what they left."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from raggate_action.run.ab.two_arms import ab_texts
from raggate_action.schema.ab_run import AbRun
from raggate_action.suite_files.judge_rows_file import read_rows_file
from tests.ab_suites import ab_of, panel, rows_in
from tests.command_line import raggate
from tests.fake_chat.server import fake_chat
from tests.judged_suites import lines
from tests.pair_judges import grading, scripted

APP = """\
import json, os, sys
for line in sys.stdin:
    case = json.loads(line)
    tool = os.environ.get("TOOL")
    if case["case_id"] == "crash" and tool:
        sys.exit("the tool broke")
    text = "The desk opens at nine [desk]." if tool else "It opens early, come at <b>any</b> time | =1+1"
    print(json.dumps({"case_id": case["case_id"], "answer": text + " " + case["question"], "context": ["desk"],
                      "tool_calls": ["clock"] if tool else [], "versions": {"tool": tool or "none"}}), flush=True)
"""
IDS = ["q0", "q1", "crash", "q3"]


def test_a_tool_by_the_environment_is_the_one_thing_and_its_texts_are_made_again_from_the_files(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP)
    (tmp_path / "cases.jsonl").write_text(lines({"case_id": name, "question": f"When, {name}?"} for name in IDS))
    (tmp_path / "evidence.jsonl").write_text(lines([{"chunk_id": "desk", "text": "The desk opens at nine."}]))
    with fake_chat({"ada": scripted(grading(lambda text, _: 5 if "[desk]" in text else 2))}) as chat:
        suite = {
            "suite": "desk",
            "cases": ["cases.jsonl"],
            "evidence": ["evidence.jsonl"],
            "target": {"kind": "command", "command": [sys.executable, "app.py"]},
            "ab": {
                "control": {"model": "m", "lab": "l"},
                "treatment": {"target": {"env": {"TOOL": "clock"}}},
                "judges": panel(chat, "ada"),
            },
        }
        (tmp_path / "raggate.json").write_text(json.dumps(suite))
        done = raggate("ab", "raggate.json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "clock" not in json.dumps([each.body for each in chat.asked]), "no judge hears of a tool"
    out = tmp_path / "raggate-ab"
    run = ab_of(out)
    assert run["one_variable"]["fields"] == ["target.env.TOOL"]
    assert run["one_variable"]["versions"] == [{"key": "tool", "control": "none", "treatment": "clock"}]
    assert [(each["question_id"], each["arms"]) for each in run["unasked"]] == [("crash", ["treatment"])]
    assert "the tool broke" in run["unasked"][0]["detail"]
    assert {row["verdict"] for row in rows_in(out)} == {"B", ""}
    # Whoever has the directory has its texts, byte for byte.
    made_again = ab_texts(
        AbRun.model_validate_json((out / "ab.json").read_bytes()), tuple(read_rows_file(out / "judge_rows.csv").rows)
    )
    assert {name: (out / name).read_text() for name in made_again} == made_again
    assert set(made_again) == {"findings.md", "summary.md", "report.html"}
