"""What it means where a claim parts from the sentence it follows: nothing, something unknown, or a conflict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.evidence_checks.align import Difference
from raggate_action.core.evidence_checks.lexicon import (
    BINDING,
    FILLERS,
    MODALS,
    NEGATIONS,
    PERMITTING,
    QUALIFIERS,
    STOP_WORDS,
    opposites,
)
from raggate_action.core.evidence_checks.slots import QUANTITIES, Around, slot_of
from raggate_action.core.evidence_checks.spelling import Token

What: TypeAlias = Literal["same", "dropped", "unknown", "conflict"]

_ENDINGS = re.compile(
    r"(?:e?s|e?d|ies|ied|ying|y|e|ing|ly|er|ers|ion|ions|ation|ations|al|ally|ment|ments|able|ise|ize|ised|ized|ising"
    r"|izing|isation|ization|[bdglmnprt](?:ed|ing)|en|n|t|ance|ence|ant|ent|ive|ity|ness)?"
)
_SHORTEST_STEM = 3
# Where a negation stands this near before the first shared word, the sentence denies what follows.
_DENIES_WITHIN = 4
# More words of the sentence left out in the middle of what the claim repeats, and it says something else.
_DROPPED_AT_MOST = 2
_DROPPABLE = frozenset(("word", "date", "time"))


class Parting(NamedTuple):
    """A difference, read.

    Attributes:
        what: `same` says nothing else, `dropped` leaves words of the sentence out, `unknown` may say anything.
        code: The slot of a conflict.
        sure: The conflict leaves no second reading as far as this difference shows.
        claim, sentence: The tokens that matter on either side; either may be empty.
        place: The token of the sentence it stands before.
    """

    what: What
    code: str = ""
    sure: bool = True
    claim: tuple[Token, ...] = ()
    sentence: tuple[Token, ...] = ()
    place: int = 0


def read_difference(difference: Difference, around: Around) -> Parting:
    """Read one difference."""
    ours = tuple([token for token in difference.claim if token.key not in FILLERS])
    theirs = tuple([token for token in difference.sentence if token.key not in FILLERS])
    if not ours and difference.is_edge:
        return _left_out(difference, theirs, around.chunk)
    if _is_reversed(ours, theirs):
        sure = len(ours) == len(theirs) == 1
        return _conflict("polarity", ours, theirs, difference)._replace(sure=sure)
    denied = _denials(ours) != _denials(theirs)
    said = tuple([token for token in ours if token.key not in NEGATIONS])
    meant = tuple([token for token in theirs if token.key not in NEGATIONS])
    if _same_words(said, meant):
        return _conflict("polarity", ours, theirs, difference) if denied else Parting("same")
    if {token.key for token in (*said, *meant)} <= MODALS:
        return _bound(difference, ours, theirs, around.after, denied=denied)
    if said and meant:
        return Parting("unknown") if denied else _replaced(difference, said, meant, around)
    return _one_sided(difference, ours, theirs, denied=denied)


def _is_reversed(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether one word stands against its opposite, whatever words of duty are beside it."""
    stated = [[token for token in side if token.key not in MODALS] for side in (ours, theirs)]
    return len(stated[0]) == len(stated[1]) == 1 and opposites(stated[0][0].key, stated[1][0].key)


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


def _left_out(difference: Difference, theirs: tuple[Token, ...], chunk: str) -> Parting:
    """Words of the sentence before or behind all that the claim repeats."""
    # "No, ..." and "Not so: ..." answer, they do not deny what follows.
    keys = [token.key for token in theirs if chunk[token.end : token.end + 1] not in {",", ":", ".", "!"}]
    if difference.at_claim == 0:
        near = keys[-_DENIES_WITHIN:]
        if not NEGATIONS.isdisjoint(near) and QUALIFIERS.isdisjoint(near):
            return Parting("conflict", "polarity", len(keys) == 1, sentence=theirs, place=difference.at_sentence)
        return Parting("dropped" if theirs else "same")
    return Parting("same", "tail" if not (NEGATIONS | QUALIFIERS).isdisjoint(keys) else "")


def _bound(
    difference: Difference, ours: tuple[Token, ...], theirs: tuple[Token, ...], after: Token | None, *, denied: bool
) -> Parting:
    """Only words of duty and permission differ: "must" against "may", "must not" against "can"."""
    if denied:
        return _conflict("polarity", ours, theirs, difference)
    keys = [{token.key for token in side} for side in (ours, theirs)]
    weaker = any(one & BINDING and other & PERMITTING for one, other in (keys, keys[::-1]))
    if weaker and (after is None or after.key not in NEGATIONS):
        return _conflict("polarity", ours, theirs, difference)._replace(sure=False)
    return Parting("same")


def _one_sided(difference: Difference, ours: tuple[Token, ...], theirs: tuple[Token, ...], *, denied: bool) -> Parting:
    if denied and all(token.key in STOP_WORDS for token in (*ours, *theirs)):
        return _conflict("polarity", ours, theirs, difference)._replace(sure=False)
    if ours or denied or len(theirs) > _DROPPED_AT_MOST or not _DROPPABLE.issuperset(t.kind for t in theirs):
        return Parting("unknown")
    return Parting("dropped")


def _replaced(difference: Difference, said: tuple[Token, ...], meant: tuple[Token, ...], around: Around) -> Parting:
    reversed_words = [(a, b) for a in said for b in meant if opposites(a.key, b.key)]
    if reversed_words:
        (one, other), *more = reversed_words
        rest_is_same = _same_words([t for t in said if t != one], [t for t in meant if t != other])
        if more or not rest_is_same:
            return Parting("unknown")
        return _conflict("polarity", (one,), (other,), difference)
    ours = tuple(token for token in said if token.kind != "word" or token.key not in STOP_WORDS)
    theirs = tuple(token for token in meant if token.kind != "word" or token.key not in STOP_WORDS)
    if not ours or not theirs:
        return Parting("unknown" if ours or theirs else "same")
    code = slot_of(ours, theirs, around)
    if code is None:
        return _one_value(difference, ours, theirs, around)
    sure = len(ours) == len(said) and len(theirs) == len(meant) and code != "name"
    return Parting("same") if code == "" else _conflict(code, ours, theirs, difference)._replace(sure=sure)


def _one_value(difference: Difference, ours: tuple[Token, ...], theirs: tuple[Token, ...], around: Around) -> Parting:
    """One value on either side, and on one of them words more: "26 days in total" for "26 weeks"."""
    values = [tuple(token for token in side if _is_value(token)) for side in (ours, theirs)]
    if len(values[0]) != 1 or len(values[1]) != 1 or (len(ours) > 1 and len(theirs) > 1):
        return Parting("unknown")
    code = slot_of(values[0], values[1], around)
    if not code:
        return Parting("unknown")
    return _conflict(code, values[0], values[1], difference)._replace(sure=False)


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


def _denials(tokens: Sequence[Token]) -> int:
    return sum(token.key in NEGATIONS for token in tokens) % 2


def _conflict(code: str, ours: tuple[Token, ...], theirs: tuple[Token, ...], difference: Difference) -> Parting:
    return Parting("conflict", code, claim=ours, sentence=theirs, place=difference.at_sentence)
