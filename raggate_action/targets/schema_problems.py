"""Says in plain words where a reply is not a trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from raggate_action.replies.mapping import json_kind
from raggate_action.schema.trace import STAGES, Answer, ToolCall, Trace, TraceClaim, TracedChunk, Usage

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_NAMED_AT_MOST = 3
# Beyond this the places are only counted: a list of a million bad chunks must not become a million records.
_READ_AT_MOST = 10_000
# A found string longer than this may be a chunk's text, which belongs in no message.
_STRING_LENGTH = 24

_MODELS: dict[str, type[BaseModel]] = {
    "answer": Answer,
    "claims": TraceClaim,
    "tool_calls": ToolCall,
    "usage": Usage,
    **dict.fromkeys(STAGES, TracedChunk),
}
_EITHER: dict[int | str, str] = {
    "answer": "write text or {text, abstained, claims}",
    "tool_calls": "write a tool name or {name, arguments}",
    "versions": "write pairs [[name, version], ...] or {name: version}",
    **dict.fromkeys(STAGES, "write a chunk id or {chunk_id, version, text}"),
}
# What pydantic puts into a location to say which alternative of a union it tried.
_STRING = "str"
_PAIRS = "tuple[tuple[str, str], ...]"
_TAGS = frozenset({_STRING, _PAIRS, "dict[str,str]", "Answer", "TracedChunk", "ToolCall"})
_WORDS = {
    "string_type": "write text",
    "tuple_type": "write a list",
    "model_type": "write an object",
    "dict_type": "write an object",
    "float_type": "write a number",
    "int_type": "write a whole number",
    "int_from_float": "write a whole number",
    "bool_type": "write true or false",
    "greater_than_equal": "write a number of 0 or more",
    "finite_number": "write a finite number",
}


def schema_problems(error: ValidationError) -> str:
    """At most three problems of a reply that is JSON but no trace, one line: `context[0]: write a chunk id or ...`."""
    if error.error_count() > _READ_AT_MOST:
        return f"{error.error_count()} places do not fit the trace format"
    problems = list(dict.fromkeys(_problems(error)))
    more = len(problems) - _NAMED_AT_MOST
    return "; ".join(problems[:_NAMED_AT_MOST]) + (f"; and {more} more" if more > 0 else "")


def _problems(error: ValidationError) -> Iterator[str]:
    for found in error.errors(include_url=False, include_context=False):
        loc = found["loc"]
        tag = loc[-1] if loc and loc[-1] in _TAGS else None
        field = next((part for part in reversed(loc[:-1]) if part in _EITHER), None)
        if tag is None or field is None:
            yield _sentence(found)
        # A union fails once per alternative; the first one speaks for all, unless a later one got further in.
        elif tag in {_STRING, _PAIRS} and not isinstance(found["input"], dict):
            yield f"{_place(loc)}: {_EITHER[field]}, found {_value_text(found['input'])}"


def _sentence(found: ErrorDetails) -> str:
    place = _place(found["loc"])
    if not found["loc"]:
        return f"write one JSON object, found {_value_text(found['input'])}"
    if found["type"] == "extra_forbidden":
        return f"{place}: unknown field; {_suggestion(found['loc'])}"
    if found["type"] == "missing":
        return f"{place}: is missing"
    words = _WORDS.get(found["type"], found["msg"])
    return f"{place}: {words}, found {_value_text(found['input'])}"


def _suggestion(loc: tuple[int | str, ...]) -> str:
    owner = next((_MODELS[part] for part in reversed(loc[:-1]) if isinstance(part, str) and part in _MODELS), Trace)
    close = get_close_matches(str(loc[-1]), owner.model_fields, n=1)
    if close:
        return f"did you mean {close[0]}?"
    if owner is Trace:
        return "leave it out, or map the reply with `response:`"
    return f"known are {', '.join(owner.model_fields)}"


def _place(loc: tuple[int | str, ...]) -> str:
    parts = [part for part in loc if part not in _TAGS]
    return "".join(f"[{part}]" if isinstance(part, int) else f".{str(part)[:40]}" for part in parts).lstrip(".")


def _value_text(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if len(value) <= _STRING_LENGTH else "a longer text"
    return json.dumps(value) if isinstance(value, int | float) else json_kind(value)
