"""The sentences of an answer: block by block, each with its place, its words and the markers that stand with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.text.blocks import Block, blocks, plain, without_tags
from raggate_action.core.text.citations import Marker
from raggate_action.core.text.sentences import sentence_spans

_WORD = re.compile(r"[^\W_]")


class AnswerSentence(NamedTuple):
    """A sentence of a block, or a whole table row: its place, its words and the markers that stand with it."""

    block: Block
    start: int
    end: int
    words: str
    markers: tuple[Marker, ...]


def plain_words(bare: str, start: int, end: int) -> str:
    """The words of a part of an answer, without layout, emphasis and tags."""
    return plain(bare[start:end]).removeprefix(":").lstrip()


def answer_sentences(bare: str, markers: Sequence[Marker], language: str, *, code: bool) -> list[AnswerSentence]:
    """Every sentence of an answer, in order.

    Args:
        bare: The answer, its markers blanked out.
        markers: Where they stood.
        language: ISO 639-1 code it is split by.
        code: Whether fenced code is read as prose.
    """
    untagged = without_tags(bare)
    found: list[AnswerSentence] = []
    at = 0
    for block in blocks(bare, code=code):
        spans = ((block.start, block.end),) if block.cells else _spans(untagged, block, language)
        for index, (start, end) in enumerate(spans):
            # A marker behind a stop belongs to the sentence before it.
            stop = spans[index + 1][0] if index + 1 < len(spans) else block.end
            while at < len(markers) and markers[at].start < block.start:
                at += 1
            first = at
            while at < len(markers) and markers[at].start < stop:
                at += 1
            words = block.row if block.cells else plain_words(bare, start, end)
            found.append(AnswerSentence(block, start, end, words, tuple(markers[first:at])))
    return found


def _spans(text: str, block: Block, language: str) -> tuple[tuple[int, int], ...]:
    # Lines of a paragraph are soft wraps: to the splitter they are spaces, so that none ends a sentence.
    body = text[block.start : block.end].replace("\n", " ")
    spans = [(block.start + a, block.start + b) for a, b in sentence_spans(body, language)]
    return tuple([span for span in spans if text[span[0]].isalnum() or _WORD.search(text, *span)])


def items_of_lists(sentences: Sequence[AnswerSentence]) -> dict[int, frozenset[str]]:
    """The items of every list by its number; an item of several sentences gives each."""
    items: dict[int, set[str]] = {}
    for sentence in sentences:
        if sentence.block.lead:
            items.setdefault(sentence.block.listing, set()).add(sentence.words)
    return {listing: frozenset(words) for listing, words in items.items()}
