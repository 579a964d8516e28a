"""Lists of a talk's turns: who speaks in an entry, which entries belong to the last question, which one answers it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple

from raggate_action.replies import key_words
from raggate_action.replies.machine_values import holds_json, is_prose

# The keys that say who speaks, the surest first; a name may stand one level deeper, as in `from: {role: bot}`.
_KEYS = (
    "role", "author", "sender", "speaker", "from", "obj", "participant", "type", "message_type", "messageType",
    "sender_type", "senderType", "source", "step_type", "stepType", "event", "kind", "part_kind",
)  # fmt: skip
_INNER_KEYS = ("role", "type", "name")
# Of an entry whose own keys do not say it, as an event around a message.
_HOLDERS = ("content", "message", "data", "kwargs")
_PARTS = re.compile(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APP = frozenset({"assistant", "ai", "bot", "agent", "model", "chatbot", "copilot", "llm"})
_USER = frozenset({"user", "human", "customer", "client", "visitor", "guest", "me"})
_OF_A_TOOL = frozenset({"tool", "tools", "function", "retriever", "retrieval", "observation"})
_RESULT = frozenset({
    "result", "results", "return", "output", "outputs", "response", "responses", "execution", "message", "observation",
    "end",
})  # fmt: skip
_CALL = frozenset({"call", "calls", "use", "request", "requests", "input", "query", "start"})
# A value of this form can stand in a path.
_VALUE = re.compile(r"[\w.:@/#-]{1,60}")
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)


# A longer list is no talk.
_MOST_TURNS = 5000


class Speaker(Enum):
    """Who speaks in an entry of a talk."""

    APP = "app"
    USER = "user"
    TOOL = "tool"
    OTHER = "other"


# Kinds of messages to a model and from it.
_EXCHANGE = {"request": Speaker.USER, "response": Speaker.APP}


class Said(NamedTuple):
    """What an entry says of who speaks: the path of the key, its value, and what that means."""

    path: str
    value: str
    speaker: Speaker

    @property
    def filter(self) -> str:
        """What keeps the entries of this speaker, to stand behind a list."""
        return f"[?{self.path}=='{self.value}']"


@lru_cache(maxsize=1024)
def speaker_of(value: str) -> Speaker:
    """Who speaks, by a role, a type or a name of a program: `GLEAN_AI`, `ToolCallExecutionEvent`, `tool_result`."""
    words = _words(value)
    if words & _OF_A_TOOL:
        is_result = words & (_RESULT - {"message"}) or (not words & _CALL and (words & _RESULT or words <= _OF_A_TOOL))
        return Speaker.TOOL if is_result else Speaker.OTHER
    if words & {"system", "developer"}:
        return Speaker.OTHER
    return Speaker.USER if words & _USER else Speaker.APP if words & _APP else Speaker.OTHER


def is_of_a_tool(value: str) -> bool:
    """Whether a type of a message's part is a call of a tool or its result."""
    words = _words(value)
    return bool(words & _OF_A_TOOL and (words <= _OF_A_TOOL or words & (_RESULT | _CALL)))


def _words(value: str) -> set[str]:
    return {word.lower() for word in _PARTS.split(value) if word}


def said_by(item: Any) -> tuple[Said, ...]:
    """All that an entry says of who speaks, the surest first."""
    if not isinstance(item, dict):
        return ()
    found = list(_said("", item))
    found += [said for key in _HOLDERS if isinstance(item.get(key), dict) for said in _said(f"{key}.", item[key])]
    return tuple(found)


def _said(prefix: str, item: dict[str, Any]) -> list[Said]:
    found = []
    for key in _KEYS:
        value = item.get(key)
        path = f"{prefix}{key}"
        if isinstance(value, dict):
            inner = next((each for each in _INNER_KEYS if isinstance(value.get(each), str)), "")
            path, value = f"{path}.{inner}", value.get(inner)
        if isinstance(value, str) and _VALUE.fullmatch(value):
            speaker = _EXCHANGE.get(value) if key == "kind" else None
            found.append(Said(path, value, speaker or speaker_of(value)))
    return found


def is_of(item: Any, speaker: Speaker) -> bool:
    """Whether the first key of an entry that says who speaks says this one."""
    first = next((each for each in said_by(item) if each.speaker is not Speaker.OTHER), None)
    return first is not None and first.speaker is speaker


class Talk(NamedTuple):
    """A list of turns.

    Attributes:
        since: The place of the first entry that belongs to the last question.
        answering: What finds the entry that answers it, to stand behind the list; empty where no entry is clearly it.
        answer: That entry.
        tools: What finds the results of tools, to stand behind the list, one for each way they are marked.
    """

    since: int = 0
    answering: str = ""
    answer: Any = None
    tools: tuple[str, ...] = ()


def talk_of(items: Sequence[Any], question: str) -> Talk:
    """What a list is as a talk; the whole of it belongs to the question where nobody else speaks.

    Args:
        items: Its entries.
        question: Its words, spaces folded, in lower case; an entry that says it is the user's. Empty where the name of
            the list does not speak for a talk.
    """
    if len(items) > _MOST_TURNS or not any(isinstance(item, dict) for item in items):
        return Talk()
    users = [place for place, item in enumerate(items) if is_of(item, Speaker.USER) and not _has_result(item)]
    asks = [place for place, item in enumerate(items) if question and _says(item, question)]
    last = max([*users, *asks], default=-1)
    since = last + 1 if last + 1 < len(items) else 0
    turn = items[since:]
    tools = tool_filters(turn)
    own = [(place, texts) for place, item in enumerate(turn) for texts in _of_the_app(item)]
    if own:
        place, texts = own[-1]
        clear = not _speaks_twice(turn, [each for each, _said in own]) and (len(turn) == len(items) or since > 0)
        return Talk(since, f"{texts.filter} | [-1]" if clear else "", turn[place], tools)
    if asks and not users and last + 1 == len(items) and not key_words.ANSWER.isdisjoint(_keys(items[-1])):
        # Each entry is a question with its answer.
        return Talk(last, "[-1]", items[-1])
    if asks and since and isinstance(turn[-1], dict) and not _is_marked(turn):
        return Talk(since, "[-1]", turn[-1], tools)
    return Talk(since, "", None, tools)


def tool_filters(items: Sequence[Any]) -> tuple[str, ...]:
    """What keeps the results of tools in a list, one for each way they are marked."""
    if len(items) > _MOST_TURNS:
        return ()
    marks = (each for item in items for each in said_by(item)[:_FIRST])
    return tuple(dict.fromkeys(each.filter for each in marks if each.speaker is Speaker.TOOL))


_FIRST = 3


def _of_the_app(item: Any) -> list[Said]:
    return [each for each in said_by(item) if each.speaker is Speaker.APP][:1] if not is_of(item, Speaker.USER) else []


def _is_marked(items: Sequence[Any]) -> bool:
    return any(each.speaker in {Speaker.TOOL, Speaker.USER} for item in items for each in said_by(item))


def _keys(item: dict[str, Any]) -> set[str]:
    return {word for key in item for word in key_words.words_of(key)}


def _has_result(item: Any) -> bool:
    """Whether an entry in the user's name hands over what a tool found, as some APIs want it."""
    inner = [item, *(held for key in _HOLDERS if isinstance(held := item.get(key), dict))]
    blocks = [block for each in inner for held in each.values() if isinstance(held, list) for block in held]
    marks = [
        key
        for block in blocks
        if isinstance(block, dict)
        for key in (*block, str(block.get("type", block.get("part_kind", ""))))
    ]
    return any(speaker_of(mark) is Speaker.TOOL for mark in marks)


def _speaks_twice(turn: Sequence[Any], places: Sequence[int]) -> bool:
    """Whether the app, or two agents of it, say two things one right after the other: either could be the answer."""
    if len(places) < 2 or places[-1] - places[-2] != 1:
        return False
    before, last = turn[places[-2]], turn[places[-1]]
    kinds = [[each.value for each in said_by(item)] for item in (before, last)]
    apps = {each.value for item in (before, last) for each in _of_the_app(item)}
    return (kinds[0] == kinds[1] or len(apps) > 1) and _has_prose(before) and before.keys() == last.keys()


def _has_prose(item: dict[str, Any]) -> bool:
    held = [each for value in item.values() for each in (value.values() if isinstance(value, dict) else [value])]
    return any(isinstance(each, str) and is_prose(each) and not holds_json(each) for each in held)


def _says(item: Any, question: str) -> bool:
    """Whether an entry is the question itself, in one of its own fields."""
    if not isinstance(item, dict):
        return False
    return any(isinstance(held, str) and " ".join(held.split()).lower() == question for held in item.values())
