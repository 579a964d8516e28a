"""Another version of raggate asks judges in other words: what that takes is said, and what nobody judges is open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fuzz.stored_runs import tie
from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.run.judging import run_panel
from raggate_action.schema.base import digest_of
from tests.command_line import raggate
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import judging, lie, member, truth, write_answers, write_labels, write_suite

WORKFLOW = {"GITHUB_ACTIONS": "true"}
# Seven answers of labels, and the planted instructions, of two judges.
CALLS = 2 * (7 + len(CLAIMS.plants))


def baseline(folder: Path, chat: FakeChat) -> None:
    """A run of the whole suite that released by two armed judges, as a version with another prompt left it."""
    write_suite(folder, {"good": truth(1), "other": truth(2)}, [member(name, chat) for name in ("ada", "bob")])
    write_labels(folder, right=40, faults=30)
    assert run(folder, "base")[0] == 0
    panel = json.loads((folder / "base/run.json").read_text())["panel"]
    assert [card["armed"] for card in panel["cards"]] == [True] * 3
    now = {card["prompt"] for card in panel["cards"] if card.get("prompt")}
    for path in [folder / "base" / name for name in ("run.json", "cases.jsonl", "judgements.jsonl")]:
        text = path.read_text()
        for prompt in now:
            then = "0" * len(prompt)
            for each in panel["members"]:
                bound, bound_then = (digest_of([each["fingerprint"], of])[:16] for of in (prompt, then))
                text = text.replace(bound, bound_then)
            text = text.replace(prompt, then)
        path.write_text(text)
    tie(folder / "base")


def run(folder: Path, out: str, *arguments: str) -> tuple[int, str, str]:
    """Exit code, comment and log of a run; the comment is rebuilt from what is stored, and is the same."""
    done = raggate("run", "raggate.json", "--out", out, *arguments, cwd=folder, **WORKFLOW)
    comment = (folder / out / "comment.md").read_text()
    assert raggate("report", out, *arguments, cwd=folder).stdout == comment
    return done.returncode, comment, done.stderr


def test_the_labels_are_asked_again_and_the_calls_and_their_price_are_said_first(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        baseline(tmp_path, chat)
        asked = len(chat.asked)
        code, comment, log = run(tmp_path, "head", "--baseline", "base")
        # Two answers of each judge, which are the baseline's as well.
        assert (code, len(chat.asked) - asked) == (0, CALLS + 4)
        said = f"labels and planted instructions are judged anew in {CALLS} calls, at most 0."
        assert said in comment
        assert said in log
        assert "in other words" not in run(tmp_path, "again", "--baseline", "head")[1]


def test_where_they_cost_too_much_nobody_measures_and_the_way_out_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        baseline(tmp_path, chat)
        monkeypatch.setattr(run_panel, "LABELS_USD_AT_MOST", 0.01)
        code, comment, _log = run(tmp_path, "head", "--baseline", "base")
        first_screen = comment.partition("<details>")[0]
        assert code == 3, comment
        assert "**Way out:** run `raggate-action judges check` and commit its file (the labels cost 0." in first_screen
        assert f"It takes {CALLS} calls about labels and planted instructions, at most 0." in comment
        assert "by the baseline's suite" not in comment


def test_an_answer_that_got_worse_is_still_what_judges_make_of_it(tmp_path: Path) -> None:
    with fake_chat({"ada": judging(), "bob": judging()}) as chat:
        baseline(tmp_path, chat)
        write_answers(tmp_path, {"good": truth(1), "other": lie(2)})
        assert run(tmp_path, "head", "--baseline", "base")[0] == 1
