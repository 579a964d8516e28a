"""Whether a text states a value: "six people" states `6 people`, and "10:00–16:00" states `10 am to 4 pm`.

Another number, unit, currency or sign is another value, and so is "more than 180" beside "180".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.missing_values import figure_of
from raggate_action.core.text.canonical_form import Token, root
from raggate_action.core.text.case_folding import folded
from raggate_action.core.text.evidence_values import Figures
from raggate_action.core.text.identifiers import absent_addresses, addresses_in
from raggate_action.core.text.languages.en_words import ADDING, DOWNWARD, NEGATIONS, UPWARD
from raggate_action.core.text.languages.word_tables import READ
from raggate_action.core.text.number_words import PARTS
from raggate_action.core.text.quotation import chunk_text
from raggate_action.core.text.signs import DEGREES, MINUS
from raggate_action.core.text.text import Text
from raggate_action.core.text.units import UNITS, same_amount

# Words before and behind a number that say its bound, its sign and what it counts.
_NEAR = 3
_HUNDREDTHS = {"money cent": "", "money penny": "money gbp"}
_INCLUDED = frozenset(("least", "minimum", "min", "most", "maximum", "max"))
_JOINING = (("to",), ("until",), ("and",), ("or",))
_LONGEST_RANGE = 20
# The same part as a percentage is larger than as a share.
_SMALLEST_PART = 10
_SIGNS = tuple("<>≤≥-−–+")
_EITHER = frozenset((False, True))
# So many readings has a version or an address of numbers, and no amount.
_READINGS = 2


class StatedAmount(NamedTuple):
    """A number, date or time as a text states it.

    Attributes:
        kind: number, percent, money, unit, degrees, date or time.
        values: Its readings without a sign; of a date its parts.
        signs: Whether it may be negative, and whether it may not.
        bound: `over`, `under`, `least` or `most`; empty for none.
        measure: Its currency or unit; empty where it is not said.
        counts: Roots of the words right behind it.
        start: Where it stands.
    """

    kind: str
    values: tuple[float, ...]
    signs: frozenset[bool] = frozenset((False,))
    bound: str = ""
    measure: str = ""
    counts: tuple[str, ...] = ()
    start: int = -1


def stating_sentences(text: str, value: str, language: str) -> list[str]:
    """The sentences of a source that state a value in its language."""
    read = chunk_text(text, language)
    sentences = [read.verbatim(each) for each in read.sentences]
    return [each for each in sentences if states_value(each, value, language, elsewhere=False)]


def states_value(text: str, value: str, language: str, *, elsewhere: bool = True) -> bool:
    """Whether a text states a value, in words or digits, in another unit of the same kind or in another language.

    Of a value with several numbers it states each. A value without a number, and an address, is looked for as such.

    Args:
        text: What is said.
        value: The value, with its unit or what it counts.
        language: ISO 639-1 code of both.
        elsewhere: The text may be in another language.
    """
    if addresses_in(value):
        return not any(True for _address in absent_addresses(value, (text,)))
    wanted = _value_read(value, language)
    if not wanted:
        return f" {_words(value)} " in f" {_words(text)} "
    own = amounts_of(text, language)
    if all(_is_stated(each, own, ()) for each in wanted):
        return True
    # What the suite's language makes more of than a number is that, whatever else another language reads there.
    known = {each.start for each in own if each.kind != "number" or each.bound}
    for other in ("en", *sorted(READ)) if elsewhere else ():
        said = [each for each in amounts_of(text, other) if each.start not in known]
        if other != language and all(_is_stated(each, own, said) for each in wanted):
            return True
    return False


def _value_read(value: str, language: str) -> tuple[StatedAmount, ...]:
    """A value in the language in which most is read of it: "10 am" is a time in English alone."""
    readings = [amounts_of(value, each) for each in dict.fromkeys((language, "en", *sorted(READ)))]
    return max(readings, key=lambda read: sum([each.kind != "number" or bool(each.bound) for each in read]))


def _words(text: str) -> str:
    return " ".join(word.strip(".,;:!?()") for word in folded(text).split())


@lru_cache(maxsize=1024)
def amounts_of(text: str, language: str) -> tuple[StatedAmount, ...]:
    """The numbers, dates and times that a text states."""
    # A ">" that begins a text would be read as the mark of a quotation.
    claim = ClaimText(Text(f": {text}" if text.lstrip()[:1] in _SIGNS else text, language), "")
    found = [
        _amount(place, claim)
        for place, token in enumerate(claim.said)
        if (token.kind in {"number", "date", "time"} and token.values) or _is_one(claim.said, place)
    ]
    for place in range(len(found) - 2, -1, -1):  # "15 to 130 kg"
        one, other = found[place : place + 2]
        is_joined = one.counts[:1] in _JOINING or one.counts == other.counts != ()
        is_near = other.start - one.start <= _LONGEST_RANGE and other.kind not in {"date", "time"}
        if one.kind == "number" and is_joined and is_near:
            found[place] = one._replace(kind=other.kind, measure=other.measure, counts=other.counts)
    found += [
        StatedAmount("percent", tuple([part for part in PARTS[token.key] if part >= _SMALLEST_PART]), measure="unit %")
        for token, behind in pairwise(claim.said)
        if token.key in PARTS and behind.key in {"of", "the"}  # "half the price"
    ]
    known = {(each.values[0], each.measure) for each in found}
    for amount in Figures(claim.compared, claim.tokens).amounts:  # "half an hour", "within a week"
        if (abs(amount.value), f"unit {amount.unit.name}") not in known and amount.unit.dimension != "temperature":
            kind = "percent" if amount.unit.dimension == "share" else "unit"
            found.append(StatedAmount(kind, (abs(amount.value),), measure=f"unit {amount.unit.name}"))
    return tuple(found)


def _is_one(said: Sequence[Token], place: int) -> bool:
    return said[place].key == "one" and place + 1 < len(said) and said[place + 1].kind in {"word", "money"}


def _amount(place: int, claim: ClaimText) -> StatedAmount:
    said, token = claim.said, claim.said[place]
    values = token.values or (1.0,)
    behind = said[place + 1 : place + 1 + _NEAR]
    counts = tuple([root(each.key) for each in behind if each.kind in {"word", "unit"}])
    if token.kind in {"date", "time"}:
        return StatedAmount(token.kind, values, start=token.start)
    code = figure_of(token, claim).code if token.values else "money" if behind[0].kind == "money" else "number"
    beside = [each for each in (*behind[:2], *said[max(0, place - 1) : place]) if each.kind in {"money", "unit"}]
    measure = next((each.key for each in beside if each.kind == ("money" if code == "money" else "unit")), "")
    if measure in _HUNDREDTHS:
        values, measure = tuple([value / 100 for value in values]), _HUNDREDTHS[measure]
    degrees = [each.key for each in behind if each.key in DEGREES]
    if code != "percent" and degrees and behind[0].key in DEGREES:
        code, measure = "degrees", next((key for key in degrees if key.startswith("unit ")), "")
    return StatedAmount(
        "number" if code == "date" else code,
        tuple([abs(value) for value in values if value >= 0 or len(values) == 1]),
        _signs(place, claim),
        _bound(place, claim),
        measure,
        counts,
        token.start,
    )


def _signs(place: int, claim: ClaimText) -> frozenset[bool]:
    """Whether a number may be negative: by its minus, by what degrees have beside them, or as the fall of something."""
    token = claim.said[place]
    if token.values and token.values[-1] < 0:
        is_written = claim.compared[max(0, token.start - 1)] in MINUS or len(token.values) == 1
        return frozenset((True,)) if is_written else _EITHER
    near = claim.said[max(0, place - _NEAR) : place + _NEAR + 1]
    return frozenset((False,)) if ADDING.isdisjoint([each.key for each in near]) else _EITHER


def _bound(place: int, claim: ClaimText) -> str:
    token = claim.said[place]
    if claim.bare[token.end : token.end + 2].strip().startswith("+"):
        return "over"
    lead = [each.key for each in claim.said[max(0, place - _NEAR - 1) : place] if each.kind != "money"]
    words = [key for key in lead if key not in {"than", "as"}]
    if lead[-2:] == ["up", "to"]:
        return "most"
    if not words or words[-1] not in UPWARD | DOWNWARD or words[-1] in {"after", "before", "since", "from", "until"}:
        return ""
    is_upward = words[-1] in UPWARD
    if words[-1] in _INCLUDED:
        return "least" if is_upward else "most"
    if not NEGATIONS.isdisjoint(words):
        return "most" if is_upward else "least"
    return "over" if is_upward else "under"


def _is_stated(wanted: StatedAmount, own: Sequence[StatedAmount], read: Sequence[StatedAmount]) -> bool:
    """Whether an amount of either reading is the wanted one; where some count the same things, one of those."""
    counted = [each for each in own if wanted.counts and wanted.counts[-1] in each.counts]
    pool = counted if wanted.kind == "number" and counted else (*own, *read)
    # "130 kg, and at least 15": the unit is said once.
    of_kind = wanted.measure and any(each.measure == wanted.measure for each in pool)
    bare = [each._replace(kind=wanted.kind) for each in pool if of_kind and each.kind == "number" and not each.counts]
    return any(_is_same(wanted, each) for each in (*pool, *bare))


def _is_same(one: StatedAmount, other: StatedAmount) -> bool:
    if one.kind == "date":
        return other.kind == "date" and all(
            mine == its or (not mine) or (not its and place == 0)
            for place, (mine, its) in enumerate(zip(one.values, other.values, strict=True))
        )
    if one.kind == "time":
        return not set(one.values).isdisjoint(_moments(other))
    bounds = {one.bound, other.bound}
    is_bounded_alike = len(bounds) == 1 or bounds in ({"", "least"}, {"", "most"})
    if one.kind != other.kind or one.signs.isdisjoint(other.signs) or not is_bounded_alike:
        return False
    if one.kind in {"unit", "degrees"} and one.measure and other.measure and one.measure != other.measure:
        return same_amount(one.values[0], UNITS[one.measure[5:]], other.values[0], UNITS[other.measure[5:]])
    if one.measure != other.measure and one.measure and other.measure:
        return False
    if max(len(one.values), len(other.values)) > _READINGS:
        return one.values == other.values
    return any(abs(a - b) <= 1e-9 * max(a, b) for a in one.values for b in other.values)


def _moments(amount: StatedAmount) -> tuple[float, ...]:
    """The times of day that an amount may say: "from 10 to 16" says two."""
    if amount.kind == "time":
        return amount.values
    is_hour = amount.kind == "number" or amount.measure == "unit hour"
    if not is_hour or amount.bound or amount.values[0] % 1 or amount.values[0] > 24:
        return ()
    hour = amount.values[0]
    return (hour % 24 * 60, *((hour % 12 * 60 + 720,) if hour <= 12 else ()))
