"""The values that all answers to a question give and their evidence holds: what a label may ask of later answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.evidence_checks.evidence_index import content_of
from raggate_action.core.evidence_checks.stated_values import states_value, stating_sentences
from raggate_action.core.poorer.answer_values import GivenValue, read_answer, reads_values
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.en_words import STOP_WORDS
from raggate_action.core.text.question_words import question_of
from raggate_action.core.text.text import Text
from raggate_action.core.text.units import UNITS
from raggate_action.schema.trace import Grounds

# A word shorter than this says nothing of the subject in any language.
_SHORTEST_WORD = 4
# "no more than"
_BOUND_WORDS = 3
# Several of a thing, as English, French and Spanish write it and as German does, behind one word or none.
_COUNTED = re.compile(r"[ \u00a0](?:[^\W\d_]+ )?(?:[^\W\d_]+[sx]|people|children|men|women|[A-ZÄÖÜ][^\W\d_]+)\b")

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


class GivenAnswer(NamedTuple):
    """An answer, and what it was given from.

    Attributes:
        text: The answer.
        context: What the app was shown; the chunks' texts may be missing.
        grounds: What was found of its values when their texts were at hand.
    """

    text: str
    context: ShownContext
    grounds: Grounds | None = None


class SharedValue(NamedTuple):
    """A value that every answer gives and the evidence holds.

    Attributes:
        text: As the first answer writes it, with its unit or what it counts.
        chunk_id: The chunk that holds it.
        is_certain: No other chunk holds it as well.
        sentence: The chunk's sentence; empty where the text of the chunk is not at hand.
        is_asked: It is what the question asks for, as far as its words tell.
    """

    text: str
    chunk_id: str
    is_certain: bool
    sentence: str = ""
    is_asked: bool = True


class SharedValues(NamedTuple):
    """What the answers to a question have in common.

    Attributes:
        values: The values that every answer gives and the evidence holds, in the order of the first answer.
        not_in_all: Values that the evidence holds and only some answers give, as one of them writes each.
    """

    values: tuple[SharedValue, ...]
    not_in_all: tuple[str, ...]


def shared_values(answers: Sequence[GivenAnswer], question: str, language: str) -> SharedValues:
    """Find the values that all answers share with the evidence.

    A value of the question is none, nor is one that stands in the evidence for another thing: the sentence around it
    has to have a word of the answer or the question. Without the chunks' texts the stored grounds decide.

    Args:
        answers: All that were given, the one that counts first; empty gives nothing.
        question: What was asked.
        language: ISO 639-1 code of the answers; of one whose values are not read there are none.
    """
    if not reads_values(language) or not answers:
        return SharedValues((), ())
    read = [read_answer(each.text, question, language) for each in answers]
    shared: dict[str, SharedValue] = {}
    partly: dict[str, str] = {}
    # A no needs none of the amounts that it names beside.
    denied = question_of(question).asks_whether and any(_DENIES.search(each.text) for each in answers)
    for place, answer in enumerate(read):
        for value in answer.values:
            text = _written_out(value, language)
            held = _held(value, text or value.text, answers[place], question, language)
            if held is None:
                continue
            if not all(value.is_given_by(other.index) for other in read if other is not answer):
                partly.setdefault(value.key, value.text)
            elif place == 0:
                is_asked = bool(text) and not denied and _is_asked(value, held, question, language)
                shared.setdefault(value.key, held._replace(is_asked=is_asked))
    return SharedValues(tuple(shared.values()), tuple(dict.fromkeys(partly.values())))


def _written_out(value: GivenValue, language: str) -> str:
    """The value as the answer writes it, with what bounds it, a bare number with what it counts; empty without that."""
    text, figure = value.text, value.figure
    if figure is not None and figure.kind == "number":
        behind = _COUNTED.match(value.claim.raw, value.start + len(text))
        if behind is None or figure.noun in STOP_WORDS:
            return ""
        text += behind[0]
    before = value.claim.raw[: value.start].split()
    for words in range(_BOUND_WORDS + 1):
        bounded = " ".join((*before[len(before) - words :], text))
        if states_value(value.sentence, bounded, language):
            return bounded
    return ""


def _is_asked(value: GivenValue, held: SharedValue, question: str, language: str) -> bool:
    """Whether a value answers a question.

    The first of the forms that a question has decides: "what does it cost" asks for money, "how long" and "when" for a
    duration or a moment. Without such a form the sentences that hold the value have at least half of the question's
    words.
    """
    kinds = next((kinds for form, kinds in _ASKS if form.search(question)), None)
    if kinds is not None and not question_of(question).asks_whether:
        return value.kind in kinds
    asked = _words(question, language)
    return 2 * len(asked & _words(f"{value.sentence} {held.sentence}", language)) >= len(asked)


def _held(value: GivenValue, text: str, given: GivenAnswer, question: str, language: str) -> SharedValue | None:
    """The value, written out, by the chunk that says most of what is said around it; None where none states it."""
    words = _words(f"{given.text} {question}", language)
    found: list[tuple[int, str, str]] = []
    for chunk in given.context.chunks:
        stating = stating_sentences(chunk.text, text, language) if chunk.text else []
        if stating:
            found.append(max((len(words & _words(each, language)), chunk.chunk_id, each) for each in stating))
    if found:
        most, chunk_id, sentence = max(found, key=lambda each: each[0])
        is_certain = sum(each[0] == most for each in found) == 1
        return SharedValue(text, chunk_id, is_certain, " ".join(sentence.split())) if most else None
    if given.grounds is not None and not all(chunk.text for chunk in given.context.chunks):
        at = dict(given.grounds.held).get(value.start)
        if at is not None and at < len(given.grounds.chunks):
            return SharedValue(text, given.grounds.chunks[at].chunk_id, is_certain=True)
    return None


def _words(text: str, language: str) -> frozenset[str]:
    tokens = [token for token in Text(text, language).tokens if token.kind == "word"]
    return frozenset([root(key) for key in content_of(tokens) if len(key) >= _SHORTEST_WORD])
