"""Texts as tokens: words by their stem, quantities by their value, dates and times by what they name.

Two spellings of one thing give one key, so that comparing keys compares what is said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.evidence_checks.number_words import SHORT_SCALES, word_numbers
from raggate_action.core.evidence_checks.number_words import SCALES as WORD_SCALES
from raggate_action.core.evidence_checks.units import CURRENCIES, MONTHS, UNITS, WEEKDAYS

Kind: TypeAlias = Literal["word", "number", "unit", "money", "date", "time", "code", "mark"]

_TOKEN = re.compile(
    r"(?P<iso>(?<![\w-])[12]\d{3}-[01]?\d-[0-3]?\d(?![\w-]))"
    r"|(?P<time>(?<![\w.:,])[0-2]?\d(?::[0-5]\d(?::[0-5]\d)?(?:[ \u00a0]?[AaPp]\.?[Mm]\b)?"
    r"|(?:\.[0-5]\d)?[ \u00a0]?(?:[AaPp]\.[ ]?[Mm]\b\.?|[AaPp][Mm]\b))(?![\w:]))"
    r"|(?P<number>\d+(?:[.,'’\u00a0\u202f]\d+)*)"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<sign>[$€£¥₹%])"
    r"|(?P<mark>[.,;:!?()\[\]|\n—–/\"“”])"
)
_FOUR_DIGITS_YEAR = (1000, 2199)
# Letters in front of digits that leave them a number: `US$50` is cut at the sign, `mid-1990s` and `Rs500` are not.
_BEFORE_NUMBER = frozenset(
    "mid pre post under over sub top early late circa c ca usd us rs eur gbp inr chf no nr approx non for to and a the"
    " about around plus minus age aged grade level step page section day week".split()
)
_DATE_LEAD = frozenset("in of by since until till from early late mid to and through during before after this last next"
                       " between every each".split())  # fmt: skip
_CAPITAL_SCALES = frozenset("KMBT")
# `4G` and `5S` are names of things; `30 L` and `60 W` are amounts.
_NO_UNITS = frozenset("GHS")
_NOT_SPLIT = frozenset(("ain't",))
_IRREGULAR = {"can't": "can", "won't": "will", "shan't": "shall", "cannot": "can"}


class Token(NamedTuple):
    """A piece of a text.

    Attributes:
        key: Equal for two pieces that say the same.
        kind: What it is; a `mark` is punctuation that parts.
        start, end: Where it stands.
        values: Readings of a number, minutes since midnight of a time; (year, month, day) of a date, nought where
            it is not named.
    """

    key: str
    kind: Kind
    start: int
    end: int
    values: tuple[float, ...] = ()


def tokens_of(text: str) -> list[Token]:
    """The tokens of a text in order. Linear in its length."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        start, end = match.span()
        if kind == "word":
            _add_word(found, text, start, end)
        elif kind == "mark":
            found.append(Token(match[0], "mark", start, end))
        elif kind == "number":
            _add_number(found, text, start, end)
        elif kind == "sign":
            _add_sign(found, match[0], start, end)
        elif kind == "time":
            found.append(_time(match[0], start, end))
        else:
            year, month, day = (int(part) for part in match[0].split("-"))
            found.append(
                _date(year, month, day, start, end) if 1 <= month <= 12 else Token(match[0], "code", start, end)
            )
    return list(_with_dates(_with_number_words(found, text), text))


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word in the spelling it is compared by: lower case, no accents, no plural or possessive ending."""
    word = word.lower().replace("’", "'")
    if not word.isascii():
        word = "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    if word.endswith("'s") or word.endswith("s'"):
        word = word[:-2] if word.endswith("'s") else word[:-1]
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def number_key(value: float) -> str:
    """One spelling per value."""
    return f"#{value:.9g}"


def readings(raw: str) -> tuple[float, ...]:
    """Every value a written number may have, the likeliest first: `1,234` is 1234, elsewhere 1.234."""
    parts = re.split(r"[.,'’\u00a0\u202f]", raw)
    if len(parts) == 1:
        return (_float(raw),)
    signs = [c for c in raw if not c.isdecimal()]
    grouped = all(len(part) == 3 for part in parts[1:]) and len(parts[0]) <= 3
    if len(set(signs)) == 1 and len(signs) > 1:
        return (_float("".join(parts)),) if grouped else tuple(_float(part) for part in parts)
    if len(signs) == 1:
        whole, decimal = _float("".join(parts)), _float(f"{parts[0]}.{parts[1]}")
        if not grouped or signs[0] not in ".,":
            return (whole,) if grouped else (decimal,)
        return (whole, decimal) if signs[0] == "," else (decimal, whole)
    return (_float("".join(parts[:-1]) + "." + parts[-1]),)


def _float(digits: str) -> float:
    # Longer ones are no number anybody reads, and floats end somewhere.
    return float(digits[:40])


def _add_word(found: list[Token], text: str, start: int, end: int) -> None:
    word = text[start:end]
    last = found[-1] if found else None
    if last is not None and last.kind == "number" and _add_behind_number(found, last, text, start, end):
        return
    lowered = word.lower().replace("’", "'")
    if lowered.endswith("n't") and lowered not in _NOT_SPLIT:
        found.append(Token(_IRREGULAR.get(lowered, lowered[:-3]), "word", start, end - 3))
        found.append(Token("not", "word", end - 3, end))
    elif lowered == "cannot":
        found.append(Token("can", "word", start, start + 3))
        found.append(Token("not", "word", start + 3, end))
    elif lowered in WEEKDAYS and len(lowered) > 5 and word[0].isupper():
        found.append(Token(f"weekday {WEEKDAYS[lowered]}", "date", start, end))
    elif lowered in MONTHS and word[0].isupper() and (len(lowered) > 3 or lowered != "may"):
        found.append(Token(lowered, "word", start, end))
    elif lowered == "noon":
        found.append(Token("time 720", "time", start, end, (720.0,)))
    elif lowered in CURRENCIES and lowered not in {"won", "cent", "cents", "cad", "franc"}:
        found.append(Token(f"money {CURRENCIES[lowered]}", "money", start, end))
    elif lowered in UNITS and len(lowered) > 2:  # "days" without a number before it: a word, but the same thing
        found.append(Token(f"unit {UNITS[lowered].name}", "word", start, end))
    else:
        found.append(Token(stem(word), "word", start, end))


def _add_behind_number(found: list[Token], last: Token, text: str, start: int, end: int) -> bool:
    """Read a word right behind a number as its scale, ordinal ending or unit; False when it is none of these."""
    word, gap = text[start:end], text[last.end : start]
    if gap not in {"", " ", "-", "\u00a0", "\u202f", " -"}:
        return False
    lowered = word.lower()
    glued = not gap
    scale = WORD_SCALES.get(lowered)
    if scale is None and (word in _CAPITAL_SCALES or ((glued or len(word) > 1) and lowered not in UNITS)):
        scale = SHORT_SCALES.get(lowered)
    if scale is not None:
        found[-1] = _numbered(tuple(value * scale for value in last.values), last.start, end)
        return True
    if glued and lowered in {"st", "nd", "rd", "th"}:
        found[-1] = last._replace(end=end)
        return True
    if glued and lowered == "s" and last.values[0] % 10 == 0 and last.values[0] >= 20:
        found[-1] = Token(f"{last.key}s", "number", last.start, end, last.values)
        return True
    if lowered in CURRENCIES:
        found.append(Token(f"money {CURRENCIES[lowered]}", "money", start, end))
        return True
    unit = UNITS.get(lowered)
    if unit is not None and word not in _NO_UNITS:
        if glued and lowered in SHORT_SCALES:
            found[-1] = last._replace(values=(*last.values, *(value * SHORT_SCALES[lowered] for value in last.values)))
        found.append(Token(f"unit {unit.name}", "unit", start, end, (unit.size,)))
        return True
    if glued:  # `4G`, `3D`, `737MAX`: a name with a digit in it, not a number
        found[-1] = Token(f"{last.key}{lowered}", "code", last.start, end, last.values)
        return True
    return False


def _numbered(values: tuple[float, ...], start: int, end: int) -> Token:
    return Token(number_key(values[0]), "number", start, end, values)


def _add_number(found: list[Token], text: str, start: int, end: int) -> None:
    values = readings(text[start:end])
    token = _numbered(values, start, end)
    last = found[-1] if found else None
    if last is not None and last.kind in {"word", "code"} and last.key not in _BEFORE_NUMBER:
        gap = text[last.end : start]
        if not gap or gap == "-" or (gap == "_"):
            token = Token(f"={text[last.start : end].lower()}", "code", start, end, values)
    elif last is not None and last.kind in {"number", "code"} and text[last.end : start] in {"'", "_"}:
        token = Token(f"={text[last.start : end].lower()}", "code", start, end, values)
    elif end - start == 2 and (year := _year_split(found, text, start)):
        token = _numbered((year // 100 * 100 + values[0], values[0]), start, end)
    found.append(token)


def _year_split(found: list[Token], text: str, start: int) -> int:
    """The year in front of these digits, where they are the last two of a later one: `2018-19`; else nought."""
    before = [token for token in found[-2:] if token.key != "–"][-1:]
    joined = bool(before) and text[before[0].end : start] in {"-", "–", "/"}
    return _year_of(before[0]) if joined else 0


def _add_sign(found: list[Token], sign: str, start: int, end: int) -> None:
    if sign == "%":
        found.append(Token("unit %", "unit", start, end, (1.0,)))
    else:
        found.append(Token(f"money {CURRENCIES[sign]}", "money", start, end))


def _time(raw: str, start: int, end: int) -> Token:
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


def _date(year: int, month: int, day: int, start: int, end: int) -> Token:
    return Token(f"date {year} {month} {day}", "date", start, end, (float(year), float(month), float(day)))


def _with_number_words(tokens: list[Token], text: str) -> list[Token]:
    """Number words of the text become numbers; "one" and a bare "second" stay words, which they mostly are."""
    places = [i for i, token in enumerate(tokens) if token.kind in {"word", "unit"}]
    words = [text[tokens[i].start : tokens[i].end].lower() for i in places]
    replaced: dict[int, tuple[int, Token]] = {}
    for first, last, value in word_numbers(words):
        run = places[first : last + 1]
        if run[-1] - run[0] != len(run) - 1 or (first == last and words[first] in {"one", "second", "hundreds",
                                                                                   "thousands", "millions"}):  # fmt: skip
            continue
        start, end = tokens[run[0]].start, tokens[run[-1]].end
        replaced[run[0]] = (run[-1], _numbered((value,), start, end))
    if not replaced:
        return tokens
    merged: list[Token] = []
    at = 0
    while at < len(tokens):
        last_place, token = replaced.get(at, (at, tokens[at]))
        if merged and merged[-1].kind == "number" and token.kind == "word":
            before = len(merged)
            if _add_behind_number(merged, merged[-1], text, token.start, token.end):
                at = last_place + 1
                continue
            del merged[before:]
        merged.append(token)
        at = last_place + 1
    return merged


def _with_dates(tokens: list[Token], text: str) -> Iterator[Token]:
    """Month names with the day and year beside them become one date."""
    at = 0
    while at < len(tokens):
        run = _date_at(tokens, at, text)
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
    year = _year_of(tokens[after]) if after < len(tokens) else 0
    if year:
        last = after
    lead = tokens[at - 1].key if at else ""
    if not (day or year) and lead not in _DATE_LEAD:
        return None
    return last + 1, _date(year, month, day, token.start, tokens[last].end)


def _month_at(tokens: list[Token], place: int, text: str) -> int:
    if place >= len(tokens) or tokens[place].kind != "word":
        return 0
    token = tokens[place]
    written = text[token.start : token.end]
    return MONTHS.get(written.lower(), 0) if written[0].isupper() else 0


def _is_day(token: Token) -> bool:
    return token.kind == "number" and token.end - token.start <= 4 and token.values[0] in range(1, 32)


def _year_of(token: Token) -> int:
    if token.kind != "number" or token.end - token.start != 4:
        return 0
    low, high = _FOUR_DIGITS_YEAR
    return int(token.values[0]) if low <= token.values[0] <= high and token.values[0] % 1 == 0 else 0
