"""Turns an app's bytes into the reply of its case, and says in plain words where they are no trace."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import from_json, to_json

from raggate_action.errors import RaggateError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import NO_SECRETS, Secrets
from raggate_action.isolation.time_limit import TimeLimitError
from raggate_action.network.bounded_reply import BYTE_ORDER_MARK, MOST_NODES, json_problem
from raggate_action.replies.mapping import ReplyMismatchError, json_kind
from raggate_action.replies.stated_errors import stated_error
from raggate_action.schema.trace import (
    STAGES,
    Answer,
    Answered,
    NoTrace,
    Reply,
    TargetFailure,
    ToolCall,
    Trace,
    TraceClaim,
    TracedChunk,
    Usage,
)
from raggate_action.targets.reply_mapping import NotChosenError, ReplyMapping

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


# Whoever reads from the app keeps to this bound, so that more than this is never in memory.
LARGEST_REPLY = 32 * 1024 * 1024
TOO_LARGE = f"larger than {LARGEST_REPLY // 1024 // 1024} MiB"
_PARSER_SAYS = re.compile(r"(?:Invalid JSON: )?(?P<what>.*) at (?P<place>line \d+ column \d+)", re.DOTALL)
_START_LENGTH = 40
# Messages quote the beginning of a reply or the name of a field: a mebibyte of it is enough to search.
_QUOTABLE = 1 << 20


class OffSchema(NamedTuple):
    """A reply that is no trace; `problem` says in one line what it is instead: `off schema: ...`."""

    problem: str


class Unread(NamedTuple):
    """A reply that waits until it is chosen where replies of its app have their answer.

    Attributes:
        reply: The reply as JSON.
        again: Reads it, whether that has been chosen or not.
    """

    reply: JsonValue
    again: Callable[[], Reply | Unread]


def read_trace(
    raw: bytes,
    mapping: ReplyMapping,
    secrets: Secrets = NO_SECRETS,
    *,
    again: Callable[[], Reply | Unread] | None = None,
) -> Trace | OffSchema | NoTrace | Unread:
    """Read one reply; labels in it count nothing, see `Answered.labelled`.

    Secrets are struck before anything else looks at the reply: no message, gate or file ever sees one.

    With `again`, which reads it once more, a reply waits where nothing but several replies can tell how it is read.

    A reply that states an error and has no answer is a failed answer under every mapping, whatever its HTTP status.
    """
    # Some frameworks write a byte order mark before their JSON, which a parser of JSON does not know.
    raw = raw.removeprefix(BYTE_ORDER_MARK)
    # A suite's own mapping may take little of much.
    if (problem := json_problem(raw, most=MOST_NODES if mapping.explicit is None else None)) is not None:
        return OffSchema(f"off schema: {problem}")
    raw = secrets.struck_reply(raw)
    reply: JsonValue = None
    try:
        if (trace := mapping.as_it_is(raw)) is None:
            reply = from_json(raw)
            trace = Trace.model_validate_json(to_json(mapping.trace_json(reply, may_wait=again is not None)))
        return without_blank_error(trace)
    except NotChosenError:
        assert again is not None  # noqa: S101 - only then it may wait
        return Unread(reply, again)
    except ReplyMismatchError as error:
        return OffSchema(f"off schema: {error}")
    except ValidationError as error:
        return off_schema(error, raw)
    except ValueError as error:
        return OffSchema(not_json(str(error), raw))
    except (RaggateError, TimeLimitError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours is this reply's alone
        return NoTrace("fault", f"a fault in raggate: {type(error).__name__}", error)


def reply_from(
    read: Trace | OffSchema | NoTrace | Unread, raw: bytes, latency_ms: float, lines: ErrorLines
) -> Reply | Unread:
    """The reply of a live target, read from `raw`; a trace with `error` is a failed answer."""
    if isinstance(read, NoTrace | Unread):
        return read
    if isinstance(read, OffSchema):
        return TargetFailure(lines.line(f"reply is {read.problem}"), latency_ms, excerpt_of(raw))
    if read.error is not None:
        return TargetFailure(lines.line(read.error), latency_ms, read.error[:_QUOTABLE])
    return Answered(trace=read, latency_ms=latency_ms)


class ReplyReader(NamedTuple):
    """Reads the replies of one live app.

    Attributes:
        mapping: How a reply becomes a trace.
        secrets: Struck from replies.
        lines: Writes error lines without them.
    """

    mapping: ReplyMapping
    secrets: Secrets = NO_SECRETS
    lines: ErrorLines = ErrorLines()

    def read(
        self, raw: bytes, latency_ms: float, stages_ms: Mapping[str, float] = {}, *, waits: bool = True
    ) -> Trace | OffSchema | NoTrace | Unread:
        """Read a reply.

        Args:
            raw: The reply.
            latency_ms: Until it was whole.
            stages_ms: What else was measured of it, by stage; the app's own times go before.
            waits: It may wait for a choice.
        """
        again = partial(self.reply, raw, latency_ms, stages_ms, waits=False) if waits else None
        read = read_trace(raw, self.mapping, self.secrets, again=again)
        if isinstance(read, Trace) and stages_ms:
            return read.model_copy(update={"stage_latency_ms": {**stages_ms, **read.stage_latency_ms}})
        return read

    def reply(
        self, raw: bytes, latency_ms: float, stages_ms: Mapping[str, float] = {}, *, waits: bool = True
    ) -> Reply | Unread:
        """The reply of a case; as `read`."""
        return reply_from(self.read(raw, latency_ms, stages_ms, waits=waits), raw, latency_ms, self.lines)


def excerpt_of(raw: bytes) -> str:
    """What an app wrote, as far as a message may quote from it."""
    return raw[:_QUOTABLE].decode(errors="replace")


def without_blank_error(trace: Trace) -> Trace:
    """A trace without an empty error: apps write `"error": ""` for no error."""
    blank = trace.error is not None and not trace.error.strip()
    return trace.model_copy(update={"error": None}) if blank else trace


def not_json(parser_message: str, raw: bytes) -> str:
    """What a reply that is not JSON is, with the place and how it starts."""
    if not raw.strip():
        return "empty: write one JSON object"
    parts = _PARSER_SAYS.fullmatch(parser_message)
    place, what = (f" at {parts['place']}", parts["what"]) if parts else ("", parser_message)
    return f"not JSON{place}: {what}; it starts {raw.strip()[:_START_LENGTH].decode(errors='replace')!r}"


def off_schema(error: ValidationError, raw: bytes) -> Trace | OffSchema:
    """The reading of a reply that is no trace: its own error, else where it is off schema."""
    first = error.errors(include_url=False)[0] if error.error_count() == 1 else None
    if first is not None and first["type"] == "json_invalid":
        return OffSchema(not_json(first["msg"], raw))
    # An app that failed often has no valid answer either; what it says about itself is the better message.
    if (own_error := stated_error(from_json(raw))) is not None:
        return Trace(error=own_error.text)
    return OffSchema(f"off schema: {schema_problems(error)}")
