"""The values that all answers to a question give and their evidence holds: what a label may ask of later answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.evidence_checks.evidence_index import content_of
from raggate_action.core.evidence_checks.stated_values import states_value
from raggate_action.core.poorer.answer_values import ReadAnswer, Value, read_answer, reads_values
from raggate_action.core.poorer.asked_values import is_asked_for, says_no
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.en_words import STOP_WORDS
from raggate_action.core.text.text import Text
from raggate_action.core.text.units import CURRENCIES
from raggate_action.schema.main_answers import Grounds

# A word shorter than this says nothing of the subject in any language.
_SHORTEST_WORD = 4
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# "no more than"
_BOUND_WORDS = 3
# Several of a thing, as English, French and Spanish write it and as German does, behind one word or none.
_COUNTED = re.compile(r"[ \u00a0](?:[^\W\d_]+ )?(?:[^\W\d_]+[sx]|people|children|men|women|[A-ZÄÖÜ][^\W\d_]+)\b")


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
    denied = any(says_no(each.text, question) for each in answers)
    for place, answer in enumerate(read):
        for value in answer.values:
            held = _held(value, answer, answers[place], question, language)
            if held is None:
                continue
            if not all(value.is_given_by(other.index) for other in read if other is not answer):
                partly.setdefault(value.key, value.text)
            elif place == 0:
                text = _written_out(value, language)
                is_asked = bool(text) and not denied and _is_asked(value, held, question, language)
                shared.setdefault(value.key, held._replace(text=text or value.text, is_asked=is_asked))
    return SharedValues(tuple(shared.values()), tuple(dict.fromkeys(partly.values())))


def _written_out(value: Value, language: str) -> str:
    """The value as the answer writes it, with what bounds it, a bare number with what it counts; empty without that."""
    text, figure = value.text, value.figure
    if figure is not None and figure.code == "number":
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


def _is_asked(value: Value, held: SharedValue, question: str, language: str) -> bool:
    sentence = f"{value.sentence} {held.sentence}"
    return is_asked_for(value, question, words=_words(sentence, language), of_question=_words(question, language))


def _held(value: Value, answer: ReadAnswer, given: GivenAnswer, question: str, language: str) -> SharedValue | None:
    """The value as the chunk holds it that says most of what is said around it; None where none does."""
    words = _words(f"{answer.claim.raw} {question}", language)
    found: list[tuple[int, str, Value]] = []
    for chunk in given.context.chunks:
        if not chunk.text:
            continue
        there = [each for each in read_answer(chunk.text, "", language).values if _is_same(each, value)]
        fits = [(len(words & _words(each.sentence, language)), each) for each in there]
        if fits:
            most, best = max(fits, key=lambda fit: fit[0])
            found.append((most, chunk.chunk_id, best))
    if found:
        most, chunk_id, best = max(found, key=lambda each: each[0])
        is_certain = sum(each[0] == most for each in found) == 1
        sentence = " ".join(best.sentence.split())
        return SharedValue(value.text, chunk_id, is_certain, sentence) if most else None
    if given.grounds is not None and not all(chunk.text for chunk in given.context.chunks):
        at = dict(given.grounds.held).get(value.start)
        if at is not None and at < len(given.grounds.chunks):
            return SharedValue(value.text, given.grounds.chunks[at].chunk_id, is_certain=True)
    return None


def _words(text: str, language: str) -> frozenset[str]:
    tokens = [token for token in Text(text, language).tokens if token.kind == "word"]
    return frozenset([root(key) for key in content_of(tokens) if len(key) >= _SHORTEST_WORD])


def _is_same(one: Value, other: Value) -> bool:
    """Whether two values are one, of the same kind, unit or currency; "two weeks" and "14 days" are."""
    if one.kind != other.kind:
        return False
    a, b = one.figure, other.figure
    if a is None or b is None:
        return one.key == other.key
    if a.unit is not None and b.unit is not None and a.code == "unit":
        amount = b.token.values[0] * b.unit.size
        return abs(a.token.values[0] * a.unit.size - amount) <= 1e-9 * abs(amount)
    if one.key != other.key:
        return False
    if a.code == "number":
        return root(a.noun) == root(b.noun)
    return a.code != "money" or _currency(one.text) in {None, _currency(other.text)}


def _currency(text: str) -> str | None:
    bare = _NUMBER.sub(" ", text).casefold().split()
    return next((CURRENCIES[word] for word in bare if word in CURRENCIES), None)
