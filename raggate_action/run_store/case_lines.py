"""One JSON line per case: its row, and its trace as far as the suite lets it be kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from raggate_action.replies.reply_forms import looks_like_id
from raggate_action.schema.case_run import CaseRun, answers_of, is_certainly_false
from raggate_action.schema.json_lines import json_line, trace_fields, trace_line
from raggate_action.schema.later import MainAnswer
from raggate_action.schema.policy import Texts
from raggate_action.schema.trace import STAGES, ChunkForm, Grounds, Trace, TracedChunk, are_ids


def row_line(row: CaseRun, *, withheld: bool) -> bytes:
    """The row of `cases.jsonl`.

    Args:
        row: The case as run.
        withheld: Nothing of the answer's words may be kept; its length and digest remain.
    """
    if withheld:
        wordless = tuple(h.model_copy(update={"text": "", "quote": None}) for h in row.hallucinations)
        row = row.model_copy(update={"answer": None, "claims": (), "hallucinations": wordless})
    return json_line(row)


def stored_trace_line(
    row: CaseRun,
    trace: Trace,
    *,
    texts: Texts,
    withheld: bool,
    others: Sequence[Trace] = (),
    grounds: Sequence[Grounds | None] = (),
    earlier: Sequence[MainAnswer] = (),
) -> bytes:
    """The line of `traces.jsonl`: a trace that can be replayed as a recorded one.

    Chunks are kept by id (in the context with their version), their text only with `texts: full`. The latency is the
    app's own, else the one measured.

    Args:
        row: The case as run.
        trace: What the target returned, with everything already taken out that no file may hold.
        texts: What the suite lets the run directory hold.
        withheld: Nothing of the answer's words may be kept, nor any chunk's text.
        others: The traces of the case's other answers, which stand in the same line.
        grounds: What the values of the answers stand on.
        earlier: What earlier runs of the branch answered.
    """
    kept: dict[str, Any] = {}
    if trace.latency_ms is None:
        kept["latency_ms"] = row.latency_ms
    if texts != "full" or withheld:
        kept |= _ids_of_stages(trace)
    if others:
        kept["asks"] = [trace_fields(each, instead=_ids_of_stages(each) if texts != "full" else {}) for each in others]
    if any(each is not None for each in grounds) and not withheld:
        kept["grounds"] = [each and to_jsonable_python(each) for each in grounds]
    if earlier and not withheld:
        kept["earlier"] = earlier
    if row.hallucinations or row.asks:
        false = [number for number, each in enumerate(answers_of(row)) if is_certainly_false(each)]
        kept |= {"false_answers": false} if false else {}
    if withheld:
        # Every other place an app could have put words of its answer or its sources.
        kept |= {"tool_calls": trace.tool_names, "error": None if trace.error is None else "withheld"}
    return trace_line(row.case_id, trace, instead=kept, withheld=withheld)


def _ids_of_stages(trace: Trace) -> dict[str, Any]:
    """The stages without any chunk's text; the context with its versions."""
    stages: dict[str, Any] = {}
    for stage in STAGES:
        chunks: tuple[ChunkForm, ...] | None = getattr(trace, stage)
        if chunks is None or are_ids(chunks):
            stages[stage] = chunks
            continue
        of_context = stage == "context"
        stages[stage] = [
            chunk if isinstance(chunk, str) else _without_text(chunk, versioned=of_context) for chunk in chunks
        ]
    return stages


def _without_text(chunk: TracedChunk, *, versioned: bool) -> str | dict[str, Any]:
    given: dict[str, Any] = {"chunk_id": chunk.chunk_id}
    if versioned and chunk.version is not None:
        given["version"] = chunk.version
    if chunk.document_id is not None:
        given["document_id"] = chunk.document_id
    if chunk.repeated is not None:
        given["repeated"] = chunk.repeated
    # A name with spaces would be read as a text, if it stood alone.
    return chunk.chunk_id if len(given) == 1 and looks_like_id(chunk.chunk_id) else given
