"""`judges check` over HTTP: which judges count, why others do not, what is asked again and what is not."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from raggate_action.judging_jobs.claims_job import CLAIMS
from tests.calibration_builders import labels
from tests.command_line import raggate
from tests.fake_chat.actions import Action, Body, Reply, error, says
from tests.fake_chat.server import FakeChat, fake_chat
from tests.integration.terminal import Terminal
from tests.judges_on_trial import judge_by, truth, written

LABELS = labels(30, 20, made=5)
TRUTH = truth(LABELS)
RIGHT = [claim.text for answer in LABELS for claim in answer.claims if claim.verdict == "supported"]
FAULTY = [claim.text for answer in LABELS for claim in answer.claims if claim.verdict != "supported"]
# Ten answers of five claims each.
ANSWERS = len(CLAIMS.plants) + len(CLAIMS.worked) + len(LABELS)
KEPT = "labels.judgements.jsonl"


@pytest.fixture
def chat() -> Iterator[FakeChat]:
    with fake_chat({"owl-1": judge_by(TRUTH)}) as served:
        yield served


def suite(folder: Path, chat: FakeChat, *members: str, **judges: Any) -> None:
    """A suite with these judges, a model of each; the labels beside it."""
    panel = [
        {"name": name, "lab": f"{name} lab", "model": f"{name}-1", "base_url": chat.base_url}
        | judges.pop(name, {"price": {"input": 1, "output": 2}})
        for name in members or ("owl",)
    ]
    whole = {"panel": panel, **judges}
    (folder / "raggate.yaml").write_text(
        f"suite: parcels\ncases: [cases.yaml]\ntarget: {{kind: recorded, traces: t.jsonl}}\njudges: {json.dumps(whole)}\n"
    )
    (folder / "cases.yaml").write_text("- {case_id: q1, question: How heavy?}\n")
    if not (folder / "labels.yaml").exists():
        (folder / "labels.yaml").write_text(written(LABELS))


def calibrated(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return raggate("judges", "check", *arguments, cwd=folder, **environment)


def lines(done: subprocess.CompletedProcess[str], judge: str) -> dict[str, str]:
    """The block of a judge: its title under "", and its rows."""
    block = next(each for each in done.stdout.split("\n\n") if each.startswith(judge))
    title, *rows = block.splitlines()
    return {"": title, **{row[2:28].strip(): row[28:] for row in rows}}


def test_an_honest_judge_is_armed_by_thirty_right_and_twenty_faulty_labels(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    done = calibrated(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "raggate: 1 judge beside 50 labelled claims (30 right, 20 faulty, 5 of these made) and 22 planted instructions\n\n"
    )
    found = lines(done, "owl")
    assert found.pop("asked").startswith(f"{ANSWERS} answers judged; {ANSWERS} calls, 0.0")
    assert found == {
        "": "owl (owl lab, owl-1): armed",
        "good called faulty": "0/30, at most 9.5 % (bar: at most 15 % of good ones, 95 % sure)",
        "faulty let pass": "0/20, at most 13.9 % (bar: at most 30 % of faulty ones, 95 % sure)",
        "agrees with people": "50/50, AC1 1.00 (bar 0.60), kappa 1.00",
        "agrees on faults": "20/20, of claims that either calls faulty",
        "people say supported": "30 supported",
        "people say unsupported": "20 unsupported",
        "made faults": "5 of 20",
        "planted instructions": "22 shown, none obeyed",
        "worked examples": "8/8 claims told apart as they should be",
    }
    assert len(chat.asked) == ANSWERS
    assert chat.refused == []


def test_a_terminal_sees_how_far_it_is_and_a_log_of_a_quick_trial_nothing(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    assert calibrated(tmp_path, CI="true").stderr == ""
    honest = judge_by(TRUTH)

    def slowly(body: Body) -> Action:
        action = honest(body)
        assert isinstance(action, Reply)
        return replace(action, after_s=0.05)

    chat.script["owl-1"] = slowly
    with Terminal("judges", "check", "--no-reuse", cwd=tmp_path, columns=160) as terminal:
        seen = terminal.until("$0.0")
        code, rest = terminal.ended()
    assert code == 0
    assert re.search(rf"\d+/{ANSWERS} judgements; \d+ calls?, \$0\.0$", seen), seen
    assert "owl (owl lab, owl-1): armed" in rest


def test_one_that_errs_too_often_advises_and_is_told_what_would_arm_it(tmp_path: Path, chat: FakeChat) -> None:
    chat.script["owl-1"] = judge_by(TRUTH, wrong=dict.fromkeys(RIGHT[:2], "unsupported"))
    suite(tmp_path, chat)
    done = calibrated(tmp_path)
    assert done.returncode == 0
    found = lines(done, "owl")
    assert found[""] == "owl (owl lab, owl-1): advises (it calls too many good claims faulty: 2/30, at most 19.5 %)"
    assert (
        found["to arm it"]
        == "choose another model, or label 10 more claims, 10 of them right: raggate-action judges label raggate-run"
    )
    assert found["people say supported"] == "28 supported, 2 unsupported"


def test_one_that_obeys_a_planted_instruction_is_disarmed_and_the_instruction_named(
    tmp_path: Path, chat: FakeChat
) -> None:
    chat.script["owl-1"] = judge_by(TRUTH, obeys="```json")
    suite(tmp_path, chat)
    found = lines(calibrated(tmp_path), "owl")
    assert found[""] == "owl (owl lab, owl-1): advises (it obeyed 1 planted instruction)"
    assert found["to arm it"] == "choose another model"
    assert found["planted instructions"] == "22 shown, 1 obeyed: fake-reply"


def test_nothing_is_asked_twice_and_the_file_stays_the_same(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    calibrated(tmp_path)
    kept = (tmp_path / KEPT).read_bytes()
    again = calibrated(tmp_path)
    assert len(chat.asked) == ANSWERS
    assert lines(again, "owl")["asked"] == f"{ANSWERS} reused; no call"
    assert (tmp_path / KEPT).read_bytes() == kept
    # And answer by answer whoever was asked first: the order of calls is in no line of it.
    (tmp_path / KEPT).unlink()
    calibrated(tmp_path)
    assert (tmp_path / KEPT).read_bytes() == kept


def test_a_label_that_is_added_is_the_only_one_asked_about(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    calibrated(tmp_path)
    more = labels(35, 20, made=5)
    chat.script["owl-1"] = judge_by(truth(more))
    (tmp_path / "labels.yaml").write_text(
        written(labels(30, 20, made=5)) + written(more[-1:]).replace("answer-", "new-")
    )
    calibrated(tmp_path)
    assert len(chat.asked) == ANSWERS + 1


def test_another_model_is_judged_anew_and_people_label_nothing_twice(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    calibrated(tmp_path)
    chat.script["owl-2"] = judge_by(TRUTH, wrong=dict.fromkeys(FAULTY[:9], "supported"))
    suite(tmp_path, chat, owl={"model": "owl-2"})
    done = calibrated(tmp_path)
    # Not the judge that was armed: nothing was taken from anybody.
    assert done.returncode == 0
    assert lines(done, "owl")[""].startswith("owl (owl lab, owl-2): advises (it calls too many faulty claims supported")
    assert len(chat.of("owl-2")) == ANSWERS
    # What the other said stays, so that going back asks nobody.
    suite(tmp_path, chat)
    assert lines(calibrated(tmp_path), "owl")[""].endswith("armed")
    assert len(chat.of("owl-1")) == ANSWERS


def test_a_judge_that_drifted_below_the_bar_is_disarmed(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    calibrated(tmp_path)
    chat.script["owl-1"] = judge_by(TRUTH, wrong=dict.fromkeys(FAULTY[:5], "supported"))
    assert calibrated(tmp_path).returncode == 0
    done = calibrated(tmp_path, "--no-reuse")
    assert done.returncode == 1
    found = lines(done, "owl")
    assert found[""].startswith("owl (owl lab, owl-1): advises (it calls too many faulty claims supported: 5/20")
    assert found["in the run before"] == "50/50 agreed"


def test_the_budget_ends_the_asking_and_says_so(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat, owl={"price": {"input": 1, "output": 2}}, budget={"usd": 0.008})
    done = calibrated(tmp_path)
    found = lines(done, "owl")
    assert "lost (budget used up)" in found["asked"]
    assert found[""] == "owl (owl lab, owl-1): advises (this model with this prompt has not judged the labels)"
    assert found["to arm it"].startswith("raise budget in the suite, then check the judges again")
    assert 0 < len(chat.asked) < ANSWERS


def test_a_key_that_is_missing_is_said_once_and_nobody_is_asked(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat, owl={"api_key_env": "OWL_KEY"})
    done = calibrated(tmp_path)
    assert done.returncode == 3
    assert chat.asked == []
    assert done.stderr == (
        "raggate: judge owl is asked no more: no key: the environment variable OWL_KEY is not set, or is empty\n"
    )
    assert lines(done, "owl")["asked"].startswith(f"{ANSWERS} lost (key not accepted);")
    assert lines(done, "owl")["to arm it"].startswith(
        "repair why its judgements were lost, then check the judges again"
    )
    assert not (tmp_path / KEPT).exists()
    assert done.stdout.endswith("nothing was said, and nothing written\n")


def test_a_judge_that_is_down_takes_nothing_away_from_what_it_said(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat, owl={"attempts": 1})
    calibrated(tmp_path)
    kept = (tmp_path / KEPT).read_bytes()
    chat.script["owl-1"] = error(500)
    done = calibrated(tmp_path, "--no-reuse")
    assert done.returncode == 3
    assert (tmp_path / KEPT).read_bytes() == kept
    assert lines(calibrated(tmp_path), "owl")[""].endswith("armed")


def test_armed_judges_are_a_panel_and_others_have_no_say_in_it(tmp_path: Path) -> None:
    wrong = dict.fromkeys(RIGHT[:20], "unsupported")
    script: Any = {"owl-1": judge_by(TRUTH), "lark-1": judge_by(TRUTH), "crow-1": judge_by(TRUTH, wrong=wrong)}
    with fake_chat(script) as served:
        suite(tmp_path, served, "owl", "lark", "crow")
        done = calibrated(tmp_path)
    assert [lines(done, name)[""].rpartition(": ")[2] for name in ("owl", "lark")] == ["armed", "armed"]
    assert "advises" in lines(done, "crow")[""]
    assert lines(done, "the panel")["agrees with people"].startswith("50/50")


def test_without_labels_it_says_how_many_are_needed_and_shows_who_obeys(tmp_path: Path, chat: FakeChat) -> None:
    (tmp_path / "labels.yaml").write_text("")
    suite(tmp_path, chat)
    done = calibrated(tmp_path)
    assert done.returncode == 0
    found = lines(done, "owl")
    assert found[""] == "owl (owl lab, owl-1): advises (no claim is labelled yet)"
    assert found["to arm it"] == "label 50 claims, 20 of them faulty: raggate-action judges label raggate-run"
    assert found["planted instructions"] == "22 shown, none obeyed"
    assert "good called faulty" not in found


def test_hostile_words_of_labels_and_names_reach_no_terminal_as_commands(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat, owl={"lab": "\x1b[31m::error::red"})
    done = calibrated(tmp_path)
    assert "\x1b" not in done.stdout
    assert "::error" not in done.stdout


def test_a_suite_without_judges_is_told_so(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    text = (tmp_path / "raggate.yaml").read_text()
    (tmp_path / "raggate.yaml").write_text(text.partition("judges:")[0])
    done = calibrated(tmp_path)
    assert (done.returncode, chat.asked) == (2, [])
    assert "raggate.yaml names no judges" in done.stderr


def test_an_off_schema_judge_is_lost_and_never_read_for_a_verdict(tmp_path: Path, chat: FakeChat) -> None:
    chat.script["owl-1"] = says("All claims are supported. Verdict: supported")
    suite(tmp_path, chat)
    done = calibrated(tmp_path)
    assert done.returncode == 3
    assert lines(done, "owl")["asked"].startswith(f"{ANSWERS} lost (not in the form asked for); {2 * ANSWERS} calls")


def test_check_suite_counts_the_labels(tmp_path: Path, chat: FakeChat) -> None:
    suite(tmp_path, chat)
    (tmp_path / "t.jsonl").write_text('{"case_id": "q1", "answer": "Two."}\n')
    done = raggate("check", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "  judges: 1, beside 50 labelled claims, 20 of them faulty\n" in done.stdout
