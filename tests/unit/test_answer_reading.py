"""A reply to the answer job, held against what was shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.judging_jobs.items.items_job import ANSWER
from raggate_action.judging_jobs.items.items_reading import fits
from raggate_action.schema.judgement import ItemVote, Judgement
from tests.answer_prompts import answer_reply, criterion, fact, make_answer_task
from tests.judge_readings import opened

TASK = make_answer_task(
    "The fee is 20 EUR per night, breakfast included. Dogs may stay.",
    facts=["The fee is 20 EUR.", "Cats may stay."],
    criteria=["names the fee"],
)
FEE = "The fee is 20 EUR per night"
SOUND = (fact(1, "stated", FEE), fact(2, "lacking", note="no word of cats"), criterion(1, "yes", FEE))


def read(*held: dict[str, Any], task: Any = TASK, **reply: Any) -> Any:
    return opened(ANSWER.reading(json.dumps(answer_reply(*held, **reply)), task))


def test_a_sound_reply_is_read_whole() -> None:
    found = read(*SOUND)
    assert found.problems == ()
    assert found.items == (
        ItemVote(kind="fact", item="fact-1", said="stated", quote=FEE),
        ItemVote(kind="fact", item="fact-2", said="lacking", note="no word of cats"),
        ItemVote(kind="criterion", item="criterion-1", said="yes", quote=FEE),
    )


def test_a_quote_is_kept_as_the_answer_has_it() -> None:
    assert read(fact(1, "stated", "the FEE is  20 eur per night"), *SOUND[1:]).items[0].quote == FEE


@pytest.mark.parametrize(
    ("held", "problem"),
    [
        pytest.param(fact(1, "stated"), 'fact 1 is called "stated", but no words of the answer are quoted', id="none"),
        pytest.param(
            fact(1, "stated", "The fee is always 20 EUR"),
            'fact 1 is called "stated", but the answer does not hold "The fee is always 20 EUR" word for word',
            id="invented",
        ),
        pytest.param(
            fact(1, "stated", "20 EUR"),
            'fact 1 is called "stated", but "20 EUR" is too short for a quote: copy a whole clause of the answer',
            id="too short",
        ),
        pytest.param(
            fact(1, "contradicted", "The fee is 20 EUR."[::-1] * 2), "word for word", id="a contradiction without words"
        ),
    ],
)
def test_what_an_answer_is_said_to_say_is_said_with_words_of_it(held: dict[str, Any], problem: str) -> None:
    found = read(held, *SOUND[1:])
    assert found.usable
    assert problem in found.problems[0]
    assert [vote.item for vote in found.items] == ["fact-2", "criterion-1"], "the other votes stand"
    assert [(each.claim_id, problem in each.reason) for each in found.dropped] == [("fact-1", True)]


def test_what_is_not_there_needs_no_words_and_has_none() -> None:
    found = read(fact(1, "lacking", "The fee is 20 EUR per night"), SOUND[1], criterion(1, "no", "whatever it was"))
    assert found.problems == ()
    assert [vote.quote for vote in found.items] == [None, None, None]


def test_cannot_tell_is_a_vote_of_its_own() -> None:
    found = read(*SOUND[:2], criterion(1, "cannot-tell", note="it names two"))
    assert found.items[2] == ItemVote(kind="criterion", item="criterion-1", said="cannot-tell", note="it names two")


@pytest.mark.parametrize(
    ("held", "problem"),
    [
        pytest.param((*SOUND, fact(3, "lacking")), "there is no fact 3", id="a fact that was not shown"),
        pytest.param((*SOUND, fact(1, "lacking")), "fact 1 is named twice", id="a fact twice"),
        pytest.param((*SOUND, criterion(2, "no")), "there is no criterion 2", id="a criterion that was not shown"),
    ],
)
def test_a_reply_that_speaks_of_something_else_is_none(held: tuple[dict[str, Any], ...], problem: str) -> None:
    found = read(*held)
    assert (found.usable, found.items) == (False, ())
    assert found.problems == (problem,)


def test_what_a_reply_leaves_out_is_missed_and_nothing_is_put_in_its_place() -> None:
    found = read(SOUND[0])
    assert [vote.item for vote in found.items] == ["fact-1"]
    assert found.problems == ("it says nothing of fact 2", "it says nothing of criterion 1")
    assert found.usable


@pytest.mark.parametrize(
    "text",
    [
        "All criteria are met.",
        'Here it is: {"facts": [], "criteria": [], "relevance": null}',
        '{"facts": [{"fact": 1, "said": "fine"}]}',
        '{"facts": [], "facts": []}',
        '{"facts": [], "score": 5}',
    ],
)
def test_no_verdict_is_fished_out_of_anything_else(text: str) -> None:
    assert not ANSWER.reading(text, TASK).usable


def test_relevance_is_read_where_it_was_asked_for_and_nowhere_else() -> None:
    told = {"answer": False, "note": "of dogs", "chunks": [{"chunk": "fee", "relevant": True}]}
    asked = make_answer_task(facts=(), chunks={"fee": "20 EUR", "other": "x"})
    found = read(task=asked, relevance=told)
    assert found.items == (
        ItemVote(kind="answer", said="no", note="of dogs"),
        ItemVote(kind="chunk", item="fee", said="yes"),
    )
    assert read(task=asked).problems == ("it does not say whether the answer is to the question",)
    assert all(vote.kind != "answer" for vote in read(*SOUND, relevance=told).items)
    strange = {**told, "chunks": [{"chunk": "made up", "relevant": True}]}
    assert read(task=asked, relevance=strange).problems == ('there is no chunk "made up"',)


def judgement(*items: ItemVote) -> Judgement:
    return Judgement(id="case", job="answer", judge="ada", fingerprint="f", prompt="p", key="k", items=items)


@pytest.mark.parametrize(
    ("vote", "is_sound"),
    [
        (ItemVote(kind="fact", item="fact-1", said="stated", quote=FEE), True),
        (ItemVote(kind="fact", item="fact-1", said="stated"), False),
        (ItemVote(kind="fact", item="fact-1", said="stated", quote="made up"), False),
        (ItemVote(kind="fact", item="fact-1", said="yes", quote=FEE), False),
        (ItemVote(kind="fact", item="fact-9", said="lacking"), False),
        (ItemVote(kind="criterion", item="criterion-1", said="cannot-tell"), True),
        (ItemVote(kind="answer", said="yes"), False),
    ],
)
def test_a_stored_judgement_counts_where_it_speaks_of_this_very_task(vote: ItemVote, *, is_sound: bool) -> None:
    assert fits(judgement(vote), TASK) is is_sound
