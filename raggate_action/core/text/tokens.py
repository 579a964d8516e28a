"""Texts as tokens: words by their stem, quantities by their value, dates and times by what they name.

Two spellings of one thing give one key, so that comparing keys compares what is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, count
from operator import add

from raggate_action.core.text.canonical_form import Token, number_key, readings, stem
from raggate_action.core.text.dates import iso_date, time_of, with_dates, year_of
from raggate_action.core.text.number_words import SCALES, SHORT_SCALES, WORDS, word_numbers
from raggate_action.core.text.signs import with_signs
from raggate_action.core.text.units import CURRENCIES, MONTHS, UNITS, WEEKDAYS

_WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
# Nearly all tokens are words: tried first, with the blank before one. Not with many: each would try all the rest.
_TOKEN = re.compile(
    rf" ?(?:(?P<word>(?![PpKkMmWw](?:er cent\b|ilo[Ww]att|ega[Ww]att|att[- ])){_WORD})"
    r"|(?P<sign>[$€£¥₹%]|\b[Pp]er cent\b)"
    rf"|(?P<other>°[CF]\b|(?:[Kk]ilo|[Mm]ega)?[Ww]att[- ]hours?\b|{_WORD})"
    r"|(?P<iso>(?<![\w-])[12]\d{3}-[01]?\d-[0-3]?\d(?![\w-])|(?<![\w.])(?:[0-3]?\d\.[01]?\d\.[12]\d{3}"
    r"|[12]\d{3}\.[01]?\d\.[0-3]?\d)(?![\w]|\.\d))"
    r"|(?P<time>(?<![\w.:,])[0-2]?\d(?::[0-5]\d(?::[0-5]\d)?(?:[ \u00a0]?[AaPp]\.?[Mm]\b)?"
    r"|(?:\.[0-5]\d)?[ \u00a0]?(?:[AaPp]\.[ ]?[Mm]\b\.?|[AaPp][Mm]\b))(?!\w|:\d)"
    r"|(?<![\w.:,])[0-2]\d[.:][0-5]\d[ \u00a0]?(?:h|hrs|o'clock)\b)"
    r"|(?P<bound>(?<![-=<>])(?:[<>]=?|[≤≥])(?= ?[-−]?[$€£¥₹]?\d))"
    r"|(?P<number>\d+(?:[.,'’\u00a0\u202f]\d+)*)"
    r"|(?P<mark>[.,;:!?()\[\]|\n—–/\"“”]))"
)
_BOUNDS = {">": "over", "<": "under", ">=": "least", "≥": "least", "<=": "most", "≤": "most"}
# Letters in front of digits that leave them a number: `US$50` is cut at the sign, `mid-1990s` and `Rs500` are not.
_BEFORE_NUMBER = frozenset((
    "mid", "pre", "post", "under", "over", "sub", "top", "early", "late", "circa", "c", "ca", "usd", "us", "rs",
    "eur", "gbp", "inr", "chf", "no", "nr", "approx", "non", "for", "to", "and", "a", "the", "about", "around",
    "plus", "minus", "age", "aged", "grade", "level", "step", "page", "section", "day", "week",
))  # fmt: skip
_CAPITAL_SCALES = frozenset("KMBT")
# `4G` and `5S` are names of things; `30 L` and `60 W` are amounts.
_NO_UNITS = frozenset("GHS")
# Alone they mostly count nothing.
_NO_NUMBERS = frozenset(("one", "second", "hundreds", "thousands", "millions"))
# Keys of which one stands in every number of several words.
_NUMBER_KEYS = frozenset(f"unit {UNITS[word].name}" if word in UNITS else stem(word) for word in WORDS)
_CUT_FOR = frozenset(("cannot",))
_READ_OTHERWISE = _CUT_FOR | {"noon"}
# Words that are a unit with the next one: "per cent", "watt hours".
_BEGIN_UNITS = frozenset(("per", "watt", "kilowatt", "megawatt"))
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"[\d<>≤≥]")
_SPLIT_YEAR = re.compile(r"([12]\d)\d\d[-–/]$")
# Characters between two blanks that are remembered with their tokens; longer ones are addresses and the like.
_LONGEST_PIECE = 32
_new = tuple.__new__  # a third of the time that calling the class takes
_IRREGULAR = {"can't": "can", "won't": "will", "shan't": "shall", "cannot": "can"}


def tokens_of(text: str, first: int = 0, last: int | None = None) -> list[Token]:
    """The tokens of a text, or of a stretch of it, in order. Linear in its length."""
    end = len(text) if last is None else last
    pieces = text[first:end].split(" ")
    plain = _plain_pieces(pieces)
    begins = list(map(add, accumulate(map(len, pieces), initial=first), count()))
    if None not in plain:
        return _placed(plain, begins)
    found: list[Token] = []
    plain.append(None)
    at = 0
    while True:
        other = plain.index(None, at)
        found += _placed(plain[at:other], begins[at:other])
        if other == len(pieces):
            return _with_values_of_words(found, text, first)
        at = other + 1
        while at < len(pieces) and plain[at] is None:
            at += 1
        read = _read(found, text, begins[other], begins[at] - 1, end)
        # A token may reach over a blank, "10 am", and the word behind a number may be its unit or scale.
        while at < len(pieces) and (begins[at] < read or (found and found[-1].kind == "number")):
            at += 1
            read = _read(found, text, max(read, begins[at - 1]), begins[at] - 1, end)


def keys_of(text: str) -> frozenset[str]:
    """Keys of all tokens of a text but of its marks; quicker than its tokens where none of it is a number."""
    plain = _plain_pieces(list(set(text.split(" "))))
    if None in plain:
        return frozenset([token.key for token in tokens_of(text) if token.kind != "mark"])
    return frozenset([token.key for tokens in plain for token in tokens or () if token.kind != "mark"])


def _placed(plain: Sequence[Sequence[Token] | None], begins: Sequence[int]) -> list[Token]:
    """The tokens of plain pieces that begin there."""
    return [
        _new(Token, (key, kind, at + start, at + end, values))
        for at, tokens in zip(begins, plain, strict=False)
        for key, kind, start, end, values in tokens or ()
    ]


def _read(found: list[Token], text: str, first: int, behind: int, last: int) -> int:
    """Add the tokens that begin before `behind`; returns where they end, at `behind` or after it."""
    read = max(first, behind)
    for match in _TOKEN.finditer(text, first, last):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        if start >= behind:
            break
        read = max(read, end)
        if kind in {"word", "other"}:
            _add_word(found, text, start, end)
        elif kind == "mark":
            found.append(Token(text[start:end], "mark", start, end))
        elif kind == "bound":
            if text[text.rfind("\n", 0, start) + 1 : start].strip():  # else a line that is quoted
                found.append(Token(_BOUNDS[text[start:end]], "word", start, end))
        elif kind == "number":
            _add_number(found, text, start, end)
        elif kind == "sign":
            name = CURRENCIES.get(text[start:end])
            percent = Token("unit %", "unit", start, end, (1.0,))
            found.append(percent if name is None else Token(f"money {name}", "money", start, end))
        else:
            found.append((time_of if kind == "time" else iso_date)(text[start:end], start, end))
    return read


def _plain_pieces(pieces: list[str]) -> list[Sequence[Token] | None]:
    if len(max(pieces, key=len)) < _LONGEST_PIECE:
        return list(map(_plain_piece, pieces))
    return [_plain_piece(piece) if len(piece) < _LONGEST_PIECE else None for piece in pieces]


@lru_cache(maxsize=16_384)
def _plain_piece(piece: str) -> Sequence[Token] | None:
    """The tokens of what stands between two blanks, where no number is before it.

    None where the words around may make more of one: numbers and their words, months, "per" of "per cent".
    """
    if _DIGIT.search(piece) or not _BEGIN_UNITS.isdisjoint(_LETTERS.findall(piece.lower())):
        return None
    tokens: list[Token] = []
    _read(tokens, piece, 0, len(piece), len(piece))
    is_more = any(token.key in _NUMBER_KEYS or token.key in MONTHS for token in tokens)
    return None if is_more else tuple(tokens)


def _with_values_of_words(found: list[Token], text: str, first: int) -> list[Token]:
    """The tokens, numbers in words and dates with the name of a month put together, numbers with their signs."""
    keys = {token.key for token in found}
    if not _NUMBER_KEYS.isdisjoint(keys):
        found = _with_number_words(found, text)
    found = with_signs(found, text, first)
    return found if MONTHS.keys().isdisjoint(keys) else list(with_dates(found, text))


def _add_word(found: list[Token], text: str, start: int, end: int) -> None:
    word = text[start:end]
    last = found[-1] if found else None
    if last is not None and last.kind == "number" and _add_behind_number(found, last, text, start, end):
        return
    if (plain := _plain(word)) is not None:
        found.append(Token(plain, "word", start, end))
        return
    lowered = word.lower().replace("’", "'")
    if lowered in _CUT_FOR or lowered.endswith("n't"):
        if end - 3 > start:
            found.append(Token(_IRREGULAR.get(lowered, lowered[:-3]), "word", start, end - 3))
        found.append(Token("not", "word", end - 3, end))
    elif lowered in WEEKDAYS and len(lowered) > 5 and word[0].isupper():
        found.append(Token(f"weekday {WEEKDAYS[lowered]}", "date", start, end))
    elif lowered == "noon":
        found.append(Token("time 720", "time", start, end, (720.0,)))
    elif lowered in CURRENCIES and lowered not in {"won", "cent", "cents", "cad", "franc"}:
        found.append(Token(f"money {CURRENCIES[lowered]}", "money", start, end))
    elif lowered in UNITS and len(lowered) > 2:  # "days" without a number before it: a word, but the same thing
        found.append(Token(f"unit {UNITS[lowered].name}", "word", start, end))
    else:
        found.append(Token(stem(word), "word", start, end))


@lru_cache(maxsize=16_384)
def _plain(word: str) -> str | None:
    """The key of a word that is nothing but a word; None for one with another reading."""
    lowered = word.lower().replace("’", "'")
    special = any(lowered in table for table in (WEEKDAYS, MONTHS, CURRENCIES, UNITS)) or lowered in _READ_OTHERWISE
    return None if special or lowered.endswith("n't") else stem(word)


def _add_behind_number(found: list[Token], last: Token, text: str, start: int, end: int) -> bool:
    """Read a word right behind a number as its scale, ordinal ending or unit; False when it is none of these."""
    word, gap = text[start:end], text[last.end : start]
    if gap not in {"", " ", "-", "\u00a0", "\u202f", " -"}:
        return False
    lowered = word.lower().replace(" ", "-")
    unit = UNITS.get(lowered) if word not in _NO_UNITS else None
    is_short = word in _CAPITAL_SCALES or ((not gap or len(word) > 1) and lowered not in UNITS)
    scale = SCALES.get(lowered) or (SHORT_SCALES.get(lowered) if is_short else None)
    if scale is not None:
        found[-1] = _numbered(tuple([value * scale for value in last.values]), last.start, end)
    elif not gap and lowered in {"st", "nd", "rd", "th"}:
        found[-1] = last._replace(end=end)
    elif not gap and lowered == "s" and last.values[0] % 10 == 0 and last.values[0] >= 20:
        found[-1] = Token(f"{last.key}s", "number", last.start, end, last.values)
    elif lowered in CURRENCIES:
        found.append(Token(f"money {CURRENCIES[lowered]}", "money", start, end))
    elif unit is not None:
        if last.end == start and unit.name in SHORT_SCALES:  # "5m" is five metres, and may be five million
            more = [value * SHORT_SCALES[unit.name] for value in last.values]
            found[-1] = last._replace(values=(*last.values, *more))
        found.append(Token(f"unit {unit.name}", "unit", start, end, (unit.size,)))
    elif not gap:  # `4G`, `3D`, `737MAX`: a name with a digit in it, not a number
        found[-1] = Token(f"{last.key}{lowered}", "code", last.start, end, last.values)
    else:
        return False
    return True


def _numbered(values: tuple[float, ...], start: int, end: int) -> Token:
    return Token(number_key(values[0]), "number", start, end, values)


def _add_number(found: list[Token], text: str, start: int, end: int) -> None:
    values = readings(text[start:end])
    token = _numbered(values, start, end)
    last = found[-1] if found else None
    if _are_cents(found, text, start, end):  # "7 euros 50"
        whole, money = found[-2:]
        amount = _numbered((whole.values[0] + values[0] / 100,), whole.start, whole.end)
        found[-2:] = [amount, money._replace(end=end)]
        return
    if last is not None and last.kind in {"word", "code"} and last.key not in _BEFORE_NUMBER:
        gap = text[last.end : start]
        if gap in {"", "-", "_"}:
            token = Token(f"={text[last.start : end].lower()}", "code", start, end, values)
    elif end - start == 2 and (year := _SPLIT_YEAR.search(text, max(0, start - 5), start)):  # "2018-19"
        token = _numbered((int(year[1]) * 100 + values[0], values[0]), start, end)
    found.append(token)


def _are_cents(found: list[Token], text: str, start: int, end: int) -> bool:
    """Whether two digits say the cents of an amount whose currency is written out before them."""
    if len(found) < 2 or end - start != 2 or found[-1].kind != "money" or found[-2].kind != "number":
        return False
    number, money = found[-2:]
    is_apart = text[number.end : money.start] == text[money.end : start] == " " and money.end - money.start > 3
    behind = _LETTERS.match(text, end + 1)  # "7 euros 20 minutes before"
    is_count = behind is not None and behind[0].lower() in UNITS
    return is_apart and not is_count and number.values[0] % 1 == 0 and not year_of(number)


def _with_number_words(tokens: list[Token], text: str) -> list[Token]:
    """Number words of the text become numbers; "one" and a bare "second" stay words, which they mostly are."""
    places = [i for i, token in enumerate(tokens) if token.kind in {"word", "unit"}]
    words = [text[tokens[i].start : tokens[i].end].lower() for i in places]
    replaced: dict[int, tuple[int, Token]] = {}
    for first, last, value in word_numbers(words):
        run = places[first : last + 1]
        if run[-1] - run[0] != len(run) - 1 or (first == last and words[first] in _NO_NUMBERS):
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
