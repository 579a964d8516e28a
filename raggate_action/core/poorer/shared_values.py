"""The values that all answers to a question give and their evidence holds: what a label may ask of later answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.evidence_checks.evidence_index import content_of
from raggate_action.core.evidence_checks.missing_values import Figure
from raggate_action.core.poorer.answer_values import ReadAnswer, Value, read_answer, reads_values
from raggate_action.core.poorer.asked_values import is_asked_for, says_no
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.de_words import below_hundred
from raggate_action.core.text.number_words import TENS, UNITS
from raggate_action.core.text.text import Text
from raggate_action.core.text.units import CURRENCIES
from raggate_action.schema.main_answers import Grounds

# Ways of writing one value that a label lists.
_SPELLINGS_AT_MOST = 10
# A word shorter than this says nothing of the subject in any language.
_SHORTEST_WORD = 4
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SPELLED_TO = 99
# By the canonical name of a currency: how else it is written behind, and in front of, its amount.
_BEHIND = {"eur": ("EUR", "euro", "€"), "usd": ("USD", "dollar"), "gbp": ("GBP", "pound"), "chf": ("CHF",)}
# By language: what stands between groups of three digits.
_THOUSANDS = {"en": ",", "de": "."}
_IN_FRONT = {"eur": "€", "usd": "$", "gbp": "£"}


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
        text: As the first answer writes it.
        chunk_id: The chunk that holds it.
        is_certain: No other chunk holds it as well.
        sentence: The chunk's sentence; empty where the text of the chunk is not at hand.
        written: As the chunk writes it; empty likewise.
        spellings: The ways in which a right answer may write it, `text` first.
        is_asked: It is what the question asks for, as far as its words tell.
    """

    text: str
    chunk_id: str
    is_certain: bool
    sentence: str = ""
    written: str = ""
    spellings: tuple[str, ...] = ()
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
                spelled = tuple(_spellings(value, held.written, answer, read, language))[:_SPELLINGS_AT_MOST]
                is_asked = not denied and _is_asked(value, held, question, language)
                shared.setdefault(value.key, held._replace(spellings=spelled, is_asked=is_asked))
    return SharedValues(tuple(shared.values()), tuple(dict.fromkeys(partly.values())))


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
        return SharedValue(value.text, chunk_id, is_certain, sentence, best.text) if most else None
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


def _spellings(value: Value, written: str, of: ReadAnswer, read: Sequence[ReadAnswer], language: str) -> Iterator[str]:
    """As the answers and the chunk write it, then other usual ways; each once, in whatever case."""
    seen: set[str] = set()
    candidates = [value.text, *([written] if written else [])]
    for other in read:
        candidates += [each.text for each in other.values if _is_same(each, value) or _rounds(each, value, of, other)]
    candidates += list(_other_ways(value, language))
    for each in candidates:
        if each.casefold() not in seen:
            seen.add(each.casefold())
            yield each


def _rounds(each: Value, value: Value, of: ReadAnswer, other: ReadAnswer) -> bool:
    return other is not of and each.kind == value.kind and each.is_given_by(of.index)


def _other_ways(value: Value, language: str) -> Iterator[str]:
    figure = value.figure
    if figure is None or figure.code not in {"money", "unit"}:
        return
    number = _amount(figure, value.text, language)
    if number is None:
        return
    words = _in_words(number, language)
    if figure.code == "unit":
        unit = _NUMBER.sub("", value.text).strip()
        if words and len(unit) >= _SHORTEST_WORD and _NUMBER.search(value.text):
            yield f"{words} {unit}"
        elif figure.unit is not None and number.is_integer() and not _NUMBER.search(value.text):
            yield f"{number:.0f} {value.text.split()[-1]}"
        yield from _in_weeks(figure, language)
        return
    name = _currency(value.text) or ""
    plain = f"{number:.0f}" if number.is_integer() else f"{number:.2f}"
    amounts = [plain, f"{number:.2f}", f"{number:.2f}".replace(".", ",")]
    behind = _BEHIND.get(name, ())
    grouped = f"{number:,.0f}".replace(",", _THOUSANDS.get(language, ",")) if number.is_integer() else plain
    for each in dict.fromkeys((plain, grouped)):
        yield from (f"{each} {unit}" for unit in behind)
        if name in _IN_FRONT:
            yield f"{_IN_FRONT[name]}{each}"
    if words and len(behind) > 1:
        yield f"{words} {behind[1]}"
    yield from (f"{each} {behind[0]}" for each in amounts[1:] if behind)
    if name in _IN_FRONT:
        yield from (f"{amount} {_IN_FRONT[name]}" for amount in amounts[2:] if name == "eur")


def _amount(figure: Figure, text: str, language: str) -> float | None:
    """The number; one that may be read in two ways is its language's: 5,000 is five thousand in English."""
    if len(figure.token.values) == 1:
        return figure.token.values[0]
    mark = re.escape(_THOUSANDS.get(language, ","))
    return max(figure.token.values) if re.search(rf"\b\d{{1,3}}(?:{mark}\d{{3}})+\b", text) else None


def _in_weeks(figure: Figure, language: str) -> Iterator[str]:
    """Days as weeks where they are whole weeks: "two weeks" for 14 days."""
    weeks, rest = divmod(figure.token.values[0], 7)
    if language == "en" and figure.unit is not None and figure.unit.name == "day" and not rest and weeks > 1:
        yield f"{weeks:.0f} weeks"
        if words := _in_words(weeks, language):
            yield f"{words} weeks"


def _in_words(number: float, language: str) -> str:
    if not number.is_integer() or not 1 < number <= _SPELLED_TO:
        return ""
    tens, ones = divmod(int(number), 10)
    if language == "en":
        names = {count: word for word, count in (*UNITS.items(), *TENS.items()) if word != "fourty"}
        return names.get(int(number)) or f"{names[tens * 10]}-{names[ones]}"
    return below_hundred(int(number)) if language == "de" else ""
