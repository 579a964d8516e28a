"""Whether a text states a value: "six people" states `6 people`, and "10:00–16:00" states `10 am to 4 pm`.

Another number, unit, currency or sign is another value, and so is "more than 180" beside "180".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.case_folding import folded
from raggate_action.core.text.identifiers import absent_addresses, addresses_in
from raggate_action.core.text.languages.word_tables import READ
from raggate_action.core.text.quotation import chunk_text
from raggate_action.core.text.signs import DEGREES
from raggate_action.core.text.text import Text
from raggate_action.core.text.units import same_amount
from raggate_action.core.text.values import HUNDREDTHS, Value

# A ">" that begins a text would be read as the mark of a quotation.
_SIGNS = tuple("<>≤≥-−–+")
# So many readings has a version or an address of numbers, and no amount.
_READINGS = 2


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
    own = _values_of(text, language)
    if all(_is_stated(each, own, ()) for each in wanted):
        return True
    # What the suite's language makes more of than a number is that, whatever else another language reads there.
    known = {each.token.start for each in own if not _is_plain(each)}
    for other in ("en", *sorted(READ)) if elsewhere else ():
        said = [each for each in _values_of(text, other) if each.token.start not in known]
        if other != language and all(_is_stated(each, own, said) for each in wanted):
            return True
    return False


def _value_read(value: str, language: str) -> list[Value]:
    """A value in the language in which most is read of it: "10 am" is a time in English alone."""
    readings = [_values_of(value, each) for each in dict.fromkeys((language, "en", *sorted(READ)))]
    return max(readings, key=lambda read: sum([not _is_plain(each) for each in read]))


def _words(text: str) -> str:
    return " ".join(word.strip(".,;:!?()") for word in folded(text).split())


@lru_cache(maxsize=1024)
def _values_of(text: str, language: str) -> list[Value]:
    """The values that a text states, cents in their currency and years as numbers."""
    read = Text(f": {text}" if text.lstrip()[:1] in _SIGNS else text, language).stated.values
    return [_in_currency(value) for value in read if value.kind != "code"]


def _in_currency(value: Value) -> Value:
    token = value.token
    if value.currency in HUNDREDTHS:
        token = token._replace(values=tuple([each / 100 for each in token.values]))
        return value._replace(token=token, currency=HUNDREDTHS[value.currency])
    is_degrees = value.kind != "percent" and not DEGREES.isdisjoint(value.counts[:1])
    is_year = value.kind == "date" and token.kind == "number"
    return value._replace(kind="degrees" if is_degrees else "number" if is_year else value.kind)


def _is_plain(value: Value) -> bool:
    return value.kind == "number" and not value.bound


def _is_stated(wanted: Value, own: Sequence[Value], read: Sequence[Value]) -> bool:
    """Whether a value of either reading is the wanted one; where some count the same things, one of those."""
    counted = [each for each in own if wanted.counts and root(wanted.counts[-1]) in map(root, each.counts)]
    pool = counted if wanted.kind == "number" and counted else (*own, *read)
    # "130 kg, and at least 15": the unit is said once.
    is_said = any((each.unit, each.currency) == (wanted.unit, wanted.currency) != (None, "") for each in pool)
    bare = [each._replace(kind=wanted.kind) for each in pool if is_said and each.kind == "number" and not each.counts]
    return any(_is_same(wanted, each) for each in (*pool, *bare))


def _is_same(one: Value, other: Value) -> bool:
    if one.kind == "date":
        return other.kind == "date" and all(
            mine == its or (not mine) or (not its and place == 0)
            for place, (mine, its) in enumerate(zip(one.token.values, other.token.values, strict=True))
        )
    if one.kind == "time":
        return not set(one.token.values).isdisjoint(_moments(other))
    bounds = {one.bound, other.bound}
    is_bounded_alike = len(bounds) == 1 or bounds in ({"", "least"}, {"", "most"})
    if one.kind != other.kind or not is_bounded_alike:
        return False
    if one.unit is not None and other.unit is not None and one.unit != other.unit:
        return same_amount(one.number, one.unit, other.number, other.unit)
    if one.currency != other.currency and one.currency and other.currency:
        return False
    if max(len(one.token.values), len(other.token.values)) > _READINGS:
        return one.token.values == other.token.values
    return any(abs(a - b) <= 1e-9 * max(abs(a), abs(b)) for a in one.token.values for b in other.token.values)


def _moments(value: Value) -> tuple[float, ...]:
    """The times of day that a value may say: "from 10 to 16" says two."""
    if value.kind == "time":
        return value.token.values
    is_hour = value.kind == "number" or (value.unit is not None and value.unit.name == "hour")
    if not is_hour or value.bound or value.number % 1 or value.number > 24:
        return ()
    return (value.number % 24 * 60, *((value.number % 12 * 60 + 720,) if value.number <= 12 else ()))
