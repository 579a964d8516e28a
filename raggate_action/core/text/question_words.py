"""What a clause of an answer says beyond the question that it answers, and beyond words of sources and courtesies."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.core.text.languages.language_rules import Expressions, in_any_language

DIGITS = re.compile(r"[0-9]+")
WORD = re.compile(r"[^\W_]{3,}")
# How to reach somebody: an address, a number in groups, the emergency numbers.
CONTACT = re.compile(
    r"\S{1,100}@\S{1,100}|https?://\S{1,200}|"
    r"(?![0-9]{1,3}(?:\.[0-9]{3})+\b)\+?[0-9]{2,6}(?:[ /.-][0-9]{2,6}){1,5}|\b(?:112|911|999)\b"
)
# Letters by which a word is known again in another form.
_STEM = 5
BLANK = "_"
# Words of a question among which one stands that asks for more than yes or no: "at which desk", "since when".
_OPENING = 2
# A statement has so many words of its own.
STATEMENT = 2
# "the 2023 report", "on page 12", "the first ten pages".
_NAME = 20


class Question(NamedTuple):
    """What was asked, by its words.

    Attributes:
        words: Its meaning words, in small letters.
        numbers: Its numbers.
        asks_whether: It is answered by yes or no: none of its first words asks for more.
        asks_how_to: It is answered by steps.
    """

    words: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    asks_whether: bool = False
    asks_how_to: bool = False


def question_of(text: str) -> Question:
    """A question by its words; of an empty one there are none."""
    if not text:
        return Question()
    words = frozenset(word.lower() for word in WORD.findall(text)) - COMMON_WORDS
    asks_whether = in_any_language("asks_openly").search(" ".join(text.split()[:_OPENING])) is None
    asks_how_to = in_any_language("asks_how_to").search(text) is not None
    return Question(words, frozenset(DIGITS.findall(text)), asks_whether, asks_how_to)


def without(question: Question, clause: str) -> str:
    """The clause with a blank, an underscore, for every word of the question."""
    return WORD.sub(lambda word: BLANK if repeats(word[0].lower(), question.words) else word[0], clause)


def is_off_point(asserting: str, declining: str, question: Question) -> bool:
    """Whether what is asserted before a decline is about something else than what is then declined.

    "Water boils at 100 °C, but no boiling point is given for acetone": the question, the decline and not the assertion
    speak of acetone.
    """
    return not takes_up(declining, question) <= takes_up(asserting, question)


@lru_cache(maxsize=4096)
def takes_up(text: str, question: Question) -> frozenset[str]:
    """Which words and numbers of the question a text takes up."""
    words = [word.lower() for word in WORD.findall(text)]
    taken = {other for other in question.words if any(repeats(word, (other,)) for word in words)}
    numbers = question.numbers & set(DIGITS.findall(text))
    return frozenset(taken | numbers)


def repeats(word: str, words: frozenset[str] | tuple[str, ...]) -> bool:
    """Whether a word is one of these, in whatever form, also as a part of a compound."""
    if word in words:
        return True
    stem = word[:_STEM]
    return len(stem) >= _STEM - 1 and any(
        stem in other or (len(other) >= _STEM - 1 and other[:_STEM] in word) for other in words
    )


def new_words(rest: str, rules: Expressions) -> int:
    """How many words are neither function words nor explained by what is known of sources and courtesies.

    Args:
        rest: A clause without the words of the question.
        rules: Those of its language.
    """
    for explained in (rules.knowing, rules.telling, rules.sources, rules.referring, rules.courteous, rules.hint):
        rest = explained.sub(" ", rest)
    return sum(word.lower() not in COMMON_WORDS for word in WORD.findall(rest))


def has_new_number(clause: str, rules: Expressions, question: Question) -> bool:
    """Whether a clause holds a number that neither the question, an address nor the name of a source explains."""
    counted = CONTACT.sub(" ", clause)
    for number in (*DIGITS.finditer(counted), *rules.numbers.finditer(counted)):
        around = counted[max(0, number.start() - _NAME) : number.end() + _NAME]
        if number[0] not in question.numbers and not rules.sources.search(around):
            return True
    return False
