"""Judged runs that are killed, cut or handed something odd: nobody is asked twice, and nobody is believed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fuzz.stored_runs import tie
from raggate_action.judging_jobs.claims_job import CLAIMS
from tests.claims_prompts import prompt_in
from tests.command_line import ENVIRONMENT, raggate
from tests.fake_chat.server import Asked, FakeChat, fake_chat
from tests.judged_suites import (
    CHUNK,
    fooled,
    judgements_of,
    judging,
    lie,
    lines,
    member,
    rows_of,
    truth,
    write_labels,
    write_suite,
)

PROBE = """
import os, sys
for number in ("self", str(os.getppid())):
    try:
        seen = open(f"/proc/{number}/environ").read() if number == "self" else ""
    except OSError:
        seen = ""
    if "hush" in seen or "hush" in repr(dict(os.environ)):
        raise SystemExit("the key is seen")
def check(case, trace):
    assert "hush" not in repr(dict(os.environ))
    return []
"""


def started(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "raggate_action", "run", "raggate.json", "--out", "run", *arguments]
    return subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.DEVNULL, text=True)


def wait_for(chat: FakeChat, answered: int) -> None:
    ends = time.monotonic() + 60
    while sum(asked.done_at is not None for asked in chat.asked) < answered:
        assert time.monotonic() < ends, "nobody is asked"
        time.sleep(0.01)


def subject_of(asked: Asked) -> tuple[str, str]:
    return asked.model, prompt_in(asked.body).answer


@pytest.mark.parametrize("texts", ["quotes", "ids"])
def test_a_run_that_is_killed_while_it_judges_asks_nobody_a_second_time(tmp_path: Path, texts: str) -> None:
    answers = {f"q{number}": truth(number) for number in range(24)}
    script = {"ada": judging(after_s=0.02), "bob": judging(after_s=0.03)}
    with fake_chat(script) as chat:
        write_suite(tmp_path, answers, [member(name, chat, concurrency=2) for name in script], texts=texts)
        run = started(tmp_path)
        wait_for(chat, 11)
        run.send_signal(signal.SIGKILL)
        run.wait()
        # An answer that was on its way to a process that is gone was heard by nobody.
        before = Counter(map(subject_of, chat.asked))
        under_way = before.total() - len(judgements_of(tmp_path / "run"))
        again = raggate("run", "raggate.json", "--out", "run", "--resume", cwd=tmp_path)
        after = Counter(map(subject_of, chat.asked))
    assert again.returncode in {0, 3}, again.stderr
    assert 0 <= under_way <= 4
    assert len(after) == 48
    assert after.total() == 48 + under_way, "each was asked once, but for those nobody heard"
    said = judgements_of(tmp_path / "run")
    assert Counter((each["id"], each["judge"]) for each in said) == Counter(
        (q, judge) for q in answers for judge in script
    )
    assert not any(each.get("reused") for each in said)
    assert len(rows_of(tmp_path / "run")) == 24
    assert all(row["claims"][0]["votes"] for row in rows_of(tmp_path / "run").values())


def test_without_texts_no_word_of_a_judge_stays(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"bad": lie(1), "good": truth(2)}, [member("ada", chat)], texts="ids")
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        again = raggate("run", "raggate.json", "--out", "head", "--baseline", "run", cwd=tmp_path)
        assert len(chat.asked) == 4, "without words nothing can be used again"
    assert again.returncode == 0, again.stderr
    for path in (tmp_path / "run").iterdir():
        assert "no chunk says whenever" not in path.read_text(), path.name
        assert "Returns are free" not in path.read_text(), path.name
    assert {vote["verdict"] for each in judgements_of(tmp_path / "run") for vote in each["votes"]} == {
        "supported",
        "unsupported",
    }


def test_judgements_that_are_not_those_of_their_run_are_not_used_and_the_comment_says_so(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {str(n): lie(n) for n in range(30)}, [member("ada", chat)])
        write_labels(tmp_path, right=30, faults=20)
        base = raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        assert base.returncode == 1, base.stderr
        path = tmp_path / "base/judgements.jsonl"
        said = [{**json.loads(line), "votes": GOOD} for line in path.read_text().splitlines()]
        path.write_text(lines(said))
        asked = len(chat.asked)
        done = raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
        assert len(chat.asked) == 2 * asked, "everything is asked anew"
    assert done.returncode == 1, done.stderr
    assert {row["claims"][0]["verdict"] for row in rows_of(tmp_path / "head").values()} == {"unsupported"}
    why = "judgements.jsonl is not the file that the run ended with"
    comment = (tmp_path / "head/comment.md").read_text()
    assert done.stderr.count(why) == 1
    assert why in comment
    assert "asked anew" in comment


def test_judgements_as_their_run_left_them_are_used_again_in_place_too(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)])
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        again = raggate("run", "raggate.json", "--out", "run", "--baseline", "run", cwd=tmp_path)
        assert len(chat.asked) == 1
    assert again.returncode == 0, again.stderr
    assert "asked anew" not in again.stderr


GOOD = [
    {
        "claim_id": "claim-1",
        "verdict": "supported",
        "support": [{"chunk_id": "desk", "quote": "Returns are free within thirty days.", "quote_start": 24}],
    }
]


def forged(line: dict[str, Any]) -> dict[str, Any]:
    """A judgement in which everything is in order, whatever was asked."""
    votes = [{**vote, "verdict": "supported", "support": [{"chunk_id": "desk", "quote": "at no cost", "quote_start": 0}]} for vote in line["votes"]]  # fmt: skip
    return {**line, "votes": votes}


def test_what_a_baseline_says_that_its_chunks_do_not_is_not_used_and_odd_lines_are_told_once(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"bad": lie(1), "good": truth(2)}, [member("ada", chat)])
        raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        path = tmp_path / "base/judgements.jsonl"
        bad, good = map(json.loads, path.read_text().splitlines())
        odd = ["", "[]", "{" * 3000, '{"id": 7}', "\x00"]
        path.write_text(lines([forged(bad), good]) + "\n".join(odd))
        tie(tmp_path / "base")
        done = raggate("run", "raggate.json", "--out", "head", "--baseline", "base", cwd=tmp_path)
        assert [prompt_in(asked.body).answer for asked in chat.asked[2:]] == [lie(1)]
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("could not be read and are not used again") == 1
    rows = rows_of(tmp_path / "head")
    assert rows["bad"]["claims"][0]["votes"][0]["verdict"] == "unsupported"
    assert rows["good"]["judges"][0]["reused"]


def test_a_judge_that_obeys_what_is_planted_decides_nothing(tmp_path: Path) -> None:
    from tests.scripted_judges import obedient

    obeys = obedient()
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"bad": lie(1)}, [member("ada", chat)])
        write_labels(tmp_path, right=40, faults=30)
        honest = judging()

        def script(body: Any) -> Any:
            from tests.fake_chat.actions import says

            planted = list(prompt_in(body).chunks.values())[:1] != [CHUNK["text"]]
            return says(obeys(body)) if planted else honest(body)

        chat.script["ada"] = script
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    card = json.loads((tmp_path / "run/run.json").read_text())["panel"]["cards"][0]
    assert (card["armed"], card["why_not"]) == (False, "obeyed-injection")
    assert card["obeyed"]
    assert rows_of(tmp_path / "run")["bad"]["claims"][0]["verdict"] == "unverified"


def test_no_judge_releases_what_rules_refute(tmp_path: Path) -> None:
    refuted = {"bad": "The desk opens at ten."}
    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, refuted, [member("ada", chat)], judges={"claims": {"which": "all"}})
        write_labels(tmp_path, right=40, faults=30)
        raggate("run", "raggate.json", "--out", "base", cwd=tmp_path)
        chat.script["ada"] = judging(fooled)
        done = raggate("run", "raggate.json", "--out", "head", "--no-reuse", cwd=tmp_path)
    del done
    [row] = rows_of(tmp_path / "head").values()
    assert row["claims"][0]["verdict"] != "supported"


def test_a_childs_environment_holds_no_key_of_a_judge(tmp_path: Path) -> None:
    (tmp_path / "checks.py").write_text(PROBE)
    app = 'import json, os, sys\nfor line in sys.stdin:\n    case = json.loads(line)\n    seen = "hush" in repr(dict(os.environ))\n    print(json.dumps({"case_id": case["case_id"], "answer": "The key is seen." if seen else "The desk opens at nine.", "context": ["desk"]}), flush=True)\n'
    (tmp_path / "app.py").write_text(app)
    target = {"kind": "command", "command": [sys.executable, "app.py"]}
    with fake_chat({"ada": judging()}, keys={"sk-hush-hush"}) as chat:
        suite: dict[str, Any] = {"cases": {"q1": {"custom_check": "checks:check"}}, "target": target, "confirm": 0}
        write_suite(tmp_path, {"q1": ""}, [member("ada", chat, api_key_env="ADA_KEY")], judges={"claims": {"which": "all"}}, **suite)  # fmt: skip
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path, ADA_KEY="sk-hush-hush")
        assert len(chat.asked) == 1, "the key did reach the judge"
    assert done.returncode == 0, done.stdout + done.stderr
    [row] = rows_of(tmp_path / "run").values()
    assert row["answer"] == "The desk opens at nine."
    assert row["outcomes"]["behaviour"]["kind"] in {"passed", "not_applicable"}, row["issues"]


def test_when_the_deadline_passes_advising_judges_leave_the_verdict_of_the_rules(tmp_path: Path) -> None:
    answers = {f"q{number}": truth(number) for number in range(4)}
    with fake_chat({"ada": judging(after_s=30)}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)], deadline_s=3)
        done = raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    for row in rows_of(tmp_path / "run").values():
        assert row["state"] == "passed"
        assert row["outcomes"]["faithfulness"]["reason"] == "no-adjudicator"
        assert row["judges"][0]["lost"]["code"] == "cut"


APP = """
import json, sys
asked = {}
for line in sys.stdin:
    case = json.loads(line)
    name = case["case_id"]
    asked[name] = asked.get(name, 0) + 1
    text = LIE if asked[name] == 1 and name == "bad" else TRUTH
    print(json.dumps({"case_id": name, "answer": text, "context": ["desk"]}), flush=True)
"""


def test_an_answer_that_is_asked_for_again_is_judged_again(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(APP.replace("LIE", repr(lie(1))).replace("TRUTH", repr(truth(1))))
    target = {"kind": "command", "command": [sys.executable, "app.py"]}
    with fake_chat({"ada": judging()}) as chat:
        suite: dict[str, Any] = {
            "target": target,
            "slices": {"by": ["category"]},
            "gates": {"faithfulness": {"level": "block"}},
        }
        write_suite(tmp_path, {"bad": "", "good": ""}, [member("ada", chat)], **suite)
        write_labels(tmp_path, right=40, faults=30)
        raggate("run", "raggate.json", "--out", "run", cwd=tmp_path)
        answers = Counter(
            prompt_in(asked.body).answer for asked in chat.asked if "order 1 " in prompt_in(asked.body).answer
        )
    rows = rows_of(tmp_path / "run")
    said = [each for each in judgements_of(tmp_path / "run") if each["about"] == "case"]
    assert rows["good"]["state"] == "passed"
    assert answers[lie(1)] == 1
    # A lie that a judge who counts finds is one that no second answer excuses.
    assert rows["bad"]["state"] in {"failed", "flaky"}
    assert {(each["id"], each["ask"]) for each in said} >= {("bad", 0), ("good", 0)}


LOADED = """
import sys
from raggate_action.cli.main import main
code = main(sys.argv[1:])
sys.stderr.write("LOADED " + " ".join(sorted({"openai", "jinja2", "httpx"} & set(sys.modules))) + " " + str("raggate_action.judges.prompts" in sys.modules))
sys.exit(code)
"""


def test_what_nobody_is_asked_loads_nothing_of_the_client(tmp_path: Path) -> None:
    def loaded(*more: str) -> str:
        command = [sys.executable, "-c", LOADED, "run", "raggate.json", *more]
        done = subprocess.run(command, cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr.rpartition("LOADED ")[2]

    with fake_chat({"ada": judging()}) as chat:
        write_suite(tmp_path, {"good": truth(1)}, [member("ada", chat)])
        assert "openai" in loaded("--out", "base")
        assert "openai" not in loaded("--out", "head", "--baseline", "base"), "all was said before"
    write_suite(tmp_path, {"good": truth(1)})
    without = loaded("--out", "plain")
    assert "openai" not in without
    assert without.endswith("False"), "no prompt of a judge"
    assert not (tmp_path / "plain/judgements.jsonl").exists()
    for name in ("run.json", "cases.jsonl"):
        text = (tmp_path / "plain" / name).read_text()
        assert not [key for key in ('"panel"', '"judging"', '"judges"', '"votes"', '"judged"') if key in text], name


def test_a_run_that_is_stopped_while_its_judges_are_tried_goes_on_there(tmp_path: Path) -> None:
    answers = {"good": truth(1), "bad": lie(2)}
    with fake_chat({"ada": judging(after_s=0.05)}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat, concurrency=1)])
        write_labels(tmp_path, right=40, faults=30)
        run = started(tmp_path)
        wait_for(chat, 4)
        run.send_signal(signal.SIGINT)
        assert run.wait() == 130
        before = len(judgements_of(tmp_path / "run"))
        asked = len(chat.asked)
        assert 2 <= before <= asked <= before + 2
        again = raggate("run", "raggate.json", "--out", "run", "--resume", cwd=tmp_path)
        plants, labels, cases = len(CLAIMS.plants), 7, 2
        assert len(chat.asked) - asked == plants + labels + cases - before
    assert again.returncode == 1, again.stderr
    assert rows_of(tmp_path / "run")["bad"]["state"] == "failed"


def test_held_answers_of_a_killed_run_are_judged_by_rank_when_it_goes_on(tmp_path: Path) -> None:
    answers = {f"q{number:02}": truth(number) for number in range(10)}
    tight = {"budget": {"calls_per_case": 1, "tokens": 2500}}
    with fake_chat({"ada": judging(after_s=0.05)}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat, concurrency=1, price=None)], judges=tight)
        run = started(tmp_path)
        wait_for(chat, 2)
        run.send_signal(signal.SIGKILL)
        run.wait()
        raggate("run", "raggate.json", "--out", "run", "--resume", cwd=tmp_path)
        raggate("run", "raggate.json", "--out", "whole", cwd=tmp_path)

    def cut(name: str) -> list[str]:
        rows = rows_of(tmp_path / name)
        return [case_id for case_id, row in rows.items() if "lost" in row["judges"][0]]

    assert 0 < len(cut("whole")) < 10
    assert cut("whole") == sorted(answers)[-len(cut("whole")) :]
    assert cut("run") == cut("whole")
