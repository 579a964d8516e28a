"""What a judge's reply comes to: votes where everything it rests on is there, a problem in a sentence where not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.judging_jobs.claims.claims_job import CLAIMS
from raggate_action.schema.judgement import Part, PointVote, Support
from tests.claims_prompts import examined, make_task, reply_of
from tests.judge_readings import opened

ANSWER = "The fee is 20 EUR and nobody ever pays more. Dogs may stay."
CHUNKS = {
    "fee": "Orders: the **fee** for every order is 20 EUR. Gifts pay nothing.",
    "two words": "Dogs are never allowed in the house.",
}
TASK = make_task(ANSWER, CHUNKS, claims=["The fee is 20 EUR and nobody ever pays more.", "Dogs may stay."])
QUOTE = "the fee for every order is 20 EUR"
GOOD = examined(1, "supported", support={"fee": QUOTE})
DOGS = examined(2, "contradicted", against=("chunk-2", "Dogs are never allowed"), note="chunk-2 says never")
WHOLE = reply_of(GOOD, DOGS)


def read(reply: Any, *, task: Any = TASK, fenced: bool = False) -> Any:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return opened(CLAIMS.reading(text, task, fenced=fenced))


def test_a_whole_reply_is_read_with_quotes_as_the_chunks_have_them() -> None:
    reading = read(WHOLE)
    assert (reading.problems, reading.usable, reading.declines) == ((), True, False)
    first, second = reading.votes
    assert (first.claim_id, first.verdict, first.against) == ("c1", "supported", None)
    quote = "the **fee** for every order is 20 EUR"
    assert first.support == (Support(chunk_id="fee", quote=quote, quote_start=CHUNKS["fee"].index(quote)),)
    assert second.verdict == "contradicted"
    assert second.against == Support(chunk_id="two words", quote="Dogs are never allowed", quote_start=0)
    assert second.note == "two words says never", "not the name that the prompt gave it"


OFF_SCHEMA = {
    "prose": ("The claim is supported.", "not one JSON object"),
    "prose before": (f"Sure! {json.dumps(WHOLE)}", "not one JSON object"),
    "prose behind": (f"{json.dumps(WHOLE)}\nI hope this helps.", "not one JSON object"),
    "two objects": (f"{json.dumps(WHOLE)}\n{json.dumps(WHOLE)}", "not one JSON object"),
    "a fence where the form was demanded": (f"```json\n{json.dumps(WHOLE)}\n```", "not one JSON object"),
    "a list": ([WHOLE], "not a JSON object"),
    "nothing": ("", "not one JSON object"),
    "nested without end": ("[" * 100_000, "not one JSON object"),
    "a key twice": (json.dumps(WHOLE).replace('"verdict": "supported"', '"verdict": "unsupported", "verdict": "supported"'), 'the key "verdict" is written twice'),
    "the claims twice": (json.dumps(WHOLE)[:-1] + ', "claims": []}', 'the key "claims" is written twice'),
    "no number": (json.dumps(WHOLE).replace('"claim": 1', '"claim": NaN'), "NaN is no JSON value"),
    "half a pair": (json.dumps(WHOLE).replace("chunk-2 says", "\\\\ud800").replace("\\\\ud", "\\ud"), "JSON"),
    "a key more": ({**WHOLE, "score": 5}, "score"),
    "a key more in a claim": (reply_of({**GOOD, "confidence": 1}), "claims.0.confidence"),
    "no claims": ({"declines": False, "points": []}, "at claims: field required"),
    "no verdict": (reply_of({key: value for key, value in GOOD.items() if key != "verdict"}), "claims.0.verdict"),
    "a verdict of its own": (reply_of({**GOOD, "verdict": "mostly supported"}), "claims.0.verdict"),
    "a grade": (reply_of({**GOOD, "verdict": 5}), "claims.0.verdict"),
    "a claim by its id": (reply_of({**GOOD, "claim": "c1"}), "claims.0.claim"),
    "a claim as a word": (reply_of({**GOOD, "claim": "1"}), "claims.0.claim"),
    "true for one": (reply_of({**GOOD, "claim": True}), "claims.0.claim"),
    "claim nought": (reply_of({**GOOD, "claim": 0}), "claims.0.claim"),
    "a claim nobody asked about": (reply_of(GOOD, {**DOGS, "claim": 3}), "claim 3 was not to be examined"),
    "a claim twice": (reply_of(GOOD, {**GOOD, "verdict": "unsupported"}), "claim 1 is judged twice"),
    "a point that is none": (reply_of(GOOD, points={1: 1}), "there is no point 1"),
    "declining as a word": ({**WHOLE, "declines": "no"}, "at declines"),
}  # fmt: skip


@pytest.mark.parametrize("name", OFF_SCHEMA)
def test_a_reply_out_of_form_is_no_reply_and_its_fault_is_named(name: str) -> None:
    reply, problem = OFF_SCHEMA[name]
    reading = read(reply)
    assert not reading.usable
    assert (reading.usable, reading.votes, reading.points) == (False, (), ())
    assert any(problem in each for each in reading.problems), reading.problems


def test_a_fence_around_the_whole_is_no_fault_where_only_words_told_the_form() -> None:
    for text in (f"```json\n{json.dumps(WHOLE, indent=1)}\n```\n", f" ```\r\n{json.dumps(WHOLE)}\r\n```"):
        assert read(text, fenced=True) == read(WHOLE)
    for text in (f"Here:\n```json\n{json.dumps(WHOLE)}\n```", f"```json\n{json.dumps(WHOLE)}\n```\n```json\n{{}}\n```"):
        assert not read(text, fenced=True).usable


def test_what_says_nothing_may_be_left_out() -> None:
    lean = {"claims": [{"claim": 1, "support": [{"chunk": "fee", "quote": QUOTE}], "verdict": "supported"}]}
    assert read(lean) == read(reply_of(GOOD, declines=None))


def test_a_claim_the_reply_leaves_out_has_no_vote_and_is_no_fault() -> None:
    reading = read(reply_of(DOGS))
    assert [vote.claim_id for vote in reading.votes] == ["c2"]
    assert (reading.problems, reading.dropped) == ((), ())
    assert read(reply_of()).votes == ()


UNSOUND = {
    "no chunk": (examined(1, "supported"), "claim 1 is called supported, but it names no chunk"),
    "an invented quote": (
        examined(1, "supported", support={"fee": "the fee for every order is 30 EUR"}),
        'chunk "fee" does not hold "the fee for every order is 30 EUR" word for word',
    ),
    "a quote of another chunk": (examined(1, "supported", support={"chunk-2": QUOTE}), 'chunk "chunk-2" does not hold'),
    "a quote out of the answer": (examined(1, "supported", support={"fee": "nobody ever pays more"}), "does not hold"),
    "a quote of pieces": (examined(1, "supported", support={"fee": "the fee ... is 20 EUR"}), "does not hold"),
    "a word": (examined(1, "supported", support={"fee": "the"}), '"the" is too short for a quote'),
    "a figure cut short": (examined(1, "supported", support={"fee": "the fee for every order is 2"}), "does not hold"),
    "an unknown chunk": (examined(1, "supported", support={"fees": QUOTE}), 'there is no chunk "fees"'),
    "an id that was shown under another name": (
        examined(2, "contradicted", against=("two words", "Dogs are never allowed")),
        'there is no chunk "two words"',
    ),
    "a contradiction without a chunk": (examined(2, "contradicted"), "it names no chunk that disagrees"),
    "a contradiction that no chunk states": (
        examined(2, "contradicted", against=("chunk-2", "Dogs are banned for ever")),
        "claim 2 is called contradicted, but chunk",
    ),
    "a part in other words": (
        examined(1, "partial", support={"fee": QUOTE}, parts=[("The price is 20 EUR", "supported")]),
        'claim 1 does not hold the part "The price is 20 EUR"',
    ),
    "a part that makes it worse without a chunk": (
        examined(1, "supported", support={"fee": QUOTE}, parts=[("nobody ever pays more", "contradicted")]),
        "claim 1 is called contradicted, but it names no chunk that disagrees",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNSOUND)
def test_a_verdict_without_what_it_rests_on_is_left_out_and_the_rest_stands(name: str) -> None:
    bad, problem = UNSOUND[name]
    other = DOGS if bad["claim"] == 1 else GOOD
    reading = read(reply_of(bad, other))
    assert reading.usable
    assert [vote.claim_id for vote in reading.votes] == [f"c{other['claim']}"]
    assert any(problem in each for each in reading.problems), reading.problems
    [dropped] = reading.dropped
    assert dropped.claim_id == f"c{bad['claim']}"
    assert problem.replace("chunk-2", "two words") in dropped.reason, "chunks by their ids"


def test_an_id_without_a_quote_that_is_there_is_dropped_and_another_carries_the_verdict() -> None:
    task = make_task(
        "The fee is 20 EUR.", {"a": "Gifts are free.", "b": "The fee is 20 EUR today.", "c": "The fee is 20 EUR."}
    )
    support = {"c": "The fee is 20 EUR", "a": "The fee is 20 EUR", "b": "The fee is 20 EUR"}
    reading = read(reply_of(examined(1, "supported", support=support)), task=task)
    assert [each.chunk_id for each in reading.votes[0].support] == ["b", "c"]
    assert reading.problems == ()


def test_a_chunk_named_twice_counts_once_with_its_first_quote_that_is_there() -> None:
    said = {
        **GOOD,
        "support": [{"chunk": "fee", "quote": text} for text in ("not there at all", QUOTE, "Gifts pay nothing")],
    }
    (found,) = read(reply_of(said)).votes[0].support
    assert found.quote == "the **fee** for every order is 20 EUR"


@pytest.mark.parametrize("verdict", ["unsupported", "contradicted"])
def test_nothing_supports_a_claim_that_is_not_borne_out(verdict: str) -> None:
    said = examined(2, verdict, support={"fee": QUOTE}, against=("chunk-2", "Dogs are never allowed"))
    (vote,) = read(reply_of(said)).votes
    assert (vote.verdict, vote.support) == (verdict, ())
    assert (vote.against is not None) is (verdict == "contradicted")


def test_the_worst_part_is_the_claims_verdict() -> None:
    parts = [("the fee is 20 EUR", "supported"), ("nobody ever pays more", "unsupported")]
    (vote,) = read(reply_of(examined(1, "supported", support={"fee": QUOTE}, parts=parts))).votes
    assert (vote.verdict, vote.support) == ("unsupported", ())
    assert vote.parts == (
        Part(span="The fee is 20 EUR", verdict="supported"),
        Part(span="nobody ever pays more", verdict="unsupported"),
    )
    (stated,) = read(reply_of(examined(1, "unsupported", parts=parts[:1]))).votes
    assert stated.verdict == "unsupported", "a claim may be worse than its parts"


def test_points_are_named_with_the_claim_that_makes_them_also_a_settled_one() -> None:
    task = make_task(
        ANSWER, CHUNKS, claims=["Dogs may stay."], points=["fee", "dogs", "cats"], settled=["The fee is 20 EUR."]
    )
    reading = read(reply_of(examined(1, "unsupported"), points={2: None, 1: 2}), task=task)
    assert reading.points == (PointVote(point="fee", claim_id="s1"), PointVote(point="dogs", claim_id=None))
    assert "there is no claim 3" in read(reply_of(points={1: 3}), task=task).problems
    assert "point 1 is named twice" in read({"claims": [], "points": [{"point": 1}, {"point": 1}]}, task=task).problems
    assert "claim 2 was not to be examined" in read(reply_of(examined(2, "unsupported")), task=task).problems


def test_where_only_declining_was_asked_it_has_to_be_said() -> None:
    task = make_task(claims=[])
    assert read(reply_of(declines=True), task=task).declines is True
    assert not read(reply_of(declines=None), task=task).usable


def test_a_long_note_is_cut_and_an_empty_one_is_none() -> None:
    (long, empty) = read(reply_of({**GOOD, "note": "word " * 1000}, {**DOGS, "note": "  "})).votes
    assert long.note is not None
    assert len(long.note) <= 1_000
    assert empty.note is None


def test_many_problems_are_told_up_to_a_number() -> None:
    assert len(read({"claims": [{**GOOD, "verdict": "?"}] * 50}).problems) == 8


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
