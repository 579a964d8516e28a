"""The values that an answer gives, as the evidence checks read them, and whether another text gives them as well."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from raggate_action.core.claims.reference_answer import is_given
from raggate_action.core.evidence_checks.claim_check import DIGITS_KNOWN
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, content_of
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.evidence_values import is_conversion, is_held
from raggate_action.core.text.identifiers import absent_addresses, addresses_in
from raggate_action.core.text.text import Text, read_question
from raggate_action.core.text.values import Value

# A number from here on with which nothing is counted names something: an order, a part, an error. In code the name of
# such a thing has as many digits.
_CODE_FROM = 100
_CODE_DIGITS = 3
_NAME = re.compile(r"\w+(?:[-./]\w+)*")
# "one day" and "a euro" are rarely what an answer is about, and "a million euros" rarely a number.
_SPELLED = range(2, 100)
# Share of the words of a statement, its values aside, that the same statement has elsewhere.
_SAME_STATEMENT = 0.6


class GivenValue(NamedTuple):
    """A value that an answer gives.

    Attributes:
        text: As the answer writes it, with its unit.
        kind: What it is; a value of the same kind may stand in its place.
        key: Equal for the same value in two answers.
        start: Where it stands in the answer.
        sentence: The sentence it stands in.
        figure: A number, date or time; None of an address.
        claim: The answer.
    """

    text: str
    kind: str
    key: str
    start: int
    sentence: str
    figure: Value | None
    claim: ClaimText

    def is_given_by(self, index: EvidenceIndex) -> bool:
        """Whether an answer gives it, in any spelling, rounding or unit, either way round."""
        return self.is_held_by(index) or (self.figure is not None and is_given(self.figure, self.claim, index))

    def is_held_by(self, index: EvidenceIndex) -> bool:
        """Whether evidence holds it, in any spelling or unit."""
        if self.figure is not None:
            return is_held(self.figure, (index.figures,)) or is_conversion(self.figure, (index.figures,))
        return all(f"{each.kind} {each.key}" != self.key for each in absent_addresses(self.claim.raw, (index.text,)))

    def is_stated_in(self, sentence: str) -> bool:
        """Whether a sentence makes the statement that the value stands in, with whatever value."""
        wanted = _statement_words(self.sentence)
        return bool(wanted) and len(wanted & _statement_words(sentence)) >= _SAME_STATEMENT * len(wanted)


def reads_values(language: str) -> bool:
    """Whether values are read in a language."""
    return language == "en" or language in DIGITS_KNOWN


class ReadAnswer:
    """An answer, read once: as a claim, by what it states, and as evidence, liberally.

    Attributes:
        claim, index: The readings.
    """

    def __init__(self, text: str, question: str, language: str) -> None:
        self._read = Text(text, language)
        self.claim = ClaimText(self._read, question)
        self.index = EvidenceIndex(text, language)

    @cached_property
    def values(self) -> tuple[GivenValue, ...]:
        """Its values in order, each once; none that the question has, and no number of which nobody knows of what.

        A number in words has to have a unit.
        """
        asked = read_question(self.claim.question, self.claim.language)
        found: dict[str, GivenValue] = {}
        for value in self._all:
            figure, is_bare = value.figure, value.kind in {"number", "code"}
            if figure is None:
                is_own = not value.is_held_by(EvidenceIndex(asked.raw, asked.language))
            elif any(c.isdecimal() for c in value.text):
                is_own = value.kind != "code" or figure.number >= _CODE_FROM
            else:
                is_own = figure.number in _SPELLED and not is_bare
            if is_own and (figure is None or not is_held(figure, (asked.figures,))):
                found.setdefault(value.key, value)
        return tuple(found.values())

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of value that it has any of."""
        return frozenset([each.kind for each in self._all])

    @cached_property
    def _all(self) -> list[GivenValue]:
        claim, found = self.claim, []
        for figure in claim.values:
            token = figure.token
            if token.kind in {"number", "date", "time", "code"}:
                kind = "code" if figure.kind == "number" and not figure.noun else figure.kind
                if kind == "unit" and figure.unit is not None:
                    kind = f"unit {figure.unit.dimension}"
                key = f"{kind} {' '.join([f'{each:.9g}' for each in token.values[:3]])}"
                start, written = token.start, " ".join(claim.raw[slice(*figure.span)].split())
                if kind == "code":  # the name that the number is in, as "XJ-900-B"
                    start, written = next(
                        ((name.start(), name[0]) for name in _NAME.finditer(claim.raw) if name.end() > start),
                        (start, written),
                    )
                found.append(GivenValue(written, kind, key, start, self._sentence_at(start), figure, claim))
        for address in addresses_in(claim.raw):
            start, written = address.start, claim.raw[address.start : address.end]
            key = f"{address.kind} {address.key}"
            if address.kind != "identifier" or sum(c.isdecimal() for c in written) >= _CODE_DIGITS:
                found.append(GivenValue(written, address.kind, key, start, self._sentence_at(start), None, claim))
        return sorted(found, key=lambda each: each.start)

    def _sentence_at(self, start: int) -> str:
        """The sentence that a place is in; all of the answer where no sentence is there."""
        spans = [(each.start, each.end) for each in self._read.sentences if each.start <= start < each.end]
        return self.claim.raw[slice(*spans[0])] if spans else self.claim.raw


@lru_cache(maxsize=64)
def read_answer(text: str, question: str, language: str) -> ReadAnswer:
    """An answer, read; one that is looked at several times is read once."""
    return ReadAnswer(text, question, language)


def _statement_words(sentence: str) -> frozenset[str]:
    """The words by which a statement is known again, its values aside."""
    tokens = [token for token in Text(sentence).tokens if token.kind in {"word", "unit", "money", "code"}]
    return frozenset([root(key) for key in content_of(tokens)])
