"""What it means where a claim parts from the sentence it follows: nothing, something unknown, or a conflict.

Negations, bounds, duties and opposites are no part of this: they reverse each other, so that only all of them together
say anything (see `reversal`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.evidence_checks.alignment import Difference
from raggate_action.core.evidence_checks.value_type import QUANTITIES, Around, slot_of
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import (
    BOUNDS,
    CONDITIONS,
    FILLERS,
    MODALS,
    NEGATIONS,
    STOP_WORDS,
    opposites,
)

What: TypeAlias = Literal["same", "dropped", "unknown", "conflict", "opposite"]

_ENDINGS = re.compile(
    r"(?:e?s|e?d|ies|ied|ying|y|e|ing|ly|er|ers|ion|ions|ation|ations|al|ally|ment|ments|able|ise|ize|ised|ized|ising"
    r"|izing|isation|ization|[bdglmnprt](?:ed|ing)|en|n|t|ance|ence|ant|ent|ive|ity|ness)?"
)
_SHORTEST_STEM = 3
# More words of the sentence left out in the middle of what the claim repeats, and it says something else.
_DROPPED_AT_MOST = 2
_DROPPABLE = frozenset(("word", "date", "time"))
_TURNING = FILLERS | NEGATIONS | BOUNDS | MODALS


class Parting(NamedTuple):
    """A difference, read.

    Attributes:
        what: `same` says nothing else, `dropped` leaves words of the sentence out, `unknown` may say anything,
            `opposite` sets one word against its reverse, `conflict` one value against another.
        code: The slot of a conflict.
        sure: It leaves no second reading as far as this difference shows.
        claim, sentence: The tokens that matter on either side; either may be empty.
        conditional: The claim says it under a condition.
    """

    what: What
    code: str = ""
    sure: bool = True
    claim: tuple[Token, ...] = ()
    sentence: tuple[Token, ...] = ()
    conditional: bool = False


def read_difference(difference: Difference, around: Around) -> Parting:
    """Read one difference, apart from the words that turn a statement round."""
    ours, theirs = _stated(difference.claim), _stated(difference.sentence)
    if not ours:
        if not theirs or (difference.is_edge and difference.at_claim):
            return Parting("same")
        few = len(theirs) <= _DROPPED_AT_MOST and _DROPPABLE.issuperset(token.kind for token in theirs)
        return Parting("dropped" if few or difference.is_edge else "unknown", sentence=theirs)
    if not theirs or _same_words(ours, theirs):
        is_same = theirs or all(token.key in STOP_WORDS for token in ours)
        conditional = any(token.key in CONDITIONS for token in difference.claim)
        return Parting("same" if is_same else "unknown", claim=ours, conditional=conditional)
    reversed_words = [(a, b) for a in ours for b in theirs if opposites(a.key, b.key)]
    return _reversed(ours, theirs, reversed_words) if reversed_words else _replaced(ours, theirs, around)


def _reversed(ours: tuple[Token, ...], theirs: tuple[Token, ...], pairs: Sequence[tuple[Token, Token]]) -> Parting:
    (one, other), *more = pairs
    if more or not _same_words([t for t in ours if t != one], [t for t in theirs if t != other]):
        return Parting("unknown", claim=ours, sentence=theirs)
    return Parting("opposite", "polarity", claim=(one,), sentence=(other,))


def same_word(one: str, other: str) -> bool:
    """Whether two keys are forms of one word: require, required, requirement."""
    if one == other:
        return True
    if opposites(one, other) or not (one.isalpha() and other.isalpha()):
        return False
    shared = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        shared += 1
    return (
        shared >= _SHORTEST_STEM
        and _ENDINGS.fullmatch(one, shared) is not None
        and _ENDINGS.fullmatch(other, shared) is not None
        and {one[shared:], other[shared:]} not in ({"er", "ee"}, {"r", "e"})
    )


def _stated(tokens: Sequence[Token]) -> tuple[Token, ...]:
    return tuple([token for token in tokens if token.key not in _TURNING])


def _replaced(claimed: tuple[Token, ...], meant: tuple[Token, ...], around: Around) -> Parting:
    ours = tuple([token for token in claimed if token.kind != "word" or token.key not in STOP_WORDS])
    theirs = tuple([token for token in meant if token.kind != "word" or token.key not in STOP_WORDS])
    if not ours or not theirs:
        return Parting("unknown" if ours or theirs else "same", claim=ours, sentence=theirs)
    code = slot_of(ours, theirs, around)
    if code is None:
        return _one_value(ours, theirs, around)
    sure = len(ours) == len(claimed) and len(theirs) == len(meant) and code != "name"
    return Parting("same") if code == "" else Parting("conflict", code, sure, ours, theirs)


def _one_value(ours: tuple[Token, ...], theirs: tuple[Token, ...], around: Around) -> Parting:
    """One value on either side, and on one of them words more: "26 days in total" for "26 weeks"."""
    values = [tuple(token for token in side if _is_value(token)) for side in (ours, theirs)]
    if len(values[0]) != 1 or len(values[1]) != 1 or (len(ours) > 1 and len(theirs) > 1):
        return Parting("unknown", claim=ours, sentence=theirs)
    code = slot_of(values[0], values[1], around)
    if not code:
        return Parting("unknown", claim=ours, sentence=theirs)
    return Parting("conflict", code, sure=False, claim=values[0], sentence=values[1])


def _is_value(token: Token) -> bool:
    return token.kind in QUANTITIES or token.key.startswith("unit ")


def _same_words(one: Sequence[Token], other: Sequence[Token]) -> bool:
    if len(one) != len(other):
        return False
    left = [token.key for token in other]
    for token in one:
        match = next((key for key in left if same_word(token.key, key)), None)
        if match is None:
            return False
        left.remove(match)
    return True
