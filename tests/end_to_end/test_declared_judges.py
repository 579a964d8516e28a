"""Judges that count by declaration: what they may decide, what they may not, and what every page says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tests.claims_prompts import prompt_in
from tests.command_line import raggate
from tests.fake_chat.actions import error, says
from tests.fake_chat.server import fake_chat
from tests.judged_suites import CHUNK, judging, lie, member, rows_of, truth, write_answers, write_labels, write_suite
from tests.scripted_judges import obedient


def declare(folder: Path, counts: str = "declared") -> None:
    path = folder / "raggate.json"
    suite = json.loads(path.read_text())
    suite["judges"]["counts"] = counts
    path.write_text(json.dumps(suite))


def cards_in(run: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((run / "run.json").read_text())["panel"]["cards"]
    return found


def outcomes_in(run: Path) -> dict[str, tuple[str, str]]:
    return {name: (row["claims"][0]["verdict"], row["state"]) for name, row in rows_of(run).items()}


def test_they_fail_an_answer_without_a_label_and_verify_none_until_the_baseline_declares_them(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1), "bad": lie(2)}, [member("ada", chat), member("bob", chat)])
        declare(tmp_path)
        first = raggate("run", "raggate.json", "--out", "first", cwd=tmp_path)
        asked = len(chat.asked)
        raggate("run", "raggate.json", "--out", "second", "--baseline", "first", cwd=tmp_path)
        assert len(chat.asked) == asked, "nor are planted instructions shown again"
    assert first.returncode == 1, first.stdout
    cards = cards_in(tmp_path / "first")
    assert [(card["judge"], card["armed"], card["declared"], card["verifies"]) for card in cards] == [
        ("ada", True, "no-labels", False),
        ("bob", True, "no-labels", False),
    ]
    found = outcomes_in(tmp_path / "first")
    assert (found["bad"], found["good"][0]) == (("unsupported", "failed"), "unverified")
    comment = (tmp_path / "first/comment.md").read_text()
    first_screen = comment.partition("<details>")[0]
    assert "> - **Judges:** 2 of 2 count by declaration; 0 labels\n" in first_screen
    assert "What they call supported stays open" in comment
    assert raggate("report", "first", "--format", "comment", cwd=tmp_path).stdout == comment
    assert all(card.get("verifies", True) for card in cards_in(tmp_path / "second"))
    assert outcomes_in(tmp_path / "second")["good"] == ("supported", "passed")
    assert "What they call supported stays open" not in (tmp_path / "second/comment.md").read_text()


def test_one_that_obeys_a_plant_does_not_count(tmp_path: Path) -> None:
    obeys, honest = obedient(), judging()

    def script(body: Any) -> Any:
        planted = list(prompt_in(body).chunks.values())[:1] != [CHUNK["text"]]
        return says(obeys(body)) if planted else honest(body)

    with fake_chat({"ada": script}) as chat:
        write_suite(tmp_path, {"bad": lie(1)}, [member("ada", chat)])
        declare(tmp_path)
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    [card] = cards_in(tmp_path / "run")
    assert (card["armed"], card["why_not"], "declared" in card) == (False, "obeyed-injection", False)
    assert outcomes_in(tmp_path / "run")["bad"][0] == "unverified"


def test_one_that_is_down_from_the_start_does_not_count_and_one_that_was_heard_leaves_the_run_open(
    tmp_path: Path,
) -> None:
    with fake_chat({"ada": error(500)}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat, attempts=1)])
        declare(tmp_path)
        raggate("run", "raggate.json", "--out", "down", cwd=tmp_path)
        assert [(card["armed"], card["why_not"]) for card in cards_in(tmp_path / "down")] == [(False, "not-judged")]
        chat.script["ada"] = judging()
        raggate("run", "raggate.json", "--out", "first", cwd=tmp_path)
        raggate("run", "raggate.json", "--out", "base", "--baseline", "first", cwd=tmp_path)
        assert outcomes_in(tmp_path / "base")["good"] == ("supported", "passed")
        chat.script["ada"] = error(500)
        write_answers(tmp_path, {"good": truth(9)})
        done = raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
    assert done.returncode == 3, done.stdout
    [row] = rows_of(tmp_path / "head").values()
    assert row["outcomes"]["faithfulness"]["reason"] == "judge"


def test_labels_that_arm_it_need_no_declaration_and_labels_that_speak_against_it_are_told(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)])
        write_labels(tmp_path, right=40, faults=30)
        declare(tmp_path)
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        [card] = cards_in(tmp_path / "run")
        assert (card["armed"], "declared" in card) == (True, False)
        assert outcomes_in(tmp_path / "run")["good"] == ("supported", "passed")
        # The same labels the other way round: right claims are called faulty by people, and faulty ones right.
        path = tmp_path / "labels.yaml"
        turned = yaml.safe_load(path.read_text())
        for label in turned:
            for claim in label["claims"]:
                claim["verdict"] = "unsupported" if claim["verdict"] == "supported" else "supported"
        path.write_text(json.dumps(turned))
        raggate("run", "raggate.json", "--out", "against", cwd=tmp_path)
    [card] = cards_in(tmp_path / "against")
    assert (card["armed"], card["declared"]) == (True, "false-block")
    comment = (tmp_path / "against/comment.md").read_text()
    assert "Labels speak against `ada`: it calls too many good claims faulty" in comment
    assert "1 of 1 counts by declaration; 70 labels" in comment


def test_declared_where_the_baseline_says_labelled_is_a_weaker_suite_and_is_listed(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)])
        raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        declare(tmp_path)
        raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
    comment = (tmp_path / "head/comment.md").read_text()
    assert "`judges.counts` not set → `declared`. By the baseline's suite this is released as well." in comment
    assert outcomes_in(tmp_path / "head")["good"][0] == "unverified", "the baseline's judge counted for nothing"
