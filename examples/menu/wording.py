"""Words of questions and entries, brought to one form so that they can be compared.

Nothing here knows a dish or a question: function words, light stemming, a few general synonyms, broader terms
("veal is meat"), and the kind of answer a question word asks for ("when" asks for a time).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.:]\d+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

# Function words, and the verbs and nouns any question to a restaurant is made of; they tell no entry from another.
_FUNCTION_WORDS_TEXT = """
    a about all also am an and any anybody anyone anything are as at be because been being bring brought by came
    can come comes contain contains could did do does done each eat either else ever every exactly find for
    found from get gets give given gives go goes going got had has have having he hello her here hi him his how
    i i'd i'm i've if in include included includes ingredient ingredients inside into is it its just kind know
    let like look made make makes many may me menu might mine much must my need needs of offer offers on one
    ones or order other our ours out over own please put really restaurant say says serve served serves she
    should so some somebody someone something sort still take taken tell than thank thanks that the their them
    then there these they thing things this those to too up upon us use used uses very want wants was we were
    what what's which while who whom whose will wish with would yes you your yours
"""
_FUNCTION_WORDS = frozenset(_FUNCTION_WORDS_TEXT.split())

# Words that mean the same on any menu; the first of a group stands for all.
_SAME = (
    ("dessert", "desserts", "pudding", "puddings", "afters"),
    ("starter", "starters", "appetiser", "appetisers", "appetizer", "appetizers", "meze", "mezze"),
    ("dish", "dishes", "plate", "plates", "meal", "meals", "food"),
    ("close", "shut", "shuts"),
    ("book", "reserve", "reserved", "reservation", "reservations"),
    ("child", "children", "kid", "kids"),
    ("telephone", "phone", "ring"),
    ("yoghurt", "yogurt"),
    ("aubergine", "eggplant"),
    ("courgette", "courgettes", "zucchini"),
    ("prawn", "prawns", "shrimp", "shrimps"),
    ("pay", "bill", "bills"),
    ("catch", "caught"),
    ("grow", "grown", "grew"),
    ("hold", "held"),
    ("keep", "kept"),
    ("buy", "bought"),
)

# Broader term -> what it takes in. One way only: veal is meat, meat is not veal.
_BROADER = {
    "meat": ("beef", "veal", "lamb", "pork", "chicken"),
    "fish": ("bass", "sardine", "swordfish"),
    "seafood": ("bass", "sardine", "swordfish", "octopus", "calamari", "prawn"),
    "cheese": ("feta", "halloumi", "kefalotyri"),
    "drink": ("wine",),
    "pastry": ("filo",),
    "pet": ("dog",),
}


class AnswerKind(NamedTuple):
    """A kind of answer: how a question asks for it, how a sentence shows it, and its name for people."""

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]


_DAYS = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_COUNTED = r"\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty"
KINDS = (
    AnswerKind(
        "a price",
        re.compile(
            r"\bhow much (?:is|are|does|do|for|would|will)\b|\b(?:prices?|priced|costs?|charged?)\b", re.IGNORECASE
        ),
        re.compile(r"\b\d+(?:\.\d+)? euros\b"),
    ),
    AnswerKind(
        "a time",
        re.compile(r"\b(?:when|what time|how late|how early|(?:until|till|to) what hour)\b", re.IGNORECASE),
        re.compile(rf"\b(?:\d{{1,2}}:\d\d|{_DAYS}|morning|noon|evening)\b"),
    ),
    AnswerKind(
        "a number",
        re.compile(r"\bhow (?:many|long|big|large|old|much (?!is|are|does|do|for|would|will))\b", re.IGNORECASE),
        re.compile(rf"\b(?:{_COUNTED})\b"),
    ),
    AnswerKind(
        "a place",
        re.compile(r"\bwhere\b", re.IGNORECASE),
        re.compile(rf"\b(?:from|in|on|at|off|near|behind|beside) (?:the )?(?!{_DAYS})[A-Z]"),
    ),
    AnswerKind(
        "a person",
        re.compile(r"(?:^|[.,;:?!] *|\b(?:and|by|from|with) )who(?:se|m)?\b", re.IGNORECASE),
        re.compile(r"\bby (?:the )?[A-Z]"),
    ),
    AnswerKind(
        "a reason", re.compile(r"\bwhy\b", re.IGNORECASE), re.compile(r"\b(?:because|so that)\b", re.IGNORECASE)
    ),
    AnswerKind(
        "a pairing",
        re.compile(
            r"\b(?:pair\w*|match\w*|goes? (?:well )?with)\b|\b(?:wines?|drink|glass|bottle)\b[^?.]*\bwith\b",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:paired with|comes? with|served (?:with|over))\b"),
    ),
    AnswerKind(
        "what is left out",
        re.compile(r"\b(?:without|free|avoid\w*|no|not|never|cannot|can't|don't|doesn't)\b", re.IGNORECASE),
        re.compile(r"\b(?:no|not|without|never|none)\b", re.IGNORECASE),
    ),
)

KIND_NAMES = frozenset(kind.name for kind in KINDS)

_GUARDS = re.compile(
    r"\b(?:allerg\w*|intoleran\w*|without|free|avoid\w*|away from)\b"
    r"|\b(?:cannot|can't|don't|must not) (?:eat|have|touch)\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"(?:^|[.,;:!?]\s+)(?:and |so |but )?(?:is|are|was|do|does|did|can|could|may|will|would|has|have|should)\b[^?]*\?",
    re.IGNORECASE,
)


class Question(NamedTuple):
    """A question, read.

    Attributes:
        text: As it was asked.
        words: Normal form -> the word as it was asked, in the order asked.
        kinds: Names of the kinds of answer asked for.
        guards: Somebody wants to keep clear of something.
        yes_no: It can be answered with yes or no.
    """

    text: str
    words: dict[str, str]
    kinds: tuple[str, ...]
    guards: bool
    yes_no: bool

    @property
    def terms(self) -> frozenset[str]:
        """All that one statement has to cover to answer the question."""
        return frozenset((*self.words, *self.kinds))


def read_question(text: str) -> Question:
    """Read a question: what it is about, and what kind of answer it wants."""
    kinds = tuple(kind.name for kind in KINDS if kind.asked.search(text))
    rest = text
    for kind in KINDS:
        # A word such as "wine" both asks for a pairing and is what the question is about: it stays.
        if kind.name != "a pairing":
            rest = kind.asked.sub(" ", rest)
    rest = re.sub(r"\b(?:pair\w*|match\w*)\b", " ", rest, flags=re.IGNORECASE)
    words: dict[str, str] = {}
    for token in _tokens(rest):
        words.setdefault(normal_form(token), token)
    return Question(text, words, kinds, _GUARDS.search(text) is not None, _YES_NO.search(text) is not None)


def terms_of(text: str) -> tuple[str, ...]:
    """The terms of a text in order, repeats kept, each followed by its broader terms."""
    found: list[str] = []
    for token in _tokens(text):
        term = normal_form(token)
        found += [term, *_BROADER_OF.get(term, ())]
    return tuple(found)


@lru_cache(maxsize=4096)
def statement_terms(sentence: str) -> frozenset[str]:
    """All that a sentence covers: its terms, and the kinds of answer it shows."""
    return frozenset(terms_of(sentence)).union(kind.name for kind in KINDS if kind.shown.search(sentence))


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of an entry's text, verbatim."""
    return tuple(sentence for sentence in _SENTENCE_END.split(text.strip()) if sentence)


def listed(words: Sequence[str], last: str) -> str:
    """`a`, `a and b`, `a, b and c`; the joining word is given."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def normal_form(word: str) -> str:
    """One spelling for the forms of a word: `potatoes` and `potato`, `closing` and `closes`."""
    stem = _stem(word)
    return _SAME_AS.get(stem, stem)


def _tokens(text: str) -> list[str]:
    tokens = [match[0].replace("’", "'").removesuffix("'s") for match in _TOKEN.finditer(text.lower())]
    return [token for token in tokens if token not in _FUNCTION_WORDS and len(token) > 1]


def _stem(word: str) -> str:
    word = re.sub(r"(?<=[^aeiou])ie[sd]$", "y", word)
    word = re.sub(r"(?<=[^su'])s$", "", word) if len(word) > 3 else word
    if stem := re.fullmatch(r"(.*[aeiouy].*)(?:ing|ed)", word):
        word = re.sub(r"([^aeiouls])\1$", r"\1", stem[1])
    return word.removesuffix("e") if len(word) > 3 else word


_SAME_AS = {_stem(word): _stem(group[0]) for group in _SAME for word in group}
_BROADER_OF: dict[str, tuple[str, ...]] = {}
for _broad, _narrow in _BROADER.items():
    for _word in _narrow:
        _term = normal_form(_word)
        _BROADER_OF[_term] = (*_BROADER_OF.get(_term, ()), normal_form(_broad))
