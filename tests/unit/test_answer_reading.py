"""A reply to the answer job, held against what was shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.judging_jobs.answer_job import ANSWER
from raggate_action.schema.judgement import ItemVote, Judgement
from tests.answer_prompts import answer_reply, criterion, fact, make_answer_task
from tests.judge_readings import opened

TASK = make_answer_task(
    "The fee is 20 EUR per night, breakfast included. Dogs may stay.",
    facts=["The fee is 20 EUR.", "Cats may stay."],
    criteria=["names the fee"],
)
FEE = "The fee is 20 EUR per night, breakfast included."
SOUND = (fact(1, "stated", 1), fact(2, "lacking", note="no word of cats"), criterion(1, "yes", 1))


def read(*held: dict[str, Any], task: Any = TASK, **reply: Any) -> Any:
    return opened(ANSWER.reading(json.dumps(answer_reply(*held, **reply)), task))


def test_a_sound_reply_is_read_whole_and_the_words_are_taken_from_the_answer() -> None:
    found = read(*SOUND)
    assert found.problems == ()
    assert found.items == (
        ItemVote(kind="fact", item="fact-1", said="stated", quote=FEE),
        ItemVote(kind="fact", item="fact-2", said="lacking", note="no word of cats"),
        ItemVote(kind="criterion", item="criterion-1", said="yes", quote=FEE),
    )


@pytest.mark.parametrize(
    ("held", "problem"),
    [
        pytest.param(fact(1, "stated"), 'fact 1 is called "stated", and no sentence is named', id="none"),
        pytest.param(fact(1, "stated", 3), "no sentence is named", id="a line that is not there"),
        pytest.param(fact(1, "contradicted"), "no sentence is named", id="a contradiction without a line"),
        pytest.param(fact(1, "fine", 1), "nothing was said of fact 1", id="a verdict of its own"),
        pytest.param({**fact(1, "stated", 1), "fact": "1"}, "nothing was said of fact 1", id="a number as a word"),
    ],
)
def test_an_entry_without_what_it_needs_is_lost_alone(held: dict[str, Any], problem: str) -> None:
    found = read(held, *SOUND[1:])
    assert found.usable
    assert problem in found.problems[0]
    assert [vote.item for vote in found.items] == ["fact-2", "criterion-1"], "the other votes stand"
    assert [(each.claim_id, problem in each.reason) for each in found.dropped] == [("fact-1", True)]


def test_what_is_not_there_needs_no_line_and_has_none() -> None:
    found = read(fact(1, "lacking", 1), SOUND[1], criterion(1, "no", 2))
    assert found.problems == ()
    assert [vote.quote for vote in found.items] == [None, None, None]


def test_cannot_tell_is_a_vote_of_its_own() -> None:
    found = read(*SOUND[:2], criterion(1, "cannot-tell", note="it names two"))
    assert found.items[2] == ItemVote(kind="criterion", item="criterion-1", said="cannot-tell", note="it names two")


@pytest.mark.parametrize(
    "more",
    [
        pytest.param(fact(3, "lacking"), id="a fact that was not shown"),
        pytest.param(SOUND[0], id="an entry twice"),
        pytest.param(criterion(2, "no"), id="a criterion that was not shown"),
    ],
)
def test_what_was_not_asked_for_is_left_out_and_takes_nothing_with_it(more: dict[str, Any]) -> None:
    assert read(*SOUND, more) == read(*SOUND)


def test_two_entries_that_differ_are_no_vote() -> None:
    found = read(*SOUND, fact(1, "lacking"))
    assert [vote.item for vote in found.items] == ["fact-2", "criterion-1"]
    assert found.problems == ("two entries give fact 1 different verdicts",)


def test_what_a_reply_leaves_out_is_missed_and_asked_for_alone() -> None:
    found = read(SOUND[0])
    assert [vote.item for vote in found.items] == ["fact-1"]
    assert found.problems == ("nothing was said of fact 2", "nothing was said of criterion 1")
    first = ANSWER.reading(json.dumps(answer_reply(SOUND[0])), TASK)
    rest = ANSWER.left_over(TASK, first)
    assert ([each.id for each in rest.facts], [each.id for each in rest.criteria]) == (["fact-2"], ["criterion-1"])
    again = ANSWER.reading(json.dumps(answer_reply(fact(1, "lacking"), criterion(1, "yes", 1))), rest)
    assert [(vote.item, vote.said) for vote in opened(ANSWER.joined(TASK, first, again)).items] == [
        ("fact-1", "stated"),
        ("fact-2", "lacking"),
        ("criterion-1", "yes"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "All criteria are met.",
        'Here it is: {"facts": [], "criteria": [], "relevance": null}',
        '{"facts": [], "facts": []}',
        '{"score": 5}',
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
    assert read(task=asked, relevance={"note": "x"}).problems == (
        "it does not say whether the answer is to the question",
    )
    assert all(vote.kind != "answer" for vote in read(*SOUND, relevance=told).items)
    strange = {**told, "chunks": [{"chunk": "made up", "relevant": True}]}
    assert [vote.kind for vote in read(task=asked, relevance=strange).items] == ["answer"]


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
    assert ANSWER.fits(judgement(vote), TASK) is is_sound
