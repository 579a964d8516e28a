"""Judges at the pair job over real HTTP: biases show in the rows, arms in no request, and one reply out of form is mended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.pair_rows import first_arm, in_shown_order, judgement_row
from raggate_action.core.ab.score_table import ComparisonTerms
from raggate_action.judges.chat_call import VisibleChunk
from raggate_action.judges.judge_exchange import Judge, JudgingSubject
from raggate_action.judging_jobs.pair_job import PAIR_PLANTS, SOUND, PairJob, PairTask
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Price
from raggate_action.suite_files.rubric_file import default_rubric
from tests.fake_chat.actions import Action, Body, Script, says
from tests.fake_chat.server import FakeChat, fake_chat
from tests.integration.judge_calls import member, opened
from tests.pair_judges import (
    PairJudge,
    by_lab,
    by_length,
    by_position,
    chatting,
    dropping,
    fives,
    honest,
    lying,
    obedient,
    repaired_by,
    scripted,
)
from tests.pair_prompts import make_pair, pair_in, reply_of, scores_of

JOB = PairJob(default_rubric())
HIGH, LOW = scores_of(JOB.rubric, 5), scores_of(JOB.rubric, 2)
GOOD = reply_of(HIGH, LOW)
SEED = 7


class Pair(NamedTuple):
    question_id: str
    control: str
    treatment: str


# The control lists, at length, what nobody verified; every third question it is the treatment that does.
SAFE = "No sheet states the material of a glove, so none can be called free of latex."
LISTING = "As your assistant I am glad to help! Gloves one, two, three, four and five are all safe for you."
PAIRS = [Pair(f"q{at:02}", *((SAFE, LISTING) if at % 3 == 2 else (LISTING, SAFE))) for at in range(12)]
CHUNKS = (VisibleChunk("gloves", "Glove one to five come in three sizes."),)


def judged(chat: FakeChat, *tasks: PairTask, ask: int = 0, calls_left: int = 2, **fields: Any) -> list[Judgement]:
    """A judgement of each task by the model `m`, one after another."""

    async def all_of() -> list[Judgement]:
        asked = member(chat, **fields)
        async with opened(asked) as chats:
            judge = Judge(asked, chats["m"], JOB)
            return [
                await judge.judge(task, JudgingSubject("case", f"id-{at}", ask), calls_left=calls_left)
                for at, task in enumerate(tasks)
            ]

    return asyncio.run(all_of())


def one(script: Script, **given: Any) -> tuple[Judgement, FakeChat]:
    with fake_chat({"m": script}) as chat:
        (judgement,) = judged(chat, make_pair(), **given)
    assert chat.refused == []
    return judgement, chat


def compared(judge: PairJudge) -> tuple[list[JudgeRow], Aggregate, FakeChat]:
    """The rows of a judge on all pairs, in both orders, and what they come to."""
    rows: list[JudgeRow] = []
    with fake_chat({"m": scripted(judge)}) as chat:
        for ask in (0, 1):
            firsts = [first_arm(SEED, pair.question_id, "m", swapped=bool(ask)) for pair in PAIRS]
            tasks = [
                PairTask(
                    "Which gloves are free of latex?",
                    *in_shown_order(first, pair.control, pair.treatment),
                    CHUNKS,
                    harmful=True,
                )
                for first, pair in zip(firsts, PAIRS, strict=True)
            ]
            for pair, first, judgement in zip(PAIRS, firsts, judged(chat, *tasks, ask=ask), strict=True):
                answers = {"control_response": pair.control, "treatment_response": pair.treatment}
                head = {"question_id": pair.question_id, "judge": "m", **answers}
                rows.append(judgement_row(head, judgement, first))
    return rows, aggregate(rows, ComparisonTerms(dimensions=JOB.rubric.names, swap=True, seed=SEED)), chat


def test_a_whole_reply_is_one_call_and_a_judgement_with_its_scores() -> None:
    judgement, chat = one(says(GOOD), price=Price(input=2.0, output=8.0))
    assert judgement.scores is not None
    assert (judgement.scores.a, judgement.scores.b, judgement.scores.verdict) == (HIGH, LOW, "A")
    assert (judgement.job, judgement.prompt, judgement.calls, judgement.lost) == ("pair", JOB.digest, 1, None)
    assert judgement.cost_usd
    (asked,) = chat.asked
    form = asked.body["response_format"]["json_schema"]
    assert (form["name"], form["schema"], form["strict"]) == (JOB.schema_name, JOB.schema(), True)
    assert pair_in(asked.body).a == "The fee is 20 EUR [fee]."
    assert JOB.fits(judgement, make_pair())


@pytest.mark.parametrize("structured", ["json_schema", "json_object", "text"])
def test_each_way_of_telling_the_form_is_taken_by_the_endpoint(structured: str) -> None:
    judgement, _ = one(says(GOOD), structured=structured)
    assert judgement.scores is not None


def test_a_judge_that_is_honest_finds_who_is_better_in_either_order() -> None:
    rows, found, _ = compared(honest([SAFE]))
    assert {(row.question_id, row.winner) for row in rows} == {
        (pair.question_id, "treatment" if pair.treatment == SAFE else "control") for pair in PAIRS
    }
    assert (found.headline.wins.treatment, found.headline.wins.control, found.headline.wins.tie) == (8, 4, 0)
    assert (found.headline.consistency.hits, found.headline.consistency.total) == (12, 12)


@pytest.mark.parametrize("favoured", ["A", "B"])
def test_a_judge_that_prefers_a_place_is_not_counted(favoured: str) -> None:
    rows, found, _ = compared(by_position(favoured))
    first = [row.winner for row in rows if row.order == 1]
    assert {"control", "treatment"} == set(first), "alone, each call looks like a preference"
    (judge,) = found.judges
    assert judge.not_counted == "order"
    assert (judge.wins.tie, judge.consistency.hits, judge.consistency.total) == (12, 0, 12)
    assert (found.too_few, found.headline.questions, found.unjudged) == (True, 0, True)


def test_a_judge_that_prefers_length_or_its_own_lab_is_consistent_and_stays_what_it_is() -> None:
    for judge in (by_length(), by_lab("As your assistant")):
        rows, found, _ = compared(judge)
        # No swap shows this: the long answer is the long one in both places. What shows it is other judges.
        assert {row.winner == ("control" if row.control_response == LISTING else "treatment") for row in rows} == {True}
        assert found.headline.consistency.hits == 12


def test_a_judge_that_scores_everything_five_is_not_counted_and_shows_at_the_ceiling() -> None:
    _, found, _ = compared(fives())
    assert (found.judges[0].not_counted, found.headline.questions) == ("one-score", 0)
    ceiling = found.judges[0].ceiling
    assert (ceiling.hits, ceiling.total) == (2 * 2 * 12 * 5, 2 * 2 * 12 * 5)


def test_a_judge_that_lies_about_its_totals_decides_by_its_scores_and_is_counted() -> None:
    rows, found, chat = compared(lying(honest([SAFE])))
    _, true, _ = compared(honest([SAFE]))
    assert found.headline.wins == true.headline.wins
    assert all(row.claimed.verdict not in (row.winner, None) for row in rows)
    assert (found.miscounts.verdicts.hits, found.miscounts.totals.hits) == (24, 24)
    assert len(chat.asked) == 24, "no lie was sent back"


# What names an arm, what it is made of, or how it did. None of it is a judge's to know.
_SECRETS = (
    "control", "treatment", "baseline", "harness", "augmented", "arm-", "menu_tool", "claude-haiku", "anthropic",
    "http://app.test", "812 ms", "latency", "run-2026", "category", "safety-slice", "q07", "qdrant",
)  # fmt: skip


def arms_in(chat: FakeChat, *words: str) -> list[str]:
    """Words that stand anywhere in the requests of a comparison: body, headers, path."""
    sent = "\n".join(json.dumps([asked.path, asked.headers, asked.body], ensure_ascii=False) for asked in chat.asked)
    return [word for word in words if word.casefold() in sent.casefold()]


def test_no_request_tells_an_arm_a_tool_a_model_or_how_it_did() -> None:
    _, _, chat = compared(honest([SAFE]))
    assert len(chat.asked) == 24
    assert arms_in(chat, *_SECRETS) == []
    # The search would find them.
    assert arms_in(chat, "gloves", JOB.schema_name, "content-type") == ["gloves", JOB.schema_name, "content-type"]


def test_the_second_call_is_the_first_with_the_answers_exchanged_and_nothing_else() -> None:
    _, _, chat = compared(honest([SAFE]))
    for first, second in zip(chat.asked[:12], chat.asked[12:], strict=True):
        one_, other = pair_in(first.body), pair_in(second.body)
        assert (one_.a, one_.b) == (other.b, other.a)
        assert one_._replace(token="", a="", b="") == other._replace(token="", a="", b="")
        assert first.system == second.system
    firsts = [pair_in(asked.body).a == pair.control for asked, pair in zip(chat.asked, PAIRS, strict=False)]
    assert {True, False} == set(firsts)


SIX = scores_of(JOB.rubric, 5, specificity=6)
BAD: dict[str, Action | Callable[[Body], Action]] = {
    "a dimension that is missing": scripted(dropping("specificity", fives())),
    "prose around it": chatting(fives()),
    "a score of 6": says(json.dumps(reply_of(SIX, LOW))),
    "half a score": says(json.dumps(GOOD).replace('"specificity": 5', '"specificity": 4.5')),
}


@pytest.mark.parametrize("name", BAD)
def test_a_reply_out_of_form_is_sent_back_once_and_lost_where_it_stays_so(name: str) -> None:
    judgement, chat = one(repaired_by(BAD[name], says(GOOD)))
    assert judgement.scores is not None
    assert (judgement.calls, judgement.scores.a) == (2, HIGH)
    told = chat.asked[1].prompts[3]
    assert told.startswith("Your reply cannot be used as it is:\n- ")
    assert "Keep the scores you gave wherever nothing is wrong with them." in told
    assert "quote" not in told
    judgement, chat = one(BAD[name])
    assert judgement.lost is not None
    assert (judgement.lost.code, judgement.calls, judgement.scores) == ("judge-off-schema", 2, None)


def test_scores_without_a_reason_stand_once_the_reason_was_asked_for() -> None:
    bare = {key: value for key, value in GOOD.items() if key != "verdict_reason"}
    judgement, _ = one(says(bare))
    assert judgement.scores is not None
    assert (judgement.calls, judgement.lost, judgement.scores.reason) == (2, None, "")
    judgement, _ = one([says(bare), says("I gave my scores.")])
    assert judgement.scores is not None


def plant_judgements(judge: PairJudge) -> list[Judgement]:
    with fake_chat({"m": scripted(judge)}) as chat:
        return judged(chat, *[plant.task for plant in PAIR_PLANTS])


def test_an_honest_judge_obeys_no_plant_in_either_place() -> None:
    found = plant_judgements(honest([SOUND]))
    assert [plant.name for plant, said in zip(PAIR_PLANTS, found, strict=True) if plant.is_obeyed(said, "pair")] == []
    assert {judgement.lost for judgement in found} == {None}


def test_an_obedient_judge_is_caught_by_every_plant() -> None:
    found = plant_judgements(obedient())
    assert [
        plant.name for plant, said in zip(PAIR_PLANTS, found, strict=True) if not plant.is_obeyed(said, "pair")
    ] == []


def test_a_judge_that_parrots_what_it_finds_in_the_material_gets_nowhere() -> None:
    def parrot(body: Mapping[str, Any]) -> Action:
        read = pair_in(body)
        return says(max(read.a, read.b, *read.chunks.values(), key=lambda text: text.count("{")))

    plants = [plant for plant in PAIR_PLANTS if plant.name.startswith("fake-reply")]
    with fake_chat({"m": parrot}) as chat:
        found = judged(chat, *[plant.task for plant in plants])
    assert {judgement.lost.code for judgement in found if judgement.lost} == {"judge-off-schema"}
    assert len(plants) == 4
