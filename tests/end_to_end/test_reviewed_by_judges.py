"""Judges who do not count, and of whom two labs agree: an answer that they newly call faulty is for people to look at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate
from tests.fake_chat.actions import error
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import CHUNK, fooled, judging, lie, member, rows_of, truth, write_answers, write_suite

REVIEWED = "1 answer to review"


@contextmanager
def reviewed(folder: Path, answers: dict[str, str], counts: str = "review", **labs: str) -> Iterator[FakeChat]:
    """A suite with two honest judges, and its first run, in `base`."""
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        panel = [member(name, chat, lab=labs.get(name, f"lab of {name}")) for name in ("ada", "bob")]
        write_suite(folder, answers, panel, judges={"counts": counts}, texts="full")
        run(folder, "base")
        yield chat


def run(folder: Path, out: str, baseline: str | None = None) -> int:
    against = ("--baseline", baseline) if baseline is not None else ()
    return raggate("run", "raggate.json", "--out", out, *against, cwd=folder).returncode


def change(folder: Path, **judges: Any) -> None:
    path = folder / "raggate.json"
    suite = json.loads(path.read_text())
    suite["judges"].update(judges)
    path.write_text(json.dumps(suite))


def comment(folder: Path, out: str) -> str:
    return (folder / out / "comment.md").read_text()


def gates(folder: Path, out: str) -> dict[str, str]:
    return {gate["gate"]: gate["status"] for gate in json.loads((folder / out / "run.json").read_text())["gates"]}


def test_an_answer_newly_called_faulty_by_two_labs_leaves_the_run_open_and_stands_first(tmp_path: Path) -> None:
    with reviewed(tmp_path, {"good": truth(1), "other": truth(2)}):
        write_answers(tmp_path, {"good": truth(1), "other": lie(2)})
        assert run(tmp_path, "head", "base") == 3
    said = comment(tmp_path, "head")
    [line] = [each for each in said.splitlines() if REVIEWED in each]
    assert line == next(each for each in said.splitlines() if each.startswith("> - ")), "it stands first"
    assert f"`other`: unsupported: {lie(2)} **Way out:**" in line
    for way in (
        "repair it",
        "`raggate-action judges label raggate-run`",
        "`waivers: [{case: other, gate: judges_review, ",
    ):
        assert way in line
    assert gates(tmp_path, "head")["judges_review"] == "unmeasured"
    assert rows_of(tmp_path / "head")["other"]["claims"][0]["verdict"] == "unverified", "it is no hallucination"
    again = raggate("report", "head", "--baseline", "base", "--format", "comment", cwd=tmp_path).stdout
    assert again == said


def test_what_the_baseline_had_and_a_first_run_are_shown_and_leave_nothing_open(tmp_path: Path) -> None:
    with reviewed(tmp_path, {"good": truth(1), "bad": lie(2)}):
        assert json.loads((tmp_path / "base/run.json").read_text())["decision"]["kind"] == "release"
        assert "Both judges call 1 claim of 1 answer unsupported" in comment(tmp_path, "base")
        assert run(tmp_path, "same", "base") == 0
        # The same claim beside another sentence: what is new is not what is called faulty.
        write_answers(tmp_path, {"good": truth(1), "bad": f"{lie(2)} {truth(7)}"})
        assert run(tmp_path, "reworded", "base") == 0
    for out in ("same", "reworded"):
        assert gates(tmp_path, out)["judges_review"] == "passed"
        assert "to review" not in comment(tmp_path, out)
        assert "Both judges call 1 claim of 1 answer unsupported" in comment(tmp_path, out)


@pytest.mark.parametrize("why", ["one supports it", "one lab", "one was not heard", "labelled"])
def test_judges_who_do_not_agree_or_are_of_one_lab_leave_nothing_open(tmp_path: Path, why: str) -> None:
    labs = {"ada": "Northlab", "bob": " northlab"} if why == "one lab" else {}
    with reviewed(tmp_path, {"good": truth(1)}, "labelled" if why == "labelled" else "review", **labs) as chat:
        if why == "one supports it":
            chat.script["bob"] = judging(fooled)
        if why == "one was not heard":
            chat.script["bob"] = error(500)
            change(tmp_path, panel=[member("ada", chat), member("bob", chat, attempts=1)])
        write_answers(tmp_path, {"good": lie(1)})
        assert run(tmp_path, "head", "base") == 0
        assert "to review" not in comment(tmp_path, "head")


def test_a_label_or_a_waiver_lets_it_go_and_a_label_beside_other_chunks_does_not(tmp_path: Path) -> None:
    claim = {"claim_id": "c1", "text": lie(1), "verdict": "supported"}
    chunk = {"chunk_id": "desk", "text": CHUNK["text"]}
    label = {"id": "l1", "question": "May I return order good?", "chunks": [chunk], "answer": lie(1), "claims": [claim]}

    def write(**fields: Any) -> None:
        (tmp_path / "calibration.jsonl").write_text(json.dumps({**label, **fields}) + "\n")

    with reviewed(tmp_path, {"good": truth(1)}):
        write_answers(tmp_path, {"good": lie(1)})
        write(chunks=[{"chunk_id": "desk", "text": "The desk opens at ten."}])
        assert run(tmp_path, "others", "base") == 3
        write(claims=[{**claim, "verdict": "partial"}])
        assert run(tmp_path, "faulty", "base") == 3
        write()
        assert run(tmp_path, "labelled", "base") == 0
        (tmp_path / "calibration.jsonl").unlink()
        suite = json.loads((tmp_path / "raggate.json").read_text())
        waiver = {
            "case": "good",
            "gate": "judges_review",
            "reason": "it holds",
            "owner": "kim",
            "expires": "2999-01-01",
        }
        (tmp_path / "raggate.json").write_text(json.dumps({**suite, "waivers": [waiver]}))
        assert run(tmp_path, "waived", "base") == 0


def test_who_leaves_off_to_review_answers_for_the_change_and_other_judges_are_not_compared(tmp_path: Path) -> None:
    with reviewed(tmp_path, {"good": truth(1)}) as chat:
        write_answers(tmp_path, {"good": lie(1)})
        change(tmp_path, counts="labelled")
        assert run(tmp_path, "left-off", "base") == 3
        assert "judges: counts `review` → `labelled`" in comment(tmp_path, "left-off")
        change(tmp_path, counts="review", panel=[member(name, chat, model="other") for name in ("ada", "bob")])
        chat.script["other"] = judging()
        change(tmp_path, panel=[member("ada", chat, model="other"), member("bob", chat)])
        assert run(tmp_path, "other", "base") == 0
        assert "not compared:** 1 answer: other judges, or none, judged the baseline's" in comment(tmp_path, "other")


def test_check_says_where_it_can_never_come_true(tmp_path: Path) -> None:
    with fake_chat({}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)], judges={"counts": "review"})
        told = raggate("check", "raggate.json", cwd=tmp_path).stdout
        assert "`counts: review` can never leave a run open" in told
        change(tmp_path, panel=[member("ada", chat), member("bob", chat)])
        assert "can never" not in raggate("check", "raggate.json", cwd=tmp_path).stdout
