"""Sentences and tables about a record: rows of the catalogue, filled with the record's own fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from string import Formatter
from typing import Any, TypeAlias

from raggate_action.report.catalogue import COLUMNS, LOST, SAID
from raggate_action.report.comment_size import in_a_row
from raggate_action.report.page import Code, Column, FirstEntries, Foreign, Listing, Strong, Table, Text
from raggate_action.schema.base import Rate
from raggate_action.schema.later import LostCode
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.strings import numbers
from raggate_action.strings.numbers import NOTHING
from raggate_action.strings.visible_text import cut

# A sentence, or the parts of one; see `said`.
Row: TypeAlias = "str | Sequence[Row]"
Value: TypeAlias = "Text | int | float | Rate | None"
Values: TypeAlias = Callable[[str], Value]
# A value, or what works it out of the record.
Own: TypeAlias = "Value | Callable[[Any], Value]"

_NAMED = 12
_GUARD = re.compile(r"([\w.]+)([?!]) (.*)")
_LONGEST_NAME = 60
_FORMATS: Mapping[str, Callable[[Any], str]] = {
    "counted": lambda found: numbers.counted(found.hits, found.total),
    "floor": numbers.score,
    "mean": numbers.mean,
    "money": numbers.money,
    "ms": numbers.milliseconds,
    "p": numbers.p_value,
    "percent": numbers.percent_of_share,
    "share": lambda found: numbers.percent(found.hits, found.total),
    "signed": numbers.signed,
    "stored": numbers.percent_as_stored,
}


def said(row: Row, value: Values) -> Text:
    """A row with what its braces name in place; `**` makes what stands out, backticks code.

    Args:
        row: `{judges:judge}` is a count with its noun, `{lost:was|were}` one with the form for one and for many,
            `{delta:signed}` a number in one of the formats here. Of several parts `declined? ...` stands where there
            is such a value, `declined! ...` where it is nothing.
        value: What is said, by name.
    """
    if not isinstance(row, str):
        return tuple(lines(row, value))
    parts: list[Text] = []
    for place, part in enumerate(row.split("**")):
        spans = [_code(each, value) if at % 2 else _filled(each, value) for at, each in enumerate(part.split("`"))]
        parts.append(Strong(tuple(spans)) if place % 2 else tuple(spans))
    return tuple(parts)


def lines(row: Sequence[Row], value: Values) -> list[Text]:
    """The parts of a row that stand, each by itself."""
    parts = [_standing(part, value) if isinstance(part, str) else part for part in row]
    return [found for found in (said(part, value) for part in parts if part) if found]


def sentence(key: str, record: object, /, **own: Own) -> Text:
    """A row of the catalogue about a record; see `of`."""
    return said(SAID[key], of(record, **own))


def of(record: object, /, **own: Own) -> Values:
    """The fields of a record by dotted name, and `own` ones beside them; words and names in fields are foreign."""

    def value(name: str) -> Value:
        if name in own:
            given = own[name]
            return given(record) if callable(given) else given
        found = attrgetter(name)(record)
        if isinstance(found, str):
            return Foreign(cut(found, _LONGEST_NAME), NOTHING) if found else None
        return name_list(found) if isinstance(found, tuple) else found

    return value


def table(title: str, rows: Listing[Any], most: int = LISTED_AT_MOST, /, **own: Own) -> Table:
    """A table of the catalogue, its first rows filled as by `of`; numbers stand right where a title ends in a colon.

    A column stands under the same terms as a part of a sentence, where any row has the value.
    """

    def in_any(name: str) -> bool:
        return any(_is_there(of(row, **own)(name)) for row in rows)

    named = {_standing(column, in_any): cell for column, cell in COLUMNS[title].items()}
    columns = {column: cell for column, cell in named.items() if column}
    return Table(
        tuple([Column(title.rstrip(":"), numeric=title.endswith(":")) for title in columns]),
        FirstEntries(rows, lambda row: tuple([said(cell, of(row, **own)) for cell in columns.values()]), most),
    )


def fields(title: str, *values: Values) -> tuple[tuple[Text, ...], ...]:
    """The rows of a table of the catalogue that has a row for each field, a cell for each record; none without any."""
    rows = [
        (_standing(label, values[0]), *[said(cell, value) for value in values])
        for label, cell in COLUMNS[title].items()
    ]
    return tuple([row for row in rows if row[0] and not all(map(_is_nothing, row[1:]))])


def name_list(ids: Sequence[str], total: int = 0) -> Text:
    """Questions, judges or dimensions in a row, the first of them by name; nothing of none."""
    listed: list[Text] = [Code(cut(each, _LONGEST_NAME)) for each in ids[:_NAMED]]
    return in_a_row(listed, total or len(ids)) if ids else ""


def why_lost(lost: Mapping[LostCode, int]) -> str:
    """Why judgements are lost: the reason alone where there is one, else each with its count."""
    if len(lost) == 1:
        return LOST[next(iter(lost))]
    return ", ".join([f"{number:,} {LOST[code]}" for code, number in lost.items()])


def _is_nothing(text: Text) -> bool:
    return all(map(_is_nothing, text)) if isinstance(text, tuple) else text in {"", NOTHING}


def _standing(part: str, value: Values) -> str:
    guard = _GUARD.fullmatch(part)
    if guard is None:
        return part
    return guard[3] if _is_there(value(guard[1])) == (guard[2] == "?") else ""


def _is_there(found: Value) -> bool:
    return isinstance(found, float) or bool(found.total if isinstance(found, Rate) else found)


def _code(part: str, value: Values) -> Text:
    found = value(part[1:-1]) if part[:1] == "{" and part[-1:] == "}" else part
    return Code(found.text if isinstance(found, Foreign) else f"{found}") if found else NOTHING


def _filled(words: str, value: Values) -> Text:
    parts: list[Text] = []
    for text, name, form, _conversion in Formatter().parse(words):
        parts += [text, _in_words(value(name), form or "") if name else ""]
    return tuple(parts)


def _in_words(found: Value, form: str) -> Text:
    if form in _FORMATS and isinstance(found, int | float | Rate):
        return _FORMATS[form](found)
    match found:
        case None:
            return NOTHING
        case Rate():
            return numbers.rate(found.hits, found.total)
        case int():
            one, _bar, many = form.partition("|")
            return numbers.count(found, one, many or None) if one else f"{found:,}"
        case float():
            return numbers.mean(found)
        case _:
            return found
