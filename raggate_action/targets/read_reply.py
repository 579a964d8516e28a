"""Turns what an app wrote into the reply of its case."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from pydantic import JsonValue, ValidationError
from pydantic_core import from_json, to_json

from raggate_action.errors import RaggateError
from raggate_action.isolation.error_line import ErrorLines
from raggate_action.isolation.secrets import NO_SECRETS, Secrets
from raggate_action.isolation.time_limit import TimeLimitError
from raggate_action.replies.mapping import ReplyMismatchError
from raggate_action.schema.reply_limits import TOO_MANY_NODES, json_has_too_many_nodes
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure, Trace
from raggate_action.targets.reply_mapping import ReplyMapping
from raggate_action.targets.schema_problems import schema_problems
from raggate_action.targets.trace_index import BYTE_ORDER_MARK

# Whoever reads from the app keeps to this bound, so that more than this is never in memory.
LARGEST_REPLY = 32 * 1024 * 1024
TOO_LARGE = f"larger than {LARGEST_REPLY // 1024 // 1024} MiB"
_PARSER_SAYS = re.compile(r"(?:Invalid JSON: )?(?P<what>.*) at (?P<place>line \d+ column \d+)", re.DOTALL)
_START_LENGTH = 40
# Messages quote the beginning of a reply or the name of a field: a mebibyte of it is enough to search.
_QUOTABLE = 1 << 20


def unseen(_reply: JsonValue) -> None:
    """Where nobody looks at what is mapped."""


class OffSchema(NamedTuple):
    """A reply that is no trace; `problem` says in one line what it is instead: `off schema: ...`."""

    problem: str


def read_trace(
    raw: bytes,
    mapping: ReplyMapping,
    secrets: Secrets = NO_SECRETS,
    *,
    see: Callable[[JsonValue], object] = unseen,
) -> Trace | OffSchema | NoTrace:
    """Read one reply; labels in it count nothing, see `Answered.labelled`.

    Secrets are struck before anything else looks at the reply: no message, gate or file ever sees one.

    `see` is shown what is about to be mapped.

    `{"error": "..."}` is a failed answer under every mapping, so an app always has a way to say so.
    """
    if mapping.explicit is None and json_has_too_many_nodes(raw):
        return OffSchema(f"off schema: {TOO_MANY_NODES}")
    # Some frameworks write a byte order mark before their JSON, which a parser of JSON does not know.
    raw = secrets.struck_reply(raw.removeprefix(BYTE_ORDER_MARK))
    try:
        trace = mapping.as_it_is(raw) or Trace.model_validate_json(_mapped(raw, mapping, see))
        return without_blank_error(trace)
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


def reply_from(read: Trace | OffSchema | NoTrace, raw: bytes, latency_ms: float, lines: ErrorLines) -> Reply:
    """The reply of a live target, read from `raw`; a trace with `error` is a failed answer."""
    if isinstance(read, NoTrace):
        return read
    if isinstance(read, OffSchema):
        return TargetFailure(lines.line(f"reply is {read.problem}"), latency_ms, excerpt_of(raw))
    if read.error is not None:
        return TargetFailure(lines.line(read.error), latency_ms, excerpt_of(raw))
    return Answered(trace=read, latency_ms=latency_ms)


def excerpt_of(raw: bytes) -> str:
    """What an app wrote, as far as a message may quote from it."""
    return raw[:_QUOTABLE].decode(errors="replace")


def without_blank_error(trace: Trace) -> Trace:
    """Apps write `"error": ""` to say that there was none."""
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
    """What a reply that is no trace amounts to: its stated error, else where it is off schema."""
    first = error.errors(include_url=False)[0] if error.error_count() == 1 else None
    if first is not None and first["type"] == "json_invalid":
        return OffSchema(not_json(first["msg"], raw))
    # An app that failed often has no valid answer either; what it says about itself is the better message.
    if (own_error := _stated_error(raw)) is not None:
        return Trace(error=own_error)
    return OffSchema(f"off schema: {schema_problems(error)}")


def _mapped(raw: bytes, mapping: ReplyMapping, see: Callable[[JsonValue], object]) -> bytes:
    reply = from_json(raw)
    alone = isinstance(reply, dict) and reply.keys() == {"error"} and isinstance(reply["error"], str)
    if alone:
        return to_json(reply)
    see(reply)
    return to_json(mapping.trace_json(reply))


def _stated_error(raw: bytes) -> str | None:
    try:
        reply: Any = from_json(raw)
    except ValueError:
        return None
    stated = reply.get("error") if isinstance(reply, dict) else None
    return stated if isinstance(stated, str) and stated.strip() else None
