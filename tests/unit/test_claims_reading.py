"""What a judge's reply comes to: votes where everything it rests on was shown, a reason in a sentence where not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.judging_jobs.claims_job import CLAIMS
from raggate_action.schema.judgement import PointVote, Support
from tests.claims_prompts import examined, make_task, reply_of
from tests.judge_readings import opened

ANSWER = "The fee is 20 EUR and nobody ever pays more. Dogs may stay."
# Shown as S1 and S2 of `fee`, S3 of the other.
CHUNKS = {
    "fee": "Orders: the **fee** for every order is 20 EUR. Gifts pay nothing.",
    "two words": "Dogs are never allowed in the house.",
}
TASK = make_task(ANSWER, CHUNKS, claims=["The fee is 20 EUR and nobody ever pays more.", "Dogs may stay."])
FEE = "Orders: the **fee** for every order is 20 EUR."
GOOD = examined(1, "supported", 1)
DOGS = examined(2, "contradicted", 3, note="S3 says never")
WHOLE = reply_of(GOOD, DOGS)


def read(reply: Any, *, task: Any = TASK, fenced: bool = False) -> Any:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return opened(CLAIMS.reading(text, task, fenced=fenced))


def test_a_whole_reply_is_read_and_the_words_are_taken_from_the_chunk() -> None:
    reading = read(WHOLE)
    assert (reading.problems, reading.usable, reading.declines) == ((), True, False)
    first, second = reading.votes
    assert (first.claim_id, first.verdict, first.against) == ("c1", "supported", None)
    assert first.support == (Support(chunk_id="fee", quote=FEE, quote_start=0),)
    assert second.verdict == "contradicted"
    assert second.against == Support(chunk_id="two words", quote=CHUNKS["two words"], quote_start=0)
    assert second.note == "two words says never", "the chunk, and not the number that the prompt gave its sentence"


NO_REPLY = {
    "prose": ("The claim is supported.", "not one JSON object"),
    "prose before": (f"Sure! {json.dumps(WHOLE)}", "not one JSON object"),
    "prose behind": (f"{json.dumps(WHOLE)}\nI hope this helps.", "not one JSON object"),
    "two objects": (f"{json.dumps(WHOLE)}\n{json.dumps(WHOLE)}", "not one JSON object"),
    "a fence where the form was demanded": (f"```json\n{json.dumps(WHOLE)}\n```", "not one JSON object"),
    "a list": ([WHOLE], "not a JSON object"),
    "nothing": ("", "not one JSON object"),
    "nested without end": ("[" * 100_000, "more than 100 deep"),
    "a key twice": (json.dumps(WHOLE).replace('"verdict": "supported"', '"verdict": "unsupported", "verdict": "supported"'), 'the key "verdict" is written twice'),
    "the claims twice": (json.dumps(WHOLE)[:-1] + ', "claims": []}', 'the key "claims" is written twice'),
    "no number": (json.dumps(WHOLE).replace('"claim": 1', '"claim": NaN'), "NaN is no JSON value"),
    "no claims": ({"declines": False}, "it has no `claims`"),
    "claims that are no list": ({"claims": {"1": GOOD}}, "at claims"),
    "another form": ({"score": 5, "reasoning": "good"}, "it has no `claims`"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_REPLY)
def test_what_is_no_reply_is_none_and_its_fault_is_named(name: str) -> None:
    reply, problem = NO_REPLY[name]
    reading = read(reply)
    assert (reading.usable, reading.votes, reading.points) == (False, (), ())
    assert any(problem in each for each in reading.problems), reading.problems


# An entry for claim 1 that cannot be read, or that was not asked for, beside a sound one for claim 2.
LOST_ALONE: dict[str, Any] = {
    "no verdict": {key: value for key, value in GOOD.items() if key != "verdict"},
    "a verdict of its own": {**GOOD, "verdict": "mostly supported"},
    "a grade": {**GOOD, "verdict": 5},
    "a claim by its id": {**GOOD, "claim": "c1"},
    "a claim as a word": {**GOOD, "claim": "1"},
    "true for one": {**GOOD, "claim": True},
    "claim nought": {**GOOD, "claim": 0},
    "a claim nobody asked about": {**GOOD, "claim": 3},
    "sentences in words": {**GOOD, "sentences": ["the first"]},
    "a sentence that is no list": {**GOOD, "sentences": 1},
    "no entry but text": "supported",
}


@pytest.mark.parametrize("name", LOST_ALONE)
def test_an_entry_that_cannot_be_read_is_lost_alone(name: str) -> None:
    reading = read(reply_of(LOST_ALONE[name], DOGS))
    assert reading.usable
    assert [(vote.claim_id, vote.verdict) for vote in reading.votes] == [("c2", "contradicted")]
    assert reading.problems == ("nothing was said of claim 1",)
    assert [(each.claim_id, each.reason) for each in reading.dropped] == [("c1", "nothing was said of claim 1")]


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"claims": [GOOD, DOGS, examined(7, "unsupported")]}, id="a claim that nobody asked about"),
        pytest.param({"claims": [GOOD, DOGS, GOOD]}, id="an entry twice"),
        pytest.param({"claims": [{**GOOD, "sentences": [1, 9, -4]}, DOGS]}, id="numbers of nothing beside one of a sentence"),
        pytest.param({"claims": [{**GOOD, "confidence": 1, "support": ["fee"]}, DOGS]}, id="keys more in an entry"),
        pytest.param({"score": 5}, id="a key more"),
        pytest.param({"points": [{"point": 1, "claims": [1]}]}, id="a point that nobody asked about"),
        pytest.param({"points": None}, id="no points where none was shown"),
    ],
)  # fmt: skip
def test_what_was_not_asked_for_is_left_out_and_takes_nothing_with_it(more: dict[str, Any]) -> None:
    assert read({**WHOLE, **more}) == read(WHOLE)


@pytest.mark.parametrize("named", ["S1", "s1", "1", " S1 ", f"S1|{FEE}", "S1 | the fee"])
def test_the_line_or_its_mark_stands_for_its_number(named: str) -> None:
    assert read({**WHOLE, "claims": [{**GOOD, "sentences": [named]}, DOGS]}) == read(WHOLE)


def test_declining_in_words_says_nothing_of_it_and_loses_nothing() -> None:
    reading = read({**WHOLE, "declines": "no"})
    assert (reading.declines, len(reading.votes)) == (None, 2)


def test_two_entries_that_differ_are_no_vote() -> None:
    reading = read(reply_of(GOOD, examined(1, "unsupported"), DOGS))
    assert [vote.claim_id for vote in reading.votes] == ["c2"]
    assert reading.dropped[0].reason == "two entries give claim 1 different verdicts"


def test_a_fence_around_the_whole_is_no_fault_where_only_words_told_the_form() -> None:
    for text in (f"```json\n{json.dumps(WHOLE, indent=1)}\n```\n", f" ```\r\n{json.dumps(WHOLE)}\r\n```"):
        assert read(text, fenced=True) == read(WHOLE)
    for text in (f"Here:\n```json\n{json.dumps(WHOLE)}\n```", f"```json\n{json.dumps(WHOLE)}\n```\n```json\n{{}}\n```"):
        assert not read(text, fenced=True).usable


def test_what_says_nothing_may_be_left_out() -> None:
    lean = {"claims": [{"claim": 1, "sentences": [1], "verdict": "supported"}, {"claim": 2, "verdict": "unsupported"}]}
    assert [vote.verdict for vote in read(lean).votes] == ["supported", "unsupported"]
    assert read(lean).problems == ()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (examined(1, "supported"), 'claim 1 is called "supported", and no sentence is named'),
        (examined(1, "supported", 9), 'claim 1 is called "supported", and no sentence is named'),
        (examined(1, "contradicted"), 'claim 1 is called "contradicted", and no sentence is named'),
    ],
)
def test_a_verdict_without_what_it_rests_on_is_no_vote_and_no_other_is_put_in_its_place(
    bad: dict[str, Any], reason: str
) -> None:
    reading = read(reply_of(bad, DOGS))
    assert [vote.claim_id for vote in reading.votes] == ["c2"]
    assert [(each.claim_id, each.reason) for each in reading.dropped] == [("c1", reason)]


def test_neighbouring_sentences_are_one_passage_and_others_stand_alone() -> None:
    (vote, _dogs) = read(reply_of(examined(1, "supported", 3, 2, 1, 1), DOGS)).votes
    assert [(each.chunk_id, each.quote) for each in vote.support] == [
        ("fee", CHUNKS["fee"]),
        ("two words", CHUNKS["two words"]),
    ]
    task = make_task(chunks={"a": "One is. Two is. Three is."})
    (apart,) = read(reply_of(examined(1, "supported", 1, 3)), task=task).votes
    assert [each.quote for each in apart.support] == ["One is.", "Three is."]


def test_only_what_bears_a_claim_out_supports_it() -> None:
    (vote,) = read(reply_of(examined(1, "unsupported", 1, note="pays more"), DOGS)).votes[:1]
    assert (vote.verdict, vote.support, vote.against, vote.note) == ("unsupported", (), None, "pays more")
    (vote,) = read(reply_of(examined(1, "contradicted", 1), DOGS)).votes[:1]
    assert (vote.support, vote.against) == ((), Support(chunk_id="fee", quote=FEE, quote_start=0))


def test_points_are_named_with_the_claims_that_make_them_also_a_settled_one() -> None:
    task = make_task(
        ANSWER, CHUNKS, claims=["Dogs may stay."], points=["fee", "dogs", "cats"], settled=["The fee is 20 EUR."]
    )
    reading = read(reply_of(examined(1, "unsupported"), points={2: None, 1: 2}), task=task)
    assert reading.points == (PointVote(point="fee", claim_id="s1"), PointVote(point="dogs", claim_id=None))
    assert reading.problems == ("nothing was said of point 3",)
    unknown = read(reply_of(examined(1, "unsupported"), points={1: 3, 2: None, 3: None}), task=task)
    assert [point.point for point in unknown.points] == ["dogs", "cats"], "a claim that was not shown makes no point"


def test_what_is_left_over_is_a_task_of_its_own_and_both_readings_are_one() -> None:
    task = make_task(ANSWER, CHUNKS, claims=["The fee is 20 EUR.", "Dogs may stay."], points=["fee"])
    first = CLAIMS.reading(json.dumps(reply_of(DOGS, declines=True)), task)
    rest = CLAIMS.left_over(task, first)
    assert ([claim.id for claim in rest.claims], [claim.id for claim in rest.settled]) == (["c1"], ["c2"])
    assert rest.chunks == task.chunks
    again = CLAIMS.reading(json.dumps(reply_of(GOOD, points={1: 1})), rest)
    whole = opened(CLAIMS.joined(task, first, again))
    assert [(vote.claim_id, vote.verdict) for vote in whole.votes] == [("c1", "supported"), ("c2", "contradicted")]
    assert (whole.points, whole.dropped) == ((PointVote(point="fee", claim_id="c1"),), ())
    assert whole.declines is True, "what the first said stands"


def test_where_only_declining_was_asked_it_has_to_be_said() -> None:
    task = make_task(claims=[])
    assert read(reply_of(declines=True), task=task).declines is True
    assert not read({"declines": None}, task=task).usable


def test_a_long_note_is_cut_and_an_empty_one_is_none() -> None:
    (long, empty) = read(reply_of({**GOOD, "note": "word " * 1000}, {**DOGS, "note": "  "})).votes
    assert long.note is not None
    assert len(long.note) <= 300
    assert empty.note is None


def test_a_bucket_in_a_note_is_no_number_of_ours() -> None:
    (vote, _) = read(reply_of({**GOOD, "note": "S3 is a bucket, S1 the fee"}, DOGS)).votes
    assert vote.note == "S3 is a bucket, fee the fee"


@given(st.text())
def test_no_grade_is_fished_out_of_a_text(text: str) -> None:
    reading = read(text)
    assert reading.votes == ()
    assert not reading.usable


_JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.sampled_from([GOOD, DOGS, "supported", 1])
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from([*GOOD, *WHOLE, "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(_JSON)
def test_whatever_json_comes_no_supported_vote_is_without_a_quote_that_is_there(reply: Any) -> None:
    for vote in read(json.dumps(reply)).votes:
        for each in vote.support:
            text = CHUNKS[each.chunk_id]
            assert text[each.quote_start : each.quote_start + len(each.quote)] == each.quote
        assert vote.support or vote.verdict != "supported"
