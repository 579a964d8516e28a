"""A trace with its short forms read once, for gates that all look at the same stages."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.schema.trace import STAGES, Answer, Stage, Trace, TracedChunk


class Traced(NamedTuple):
    """What the gates read of a trace.

    Attributes:
        trace: The trace itself.
        reply: The answer in its long form.
        stages: Chunk ids of every stage the app reports, in pipeline order; see `Trace.ids`.
        chunks: The context in its long form.
        versions: Pipeline versions as pairs, duplicates kept.
    """

    trace: Trace
    reply: Answer
    stages: dict[Stage, tuple[str, ...]]
    chunks: tuple[TracedChunk, ...]
    versions: tuple[tuple[str, str], ...]


def read_trace(trace: Trace) -> Traced:
    """Read a trace's short forms."""
    stages = {stage: ids for stage in STAGES if (ids := trace.ids(stage)) is not None}
    return Traced(trace, trace.reply, stages, trace.context_chunks, trace.version_pairs)
