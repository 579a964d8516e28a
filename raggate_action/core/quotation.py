"""Exact quotation: a claim that is, word for word, a whole sentence of a chunk.

Whole sentences only: a cut one may have lost what qualifies it ("refunds within 30 days, except sale items").
"""

from __future__ import annotations

import re
from functools import lru_cache
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


class SentenceIndex(NamedTuple):
    """A chunk's text, ready to be quoted from. Built once per text."""

    text: str
    sentences: tuple[Sentence, ...]
    by_words: dict[str, Sentence]


@lru_cache(maxsize=4096)
def index_sentences(text: str, language: str) -> SentenceIndex:
    """Index the sentences of a chunk; headings and fragments without an end mark are left out of quotation."""
    sentences: list[Sentence] = []
    by_words: dict[str, Sentence] = {}
    at = 0
    for line in text.splitlines(keepends=True):
        for start, end in sentence_spans(line, language):
            sentence = Sentence(len(sentences), at + start, at + end)
            sentences.append(sentence)
            words = normal_words(line[start:end])
            if words.endswith(_ENDS) and words.count(" ") >= _SHORTEST_WORDS - 1:
                by_words.setdefault(words, sentence)
        at += len(line)
    return SentenceIndex(text, tuple(sentences), by_words)


def normal_words(text: str) -> str:
    """One spelling of quotes, dashes, spaces and case; nothing that changes a meaning is changed."""
    return " ".join(text.translate(_SPELLINGS).lower().split())


def find_quotation(claim: str, index: SentenceIndex, *, after: Sentence | None) -> Quotation | None:
    """The sentence of a chunk that the claim repeats word for word; None when there is none.

    Args:
        claim: The claim's text; a missing end mark is forgiven.
        index: The chunk.
        after: The sentence of this chunk that the claim before quoted: a sentence that leans on the one before
            it ("It contains ...") is a quotation only right behind it.
    """
    words = normal_words(claim)
    sentence = index.by_words.get(words if words.endswith(_ENDS) else words + ".")
    if sentence is None:
        return None
    if _LEANS_BACK.match(words) and sentence.number > 0 and (after is None or after.number != sentence.number - 1):
        return None
    return Quotation(sentence, index.text[sentence.start : sentence.end])


def nearest_sentence(claim: str, index: SentenceIndex) -> tuple[int, str]:
    """How many words the most similar sentence shares with the claim, and that sentence verbatim; 0 and "" for none."""
    wanted = set(_WORDS.findall(claim.lower()))
    best, words = 0, ""
    for sentence in index.sentences:
        text = index.text[sentence.start : sentence.end]
        shared = len(wanted.intersection(_WORDS.findall(text.lower())))
        if shared > best:
            best, words = shared, text
    return best, words
