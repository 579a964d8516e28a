"""Runs with judges: what they may decide, what they cost, and that nobody is asked what was said before."""

from __future__ import annotations

import json
from pathlib import Path

from raggate_action.judging_jobs.claims_job import CLAIMS
from tests.command_line import raggate
from tests.fake_chat.actions import error
from tests.fake_chat.server import fake_chat
from tests.judged_suites import (
    CHUNK,
    QUOTE,
    honest,
    judgements_of,
    judging,
    lie,
    lines,
    member,
    rows_of,
    truth,
    write_answers,
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
    comment = (tmp_path / "run/comment.md").read_text()
    # Every fourth answer is a lie in words of its own, in which no rule finds anything.
    assert (
        "> - **All judges call 10 claims of 10 answers unsupported** (advice only: not enough labels yet): `q0` and 9 more\n"
        f"> - `q0`: “{lie(0)}” · `ada`: no chunk says whenever\n"
    ) in comment
    assert run["judging"]["advice"] == {
        "claims": 10, "answers": 10, "by_most": 0, "answers_by_most": 0, "heard": 2,
        "contradicted": 0, "unsupported": 10, "partial": 0,
    }  # fmt: skip
    again = raggate("report", "run", "--format", "comment", cwd=tmp_path)
    assert again.stdout == comment, "the same bytes from the run directory alone"


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


def test_an_app_that_has_not_changed_costs_no_call(tmp_path: Path) -> None:
    answers = {"good": truth(1), "bad": lie(2)}
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat), member("bob", chat)])
        write_labels(tmp_path, right=40, faults=30)
        raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        asked = len(chat.asked)
        assert asked > 2 * (2 + 7), "cases, labels and what is planted"
        again = raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
        assert len(chat.asked) == asked
        write_answers(tmp_path, {**answers, "good": truth(7)})
        raggate("run", "raggate.json", "--out", "third", "--baseline", "head", cwd=tmp_path)
        assert sorted([each.model for each in chat.asked[asked:]]) == ["ada", "bob"], "the one answer that changed"
        asked = len(chat.asked)
        raggate("run", "raggate.json", "--out", "anew", "--baseline", "third", "--no-reuse", cwd=tmp_path)
        assert len(chat.asked) == asked + 2 * (2 + 7 + len(CLAIMS.plants))
    base, head = rows_of(tmp_path / "base"), rows_of(tmp_path / "head")
    assert again.returncode == 1
    for case_id, row in head.items():
        assert row["claims"] == base[case_id]["claims"]
        assert [(judge["reused"], judge["calls"], judge["cost_usd"]) for judge in row["judges"]] == [(True, 0, 0.0)] * 2
    run = json.loads((tmp_path / "head/run.json").read_text())
    assert [card["armed"] for card in run["panel"]["cards"][:2]] == [True, True]


def test_a_judge_that_is_down_leaves_open_what_it_alone_gates_and_says_so(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat, attempts=1)])
        write_labels(tmp_path, right=40, faults=30)
        raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        chat.script["ada"] = error(500)
        write_answers(tmp_path, {"good": truth(9)})
        done = raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
    assert done.returncode == 3, done.stdout
    [row] = rows_of(tmp_path / "head").values()
    assert row["outcomes"]["faithfulness"]["reason"] == "judge"
    assert row["judges"][0]["lost"]["code"] == "judge-server-error"
    assert row["claims"][0]["verdict"] == "unverified"


def test_one_of_three_judges_down_and_the_other_two_decide(tmp_path: Path) -> None:
    names = ("ada", "bob", "cyd")
    with fake_chat(dict.fromkeys(names, judging())) as chat:
        write_suite(tmp_path, {"bad": truth(1)}, [member(name, chat, attempts=1) for name in names])
        write_labels(tmp_path, right=40, faults=30)
        raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        chat.script["cyd"] = error(500)
        write_answers(tmp_path, {"bad": lie(9)})
        done = raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    [row] = rows_of(tmp_path / "head").values()
    assert row["claims"][0]["verdict"] == "unsupported"
    assert [judge.get("lost", {}).get("code") for judge in row["judges"]] == [None, None, "judge-server-error"]


def test_without_its_key_on_a_laptop_rules_decide_and_it_is_said_once(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}, keys={"sk-hush-hush"}) as chat:
        write_suite(tmp_path, {"good": truth(1), "bad": lie(2)}, [member("ada", chat, api_key_env="ADA_KEY")])
        without = raggate("run", "raggate.json", "--out", "without", cwd=tmp_path)
        assert not chat.asked
        assert not chat.refused
        raggate("run", "raggate.json", "--out", "with", cwd=tmp_path, ADA_KEY="sk-hush-hush\n")
        assert len(chat.asked) == 2
        assert not chat.refused
    assert without.stderr.count("ADA_KEY is not set") == 1
    run = json.loads((tmp_path / "without/run.json").read_text())
    assert run["panel"]["unavailable"].startswith("No judge was asked, for ADA_KEY is not set")
    assert {row["outcomes"]["faithfulness"]["reason"] for row in rows_of(tmp_path / "without").values()} == {
        "no-adjudicator"
    }
    assert not judgements_of(tmp_path / "without")
    for path in (tmp_path / "with").iterdir():
        assert "hush" not in path.read_text()


def test_a_refused_key_is_told_once_and_the_other_calls_are_not_spent(tmp_path: Path) -> None:
    answers = {f"q{number}": truth(number) for number in range(30)}
    with fake_chat({"ada": judging()}, keys={"sk-right-one"}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat, api_key_env="ADA_KEY", concurrency=2)])
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path, ADA_KEY="sk-wrong-one")
        assert len(chat.refused) <= 2
    assert done.stderr.count("judge ada is asked no more") == 1
    assert "wrong-one" not in done.stderr + done.stdout
    codes = {row["judges"][0]["lost"]["code"] for row in rows_of(tmp_path / "run").values()}
    assert codes == {"judge-key"}
    assert len(rows_of(tmp_path / "run")) == 30


def test_where_the_budget_ends_the_changed_and_the_suspect_answers_were_judged(tmp_path: Path) -> None:
    answers = {f"q{number:02}": truth(number) for number in range(12)}
    with fake_chat({"ada": judging()}) as chat:
        panel = [member("ada", chat, price=None)]
        write_suite(tmp_path, answers, panel, judges={"budget": {"calls_per_case": 1, "usd": None}})
        raggate("run", "raggate.json", "--out", "base", "--no-reuse", cwd=tmp_path)
        each = judgements_of(tmp_path / "base")[0]["usage"]
        # As many as fit, in tokens that a prompt may have at most: some of twelve.
        write_suite(
            tmp_path, {**answers, "q11": lie(11)}, panel, judges={"budget": {"calls_per_case": 1, "tokens": 3500}}
        )
        cut = []
        for name in ("one", "two"):
            raggate("run", "raggate.json", "--out", name, "--baseline", "base", "--no-reuse", cwd=tmp_path)
            rows = rows_of(tmp_path / name)
            cut.append(
                [
                    case_id
                    for case_id, row in rows.items()
                    if (row["judges"][0].get("lost") or {}).get("code") == "budget"
                ]
            )
    assert each["input"] > 100
    assert cut[0] == cut[1], "the same answers under the same budget"
    assert 0 < len(cut[0]) < 12
    assert "q11" not in cut[0], "the one that changed is judged before the others"
    assert cut[0] == sorted(answers)[-1 - len(cut[0]) : -1], "of the others the first"


def test_restricted_text_is_in_no_prompt(tmp_path: Path) -> None:
    secret = {"chunk_id": "vault", "version": "v1", "text": "The vault code is 4711.", "principals": ["guards"]}
    cases = {"guard": {"principals": ["guards"]}, "open": {}, "leak": {}}
    with fake_chat({"ada": judging()}) as chat:
        write_suite(
            tmp_path, dict.fromkeys(cases, truth(1)), [member("ada", chat)], cases=cases, chunks=[CHUNK, secret]
        )
        traces = [
            {"case_id": "guard", "answer": truth(1), "context": ["desk", "vault"]},
            {"case_id": "open", "answer": truth(2), "context": ["desk"]},
            {"case_id": "leak", "answer": truth(3), "context": ["desk", "vault"]},
        ]
        (tmp_path / "traces.jsonl").write_text(lines(traces))
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        prompts = ["\n".join(asked.prompts) for asked in chat.asked]
    assert len(prompts) == 2
    assert [("order 1 " in prompt, "4711" in prompt) for prompt in sorted(prompts)].count((True, True)) == 1
    assert not [prompt for prompt in prompts if "4711" in prompt and "order 1 " not in prompt]
    rows = rows_of(tmp_path / "run")
    assert rows["leak"]["first_failed_stage"] == "admissibility"
    assert "judges" not in rows["leak"]


def test_a_key_that_an_endpoint_repeats_stands_in_no_file(tmp_path: Path) -> None:
    def blabs(claim: str) -> dict[str, object]:
        return {**honest(claim), "verdict": "unsupported", "support": [], "note": "your key is sk-hush-hush"}

    with fake_chat({"ada": judging(blabs), "bob": error(400, "no such key: sk-hush-hush")}) as chat:
        panel = [member(name, chat, api_key_env="ADA_KEY", attempts=1) for name in ("ada", "bob")]
        write_suite(tmp_path, {"good": truth(1)}, panel)
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path, ADA_KEY="sk-hush-hush")
    [row] = rows_of(tmp_path / "run").values()
    assert row["claims"][0]["votes"][0]["note"] == "your key is ***"
    assert row["judges"][1]["lost"]["code"] in {"judge-not-accepted", "judge-key"}
    assert "hush" not in done.stdout + done.stderr
    for path in (tmp_path / "run").iterdir():
        assert "hush" not in path.read_text(), path.name
