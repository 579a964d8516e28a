"""The sentences of an answer: block by block, each with its place, its words and the markers that stand with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from raggate_action.core.text.blocks import Block, blocks, plain, without_tags
from raggate_action.core.text.canonical_form import stem
from raggate_action.core.text.citations import Marker
from raggate_action.core.text.languages import en_clauses as english
from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.core.text.languages.en_words import BOUNDS, CONDITIONS, FILLERS, STOP_WORDS
from raggate_action.core.text.languages.language_rules import KNOWN, in_any_language, rules_of
from raggate_action.core.text.languages.word_tables import READ, english_words_of
from raggate_action.core.text.sentences import sentence_spans

_WORD = re.compile(r"[^\W_]")
# A lead of at most ten words without a digit, and what parts it from at least three more.
_LEAD_WORD = r"[^\s:\[\]\d]{1,40}"
_LEAD = re.compile(
    rf"[*_¡]{{0,4}}((?:{_LEAD_WORD}\s){{0,9}}?{_LEAD_WORD}?)[*_]{{0,3}}"
    r"(?: ?:[*_]{0,3}| [–—-])\s+(?=(?:\S+\s+){2}\S)"
)
# With these a speaker speaks; any other function word may join a condition, and an adverb say how often.
_SPEAKING = FILLERS - {"am", "an"} | set("i you me we us can could may might to and here what".split())  # noqa: SIM905
_JOINING = (STOP_WORDS - _SPEAKING).union(
    BOUNDS, CONDITIONS, english.PREPOSITIONS, english.SCOPES - {"what"}, english.REPORTS, english.ADVERBS
)


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


@cache
def _courtesies() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join([rules_of(language).source_lead.courtesy for language in KNOWN])})(?!\w)")


def without_courtesy(
    sentence: AnswerSentence, bare: str, is_said: Callable[[str], bool], phrases: Sequence[str]
) -> AnswerSentence:
    """The sentence, or the item of a list, without a polite lead before a colon or a dash ("Yes, gladly: ...").

    Args:
        sentence: A sentence of the answer.
        bare: The answer, its markers blanked out.
        is_said: Whether a word, in small letters, stands in the question or in the evidence.
        phrases: What required points are recognised by, case-folded: a lead that holds one is an answer.
    """
    block, end = sentence.block, sentence.end
    found = None if block.cells else _LEAD.match(bare, sentence.start, end)
    # The item of a list may be as short as it likes.
    led = found or (_LEAD.match(f"{block.lead} to be told") if block.lead else None)
    if led is None:
        return sentence
    start = found.end() if found else sentence.start
    lead, statement = led[1].lower().replace("’", "'"), bare[start:end].lower()
    if any(phrase in lead for phrase in phrases):
        return sentence
    if not _is_courtesy(lead, lambda word: word not in statement and is_said(word)):
        return sentence
    if found is None:
        return sentence._replace(block=block._replace(lead=""))
    return sentence._replace(start=start, words=plain_words(bare, start, end))


def _is_courtesy(lead: str, is_said: Callable[[str], bool]) -> bool:
    """Whether words begin politely, or with a yes and more, and go on in any but such as may bound a statement.

    These say when or for whom it holds: "Sure, for members". A yes alone is an answer.
    """
    answer = in_any_language("yes_or_no").match(lead)
    spoken = lead[answer.end() :] if answer else lead
    rest = _courtesies().sub(" ", spoken)
    words = re.findall(r"[^\W_]+", rest)
    is_polite = rest != spoken or (answer and not COMMON_WORDS.issuperset(words))
    return bool(is_polite) and not any(_may_bound(word, is_said) for word in words)


def _may_bound(word: str, is_said: Callable[[str], bool]) -> bool:
    told = next((table.words[word] for table in map(english_words_of, READ) if word in table.words), word)
    if stem(word) in _SPEAKING:
        return word in english.ADVERBS
    if not _JOINING.isdisjoint((word, stem(word), told, stem(told))):
        return True
    # One letter or two are left of "I'm" and "we'd".
    return len(word) > 2 and stem(told) not in _SPEAKING and (word in COMMON_WORDS or is_said(word))


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
