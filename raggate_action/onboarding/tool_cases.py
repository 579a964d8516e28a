"""A case as a file of another tool has it, and how its texts are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import JsonValue

from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote
from raggate_action.strings.questions import QUESTION_NAMES

_OF_USERS = frozenset({"user", "human"})


class ToolCase(NamedTuple):
    """One row of a file.

    Attributes:
        question: What is asked; never blank.
        case_id: Its id in the file; empty without one.
        labels: What the answer must do, by field of a case.
        reply: What the app answered, in any form an app replies in; None where the file has no answer of it.
        taken: Where in the row something came from -> what it became.
        left: What of the row was not carried.
    """

    question: str
    case_id: str = ""
    labels: Mapping[str, JsonValue] = {}
    reply: JsonValue = None
    taken: Mapping[str, str] = {}
    left: tuple[str, ...] = ()


def text_in(value: object) -> str:
    """A text on its own; of a list, as some tools keep right answers, the first; empty for anything else."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def question_in(value: object) -> str:
    """A question: a text, the last turn of a conversation that a person wrote, or the question of a mapping."""
    if isinstance(value, dict):
        turns = value.get("messages")
        if isinstance(turns, list):
            return question_in(turns)
        named = next((value[name] for name in QUESTION_NAMES if name in value), None)
        return question_in(named if named is not None else next(iter(value.values()), None))
    if isinstance(value, list) and value and all(isinstance(turn, dict) for turn in value):
        of_user = [turn for turn in value if turn.get("role", turn.get("type")) in _OF_USERS]
        return message_text(of_user[-1]) if of_user else ""
    return "" if isinstance(value, list) else text_in(value)


def message_text(turn: Mapping[str, Any]) -> str:
    """The text of one turn, whether it is text or parts of it."""
    content = turn.get("content", turn.get("parts"))
    if isinstance(content, list):
        parts = [part.get("text", part.get("content")) for part in content if isinstance(part, dict)]
        content = "\n".join(part for part in parts if isinstance(part, str))
    return text_in(content)


def texts_in(value: object, separator: str = "") -> tuple[str, ...]:
    """Texts of a list, or of a cell between separators, each once."""
    if isinstance(value, str):
        value = value.split(separator) if separator else [value]
    items = value if isinstance(value, list) else []
    return tuple(dict.fromkeys([each.strip() for each in items if isinstance(each, str) and each.strip()]))


def quotes_in(value: object, separator: str = "") -> tuple[str, ...]:
    """Those of the texts that are long enough to be looked for in a source."""
    found = {folded_quote(text): text for text in texts_in(value, separator)}
    return tuple([text for folded, text in found.items() if len(folded) >= SHORTEST_QUOTE])
