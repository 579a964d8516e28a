"""What a question that is expected to be declined says already: an answer that only repeats it tells nothing new."""

from __future__ import annotations

import re
from typing import NamedTuple

from raggate_action.core.text.languages.common_words import COMMON_WORDS

DIGITS = re.compile(r"[0-9]+")
WORD = re.compile(r"[^\W_]{3,}")
# A question word that a decline takes up names what is not known: "but it does not say where". Not "how": it is of
# ways, counts and lengths, and of none in particular.
_ASKING = re.compile(
    r"\b(?:where|when|who(?:se|m)?|why|wo|wann|we[rnm]|warum|wieso|weshalb|où|quand|qui|pourquoi|dónde|cuándo|quién(?:es)?)\b",
    re.IGNORECASE,
)
# Letters by which a word is known again in another form.
_STEM = 5
BLANK = "_"


class Asked(NamedTuple):
    """A question by its words.

    Attributes:
        words: Its meaning words, in small letters.
        numbers: Its numbers.
        asking: Its question words.
    """

    words: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()


def asked_by(question: str) -> Asked:
    """A question by its words; of an empty one there are none."""
    words = frozenset(word.lower() for word in WORD.findall(question)) - COMMON_WORDS
    asking = frozenset(word.lower() for word in _ASKING.findall(question))
    return Asked(words, frozenset(DIGITS.findall(question)), asking)


def without(asked: Asked, clause: str) -> str:
    """The clause with a blank, an underscore, for every word of the question."""
    return WORD.sub(lambda word: BLANK if _repeats(word[0].lower(), asked.words) else word[0], clause)


def beside_the_point(asserting: str, declining: str, asked: Asked) -> bool:
    """Whether what is asserted before a decline is about something else than what is then declined.

    "Water boils at 100 °C, but no boiling point is given for acetone": the question, the decline and not the assertion
    speak of acetone.
    """
    return not _of_question(declining, asked) <= _of_question(asserting, asked)


def _of_question(text: str, asked: Asked) -> frozenset[str]:
    """Which words and numbers of the question a text takes up."""
    words = [word.lower() for word in WORD.findall(text)]
    taken = {other for other in asked.words if any(_repeats(word, (other,)) for word in words)}
    asking = {word.lower() for word in _ASKING.findall(text)}
    return frozenset(taken | (asked.numbers & set(DIGITS.findall(text))) | (asked.asking & asking))


def _repeats(word: str, asked: frozenset[str] | tuple[str, ...]) -> bool:
    """Whether a word is one of the question, in whatever form, also as a part of a compound."""
    if word in asked:
        return True
    stem = word[:_STEM]
    return len(stem) >= _STEM - 1 and any(
        stem in other or (len(other) >= _STEM - 1 and other[:_STEM] in word) for other in asked
    )
