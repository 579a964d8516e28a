"""The value of another row: a claim names one plan, product or person and gives the number of the one beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conflict import closest
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, ShownEvidence, Statement
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.values import Value, read_values

# Share of their other words that two rows have in common to be rows of one kind.
_ALIKE = 0.5


class Neighbour(NamedTuple):
    """A claim that names one row and gives the value of another.

    Attributes:
        chunk_id: The chunk of both rows.
        named, taken: The row the claim names, and the row its value is from.
        figure: The value.
        key: What names the row.
    """

    chunk_id: str
    named: Statement
    taken: Statement
    figure: Value
    key: str


def neighbour_of(claim: ClaimText, evidence: ShownEvidence) -> Neighbour | None:
    """Find a value of the claim that the row it names does not have, and a sibling row does.

    Both rows have the same build, hold one value of the kind each, and differ in a key; the claim holds the key of
    the first and not of the second. Anything less clear is left alone.
    """
    figures = [figure for figure in claim.figures if figure.token.kind == "number"]
    if len(figures) != 1:
        return None
    (figure,) = figures
    for chunk_id, index in evidence.chunks:
        rows = [(row, value) for row in _rows(claim, index) if (value := _value(row, figure)) is not None]
        lenders = [row for row, value in rows if value == figure.number]
        for named, value in rows if lenders else ():
            if value == figure.number:
                continue
            for taken in lenders:
                key = _key(claim, named, taken)
                if key is not None and not is_borne_out(figure.token, (chunk_id, named), claim, evidence):
                    return Neighbour(chunk_id, named, taken, figure, key)
    return None


def is_borne_out(value: Token, against: tuple[str, Statement], claim: ClaimText, evidence: ShownEvidence) -> bool:
    """Whether a statement that holds a claim's value has as many of the claim's words as the one it conflicts with.

    Args:
        value: The claim's number, date or time.
        against: The statement that says otherwise, and its chunk.
        claim: The claim.
        evidence: The evidence.
    """
    words = frozenset(token.key for token in claim.said if token.kind == "word" and token.key in claim.content)
    holder, other = against
    fewest = len(words & other.content)
    return any(
        len(words & row.content) >= fewest
        for chunk_id, index in evidence.chunks
        for row in [index.statements[number] for number in index.postings.get(value.key, ())]
        if not (chunk_id == holder and row.start <= other.start and other.end <= row.end)
        and any(_are_one(token, value) for token in row.tokens)
    )


def _are_one(one: Token, other: Token) -> bool:
    if one.kind == "date" or other.kind == "date":
        return one.key == other.key
    return one.kind == other.kind and not set(one.values).isdisjoint(other.values)


def _rows(claim: ClaimText, index: EvidenceIndex) -> Iterator[Statement]:
    """The statements nearest to the claim's words, and those that stand beside them."""
    seen: set[int] = set()
    for statement in closest(claim, index):
        for number in index.beside(statement):
            if number not in seen:
                seen.add(number)
                yield index.statements[number]


def _key(claim: ClaimText, named: Statement, taken: Statement) -> str | None:
    """What names the first row in the claim, where the rows are of one kind and the claim does not name the second."""
    if named.start <= taken.start < named.end or taken.start <= named.start < taken.end:
        return None
    ours, theirs = _names(named), _names(taken)
    if len(ours & theirs) < _ALIKE * max(len(ours), len(theirs)):
        return None
    keys, others = ours - theirs, theirs - ours
    if not (keys & claim.content) or (others & claim.content) or not others:
        return None
    return min(keys & claim.content)


def _names(row: Statement) -> frozenset[str]:
    return frozenset(key for key in row.content if not key.startswith("#"))


def _value(row: Statement, figure: Value) -> float | None:
    """The one number of the row that is of the figure's kind: the same unit, money, or the same things counted."""
    found = [each.number for each in read_values(row.tokens) if each.token.kind == "number" and _is_alike(each, figure)]
    return found[0] if len(found) == 1 else None


def _is_alike(one: Value, other: Value) -> bool:
    if "money" in {one.kind, other.kind}:
        return one.kind == other.kind
    return one.unit == other.unit and one.counts[:1] == other.counts[:1] != ()
