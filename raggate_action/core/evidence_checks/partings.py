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
from raggate_action.core.evidence_checks.tokens import Token
from raggate_action.core.evidence_checks.units import UNITS, same_amount

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
_BEFORE_UNITS = frozenset(("per", "business", "working", "calendar", "square", "cubic"))
_QUANTITIES = frozenset(("number", "unit", "money", "date", "time"))


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


class Around(NamedTuple):
    """What stands around a difference: the texts of claim and chunk, the shared tokens before and after it."""

    claim: str
    chunk: str
    before: Token | None
    after: Token | None


def read_difference(difference: Difference, around: Around) -> Parting:
    """Read one difference."""
    ours = tuple(token for token in difference.claim if token.key not in FILLERS)
    theirs = tuple(token for token in difference.sentence if token.key not in FILLERS)
    if not ours and difference.is_edge:
        return _left_out(difference, theirs, around.chunk)
    stated = [[token for token in side if token.key not in MODALS] for side in (ours, theirs)]
    if len(stated[0]) == len(stated[1]) == 1 and opposites(stated[0][0].key, stated[1][0].key):
        sure = len(ours) == len(theirs) == 1
        return _conflict("polarity", ours, theirs, difference)._replace(sure=sure)
    denied = _denials(ours) != _denials(theirs)
    said = tuple(token for token in ours if token.key not in NEGATIONS)
    meant = tuple(token for token in theirs if token.key not in NEGATIONS)
    if _same_words(said, meant):
        return _conflict("polarity", ours, theirs, difference) if denied else Parting("same")
    if {token.key for token in (*said, *meant)} <= MODALS:
        return _bound(difference, ours, theirs, around.after, denied=denied)
    if not said or not meant:
        return _one_sided(difference, ours, theirs, denied=denied)
    if denied:
        return Parting("unknown")
    return _replaced(difference, said, meant, around)


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
    code = _slot(ours, theirs, around)
    if code is None:
        return _one_value(difference, ours, theirs, around)
    sure = len(ours) == len(said) and len(theirs) == len(meant) and code != "name"
    return Parting("same") if code == "" else _conflict(code, ours, theirs, difference)._replace(sure=sure)


def _one_value(difference: Difference, ours: tuple[Token, ...], theirs: tuple[Token, ...], around: Around) -> Parting:
    """One value on either side, and on one of them words more: "26 days in total" for "26 weeks"."""
    values = [tuple(token for token in side if _is_value(token)) for side in (ours, theirs)]
    if len(values[0]) != 1 or len(values[1]) != 1 or (len(ours) > 1 and len(theirs) > 1):
        return Parting("unknown")
    code = _slot(*values, around)
    if not code:
        return Parting("unknown")
    return _conflict(code, *values, difference)._replace(sure=False)


def _is_value(token: Token) -> bool:
    return token.kind in _QUANTITIES or token.key.startswith("unit ")


def _slot(ours: Sequence[Token], theirs: Sequence[Token], around: Around) -> str | None:
    """The slot in which two stretches differ; empty where they say the same, None where they cannot be compared."""
    kinds = {token.kind for token in (*ours, *theirs)}
    if all(token.key.startswith("unit ") for token in (*ours, *theirs)) and len(ours) == len(theirs) == 1:
        return _unit_slot(ours[0], theirs[0], around.before)
    if kinds <= _QUANTITIES:
        return _beside(_quantity_slot(ours, theirs), ours[0], around)
    if kinds == {"code"} and len(ours) == len(theirs) == 1:
        return "name"
    if (
        kinds == {"word"}
        and around.before is not None
        and _are_names(ours, around.claim)
        and _are_names(theirs, around.chunk)
    ):
        short, long = sorted(({t.key for t in ours}, {t.key for t in theirs}), key=len)
        return "" if short < long or _are_initials(ours, theirs) else "name"
    return None


def _beside(code: str | None, token: Token, around: Around) -> str | None:
    """What a number is, told by what stands beside it on both sides."""
    if code != "number":
        return code
    if around.before is not None and around.before.kind == "money":
        return "money"
    if around.after is not None and around.after.kind in {"money", "unit"}:
        return "money" if around.after.kind == "money" else "percent" if around.after.key == "unit %" else "number"
    is_year = token.end - token.start == 4 and 1000 <= token.values[0] < 2200
    return "date" if is_year else "number"


def _unit_slot(ours: Token, theirs: Token, before: Token | None) -> str | None:
    measured = ours.kind == theirs.kind == "unit" or (
        before is not None and (before.kind == "number" or before.key in _BEFORE_UNITS)
    )
    if not measured:
        return None
    return "percent" if "unit %" in {ours.key, theirs.key} else "unit"


def _quantity_slot(ours: Sequence[Token], theirs: Sequence[Token]) -> str | None:
    kinds = [sorted(token.kind for token in side) for side in (ours, theirs)]
    if any(kind.count("number") > 1 for kind in kinds) or len(ours) > 3 or len(theirs) > 3:
        return None
    for kind in ("date", "time"):
        if [kind] in kinds:
            return _moment_slot(kind, ours, theirs) if kinds[0] == kinds[1] else None
    if len(ours) == len(theirs) == 1 and "number" not in (*kinds[0], *kinds[1]):
        return "money" if kinds[0] == kinds[1] == ["money"] else "unit"
    numbers = [next((t for t in side if t.kind == "number"), None) for side in (ours, theirs)]
    one, other = numbers
    if one is None or other is None:
        return None
    units = [next((UNITS[t.key[5:]] for t in side if t.kind == "unit"), None) for side in (ours, theirs)]
    if units[0] and units[1] and same_amount(one.values[0], units[0], other.values[0], units[1]):
        return ""
    if _same_value(one, other):
        return None if (units[0] is None) != (units[1] is None) else "unit"
    if units[0] is not None:
        return "percent" if units[0].dimension == "share" else "unit" if units[0] != units[1] else "number"
    return "money" if any(t.kind == "money" for t in (*ours, *theirs)) else "number"


def _same_value(one: Token, other: Token) -> bool:
    return any(abs(a - b) <= 1e-9 * max(abs(a), abs(b)) for a in one.values for b in other.values)


def _moment_slot(kind: str, ours: Sequence[Token], theirs: Sequence[Token]) -> str | None:
    one, other = ours[0], theirs[0]
    if kind == "time":
        return "" if set(one.values) & set(other.values) else "time"
    if not one.values or not other.values:
        return "date" if one.values == other.values else None
    agree = all(a == b or not a or not b for a, b in zip(one.values, other.values, strict=True))
    return "" if agree else "date"


def _are_names(tokens: Sequence[Token], text: str) -> bool:
    return all(text[token.start].isupper() for token in tokens) and len(tokens) <= 4


def _are_initials(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether one is the other's abbreviation: EU and European Union, J and John."""
    short, long = sorted(("".join(t.key for t in side), "".join(t.key[0] for t in side)) for side in (ours, theirs))
    one, other = [t.key for t in ours], [t.key for t in theirs]
    joined = {"".join(one), "".join(other)}
    return bool(joined & {short[1], long[1]}) or any(a.startswith(b) or b.startswith(a) for a in one for b in other)


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
