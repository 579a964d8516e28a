"""Exact quotation: a claim that is, word for word, a whole sentence of a chunk.

Whole sentences only: a cut one may have lost what qualifies it ("refunds within 30 days, except sale items").
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from raggate_action.core.sentences import sentence_spans

_SPELLINGS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "…": "..."})
_ENDS = (".", "!", "?", "。", "！", "？")
# Shorter than this, words say too little to be a statement of their own.
_SHORTEST_WORDS = 4
# Such a sentence is about whatever stands before it, which an answer may have changed.
_LEANS_BACK = re.compile(
    r"(?:it|its|they|their|them|this|these|that|those|he|she|his|her|here|there|both|such|either|neither|"
    r"the (?:same|former|latter)|one|another|others|otherwise|however|instead|also|then)\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\w+")


class Sentence(NamedTuple):
    """A sentence of a chunk: its number in the chunk and its place in the text."""

    number: int
    start: int
    end: int


class Quotation(NamedTuple):
    """Where a claim stands word for word."""

    sentence: Sentence
    words: str


class ChunkText:
    """A chunk's text, ready to be quoted from; what a look-up needs is worked out once, when it is first needed.

    Attributes:
        text: The text as it stands.
    """

    def __init__(self, text: str, language: str) -> None:
        self.text = text
        self._language = language

    @cached_property
    def words(self) -> str:
        """The whole text in the one spelling of `normal_words`."""
        return normal_words(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences, a line's end ending one too."""
        sentences: list[Sentence] = []
        at = 0
        for line in self.text.splitlines(keepends=True):
            for start, end in sentence_spans(line, self._language):
                sentences.append(Sentence(len(sentences), at + start, at + end))
            at += len(line)
        return tuple(sentences)

    @cached_property
    def by_words(self) -> dict[str, Sentence]:
        """Sentences by their words; headings and fragments without an end mark cannot be quoted."""
        found: dict[str, Sentence] = {}
        for sentence in self.sentences:
            words = normal_words(self.verbatim(sentence))
            if words.endswith(_ENDS) and words.count(" ") >= _SHORTEST_WORDS - 1:
                found.setdefault(words, sentence)
        return found

    def verbatim(self, sentence: Sentence) -> str:
        """A sentence as it stands in the text."""
        return self.text[sentence.start : sentence.end]


@lru_cache(maxsize=4096)
def chunk_text(text: str, language: str) -> ChunkText:
    """The text of a chunk, shared by all cases whose context it is in."""
    return ChunkText(text, language)


def normal_words(text: str) -> str:
    """One spelling of quotes, dashes, spaces and case; nothing that changes a meaning is changed."""
    if not text.isascii():
        text = text.translate(_SPELLINGS)
    return " ".join(text.lower().split())


def quotable_words(claim: str) -> str:
    """A claim in the spelling it is looked up by; a missing end mark is forgiven."""
    words = normal_words(claim)
    return words if words.endswith(_ENDS) else words + "."


def find_quotation(words: str, chunk: ChunkText, *, after: Sentence | None) -> Quotation | None:
    """The sentence of a chunk that the claim repeats word for word; None when there is none.

    Args:
        words: The claim, see `quotable_words`.
        chunk: The chunk.
        after: The sentence of this chunk that the claim before quoted: a sentence that leans on the one before
            it ("It contains ...") is a quotation only right behind it.
    """
    if words not in chunk.words:
        return None
    sentence = chunk.by_words.get(words)
    if sentence is None:
        return None
    if _LEANS_BACK.match(words) and sentence.number > 0 and (after is None or after.number != sentence.number - 1):
        return None
    return Quotation(sentence, chunk.verbatim(sentence))


def nearest_sentence(claim: str, chunk: ChunkText) -> tuple[int, str]:
    """How many words the most similar sentence shares with the claim, and that sentence verbatim; 0 and "" for none."""
    wanted = set(_WORDS.findall(claim.lower()))
    best, words = 0, ""
    for sentence in chunk.sentences:
        text = chunk.verbatim(sentence)
        shared = len(wanted.intersection(_WORDS.findall(text.lower())))
        if shared > best:
            best, words = shared, text
    return best, words
