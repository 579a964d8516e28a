"""A judge whose verdict would newly fail a case is asked once more, with the chunks in another order."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judging_jobs.claims.claims_job import CLAIMS
from raggate_action.judging_jobs.claims.claims_task import ClaimQuestion, ClaimsTask
from raggate_action.run.judging.judge_budget import largest_cost
from raggate_action.schema.judges import Member
from tests.claims_prompts import prompt_in
from tests.command_line import raggate
from tests.fake_chat.actions import Action, Body
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import (
    CHUNK,
    fooled,
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

OTHER = {"chunk_id": "shop", "version": "v1", "text": "The shop is in the old harbour. It closes at six."}
SHOWN = ("desk", "shop")
ASKED = "with the chunks in another order"


def by_order(body: Body) -> Action:
    """Honest where the desk's chunk comes first; else everything is in order."""
    shown = list(prompt_in(body).chunks.values())
    return judging(fooled if shown[0] == OTHER["text"] else honest)(body)


def suite(folder: Path, chat: FakeChat, answers: dict[str, str]) -> None:
    """One armed judge, every answer made from two chunks, and a first run of true answers in `base`."""
    true = {name: truth(number) for number, name in enumerate(answers, 1)}
    write_suite(folder, true, [member("ada", chat)], chunks=(CHUNK, OTHER))
    write_labels(folder, right=40, faults=30)
    assert run(folder, "base", "base")[0] == 0
    write_answers(folder, answers, SHOWN)


def run(folder: Path, out: str, baseline: str = "base") -> tuple[int, str]:
    against = ("--baseline", baseline) if baseline != out else ()
    done = raggate("run", "raggate.json", "--out", out, *against, cwd=folder)
    comment = (folder / out / "comment.md").read_text()
    assert raggate("report", out, *against, "--format", "comment", cwd=folder).stdout == comment
    return done.returncode, comment


def said_of(run_directory: Path) -> list[dict[str, Any]]:
    return [each for each in judgements_of(run_directory) if each["about"] == "case"]


def test_a_verdict_that_follows_the_order_of_the_chunks_fails_nothing_and_is_told(tmp_path: Path) -> None:
    with fake_chat({"ada": by_order}) as chat:
        suite(tmp_path, chat, {"good": lie(1), "other": truth(2)})
        asked = len(chat.asked)
        code, comment = run(tmp_path, "head")
        assert len(chat.asked) - asked == 2, "the answer that changed, and once more"
        assert code == 0, comment
        row = rows_of(tmp_path / "head")["good"]
        assert (row["claims"][0]["verdict"], row["state"]) == ("unverified", "unmeasured")
        [judge] = row["judges"]
        assert (judge["calls"], judge["flips"]) == (2, {"hits": 1, "total": 1})
        assert ASKED in judge["dropped"][0]["reason"]
        assert f"Asked again {ASKED}, and said otherwise: `ada` 1/1" in comment
        assert ASKED in raggate("explain", "head", "good", cwd=tmp_path).stdout
        # Both are kept, so that the next run asks nobody.
        assert [len(each["votes"]) for each in said_of(tmp_path / "head")] == [1, 1, 1]
        assert run(tmp_path, "again", "head")[0] == 0
        assert len(chat.asked) - asked == 2
        assert rows_of(tmp_path / "again")["good"]["judges"][0]["flips"] == {"hits": 1, "total": 1}


def test_a_steady_judge_fails_it_still(tmp_path: Path) -> None:
    with fake_chat({"ada": judging()}) as chat:
        suite(tmp_path, chat, {"good": lie(1), "other": truth(2)})
        asked = len(chat.asked)
        code, comment = run(tmp_path, "head")
        assert (code, len(chat.asked) - asked) == (1, 2)
        row = rows_of(tmp_path / "head")["good"]
        assert row["claims"][0]["verdict"] == "unsupported"
        assert row["judges"][0]["flips"] == {"hits": 0, "total": 1}
        assert "said otherwise: `ada` 0/1" in comment
        # It fails on the baseline as well now: nobody is asked a third time.
        write_answers(tmp_path, {"good": lie(9), "other": truth(2)}, SHOWN)
        run(tmp_path, "later", "head")
        assert len(chat.asked) - asked == 3


def test_one_verdict_in_ten_is_asked_for_again(tmp_path: Path) -> None:
    names = [f"q{number:02}" for number in range(11)]
    with fake_chat({"ada": by_order}) as chat:
        suite(tmp_path, chat, dict.fromkeys(names, ""))
        write_answers(tmp_path, {name: lie(50 + number) for number, name in enumerate(names)}, SHOWN)
        asked = len(chat.asked)
        run(tmp_path, "head")
        # Of eleven verdicts two, rounded up.
        assert len(chat.asked) - asked == 11 + 2
    claims = [row["claims"][0]["verdict"] for row in rows_of(tmp_path / "head").values()]
    assert (claims.count("unverified"), claims.count("unsupported")) == (2, 9)


def test_the_second_question_is_within_the_budget(tmp_path: Path) -> None:
    # One call is reserved at its prompt and a long reply. So much is allowed: what is left after the first is less.
    claim = ClaimQuestion("claim-1", lie(1))
    chunks = tuple([VisibleChunk(each["chunk_id"], each["text"]) for each in (CHUNK, OTHER)])
    size = CLAIMS.size(ClaimsTask("May I return order good?", lie(1), (claim,), chunks))
    with fake_chat({"ada": by_order}) as chat:
        judge = Member.model_validate_json(json.dumps(member("ada", chat)))
        allowed = largest_cost(judge, size, 1).usd
        suite(tmp_path, chat, {"good": lie(1), "other": truth(2)})
        allow(tmp_path, allowed)
        asked = len(chat.asked)
        assert run(tmp_path, "head")[0] == 1, "the first verdict stands where nobody could be asked again"
        assert len(chat.asked) - asked == 1
        first, second = [each for each in said_of(tmp_path / "head") if each["id"] == "good"]
        assert 0 < first["cost_usd"] <= allowed
        assert second["lost"]["code"] == "budget"
        allow(tmp_path, 3 * allowed)
        assert run(tmp_path, "more")[0] == 0
        assert sum(each["cost_usd"] for each in said_of(tmp_path / "more")) <= 3 * allowed


def allow(folder: Path, usd: float) -> None:
    whole = json.loads((folder / "raggate.json").read_text())
    whole["judges"]["budget"] = {"usd": usd}
    (folder / "raggate.json").write_text(json.dumps(whole))


def check(folder: Path, script: Callable[[Body], Action]) -> tuple[str, list[dict[str, Any]]]:
    with fake_chat({"ada": script}) as chat:
        write_suite(folder, {"good": truth(1)}, [member("ada", chat)], chunks=(CHUNK, OTHER))
        write_labels(folder, right=40, faults=30)
        path = folder / "calibration.jsonl"
        labels = [json.loads(line) for line in path.read_text().splitlines()]
        for label in labels:
            label["chunks"].append({"chunk_id": "shop", "text": OTHER["text"]})
        path.write_text("".join(json.dumps(label) + "\n" for label in labels))
        told = raggate("judges", "check", "raggate.json", cwd=folder).stdout
        asked = len(chat.asked)
        raggate("run", "raggate.json", "--out", "run", cwd=folder)
        assert len(chat.asked) - asked == 1, "the case alone: what was said of labels is read from the file"
    cards: list[dict[str, Any]] = json.loads((folder / "run/run.json").read_text())["panel"]["cards"]
    return told, cards


def test_judges_check_asks_a_tenth_of_the_labels_twice_and_the_card_says_what_came_of_it(tmp_path: Path) -> None:
    (tmp_path / "steady").mkdir()
    told, [card] = check(tmp_path / "steady", judging())
    # One of seven answers, with ten claims.
    assert f"0/10 verdicts otherwise, {ASKED}" in " ".join(told.split())
    assert (card["armed"], card["flips"]) == (True, {"hits": 0, "total": 10})
    (tmp_path / "unsteady").mkdir()
    told, [card] = check(tmp_path / "unsteady", by_order)
    assert card["armed"] is True, "flips change no term of arming"
    hits = card["flips"]["hits"]
    # The answer drawn holds truths, lies, or both; only lies are called otherwise.
    assert f"{hits}/10 verdicts otherwise, {ASKED}" in " ".join(told.split())
