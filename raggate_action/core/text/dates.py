"""Dates and times of day, in whatever form they are written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import BEFORE_MAY, BEFORE_MONTHS
from raggate_action.core.text.units import MONTHS

_FIRST_YEAR, _LAST_YEAR = 1000, 2199
# In lower case these are verbs far more often.
MONTH_VERBS = frozenset(("may", "march", "mar"))
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
    place, day = at, 0
    if _is_day(tokens[at]):
        day = int(tokens[at].values[0])
        place = at + 2 if at + 1 < len(tokens) and tokens[at + 1].key == "of" else at + 1
    named = tokens[place] if place < len(tokens) else None
    written = text[named.start : named.end] if named is not None and named.kind == "word" else ""
    month, last = MONTHS.get(written.lower(), 0), place
    if not month:
        return None
    if not day and last + 1 < len(tokens) and _is_day(tokens[last + 1]):
        last += 1
        day = int(tokens[last].values[0])
    after = last + 2 if last + 1 < len(tokens) and tokens[last + 1].key in {",", "of"} else last + 1
    year = year_of(tokens[after]) if after < len(tokens) else 0
    if year:
        last = after
    lead, behind = tokens[at - 1].key if at else "", tokens[last + 1].key if last + 1 < len(tokens) else "."
    # In lower case "you may 30 days later" is no date, nor is "and may".
    is_verb = written.lower() in MONTH_VERBS and written[0].islower() and lead not in BEFORE_MAY | _PARTS
    is_alone = not day and lead not in BEFORE_MONTHS
    if not year and (is_alone or (is_verb and not (day and behind in _PARTS))):
        return None
    return last + 1, date_of(year, month, day, tokens[at].start, tokens[last].end)


def _is_day(token: Token) -> bool:
    return token.kind == "number" and token.end - token.start <= 4 and token.values[0] in range(1, 32)
