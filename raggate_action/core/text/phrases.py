"""Whether an answer says a phrase of the suite."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache

from raggate_action.core.text.case_folding import folded
from raggate_action.isolation.suite_patterns import SuitePattern
from raggate_action.schema.case import AnyOf, Expression, Phrase, WholeWord

_SPACES = re.compile(r"\s+")
# Spaces that do not part what stands around them, as in "1 300"; in numbers only.
_HARD = "\u00a0\u2009\u202f"
_HARD_SPACE = "\u00a0"
_NUMBER = re.compile(rf"\d+(?:[.,'’{_HARD_SPACE}]\d+)*")
_DECIMAL = ".,"
_GROUP = 3


class Answer:
    """An answer, made ready to be searched for phrases."""

    def __init__(self, text: str) -> None:
        self._text = text

    def says(self, phrase: Phrase) -> bool:
        """Whether the phrase is in the answer.

        Words are found in any case and width, however the line is broken, inside other words too ("refund" in
        "Refunds"), and never inside a longer number.

        Raises:
            UsageError: There was no end to a regular expression.
        """
        match phrase:
            case str():
                return self._holds_words(phrase)
            case WholeWord():
                return self._holds(_pattern(phrase.word, whole=True))
            case Expression():
                return _expression(phrase.regex).is_in(self._text)
            case AnyOf():
                return any(self.says(each) for each in phrase.any)

    @cached_property
    def _same(self) -> str:
        return _spelled(self._text)

    @cached_property
    def _inside_numbers(self) -> frozenset[int]:
        """Places between two characters of one number."""
        return frozenset(
            [place for begin, end in _numbers_in(self._same) for place in range(begin + 1, end)],
        )

    def _holds_words(self, phrase: str) -> bool:
        plain = _plain(phrase)
        if _HARD_SPACE not in plain and _HARD_SPACE not in self._same:
            if plain not in self._same:
                return False
            if not (plain[0].isdecimal() or plain[-1].isdecimal()):
                return True
        return self._holds(_pattern(phrase, whole=False))

    def _holds(self, words: re.Pattern[str]) -> bool:
        found = words.search(self._same)
        while found is not None and self._cuts_number(found):
            # The next may begin within this one.
            found = words.search(self._same, found.start() + 1)
        return found is not None

    def _cuts_number(self, found: re.Match[str]) -> bool:
        """Whether a match that begins or ends with a digit takes a piece out of a number."""
        return (found[0][0].isdecimal() and found.start() in self._inside_numbers) or (
            found[0][-1].isdecimal() and found.end() in self._inside_numbers
        )


def _numbers_in(text: str) -> Iterator[tuple[int, int]]:
    """Where numbers stand: 30, 30.5, 1,300, 1.300,50. Of a date, a version or a list each part is one."""
    for run in _NUMBER.finditer(text):
        if _is_one(run[0]):
            yield run.span()
            continue
        for part in re.finditer(r"\d+", run[0]):
            yield run.start() + part.start(), run.start() + part.end()


def _is_one(run: str) -> bool:
    parts, marks = re.split(r"\D", run), re.findall(r"\D", run)
    if len(parts) == 1 or (len(parts) == 2 and marks[0] in _DECIMAL):
        return True
    if marks[-1] in _DECIMAL and marks[-1] not in marks[:-1]:
        # 1.300,50: what stands behind the other mark are decimals.
        parts, marks = parts[:-1], marks[:-1]
    return len(set(marks)) == 1 and len(parts[0]) <= _GROUP and all(len(part) == _GROUP for part in parts[1:])


@lru_cache(maxsize=4096)
def _pattern(words: str, *, whole: bool) -> re.Pattern[str]:
    space = f"[ {_HARD_SPACE}]"
    spelled = space.join([re.escape(part) for part in re.split(space, _spelled(words))])
    return re.compile(rf"(?<!\w){spelled}(?!\w)" if whole else spelled)


@lru_cache(maxsize=4096)
def _plain(phrase: str) -> str:
    return _spelled(phrase)


@lru_cache(maxsize=4096)
def _expression(regex: str) -> SuitePattern:
    return SuitePattern(regex, place="regex", flags=re.IGNORECASE)


def _spelled(text: str) -> str:
    """The text for comparison in any case and width, a line break or several spaces as one space."""
    if text.isascii():
        # The same in a tenth of the time; the two full stops keep the spaces before and behind the text.
        return folded(" ".join(f".{text}.".split())[1:-1])
    text = "".join([_of_common_width(character) for character in text])
    return folded(_SPACES.sub(_one_space, text))


def _of_common_width(character: str) -> str:
    wide = unicodedata.decomposition(character).startswith(("<wide>", "<narrow>"))
    return unicodedata.normalize("NFKC", character) if wide else character


def _one_space(found: re.Match[str]) -> str:
    return _HARD_SPACE if found[0] in _HARD else " "
