"""Codes of an answer: order numbers, part numbers, error codes; words of letters and digits, or named digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# With both letters and digits, and parted by single signs; or digits alone, parted or not.
_WORD = re.compile(r"(?<![\w@/.#$€£¥-])#?(?=[\w.-]{0,60}\d)[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+){0,8}(?![\w@/-])")
# What stands before a code: "error 404", "order no. 4711", "part: 70-331", "Artikelnummer 70-331".
_NAMED = re.compile(
    r"(?:\b(?:codes?|errors?|numbers?|no\.|nos\.|nr\.|http|rfc|iso|din|sku|fehler|erreur|c[oó]digo)"
    r"|\w(?:nummer|code)|(?:\border|\bpart|\bmodel|\barticle|\bitem|\bticket|\binvoice|\breference)(?= ?[:#]))"
    r"[ \u00a0]?(?:codes?|number|no\.|is|are|ist|lautet)?[ \u00a0]?[:#\"“„'`*]{0,3}[ \u00a0]?$",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\[[^\[\]\n]{1,80}\]|【[^】\n]{1,80}】")
_LETTER, _DIGIT = re.compile(r"[A-Za-z]"), re.compile(r"\d")
_AMOUNT = re.compile(r"(?:\d+-)?\d+(?:[.,]\d+)*[A-Za-z]{0,5}")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
# So many digits make a code, fewer where a name and letters go with them: "ERR-42" behind "error". "COVID-19", "A4" and
# "MP3" are names of things, and so is a year with letters.
_DIGITS, _DIGITS_NAMED, _DIGITS_ALONE = 3, 2, 8
_BEFORE = 40


class WrittenCode(NamedTuple):
    """A code: where it stands, and a key that is equal for every way of writing it."""

    start: int
    end: int
    key: str


def codes_in(text: str) -> Iterator[WrittenCode]:
    """The codes of a text, in order; what stands in square brackets is a citation."""
    if "[" in text or "【" in text:
        text = _CITATION.sub(lambda cited: " " * len(cited[0]), text)
    for match in _WORD.finditer(text):
        written = match[0].rstrip(".")
        if _AMOUNT.fullmatch(written) and (len(written) < _DIGITS or not written[-1].isdigit()):
            continue
        has_letters = _LETTER.search(written) is not None
        if _VERSION.fullmatch(written):
            continue
        digits = len(_DIGIT.findall(_YEAR.sub("", written) if has_letters else written))
        is_named = _NAMED.search(text[max(0, match.start() - _BEFORE) : match.start()]) is not None
        fewest = _DIGITS if has_letters or is_named else _DIGITS_ALONE
        is_parted = not (has_letters or is_named or written.isdigit())
        if not is_parted and digits >= (_DIGITS_NAMED if has_letters and is_named else fewest):
            yield WrittenCode(match.start(), match.start() + len(written), _key(written))


def holds_code(text: str, key: str) -> bool:
    """Whether a text has a code, in whatever case and with whatever signs between its parts."""
    spelled = r"[-_./ \u00a0]?".join(map(re.escape, key))
    return re.search(rf"(?<![A-Za-z0-9]){spelled}(?![A-Za-z0-9])", text, re.IGNORECASE) is not None


def _key(written: str) -> str:
    return re.sub(r"[^a-z0-9]", "", written.lower())
