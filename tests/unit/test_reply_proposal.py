"""A reply's answer and evidence are found by the keys that apps use, and never guessed where two differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.replies.chunk_stages import StageReader
from raggate_action.replies.machine_values import is_machine_value
from raggate_action.replies.mapping import compile_response
from raggate_action.replies.proposal import ANSWER_KEYS, CONTAINERS, CONTEXT_KEYS, propose
from raggate_action.replies.reply_forms import text_id
from raggate_action.schema.trace import Trace

FRAMEWORKS = Path(__file__).parents[1] / "framework_replies" / "replies.json"
REPLIES: dict[str, Any] = json.loads(FRAMEWORKS.read_text())["replies"]
REFUNDS, SHIPPING = "Refunds are paid within 30 days of purchase.", "Orders ship on the next working day."
TEXTS: list[Any] = ["Refunds take 30 days.", "Orders ship on Monday."]


def paths(reply: Any) -> dict[str, str]:
    return propose(reply).paths


def trace_of(reply: Any) -> Trace:
    return Trace.model_validate_json(json.dumps(StageReader().read(propose(reply).trace)))


@pytest.mark.parametrize("name", REPLIES)
def test_what_real_packages_write_is_understood(name: str) -> None:
    trace = trace_of(REPLIES[name])
    assert trace.reply.text == REFUNDS
    if "message" in name and "documents" not in name:
        assert trace.context is None, "a bare message brings no context"
        return
    assert [chunk.text for chunk in trace.context_chunks] == [REFUNDS, SHIPPING]
    own = {"c-1", "c-2", "n-1", "n-2", "d-1", "d-2"}
    expected = [{"c-1", "n-1", "d-1", text_id(REFUNDS)}, {"c-2", "n-2", "d-2", text_id(SHIPPING)}]
    assert [chunk.chunk_id in those for chunk, those in zip(trace.context_chunks, expected, strict=True)] == [
        True,
        True,
    ]
    has_ids = any(f'"{each}"' in json.dumps(REPLIES[name]) for each in own)
    assert {chunk.chunk_id for chunk in trace.context_chunks} <= (
        own if has_ids else {text_id(REFUNDS), text_id(SHIPPING)}
    )


def test_documents_say_which_file_they_are_of() -> None:
    named = [name for name in REPLIES if "langchain" in name and '"source"' in json.dumps(REPLIES[name])]
    assert len(named) > 4
    for name in named:
        found = [chunk.document_id for chunk in trace_of(REPLIES[name]).context_chunks]
        assert found == ["refunds.md", "shipping.md"], name


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        pytest.param("Thirty days.", {"answer": "@"}, id="a plain string"),
        pytest.param({"answer": "A", "contexts": TEXTS}, {"answer": "answer", "context": "contexts"}, id="contexts"),
        pytest.param({"answer": "A", "model": "m"}, {"answer": "answer"}, id="no context"),
        pytest.param(
            {"output": {"answer": "A", "documents": TEXTS}},
            {"answer": "output.answer", "context": "output.documents"},
            id="one level down",
        ),
        pytest.param(
            {"output": {"text": "A"}, "source_documents": [{"page_content": "T t"}]},
            {"answer": "output.text", "context": "source_documents"},
            id="at two levels",
        ),
        pytest.param(
            {"answer": {"text": "A", "sources": TEXTS}},
            {"answer": "answer.text", "context": "answer.sources"},
            id="an answer that is a container",
        ),
        pytest.param(
            {"choices": [{"message": {"role": "assistant", "content": "A"}}], "usage": {"prompt_tokens": 3}},
            {"answer": "choices[0].message.content"},
            id="a chat completion",
        ),
        pytest.param(
            {"messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}], "docs": TEXTS},
            {"answer": "messages[-1]", "context": "docs"},
            id="a conversation",
        ),
        pytest.param(
            {"messages": [{"role": "user", "content": "Q"}], "docs": TEXTS},
            {"context": "docs"},
            id="no turn of the app",
        ),
        pytest.param(
            {"content": [{"type": "text", "text": "A"}], "role": "assistant"},
            {"answer": "content"},
            id="blocks of text",
        ),
        pytest.param(
            {"answer": "A", "sources": [{"title": "x"}]}, {"answer": "answer"}, id="sources that are no chunks"
        ),
        pytest.param({"answer": "A", "contexts": None, "x": 1}, {"answer": "answer"}, id="a null list is not reported"),
        pytest.param(
            {"answer": "A", "contexts": []}, {"answer": "answer", "context": "contexts"}, id="an empty list is"
        ),
        pytest.param(
            {"answer": "A", "contexts": ["T t", None]},
            {"answer": "answer", "context": "contexts"},
            id="a hole in a list",
        ),
        pytest.param(
            {
                "answer": "A",
                "contexts": TEXTS,
                "latency_ms": 12,
                "case_id": 7,
                "versions": {"index": "i1"},
                "usage": "?",
            },
            {
                "answer": "answer",
                "context": "contexts",
                "versions": "versions",
                "latency_ms": "latency_ms",
                "case_id": "case_id",
            },
            id="further fields of the trace, those in its form",
        ),
        pytest.param(
            {"result": {"answer": "A", "latency_ms": 3.5, "context": TEXTS}},
            {"answer": "result.answer", "context": "result.context", "latency_ms": "result.latency_ms"},
            id="further fields beside the answer",
        ),
        pytest.param({"x": 1, "error": "no index"}, {"error": "error"}, id="a stated error"),
        pytest.param({"question": "Q", "status": "ok"}, {}, id="nothing that fits"),
        pytest.param(["A"], {}, id="a list"),
        pytest.param(7, {}, id="a number"),
        pytest.param(None, {}, id="null"),
    ],
)
def test_what_is_taken(reply: Any, found: dict[str, str]) -> None:
    proposal = propose(reply)
    assert (proposal.paths, proposal.clashes) == (found, ())
    assert proposal.has_answer is bool(found.keys() & {"answer", "error"})


def test_trace_json_comes_first_and_as_it_is() -> None:
    reply: Any = {"answer": {"text": "A", "abstained": False}, "context": ["c1"], "candidates": ["c1", "c2"]}
    proposal = propose(reply)
    assert (proposal.trace, proposal.paths, proposal.is_trace) == (reply, {}, True)
    assert propose({}).is_trace
    assert propose({"answer": None}).is_trace, "and its schema says what is wrong with it"


def test_what_was_not_read_is_named() -> None:
    assert propose({"answer": "A", "contexts": TEXTS, "model": "m", "usage": {"tokens": 3}}).unused_keys == (
        "model",
        "usage",
    )


@pytest.mark.parametrize(
    ("reply", "field", "paths"),
    [
        pytest.param({"answer": "A", "output": "B"}, "answer", ("answer", "output"), id="two answers"),
        pytest.param({"answer": "", "text": "B"}, "answer", ("answer", "text"), id="one of them empty"),
        pytest.param({"answer": "A", "data": {"text": "B"}}, "answer", ("answer", "data.text"), id="at two levels"),
        pytest.param(
            {"answer": "A", "contexts": TEXTS, "sources": ["a.md"]},
            "context",
            ("contexts", "sources"),
            id="two contexts",
        ),
        pytest.param(
            {"answer": "A", "contexts": [], "docs": TEXTS}, "context", ("contexts", "docs"), id="one of them empty list"
        ),
        pytest.param(
            {"answer": "A", "docs": TEXTS, "chunks": TEXTS[::-1]}, "context", ("docs", "chunks"), id="another order"
        ),
    ],
)
def test_two_that_fit_and_differ_are_named(reply: Any, field: str, paths: tuple[str, str]) -> None:
    proposal = propose(reply)
    assert [(clash.field, set(clash.paths)) for clash in proposal.clashes] == [(field, set(paths))]
    assert not proposal.has_answer


def test_two_that_hold_the_same_are_one_and_the_one_with_ids_is_taken() -> None:
    both = propose(
        {
            "answer": "A",
            "output": "A",
            "contexts": TEXTS,
            "docs": [{"id": f"c{i}", "text": t} for i, t in enumerate(TEXTS)],
        }
    )
    assert both.paths == {"answer": "answer", "context": "docs"}
    assert both.same == {"answer": ("output",), "context": ("contexts",)}
    assert both.clashes == ()


@pytest.mark.parametrize("answer", ANSWER_KEYS)
@pytest.mark.parametrize("context", CONTEXT_KEYS)
def test_a_reply_with_other_names_for_its_keys_gives_the_same_trace(answer: str, context: str) -> None:
    reply = {answer: "Thirty days.", context: [{"page_content": each} for each in TEXTS], "model": "m"}
    expected = trace_of({"answer": "Thirty days.", "context": TEXTS})
    assert trace_of(reply) == expected
    for container in CONTAINERS:
        assert trace_of({container: reply, "took": 3}) == expected, container


TEXT = st.text(max_size=30)
FORMS = st.sampled_from(
    [lambda t: t, lambda t: {"text": t}, lambda t: {"page_content": t, "metadata": {}}, lambda t: {"node": {"text": t}}]
)


@given(
    TEXT.filter(lambda text: not text.strip() or not is_machine_value(text)),
    st.lists(st.tuples(TEXT.map(lambda t: f"{t} x"), FORMS), max_size=5),
    st.sampled_from(ANSWER_KEYS),
    st.sampled_from(CONTEXT_KEYS),
)
def test_names_and_forms_make_no_difference(answer: str, chunks: list[Any], answer_key: str, context_key: str) -> None:
    reply = {answer_key: answer, context_key: [form(text) for text, form in chunks], "took": 3}
    assert trace_of(reply) == trace_of({"answer": answer, "context": [text for text, _form in chunks]})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from((*ANSWER_KEYS, *CONTEXT_KEYS, "choices", "messages", "lc", "kwargs", "error", "claims"))
                | TEXT,
                inner,
                max_size=4,
            )
        ),
        max_leaves=15,
    )
)
def test_no_reply_is_too_strange_and_what_is_proposed_finds_the_same(reply: Any) -> None:
    proposal = propose(reply)
    if proposal.paths and not proposal.clashes and "messages[-1]" not in proposal.paths.values():
        mapped = compile_response(proposal.response).trace_json(reply)
        assert mapped.get("context") == proposal.trace.get("context")
