"""The values that an answer gives, and whether another answer gives them in whatever spelling, rounding or unit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from raggate_action.core.claims.reference_answer import is_given, written_figure
from raggate_action.core.evidence_checks.claim_check import DIGITS_KNOWN
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, content_of
from raggate_action.core.evidence_checks.missing_values import (
    Figure,
    coded_numbers,
    figure_of,
    figures_of,
    is_held,
    may_count,
)
from raggate_action.core.poorer.codes import WrittenCode, codes_in, holds_code
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.identifiers import absent_addresses, addresses_in
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN, expressions
from raggate_action.core.text.languages.word_tables import READ
from raggate_action.core.text.number_words import has_number_word
from raggate_action.core.text.stated_words import has_digit_beside_marks
from raggate_action.core.text.text import Text, read_question
from raggate_action.core.text.units import UNITS

# "one day" and "a euro" are rarely what an answer is about.
_SPELLED_FROM = 2
# Share of the words of a statement, its values aside, that the same statement has elsewhere.
SAME_STATEMENT = 0.6
# The kind of value that an order number, a part number or an error code is.
CODE = "code"


class Value(NamedTuple):
    """A value that an answer gives.

    Attributes:
        text: As the answer writes it, with its unit.
        kind: What it is; a value of the same kind may stand in its place.
        key: Equal for the same value in two answers.
        figure: A number, date or time; None of an address or a code.
        start: Where it stands in the answer.
        sentence: The sentence it stands in.
        may_go_uncounted: A small count of things, which an answer may list in place of counting them.
    """

    text: str
    kind: str
    key: str
    figure: Figure | None
    start: int
    sentence: str
    may_go_uncounted: bool = False


def reads_values(language: str) -> bool:
    """Whether values are read in a language."""
    return language == "en" or language in DIGITS_KNOWN


class ReadAnswer:
    """An answer, read once for all values that it gives and that are looked for in it.

    Attributes:
        text: The answer.
    """

    def __init__(self, text: str, question: str, language: str) -> None:
        self.text = text
        self._question = question
        self._read = Text(text, language)
        self._language = language

    @cached_property
    def claim(self) -> ClaimText:
        """As a claim is read: by what it states."""
        return ClaimText(self._read, self._question)

    @cached_property
    def index(self) -> EvidenceIndex:
        """As evidence is read: liberally."""
        return EvidenceIndex(self.text, self._language)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Its values in order, each once; none that the question has, and no number of which nobody knows of what."""
        if not (has_digit_beside_marks(self.text) or addresses_in(self.text)):
            return ()
        of_question = read_question(self._question, self._language).values
        found: dict[str, Value] = {}
        codes = self._codes
        for figure in figures_of(self.claim):
            if is_held(figure, (of_question,)) or (figure.code == "number" and not figure.noun):
                continue
            if codes and any(code.start <= figure.token.start < code.end for code in codes):
                continue
            kind, token = _kind(figure), figure.token
            key = f"{kind} {' '.join([f'{each:.9g}' for each in token.values[:3]])}"
            written = written_figure(figure, self.claim)
            sentence = self.sentence_at(token.start)
            found.setdefault(key, Value(written, kind, key, figure, token.start, sentence, may_count(figure)))
        for code in codes:
            if not holds_code(self._question, code.key):
                key, written = f"{CODE} {code.key}", self.text[code.start : code.end]
                found.setdefault(key, Value(written, CODE, key, None, code.start, self.sentence_at(code.start)))
        for address in absent_addresses(self.text, (self._question,)):
            if codes and any(code.start <= address.start < code.end for code in codes):
                continue
            key, written = f"{address.kind} {address.key}", self.text[address.start : address.end]
            sentence = self.sentence_at(address.start)
            found.setdefault(key, Value(written, address.kind, key, None, address.start, sentence))
        return tuple(sorted(found.values(), key=lambda each: each.start))

    @cached_property
    def _codes(self) -> tuple[WrittenCode, ...]:
        """Its codes, without what is read as an amount, a date or an address; a name in code is a code as well."""
        codes = tuple(codes_in(self.text))
        if not codes:
            return ()
        taken = [(each.token.start, each.token.end) for each in figures_of(self.claim) if each.code != "number"]
        taken += [(each.start, each.end) for each in addresses_in(self.text) if each.kind != "identifier"]
        return tuple([c for c in codes if not any(start < c.end and c.start < end for start, end in taken)])

    @cached_property
    def spelled_values(self) -> tuple[Value, ...]:
        """Amounts whose number it writes as a word ("twelve euros"), from two on; none that the question has."""
        if not (self._language in READ or addresses_in(self.text) or has_number_word(self.text)):
            return ()
        of_question = read_question(self._question, self._language).values
        found: dict[str, Value] = {}
        for token in self.claim.said:
            if token.kind != "number" or not token.values or token.values[0] < _SPELLED_FROM:
                continue
            figure = figure_of(token, self.claim)
            written = written_figure(figure, self.claim)
            if any(c.isdecimal() for c in written) or figure.code == "number" or is_held(figure, (of_question,)):
                continue
            kind = _kind(figure)
            key = f"{kind} {' '.join([f'{each:.9g}' for each in token.values[:3]])}"
            sentence = self.sentence_at(token.start)
            found.setdefault(key, Value(written, kind, key, figure, token.start, sentence))
        return tuple(found.values())

    @property
    def all_values(self) -> tuple[Value, ...]:
        """Its values in order, those whose number is a word among them."""
        known = {value.key for value in self.values}
        spelled = [value for value in self.spelled_values if value.key not in known]
        return tuple(sorted((*self.values, *spelled), key=lambda each: each.start)) if spelled else self.values

    def gives(self, value: Value, of: ReadAnswer) -> bool:
        """Whether it gives a value of another answer."""
        if value.figure is not None:
            return is_given(value.figure, of.claim, self.index)
        return is_written(value, of.text, (self.text,))

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of value that it has any of, numbers in words among them."""
        found = {_kind_of_code(code) for _value, code in coded_numbers(self.index.tokens)}
        found |= {token.kind for token in self.index.tokens if token.kind in {"time", "date"}}
        found |= {address.kind for address in addresses_in(self.text)}
        return frozenset(found | {CODE} if self._codes else found)

    @cached_property
    def may_spell_numbers(self) -> bool:
        """Whether it may say a number in words that are not read: it is in another language, and has such a word."""
        languages = languages_of(self.text, KNOWN)
        if languages is None:
            return True
        if "en" in languages:
            return False
        return any(expressions(language).numbers.search(self.text) for language in languages)

    def sentence_at(self, start: int) -> str:
        """The sentence of the answer that a place is in; all of it where no sentence is there."""
        for sentence in self._read.sentences:
            if sentence.start <= start < sentence.end:
                return self.text[sentence.start : sentence.end]
        return self.text


def is_written(value: Value, text: str, others: Sequence[str]) -> bool:
    """Whether one of the other texts has an address or code of this one, in any spelling of the same."""
    if value.kind == CODE:
        return any(holds_code(other, value.key.removeprefix(f"{CODE} ")) for other in others)
    return all(f"{each.kind} {each.key}" != value.key for each in absent_addresses(text, others))


@lru_cache(maxsize=64)
def read_answer(text: str, question: str, language: str) -> ReadAnswer:
    """An answer, read; one that is looked at several times is read once."""
    return ReadAnswer(text, question, language)


def _kind(figure: Figure) -> str:
    if figure.unit is not None and figure.code == "unit":
        return f"unit {figure.unit.dimension}"
    return figure.code


def _kind_of_code(code: str) -> str:
    return f"unit {UNITS[code[5:]].dimension}" if code.startswith("unit ") else code


def statement_words(sentence: str) -> frozenset[str]:
    """The words by which a statement is known again, its values aside."""
    tokens = [token for token in Text(sentence).tokens if token.kind in {"word", "unit", "money", "code"}]
    return frozenset([root(key) for key in content_of(tokens)])
