"""What a question that is expected to be declined says already: an answer that only repeats it tells nothing new."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from raggate_action.core.text.languages.common_words import COMMON_WORDS

DIGITS = re.compile(r"[0-9]+")
WORD = re.compile(r"[^\W_]{3,}")
# A question word that a decline takes up names what is not known: "but it does not say where". Not "how": it is of
# ways, counts and lengths, and of none in particular.
_ASKING = re.compile(
    (
        r"\b(?:where|when|who(?:se|m)?|why|wo|wann|we[rnm]|warum|wieso|weshalb|où|quand|qui|pourquoi|dónde|cuándo|"
        r"quién(?:es)?)\b"
    ),
    re.IGNORECASE,
)
_PERSON = re.compile(r"\b(?:who(?:se|m)?|we[rnm]|wessen|qui|quién(?:es)?)\b", re.IGNORECASE)
_QUANTITY = re.compile(
    r"\b(?:how (?:many|much|long|old|tall|high|far|often|big|large|deep|fast|heavy|late|wide|loud)|"
    r"wie ?(?:viele?|oft|lang|"
    r"lange|hoch|groß|alt|schwer|weit|teuer|tief|schnell|laut|breit)|combien|à quelle (?:fréquence|distance|hauteur)|"
    r"cuánt[oa]s?)\b",
    re.IGNORECASE,
)
_STEPS = re.compile(
    r"\b(?:how (?:do|can|should|to|would)|what (?:should|can|do|must) (?:i|we)|wie (?:kann|mache|soll|muss|\w+e) ich|"
    r"was (?:tun|soll|kann|muss|mache)|comment (?:puis|faire|dois|je|\w+er)|que (?:faire|dois)|cómo (?:puedo|"
    r"se|hago|\w+o)|"
    r"qué (?:hago|debo|hacer))\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:how|what|which|wie|was|welche\w*|wo\w+|comment|quoi|quel(?:le)?s?|qu'est-ce que|qué|cómo|cuál(?:es)?)\b",
    re.IGNORECASE,
)
# "... that applications close in spring", behind words for what a source does.
REPORT = re.compile(r"\W*(?:(?:only|merely|nur|lediglich|seulement|solo) )?(?:that|dass|que)\b", re.IGNORECASE)
# A name of two words; a German noun alone has a capital as well.
NAMED = re.compile(r"(?<!^)\b[^\W\d_a-z][\w'-]*\.? [^\W\d_a-z][^\W\d_]+")
# Letters by which a word is known again in another form.
_STEM = 5
BLANK = "_"


class Kind(Enum):
    """What sort of thing answers a question."""

    YES_OR_NO = "yes or no"
    PERSON = "person"
    QUANTITY = "quantity"
    STEPS = "steps"
    OTHER = "other"


class Asked(NamedTuple):
    """A question by its words.

    Attributes:
        words: Its meaning words, in small letters.
        numbers: Its numbers.
        asking: Its question words.
        kind: What would answer it.
    """

    words: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    kind: Kind = Kind.OTHER


def asked_by(question: str) -> Asked:
    """A question by its words; of an empty one there are none."""
    words = frozenset(word.lower() for word in WORD.findall(question)) - COMMON_WORDS
    asking = frozenset(word.lower() for word in _ASKING.findall(question))
    return Asked(words, frozenset(DIGITS.findall(question)), asking, _kind(question, asking))


def _kind(question: str, asking: frozenset[str]) -> Kind:
    if _PERSON.search(question):
        return Kind.PERSON
    if _QUANTITY.search(question):
        return Kind.QUANTITY
    if _STEPS.search(question):
        return Kind.STEPS
    return Kind.OTHER if asking or _OPEN.search(question) else Kind.YES_OR_NO


def without(asked: Asked, clause: str) -> str:
    """The clause with a blank, an underscore, for every word of the question."""
    return WORD.sub(lambda word: BLANK if repeats(word[0].lower(), asked.words) else word[0], clause)


def beside_the_point(asserting: str, declining: str, asked: Asked) -> bool:
    """Whether what is asserted before a decline is about something else than what is then declined.

    "Water boils at 100 °C, but no boiling point is given for acetone": the question, the decline and not the assertion
    speak of acetone.
    """
    return not takes_up(declining, asked) <= takes_up(asserting, asked)


@lru_cache(maxsize=4096)
def takes_up(text: str, asked: Asked) -> frozenset[str]:
    """Which words and numbers of the question a text takes up."""
    words = [word.lower() for word in WORD.findall(text)]
    taken = {other for other in asked.words if any(repeats(word, (other,)) for word in words)}
    asking = {word.lower() for word in _ASKING.findall(text)}
    return frozenset(taken | (asked.numbers & set(DIGITS.findall(text))) | (asked.asking & asking))


def repeats(word: str, asked: frozenset[str] | tuple[str, ...]) -> bool:
    """Whether a word is one of the question, in whatever form, also as a part of a compound."""
    if word in asked:
        return True
    stem = word[:_STEM]
    return len(stem) >= _STEM - 1 and any(
        stem in other or (len(other) >= _STEM - 1 and other[:_STEM] in word) for other in asked
    )
