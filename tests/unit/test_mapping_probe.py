"""A mapping that does not fit is told from an app that answers badly, by the app's first replies."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.replies.mapping import compile_response
from raggate_action.targets.mapping_probe import FirstReplies
from raggate_action.targets.reply_mapping import nearest_path, shape_of
from tests.builders import make_case

REPLY: dict[str, Any] = {
    "output": {"text": "It takes 30 days.", "docs": [{"id": "c1", "body": "Thirty days.", "score": 0.5}]},
    "meta": {"took": 3, "cached": False, "trace": None},
}
ASKED, UNANSWERABLE = make_case(), make_case(expect="abstain")


def seen(response: dict[str, str], *replies: Any, case: Any = ASKED) -> FirstReplies:
    first = FirstReplies(compile_response(response))
    for reply in replies:
        first.see(case, reply)
    first.decide()
    return first


def unfitting(first: FirstReplies) -> list[str]:
    return [each.field for each in first.unfitting]


@pytest.mark.parametrize(
    ("response", "wrong", "nearest"),
    [
        pytest.param({"answer": "output.text", "context": "output.docs[].id"}, [], [], id="it fits"),
        pytest.param({"answer": "output.answer"}, ["answer"], ["output.text"], id="a key that is not there"),
        pytest.param({"answer": "text"}, ["answer"], ["output.text"], id="a level that is missing"),
        pytest.param({"context": "docs[].id"}, ["context"], ["output.docs[].id"], id="a list that is not there"),
        pytest.param({"context": "output.docs[].ref"}, ["context"], ["output.docs[].id"], id="items without the key"),
        pytest.param(
            {"context": "output.docs[].{chunk_id: ref}"},
            ["context"],
            ["output.docs[].id"],
            id="items that are all null",
        ),
        pytest.param({"context": "output.docs[?score > `0`].ref"}, ["context"], ["output.docs[].id"], id="a filter"),
        pytest.param({"candidates": "length(nothing)"}, ["candidates"], ["output.docs[].id"], id="a function of null"),
        pytest.param({"answer": "meta.trace"}, ["answer"], ["output.text"], id="what is null in the reply itself"),
        pytest.param({"usage": "meta.usage", "answer": "output.text"}, [], [], id="what need not be there"),
    ],
)
def test_which_paths_find_nothing(response: dict[str, str], wrong: list[str], nearest: list[str]) -> None:
    first = seen(response, *[REPLY] * 10)
    assert unfitting(first) == wrong
    assert [each.nearest for each in first.unfitting] == nearest


def test_it_is_decided_by_ten_replies_or_by_all_if_there_are_fewer() -> None:
    first = FirstReplies(compile_response({"answer": "text"}))
    for _ in range(9):
        first.see(ASKED, REPLY)
    before = first.is_open
    first.see(ASKED, REPLY)
    assert (before, first.is_open) == (True, False)
    assert "in the first 10 replies" in first.problem
    assert "in the first 2 replies" in seen({"answer": "text"}, REPLY, REPLY).problem
    assert "in the app's only reply" in seen({"answer": "text"}, REPLY).problem
    assert not unfitting(seen({"answer": "text"})), "nothing was replied"


def test_one_reply_in_which_a_path_finds_something_is_enough() -> None:
    flaky: Any = {"output": {"text": None, "docs": None}}
    response = {"answer": "output.text", "context": "output.docs[].id"}
    first = FirstReplies(compile_response(response))
    first.see(ASKED, flaky)
    before = first.is_open
    first.see(ASKED, REPLY)
    assert (before, first.is_open) == (True, False)
    assert not first.unfitting
    assert not unfitting(seen(response, *[flaky] * 8, REPLY))


def test_a_retriever_that_finds_nothing_is_no_wrong_path() -> None:
    empty: Any = {"output": {"text": "I don't know.", "docs": []}}
    assert not unfitting(seen({"answer": "output.text", "context": "output.docs[].id"}, *[empty] * 10))


def test_a_decline_that_was_asked_for_may_name_no_chunks() -> None:
    declined: Any = {"output": {"text": "I don't know.", "docs": None}}
    response = {"answer": "output.text", "context": "output.docs[].id"}
    assert not unfitting(seen(response, *[declined] * 10, case=UNANSWERABLE))
    assert unfitting(seen(response, *[declined] * 10, case=ASKED)) == ["context"]
    assert unfitting(seen({"answer": "output.answer"}, *[declined] * 10, case=UNANSWERABLE)) == ["answer"]
    mixed = FirstReplies(compile_response(response))
    for case in [*[UNANSWERABLE] * 9, ASKED]:
        mixed.see(case, declined)
    assert not mixed.unfitting, "one reply of ten that counts is no pattern"


def test_the_shape_of_a_reply_shows_keys_and_types_and_no_value() -> None:
    assert shape_of(REPLY) == (
        "{output: {text: string, docs: [{id: string, body: string, score: number}]}, "
        "meta: {took: number, cached: boolean, trace: null}}"
    )
    filed_under_text: Any = {"answers": {"The vault opens with ZX-4471-QQ after midnight.": "yes"}}
    assert shape_of(filed_under_text) == "{answers: {(another key): string}}"
    assert shape_of({f"key{n}": n for n in range(20)}).endswith("key11: number, ...}")
    assert shape_of([]) == "[]"
    deep: Any = "x"
    for _ in range(50):
        deep = {"a": deep}
    assert shape_of(deep) == "{a: {a: {a: {a: {a: {a: {...}}}}}}}"


@pytest.mark.parametrize(
    ("reply", "field", "expression", "path"),
    [
        ({"data": {"answer-text": "x"}}, "answer", "answer", 'data."answer-text"'),
        ({"trace_id": "x", "answer": "y"}, "answer", "output.answer", "answer"),
        ({"answer": "y", "sources": ["a", "b"]}, "context", "docs[].id", "sources[]"),
        ([{"content": "x"}], "answer", "content", None),
        ({"took": 3}, "answer", "text", None),
        ({"answer": "y"}, "context", "docs[].id", None),
        ({"hits": [{"text": "x", "doc_id": "y"}]}, "candidates", "results[].document", "hits[].doc_id"),
    ],
)
def test_the_nearest_path_that_finds_what_is_needed(reply: Any, field: str, expression: str, path: str | None) -> None:
    assert nearest_path(reply, field, expression) == path


def test_the_advice_says_what_to_write() -> None:
    first = seen({"answer": "text", "context": "docs[].id"}, *[REPLY] * 10)
    assert first.problem == (
        "`answer: text` and `context: docs[].id` of `target: response` find nothing in the first 10 replies; a reply is "
        f"{shape_of(REPLY)}"
    )
    assert first.advice == "The nearest that would fit: `answer: output.text`, `context: output.docs[].id`."
    nothing = seen({"answer": "text"}, {"took": 3})
    assert nothing.advice.startswith("Write the path under which the app's reply has it")
