"""A reply to the pair job read strictly: every score or none, and whatever the judge makes of them beside it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from raggate_action.judging_jobs.pair_job import PairJob, PairTask
from raggate_action.schema.judgement import Judgement, PairScores, PointVote, Vote
from tests.fake_chat.checks import read_body
from tests.judge_readings import opened
from tests.pair_prompts import make_rubric, reply_of, scores_of

RUBRIC = make_rubric("citation_accuracy", "groundedness", "specificity")
JOB = PairJob(RUBRIC)
HIGH, LOW = scores_of(RUBRIC, 5), scores_of(RUBRIC, 2, specificity=4)
GOOD = reply_of(HIGH, LOW)
TASK = PairTask("?", "one", "other", ())


def read(reply: Any, **given: Any) -> Any:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return opened(JOB.reading(text, TASK, **given))


def with_value(value: Any, *path: str) -> dict[str, Any]:
    """The good reply with another value at a place; `...` takes the key out."""
    reply = copy.deepcopy(GOOD)
    place = reply
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return reply


def test_a_whole_reply_is_its_scores_and_what_the_judge_claims() -> None:
    reading = read(GOOD)
    assert reading.problems == ()
    assert reading.scores == PairScores(
        a=HIGH, b=LOW, total_a=15, total_b=8, verdict="A", reason="A says what the chunks say."
    )


def test_scores_stand_in_the_order_of_the_rubric() -> None:
    turned = reply_of(dict(reversed(HIGH.items())), dict(reversed(LOW.items())))
    scores = read(turned).scores
    assert (tuple(scores.a), tuple(scores.b)) == (RUBRIC.names, RUBRIC.names)


@pytest.mark.parametrize(
    ("claimed", "kept"),
    [
        (reply_of(HIGH, LOW, totals=(1, 99)), (1, 99, "B")),
        (reply_of(HIGH, LOW, verdict="B"), (15, 8, "B")),
        (reply_of(HIGH, LOW, verdict="tie"), (15, 8, "tie")),
        (reply_of(HIGH, LOW, totals=(-3, 0), verdict="A"), (-3, 0, "A")),
    ],
)
def test_claims_that_the_scores_do_not_bear_out_are_kept_as_claimed_and_are_no_fault(
    claimed: dict[str, Any], kept: tuple[int, int, str]
) -> None:
    reading = read(claimed)
    assert reading.problems == ()
    assert (reading.scores.a, reading.scores.b) == (HIGH, LOW)
    assert (reading.scores.total_a, reading.scores.total_b, reading.scores.verdict) == kept


SCORE = ("scores", "A", "groundedness")
OFF_FORM: dict[str, tuple[Any, str]] = {
    "a score of 0": (with_value(0, *SCORE), '"groundedness" of answer A is 0'),
    "a score of 6": (with_value(6, *SCORE), '"groundedness" of answer A is 6'),
    "a score below nought": (with_value(-1, *SCORE), '"groundedness" of answer A is -1'),
    "half a score": (with_value(4.5, *SCORE), "at scores.A.groundedness: input should be a valid integer"),
    "a score as text": (with_value("4", *SCORE), "at scores.A.groundedness: input should be a valid integer"),
    "a score that is true": (with_value(bool(HIGH), *SCORE), "at scores.A.groundedness"),
    "a score that is null": (with_value(None, *SCORE), "at scores.A.groundedness"),
    "a score with its reason": (with_value({"score": 4}, *SCORE), "at scores.A.groundedness"),
    "a dimension that is missing": (with_value(..., *SCORE), 'answer A has no score for "groundedness"'),
    "a dimension of its own": (
        with_value(4, "scores", "B", "clarity"),
        '"clarity", scored for answer B, is no dimension',
    ),
    "a dimension in other letters": (with_value(4, "scores", "B", "Specificity"), '"Specificity"'),
    "one answer alone": (with_value(..., "scores", "B"), "at scores.B"),
    "a third answer": (with_value(HIGH, "scores", "C"), "at scores.C"),
    "answers by other names": (with_value(HIGH, "scores", "Answer A"), "at scores.Answer A"),
    "a key of its own": (with_value("high", "confidence"), "at confidence"),
    "a verdict in words": (with_value("Answer A", "verdict"), "at verdict"),
    "a verdict in small letters": (with_value("a", "verdict"), "at verdict"),
    "totals as text": (with_value("15", "totals", "A"), "at totals.A"),
    "totals as fractions": (with_value(15.5, "totals", "A"), "at totals.A"),
    "one total": (with_value(..., "totals", "B"), "at totals.B"),
    "a total without end": (with_value(10**40, "totals", "A"), "at totals.A"),
    "a reason in pieces": (with_value(["A is better"], "verdict_reason"), "at verdict_reason"),
    "no scores": (with_value(..., "scores"), "at scores"),
    "prose around it": (f"My verdict:\n{json.dumps(GOOD)}\nHope it helps!", "not one JSON object"),
    "a fence": (f"```json\n{json.dumps(GOOD)}\n```", "not one JSON object"),
    "two objects": (json.dumps(GOOD) * 2, "not one JSON object"),
    "a list": (f"[{json.dumps(GOOD)}]", "not a JSON object"),
    "a score twice": (
        json.dumps(GOOD).replace('"groundedness": 5', '"groundedness": 1, "groundedness": 5'),
        'the key "groundedness" is written twice',
    ),
    "no number": (json.dumps(GOOD).replace('"groundedness": 5', '"groundedness": NaN'), "NaN is no JSON value"),
    "nothing": ("", "not one JSON object"),
}


@pytest.mark.parametrize("name", OFF_FORM)
def test_what_is_not_in_the_form_has_no_score_at_all_and_says_why(name: str) -> None:
    reply, why = OFF_FORM[name]
    reading = read(reply)
    assert reading.scores is None
    assert not reading.usable
    assert why in " / ".join(reading.problems)


def test_every_fault_of_the_scores_is_named_at_once() -> None:
    reply = with_value({"groundedness": 9, "clarity": 3}, "scores", "A")
    assert read(reply).problems == (
        'answer A has no score for "citation_accuracy"',
        'answer A has no score for "specificity"',
        '"clarity", scored for answer A, is no dimension',
        '"groundedness" of answer A is 9: a score is a whole number from 1 to 5',
    )


@pytest.mark.parametrize("key", ["totals", "verdict", "verdict_reason"])
@pytest.mark.parametrize("value", [..., None])
def test_what_is_made_of_the_scores_may_be_missing_and_is_asked_for_once(key: str, value: Any) -> None:
    reading = read(with_value(value, key))
    assert reading.problems == (f'"{key}" says nothing',)
    assert reading.usable
    assert (reading.scores.a, reading.scores.b) == (HIGH, LOW)
    assert reading.amount == read(GOOD).amount - 1


def test_a_reason_is_one_line_and_has_an_end() -> None:
    assert read(with_value("  A is\nbetter.\tB is not. ", "verdict_reason")).scores.reason == "A is better. B is not."
    long = read(with_value("B lists dishes. " * 400, "verdict_reason"))
    assert (long.problems, len(long.scores.reason) <= 500, long.scores.reason[-1]) == ((), True, "…")
    assert read(with_value(" \n", "verdict_reason")).problems == ('"verdict_reason" says nothing',)


def test_a_fence_is_taken_where_words_alone_told_the_form() -> None:
    assert read(f"```json\n{json.dumps(GOOD, indent=1)}\n```", fenced=True).scores == read(GOOD).scores
    assert read(f"Here:\n```json\n{json.dumps(GOOD)}\n```", fenced=True).scores is None


def test_the_schema_is_one_that_a_strict_endpoint_takes_and_follows_the_rubric() -> None:
    schema = JOB.schema()
    form = {"type": "json_schema", "json_schema": {"name": JOB.schema_name, "schema": schema, "strict": True}}
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "response_format": form}
    assert read_body({"content-type": "application/json"}, json.dumps(body).encode()) == body
    assert schema != PairJob(make_rubric("groundedness")).schema()
    assert schema["required"] == ["scores", "totals", "verdict", "verdict_reason"]


def test_the_schema_takes_what_the_reading_takes() -> None:
    import jsonschema

    validator = jsonschema.Draft202012Validator(JOB.schema())
    assert validator.is_valid(GOOD)
    for key in ("a dimension that is missing", "a dimension of its own", "half a score", "a key of its own"):
        assert not validator.is_valid(OFF_FORM[key][0]), key


def stored(**fields: Any) -> Judgement:
    made = {"id": "q1", "job": "pair", "judge": "m", "fingerprint": "f", "prompt": "p", "key": "k"}
    return Judgement(**{**made, "scores": PairScores(a=HIGH, b=LOW), **fields})


@pytest.mark.parametrize(
    "fields",
    [
        {"job": "claims"},
        {"scores": None},
        {"scores": PairScores(a={**HIGH, "specificity": 9}, b=LOW)},
        {"scores": PairScores(a=HIGH, b={"groundedness": 3})},
        {"scores": PairScores(a={**HIGH, "clarity": 3}, b={**LOW, "clarity": 3})},
        {"votes": (Vote(claim_id="c", verdict="partial"),)},
        {"points": (PointVote(point="p"),)},
    ],
)
def test_a_stored_judgement_is_used_again_only_where_it_scores_what_is_asked(fields: dict[str, Any]) -> None:
    assert JOB.fits(stored(), TASK)
    assert not JOB.fits(stored(**fields), TASK)
