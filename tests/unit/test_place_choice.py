"""Of all the texts of an app's replies one is its answer and one list its evidence: clear ones are taken, others named."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.replies.machine_values import is_machine_value, is_prose
from raggate_action.replies.mapping import ReplyMismatchError, finder
from raggate_action.replies.place_choice import AskedReply, Understanding, understand
from raggate_action.replies.reply_forms import read_answer
from raggate_action.schema.trace import Trace
from raggate_action.targets.reply_mapping import ReplyMapping

# Written by hand after what apps and products reply: keys of their own, with all that stands beside an answer. `answer`
# is null and `context` "unclear" where nobody could tell; `context` is null where no evidence is shown.
SHAPES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "provider_replies/shapes.jsonl").read_text(encoding="utf-8").splitlines()
]
# Replies in which something looks like an answer or like evidence and is none: instructions, cards, earlier turns.
LOOKALIKES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "provider_replies/lookalikes.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
QUESTION = "How long does a refund take?"
REFUNDS = "Refunds are paid within 30 days of purchase, to the card that was charged."
SHIPPING = "Orders ship on the next working day. Parcels to islands take two days longer."
GIFTS = "Vouchers are sold at the counter and cannot be returned."
ANSWER = "A refund reaches your card within 30 days."


def of(*replies: Any, is_decline: Any = lambda _text: False) -> Understanding:
    return understand(
        [AskedReply(f"{QUESTION} {n}" if n else QUESTION, each) for n, each in enumerate(replies)], is_decline
    )


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["name"])
def test_a_shape_is_read_right_or_said_to_be_unclear(shape: dict[str, Any]) -> None:
    found = understand([AskedReply(shape.get("question", QUESTION), shape["reply"])])
    assert (found.answer.taken.texts[0] if found.answer.taken else None) == shape["answer"]
    if shape["answer"] is None:
        return
    if shape["context"] == "unclear":
        assert found.context.taken is None
        assert found.context.others, "both places are named"
        return
    assert (list(found.context.taken.texts) if found.context.taken else None) == shape["context"], found.context
    assert found.context.taken or not found.context.others, "what could be evidence is never passed over"
    written = Trace.model_validate_json(json.dumps(ReplyMapping(found.response or "auto").trace_json(shape["reply"])))
    assert written.reply.text == shape["answer"]


@pytest.mark.parametrize("each", LOOKALIKES, ids=lambda each: each["name"])
def test_what_only_looks_like_an_answer_or_like_evidence_is_not_taken(each: dict[str, Any]) -> None:
    found = understand([AskedReply(each.get("question", QUESTION), each["reply"])])
    assert (found.answer.taken.texts[0] if found.answer.taken else None) in each["answers"]
    assert (list(found.context.taken.texts) if found.context.taken else None) in each["contexts"], found.context


def test_what_never_changes_is_no_answer_beside_what_does() -> None:
    replies = [{"text": "Welcome to our shop.", "words": f"{ANSWER} {n}", "docs": [REFUNDS]} for n in range(3)]
    assert of(replies[0]).answer.taken is None, "of one reply nobody can tell"
    assert of(*replies).response == {"answer": "words", "context": "docs"}
    same = [{"text": "Welcome to our shop.", "docs": [REFUNDS]}] * 3
    assert of(*same).answer.doubt == "it is the same for every question"
    assert of(*same[:2]).answer.taken is not None, "two questions may well have one answer"
    assert of(*same, is_decline=lambda _text: True).response["answer"] == "text"
    assert of(*["Welcome."] * 3).answer.taken is None
    assert of({"answer": "9f1c2f0e-0b0a-4c57-bd3e-8f7d7cba2c11"}).answer.doubt == "it is an identifier"


def test_evidence_that_only_a_later_reply_has_is_found_and_replies_that_failed_are_left_out() -> None:
    first = {"data": {"reply": "I do not know.", "found": {"chunks": []}}}
    later = {"data": {"reply": ANSWER, "found": {"chunks": [{"id": 1, "body": REFUNDS}]}}}
    found = of({"error": {"message": "late"}}, first, later)
    assert found.response == {"answer": "data.reply", "context": "data.found.chunks"}
    assert found.context.taken is not None
    assert found.context.taken.texts == (REFUNDS,)
    assert of({"error": "late"}).response == {}
    assert of([{"answer": None, "sources": REFUNDS}]).answer.taken is None


@pytest.mark.parametrize(
    ("one", "other", "taken"),
    [
        pytest.param({"context": [REFUNDS]}, {"search_results": [REFUNDS, SHIPPING]}, "context", id="kept, and found"),
        pytest.param(
            {"documents": [REFUNDS]}, {"quotes": ["paid within 30 days of purchase"]}, "documents", id="pieces"
        ),
        pytest.param({"passages": [REFUNDS]}, {"items": [SHIPPING]}, "passages", id="a name of its own"),
        pytest.param({"documents": [REFUNDS]}, {"passages": [GIFTS]}, "documents", id="one shares nothing"),
        pytest.param({"documents": [REFUNDS, SHIPPING]}, {"passages": [SHIPPING, REFUNDS]}, "documents", id="the same"),
        pytest.param(
            {"documents": [REFUNDS, SHIPPING]}, {"passages": [f"{SHIPPING} Refunds take 30 days."]}, None, id="two"
        ),
        pytest.param(
            {"used": [REFUNDS]}, {"documents": [REFUNDS, SHIPPING]}, None, id="some of them, by no known name"
        ),
        pytest.param({"history": [REFUNDS]}, {"suggestions": [f"{REFUNDS} Ask again."]}, None, id="neither"),
    ],
)
def test_of_two_lists_one_is_taken_where_it_is_clear(one: Any, other: Any, taken: str | None) -> None:
    found = of({"answer": ANSWER, **one, **other})
    assert (found.context.taken.path if found.context.taken else None) == taken
    if taken is None:
        assert len(found.context.others) == 2


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("resp_67ccd2bed1ec8190b14f964abc054267", True),
        ("asst_abc123", True),
        ("8a3f6f0a-2f9a-4c4b-9a4f-7e5ff6d0a111", True),
        ("completed", True),
        ("2026-06-02T09:00:00Z", True),
        ("1741476542", True),
        ('{"answer": "A b."}', True),
        ("https://shop.example/refunds", True),
        (" ", True),
        ("INV-2291", False),
        ("2026-06-02", False),
        ("30 days", False),
        ("Yes.", False),
        ("self-service", False),
        ("[1] says 30 days", False),
        ("It is completed.", False),
    ],
)
def test_what_programs_write_for_programs(text: str, is_one: bool) -> None:  # noqa: FBT001
    assert is_machine_value(text) is is_one
    assert not (is_one and is_prose(text))


KEYS = st.sampled_from(
    (
        "answer",
        "text",
        "data",
        "sources",
        "hits",
        "history",
        "id",
        "status",
        "content",
        "type",
        "role",
        "error",
        "1",
        "a b",
        "größe",
        "",
    )
)
VALUES = st.sampled_from((ANSWER, REFUNDS, "completed", "", "user", "text")) | st.none() | st.booleans() | st.integers()


@settings(deadline=None)
@given(
    st.recursive(
        VALUES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=20,
    )
)
def test_no_reply_is_too_strange_and_the_paths_find_what_was_shown(reply: Any) -> None:
    found = of(reply)
    if found.response:
        assert found.answer.taken is not None
        assert read_answer(finder(found.response["answer"])(reply)) == found.answer.taken.texts[0]
    if found.context.taken is not None and found.context.taken.texts and not found.needs_nothing:
        assert finder(found.context.taken.path)(reply)


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param({"a": [{f"k{n}_{m}": 1 for m in range(300)} for n in range(300)]}, id="many keys"),
        pytest.param(
            [[[{"text": f"A b {n}."} for n in range(50)] for _ in range(50)] for _ in range(50)],
            id="lists of lists",
        ),
        pytest.param({f"{n}/x": {f"{m}/y": {"text": "A b."} for m in range(500)} for n in range(500)}, id="maps"),
        pytest.param({"messages": [{"role": "user", "text": f"A b {n}."} for n in range(50_000)]}, id="turns"),
        pytest.param(
            {"body": json.dumps({"body": json.dumps({"body": json.dumps({"a": ["b"] * 200_000})})})}, id="JSON"
        ),
        pytest.param({"a": "[" * 100_000 + "]" * 100_000, "answer": "A b c."}, id="JSON as deep as it is long"),
        pytest.param({"content": [{"type": "text", "text": f"A b {n}."} for n in range(50_000)]}, id="parts"),
        pytest.param(
            {
                "answer": "A b c.",
                "chunks": {f"d_{n}": [{"text": f"A b {n} {m}."} for m in range(20)] for n in range(590)},
            },
            id="chunks under names",
        ),
    ],
)
def test_a_large_hostile_reply_is_read_in_seconds(hostile: Any) -> None:
    began = process_time()
    of(hostile)
    assert process_time() - began < 10, "50,000 entries, each held against each, would take minutes"


def test_a_deep_and_a_large_reply_are_read_in_time() -> None:
    deep: Any = {"answer": ANSWER}
    for _ in range(200):
        deep = {"data": deep}
    assert of(deep).answer.taken is None
    wide = {"answer": ANSWER, "chunks": [{"id": n, "text": f"{REFUNDS} {n}"} for n in range(20_000)]}
    found = of(wide)
    assert found.context.taken is not None
    assert len(found.context.taken.texts) == 20_000


def filed(number: int) -> dict[str, Any]:
    return {"result": {"chunks": {f"doc_{n}": {"text": f"{REFUNDS} {n}"} for n in range(number)}, "said": ANSWER}}


def test_more_than_two_thousand_places_are_refused_in_words() -> None:
    taken = of(filed(1_900)).context.taken
    assert taken is not None
    assert taken.path == "result.chunks.*"
    assert len(taken.texts) == 1_900
    found = of(filed(2_000)).context
    assert (found.taken, found.doubt) == (None, "more than 2,000 places could be it")
    for reply in ({"answer": ANSWER, **filed(2_000)}, filed(2_000)):
        with pytest.raises(
            ReplyMismatchError, match=r"its context is not clear \(more than 2,000 .*context: result\.chunks\.\*"
        ):
            ReplyMapping().trace_json(reply)
    # By a path of the suite it is read however much stands beside it.
    told = {"answer": ANSWER, **filed(2_000)}
    assert ReplyMapping({"answer": "answer"}).trace_json(told)["answer"] == ANSWER
