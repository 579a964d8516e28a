"""What the values of an answer stand on: chunks by their state, so that a later run can tell whether they changed."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.claims.suspect_claims import evidence_of
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex
from raggate_action.core.evidence_checks.missing_values import is_conversion, is_held
from raggate_action.core.poorer.main_values import Value, read_answer, reads_values
from raggate_action.core.text.identifiers import absent_addresses
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.main_answers import ChunkState, Grounds


def grounds_of(text: str, question: str, context: ShownContext, language: str) -> Grounds:
    """The values of an answer that its evidence holds, and the chunks that hold them.

    Args:
        text: The answer.
        question: What was asked; its own values are none of the answer's.
        context: What the app was shown.
        language: ISO 639-1 code.
    """
    shown = any(chunk.text for chunk in context.chunks)
    if not shown or not reads_values(language):
        return Grounds(shown=shown)
    indexes = dict(evidence_of(context, language).chunks)
    chunks: dict[str, int] = {}
    held: list[tuple[int, int]] = []
    for value in read_answer(text, question, language).values:
        holding = next((name for name, index in indexes.items() if _holds(index, value, text)), None)
        if holding is not None:
            held.append((value.start, chunks.setdefault(holding, len(chunks))))
    return Grounds(shown=True, chunks=tuple(_states(chunks, context)), held=tuple(held))


def has_changed(grounds: Grounds, context: ShownContext, store: EvidenceStore | None) -> bool:
    """Whether a chunk that values of an earlier answer stand on has another text or version now, or is gone.

    That this run does not show it changes nothing.
    """
    for before in grounds.chunks:
        if store is not None:
            chunk = store.get(before.chunk_id)
            if chunk is None or _differs(before, chunk.text, chunk.version):
                return True
        elif (shown := context.by_id.get(before.chunk_id)) is not None and shown.text is not None:
            changed = _differs(before, shown.text, shown.version)
            if changed:
                return True
    return False


def _differs(before: ChunkState, text: str, version: str | None) -> bool:
    return before.text != _digest(text) or (before.version or version) != (version or before.version)


def _states(chunks: dict[str, int], context: ShownContext) -> Iterator[ChunkState]:
    for chunk_id in chunks:
        chunk = context.by_id[chunk_id]
        yield ChunkState(chunk_id=chunk_id, version=chunk.version, text=_digest(chunk.text or ""))


def _digest(text: str) -> str:
    return digest_of_text(" ".join(text.split()))[:16]


def _holds(index: EvidenceIndex, value: Value, text: str) -> bool:
    if value.figure is not None:
        return is_held(value.figure, (index.figures,)) or is_conversion(value.figure, (index.figures,))
    return all(f"{each.kind} {each.key}" != value.key for each in absent_addresses(text, (index.text,)))
