"""Answers in the forms that apps report them in: a text, a message of a chat, its content in blocks."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from raggate_action.schema.trace import Answer

_OF_THE_APP = frozenset({"ai", "AIMessage", "AIMessageChunk", "assistant", "model"})
_BLOCKS = frozenset({"text", "output_text"})


def read_answer(value: JsonValue) -> str | None:
    """The text of an answer: a string, a message of the model, a list of text blocks; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _of_blocks(value)
    if not isinstance(value, dict):
        return None
    if "lc" in value and isinstance(value.get("kwargs"), dict):
        return read_answer(value["kwargs"])
    is_of_the_app = any(value.get(key) in _OF_THE_APP for key in ("type", "role") if isinstance(value.get(key), str))
    content = value.get("content")
    return read_answer(content) if is_of_the_app and isinstance(content, str | list) else None


def is_answer_form(value: JsonValue) -> bool:
    """Whether an answer is written as the trace format says: `{text, abstained, claims}`."""
    return isinstance(value, dict) and bool(value) and value.keys() <= Answer.model_fields.keys()


def _of_blocks(blocks: list[Any]) -> str | None:
    texts = [each.get("text") for each in blocks if isinstance(each, dict) and each.get("type") in _BLOCKS]
    found = [each for each in texts if isinstance(each, str)]
    return "".join(found) if found and len(found) == len(blocks) else None
