"""Runs with judges: what they may decide, what they cost, and that nobody is asked what was said before."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import raggate
from tests.fake_chat.server import fake_chat
from tests.judged_suites import (
    QUOTE,
    judgements_of,
    judging,
    lie,
    member,
    rows_of,
    truth,
    write_labels,
    write_suite,
)

FORTY = {f"q{number}": truth(number) if number % 4 else lie(number) for number in range(40)}


def test_forty_unlabelled_questions_and_judges_that_nobody_has_tried_block_nothing(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        write_suite(tmp_path, FORTY, [member("ada", chat), member("bob", chat)])
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert chat.counts == {"ada": 40, "bob": 40}
    write_suite(tmp_path, FORTY)
    without = raggate("run", "raggate.json", "--out", "plain", cwd=tmp_path)
    assert done.returncode == without.returncode, done.stderr
    judged, plain = rows_of(tmp_path / "run"), rows_of(tmp_path / "plain")
    for case_id, row in judged.items():
        assert row["outcomes"] == plain[case_id]["outcomes"], "an advising judge changes no outcome"
        assert row["state"] == plain[case_id]["state"]
        [claim] = row["claims"]
        expected = "unsupported" if "whenever" in FORTY[case_id] else "supported"
        assert [(vote["judge"], vote["verdict"]) for vote in claim["votes"]] == [("ada", expected), ("bob", expected)]
        assert claim["verdict"] == "unverified"
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert [card["armed"] for card in run["panel"]["cards"]] == [False, False]
    assert [card["why_not"] for card in run["panel"]["cards"]] == ["no-labels", "no-labels"]
    assert len(judgements_of(tmp_path / "run")) == 80


def test_judges_that_people_have_tried_catch_a_lie_in_other_words_and_verify_the_truth(tmp_path: Path) -> None:
    answers = {"good": truth(1), "bad": lie(2), "fine": truth(3)}
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat), member("bob", chat)])
        write_labels(tmp_path, right=40, faults=30)
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert [(card["judge"], card["armed"]) for card in run["panel"]["cards"][:2]] == [("ada", True), ("bob", True)]
    assert run["panel"]["quorum"] == 2
    rows = rows_of(tmp_path / "run")
    assert {case_id: row["state"] for case_id, row in rows.items()} == {
        "good": "passed",
        "bad": "failed",
        "fine": "passed",
    }
    assert {case_id: row["claims"][0]["verdict"] for case_id, row in rows.items()} == {
        "good": "supported",
        "bad": "unsupported",
        "fine": "supported",
    }
    assert rows["good"]["claims"][0]["quote"] == QUOTE
    assert rows["good"]["outcomes"]["faithfulness"]["kind"] == "passed"
    assert rows["bad"]["first_failed_stage"] == "answer faithfulness"
    assert "no chunk says whenever" in rows["bad"]["claims"][0]["note"]
