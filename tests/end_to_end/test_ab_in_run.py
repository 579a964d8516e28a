"""`run` with `ab:` and without arms: the baseline's answers beside this run's, judged blind, kept, shown, decided."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from raggate_action.judging_jobs.pairs.pair_injections import PLANTED_QUESTION
from tests.ab_suites import panel, rows_in
from tests.command_line import ENVIRONMENT, raggate
from tests.fake_chat.actions import Action, Body, error, judges
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import judgements_of, lie, lines, truth, write_answers, write_suite
from tests.pair_judges import honest, obedient, scripted
from tests.pair_prompts import pair_in

IDS = [f"q{number:02}" for number in range(12)]
SOUND = {case_id: truth(number) for number, case_id in enumerate(IDS)}
BOLD = {case_id: lie(number) for number, case_id in enumerate(IDS)}
HONEST = scripted(honest(SOUND.values()))


def suite(folder: Path, answers: Mapping[str, str], chat: FakeChat, *names: str, **fields: Any) -> None:
    ab = {"judges": panel(chat, *(names or ("ada", "bob")))}
    write_suite(folder, answers, **{"ab": ab, **fields})


def run(folder: Path, out: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return raggate("run", "raggate.json", "--out", out, *arguments, cwd=folder, **environment)


def ab_in(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((directory / "run.json").read_text())["ab"]
    return found


def gate_in(directory: Path) -> dict[str, Any]:
    gates = json.loads((directory / "run.json").read_text())["gates"]
    return next((each for each in gates if each["gate"] == "ab"), {})


def test_answers_that_are_the_baselines_are_ties_that_nobody_is_asked_about(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "bob": HONEST}) as chat:
        suite(tmp_path, SOUND, chat)
        first = run(tmp_path, "base")
        assert "ab" not in json.loads((tmp_path / "base/run.json").read_text()), "there is no baseline yet"
        assert not (tmp_path / "base/judge_rows.csv").exists()
        done = run(tmp_path, "head", "--baseline", "base")
        assert chat.asked == []
    assert (first.returncode, done.returncode) == (0, 0), done.stderr
    ab = ab_in(tmp_path / "head")
    assert (ab["identical"], ab["changed"], ab["judging"]["calls"]) == (12, 0, 0)
    assert gate_in(tmp_path / "head")["status"] == "passed"
    rows = rows_in(tmp_path / "head")
    assert len(rows) == 24
    assert {(row["identical"], row["verdict"], row["total_A"]) for row in rows} == {("yes", "tie", "")}
    assert "\n  A/B: all 12 answers are the baseline's, and no judge was asked.\n" in done.stdout
    comment = (tmp_path / "head/comment.md").read_text()
    assert "**A/B:** all 12 answers are the baseline's, and no judge was asked." in comment


def test_worse_answers_lose_whatever_order_a_judge_saw_and_the_gate_blocks_where_it_is_told_to(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "bob": HONEST}) as chat:
        suite(tmp_path, SOUND, chat)
        run(tmp_path, "base")
        write_answers(tmp_path, BOLD)
        done = run(tmp_path, "head", "--baseline", "base")
        assert chat.counts == {"ada": 24, "bob": 24}
        seen = [pair_in(each.body) for each in chat.asked]
        assert {read.a in SOUND.values() for read in seen} == {True, False}
        assert done.returncode == 0, "it warns by default"
        gate = gate_in(tmp_path / "head")
        assert (gate["level"], gate["status"], gate["offending"]) == ("warn", "failed", 12)
        suite(tmp_path, BOLD, chat, gates={"ab": {"level": "block"}})
        blocked = run(tmp_path, "again", "--baseline", "base")
    assert blocked.returncode == 1, blocked.stderr
    assert gate_in(tmp_path / "again")["level"] == "block"
    rows = rows_in(tmp_path / "head")
    assert {(row["baseline_response"] in SOUND.values(), row["verdict"]) for row in rows} == {(True, "A")}
    assert Counter(each["about"] for each in judgements_of(tmp_path / "head")) == {"case": 48, "label": 80}
    for name, words in (
        ("comment.md", "This run is worse."),
        ("summary.md", "This run is worse."),
        ("findings.md", "The treatment is worse."),
    ):
        assert words in (tmp_path / "head" / name).read_text(), name
    example = ab_in(tmp_path / "head")["example"]
    assert (example["prefers"], example["votes"], example["judges"]) == ("control", 2, 2)
    assert (example["before"], example["now"]) == (SOUND[example["question_id"]], BOLD[example["question_id"]])


def test_a_run_is_shown_again_from_its_files_and_says_nothing_of_another_baseline(tmp_path: Path) -> None:
    changed = {**SOUND, "q03": lie(3), "q07": lie(7)}
    with fake_chat({"ada": HONEST}) as chat:
        suite(tmp_path, SOUND, chat, "ada", gates={"judge_cost_usd": {"max": 0.001, "level": "warn"}})
        run(tmp_path, "base")
        write_answers(tmp_path, changed)
        run(tmp_path, "head", "--baseline", "base")
        assert Counter(pair_in(each.body).question for each in chat.asked) == {
            "May I return order q03?": 2,
            "May I return order q07?": 2,
        }
        write_answers(tmp_path, SOUND)
        back = run(tmp_path, "back", "--baseline", "head")
        assert len(chat.asked) == 4, "the same two answers, turned around, were compared on the baseline"
    assert back.returncode == 0, back.stderr
    assert ab_in(tmp_path / "back")["judging"]["reused"] == 4
    assert ab_in(tmp_path / "back")["aggregate"]["headline"]["wins"]["treatment"] == 2
    head = tmp_path / "head"
    gates = {each["gate"]: each for each in json.loads((head / "run.json").read_text())["gates"]}
    assert (gates["ab"]["status"], gates["ab"]["measured"]["control"]) == ("insufficient", 2)
    assert gates["judge_cost_usd"]["status"] == "failed", "what comparing took is judges' cost"
    for form in ("comment", "summary"):
        again = raggate("report", "head", "--format", form, cwd=tmp_path)
        assert again.stdout == (head / f"{form}.md").read_text(), form
    beside = raggate("report", "head", "--baseline", "base", cwd=tmp_path)
    assert beside.stdout == (head / "comment.md").read_text()
    other = raggate("report", "head", "--baseline", "back", cwd=tmp_path)
    assert "compared with those of another baseline" in other.stdout
    assert "worse" not in other.stdout
    assert lie(3) not in other.stdout, "nor is its example shown"


def test_without_a_key_on_a_laptop_nobody_is_asked_and_it_is_said_once_and_blocks_nothing(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST}, keys=["a-key-of-ada"]) as chat:
        ab = {"judges": panel(chat, "ada", api_key_env="ADA_KEY")}
        block = {"ab": {"level": "block"}}
        write_suite(tmp_path, SOUND, ab=ab, gates=block)
        run(tmp_path, "base")
        write_answers(tmp_path, {**SOUND, "q03": lie(3)})
        done = run(tmp_path, "head", "--baseline", "base")
        assert chat.asked == []
        assert done.returncode == 0, done.stderr
        gate = gate_in(tmp_path / "head")
        assert (gate["status"], gate["level"], gate["unmeasured"]) == ("unmeasured", "warn", 1)
        comment = (tmp_path / "head/comment.md").read_text()
        assert comment.count("ADA_KEY") == 1
        assert "1 changed answer was not judged." in comment
        assert not (tmp_path / "head/judge_rows.csv").exists()
        there = run(tmp_path, "there", "--baseline", "base", GITHUB_ACTIONS="true")
        assert (there.returncode, chat.asked) == (3, []), "in a workflow it is a fault, as for the judges of claims"
        assert (gate_in(tmp_path / "there")["status"], gate_in(tmp_path / "there")["level"]) == ("unmeasured", "block")
        run(tmp_path, "keyed", "--baseline", "base", ADA_KEY="a-key-of-ada")
        assert (len(chat.asked), chat.refused) == (2, [])
    written = "".join(path.read_text() for path in (tmp_path / "keyed").iterdir())
    assert "a-key-of-ada" not in written


def test_what_the_budget_does_not_reach_and_what_nobody_kept_is_lost_and_never_a_pass(tmp_path: Path) -> None:
    changed = {**SOUND, "q03": lie(3), "q07": lie(7)}
    with fake_chat({"ada": HONEST}) as chat:
        ab = {"judges": panel(chat, "ada"), "budget": {"tokens": 1}}
        write_suite(tmp_path, SOUND, ab=ab, gates={"ab": {"level": "block"}})
        run(tmp_path, "base")
        write_answers(tmp_path, changed)
        done = run(tmp_path, "head", "--baseline", "base")
        assert done.returncode == 3, "ten answers that did not change say nothing of two that did"
        assert {row["lost"].partition(":")[0] for row in rows_in(tmp_path / "head")} == {"", "budget"}
        # Without a store, a run does not keep what answers were made from.
        path = write_suite(tmp_path, SOUND, ab={"judges": panel(chat, "ada")})
        content = json.loads(path.read_text())
        del content["evidence"]
        path.write_text(json.dumps(content))
        chunk = {"chunk_id": "desk", "text": "Returns are free within thirty days."}
        with_texts(tmp_path, SOUND, chunk)
        run(tmp_path, "base")
        with_texts(tmp_path, changed, chunk)
        run(tmp_path, "head", "--baseline", "base")
        assert chat.asked == []
    assert {row["lost"] for row in rows_in(tmp_path / "head")} == {"", "text"}
    assert gate_in(tmp_path / "head")["status"] == "unmeasured"
    comment = (tmp_path / "head/comment.md").read_text()
    assert "Of 2 changed answers not all texts are at hand any more" in comment
    assert "lost. No judge was asked. Every judge's row stands in" in comment


def with_texts(folder: Path, answers: Mapping[str, str], chunk: Mapping[str, str]) -> None:
    """What the app answered, each with the text it was shown."""
    (folder / "traces.jsonl").write_text(
        lines({"case_id": name, "answer": text, "context": [chunk]} for name, text in answers.items())
    )


def test_what_cannot_stand_side_by_side_is_counted_and_a_suite_with_arms_is_for_another_command(
    tmp_path: Path,
) -> None:
    with fake_chat({"ada": HONEST}) as chat:
        suite(tmp_path, SOUND, chat, "ada", texts="ids")
        run(tmp_path, "base")
        now = {**SOUND, "q01": lie(1), "q02": "", "q13": truth(13)}
        cases = {"q00": {"question": "Another question?"}}
        suite(tmp_path, now, chat, "ada", texts="ids", cases=cases)
        done = run(tmp_path, "head", "--baseline", "base")
        assert len(chat.asked) == 2, done.stderr
        ab = ab_in(tmp_path / "head")
        assert ab["not_paired"] == [{"reason": "new", "cases": 2}, {"reason": "no-answer", "cases": 1}]
        assert (ab["identical"], ab["changed"]) == (9, 1)
        for name in ("run.json", "judge_rows.csv", "findings.md", "judgements.jsonl", "comment.md", "summary.md"):
            assert "at no cost" not in (tmp_path / "head" / name).read_text(), name
        one = run(tmp_path, "one", "--case", "q03", "--baseline", "base")
        assert "all 1 answers" not in one.stdout
        comment = (tmp_path / "one/comment.md").read_text()
        assert "the answer is the baseline's, and no judge was asked." in comment
        assert "Only what was run is compared: 1 of 13 cases." in comment
        arms = {"control": {"model": "small"}, "treatment": {"model": "large"}, "judges": panel(chat, "ada")}
        write_suite(tmp_path, now, ab=arms)
        run(tmp_path, "armed", "--baseline", "base")
        assert len(chat.asked) == 2
    assert "ab" not in json.loads((tmp_path / "armed/run.json").read_text())


def test_a_run_that_is_killed_while_it_compares_asks_nobody_a_second_time(tmp_path: Path) -> None:
    with fake_chat({"ada": judges(honest(SOUND.values()), after_s=0.05)}) as chat:
        ab = {"judges": panel(chat, "ada", concurrency=2)}
        write_suite(tmp_path, SOUND, ab=ab)
        run(tmp_path, "base")
        write_answers(tmp_path, BOLD)
        command = [sys.executable, "-m", "raggate_action", "run", "raggate.json", "--out", "head", "--baseline", "base"]
        killed = subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        ends = time.monotonic() + 60
        while sum(asked.done_at is not None for asked in chat.asked) < 7:
            assert time.monotonic() < ends, "nobody is asked"
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        heard = (tmp_path / "head/judgements.jsonl").read_text().count("\n")
        under_way = len(chat.asked) - heard
        done = run(tmp_path, "head", "--baseline", "base", "--resume")
        assert done.returncode == 0, done.stderr
        assert len(chat.asked) == 24 + under_way, "each was asked once, but for those nobody heard"
    assert 0 <= under_way <= 2
    ab_record = ab_in(tmp_path / "head")
    assert (ab_record["judging"]["calls"], ab_record["judging"]["reused"]) == (24 + 40, 0), (
        "what was said before is this run's"
    )
    assert len(judgements_of(tmp_path / "head")) == 24 + 40


def test_planted_pairs_are_shown_once_and_are_kept_from_run_to_run(tmp_path: Path) -> None:
    with fake_chat({"ada": HONEST, "bob": HONEST}) as chat:
        suite(tmp_path, SOUND, chat)
        run(tmp_path, "base")
        assert chat.planted == [], "nobody is asked without a changed answer"
        write_answers(tmp_path, BOLD)
        run(tmp_path, "head", "--baseline", "base")
        assert chat.counts == {"ada": 24, "bob": 24}
        assert Counter(each.model for each in chat.planted) == {"ada": 40, "bob": 40}
        judging = ab_in(tmp_path / "head")["judging"]
        assert (judging["planted"], judging.get("planted_reused"), judging["calls"]) == (80, None, 128)
        # Nothing has changed: nobody is asked, and what was said is handed on.
        run(tmp_path, "same", "--baseline", "head")
        assert "planted" not in ab_in(tmp_path / "same")["judging"]
        assert len(judgements_of(tmp_path / "same")) == 80
        write_answers(tmp_path, {**BOLD, "q03": "Nobody knows."})
        run(tmp_path, "third", "--baseline", "same")
        assert len(chat.planted) == 80
        assert ab_in(tmp_path / "third")["judging"]["planted_reused"] == 80
        # Another rubric is another prompt: all of it is asked again.
        rubric = {"dimensions": [{"name": "tone", "asks": "Is it polite?", "levels": [
            {"score": 5, "means": "It is."}, {"score": 1, "means": "It is not."}]}]}  # fmt: skip
        (tmp_path / "rubric.json").write_text(json.dumps(rubric))
        write_suite(tmp_path, SOUND, ab={"judges": panel(chat, "ada"), "rubric": "rubric.json"})
        run(tmp_path, "fourth", "--baseline", "third")
        # Two calls of them show the same answers with nothing planted.
        assert len(chat.planted) == 80 + 42


def test_with_too_few_judges_left_a_run_that_has_to_be_judged_is_inconclusive_and_says_what_to_do(
    tmp_path: Path,
) -> None:
    with fake_chat({"ada": HONEST, "eve": scripted(obedient())}) as chat:
        suite(tmp_path, SOUND, chat, "ada", "eve", gates={"ab": {"level": "block"}})
        run(tmp_path, "base")
        write_answers(tmp_path, BOLD)
        done = run(tmp_path, "head", "--baseline", "base")
        shown = raggate("report", "head", "--baseline", "base", cwd=tmp_path)
    assert (done.returncode, gate_in(tmp_path / "head")["status"]) == (3, "unmeasured")
    comment = (tmp_path / "head/comment.md").read_text()
    (opened,) = [line for line in comment.splitlines() if line.startswith("**A/B:**")]
    assert "Nothing is concluded: of 2 judges 1 can count, and a verdict needs 2." in opened
    assert "Put other models in the place of `eve` (`ab: judges`) and compare again" in opened
    assert "**`eve` is not counted:** under 20 planted instructions it prefers a made-up answer" in comment
    assert "is worse" not in comment
    assert shown.returncode in {0, 3}, shown.stderr


def test_where_no_judge_was_tried_the_gate_counts_no_vote_and_the_open_line_says_what_to_do(tmp_path: Path) -> None:
    def untried(body: Body) -> Action:
        is_planted = any(PLANTED_QUESTION in each["content"] for each in body["messages"])
        return error(400) if is_planted else HONEST(body)

    with fake_chat({"ada": untried, "bob": untried}) as chat:
        suite(tmp_path, SOUND, chat, gates={"ab": {"level": "block"}})
        run(tmp_path, "base")
        write_answers(tmp_path, BOLD)
        done = run(tmp_path, "head", "--baseline", "base")
        assert len(chat.planted) == 80
    gate = gate_in(tmp_path / "head")
    assert (done.returncode, gate["status"], gate["unmeasured"]) == (3, "unmeasured", 12)
    comment = (tmp_path / "head/comment.md").read_text()
    (opened,) = [line for line in comment.splitlines() if line.startswith("**A/B:**")]
    assert "80 of 80 calls with planted instructions were lost" in opened
    assert "The gate `ab` counts no vote until they are tried." in opened
    assert "raise `ab: budget` if it ran out" in opened
    assert comment.count("planted instructions were lost") == 1
