"""A reply that states an error and has no answer is a failed answer, whatever its HTTP status and mapping."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.replies.place_choice import AskedReply
from raggate_action.replies.stated_errors import stated_error
from raggate_action.schema.target import AUTO
from raggate_action.schema.trace import Trace
from raggate_action.targets.read_reply import read_trace
from raggate_action.targets.reply_mapping import ReplyMapping

# What the specifications and services write: JSON-RPC 2.0 (5.1), GraphQL (7.1.2), MCP (CallToolResult), OpenAI,
# Anthropic, Google, Dify's workflow.
STATED = [
    pytest.param(
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}},
        "Method not found (-32601)",
        id="JSON-RPC",
    ),
    pytest.param(
        {"id": "5d1a", "type": "abort", "textResponse": None, "sources": [], "close": True, "error": "No embedding."},
        "No embedding.",
        id="AnythingLLM",
    ),
    pytest.param({"code": 102, "message": "Please input your question."}, "Please input your question.", id="RAGFlow"),
    pytest.param(
        {"code": "InvalidApiKey", "message": "No API-key provided.", "request_id": "fb53c4ec"},
        "No API-key provided.",
        id="DashScope",
    ),
    pytest.param(
        {"data": {"ask": None}, "errors": [{"message": "no index", "path": ["ask"]}, {"message": "late"}]},
        "no index (and 1 more)",
        id="GraphQL",
    ),
    pytest.param(
        {"content": [{"type": "text", "text": "The index is unavailable."}], "isError": True},
        "The index is unavailable.",
        id="MCP",
    ),
    pytest.param(
        {"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "No index."}], "isError": True}},
        "No index.",
        id="MCP over JSON-RPC",
    ),
    pytest.param(
        {"error": {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}},
        "Rate limit reached (rate_limit_exceeded)",
        id="OpenAI",
    ),
    pytest.param(
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        "Overloaded (overloaded_error)",
        id="Anthropic",
    ),
    pytest.param(
        {
            "id": "resp_1",
            "object": "response",
            "status": "failed",
            "error": {"code": "x", "message": "M"},
            "output": [],
        },
        "M (x)",
        id="a failed response",
    ),
    pytest.param(
        {"workflow_run_id": "w", "data": {"status": "failed", "outputs": None, "error": "no model"}},
        "no model",
        id="in an envelope",
    ),
    pytest.param({"error": True}, "the reply has `error`", id="true"),
    pytest.param({"errors": {"question": ["is too long"]}}, "the reply has `errors`", id="by field"),
]
# Of the same shape, and no error.
FINE: list[Any] = [
    {"code": 1, "message": "ok", "data": {"answer": "A b."}},
    {"code": 102, "answer": "A b."},
    {"answer": "A b.", "error": None, "x": 1},
    {"response": "A b.", "errors": []},
    {"result": {"answer": "A b.", "error": ""}},
    {"output": "A b.", "error": {"code": 0, "message": ""}},
    {"jsonrpc": "2.0", "id": 1, "result": {"answer": "A b.", "isError": False}},
    {"data": {"answer": "A b."}, "errors": [{"message": None}]},
]


@pytest.mark.parametrize(("reply", "text"), STATED)
@pytest.mark.parametrize("response", [AUTO, {"answer": "result.content[0].words", "context": "result.docs"}])
def test_an_error_without_an_answer_is_the_failure_of_its_case(reply: Any, text: str, response: Any) -> None:
    read = read_trace(json.dumps(reply).encode(), ReplyMapping(response))
    assert isinstance(read, Trace)
    assert (read.error, read.reply.text) == (text, "")


@pytest.mark.parametrize("reply", FINE)
def test_an_empty_error_beside_an_answer_is_none(reply: Any) -> None:
    mapping = ReplyMapping()
    mapping.choose([AskedReply("", reply)])
    read = read_trace(json.dumps(reply).encode(), mapping)
    assert isinstance(read, Trace)
    assert (read.error, read.reply.text) == (None, "A b.")


def test_an_answer_that_the_suite_names_stands_beside_an_error_unless_the_whole_reply_failed() -> None:
    mapping = ReplyMapping({"answer": "content[0].text"})
    reply = {"content": [{"type": "text", "text": "A b."}], "errors": [{"message": "one source timed out"}]}
    read = read_trace(json.dumps(reply).encode(), mapping)
    assert isinstance(read, Trace)
    assert (read.error, read.reply.text) == (None, "A b.")
    failed = read_trace(json.dumps({**reply, "isError": True}).encode(), mapping)
    assert isinstance(failed, Trace)
    assert (failed.error, failed.reply.text) == ("A b.", "")


def test_an_error_never_becomes_the_place_of_the_answer() -> None:
    mapping = ReplyMapping()
    good: Any = {"answer": "A fee is due.", "docs": ["A fee is due for each order."], "x": 1}
    assert mapping.choose([AskedReply("", {"error": {"message": "late"}, "x": 1}), AskedReply("", good)])
    assert mapping.paths == {"answer": "answer", "context": "docs"}
    late = read_trace(b'{"error": {"message": "It is late."}, "x": 1}', mapping)
    assert isinstance(late, Trace)
    assert late.error == "It is late."


def test_what_is_nested_without_end_or_no_object_states_nothing() -> None:
    deep: Any = "late"
    for _ in range(50):
        deep = {"message": deep}
    found = stated_error({"error": deep})
    assert found is not None
    assert found.text == "the reply has `error`"
    assert stated_error(["error"]) is None
    assert stated_error("error") is None
