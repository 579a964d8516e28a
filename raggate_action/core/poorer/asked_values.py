"""Whether a value is what a question asks for: by the kind of value it asks for, else by the words that they share."""

from __future__ import annotations

import re
from collections.abc import Collection

from raggate_action.core.poorer.answer_values import Value
from raggate_action.core.text.question_words import question_of
from raggate_action.core.text.units import UNITS

# What a question asks for, in the words of English and of German; each with the kinds of value that answer it.
_MOMENT = re.compile(
    r"\b(?:how (?:long|soon|late|early)|how many (?:seconds|minutes|hours|(?:working |business )?days|weeks|months|"
    r"years)|what(?:'s| is) the (?:\w+ ){0,2}period|(?:until|by|since) when|deadline|wie lange|bis wann|seit wann|"
    r"wie viele (?:stunden|tage|wochen|monate|jahre))\b|"
    r"^(?:when|wann)\b",
    re.IGNORECASE,
)
_PRICE = re.compile(
    r"\b(?:costs?|prices?|priced|fees?|premiums?|charged?|pay|paid|expensive|kostet|kosten|preis|gebühr|beitrag|zahle|"
    r"teuer)\b",
    re.IGNORECASE,
)
_MUCH = re.compile(
    r"\b(?:how much|how (?:high|heavy|far|big|large)|wie ?viel|wie (?:hoch|schwer|weit|groß))\b", re.IGNORECASE
)
_MANY = re.compile(r"\b(?:how many|how old|wie ?viele|wie alt)\b", re.IGNORECASE)
_MEASURES = frozenset([f"unit {unit.dimension}" for unit in UNITS.values()]) - {"unit time"}
_ASKS = (
    (_MOMENT, frozenset({"unit time", "unit length", "date", "time"})),
    (_PRICE, frozenset({"money", "percent"})),
    (_MUCH, frozenset({"money", "percent", *_MEASURES})),
    (_MANY, frozenset({"number", "unit time", *_MEASURES})),
)
_DENIES = re.compile(
    r"\b(?:not|never|no|none|neither|nor|excluded|cannot|nicht|nie|niemals|kein\w*|ausgeschlossen)\b|n['’]t\b",
    re.IGNORECASE,
)


def says_no(answer: str, question: str) -> bool:
    """Whether an answer to a question for yes or no denies: then no amount that it names beside is what it must say."""
    return question_of(question).asks_whether and _DENIES.search(answer) is not None


def is_asked_for(value: Value, question: str, *, words: Collection[str], of_question: Collection[str]) -> bool:
    """Whether a value answers a question.

    The first of the forms that a question has decides: "what does it cost" asks for money, "how long" and "when" for a
    duration or a moment. Without such a form the sentences that hold the value have at least half of the question's
    words.

    Args:
        value: What the answer gives.
        question: What was asked.
        words: What the sentences around it, in the answer and in the evidence, are about.
        of_question: What the question is about.
    """
    asked = next((kinds for form, kinds in _ASKS if form.search(question)), None)
    if asked is not None and not question_of(question).asks_whether:
        return value.kind in asked
    return 2 * len(frozenset(of_question) & frozenset(words)) >= len(of_question)
