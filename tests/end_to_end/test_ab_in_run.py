"""`run` with `ab:` and without arms: the baseline's answers beside this run's, judged blind, kept, shown, decided."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.ab_suites import panel, rows_in
from tests.command_line import raggate
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import judgements_of, lie, truth, write_answers, write_suite
from tests.pair_judges import honest, scripted
from tests.pair_prompts import pair_in

IDS = [f"q{number:02}" for number in range(12)]
SOUND = {case_id: truth(number) for number, case_id in enumerate(IDS)}
BOLD = {case_id: lie(number) for number, case_id in enumerate(IDS)}
HONEST = scripted(honest(SOUND.values()))


def suite(folder: Path, answers: Mapping[str, str], chat: FakeChat, *names: str, **fields: Any) -> None:
    ab = {"judges": panel(chat, *(names or ("ada", "bob")))}
    write_suite(folder, answers, **{"ab": ab, **fields})


def run(folder: Path, out: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return raggate("run", "raggate.json", "--out", out, *arguments, cwd=folder, **environment)


def ab_in(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((directory / "run.json").read_text())["ab"]
    return found


def gate_in(directory: Path) -> dict[str, Any]:
    gates = json.loads((directory / "run.json").read_text())["gates"]
    return next((each for each in gates if each["gate"] == "ab"), {})


def test_answers_that_are_the_baselines_are_ties_that_nobody_is_asked_about(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "bob": HONEST}) as chat:
        suite(tmp_path, SOUND, chat)
        first = run(tmp_path, "base")
        assert "ab" not in json.loads((tmp_path / "base/run.json").read_text()), "there is no baseline yet"
        assert not (tmp_path / "base/judge_rows.csv").exists()
        done = run(tmp_path, "head", "--baseline", "base")
        assert chat.asked == []
    assert (first.returncode, done.returncode) == (0, 0), done.stderr
    ab = ab_in(tmp_path / "head")
    assert (ab["identical"], ab["changed"], ab["judging"]["calls"]) == (12, 0, 0)
    assert gate_in(tmp_path / "head")["status"] == "passed"
    rows = rows_in(tmp_path / "head")
    assert len(rows) == 24
    assert {(row["identical"], row["verdict"], row["total_A"]) for row in rows} == {("yes", "tie", "")}
    comment = (tmp_path / "head/comment.md").read_text()
    assert "**A/B:** all 12 answers are the baseline's, and no judge was asked." in comment


def test_worse_answers_lose_whatever_order_a_judge_saw_and_the_gate_blocks_where_it_is_told_to(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "bob": HONEST}) as chat:
        suite(tmp_path, SOUND, chat)
        run(tmp_path, "base")
        write_answers(tmp_path, BOLD)
        done = run(tmp_path, "head", "--baseline", "base")
        assert chat.counts == {"ada": 24, "bob": 24}
        seen = [pair_in(each.body) for each in chat.asked]
        assert {read.a in SOUND.values() for read in seen} == {True, False}
        assert done.returncode == 0, "it warns by default"
        gate = gate_in(tmp_path / "head")
        assert (gate["level"], gate["status"], gate["offending"]) == ("warn", "failed", 12)
        suite(tmp_path, BOLD, chat, gates={"ab": {"level": "block"}})
        blocked = run(tmp_path, "again", "--baseline", "base")
    assert blocked.returncode == 1, blocked.stderr
    assert gate_in(tmp_path / "again")["level"] == "block"
    rows = rows_in(tmp_path / "head")
    assert {(row["baseline_response"] in SOUND.values(), row["verdict"]) for row in rows} == {(True, "A")}
    assert len(judgements_of(tmp_path / "head")) == 48
    for name in ("comment.md", "summary.md", "findings.md"):
        assert "The treatment is worse." in (tmp_path / "head" / name).read_text(), name
