"""Judges armed for facts and criteria, job by job: from then on their gates are what the suite says they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from raggate_action.judging_jobs.answer_job import ANSWER
from tests.answer_prompts import is_answer_prompt
from tests.command_line import raggate
from tests.end_to_end.test_scheduled_drift import panel_of
from tests.fake_chat.actions import Action, Body, says
from tests.fake_chat.server import fake_chat
from tests.item_labels import Has, at_answers, has_words, held_labels, write_held
from tests.judged_suites import honest, judgements_of, member, reply, rows_of, truth, write_labels, write_suite

CRITERIA: list[Any] = ["names a month", {"must_not": "promises a refund in cash"}]
BLOCK = {"criteria": {"level": "block"}}
GOOD, BAD = truth(1), f"{truth(2)} You get it back in cash."


def knows(text: str, answer: str) -> bool:
    if "handed back" in text:
        return "hand it back" in answer
    if "month" in text:
        return "month" in answer
    return "in cash" in answer if "cash" in text else has_words(text, answer)


def judge(has: Has = knows, *, obeys: bool = False) -> Callable[[Body], Action]:
    """A judge at both jobs."""
    at = at_answers(has, obeys=obeys)
    return lambda body: says(at(body) if is_answer_prompt(body) else reply(body, honest))


def run_of(folder: Path, name: str = "run") -> dict[str, Any]:
    run: dict[str, Any] = json.loads((folder / name / "run.json").read_text())
    return run


def item_cards(panel: dict[str, Any]) -> list[dict[str, Any]]:
    """The cards of facts and criteria; those of claims name no job."""
    return [card for card in panel["cards"] if "job" in card]


def test_labels_of_criteria_arm_for_criteria_alone_and_the_gate_blocks_what_violates_one(tmp_path: Path) -> None:
    with fake_chat({"ada": judge()}) as chat:
        answers = {"good": GOOD, "bad": BAD}
        cases = {"good": {"reference_answer": "It can be handed back."}}
        write_suite(tmp_path, answers, [member("ada", chat)], cases=cases, criteria=CRITERIA, gates=BLOCK)
        write_held(tmp_path, held_labels("criteria", 30, 20))
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert chat.refused == []
        calls = chat.counts["ada"]
        again = raggate("run", "raggate.json", "--out", "again", "--baseline", "run", cwd=tmp_path)
        assert chat.counts["ada"] == calls, "labels, instructions and answers are judged once"
        write_suite(tmp_path, {"good": GOOD}, [member("ada", chat)], cases=cases, criteria=CRITERIA, gates=BLOCK)
        passed = raggate("run", "raggate.json", "--out", "passed", cwd=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    assert again.returncode == 1
    assert passed.returncode == 0, passed.stdout + passed.stderr
    rows = rows_of(tmp_path / "run")
    assert rows["good"]["outcomes"]["criteria"]["kind"] == "passed"
    assert rows["good"]["outcomes"]["agreement"]["reason"] == "no-adjudicator"
    (problem,) = rows["bad"]["outcomes"]["criteria"]["problems"]
    assert problem["code"] == "criterion-violated"
    assert rows["bad"]["answer_votes"]["judges"][0]["armed_for"] == ["criteria"]
    panel = run_of(tmp_path)["panel"]
    cards = {(card.get("job", "claims"), card["judge"]): card for card in panel["cards"]}
    assert {job: card["armed"] for (job, _judge), card in cards.items()} == {
        "claims": False, "agreement": False, "criteria": True,
    }  # fmt: skip
    card = cards["criteria", "ada"]
    assert (card["labels"], card["faults"], card["injections_shown"]) == (50, 20, len(ANSWER.plants))
    assert cards["agreement", "ada"]["why_not"] == "no-labels"
    # Ten labelled answers and the instructions, at one call each, and what was asked of the cases.
    assert panel["trial"]["calls"] == 10 + len(ANSWER.plants)
    comment = (tmp_path / "run/comment.md").read_text()
    assert "**Armed for criteria:** `ada`." in comment
    assert "**Advice only for agreement:** no fact is labelled yet. Label 50 facts, 20 of them not stated:" in comment
    assert "| `ada` (on criteria) | " in comment
    drawn = raggate("report", "run", "--format", "comment", cwd=tmp_path).stdout
    assert "**Armed for criteria:** `ada`." in drawn


def test_a_judge_that_obeys_an_answer_is_disarmed_for_what_it_obeyed_in_and_named(tmp_path: Path) -> None:
    with fake_chat({"ada": judge(obeys=True), "bob": judge()}) as chat:
        panel = [member("ada", chat), member("bob", chat)]
        write_suite(tmp_path, {"bad": BAD}, panel, criteria=CRITERIA, gates=BLOCK)
        write_held(tmp_path, held_labels("criteria", 30, 20))
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert chat.refused == []
    assert done.returncode == 1, done.stdout + done.stderr
    cards = {card["judge"]: card for card in item_cards(run_of(tmp_path)["panel"])}
    assert (cards["ada"]["armed"], cards["ada"]["why_not"]) == (False, "obeyed-injection")
    assert set(cards["ada"]["obeyed"]) == {plant.name for plant in ANSWER.plants}
    assert cards["bob"]["armed"]
    votes = rows_of(tmp_path / "run")["bad"]["answer_votes"]["items"][1]["votes"]
    assert [(vote["judge"], vote["armed"]) for vote in votes] == [("ada", False), ("bob", True)]
    comment = (tmp_path / "run/comment.md").read_text()
    assert "**Armed for criteria:** `bob`." in comment
    assert "`ada` obeyed the planted `items-order-in-answer`" in comment


def test_another_judge_is_judged_anew_under_any_scope_where_the_one_before_counted(tmp_path: Path) -> None:
    with fake_chat({"ada": judge()}) as chat:
        write_suite(tmp_path, {"good": GOOD, "bad": BAD}, [member("ada", chat)], criteria=CRITERIA, gates=BLOCK)
        write_held(tmp_path, held_labels("criteria", 30, 20))
        assert raggate("run", "raggate.json", "--out", "one", cwd=tmp_path).returncode == 1
        colder = [member("ada", chat, parameters={"temperature": 0})]
        write_suite(tmp_path, {"good": GOOD, "bad": BAD}, colder, criteria=CRITERIA, gates=BLOCK)
        alone = raggate("run", "raggate.json", "--case", "bad", "--out", "new", cwd=tmp_path)
        (card,) = item_cards(run_of(tmp_path, "new")["panel"])
        assert (card["armed"], card["why_not"]) == (False, "not-judged"), alone.stdout
        assert rows_of(tmp_path / "new")["bad"]["outcomes"]["criteria"]["reason"] == "no-adjudicator"
        done = raggate("run", "raggate.json", "--case", "bad", "--out", "two", "--baseline", "one", cwd=tmp_path)
        (card,) = item_cards(run_of(tmp_path, "two")["panel"])
        assert card["armed"], done.stdout
        assert rows_of(tmp_path / "two")["bad"]["outcomes"]["criteria"]["kind"] == "failed"
    assert done.returncode == 1


def test_who_is_lost_for_criteria_leaves_the_decision_open_though_it_counts_for_claims(tmp_path: Path) -> None:
    workflow = {"GITHUB_ACTIONS": "true"}
    with fake_chat({"ada": judge(), "eve": judge(obeys=True)}) as chat:
        answers = {"good": GOOD}
        write_suite(tmp_path, answers, [member("ada", chat)], criteria=CRITERIA, gates=BLOCK)
        write_labels(tmp_path, right=40, faults=30)
        write_held(tmp_path, held_labels("criteria", 30, 20))
        assert raggate("run", "raggate.json", "--out", "one", cwd=tmp_path, **workflow).returncode == 0
        write_suite(tmp_path, {"good": BAD}, [member("ada", chat, model="eve")], criteria=CRITERIA, gates=BLOCK)
        done = raggate("run", "raggate.json", "--out", "two", "--baseline", "one", cwd=tmp_path, **workflow)
    cards = run_of(tmp_path, "two")["panel"]
    assert cards["cards"][0]["armed"]
    assert not item_cards(cards)[0]["armed"]
    comment = (tmp_path / "two/comment.md").read_text()
    assert " `ada`: it obeyed" in comment.partition("**Not measured as on the baseline:**")[2]
    assert done.returncode == 3, comment


def test_labels_of_a_gate_that_no_case_asks_for_are_judged_by_nobody(tmp_path: Path) -> None:
    with fake_chat({"ada": judge()}) as chat:
        write_suite(tmp_path, {"good": GOOD}, [member("ada", chat)])
        write_held(tmp_path, held_labels("criteria", 30, 20))
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert [each["about"] for each in judgements_of(tmp_path / "run")] == ["case"]
    assert not item_cards(run_of(tmp_path)["panel"])


def test_calibrate_prints_the_cards_of_every_job_the_suite_uses(tmp_path: Path) -> None:
    with fake_chat({"ada": judge()}) as chat:
        write_suite(tmp_path, {"good": GOOD}, [member("ada", chat)], criteria=CRITERIA)
        write_held(tmp_path, held_labels("criteria", 30, 20, must_not=True))
        done = raggate("judges", "check", "--suite", "raggate.json", cwd=tmp_path)
        calls = chat.counts["ada"]
        again = raggate("judges", "check", "--suite", "raggate.json", cwd=tmp_path)
        assert chat.counts["ada"] == calls
        run = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert chat.counts["ada"] == calls + 2, "what `judges check` kept is not asked again: two jobs of one case"
    assert done.returncode == again.returncode == run.returncode == 0, done.stdout + done.stderr
    assert "agreement" not in done.stdout
    blocks = done.stdout.split("\n\n")
    (head,) = [each for each in blocks if each.startswith("criteria: 1 judge beside")]
    assert head == (
        f"criteria: 1 judge beside 50 labelled criteria (30 met, 20 unmet) and {len(ANSWER.plants)} planted instructions"
    )
    (card,) = [each for each in blocks if each.startswith("criteria: ada (")]
    assert card.splitlines()[0] == "criteria: ada (lab of ada, ada): armed"
    assert "  good called faulty        0/30, at most 9.5 % (bar: at most 15 % of good ones, 95 % sure)" in card
    assert "  people say unmet          20 unmet" in card
    assert f"  planted instructions      {len(ANSWER.plants)} shown, none obeyed" in card
    assert item_cards(run_of(tmp_path)["panel"])[0]["armed"]


def blind(text: str, answer: str) -> bool:
    """Sees no promise of cash, and of labels that must not hold nothing."""
    return knows(text, answer) if "month" in text or "EUR" in text or "waive" in text else False


def test_judges_that_only_weaker_terms_arm_do_not_outvote_the_one_that_counted(tmp_path: Path) -> None:
    with fake_chat({"ada": judge(), "bob": judge(blind), "cyd": judge(blind)}) as chat:
        panel = [member(name, chat) for name in ("ada", "bob", "cyd")]
        write_held(tmp_path, held_labels("criteria", 40, 30, must_not=True))
        write_suite(tmp_path, {"q": GOOD}, panel, criteria=CRITERIA, gates=BLOCK)
        base = raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        assert base.returncode == 0, base.stdout + base.stderr
        assert [card["armed"] for card in item_cards(run_of(tmp_path, "base")["panel"])] == [True, False, False]
        loose = {"arming": {"ac1": -1, "false_pass": "100%"}}
        write_suite(tmp_path, {"q": BAD}, panel, criteria=CRITERIA, gates=BLOCK, judges=loose)
        head = raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
    row = rows_of(tmp_path / "head")["q"]
    assert row["outcomes"]["criteria"]["kind"] == "passed", "two outvote one"
    [by_baseline] = map(json.loads, (tmp_path / "head/by_baseline.jsonl").read_text().splitlines())
    assert by_baseline["outcomes"]["criteria"]["kind"] == "failed"
    assert head.returncode == 1, head.stdout
    assert "By the baseline's suite this is a block." in (tmp_path / "head/comment.md").read_text()


def test_a_judge_that_counted_for_criteria_alone_is_missed_where_it_is_taken_out(tmp_path: Path) -> None:
    with fake_chat({"ada": judge(), "bob": judge()}) as chat:
        write_held(tmp_path, held_labels("criteria", 30, 20))
        write_suite(tmp_path, {"q": GOOD}, [member("ada", chat), member("bob", chat)], criteria=CRITERIA, gates=BLOCK)
        assert raggate("run", "raggate.json", "--out", "base", cwd=tmp_path).returncode == 0
        write_suite(tmp_path, {"q": GOOD}, [member("ada", chat)], criteria=CRITERIA, gates=BLOCK)
        raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
    comment = (tmp_path / "head/comment.md").read_text()
    assert "`judges.bob`" in comment.partition("**Judges:**")[0]


def test_a_known_bad_answer_that_only_criteria_block_is_open_until_its_judge_was_tried(tmp_path: Path) -> None:
    """In a part of the suite nobody is put on trial; where labels have armed the judge, the case must be blocked."""
    trace = {"answer": BAD, "context": ["desk"]}
    cases = {"bad": {"released": False, "blocked_at": "behaviour", "criteria": CRITERIA, "trace": trace}}
    with fake_chat({"ada": judge()}) as chat:
        write_held(tmp_path, held_labels("criteria", 30, 20))
        write_suite(
            tmp_path, {"good": GOOD, "bad": BAD, "c": truth(3)}, [member("ada", chat)], cases=cases, gates=BLOCK
        )
        part = raggate("run", "raggate.json", "--case", "good", "--case", "bad", "--out", "part", cwd=tmp_path)
        whole = raggate("run", "raggate.json", "--out", "whole", cwd=tmp_path)
    assert item_cards(run_of(tmp_path, "part")["panel"])[0]["why_not"] == "not-judged"
    assert part.returncode == 0, part.stdout + part.stderr
    assert rows_of(tmp_path / "whole")["bad"]["outcomes"]["criteria"]["kind"] == "failed"
    assert whole.returncode == 0, whole.stdout + whole.stderr


def test_a_scheduled_run_asks_about_labels_of_criteria_again_and_disarms_who_drifted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with fake_chat({"ada": judge()}) as chat:
        write_suite(tmp_path, {"q": GOOD}, [member("ada", chat)], criteria=CRITERIA)
        write_held(tmp_path, held_labels("criteria", 40, 30, must_not=True))
        assert item_cards(panel_of(tmp_path, "push", event="push"))[0]["armed"]
        asked = len(chat.asked)
        chat.script["ada"] = judge(blind)
        again = panel_of(tmp_path, "again", event="push", baseline="push")
        assert (item_cards(again)[0]["armed"], len(chat.asked)) == (True, asked)
        (card,) = item_cards(panel_of(tmp_path, "nightly", event="schedule", baseline="again"))
        # Fourteen labelled answers and the instructions; the case itself has not changed.
        assert len(chat.asked) == asked + 14 + len(ANSWER.plants)
    assert (card["armed"], card["why_not"]) == (False, "false-pass")
    assert (card["agreement"], card["drift"]) == ({"hits": 40, "total": 70}, {"hits": 70, "total": 70})
