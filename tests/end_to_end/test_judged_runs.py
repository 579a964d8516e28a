"""Runs with judges: what they may decide, what they cost, and that nobody is asked what was said before."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command_line import raggate
from tests.fake_chat.server import fake_chat
from tests.judged_suites import judgements_of, judging, lie, member, rows_of, truth, write_suite

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
