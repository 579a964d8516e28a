"""The slot in which two values differ: number, percentage, amount, unit, date, time or name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.units import UNITS, same_amount

QUANTITIES = frozenset(("number", "unit", "money", "date", "time"))
_BEFORE_UNITS = frozenset(("per", "business", "working", "calendar", "square", "cubic"))
# Tokens of a number with its currency and unit.
_LONGEST_QUANTITY = 3


class Around(NamedTuple):
    """What stands around a difference: the texts of claim and chunk, the shared tokens before and after it."""

    claim: str
    chunk: str
    before: Token | None
    after: Token | None


def slot_of(ours: Sequence[Token], theirs: Sequence[Token], around: Around) -> str | None:
    """The slot in which two stretches differ; empty where they say the same, None where they cannot be compared."""
    kinds = {token.kind for token in (*ours, *theirs)}
    if all(token.key.startswith("unit ") for token in (*ours, *theirs)) and len(ours) == len(theirs) == 1:
        return _unit_slot(ours[0], theirs[0], around.before)
    if kinds <= QUANTITIES:
        return _neighbouring_code(_quantity_slot(ours, theirs), ours[0], around)
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


def _neighbouring_code(code: str | None, token: Token, around: Around) -> str | None:
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
    if any(kind.count("number") > 1 for kind in kinds) or max(len(ours), len(theirs)) > _LONGEST_QUANTITY:
        return None
    for kind in ("date", "time"):
        if [kind] in kinds:
            return _moment_slot(kind, ours[0], theirs[0]) if kinds[0] == kinds[1] else None
    one, other = (next((token for token in side if token.kind == "number"), None) for side in (ours, theirs))
    if len(ours) == len(theirs) == 1 and one is None and other is None:
        return "money" if kinds[0] == kinds[1] == ["money"] else "unit"
    return None if one is None or other is None else _amount_slot(one, ours, other, theirs)


def _amount_slot(one: Token, ours: Sequence[Token], other: Token, theirs: Sequence[Token]) -> str | None:
    left, right = (next((UNITS[t.key[5:]] for t in side if t.kind == "unit"), None) for side in (ours, theirs))
    if left is not None and right is not None and same_amount(one.values[0], left, other.values[0], right):
        return ""
    if any(abs(a - b) <= 1e-9 * max(abs(a), abs(b)) for a in one.values for b in other.values):
        if left is right and {t.key for t in ours if t.kind == "money"} == {t.key for t in theirs if t.kind == "money"}:
            return ""
        return None if (left is None) != (right is None) else "unit"
    if left is not None:
        return "percent" if left.dimension == "share" else "unit" if left != right else "number"
    return "money" if any(token.kind == "money" for token in (*ours, *theirs)) else "number"


def _moment_slot(kind: str, one: Token, other: Token) -> str | None:
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
