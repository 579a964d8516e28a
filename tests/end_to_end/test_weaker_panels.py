"""A pull request that lets less decide: judges on weaker terms, fewer of them, or none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.command_line import raggate
from tests.fake_chat.actions import error
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import (
    fooled,
    judging,
    lie,
    member,
    rows_of,
    truth,
    write_answers,
    write_labels,
    write_suite,
)

GOOD = {"q1": truth(1), "q2": truth(2), "q3": truth(3)}
BAD = {**GOOD, "q2": lie(2)}
LOOSE = {"arming": {"ac1": -1, "false_pass": "100%"}}
WEAKER = "**The suite is not the baseline's:**"


def suite(folder: Path, chat: FakeChat, names: str, **judges: Any) -> None:
    write_suite(folder, GOOD, [member(name, chat, attempts=1) for name in names.split()], judges=judges)


def run(folder: Path, out: str, *arguments: str) -> tuple[int, str]:
    done = raggate("run", "raggate.json", "--out", out, *arguments, cwd=folder)
    assert done.returncode in {0, 1, 3}, done.stderr
    comment = (folder / out / "comment.md").read_text()
    base = arguments[1] if arguments else None
    again = raggate("report", out, *(["--baseline", base] if base else []), cwd=folder)
    assert again.stdout == comment, "rebuilt from what is stored"
    return done.returncode, comment


def policy_of(folder: Path, out: str = "head") -> dict[str, Any]:
    compared = json.loads((folder / out / "comparison.json").read_text())
    return compared["policy"] or {}


def test_judges_that_only_weaker_terms_arm_do_not_outvote_the_one_that_counted(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "bob": judging(fooled), "cyd": judging(fooled)}) as chat:
        suite(tmp_path, chat, "ada bob cyd")
        write_labels(tmp_path, right=40, faults=30)
        assert run(tmp_path, "base")[0] == 0
        suite(tmp_path, chat, "ada bob cyd", **LOOSE)
        write_answers(tmp_path, BAD)
        code, comment = run(tmp_path, "head", "--baseline", "base")
        [row] = [row for name, row in rows_of(tmp_path / "head").items() if name == "q2"]
        assert (row["state"], row["claims"][0]["verdict"]) == ("passed", "supported"), "two outvote one"
        by_baseline = [json.loads(line) for line in (tmp_path / "head" / "by_baseline.jsonl").read_text().splitlines()]
        assert {each["case_id"]: each["outcomes"]["faithfulness"]["kind"] for each in by_baseline}["q2"] == "failed"
        assert code == 1
        loosened = "`judges.arming.ac1` `0.6` → `-1.0`; `judges.arming.false_pass` `0.3` → `1`"
        assert f"> - {WEAKER} {loosened}. By the baseline's suite this is a block. **Way out:**" in comment
        assert "| policy weakened | – | 2 gates fail by the baseline's suite | – | – | none | ❌ failed |" in comment
        assert "- `q2`: May I return order q2?\n" in comment, "what fails by the baseline's suite stands open"
        # The same answer is blocked where nobody loosens anything, and the same loosening is a line where it is true.
        suite(tmp_path, chat, "ada bob cyd")
        write_answers(tmp_path, BAD)
        assert run(tmp_path, "strict", "--baseline", "base")[0] == 1
        suite(tmp_path, chat, "ada bob cyd", **LOOSE)
        code, comment = run(tmp_path, "true", "--baseline", "base")
    assert code == 0
    assert f"> - {WEAKER} {loosened}. By the baseline's suite this is released as well." in comment


def test_a_verdict_of_fewer_votes_than_the_baseline_wanted_leaves_its_decision_open(tmp_path: Path) -> None:
    names = ("ada", "bob", "cyd")
    with fake_chat(dict.fromkeys(names, judging())) as chat:
        suite(tmp_path, chat, "ada bob cyd", quorum=3)
        write_labels(tmp_path, right=40, faults=30)
        assert run(tmp_path, "base")[0] == 0
        suite(tmp_path, chat, "ada bob cyd", quorum=1)
        write_answers(tmp_path, {name: text.replace("Somebody", "Anybody") for name, text in GOOD.items()})
        chat.script |= {"bob": error(500), "cyd": error(500)}
        code, comment = run(tmp_path, "head", "--baseline", "base")
    assert {row["state"] for row in rows_of(tmp_path / "head").values()} == {"passed"}
    assert code == 1
    inconclusive = "By the baseline's suite this is inconclusive."
    assert f"> - {WEAKER} `judges.quorum` `3` → `1`. {inconclusive} **Way out:**" in comment
    assert "| policy weakened | – | 2 gates fail by the baseline's suite | – | – | none | ❌ failed |" in comment


def test_a_suite_without_its_judges_is_inconclusive_and_says_that_nobody_looks_any_more(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        suite(tmp_path, chat, "ada")
        write_labels(tmp_path, right=40, faults=30)
        assert run(tmp_path, "base")[0] == 0
    write_suite(tmp_path, BAD)
    code, comment = run(tmp_path, "head", "--baseline", "base")
    assert code == 3
    assert WEAKER in comment
    assert "`judges.ada` `ada " in comment
    assert policy_of(tmp_path)["decision"] == "inconclusive", "nobody can tell"


def test_an_armed_judge_that_is_gone_is_named_and_an_adviser_is_not_missed(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "bob": judging(), "cyd": judging(fooled)}) as chat:
        suite(tmp_path, chat, "ada bob cyd")
        write_labels(tmp_path, right=40, faults=30)
        assert run(tmp_path, "base")[0] == 0
        suite(tmp_path, chat, "ada bob")
        code, comment = run(tmp_path, "head", "--baseline", "base")
        assert (code, policy_of(tmp_path)["decision"]) == (0, "release"), "it only advised"
        suite(tmp_path, chat, "ada")
        code, comment = run(tmp_path, "head", "--baseline", "base")
    assert code == 0, "the one that is left counts"
    assert f"> - {WEAKER} `judges.bob` `bob " in comment


def test_an_honest_swap_of_a_model_is_no_weakening(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "bob": judging(), "eve": judging()}) as chat:
        suite(tmp_path, chat, "ada bob")
        write_labels(tmp_path, right=40, faults=30)
        assert run(tmp_path, "base")[0] == 0
        for panel in (
            [member("ada", chat), member("eve", chat)],
            [member("ada", chat), member("bob", chat, model="eve")],
        ):
            write_suite(tmp_path, GOOD, panel)
            code, comment = run(tmp_path, "head", "--baseline", "base")
            assert code == 0
            assert "By the baseline's suite this is released as well." in comment
            assert {each["key"] for each in policy_of(tmp_path)["changes"]} <= {"judges.bob", "judges.eve"}


def test_terms_that_few_labels_meet_are_a_line_where_all_judges_are_honest(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        suite(tmp_path, chat, "ada")
        write_labels(tmp_path, right=25, faults=12)
        assert run(tmp_path, "base")[0] == 0
        suite(tmp_path, chat, "ada", arming={"labels": 37, "faults": 12})
        code, comment = run(tmp_path, "head", "--baseline", "base")
        rows = rows_of(tmp_path / "head")
    assert {row["claims"][0]["verdict"] for row in rows.values()} == {"supported"}, "it counts by now"
    assert code == 0
    terms = "`judges.arming.labels` `50` → `37`; `judges.arming.faults` `20` → `12`"
    assert f"> - {WEAKER} {terms}. By the baseline's suite this is released as well." in comment
