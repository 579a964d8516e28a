"""The slot in which two values differ: number, percentage, amount, unit, date, time or name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.dates import year_of
from raggate_action.core.text.units import same_amount
from raggate_action.core.text.values import read_values

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
    kinds, before = {token.kind for token in (*ours, *theirs)}, around.before
    if all(token.key.startswith("unit ") for token in (*ours, *theirs)) and len(ours) == len(theirs) == 1:
        measured = kinds == {"unit"} or (
            before is not None and (before.kind == "number" or before.key in _BEFORE_UNITS)
        )
        return ("percent" if "unit %" in {ours[0].key, theirs[0].key} else "unit") if measured else None
    if kinds <= QUANTITIES:
        return _quantity_slot(ours, theirs, around)
    if kinds == {"code"} and len(ours) == len(theirs) == 1:
        return "name"
    if kinds == {"word"} and before is not None and _are_names(ours, around.claim) and _are_names(theirs, around.chunk):
        short, long = sorted(({t.key for t in ours}, {t.key for t in theirs}), key=len)
        return "" if short < long or _are_initials(ours, theirs) else "name"
    return None


def _quantity_slot(ours: Sequence[Token], theirs: Sequence[Token], around: Around) -> str | None:
    if max(len(ours), len(theirs)) > _LONGEST_QUANTITY:
        return None
    kinds, (mine, its) = {token.kind for token in (*ours, *theirs)}, (ours[0].values, theirs[0].values)
    if not kinds.isdisjoint({"date", "time"}):
        if len(kinds) > 1 or len(ours) > 1 or len(theirs) > 1:
            return None
        if kinds == {"time"}:
            return "time" if set(mine).isdisjoint(its) else ""
        if not mine or not its:
            return "date" if mine == its else None
        return "" if all(a == b or not a or not b for a, b in zip(mine, its, strict=True)) else "date"
    values = [*read_values(ours), *read_values(theirs)]
    if not values and len(ours) == len(theirs) == 1:
        return "money" if kinds == {"money"} else "unit"
    if len(values) != 2 or len(read_values(ours)) != 1:
        return None
    one, other = values
    if one.unit is not None and other.unit is not None and same_amount(one.number, one.unit, other.number, other.unit):
        return ""
    if any(abs(a - b) <= 1e-9 * max(abs(a), abs(b)) for a in one.token.values for b in other.token.values):
        is_same = (one.unit, one.currency) == (other.unit, other.currency)
        return "" if is_same else None if (one.unit is None) != (other.unit is None) else "unit"
    if one.unit is not None and (one.kind == "percent" or one.unit != other.unit):
        return one.kind
    if one.unit is None and "money" in {one.kind, other.kind}:
        return "money"
    before, after = around.before, around.after
    if before is not None and before.kind == "money":
        return "money"
    if after is not None and after.kind in {"money", "unit"}:
        return "money" if after.kind == "money" else "percent" if after.key == "unit %" else "number"
    return "date" if year_of(ours[0]) else "number"


def _are_names(tokens: Sequence[Token], text: str) -> bool:
    return all(text[token.start].isupper() for token in tokens) and len(tokens) <= 4


def _are_initials(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether one is the other's abbreviation: EU and European Union, J and John."""
    short, long = sorted(("".join(t.key for t in side), "".join(t.key[0] for t in side)) for side in (ours, theirs))
    one, other = [t.key for t in ours], [t.key for t in theirs]
    joined = {"".join(one), "".join(other)}
    return bool(joined & {short[1], long[1]}) or any(a.startswith(b) or b.startswith(a) for a in one for b in other)
