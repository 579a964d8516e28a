"""A baseline that other judges judged: this run's judge its answers again, so that only the app's change shows."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fuzz.stored_runs import tie
from tests.claims_prompts import prompt_in
from tests.command_line import ENVIRONMENT, raggate
from tests.end_to_end.test_upgrade import as_older
from tests.fake_chat.actions import Action, Answer, Body
from tests.fake_chat.server import Asked, FakeChat, fake_chat
from tests.judged_suites import (
    CHUNK,
    QUOTE,
    honest,
    judgements_of,
    judging,
    lie,
    member,
    rows_of,
    truth,
    write_answers,
    write_labels,
    write_suite,
)
from tests.row_builders import named
from tests.stored_comparison import compared

ANSWERS = {f"q{number}": truth(number) for number in range(6)} | {"bad": lie(30)}
GATES: dict[str, Any] = {"hallucination_rate": {"max": "50%"}, "faithfulness": {"min": "90%"}}
ORDER = re.compile(r"order (\d+) ")


def is_of_suite(text: str) -> bool:
    """Whether an answer or claim is the app's: those that people labelled have numbers from 1000 on."""
    found = ORDER.search(text)
    return text == QUOTE or (found is not None and int(found[1]) < 1000)


def lenient(claim: str) -> Mapping[str, Any]:
    """A judge whom people's labels arm, and who finds nothing wrong with the app's own answers."""
    return honest(claim.replace("whenever", "") if is_of_suite(claim) else claim)


SCRIPT = {"old": judging(lenient), "new": judging()}


def write(folder: Path, chat: FakeChat, model: str, answers: Mapping[str, str] = ANSWERS, **judges: Any) -> None:
    """A suite whose judge `ada` is the model."""
    write_suite(folder, answers, [member("ada", chat, model=model, concurrency=1)], judges=judges, gates=GATES)
    write_labels(folder, right=40, faults=30)


def run(folder: Path, out: str, *more: str) -> subprocess.CompletedProcess[str]:
    return raggate("run", "raggate.json", "--out", out, *more, cwd=folder)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The baseline, judged by a lenient judge."""
    folder = tmp_path_factory.mktemp("judged")
    with fake_chat(SCRIPT) as chat:
        write(folder, chat, "old")
        assert run(folder, "base").returncode == 0
    assert {row["state"] for row in rows_of(folder / "base").values()} == {"passed"}
    return folder / "base"


@pytest.fixture
def folder(stored: Path, tmp_path: Path) -> Path:
    shutil.copytree(stored, tmp_path / "base")
    return tmp_path


@pytest.fixture
def chat() -> Iterator[FakeChat]:
    with fake_chat(SCRIPT) as served:
        yield served


def moved(directory: Path) -> tuple[int, ...]:
    """Regressions, fixed cases; hallucinations new, fixed, persisting."""
    found = compared(directory)
    told = found.of("hallucination_rate")
    return (found.regressed, found.total("fixed"), told.new, told.fixed, told.same)


def again(directory: Path) -> tuple[int, dict[str, int]]:
    """How many answers of the baseline were evaluated again, and why others were not."""
    found = compared(directory).again
    assert found is not None
    return found.compared, {each.why: each.cases for each in found.why}


def asked_about(asked: list[Asked]) -> list[str]:
    """The app's own answers that a judge was asked about, in order."""
    return [answer for answer in (prompt_in(each.body).answer for each in asked) if is_of_suite(answer)]


def sentence(directory: Path) -> str:
    comment = (directory / "comment.md").read_text()
    return next(line for line in comment.splitlines() if "of the baseline" in line and line.startswith("- "))


def judging_of(directory: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((directory / "run.json").read_text())["judging"]
    return found


def test_another_judge_is_no_change_of_the_app(folder: Path, chat: FakeChat) -> None:
    """What the lenient judge passed and the strict one does not was there before: neither new nor a regression."""
    write(folder, chat, "new")
    done = run(folder, "head", "--baseline", "base")
    assert done.returncode == 1, "the bar holds as always"
    gates = json.loads((folder / "head/run.json").read_text())["gates"]
    failing = {each["gate"] for each in gates if each["status"] == "failed" and each["level"] == "block"}
    assert failing == {"faithfulness"}
    assert rows_of(folder / "head")["bad"]["state"] == "failed"
    assert moved(folder / "head") == (0, 0, 0, 0, 1)
    assert again(folder / "head") == (7, {})
    assert sentence(folder / "head").endswith("7 answers of the baseline were evaluated again by this run's suite")
    # The answers are the same, so nobody is asked twice.
    assert Counter(asked_about(chat.asked)).most_common(1)[0][1] == 1
    assert "about the baseline's answers" not in done.stdout
    # The baseline's counts beside the head's are of the same judge.
    beside = {gate.name: (gate.passed, gate.scored) for gate in compared(folder / "head").gates}
    assert beside["faithfulness"] == (6, 7)
    assert compared(folder / "head").baseline_decision == "release", "what was decided then stays"


def test_what_the_change_of_the_app_brings_is_new_and_what_it_mends_is_fixed(folder: Path, chat: FakeChat) -> None:
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3), "bad": truth(30)})
    dearest = {**GATES, "judge_cost_usd": {"max": 5}}
    content = json.loads((folder / "raggate.json").read_text())
    (folder / "raggate.json").write_text(json.dumps({**content, "gates": dearest}))
    done = run(folder, "head", "--baseline", "base", "--no-reuse")
    assert done.returncode == 1
    assert moved(folder / "head") == (1, 1, 1, 1, 0)
    assert named(compared(folder / "head"), "new_hallucinations") == ("q3",)
    assert again(folder / "head") == (7, {})
    # First the run's own answers, then of the baseline's those that are others: the failing case first.
    assert asked_about(chat.asked)[7:] == [truth(3), lie(30)]
    assert "judging 7 answers of the baseline again" in done.stderr
    # Both calls are paid for like any other.
    about = Counter(each["about"] for each in judgements_of(folder / "head") if each["calls"])
    assert about["baseline"] == 2
    assert judging_of(folder / "head")["calls"] == len(chat.asked) == about.total()
    paid = sum(each["cost_usd"] for each in judgements_of(folder / "head"))
    assert judging_of(folder / "head")["cost_usd"] == pytest.approx(paid)
    gates = json.loads((folder / "head/run.json").read_text())["gates"]
    cost = next(gate for gate in gates if gate["gate"] == "judge_cost_usd")
    assert cost["measured"]["amount"] == judging_of(folder / "head")["cost_usd"]
    assert "2 of them about the baseline's answers" in (folder / "head/comment.md").read_text()


def test_from_the_two_directories_alone_the_same_is_told_and_nobody_is_asked(
    folder: Path, chat: FakeChat, tmp_path_factory: pytest.TempPathFactory
) -> None:
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3)})
    run(folder, "head", "--baseline", "base")
    written, asked = (folder / "head/comment.md").read_text(), len(chat.asked)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    for name in ("head", "base"):
        shutil.copytree(folder / name, elsewhere / name)
    assert raggate("report", "head", "--baseline", "base", cwd=elsewhere).stdout == written
    assert raggate("report", "head", "--baseline", "base", cwd=elsewhere).stdout == written
    assert raggate("report", "head", cwd=elsewhere).stdout == written
    assert len(chat.asked) == asked
    # Of another baseline's answers nothing that was kept is taken.
    write_answers(folder, ANSWERS)
    write(folder, chat, "old")
    run(folder, "other")
    told = raggate("report", "head", "--baseline", "other", cwd=folder).stdout
    assert "could not be evaluated again (nobody was asked), so nothing could be compared" in told


def test_beyond_the_budget_nobody_is_asked_and_the_case_on_which_more_hangs_comes_first(
    folder: Path, chat: FakeChat
) -> None:
    """Three cases with a call each: one is left over, for rules verify one answer."""
    before = {"quoted": QUOTE, "fine": truth(1), "worse": truth(2)}
    write(folder, chat, "old", before)
    run(folder, "base")
    write(folder, chat, "new", {**before, "fine": truth(11), "worse": lie(12)}, budget={"calls_per_case": 1})
    start = len(chat.asked)
    run(folder, "head", "--baseline", "base")
    assert asked_about(chat.asked[start:]) == [truth(11), lie(12), truth(2)]
    assert moved(folder / "head") == (1, 0, 1, 0, 0)
    assert again(folder / "head") == (2, {"budget": 1})
    assert sentence(folder / "head").endswith(
        "2 answers of the baseline were evaluated again by this run's suite; 1 case of the baseline could not be"
        " (the budget was used up) and compare with nothing: `fine`"
    )
    assert {gate.name: gate.scored for gate in compared(folder / "head").gates}["faithfulness"] == 2
    # With nothing left over at all nothing is new.
    write(folder, chat, "new", {**before, "quoted": truth(9), "fine": truth(11), "worse": lie(12)}, budget={"calls_per_case": 1})  # fmt: skip
    run(folder, "none", "--baseline", "base", "--no-reuse")
    assert moved(folder / "none") == (0, 0, 0, 0, 0)
    assert again(folder / "none") == (1, {"budget": 2})
    assert "could not be (the budget was used up)" in sentence(folder / "none")


def test_what_is_not_at_hand_as_it_was_is_not_comparable(folder: Path, chat: FakeChat) -> None:
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3)})
    later = {**CHUNK, "version": "v2", "text": CHUNK["text"] + " The desk is closed on Sundays."}
    (folder / "evidence.jsonl").write_text(json.dumps(later) + "\n")
    chat.script["new"] = judging_any()
    run(folder, "head", "--baseline", "base")
    assert rows_of(folder / "head")["q3"]["state"] == "failed"
    assert moved(folder / "head") == (0, 0, 0, 0, 0)
    assert again(folder / "head") == (0, {"text": 7})
    assert [each for each in judgements_of(folder / "head") if each["about"] == "baseline"] == []


def judging_any() -> Callable[[Body], Action]:
    """The judge, whatever else the chunk says."""
    honestly = judging()

    def reply(body: Body) -> Action:
        messages = json.loads(json.dumps(body["messages"]).replace(" The desk is closed on Sundays.", ""))
        return honestly({**body, "messages": messages})

    return reply


def test_a_judge_that_only_advises_is_asked_about_no_answer_of_the_baseline(folder: Path, chat: FakeChat) -> None:
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3)})
    write_labels(folder, right=4, faults=0)
    run(folder, "head", "--baseline", "base")
    assert [each for each in judgements_of(folder / "head") if each["about"] == "baseline"] == []
    assert moved(folder / "head") == (0, 0, 0, 0, 0)
    assert compared(folder / "head").again is None
    assert not (folder / "head/baseline.jsonl").exists()


def test_what_judges_lost_on_the_baseline_is_judged_now(tmp_path: Path) -> None:
    def stumbling(body: Body) -> Action:
        return Answer(400, {"error": {"message": "no"}}) if lie(30) in prompt_in(body).answer else judging()(body)

    with fake_chat({"new": stumbling}) as chat:
        write(tmp_path, chat, "new")
        run(tmp_path, "base")
        assert rows_of(tmp_path / "base")["bad"]["state"] == "unmeasured"
        chat.script["new"] = judging()
        run(tmp_path, "head", "--baseline", "base")
    assert moved(tmp_path / "head") == (0, 0, 0, 0, 1)
    assert again(tmp_path / "head") == (1, {})


def test_a_call_that_is_lost_leaves_its_case_not_comparable(folder: Path, chat: FakeChat) -> None:
    def stumbling(body: Body) -> Action:
        return Answer(400, {"error": {"message": "no"}}) if prompt_in(body).answer == truth(3) else judging()(body)

    chat.script["new"] = stumbling
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3), "q4": lie(4)})
    done = run(folder, "head", "--baseline", "base")
    assert again(folder / "head") == (6, {"judge": 1})
    assert named(compared(folder / "head"), "new_hallucinations") == ("q4",)
    assert "could not be (judges were lost)" in sentence(folder / "head")
    assert done.returncode == 1


def test_where_the_judges_of_the_runs_own_answer_were_lost_nobody_is_asked_about_the_baselines(
    folder: Path, chat: FakeChat
) -> None:
    def stumbling(body: Body) -> Action:
        return Answer(400, {"error": {"message": "no"}}) if prompt_in(body).answer == lie(3) else judging()(body)

    chat.script["new"] = stumbling
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3)})
    run(folder, "head", "--baseline", "base")
    assert truth(3) not in asked_about(chat.asked)
    assert (moved(folder / "head"), again(folder / "head")) == ((0, 0, 0, 0, 1), (6, {"judge": 1}))


def test_an_upgrade_that_brings_another_prompt_is_no_change_of_the_app_either(folder: Path, chat: FakeChat) -> None:
    as_older(folder / "base")
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3)})
    run(folder, "head", "--baseline", "base")
    assert moved(folder / "head") == (1, 0, 1, 0, 1)
    assert again(folder / "head") == (7, {})
    assert (
        raggate("report", "head", "--baseline", "base", cwd=folder).stdout == (folder / "head/comment.md").read_text()
    )


def test_a_case_that_was_flaky_on_the_baseline_is_evaluated_by_the_answer_that_stands_for_it(
    folder: Path, chat: FakeChat
) -> None:
    rows = list(rows_of(folder / "base").values())
    declined = {"kind": "failed", "problems": [{"code": "declined", "detail": "I cannot say."}]}
    rows[0] |= {"state": "flaky", "asks": [{"outcomes": {"answered": declined}}]}
    (folder / "base/cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    tie(folder / "base")
    write(folder, chat, "new", {**ANSWERS, "q0": lie(0)})
    run(folder, "head", "--baseline", "base")
    assert (moved(folder / "head"), again(folder / "head")) == ((1, 0, 1, 0, 1), (7, {}))


def test_of_a_part_of_the_suite_what_both_runs_ran_is_judged_again(folder: Path, chat: FakeChat) -> None:
    write(folder, chat, "new", {**ANSWERS, "q3": lie(3)})
    assert raggate("judges", "check", "--suite", "raggate.json", cwd=folder).returncode == 0
    start = len(chat.asked)
    run(folder, "head", "--baseline", "base", "--case", "q3")
    assert asked_about(chat.asked[start:]) == [lie(3), truth(3)]
    assert (moved(folder / "head"), again(folder / "head")) == ((1, 0, 1, 0, 0), (1, {}))
    assert (
        raggate("report", "head", "--baseline", "base", cwd=folder).stdout == (folder / "head/comment.md").read_text()
    )
    # A run over its own baseline, whose files are gone before they are asked for.
    run(folder, "base", "--baseline", "base")
    assert (moved(folder / "base"), again(folder / "base")) == ((1, 0, 1, 0, 1), (7, {}))


def test_the_deadline_ends_it_and_what_is_left_is_not_comparable(folder: Path, chat: FakeChat) -> None:
    def slow(body: Body) -> Action:
        return judging(after_s=30.0 if prompt_in(body).answer in ANSWERS.values() else 0.0)(body)

    chat.script["new"] = slow
    write(folder, chat, "new", {name: lie(100 + number) for number, name in enumerate(ANSWERS)})
    content = json.loads((folder / "raggate.json").read_text())
    (folder / "raggate.json").write_text(json.dumps({**content, "deadline_s": 2}))
    done = run(folder, "head", "--baseline", "base")
    assert "judging 7 answers of the baseline again" in done.stderr
    assert (moved(folder / "head"), again(folder / "head")) == ((0, 0, 0, 0, 0), (0, {"cut": 7}))
    assert "(the time was over)" in sentence(folder / "head")
    assert (
        raggate("report", "head", "--baseline", "base", cwd=folder).stdout == (folder / "head/comment.md").read_text()
    )


def test_a_run_that_is_killed_while_it_judges_the_baseline_pays_nobody_twice(folder: Path) -> None:
    worse = {name: lie(100 + number) for number, name in enumerate(ANSWERS)}

    def slow(body: Body) -> Action:
        if prompt_in(body).answer == ANSWERS["q0"]:
            return Answer(400, {"error": {"message": "no"}})
        return judging(after_s=0.1 if prompt_in(body).answer in ANSWERS.values() else 0.0)(body)

    with fake_chat({"new": slow}) as chat:
        write(folder, chat, "new", worse)
        command = [sys.executable, "-m", "raggate_action", "run", "raggate.json", "--out", "head", "--baseline", "base"]
        started = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        ends = time.monotonic() + 60
        while len(of_baseline(chat)) < 3:
            assert time.monotonic() < ends, "nobody is asked about the baseline"
            time.sleep(0.01)
        started.send_signal(signal.SIGKILL)
        started.wait()
        heard = [each for each in judgements_of(folder / "head") if each["about"] == "baseline"]
        under_way = len(of_baseline(chat)) - len(heard)
        run(folder, "head", "--baseline", "base", "--resume")
        after = Counter(asked_about(chat.asked))
    assert 1 < len(heard) < 7
    assert 0 <= under_way <= 1
    assert set(after) == {*ANSWERS.values(), *worse.values()}
    assert after.total() == 14 + under_way, "nor is what was lost asked for again"
    assert again(folder / "head") == (6, {"judge": 1})
    said = judgements_of(folder / "head")
    assert judging_of(folder / "head")["calls"] == sum(each["calls"] for each in said)
    assert [each["id"] for each in said if each["about"] == "baseline"] == list(ANSWERS)
    assert not any(each.get("reused") for each in said)


def of_baseline(chat: FakeChat) -> list[str]:
    return [answer for answer in asked_about(chat.asked) if answer in ANSWERS.values()]
