"""Dates and times of day, in whatever form they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.units import MONTHS

_FIRST_YEAR, _LAST_YEAR = 1000, 2199
# A month's name alone is a date behind one of these only: "May" and "March" are words too.
_LEAD = frozenset(("in", "of", "by", "since", "until", "till", "from", "early", "late", "mid", "to", "and", "through",
                   "during", "before", "after", "this", "last", "next", "between", "every", "each"))  # fmt: skip
# In lower case these are verbs far more often: "may 30" is a date behind one of a few words only, and no date where the
# number counts something: "you may 30 days later".
MONTH_VERBS = frozenset(("may", "march", "mar"))
_LEAD_ALONE = frozenset(("in", "of", "since", "until", "till", "during", "early", "late", "mid"))
_LEAD_DAY = frozenset(("on", "by", "until", "till", "since", "before", "from", "through"))
_LEAD_MONTH = _LEAD_ALONE | _LEAD_DAY | {"after", "to", "between"}
_PARTS = frozenset((".", ":", ";", "(", ")", "[", "]", "|", "\n", "–", "—", "/"))


def time_of(raw: str, start: int, end: int) -> Token:
    """A time of day; without a.m. or p.m. it may be of either half."""
    hour, *rest = (int(part) for part in re.findall(r"\d+", raw))
    minute = rest[0] if rest else 0
    letters = raw.lower().replace(".", "")
    if "p" in letters:
        moments: tuple[float, ...] = (hour % 12 * 60 + minute + 720.0,)
    elif "a" in letters:
        moments = (hour % 12 * 60 + minute + 0.0,)
    elif 0 < hour < 12:  # 5:30 may be half past five in the afternoon
        moments = (hour * 60.0 + minute, (hour + 12) * 60.0 + minute)
    else:
        moments = (hour % 24 * 60.0 + minute,)
    return Token(f"time {moments[0]:.0f}", "time", start, end, moments)


def date_of(year: int, month: int, day: int, start: int, end: int) -> Token:
    """A date; nought stands for what it does not name."""
    return Token(f"date {year} {month} {day}", "date", start, end, (float(year), float(month), float(day)))


def iso_date(raw: str, start: int, end: int) -> Token:
    """`2026-06-02`, `02.06.2026`, `2026.06.02`; with a thirteenth month it is a code of some kind."""
    year, month, day = (int(part) for part in re.split(r"[-.]", raw))
    if year < _FIRST_YEAR:
        year, day = day, year
    return date_of(year, month, day, start, end) if 1 <= month <= 12 else Token(raw, "code", start, end)


def year_of(token: Token) -> int:
    """The year a number of four digits may be; nought where it is none."""
    if token.kind != "number" or token.end - token.start != 4 or token.values[0] % 1:
        return 0
    return int(token.values[0]) if _FIRST_YEAR <= token.values[0] <= _LAST_YEAR else 0


def with_dates(tokens: list[Token], text: str) -> Iterator[Token]:
    """Month names with the day and year beside them become one date."""
    at = 0
    while at < len(tokens):
        run = _date_at(tokens, at, text) if tokens[at].kind == "number" or tokens[at].key in MONTHS else None
        if run is None:
            yield tokens[at]
            at += 1
        else:
            past, token = run
            yield token
            at = past


def _date_at(tokens: list[Token], at: int, text: str) -> tuple[int, Token] | None:
    """A date that begins at this token: `2 June 2026`, `2nd of June`, `June 2, 2026`, `June 2026`, `in June`."""
    token = tokens[at]
    day = 0
    place = at
    if _is_day(token):
        place = at + 1
        if place < len(tokens) and tokens[place].key == "of":
            place += 1
        day = int(token.values[0])
    month = _month_at(tokens, place, text)
    if not month:
        return None
    last = place
    if not day and last + 1 < len(tokens) and _is_day(tokens[last + 1]):
        last += 1
        day = int(tokens[last].values[0])
    after = last + 2 if last + 1 < len(tokens) and tokens[last + 1].key in {",", "of"} else last + 1
    year = year_of(tokens[after]) if after < len(tokens) else 0
    if year:
        last = after
    lead = tokens[at - 1].key if at else ""
    if not (day or year) and lead not in _LEAD:
        return None
    if _may_be_verb(tokens[place], text) and not _is_month(tokens, at, place, last, year=year):
        return None
    return last + 1, date_of(year, month, day, token.start, tokens[last].end)


def _month_at(tokens: list[Token], place: int, text: str) -> int:
    if place >= len(tokens) or tokens[place].kind != "word":
        return 0
    token = tokens[place]
    return MONTHS.get(text[token.start : token.end].lower(), 0)


def _may_be_verb(token: Token, text: str) -> bool:
    return token.key in MONTH_VERBS and text[token.start].islower()


def _is_month(tokens: list[Token], first: int, place: int, last: int, *, year: int) -> bool:
    """Whether a "may" in lower case is the month, told by what stands before and behind its day and year.

    Args:
        tokens: All tokens.
        first: Where the date begins.
        place: Where its month stands.
        last: Where it ends.
        year: The year it names; nought for none.
    """
    lead = tokens[first - 1].key if first else ""
    behind = tokens[last + 1] if last + 1 < len(tokens) else None
    ends = behind is None or behind.key in _PARTS or (first == place and behind.key == ",")
    if first < place:  # "30 may", "the 30th of may"; "30 may stay" are so many who may
        return bool(year) or place - first > 1 or ends or lead in _LEAD_DAY
    if place == last:
        return lead in _LEAD_ALONE
    counts = not year and behind is not None and behind.kind in {"unit", "money", "number"}
    return not counts and (lead in _LEAD_MONTH or lead in _PARTS or not lead or ends)


def _is_day(token: Token) -> bool:
    return token.kind == "number" and token.end - token.start <= 4 and token.values[0] in range(1, 32)
