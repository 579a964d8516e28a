"""One JSON object per line, for a case each: written, and told whose it is without reading the whole of it."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

from raggate_action.schema.trace import Trace

_FIRST_KEY = re.compile(rb'\s*\{\s*"case_id"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.)*")\s*[,}]')


def json_line(value: BaseModel | tuple[Any, ...] | dict[str, Any], *, whole: bool = False) -> bytes:
    """One line of JSON, line end included.

    An app may answer with half a surrogate pair, which UTF-8 cannot hold: it is written as `?`.

    Args:
        value: What the line holds.
        whole: It is read back by this program alone and has to come out the same: absent values and numbers that JSON
            does not know are written too. Otherwise absent fields are left out, and there are no such numbers.
    """
    if not whole:
        with contextlib.suppress(PydanticSerializationError):
            return to_json(value, exclude_none=True, inf_nan_mode="null") + b"\n"
    # In a record inside a record, `to_json` writes no such number, whatever its options.
    plain = to_jsonable_python(value, exclude_none=not whole, inf_nan_mode="constants" if whole else "null")
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"


def plain_json(value: object) -> bytes:
    """A value of mappings, lists, texts and finite numbers as JSON; half a surrogate pair is written as `?`."""
    try:
        return to_json(value, inf_nan_mode="null")
    except PydanticSerializationError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(errors="replace")


def trace_line(
    case_id: str, trace: Trace, *, instead: Mapping[str, Any] = MappingProxyType({}), withheld: bool = False
) -> bytes:
    """The line of a file of traces, which a recorded target replays; see `TraceLine` for what reads it.

    Args:
        case_id: The suite's own id, which traces are joined by; another one that the app reported stands beside it.
        trace: The trace; all that is reported in it is written.
        instead: Fields, as JSON, that are written in place of the trace's own; None leaves one out.
        withheld: The answer is kept out, and the line says so.
    """
    fields = {"case_id": case_id, **trace_fields(trace, instead=instead)}
    fields["case_id"] = case_id
    if trace.case_id is not None and trace.case_id != case_id:
        fields["reported_case_id"] = trace.case_id
    if withheld:
        fields.pop("answer", None)
        fields["withheld"] = True
    return json_line(fields)


def trace_fields(trace: Trace, *, instead: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """What a trace reports, by field; what it leaves out is left out. For `instead` see `trace_line`."""
    written = {**vars(trace), **instead}
    fields = {name: value for name, value in written.items() if value is not None}
    if trace.stage_latency_ms:
        # JSON has no infinity, and `null` is no latency.
        fields["stage_latency_ms"] = {s: ms for s, ms in trace.stage_latency_ms.items() if math.isfinite(ms)}
    else:
        fields.pop("stage_latency_ms", None)
    return fields


def case_id_of(line: bytes) -> str | None:
    """The case a line is of, quickly where the line begins with it; None when it cannot be read."""
    found = _FIRST_KEY.match(line)
    if found is not None:
        with contextlib.suppress(ValueError):
            return str(from_json(found[1]))
    try:
        keys = json.loads(line)
    except ValueError:
        return None
    case_id = keys.get("case_id") if isinstance(keys, dict) else None
    return case_id if isinstance(case_id, str) else None
