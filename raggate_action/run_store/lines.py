"""One JSON line per case: its row, and its trace as far as the suite lets it be kept."""

from __future__ import annotations

import contextlib
import json
import math
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.complete import complete
from raggate_action.schema.policy import Texts
from raggate_action.schema.trace import ChunkForm, Trace, without_labels


def json_line(value: BaseModel | dict[str, Any], *, whole: bool = False) -> bytes:
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
    # Of a record inside a record `to_json` writes no such number whatever it is told.
    plain = to_jsonable_python(value, exclude_none=not whole, inf_nan_mode="constants" if whole else "null")
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"


def present_fields(record: BaseModel) -> dict[str, Any]:
    """The fields of a record that are not None, in order."""
    return {name: value for name, value in vars(record).items() if value is not None}


def row_line(row: CaseRun, *, withheld: bool) -> bytes:
    """The row of `cases.jsonl`.

    Args:
        row: The case as run.
        withheld: Nothing of the answer's words may be kept; its length and digest remain (rules 5).
    """
    complete(CaseRun)
    if withheld:
        hushed = tuple(h.model_copy(update={"text": "", "quote": None}) for h in row.hallucinations)
        row = row.model_copy(update={"answer": None, "claims": (), "hallucinations": hushed})
    return json_line(row)


def trace_line(row: CaseRun, trace: Trace, *, texts: Texts, labelled: bool, withheld: bool) -> bytes:
    """The line of `traces.jsonl`: a trace that can be replayed as a recorded one, see `TraceLine`.

    Chunks are kept by id (in the context with their version), their text only with `texts: full`. The line carries
    the case's own id, which recorded traces are joined by; another id that the app reported stands beside it. The
    latency is the app's own, else the one measured.

    Args:
        row: The case as run.
        trace: What the target returned, with everything already taken out that no file may hold.
        texts: What the suite lets the run directory hold.
        labelled: The labels inside the trace are its author's and are kept; otherwise they are dropped (rules 6).
        withheld: Nothing of the answer's words may be kept, nor any chunk's text (rules 5).
    """
    complete(Trace)
    if not labelled and _has_labels(trace):
        trace = without_labels(trace)
    fields = {"case_id": row.case_id, **present_fields(trace)}
    fields["case_id"] = row.case_id
    if trace.case_id is not None and trace.case_id != row.case_id:
        fields["reported_case_id"] = trace.case_id
    if trace.latency_ms is None and row.latency_ms is not None:
        fields["latency_ms"] = row.latency_ms
    if texts != "full" or withheld:
        _keep_ids_only(fields, trace)
    if trace.stage_latency_ms:
        # JSON has no infinity, and `null` is no latency.
        fields["stage_latency_ms"] = {s: ms for s, ms in trace.stage_latency_ms.items() if math.isfinite(ms)}
    else:
        fields.pop("stage_latency_ms", None)
    if withheld:
        _withhold_words(fields, trace)
    return json_line(fields)


def _has_labels(trace: Trace) -> bool:
    answer = trace.answer
    if isinstance(answer, str) or not answer.claims:
        return False
    return any(claim.support_phrases or claim.answer_point is not None for claim in answer.claims)


def _keep_ids_only(fields: dict[str, Any], trace: Trace) -> None:
    if trace.candidates is not None:
        fields["candidates"] = trace.ids("candidates")
    if trace.rerank_input is not None:
        fields["rerank_input"] = trace.ids("rerank_input")
    if trace.reranked is not None:
        fields["reranked"] = trace.ids("reranked")
    if trace.context is not None:
        fields["context"] = [_without_text(chunk) for chunk in trace.context]


def _without_text(chunk: ChunkForm) -> str | dict[str, str]:
    if isinstance(chunk, str):
        return chunk
    return chunk.chunk_id if chunk.version is None else {"chunk_id": chunk.chunk_id, "version": chunk.version}


def _withhold_words(fields: dict[str, Any], trace: Trace) -> None:
    """Take out every place an app could have put words of its answer or its sources."""
    fields.pop("answer", None)
    fields["withheld"] = True
    if trace.tool_calls is not None:
        fields["tool_calls"] = trace.tool_names
    if trace.error is not None:
        fields["error"] = "withheld"
