"""What the values of an answer stand on: chunks by their state, so that a later run can tell whether they changed."""

from __future__ import annotations

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.claims.suspect_claims import evidence_of
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex
from raggate_action.core.poorer.answer_values import read_answer, reads_values
from raggate_action.core.text.text import Text
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.later import MainAnswer
from raggate_action.schema.trace import ChunkState, Grounds


def grounds_of(text: str, question: str, context: ShownContext, language: str) -> Grounds:
    """The values of an answer that its evidence holds, and the chunks that hold them.

    Args:
        text: The answer.
        question: What was asked; its own values are none of the answer's.
        context: What the app was shown.
        language: ISO 639-1 code.
    """
    has_texts = any(chunk.text for chunk in context.chunks)
    if not has_texts or not reads_values(language):
        return Grounds(shown=has_texts)
    chunks: dict[str, int] = {}
    held: list[tuple[int, int]] = []
    values = read_answer(text, question, language).values
    # Most answers give none, and then their evidence is not looked at.
    indexes = dict(evidence_of(context, language).chunks) if values else {}
    for value in values:
        holding = next((name for name, index in indexes.items() if value.is_held_by(index)), None)
        if holding is not None:
            held.append((value.start, chunks.setdefault(holding, len(chunks))))
    states = []
    for chunk in [context.by_id[chunk_id] for chunk_id in chunks]:
        source = chunk.origin[0] if chunk.origin[0] != chunk.chunk_id else None
        text_digest = _digest(chunk.text or "")
        states.append(ChunkState(chunk_id=chunk.chunk_id, source=source, version=chunk.version, text=text_digest))
    return Grounds(shown=True, chunks=tuple(states), held=tuple(held))


def has_changed(
    main: MainAnswer, question: str, context: ShownContext, store: EvidenceStore | None, language: str
) -> bool:
    """Whether what values of an earlier answer stand on has another text or version now.

    The store tells, and without one a chunk shown by the same id, or one of the same source: it has another version, or
    makes the statement without the value. That this run does not show what main's showed changes nothing.

    Args:
        main: The earlier answer.
        question: What was asked.
        context: What the app was shown now.
        store: The evidence store, if there is one.
        language: ISO 639-1 code.
    """
    if main.grounds is None:
        return False
    for number, before in enumerate(main.grounds.chunks):
        if store is not None:
            chunk = store.get(before.chunk_id)
            if chunk is None or _differs(before, chunk.text, chunk.version):
                return True
        elif (now := context.by_id.get(before.chunk_id)) is not None:
            if now.text is not None and _differs(before, now.text, now.version):
                return True
        elif before.source is not None:
            others = [chunk for chunk in context.chunks if chunk.origin[0] == before.source]
            if any(_is_newer(before, other.version) for other in others):
                return True
            if all(before.text != _digest(other.text or "") for other in others):
                starts = {start for start, place in main.grounds.held if place == number}
                values = [each for each in read_answer(main.text, question, language).values if each.start in starts]
                for other in [Text(each.text or "", language) for each in others]:
                    sentences = [other.raw[each.start : each.end] for each in other.sentences]
                    lacking = [each for each in values if not each.is_held_by(EvidenceIndex(other.raw, language))]
                    if any(value.is_stated_in(sentence) for value in lacking for sentence in sentences):
                        return True
    return False


def _differs(before: ChunkState, text: str, version: str | None) -> bool:
    return before.text != _digest(text) or _is_newer(before, version)


def _is_newer(before: ChunkState, version: str | None) -> bool:
    return (before.version or version) != (version or before.version)


def _digest(text: str) -> str:
    return digest_of_text(" ".join(text.split()))[:16]
