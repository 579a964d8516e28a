"""A text that is read once: whoever needs it in a spelling asks it, instead of spelling it again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.text.attribution_phrases import without_source_lead
from raggate_action.core.text.case_folding import folded, in_digits
from raggate_action.core.text.computed_once import computed_once

if TYPE_CHECKING:
    from raggate_action.core.text.canonical_form import Token
    from raggate_action.core.text.evidence_values import Figures
    from raggate_action.core.text.values import Value

# One spelling of quotes, dashes, spaces and end marks; marks of direction and invisible joints are left out.
_SPELLINGS = str.maketrans(
    "’‘“”–—‐‑。！？｡۔؟\u00a0\u3000",
    "''\"\"----.!?..?  ",
    "\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff",
)
ENDS = (".", "!", "?", "।")
IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
UNSPACED = "\u0e00-\u0edf\u1000-\u109f\u1780-\u17ff"
_WORD = re.compile(r"\w+")
# Bytes of ASCII in lower case; what is part of no word is a space.
_IN_WORDS = bytes([ord(chr(code).lower()) if _WORD.match(chr(code)) else ord(" ") for code in range(128)]) + bytes(128)
# Thai and its neighbours mark no sentence's end.
_ENDS_UNMARKED = re.compile(rf"[{UNSPACED}]$")


class Sentence(NamedTuple):
    """A sentence of a text: its number and its place."""

    number: int
    start: int
    end: int


class Text:
    """A text and its readings, each made when it is first asked for and kept as long as the text.

    A claim of an answer is one as long as its case is judged, a chunk's text as long as chunks are remembered.

    Attributes:
        raw: The text as it stands.
        language: ISO 639-1 code of its language.
    """

    def __init__(self, raw: str, language: str = "en") -> None:
        self.raw = raw
        self.language = language

    # What only some texts are asked for is loaded when the first one is: labelled runs need none of it.

    @computed_once
    def tokens(self) -> list[Token]:
        """Its tokens in order, punctuation included."""
        from raggate_action.core.text.read_in_english import tokens_in

        return tokens_in(self.raw, self.language)

    @computed_once
    def said(self) -> list[Token]:
        """Its tokens without punctuation."""
        return [token for token in self.tokens if token.kind != "mark"]

    @computed_once
    def keys(self) -> frozenset[str]:
        """Keys of all its tokens."""
        return frozenset([token.key for token in self.tokens])

    @computed_once
    def values(self) -> Sequence[Value]:
        """The values that it states, in order."""
        from raggate_action.core.text.values import read_values

        return read_values(self.tokens, self.compared)

    @computed_once
    def figures(self) -> Figures:
        """Every number, date and time that it can be read to hold."""
        from raggate_action.core.text.evidence_values import Figures
        from raggate_action.core.text.languages.word_tables import READ
        from raggate_action.core.text.read_in_english import in_english

        if self.language not in READ:
            return Figures(self.raw, self.tokens)
        read = Text(in_english(self.raw, self.language).text)
        return Figures(read.raw, read.tokens)

    @computed_once
    def compared(self) -> str:
        """The same length, as its words and numbers are looked at beside another text's of its language."""
        from raggate_action.core.text.languages.word_tables import READ
        from raggate_action.core.text.read_in_english import in_english_figures

        return in_english_figures(self.raw) if self.language in READ else self.raw

    @computed_once
    def sentences(self) -> Sequence[Sentence]:
        """Its sentences in order; a blank text has none."""
        from raggate_action.core.text.sentences import sentence_spans

        return [Sentence(number, *span) for number, span in enumerate(sentence_spans(self.raw, self.language))]

    @computed_once
    def addressless(self) -> Text:
        """The same with blanks for its addresses and names in code, every place staying true; itself without any."""
        from raggate_action.core.text.identifiers import without_addresses

        plain = without_addresses(self.raw)
        return self if plain == self.raw else Text(plain, self.language)

    @computed_once
    def stated(self) -> Text:
        """The same with blanks for all that states nothing, see `without_unstated`, every place staying true."""
        from raggate_action.core.text.stated_words import without_unstated

        bare = without_unstated(self.addressless.raw)
        return self if bare == self.raw else Text(bare, self.language)

    @computed_once
    def words(self) -> str:
        """In the spelling that labels are looked up in with one blank between words, in which phrases are looked up."""
        return " ".join(folded(self.raw).split())

    @computed_once
    def normal(self) -> str:
        """In the spelling of `normal_words`."""
        return normal_words(self.raw)

    @computed_once
    def quotable(self) -> str:
        """In the spelling of `quotable_words`."""
        return quotable_words(self.raw)

    @computed_once
    def behind_lead(self) -> Text | None:
        """What stands behind words that only say where it is from; None where it begins with none."""
        behind = without_source_lead(self.quotable)
        return Text(behind) if behind else None


@lru_cache(maxsize=16)
def read_question(question: str, language: str = "en") -> Text:
    """A question, shared by all who read it: disclosure, and every claim of its answer."""
    return Text(question, language)


# Wide ranges take milliseconds to compile: only for texts that are not ASCII.
@cache
def _between_ideographs() -> re.Pattern[str]:
    return re.compile(rf"(?<=[{IDEOGRAPH}]) (?=[{IDEOGRAPH}])")


def normal_words(text: str) -> str:
    """One spelling of quotes, dashes, spaces, end marks, accents (NFC) and case; no meaning changes."""
    if text.isascii():
        return " ".join(text.lower().split())
    text = unicodedata.normalize("NFC", text).translate(_SPELLINGS).replace("…", "...")
    return _between_ideographs().sub("", " ".join(text.lower().split()))


def words_alone(text: str) -> str:
    """The words of a text, spelled by `normal_words`, a space apart: equal for texts that differ in marks alone."""
    if text.isascii():
        # As below, in a tenth of the time.
        return b" ".join(text.encode().translate(_IN_WORDS).split()).decode()
    return " ".join(_WORD.findall(normal_words(text)))


def quotable_words(claim: str) -> str:
    """A claim in the spelling it is looked up by; a missing end mark is forgiven, and small numbers are digits."""
    words = in_digits(normal_words(claim))
    return words if words.endswith(ENDS) or _ENDS_UNMARKED.search(words) else words + "."
