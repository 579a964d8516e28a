"""A claim as the checks read it: what it states, held against its question and the evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from raggate_action.core.evidence_checks.evidence_index import Wanted, content_of
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.english_or_foreign import is_other_script, reads_as_english, reads_as_foreign
from raggate_action.core.text.languages.common_words import reads_as_another
from raggate_action.core.text.languages.en_words import COMPARING, RECKONING
from raggate_action.core.text.text import Text, normal_words, read_question
from raggate_action.core.text.values import Value
from raggate_action.schema.case import Case

_PARTS = frozenset((":", ";", "—"))
# Share of a claim's meaning words that a sentence must hold to be laid beside it.
_HELD = 0.5
_SIGNS = re.compile(r"[×÷=]|\d\W{0,2}[*+]\W{0,2}\d")


def is_bound(words: Sequence[Token], place: int) -> bool:
    """Whether a word that compares only bounds or describes: "more than 7", "a late book", "no longer".

    "5 euros less", "2 days too late", "how much longer" and "lower by 5 %" tell a difference.

    Args:
        words: A sentence without punctuation.
        place: Where the word stands.
    """
    if words[place].key not in COMPARING:
        return False
    before, behind = words[max(0, place - 3) : place], words[place + 1 : place + 2]
    told = any(each.kind in {"number", "money", "unit"} for each in before) and not (before and before[-1].key == "no")
    beside = {*[each.key for each in before[-1:]], *[f"{each.key} behind" for each in behind]}
    return not (told or beside & {"much", "many", "far", "by behind"})


class ClaimText:
    """A claim by what it states.

    Attributes:
        raw: As it stands in the answer.
        may_name_addresses: It may hold an address or a name in code.
        bare: The same length, with marks, code and addresses blanked out.
        language: ISO 639-1 code it is read in.
        question: What was asked; empty when unknown.
    """

    def __init__(self, text: Text, question: str, case: Case | None = None) -> None:
        self.raw = text.raw
        self.may_name_addresses = text.addressless is not text or "`" in text.raw
        self._stated = text.stated
        self.bare = self._stated.raw
        self.language = text.language
        self.question = question
        self._case = case

    @property
    def compared(self) -> str:
        """What it states, as it is compared: of the same length."""
        return self._stated.compared

    @property
    def tokens(self) -> list[Token]:
        """Its tokens."""
        return self._stated.tokens

    @property
    def said(self) -> list[Token]:
        """Its tokens without punctuation."""
        return self._stated.said

    @property
    def values(self) -> Sequence[Value]:
        """The values that it states."""
        return self._stated.values

    def value_at(self, start: int) -> Value | None:
        """The value that stands there."""
        return next((value for value in self.values if value.token.start == start), None)

    @property
    def figures(self) -> list[Value]:
        """Its values in digits; words for numbers are summaries, digits inside names are names."""
        read = self.compared
        return [
            value
            for value in self.values
            if value.kind != "code" and any(c.isdecimal() for c in read[value.token.start : value.token.end])
        ]

    @cached_property
    def content(self) -> frozenset[str]:
        """Keys that carry meaning."""
        return content_of(self.tokens)

    @cached_property
    def wanted(self) -> Wanted:
        """What a sentence that the claim may follow has to hold."""
        return Wanted(self.content, max(_HELD * len(self.content), 2))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, lower-cased."""
        return frozenset(self.bare[t.start : t.end].lower() for t in self.tokens if t.kind == "word")

    @cached_property
    def spellings(self) -> frozenset[str]:
        """In the spelling sentences are looked up by, as it stands and without what is not said."""
        return frozenset((normal_words(self.raw), normal_words(self.bare)))

    @cached_property
    def beside(self) -> str:
        """What was shown beside question and chunks."""
        return self._case.texts_beside if self._case is not None else ""

    @cached_property
    def asked(self) -> frozenset[str]:
        """Keys of the question's words."""
        return read_question(self.question, self.language).keys

    @cached_property
    def is_compound(self) -> bool:
        """It says two things, parted by a colon or semicolon: a denial in one is none of the other."""
        marks = [token for token in self.tokens[:-1] if token.kind == "mark"]
        return any(token.key in _PARTS for token in marks)

    @cached_property
    def reckons(self) -> bool:
        """It or its question reads as if something were worked out: "together", "left", "twice", "3 × 20 ="."""
        return bool(_SIGNS.search(self.bare)) or any(
            token.key in RECKONING and not is_bound(words, place)
            for words in (self.said, read_question(self.question, self.language).said)
            for place, token in enumerate(words)
        )

    @cached_property
    def is_other_script(self) -> bool:
        """Most of its letters are not Latin ones."""
        return is_other_script(self.bare)

    @cached_property
    def is_english(self) -> bool:
        """It reads as English."""
        return reads_as_english(self.words, self.bare)

    @cached_property
    def is_foreign(self) -> bool:
        """It reads as another language than the one it is read in."""
        if self.language != "en":
            return reads_as_another(self.bare, self.language)
        return reads_as_foreign(self.words, self.bare)
