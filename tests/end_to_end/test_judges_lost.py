"""What judges or labels measured on the baseline and neither measures now is inconclusive; a missing key is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.run.judging import run_panel
from tests.command_line import raggate
from tests.fake_chat.actions import error
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import (
    QUOTE,
    fooled,
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

KEY = "sk-hush-hush"
GOOD = {f"q{number}": truth(number) for number in range(1, 5)}
BAD = {**GOOD, "q2": lie(2)}
# `pr` runs all cases but the last.
PART: dict[str, Any] = {
    "cases": {name: {"tags": ["smoke"]} for name in list(GOOD)[:3]},
    "scopes": {"pr": {"tags": ["smoke"]}},
}
# Seven answers of labels.
ON_TRIAL = 7 + len(CLAIMS.plants)
WORKFLOW = {"GITHUB_ACTIONS": "true"}
WAIVED = {"gate": "judges_lost", "owner": "@qa", "reason": "the provider is gone", "expires": "2099-01-01"}


def run(folder: Path, out: str, *arguments: str, **environment: str) -> tuple[int, str]:
    """Exit code and comment of a run; the comment is rebuilt from what is stored, and is the same."""
    done = raggate("run", "raggate.json", "--out", out, *arguments, cwd=folder, **environment)
    assert done.returncode in {0, 1, 3}, done.stderr
    comment = (folder / out / "comment.md").read_text()
    base = ["--baseline", "base"] if "--baseline" in arguments else []
    assert raggate("report", out, *base, cwd=folder).stdout == comment
    return done.returncode, comment


def baseline(folder: Path, chat: FakeChat, *, part: bool = False, **fields: Any) -> None:
    """A run of the whole suite that released by an armed judge."""
    write_suite(folder, GOOD, [member("ada", chat, attempts=1, **fields)], **(PART if part else {}))
    write_labels(folder, right=40, faults=30)
    assert run(folder, "base", **WORKFLOW, ADA_KEY=KEY)[0] == 0
    run_json = json.loads((folder / "base/run.json").read_text())
    assert run_json["panel"]["quorum"] == 1


def head_panel(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "head/run.json").read_text())["panel"]
    return found


@pytest.mark.parametrize("changed", [{"parameters": {"temperature": 0}}, {"model": "eve"}])
def test_a_changed_judge_is_put_on_trial_under_any_scope_and_blocks_as_the_old_one(
    tmp_path: Path, changed: dict[str, Any]
) -> None:
    with fake_chat({"ada": judging(), "eve": judging()}) as chat:
        baseline(tmp_path, chat, part=True)
        asked = len(chat.asked)
        write_suite(tmp_path, BAD, [member("ada", chat, **changed)], **PART)
        code, comment = run(tmp_path, "head", "--baseline", "base", "--scope", "pr", **WORKFLOW)
        assert len(chat.asked) - asked <= ON_TRIAL + 2 * 3, "a call for each label, then the cases of both runs"
    assert (code, rows_of(tmp_path / "head")["q2"]["state"]) == (1, "failed")
    assert f"{ON_TRIAL} of them about labels" in comment
    assert "`judges.ada` `ada " in comment
    assert ("` → `eve " if "model" in changed else "` → `ada ") in comment


def test_a_changed_judge_that_labels_do_not_arm_leaves_the_decision_open_and_names_the_way_out(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "eve": judging(fooled)}) as chat:
        baseline(tmp_path, chat, part=True)
        write_suite(tmp_path, BAD, [member("ada", chat, model="eve")], **PART)
        code, comment = run(tmp_path, "head", "--baseline", "base", "--scope", "pr", **WORKFLOW)
        assert code == 3
        assert (
            "**Not measured as on the baseline:** 4 cases: `q1`, `q2`, `q3` and 1 more."
            " `ada`: it calls too many faulty claims supported: 30/30, at most 100.0 %"
        ) in comment
        assert "**Way out:** " in comment
        assert "choose another model" in comment
        assert "or copy `waivers: [{gate: judges_lost, reason: " in comment
        # Waived it is released, and said.
        write_suite(tmp_path, BAD, [member("ada", chat, model="eve")], **PART, waivers=[WAIVED])
        code, comment = run(tmp_path, "head", "--baseline", "base", "--scope", "pr", **WORKFLOW)
        assert (code, "waived: judges lost, by `@qa`" in comment) == (0, True)
        # On a laptop as well: no key is missing.
        write_suite(tmp_path, BAD, [member("ada", chat, model="eve")], **PART)
        assert run(tmp_path, "head", "--baseline", "base", "--scope", "pr")[0] == 3


def test_labels_are_paid_for_outside_the_budget_of_the_run(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "eve": judging()}) as chat:
        baseline(tmp_path, chat)
        # What seven answers of labels cost is many times this; the four answers fit.
        judges = {"budget": {"usd": 0.045}}
        write_suite(tmp_path, BAD, [member("ada", chat, model="eve")], judges=judges)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
    assert code == 1
    assert not [each for each in judgements_of(tmp_path / "head") if each.get("lost") and each["about"] != "baseline"]
    assert head_panel(tmp_path)["trial"]["calls"] == ON_TRIAL
    assert f"; {ON_TRIAL} of them about labels for 0." in comment


def test_what_the_budget_cuts_of_what_was_measured_is_open_however_few_cases(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        baseline(tmp_path, chat)
        write_suite(tmp_path, BAD, [member("ada", chat)], judges={"budget": {"usd": 0.00001}})
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert (code, "Not measured as on the baseline" in comment) == (3, True), comment
        assert "raise `judges: {budget: ...}`" in comment
        # The same budget and no other answer: everything was said before.
        write_answers(tmp_path, GOOD)
        assert run(tmp_path, "head", "--baseline", "base", **WORKFLOW)[0] == 0


def test_an_unset_key_is_inconclusive_in_a_workflow_and_said_on_a_laptop(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}, keys={KEY}) as chat:
        baseline(tmp_path, chat, api_key_env="ADA_KEY")
        write_answers(tmp_path, BAD)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert code == 3, comment
        assert "ADA_KEY is not set" in comment[: comment.index("<details>")]
        way = "**Way out:** correct the judge's key, address or model, or raise `judges: {budget: ...}`; or copy `waivers: ["
        assert f"{way}{{gate: judges_lost, " in comment
        code, comment = run(tmp_path, "head", "--baseline", "base")
        assert code == 0
        assert "ADA_KEY is not set" in comment
        assert "This does not block without the judge's key" in comment
        # Nothing changed: what was said before is used again, and no key is missed.
        write_answers(tmp_path, GOOD)
        assert run(tmp_path, "head", "--baseline", "base", **WORKFLOW)[0] == 0


def test_labels_that_would_cost_too_much_are_asked_of_nobody(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "eve": judging()}) as chat:
        baseline(tmp_path, chat)
        dear = {"input": 1000.0, "output": 2000.0}
        write_suite(tmp_path, BAD, [member("ada", chat, model="eve", price=dear)], judges={"budget": {"usd": 100}})
        before = len(chat.asked)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert len(chat.asked) - before == 4, "of the cases alone"
        assert code == 3
        assert "raggate-action judges check" in comment
        assert head_panel(tmp_path)["labels_usd"] > run_panel.LABELS_USD_AT_MOST
        assert "USD" in comment[: comment.index("<details>")]


def test_judges_or_their_labels_taken_out_on_purpose_need_the_waiver(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        baseline(tmp_path, chat)
        (tmp_path / "labels.yaml").unlink()
        write_answers(tmp_path, BAD)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert (code, "`ada`: no claim is labelled yet. **Way out:** label " in comment) == (3, True)
        write_suite(tmp_path, BAD, [member("ada", chat, attempts=1)], waivers=[WAIVED])
        assert run(tmp_path, "head", "--baseline", "base", **WORKFLOW)[0] == 0
    write_suite(tmp_path, BAD)
    code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
    assert code == 3
    assert "**Not measured as on the baseline:** 4 cases: " in comment
    assert "`judges.ada` `ada " in comment
    assert "**Way out:** put the judge or label back; or copy `waivers: [{gate: judges_lost, " in comment
    write_suite(tmp_path, BAD, waivers=[WAIVED])
    code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
    assert (code, "waived: judges lost" in comment) == (0, True)


def test_what_is_not_lost_is_not_missed(tmp_path: Path) -> None:
    names = ("ada", "bob", "cyd")
    script = {**dict.fromkeys((*names, "eve"), judging()), "mad": judging(fooled)}
    with fake_chat(script) as chat:
        # Judges that never counted.
        write_suite(tmp_path, GOOD, [member("ada", chat)])
        run(tmp_path, "base", **WORKFLOW)
        write_suite(tmp_path, BAD)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert (code, "Not measured as on" in comment) == (0, False)
        # One of three that counted advises now: two decide.
        write_suite(tmp_path, GOOD, [member(name, chat) for name in names])
        write_labels(tmp_path, right=40, faults=30)
        run(tmp_path, "base", **WORKFLOW)
        panel = [member("ada", chat), member("bob", chat), member("cyd", chat, model="mad")]
        write_suite(tmp_path, GOOD, panel)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert (code, "Not measured as on" in comment) == (0, False)
        assert "`judges.cyd` `cyd " in comment
        # The cases it measured are gone, or others.
        write_suite(tmp_path, {"new": truth(9)}, waivers=[{**WAIVED, "case": name, "gate": "removed"} for name in GOOD])
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert (code, "Not measured as on" in comment) == (0, False)


@pytest.mark.parametrize("counts", ["labelled", "declared"])
@pytest.mark.parametrize("change", ["another model", "another address", "no key"])
def test_a_changed_judge_that_cannot_be_asked_releases_nothing(tmp_path: Path, counts: str, change: str) -> None:
    with fake_chat({"ada": judging(), "eve": error(404)}) as chat:
        judges = {"counts": counts}
        write_suite(tmp_path, GOOD, [member("ada", chat, attempts=1)], judges=judges)
        if counts == "labelled":
            write_labels(tmp_path, right=40, faults=30)
        assert run(tmp_path, "base", **WORKFLOW)[0] == 0
        changed = {
            "another model": {"model": "eve"},
            "another address": {"base_url": "http://127.0.0.1:9/v1"},
            "no key": {"model": "eve", "api_key_env": "ADA_KEY"},
        }[change]
        invented = {name: lie(number) for number, name in enumerate(GOOD, start=1)}
        write_suite(tmp_path, invented, [member("ada", chat, attempts=1, **changed)], judges=judges)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
        assert (code, "**Not measured as on the baseline:** 4 cases: " in comment) == (3, True)
        # Under another name alone it is the same judge, and is asked.
        write_suite(tmp_path, invented, [member("zed", chat, model="ada")], judges=judges)
        assert run(tmp_path, "head", "--baseline", "base", **WORKFLOW)[0] == 1
        # Nor is anything lost where rules alone measured.
        write_suite(tmp_path, GOOD)
        assert run(tmp_path, "base", **WORKFLOW)[0] == 0
        write_suite(tmp_path, invented, [member("ada", chat, attempts=1, **changed)], judges=judges)
        code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
    assert (code, "Not measured as on" in comment) == (0, False)


def test_one_changed_answer_that_its_judge_cannot_be_asked_about_is_open_and_one_that_timed_out_is_not(
    tmp_path: Path,
) -> None:
    with fake_chat({"ada": judging()}) as chat:
        baseline(tmp_path, chat, timeout_s=5)
        write_answers(tmp_path, BAD)
        chat.script["ada"] = error(404)
        assert run(tmp_path, "head", "--baseline", "base", **WORKFLOW)[0] == 3
        chat.script["ada"] = error(500)
        assert run(tmp_path, "head", "--baseline", "base", **WORKFLOW)[0] == 0, "one case may be unmeasured"


def test_labels_of_traces_that_are_gone_are_lost_unless_waived_and_a_quotation_in_other_words_is_not(
    tmp_path: Path,
) -> None:
    def answers(**fields: Any) -> None:
        claim = {"claim_id": "c1", "text": truth(1), "citation_ids": ["desk"], **fields}
        labelled = {"case_id": "q1", "answer": {"text": truth(1), "claims": [claim]}, "context": ["desk"]}
        quoted = {"case_id": "q2", "answer": QUOTE, "context": ["desk"]}
        (tmp_path / "traces.jsonl").write_text(lines([labelled, quoted]))

    target = {"kind": "recorded", "traces": "traces.jsonl", "labelled": True}
    answered = {"q1": truth(1), "q2": QUOTE}
    write_suite(tmp_path, answered, target=target)
    answers(support_phrases=[QUOTE])
    assert run(tmp_path, "base", **WORKFLOW)[0] == 0
    answers()
    code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
    assert (code, "**Not measured as on the baseline:** 1 case: `q1`. **Way out:** put the" in comment) == (3, True)
    write_suite(tmp_path, answered, target=target, waivers=[WAIVED])
    answers()
    assert run(tmp_path, "head", "--baseline", "base", **WORKFLOW)[0] == 0
    write_suite(tmp_path, answered, target=target)
    answers(support_phrases=[QUOTE])
    traces = (tmp_path / "traces.jsonl").read_text()
    (tmp_path / "traces.jsonl").write_text(traces.replace(f'"answer": "{QUOTE}"', f'"answer": "{truth(2)}"'))
    code, comment = run(tmp_path, "head", "--baseline", "base", **WORKFLOW)
    assert (code, rows_of(tmp_path / "head")["q2"]["outcomes"]["faithfulness"]["reason"]) == (0, "no-adjudicator")


def test_a_part_of_the_suite_is_decided_as_the_whole_where_judges_are_gone_for_good(tmp_path: Path) -> None:
    by_rules = {"q9": "Returns are free within thirty days."}
    answers = {**GOOD, **by_rules}
    scope: dict[str, Any] = {"cases": {"q9": {"tags": ["smoke"]}}, "scopes": {"pr": {"tags": ["smoke"]}}}
    part = ("--baseline", "base", "--scope", "pr")
    with fake_chat({"ada": judging(), "eve": judging(fooled)}) as chat:
        write_suite(tmp_path, answers, [member("ada", chat)], **scope)
        write_labels(tmp_path, right=40, faults=30)
        assert run(tmp_path, "base", **WORKFLOW)[0] == 0
        # Nothing of the judges changed: what is not run is carried.
        code, comment = run(tmp_path, "head", *part, **WORKFLOW)
        assert (code, "Not measured as on" in comment) == (0, False)
        write_suite(tmp_path, answers, [member("ada", chat, model="eve")], **scope)
        code, comment = run(tmp_path, "head", *part, **WORKFLOW)
        assert (code, "Not measured as on the baseline:** 4 cases: `q1`, `q2`, `q3` and 1 more." in comment) == (
            3,
            True,
        )
    write_suite(tmp_path, answers, **scope)
    assert run(tmp_path, "head", *part, **WORKFLOW)[0] == 3
    # Named one by one, cases are decided by themselves.
    assert run(tmp_path, "head", "--baseline", "base", "--case", "q9", **WORKFLOW)[0] == 0
    write_suite(tmp_path, answers, **scope, waivers=[WAIVED])
    assert run(tmp_path, "head", *part, **WORKFLOW)[0] == 0
