"""Conditions, exceptions and scopes that a claim adds to the sentence it follows, or leaves out of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.conflict import Fit
from raggate_action.core.evidence_checks.evidence_index import Statement
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import CONDITIONS


class ConditionNote(NamedTuple):
    """A condition on one side alone.

    Attributes:
        chunk_id, statement: The sentence the claim follows.
        claim, sentence: The condition with what it holds for; one of the two is empty.
    """

    chunk_id: str
    statement: Statement
    claim: tuple[Token, ...]
    sentence: tuple[Token, ...]


def condition_note(claim: Sequence[Token], fits: Sequence[Fit]) -> ConditionNote | None:
    """The condition that the claim adds or drops; None where some sentence it follows has the same ones."""
    notes: list[tuple[int, ConditionNote]] = []
    for fit in fits:
        if not fit.agrees or _adds_else(fit):
            continue
        ours, theirs = _conditions(claim), _conditions(fit.statement.tokens)
        if {token.key for token in ours} == {token.key for token in theirs}:
            return None
        added = _first_without(ours, theirs, claim)
        dropped = () if added else _first_without(theirs, ours, fit.statement.tokens)
        notes.append((fit.shared, ConditionNote(fit.chunk_id, fit.statement, added, dropped)))
    return max(notes, key=lambda note: note[0])[1] if notes else None


def _adds_else(fit: Fit) -> bool:
    """Whether claim and sentence differ in anything but one stretch that the claim adds with a condition."""
    unknown = [parting for parting in fit.partings if parting.what == "unknown"]
    return len(unknown) > 1 or any(parting.sentence or not parting.conditional for parting in unknown)


def _conditions(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.key in CONDITIONS]


def _first_without(found: Sequence[Token], others: Sequence[Token], tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The first condition that the other side lacks, to the end of its clause."""
    keys = {token.key for token in others}
    first = next((token for token in found if token.key not in keys), None)
    if first is None:
        return ()
    behind = [token for token in tokens if token.start >= first.start]
    stop = next((n for n, token in enumerate(behind) if n and token.kind == "mark"), len(behind))
    return tuple(behind[:stop])
