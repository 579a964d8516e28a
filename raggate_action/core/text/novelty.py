"""What a clause tells beyond what the question, and words of sources and courtesies, explain."""

from __future__ import annotations

import re

from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.core.text.languages.rules import Expressions
from raggate_action.core.text.question_overlap import DIGITS, WORD, Asked, without

# How to reach somebody: an address, a number in groups, the emergency numbers.
CONTACT = re.compile(
    r"\S{1,100}@\S{1,100}|https?://\S{1,200}|"
    r"(?![0-9]{1,3}(?:\.[0-9]{3})+\b)\+?[0-9]{2,6}(?:[ /.-][0-9]{2,6}){1,5}|\b(?:112|911|999)\b"
)
_REASON = re.compile(
    r",?\s(?:as|because|since|given that|weil|da|denn|car|puisque|parce que|porque|ya que|pues|puesto que|dado que)\s",
    re.IGNORECASE,
)
# A statement has so many words of its own.
STATEMENT = 2
# "the 2023 report", "on page 12", "the first ten pages".
_NAME = 20


def news(rest: str, rules: Expressions) -> int:
    """How many words are neither function words nor explained by what is known of sources and courtesies.

    Args:
        rest: A clause without the words of the question.
        rules: Those of its language.
    """
    for explained in (rules.knowing, rules.telling, rules.sources, rules.referring, rules.courteous, rules.hint):
        rest = explained.sub(" ", rest)
    return sum(word.lower() not in COMMON_WORDS for word in WORD.findall(rest))


def counts(clause: str, rules: Expressions, asked: Asked) -> bool:
    """Whether a clause holds a number that neither the question, an address nor the name of a source explains."""
    counted = CONTACT.sub(" ", clause)
    for number in (*DIGITS.finditer(counted), *rules.numbers.finditer(counted)):
        around = counted[max(0, number.start() - _NAME) : number.end() + _NAME]
        if number[0] not in asked.numbers and not rules.sources.search(around):
            return True
    return False


def without_reason(clause: str, rules: Expressions, asked: Asked) -> str:
    """The clause without the reason of what it states: "you can have pilaf, as no entry lists nuts" answers."""
    reason = _REASON.search(clause)
    if reason is None or news(without(asked, clause[: reason.start()]), rules) < STATEMENT:
        return clause
    return clause[: reason.start()]
