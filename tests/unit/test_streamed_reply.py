"""Streams of every known form, put together as the reply that would have come at once; and what breaks them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from raggate_action.replies.streamed_reply import MOST_EVENTS, BrokenStreamError, StreamedReply

TEXT = "The fee is 20 EUR [1]."
PIECES = ["The fee", " is 20 EUR", " [1]."]
SOURCES = [{"id": "fees", "text": "The fee for every order is 20 EUR."}]


def whole(events: Iterable[Any]) -> Any:
    """The reply of some events: data, or a name with data; what is no text is written as JSON."""
    reply = StreamedReply()
    for each in events:
        name, data = each if isinstance(each, tuple) else ("", each)
        reply.add(data if isinstance(data, str) else json.dumps(data), name)
    return reply.whole()


def chunk(**delta: Any) -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
    }


END = {"id": "1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
CHAT = [chunk(role="assistant", content=""), *[chunk(content=each) for each in PIECES]]
RESPONSE = {
    "id": "r",
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": TEXT}]}],
}
RESPONSES = [
    {"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}},
    *[{"type": "response.output_text.delta", "delta": each} for each in PIECES],
]  # fmt: skip
ANTHROPIC = [
    ("message_start", {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}}),
    ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
    ("ping", {"type": "ping"}),
    *[("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": each}}) for each in PIECES],
    ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {"type": "citations_delta", "citation": {"cited_text": "20 EUR"}}}),
    ("content_block_stop", {"type": "content_block_stop", "index": 0}),
    ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}),
]  # fmt: skip
UI = [
    {"type": "start", "messageId": "m"},
    {"type": "source-url", "sourceId": "fees", "url": "https://example.com/fees", "title": "Fees"},
    {"type": "data-context", "data": SOURCES},
    {"type": "text-start", "id": "t"},
    *[{"type": "text-delta", "id": "t", "delta": each} for each in PIECES],
    {"type": "text-end", "id": "t"},
]
UI_REPLY = {
    "answer": TEXT,
    "context": SOURCES,
    "sources": [{"sourceId": "fees", "url": "https://example.com/fees", "title": "Fees"}],
}


@pytest.mark.parametrize(
    ("events", "answer"),
    [
        pytest.param([*CHAT, END, "[DONE]"], TEXT, id="OpenAI chat"),
        pytest.param([{"sources": SOURCES}, *CHAT, END], TEXT, id="sources first"),
        pytest.param([*CHAT, END, {"choices": [], "usage": {"total_tokens": 5}}, "[DONE]"], TEXT, id="usage last"),
    ],
)
def test_chunks_become_a_completion(events: list[Any], answer: str) -> None:
    reply = whole(events)
    assert reply["choices"] == [
        {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
    ]
    assert reply.get("sources") == (SOURCES if "sources" in events[0] else None)


def test_what_azure_says_of_its_context_stays_in_the_message() -> None:
    context = {"citations": [{"content": "The fee is 20 EUR.", "title": "Fees"}]}
    reply = whole([chunk(role="assistant", context=context), *CHAT[1:], END])
    assert reply["choices"][0]["message"] == {"role": "assistant", "context": context, "content": TEXT}


def test_the_responses_api_sends_the_whole_at_the_end() -> None:
    assert whole([*RESPONSES, {"type": "response.completed", "response": RESPONSE}]) == RESPONSE


def test_anthropics_events_become_a_message_with_its_citations() -> None:
    assert whole([*ANTHROPIC, ("message_stop", {"type": "message_stop"})]) == {
        "id": "m",
        "role": "assistant",
        "stop_reason": "end_turn",
        "content": [{"type": "text", "text": TEXT, "citations": [{"cited_text": "20 EUR"}]}],
    }


def test_messages_of_the_ai_sdk_keep_sources_and_data() -> None:
    assert whole([*UI, {"type": "finish"}, "[DONE]"]) == UI_REPLY


@pytest.mark.parametrize(
    ("events", "reply"),
    [
        pytest.param(PIECES, {"answer": TEXT}, id="plain tokens"),
        pytest.param(["[1]", " 20", "30", "null"], {"answer": "[1] 2030null"}, id="tokens that look like JSON"),
        pytest.param([json.dumps(each) for each in PIECES], {"answer": TEXT}, id="tokens as JSON strings"),
        pytest.param([*PIECES, {"sources": SOURCES}], {"answer": TEXT, "sources": SOURCES}, id="sources last"),
        pytest.param([{"token": each} for each in PIECES] + [{"sources": SOURCES}], {"answer": TEXT, "sources": SOURCES}, id="objects"),
        pytest.param([{"text": TEXT[:3]}, {"text": TEXT[:9]}, {"text": TEXT}], {"answer": TEXT}, id="each holds all before it"),
        pytest.param([{"answer": each} for each in [*PIECES, TEXT]], {"answer": TEXT}, id="the whole again at the end"),
        pytest.param([{"answer": TEXT, "context": SOURCES}], {"answer": TEXT, "context": SOURCES}, id="one object alone"),
        pytest.param(
            [{"type": "status", "message": "Searching"}, {"type": "status", "message": "Reading"}, *[{"type": "token", "content": each} for each in PIECES], {"type": "sources", "sources": SOURCES}],
            {"answer": TEXT, "status": "Reading", "sources": SOURCES},
            id="a status is no answer",
        ),
        pytest.param(
            [*[("message", {"event": "message", "answer": each}) for each in PIECES], ("message_end", {"event": "message_end", "metadata": {"retriever_resources": SOURCES}})],
            {"answer": TEXT, "metadata": {"retriever_resources": SOURCES}},
            id="Dify",
        ),
        pytest.param(
            [*[{"message": {"role": "assistant", "content": each}, "done": False} for each in PIECES], {"done": True}],
            {"answer": TEXT, "done": True},
            id="Ollama",
        ),
        pytest.param([{"source": each} for each in [*SOURCES, {"id": "b"}]] + [{"delta": TEXT}], {"answer": TEXT, "source": [*SOURCES, {"id": "b"}]}, id="a source at a time"),
        pytest.param([{"error": "no index"}], {"error": "no index"}, id="an error"),
        pytest.param([*PIECES, ("error", {"message": "no index"})], {"error": "no index"}, id="an error in the middle"),
        pytest.param([*CHAT, {"error": {"message": "overloaded"}}, "[DONE]"], {"error": "overloaded"}, id="an error among chunks"),
        pytest.param([], None, id="nothing"),
    ],
)  # fmt: skip
def test_streams_of_no_known_protocol(events: list[Any], reply: Any) -> None:
    assert whole(events) == reply


@pytest.mark.parametrize("events", [CHAT, RESPONSES, ANTHROPIC, UI], ids=["chat", "responses", "anthropic", "ui"])
def test_a_stream_without_its_end_holds_no_answer(events: list[Any]) -> None:
    with pytest.raises(BrokenStreamError, match="cut short: the stream ended before its answer did"):
        whole(events)


@pytest.mark.parametrize(
    ("events", "first"),
    [
        (CHAT, 1), (RESPONSES, 1), (ANTHROPIC, 3), (UI, 4), ([{"sources": SOURCES}, *PIECES], 1), (PIECES, 0),
    ],
)  # fmt: skip
def test_the_first_piece_is_the_first_text_and_no_event_before_it(events: list[Any], first: int) -> None:
    reply, seen = StreamedReply(), []
    for each in events:
        name, data = each if isinstance(each, tuple) else ("", each)
        reply.add(data if isinstance(data, str) else json.dumps(data), name)
        seen.append(reply.has_text)
    assert seen.index(True) == first


def test_events_are_bounded() -> None:
    with pytest.raises(BrokenStreamError, match="more than 100,000 events"):
        whole("x" for _ in range(MOST_EVENTS + 1))
    with pytest.raises(BrokenStreamError, match="nests lists and objects"):
        whole(["[" * 200 + "]" * 200])


def test_a_source_at_a_time_is_kept_in_one_list() -> None:
    reply = whole([*[{"source": {"id": str(number)}} for number in range(20_000)], {"delta": TEXT}])
    assert [each["id"] for each in reply["source"]] == [str(number) for number in range(20_000)]
