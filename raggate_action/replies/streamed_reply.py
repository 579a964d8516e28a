"""A reply that comes in events, put together as the one object that the same app would have sent at once.

Known by their form: chunks of OpenAI's chat API, events of its Responses API, Anthropic's, the AI SDK's.
Of any other stream the texts of one kind of event are the answer, and what else events hold stands beside it under its
own keys, so that the last event's sources are read as those of any reply.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from pydantic import JsonValue
from pydantic_core import from_json

from raggate_action.network.bounded_reply import json_problem

MOST_EVENTS: Final = 100_000
_DONE = "[DONE]"


class BrokenStreamError(Exception):
    """A stream that holds no whole answer; the message is one line for people, to stand behind "reply is"."""


class StreamedReply:
    """Takes the events of one reply in order."""

    def __init__(self) -> None:
        """No event has come yet."""
        self._known: _Protocol | None = None
        self._rest = _Pieces()
        self._events = 0
        self._is_done = False
        self._error: str | None = None

    @property
    def has_text(self) -> bool:
        """Whether a first piece of the answer has come."""
        return self._rest.has_text or (self._known is not None and self._known.has_text)

    def add(self, data: str, event: str = "") -> None:
        """One event.

        Args:
            data: What it holds: JSON, or words.
            event: Its name; empty without one.

        Raises:
            BrokenStreamError: It is beyond the bounds of a reply.
        """
        self._events += 1
        if self._events > MOST_EVENTS:
            raise BrokenStreamError(f"off schema: it has more than {MOST_EVENTS:,} events; answer with fewer")
        if data.strip() == _DONE:
            self._is_done = True
        elif data:
            if (problem := json_problem(data.encode(errors="replace"))) is not None:
                raise BrokenStreamError(f"off schema: {problem}")
            self._take(_value(data), event)

    def whole(self) -> JsonValue:
        """The reply, once nothing further comes.

        Raises:
            BrokenStreamError: Its end is missing.
        """
        if self._error is not None:
            return {"error": self._error}
        if self._known is None:
            return self._rest.whole()
        if not (self._is_done or self._known.is_done):
            raise BrokenStreamError("cut short: the stream ended before its answer did")
        rest = self._rest.beside()
        return {**rest, **self._known.whole()}

    def _take(self, value: JsonValue, event: str) -> None:
        error = _error_in(value, event)
        if error is not None:
            self._error = self._error or error
        elif isinstance(value, dict) and self._is_known(value):
            assert self._known is not None  # noqa: S101 - as `_is_known` says
            self._known.add(value)
        else:
            self._rest.add(value, event)

    def _is_known(self, value: Mapping[str, Any]) -> bool:
        """Whether an event is of a protocol; the first one decides which."""
        if self._known is None:
            self._known = next((each() for each in _PROTOCOLS if each.begins(value)), None)
        return self._known is not None and self._known.takes(value)


def _value(data: str) -> JsonValue:
    """JSON as such; anything else is a piece of text, a number as well."""
    try:
        value: JsonValue = from_json(data)
    except ValueError:
        return data
    # `[1]` is a mark of a citation as often as a list.
    holds_objects = isinstance(value, list) and any(isinstance(each, dict) for each in value)
    return value if isinstance(value, dict | str) or holds_objects else data


def _error_in(value: JsonValue, event: str) -> str | None:
    """The error that an event is; None of one that is none."""
    if not isinstance(value, dict):
        return str(value) if event == "error" else None
    kind = str(value.get("type") or event)
    stated = value.get("error") or value.get("errorText")
    failed = value.get("response")
    if kind == "response.failed" and isinstance(failed, dict):
        stated = failed.get("error")
    is_one = kind in {"error", "response.failed"}
    if not is_one and (not stated or "choices" in value or _text_path(value) is not None):
        return None
    stated = stated or value.get("message") or value.get("detail") or value.get("data")
    message = stated.get("message") if isinstance(stated, dict) else stated
    return str(message or stated or "the stream reports an error")


class _Protocol(ABC):
    """The events of one protocol."""

    def __init__(self) -> None:
        self.has_text = False
        self.is_done = False

    @staticmethod
    @abstractmethod
    def begins(value: Mapping[str, Any]) -> bool:
        """Whether an event is of this protocol and of no other."""

    @classmethod
    def takes(cls, value: Mapping[str, Any]) -> bool:
        """Whether a later event belongs to it."""
        return cls.begins(value)

    @abstractmethod
    def add(self, value: Mapping[str, Any]) -> None:
        """Keep what an event adds to the reply; an event is one that `takes` knows."""

    @abstractmethod
    def whole(self) -> dict[str, Any]:
        """The reply in the form that the provider sends at once."""


class _Chat(_Protocol):
    """Chunks of a chat completion; the last one that has a key at its top says what stands there."""

    def __init__(self) -> None:
        super().__init__()
        self._top: dict[str, Any] = {}
        self._messages: dict[int, dict[str, Any]] = {}
        self._texts: dict[int, list[str]] = {}
        self._reasons: dict[int, Any] = {}

    @staticmethod
    def begins(value: Mapping[str, Any]) -> bool:
        choices = value.get("choices")
        of_chunk = isinstance(choices, list) and all(
            isinstance(each, dict) and "message" not in each for each in choices
        )
        return of_chunk and (bool(choices) or value.get("object") == "chat.completion.chunk" or "usage" in value)

    def add(self, value: Mapping[str, Any]) -> None:
        self._top.update({key: each for key, each in value.items() if key != "choices" and each is not None})
        for choice in value["choices"]:
            index = choice.get("index") if isinstance(choice.get("index"), int) else 0
            message = self._messages.setdefault(index, {"role": "assistant"})
            texts = self._texts.setdefault(index, [])
            delta = choice.get("delta")
            pieces = delta if isinstance(delta, dict) else {"content": choice.get("text")}
            for key, piece in pieces.items():
                if key == "content" and isinstance(piece, str):
                    texts.append(piece)
                    self.has_text = self.has_text or bool(piece)
                elif piece is not None and key != "content":
                    message[key] = _joined(message.get(key), piece) if key != "role" else piece
            if choice.get("finish_reason") is not None:
                self._reasons[index] = choice["finish_reason"]
                self.is_done = True

    def whole(self) -> dict[str, Any]:
        choices = [
            {
                "index": index,
                "message": {**message, "content": "".join(self._texts[index])},
                "finish_reason": self._reasons.get(index),
            }
            for index, message in sorted(self._messages.items())
        ]
        return {**self._top, "object": "chat.completion", "choices": choices}


class _Responses(_Protocol):
    """Events of OpenAI's Responses API: the last one holds the whole."""

    def __init__(self) -> None:
        super().__init__()
        self._response: dict[str, Any] = {}

    @staticmethod
    def begins(value: Mapping[str, Any]) -> bool:
        return str(value.get("type")).startswith("response.")

    def add(self, value: Mapping[str, Any]) -> None:
        self.has_text = self.has_text or value["type"] == "response.output_text.delta"
        if value["type"] in {"response.completed", "response.incomplete"} and isinstance(value.get("response"), dict):
            self._response, self.is_done = value["response"], True

    def whole(self) -> dict[str, Any]:
        return self._response


class _Anthropic(_Protocol):
    """Events of Anthropic's Messages API."""

    _KINDS = frozenset(
        {
            "message_start", "message_delta", "message_stop", "content_block_start", "content_block_delta",
            "content_block_stop", "ping",
        }
    )  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._message: dict[str, Any] = {}
        self._blocks: dict[Any, dict[str, Any]] = {}
        self._texts: dict[Any, list[str]] = {}

    @staticmethod
    def begins(value: Mapping[str, Any]) -> bool:
        return value.get("type") == "message_start" and isinstance(value.get("message"), dict)

    @classmethod
    def takes(cls, value: Mapping[str, Any]) -> bool:
        return value.get("type") in cls._KINDS

    def add(self, value: Mapping[str, Any]) -> None:
        delta = value.get("delta")
        delta = delta if isinstance(delta, dict) else {}
        match value["type"]:
            case "message_start":
                self._message = dict(value["message"])
            case "content_block_start" if isinstance(value.get("content_block"), dict):
                self._blocks[value.get("index")] = dict(value["content_block"])
            case "content_block_delta":
                self._continue(value.get("index"), delta)
            case "message_delta":
                self._message.update(delta)
            case "message_stop":
                self.is_done = True

    def _continue(self, index: Any, delta: Mapping[str, Any]) -> None:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        if isinstance(delta.get("text"), str):
            self._texts.setdefault(index, []).append(delta["text"])
            self.has_text = self.has_text or bool(delta["text"])
        if delta.get("citation") is not None:
            block["citations"] = _joined(block.get("citations") or [], delta["citation"])

    def whole(self) -> dict[str, Any]:
        for index, texts in self._texts.items():
            self._blocks[index]["text"] = f"{self._blocks[index].get('text') or ''}{''.join(texts)}"
        return {**self._message, "content": list(self._blocks.values())}


class _AiSdk(_Protocol):
    """The AI SDK's stream of user interface messages."""

    _PARTS = frozenset({"start", "start-step", "finish-step", "finish", "text-start", "text-delta", "text-end"})

    def __init__(self) -> None:
        super().__init__()
        self._texts: list[str] = []
        self._sources: list[Any] = []
        self._data: dict[str, Any] = {}
        self._results: list[Any] = []

    @staticmethod
    def begins(value: Mapping[str, Any]) -> bool:
        kind = value.get("type")
        is_start = kind == "start" and value.keys() <= {"type", "messageId", "messageMetadata"}
        is_text = kind in {"text-start", "text-delta"} and "id" in value
        return is_start or is_text or kind == "start-step"

    @classmethod
    def takes(cls, value: Mapping[str, Any]) -> bool:
        kind = str(value.get("type"))
        return kind in cls._PARTS or kind.startswith(("source-", "data-", "tool-", "reasoning"))

    def add(self, value: Mapping[str, Any]) -> None:
        kind = str(value["type"])
        match kind:
            case "text-delta":
                piece = value.get("delta")
                self._texts += [piece] if isinstance(piece, str) else []
                self.has_text = self.has_text or bool(piece)
            case "source-url" | "source-document":
                self._sources.append({key: each for key, each in value.items() if key != "type"})
            case "tool-output-available":
                self._results.append(value.get("output"))
            case "finish":
                self.is_done = True
            case _ if kind.startswith("data-"):
                self._data[kind.removeprefix("data-")] = _joined(
                    self._data.get(kind.removeprefix("data-")), value.get("data")
                )

    def whole(self) -> dict[str, Any]:
        extra = {"sources": self._sources, "tool_results": self._results}
        return {**self._data, **{key: each for key, each in extra.items() if each}, "answer": "".join(self._texts)}


_PROTOCOLS: tuple[type[_Protocol], ...] = (_Chat, _Responses, _Anthropic, _AiSdk)

# Where an event of any other stream has its piece of the answer, in this order.
_TEXT_PATHS: tuple[tuple[str, ...], ...] = (
    ("token",), ("delta",), ("text",), ("content",), ("chunk",), ("answer",), ("response",), ("output",),
    ("completion",), ("data",), ("message",), ("delta", "text"), ("delta", "content"), ("message", "content"),
)  # fmt: skip
# What such events are called; of other kinds the most frequent is the answer.
_TEXT_KINDS = frozenset({"", "token", "delta", "text", "content", "chunk", "answer", "message", "data", "completion"})


class _Pieces:
    """Events of no known protocol."""

    def __init__(self) -> None:
        self._pieces: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        self._beside: dict[str, Any] = {}
        self._objects = 0
        self._only: JsonValue = None

    @property
    def has_text(self) -> bool:
        """Whether an event had a text."""
        return bool(self._pieces)

    def add(self, value: JsonValue, event: str) -> None:
        """An event: JSON, or a piece of text."""
        if isinstance(value, str):
            self._pieces.setdefault((event, ()), []).append(value)
            return
        self._objects += 1
        self._only = value
        if not isinstance(value, dict):
            self._beside[event or "data"] = _joined(self._beside.get(event or "data"), value)
            return
        kind = next((value[key] for key in ("type", "event") if isinstance(value.get(key), str)), event)
        path = _text_path(value)
        if path is not None:
            self._pieces.setdefault((str(kind), path), []).append(str(_at(value, path)))
        for key, each in value.items():
            if each is None or (path is not None and key == path[0]):
                continue
            self._beside[key] = _joined(self._beside.get(key), each)

    def beside(self) -> dict[str, Any]:
        """What stands beside the answer."""
        return {key: each for key, each in self._beside.items() if key not in {"type", "event"}}

    def whole(self) -> JsonValue:
        """The reply. One object alone is the reply itself; without any text it is what the objects hold together."""
        if self._objects == 1 and (not self._pieces or sum(map(len, self._pieces.values())) == 1):
            is_alone = not any(not path for _kind, path in self._pieces)
            if is_alone:
                return self._only
        if not self._pieces:
            return self.beside() if self._objects else None
        answer = max(self._pieces, key=lambda each: (each[0] in _TEXT_KINDS, len(self._pieces[each])))
        text = _text_of(self._pieces[answer])
        # Of other kinds, a status or the whole answer again, the last word: a list of them could be taken for evidence.
        others = {
            kind or path[0]: pieces[-1]
            for (kind, path), pieces in self._pieces.items()
            if (kind, path) != answer and (kind or path) and pieces[-1] != text
        }
        return {**others, **self.beside(), "answer": text}


def _text_of(pieces: list[str]) -> str:
    """Pieces as a text: one after the other, unless each holds all that came before it, or the last one does."""
    grows = all(later.startswith(earlier) for earlier, later in pairwise(pieces))
    if len(pieces) > 1 and ((grows and len(pieces[-1]) > len(pieces[0])) or pieces[-1] == "".join(pieces[:-1])):
        return pieces[-1]
    return "".join(pieces)


def _joined(earlier: Any, later: Any) -> Any:
    """What stands under a key that came again: lists and objects are kept together, else the later counts."""
    if earlier is None or earlier == later:
        return later
    if isinstance(earlier, list) and later is not None:
        more = later if isinstance(later, list) else [later]
        if len(more) >= len(earlier) and more[: len(earlier)] == earlier:
            return more
        # In place: a source may come with each of many events.
        earlier.extend(more)
        return earlier
    if isinstance(earlier, dict) and isinstance(later, dict):
        return [earlier, later]
    return later


def _text_path(value: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Where an event has its text; None where it has none."""
    return next((each for each in _TEXT_PATHS if isinstance(_at(value, each), str)), None)


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
