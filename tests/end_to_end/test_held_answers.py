"""Runs whose judges hold answers against reference answers and criteria: what they may decide, and what it costs."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.answer_prompts import answer_prompt_in, holding, is_answer_prompt
from tests.command_line import ENVIRONMENT, raggate
from tests.fake_chat.actions import Action, Body, Reply, says
from tests.fake_chat.server import fake_chat
from tests.judged_suites import (
    CHUNK,
    honest,
    judgements_of,
    lines,
    member,
    reply,
    rows_of,
    truth,
    write_answers,
    write_suite,
)

REFERENCE = "Somebody can hand it back at no cost. That holds for a month."


def by_words(text: str, answer: str) -> tuple[str, str | None]:
    """A good judge of `truth` and of what is asked of it here."""
    if "hand it back" in text:
        return ("stated", answer) if "no cost" in answer else ("lacking", None)
    if "month" in text:
        return ("contradicted", answer) if "whenever" in answer else ("stated", answer)
    return ("yes", answer) if text in answer else ("no", None)


def judging_both(holds: Any = by_words) -> Callable[[Body], Action]:
    """A judge at both jobs."""

    def made(body: Body) -> Action:
        if is_answer_prompt(body):
            return says(holding(holds)(body))
        return says(reply(body, honest))

    return made


FORTY = {f"q{number}": truth(number) for number in range(40)}


def with_reference(answers: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    return {name: {"reference_answer": REFERENCE} for name in answers}


def test_forty_unlabelled_questions_with_reference_answers_are_neither_red_nor_inconclusive(tmp_path: Path) -> None:
    answers = {**FORTY, "q1": truth(1).replace("for a month", "whenever"), "q2": "The desk has plenty of maps."}
    cases = with_reference(answers)
    with fake_chat({"ada": judging_both(), "bob": judging_both()}) as chat:
        panel = [member("ada", chat), member("bob", chat)]
        write_suite(tmp_path, answers, panel, cases=cases, criteria=[{"must_not": "at no cost"}])
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert chat.refused == []
        assert chat.counts == {"ada": 80, "bob": 80}, "one call for each job"
    write_suite(tmp_path, answers, cases=cases)
    without = raggate("run", "raggate.json", "--out", "plain", cwd=tmp_path)
    assert done.returncode == without.returncode == 0, done.stdout + done.stderr
    judged, plain = rows_of(tmp_path / "run"), rows_of(tmp_path / "plain")
    for case_id, row in judged.items():
        fed_by_judges = {gate: row["outcomes"].pop(gate) for gate in ("agreement", "criteria")}
        assert row["outcomes"] == plain[case_id]["outcomes"]
        assert row["state"] == plain[case_id]["state"]
        assert {each["reason"] for each in fed_by_judges.values()} == {"no-adjudicator"}
    assert [item["votes"][0]["said"] for item in judged["q1"]["answer_votes"]["items"]] == [
        "stated", "contradicted", "yes",
    ]  # fmt: skip
    run = json.loads((tmp_path / "run/run.json").read_text())
    gates = {gate["gate"]: gate for gate in run["gates"]}
    assert (gates["agreement"]["level"], gates["agreement"]["status"]) == ("warn", "unmeasured")
    # 40 answers of two facts each: one contradicts one, one lacks the first.
    assert gates["agreement"]["measured"] == {"kind": "advice", "of": "facts", "good": 78, "total": 80}
    assert gates["criteria"]["measured"] == {"kind": "advice", "of": "criteria", "good": 1, "total": 40}
    assert "advises: 78 of 80 facts stated" in (tmp_path / "run/comment.md").read_text()
    assert run["judging"]["judgements"] == 160
    assert run["judging"]["calls"] == 160


def test_an_app_that_has_not_changed_costs_no_call_and_is_rebuilt_from_its_rows(tmp_path: Path) -> None:
    answers = {"a": truth(1), "b": truth(2)}
    with fake_chat({"ada": judging_both()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)], cases=with_reference(answers))
        raggate("run", "raggate.json", "--out", "one", cwd=tmp_path)
        asked = chat.counts["ada"]
        done = raggate("run", "raggate.json", "--out", "two", "--baseline", "one", cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert chat.counts["ada"] == asked == 4
        write_answers(tmp_path, {**answers, "b": f"{truth(2)} It is easy."})
        raggate("run", "raggate.json", "--out", "three", "--baseline", "one", cwd=tmp_path)
        assert chat.counts["ada"] == asked + 2, "one answer changed: its two jobs are asked again"
    assert [(each.get("job", "claims"), each["reused"]) for each in judgements_of(tmp_path / "two")].count(
        ("answer", True)
    ) == 2
    one, two = rows_of(tmp_path / "one"), rows_of(tmp_path / "two")
    assert one["a"]["answer_votes"]["items"] == two["a"]["answer_votes"]["items"]
    before = (tmp_path / "three/comment.md").read_text()
    again = raggate("report", "three", "--baseline", "one", "--format", "comment", cwd=tmp_path)
    assert again.stdout.strip() == before.strip()


def started(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "raggate_action", "run", "raggate.json", "--out", "run"]
    return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.DEVNULL, text=True)


def test_a_run_that_is_killed_asks_nobody_a_second_time_at_either_job(tmp_path: Path) -> None:
    answers = {f"q{number}": truth(number) for number in range(12)}

    def slow(body: Body) -> Action:
        reply = judging_both()(body)
        return replace(reply, after_s=0.02) if isinstance(reply, Reply) else reply

    with fake_chat({"ada": slow}) as chat:
        panel = [member("ada", chat, concurrency=2)]
        write_suite(tmp_path, answers, panel, cases=with_reference(answers))
        run = started(tmp_path)
        ends = time.monotonic() + 60
        while sum(asked.done_at is not None for asked in chat.asked) < 9:
            assert time.monotonic() < ends
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.wait()
        unheard = len(chat.asked) - len(judgements_of(tmp_path / "run"))
        again = raggate("run", "raggate.json", "--out", "run", "--resume", cwd=tmp_path)
        assert again.returncode == 0, again.stderr
        assert 0 <= unheard <= 4
        assert len(chat.asked) == 24 + unheard, "each was asked once at each job, but for those nobody heard"
    rows = rows_of(tmp_path / "run")
    assert all(len(row["answer_votes"]["items"]) == 2 for row in rows.values())
    jobs = Counter(each.get("job", "claims") for each in judgements_of(tmp_path / "run"))
    assert jobs == {"claims": 12, "answer": 12}


def test_without_its_key_both_gates_wait_for_a_judge_and_nothing_is_red(tmp_path: Path) -> None:
    answers = {"a": truth(1)}
    with fake_chat({"ada": judging_both()}, keys={"sk-hush-hush"}) as chat:
        panel = [member("ada", chat, api_key_env="ADA_KEY")]
        write_suite(tmp_path, answers, panel, cases=with_reference(answers), criteria=["is polite"])
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        assert not chat.asked
    assert done.returncode == 0, done.stderr
    [row] = rows_of(tmp_path / "run").values()
    assert [row["outcomes"][gate]["reason"] for gate in ("agreement", "criteria")] == ["no-adjudicator"] * 2
    assert "answer_votes" not in row
    assert done.stderr.count("ADA_KEY is not set") == 1


def test_what_an_asker_may_not_read_is_in_no_prompt_of_the_answer_job(tmp_path: Path) -> None:
    words = "The vault code is alpha bravo charlie delta echo foxtrot."
    vault = {"chunk_id": "vault", "version": "v1", "text": words, "principals": ["guards"]}
    cases: dict[str, dict[str, Any]] = {
        "open": {"reference_answer": f"{REFERENCE} {words}", "criteria": [words, "cost"]},
        "leak": {"reference_answer": REFERENCE},
    }
    with fake_chat({"ada": judging_both()}) as chat:
        answers = {"open": truth(1), "leak": truth(2)}
        write_suite(
            tmp_path, answers, [member("ada", chat)], cases=cases, chunks=[CHUNK, vault], judges={"relevance": True}
        )
        traces = [
            {"case_id": "open", "answer": truth(1), "context": ["desk"]},
            {"case_id": "leak", "answer": truth(2), "context": ["desk", "vault"]},
        ]
        (tmp_path / "traces.jsonl").write_text(lines(traces))
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        prompts = [asked for asked in chat.asked if is_answer_prompt(asked.body)]
        assert len(prompts) == 1, "the answer that leaks is admitted to no judge"
        read = answer_prompt_in(prompts[0].body)
    assert (list(read.facts.values()), list(read.criteria.values())) == (
        ["Somebody can hand it back at no cost.", "That holds for a month."],
        ["cost"],
    )
    assert list(read.chunks) == ["desk"]
    for path in (tmp_path / "run").iterdir():
        assert "alpha bravo" not in path.read_text(), path.name
    items = rows_of(tmp_path / "run")["open"]["answer_votes"]["items"]
    assert [each["item"] for each in items if each.get("withheld")] == ["fact-3", "criterion-1"]


def test_without_texts_no_word_of_judge_answer_or_reference_stays(tmp_path: Path) -> None:
    answers = {"a": truth(1)}
    with fake_chat({"ada": judging_both()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)], cases=with_reference(answers), texts="ids")
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
    [row] = rows_of(tmp_path / "run").values()
    assert [(item["item"], item.get("text"), item["votes"][0]["said"]) for item in row["answer_votes"]["items"]] == [
        ("fact-1", None, "stated"),
        ("fact-2", None, "stated"),
    ]
    for path in (tmp_path / "run").iterdir():
        # An answer is kept for replaying it.
        assert path.name == "traces.jsonl" or "at no cost" not in path.read_text(), path.name
    shown = raggate("explain", "run", "a", cwd=tmp_path).stdout
    assert "open         fact-1\n" in shown
    assert "1 of 1 judges says stated (advice only)" in shown


APP = """
import json, pathlib, sys
asked = pathlib.Path("asked")
for line in sys.stdin:
    case = json.loads(line)
    said = THEN if asked.exists() else FIRST
    asked.touch()
    print(json.dumps({"case_id": case["case_id"], "answer": said, "context": ["desk"]}), flush=True)
"""


def test_every_answer_of_a_case_that_is_asked_again_is_held_against_its_facts(tmp_path: Path) -> None:
    first = truth(1).replace("for a month", "whenever")
    (tmp_path / "app.py").write_text(APP.replace("FIRST", repr(first)).replace("THEN", repr(truth(1))))
    target = {"kind": "command", "command": [sys.executable, "app.py"]}
    cases = {"a": {"reference_answer": REFERENCE, "must_contain": ["month"]}}
    with fake_chat({"ada": judging_both()}) as chat:
        write_suite(tmp_path, {"a": ""}, [member("ada", chat)], cases=cases, target=target)
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
    [row] = rows_of(tmp_path / "run").values()
    assert row["state"] == "flaky"
    said = [[item["votes"][0]["said"] for item in each["answer_votes"]["items"]] for each in (row, *row["asks"])]
    assert said == [["stated", "stated"], ["stated", "contradicted"]]
    asked = [(each["ask"], each.get("job", "claims")) for each in judgements_of(tmp_path / "run")]
    assert sorted(asked) == [(0, "answer"), (0, "claims"), (1, "answer"), (1, "claims")]
    shown = raggate("explain", "run", "a", cwd=tmp_path).stdout
    assert "open         fact-2: “That holds for a month.”" in shown.partition("Answer 2 of 2")[2]
