"""The chunks behind what a case requires, as a mutant reads them: not asked of the gate that it tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from raggate_action.core.mutants.subject import Subject

# Of two chunks that hold a quote together one has half of its pieces, but for those that run over the cut.
_ENOUGH = 0.3
_PIECE = 4


# For each thing that a case requires, the chunks of the trace without which it is not there.
Lost: TypeAlias = Callable[[Subject], tuple[frozenset[str], ...]]


def required_sources(subject: Subject) -> tuple[frozenset[str], ...]:
    """The chunks behind each required source: itself, or those of that document or parent."""
    ids = frozenset().union(*subject.stages.values())
    return tuple(
        frozenset(i for i in ids if i == source or source in _origin(subject, i))
        for source in dict.fromkeys(subject.case.required_source_ids)
    )


def required_quotes(subject: Subject) -> tuple[frozenset[str], ...]:
    """The chunks behind each required quote: those that hold much of it."""
    quotes = dict.fromkeys(subject.case.required_quotes)
    texts = _texts(subject) if quotes else {}
    return tuple(_chunks_with(quote, texts) for quote in quotes)


def is_required(subject: Subject, chunk_id: str) -> bool:
    """Whether a chunk of the store may be one that the case requires."""
    case = subject.case
    chunk = subject.store.get(chunk_id) if subject.store is not None else None
    texts = {chunk_id: chunk.text if chunk is not None else ""}
    named = {chunk_id, *_origin(subject, chunk_id)}.intersection(case.required_source_ids)
    return bool(named) or any(_chunks_with(quote, texts) for quote in case.required_quotes)


def _origin(subject: Subject, chunk_id: str) -> tuple[str | None, ...]:
    chunk = subject.store.get(chunk_id) if subject.store is not None else None
    return chunk.origin if chunk is not None else ()


def _texts(subject: Subject) -> dict[str, str]:
    """What every chunk of the trace says."""
    texts: dict[str, str] = {}
    for stage in subject.stages:
        for each in getattr(subject.trace, stage):
            chunk_id, text = (each, None) if isinstance(each, str) else (each.chunk_id, each.text)
            known = subject.store.get(chunk_id) if subject.store is not None else None
            texts[chunk_id] = known.text if known is not None else text or texts.get(chunk_id, "")
    return texts


def _chunks_with(quote: str, texts: Mapping[str, str]) -> frozenset[str]:
    pieces = _pieces(quote)
    return frozenset(i for i, text in texts.items() if len(pieces & _pieces(text)) >= _ENOUGH * len(pieces))


def _pieces(text: str) -> frozenset[str]:
    """Runs of letters and digits, wherever words are parted: the same in any script and layout."""
    letters = "".join(filter(str.isalnum, text.casefold()))
    return frozenset(letters[at : at + _PIECE] for at in range(max(1, len(letters) - _PIECE + 1)))
