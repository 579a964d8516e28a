"""The value of another row: a claim names one plan, product or person and gives the number of the one beside it."""

from __future__ import annotations

from itertools import product

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conflict import closest
from raggate_action.core.evidence_checks.evidence_index import ShownEvidence, Statement
from raggate_action.core.evidence_checks.sentence_diff import Diff
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.values import Value, read_values

# Share of their other words that two rows have in common to be rows of one kind.
_ALIKE = 0.5


def neighbour_of(claim: ClaimText, evidence: ShownEvidence) -> tuple[Diff, Value] | None:
    """Find a value of the claim that the row it names does not have, and a sibling row does.

    Both rows have the same build, hold one value of the kind each, and differ in a key; the claim holds the key of
    the first and not of the second. Anything less clear is left alone.
    """
    figures = [figure for figure in claim.figures if figure.token.kind == "number"]
    if len(figures) != 1:
        return None
    (figure,) = figures
    for chunk_id, index in evidence.chunks:
        near = dict.fromkeys(number for each in closest(claim, index) for number in index.beside(each))
        statements = [index.statements[number] for number in near]
        rows = [(row, value) for row in statements if (value := _value(row, figure)) is not None]
        for (named, value), (taken, other) in product(rows, rows):
            is_taken = other == figure.number != value and _is_of(claim, named, taken)
            if is_taken and not is_borne_out(figure.token, (chunk_id, named), claim, evidence):
                return Diff(chunk_id, index, named, 0, ()), figure
    return None


def _value(row: Statement, figure: Value) -> float | None:
    """The one number of the row that is of the figure's kind: the same unit, money, or the same things counted."""
    values = [each for each in read_values(row.tokens) if each.token.kind == "number"]
    if figure.kind == "money":
        found = [each.number for each in values if each.kind == "money"]
    else:
        counts = figure.counts[:1] or None
        alike = [each for each in values if each.kind != "money" and each.unit == figure.unit]
        found = [each.number for each in alike if each.counts[:1] == counts]
    return found[0] if len(found) == 1 else None


def _is_of(claim: ClaimText, named: Statement, taken: Statement) -> bool:
    """Whether the rows are of one kind, and the claim names the first and not the second."""
    if named.start <= taken.start < named.end or taken.start <= named.start < taken.end:
        return False
    ours, theirs = [{key for key in row.content if not key.startswith("#")} for row in (named, taken)]
    is_kind = len(ours & theirs) >= _ALIKE * max(len(ours), len(theirs))
    names, others = (ours - theirs) & claim.content, theirs - ours
    return is_kind and bool(names and others) and others.isdisjoint(claim.content)


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
        and any(
            token.key == value.key
            if "date" in {token.kind, value.kind}
            else token.kind == value.kind and not set(token.values).isdisjoint(value.values)
            for token in row.tokens
        )
    )
