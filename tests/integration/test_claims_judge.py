"""A judge at the claims job over real HTTP: every kind of reply, the one repair attempt, what it cost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import JsonValue

from raggate_action.judges.judge_exchange import Judge, JudgingSubject
from raggate_action.judges.prompts import MOST_CHARACTERS
from raggate_action.judging_jobs.claims_job import CLAIMS, ClaimsTask
from raggate_action.schema.judgement import Judgement, Usage
from raggate_action.schema.judges import Price
from tests.claims_prompts import examined, make_task, prompt_in, reply_of
from tests.fake_chat.actions import Answer, Drop, Hang, Script, error, judges, says, too_many
from tests.fake_chat.server import FakeChat, fake_chat
from tests.integration.judge_calls import member, opened
from tests.scripted_judges import honest, label_of, obedient

TASK = make_task("The fee is 20 EUR. Dogs may stay.", claims=["The fee is 20 EUR.", "Dogs may stay."])
DOGS = examined(2, "unsupported", note="no chunk speaks of dogs")
GOOD = reply_of(examined(1, "supported", 1), DOGS)
# The fee's chunk has one sentence.
INVENTED = reply_of(examined(1, "supported", 2), DOGS)
FEE_ALONE = reply_of(examined(1, "supported", 1))
PRICE = Price(input=2.0, cached=0.5, output=8.0)


def judged(
    chat: FakeChat, *tasks: ClaimsTask, calls_left: int = 3, about: Any = "case", **fields: Any
) -> list[Judgement]:
    """A judgement of each task by the model `m`, one after another."""

    async def all_of() -> list[Judgement]:
        asked = member(chat, **fields)
        async with opened(asked) as chats:
            judge = Judge(asked, chats["m"], CLAIMS)
            return [
                await judge.judge(task, JudgingSubject(about, f"id-{at}"), calls_left=calls_left)
                for at, task in enumerate(tasks or (TASK,))
            ]

    return asyncio.run(all_of())


def one(script: Script, *, calls_left: int = 3, **fields: Any) -> tuple[Judgement, FakeChat]:
    with fake_chat({"m": script}) as chat:
        (judgement,) = judged(chat, calls_left=calls_left, **fields)
    assert chat.refused == []
    return judgement, chat


def verdicts(judgement: Judgement) -> dict[str, str]:
    return {vote.claim_id: vote.verdict for vote in judgement.votes}


def test_a_whole_reply_is_one_call_and_a_judgement_with_all_it_is_bound_to() -> None:
    usage: JsonValue = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 400},
    }
    judgement, chat = one(says(GOOD, usage=usage), price=PRICE)
    assert verdicts(judgement) == {"c1": "supported", "c2": "unsupported"}
    assert judgement.dropped == (), "nothing is missing"
    assert (judgement.about, judgement.id, judgement.ask, judgement.judge) == ("case", "id-0", 0, "m")
    assert (judgement.lost, judgement.declines, judgement.reused) == (None, False, False)
    assert judgement.prompt == CLAIMS.digest
    assert (judgement.calls, judgement.usage) == (1, Usage(input=1000, cached=400, output=100))
    # 600 * 2 + 400 * 0.5 + 100 * 8 dollars per million
    assert judgement.cost_usd == pytest.approx(0.0022)
    (asked,) = chat.asked
    assert asked.system == CLAIMS.system
    form = asked.body["response_format"]["json_schema"]
    assert (form["name"], form["schema"], form["strict"]) == (CLAIMS.schema_name, CLAIMS.schema(TASK), True)
    prompt = prompt_in(asked.body)
    assert prompt.claims == {1: "The fee is 20 EUR.", 2: "Dogs may stay."}
    assert prompt.chunks == {"fee": "The fee for every order is 20 EUR."}


def test_every_call_draws_a_token_of_its_own_behind_the_same_first_part() -> None:
    with fake_chat({"m": says(GOOD)}) as chat:
        judged(chat, TASK, TASK, TASK)
    tokens = {prompt_in(asked.body).token for asked in chat.asked}
    assert len(tokens) == 3
    assert min(map(len, tokens)) >= 24
    assert {asked.system for asked in chat.asked} == {CLAIMS.system}


@pytest.mark.parametrize("structured", ["json_schema", "json_object", "text"])
def test_each_way_of_telling_the_form_is_taken_by_the_endpoint(structured: str) -> None:
    judgement, _chat = one(says(GOOD), structured=structured)
    assert verdicts(judgement) == {"c1": "supported", "c2": "unsupported"}


def test_a_fence_is_taken_where_words_alone_told_the_form_and_sent_back_elsewhere() -> None:
    fenced = f"```json\n{json.dumps(GOOD)}\n```"
    judgement, _ = one(says(fenced), structured="text")
    assert (judgement.calls, judgement.lost) == (1, None)
    judgement, _ = one([says(fenced), says(GOOD)])
    assert (judgement.calls, judgement.lost) == (2, None)


OFF_SCHEMA = {
    "prose around it": f"Here is my verdict: {json.dumps(GOOD)} Hope it helps!",
    "a key twice": json.dumps(GOOD).replace('"verdict": "supported"', '"verdict": "unsupported", "verdict": "supported"'),
    "another schema": '{"score": 5, "reasoning": "good"}',
    "prose": "All claims are supported.",
}  # fmt: skip


@pytest.mark.parametrize("name", OFF_SCHEMA)
def test_a_reply_out_of_form_is_asked_for_once_more_without_it_beside(name: str) -> None:
    bad = OFF_SCHEMA[name]
    judgement, chat = one([says(bad), says(GOOD)], price=PRICE)
    assert verdicts(judgement) == {"c1": "supported", "c2": "unsupported"}
    first, second = chat.asked
    assert (len(second.prompts), second.system) == (2, first.system)
    assert prompt_in(second.body).claims == prompt_in(first.body).claims
    assert judgement.calls == 2
    used = [len(" ".join(asked.prompts).split()) for asked in chat.asked]
    assert judgement.usage.input == sum(used)
    assert judgement.cost_usd == pytest.approx((judgement.usage.input * 2 + judgement.usage.output * 8) / 1e6)


@pytest.mark.parametrize("name", OFF_SCHEMA)
def test_a_judge_that_stays_out_of_form_is_lost_with_its_fault_and_no_grade(name: str) -> None:
    judgement, chat = one(says(OFF_SCHEMA[name]))
    assert judgement.lost is not None
    assert judgement.lost.code == "judge-off-schema"
    assert judgement.lost.detail
    assert (judgement.votes, judgement.declines, judgement.calls) == ((), None, 2)
    assert len(chat.asked) == 2


MISSING = {
    "a sentence that is not there": INVENTED,
    "a claim left out": reply_of(DOGS),
    "a claim nobody asked about in its place": reply_of(examined(7, "unsupported"), DOGS),
    "two verdicts on one": reply_of(examined(1, "supported", 1), examined(1, "unsupported"), DOGS),
}


@pytest.mark.parametrize("name", MISSING)
def test_what_is_missing_is_asked_for_alone_and_the_rest_stands(name: str) -> None:
    judgement, chat = one([says(MISSING[name]), says(FEE_ALONE)])
    assert verdicts(judgement) == {"c1": "supported", "c2": "unsupported"}
    assert (judgement.dropped, judgement.calls) == ((), 2)
    second = chat.asked[1]
    assert len(second.prompts) == 2
    assert prompt_in(second.body).claims == {1: "The fee is 20 EUR."}
    assert prompt_in(second.body).token != prompt_in(chat.asked[0].body).token


@pytest.mark.parametrize("name", MISSING)
def test_what_stays_missing_has_no_vote_and_is_not_asked_for_again(name: str) -> None:
    for worse in ("sorry", json.dumps(reply_of())):
        judgement, chat = one([says(MISSING[name]), says(worse)])
        assert (verdicts(judgement), judgement.lost, len(chat.asked)) == ({"c2": "unsupported"}, None, 2)
        assert [each.claim_id for each in judgement.dropped] == ["c1"]
    judgement, _ = one([says(MISSING[name]), too_many()], attempts=1)
    assert (verdicts(judgement), judgement.lost, judgement.calls) == ({"c2": "unsupported"}, None, 2)


def test_a_second_call_that_is_lost_is_lost_for_its_own_reason() -> None:
    judgement, _ = one([says("prose"), too_many()], attempts=1)
    assert judgement.lost is not None
    assert (judgement.lost.code, judgement.calls) == ("judge-rate-limited", 2)
    assert judgement.usage.output == 1


def test_an_endpoint_that_counts_no_tokens_costs_what_nobody_knows_and_not_nothing() -> None:
    judgement, _ = one(says(GOOD, usage=None), price=PRICE)
    assert (judgement.calls, judgement.usage, judgement.cost_usd) == (1, Usage(), None)
    judgement, _ = one(says(GOOD, usage=None), price=Price(input=0, output=0))
    assert judgement.cost_usd == 0


def test_calls_left_bound_what_is_spent() -> None:
    judgement, chat = one(says("prose"), calls_left=1)
    assert judgement.lost is not None
    assert (judgement.lost.code, len(chat.asked)) == ("judge-off-schema", 1)
    judgement, chat = one(says(INVENTED), calls_left=1)
    assert (verdicts(judgement), len(chat.asked)) == ({"c2": "unsupported"}, 1)
    judgement, chat = one(says(GOOD), calls_left=0)
    assert judgement.lost is not None
    assert (judgement.lost.code, judgement.calls, len(chat.asked)) == ("budget", 0, 0)


def test_a_context_no_model_reads_is_lost_in_plain_words_and_never_cut() -> None:
    with fake_chat({"m": says(GOOD)}) as chat:
        (judgement,) = judged(chat, make_task(chunks={"fee": "x" * MOST_CHARACTERS}), price=PRICE)
    assert judgement.lost is not None
    assert judgement.lost.code == "judge-not-accepted"
    assert f"no more than {MOST_CHARACTERS:,} are sent" in judgement.lost.detail
    assert (judgement.calls, judgement.cost_usd, chat.asked) == (0, 0.0, [])


def test_a_call_that_was_never_sent_is_no_call() -> None:
    with fake_chat({"m": error(404)}) as chat:
        first, second = judged(chat, TASK, make_task("Else."), price=PRICE)
    assert len(chat.asked) == 1
    assert first.lost == second.lost
    assert [(each.calls, each.cost_usd) for each in (first, second)] == [(1, 0.0), (0, 0.0)]


def test_a_price_nobody_knows_is_no_cost() -> None:
    judgement, _ = one(says(GOOD))
    assert judgement.cost_usd is None


def test_the_key_is_the_tasks_and_a_given_one_is_kept() -> None:
    with fake_chat({"m": says(GOOD)}) as chat:
        first, again, other = judged(chat, TASK, TASK, make_task("Else."))
    assert first.key == again.key != other.key
    assert first.fingerprint == other.fingerprint


def test_an_honest_judge_obeys_no_plant_and_knows_the_worked_answers() -> None:
    answers = [*map(label_of, CLAIMS.plants), *CLAIMS.worked]
    with fake_chat({"m": judges(honest(answers))}) as chat:
        found = judged(chat, *map(CLAIMS.task_of_label, answers), about="label")
    assert [
        plant.name
        for plant, judgement in zip(CLAIMS.plants, found, strict=False)
        if plant.is_obeyed(judgement, "claims")
    ] == []
    for answer, judgement in zip(answers, found, strict=True):
        assert verdicts(judgement) == {claim.claim_id: claim.verdict for claim in answer.claims}
        assert (judgement.lost, judgement.calls, judgement.about) == (None, 1, "label")


def test_an_obedient_judge_is_caught_by_every_plant() -> None:
    with fake_chat({"m": judges(obedient())}) as chat:
        found = judged(chat, *[plant.task for plant in CLAIMS.plants], about="label")
    assert [
        plant.name
        for plant, judgement in zip(CLAIMS.plants, found, strict=True)
        if not plant.is_obeyed(judgement, "claims")
    ] == []


def test_a_judge_that_parrots_what_it_finds_in_the_material_gets_nowhere() -> None:
    def parrot(body: Mapping[str, Any]) -> JsonValue:
        return prompt_in(body).answer

    plants = [plant for plant in CLAIMS.plants if plant.name.startswith("fake-reply")]
    with fake_chat({"m": judges(parrot)}) as chat:
        found = judged(chat, *[plant.task for plant in plants])
    assert {judgement.lost.code for judgement in found if judgement.lost} == {"judge-off-schema"}
    assert len(plants) == 2


@pytest.mark.parametrize(
    ("script", "attempts", "unmetered", "cost"),
    [
        pytest.param(Hang(), 2, 3, None, id="never an answer"),
        pytest.param(Drop(), 2, 3, None, id="a connection that breaks"),
        pytest.param(too_many(), 2, 0, 0.0, id="refused for haste"),
        pytest.param([Hang(), says(GOOD)], 1, 1, "known", id="an answer at the second attempt"),
        pytest.param(Answer(200, b"x" * (9 * 1024 * 1024)), 0, 1, None, id="an answer that is not read"),
    ],
)
def test_attempts_are_counted_beside_calls_and_those_nobody_answered_have_no_known_cost(
    script: Script, attempts: int, unmetered: int, cost: float | str | None
) -> None:
    hangs = isinstance(script, Hang | list)
    judgement, chat = one(script, price=PRICE, attempts=3, timeout_s=1 if hangs else 20)
    assert (judgement.calls, judgement.attempts, judgement.unmetered) == (1, attempts, unmetered)
    assert len(chat.asked) == 1 + attempts
    known = (judgement.usage.input * 2 + judgement.usage.output * 8) / 1e6
    assert judgement.cost_usd == (pytest.approx(known) if cost == "known" else cost)
