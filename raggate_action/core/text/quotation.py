"""Exact quotation: a claim that is, word for word, a whole sentence of a chunk, or an item of its list.

Whole sentences only: a cut one may have lost what qualifies it ("refunds within 30 days, except sale items"). For
the same reason an item is quoted only in a list that has every item the chunk's list has.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from raggate_action.core.text.blocks import Block, blocks, plain, without_layout, without_links
from raggate_action.core.text.case_folding import in_digits
from raggate_action.core.text.computed_once import computed_once
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.languages import en_clauses as english
from raggate_action.core.text.sentences import sentence_spans
from raggate_action.core.text.text import ENDS, IDEOGRAPH, UNSPACED, Sentence, Text, normal_words, quotable_words

# Shorter than this, words say too little to be a statement of their own.
_SHORTEST_WORDS = 4
_WORDS = re.compile(r"\w+")
_MARKUP = ("|", "*", "_", "`", "<", "](")
_new = tuple.__new__  # a third of the time that calling the class takes
_VERBS = english.AUXILIARIES | english.VERBS
_HEADINGS = re.compile(r"^[ \t]{0,3}(?:#{1,6}[ \t]+(.+)|\*\*([^*\n]+)\*\*[ \t]*:?[ \t]*$)", re.MULTILINE)
# A line as long as this that ends in the middle of a sentence was broken for its width.
_BROKEN_FROM = 60


class Quotation(NamedTuple):
    """Where a claim stands word for word."""

    sentence: Sentence
    words: str


class ListItem(NamedTuple):
    """A claim that is an item of a list: what introduces the list, the item, every item beside it, and the heading."""

    lead: str
    item: str
    beside: frozenset[str]
    heading: str = ""


class _Listing(NamedTuple):
    """A list of a chunk: the items by their words."""

    items: dict[str, Sentence]
    words: frozenset[str]


class ChunkText(Text):
    """A chunk's text, ready to be quoted from."""

    @computed_once
    def _in_digits(self) -> str:
        return in_digits(self.normal)

    @computed_once
    def marked_up(self) -> bool:
        """It may hold markup, which spells its sentences otherwise than `normal` does."""
        return any(map(self.raw.__contains__, _MARKUP))

    def split(self) -> None:
        """Find the sentences by their words now."""
        _ = self.by_words

    def may_hold(self, words: str) -> bool:
        """A quick look before sentences are read; once they are, looking through the whole text is the slow way."""
        return "by_words" in vars(self) or words.removesuffix(".") in self._in_digits

    @computed_once
    def _read(self) -> tuple[tuple[Sentence, Block], ...]:
        found: list[tuple[Sentence, Block]] = []
        for block in blocks(without_layout(self.raw), code=True):
            for start, end in _whole_sentences(self.raw, block, self.language):
                found.append((_new(Sentence, (len(found), start, end)), block))
        return tuple(found)

    @computed_once
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences, table rows among them; a line's end ends one too, unless the line was broken for its width."""
        return tuple([sentence for sentence, _block in self._read])

    @computed_once
    def by_words(self) -> dict[str, Sentence]:
        """Sentences by their words, but for items of a list that something introduces: alone they say less."""
        found: dict[str, Sentence] = {}
        # Of most texts each sentence stands in the normal spelling where it stands in the text.
        in_place = self.raw.isascii() and len(self.normal) == len(self.raw) and not self.marked_up
        spelled_out = self._in_digits != self.normal
        for sentence, block in self._read:
            if block.lead:
                continue
            if in_place and self.raw[sentence.end - 1] in ".!?":
                words = self.normal[sentence.start : sentence.end]
                # A sentence behind a blank has the words of the text, none cut off another.
                if spelled_out or (sentence.start and self.normal[sentence.start - 1] != " "):
                    words = in_digits(words)
                if words.count(" ") + 1 >= _SHORTEST_WORDS:
                    found.setdefault(words, sentence)
                continue
            verbatim = self.verbatim(sentence)
            spellings: Iterable[str] = (verbatim,)
            if self.marked_up:
                verbatim = block.row if block.cells else plain(verbatim)
                spellings = dict.fromkeys((verbatim, without_links(verbatim)))
            for spelling in spellings:
                unstopped = not block.cells and not spelling.endswith(ENDS) and not _has_verb(spelling)
                words = in_digits(normal_words(spelling)) if unstopped else quotable_words(spelling)
                if _word_count(words) >= _SHORTEST_WORDS:
                    found.setdefault(words, sentence)
        return found

    @computed_once
    def headings(self) -> dict[int, str]:
        """The words of the heading that list items and table rows stand under, by the number of their sentence."""
        return {sentence.number: _bare_words(block.heading) for sentence, block in self._read if block.heading}

    @computed_once
    def lists(self) -> dict[str, _Listing]:
        """Lists by the words that introduce them; of two with the same introduction neither is quoted."""
        by_listing: dict[tuple[str, int], dict[str, Sentence]] = {}
        for sentence, block in self._read:
            if block.lead:
                words = _bare_words(plain(self.verbatim(sentence)))
                by_listing.setdefault((_bare_words(block.lead), block.listing), {})[words] = sentence
        leads = Counter(lead for lead, _listing in by_listing)
        return {
            lead: _Listing(items, frozenset(items))
            for (lead, _listing), items in by_listing.items()
            if leads[lead] == 1
        }

    def verbatim(self, sentence: Sentence) -> str:
        """A sentence as it stands in the text."""
        return self.raw[sentence.start : sentence.end]


# Wide ranges take milliseconds to compile: only for texts that are not ASCII.
@cache
def _word_long() -> re.Pattern[str]:
    """Words, in scripts without spaces about as many characters as make one."""
    return re.compile(rf"[{IDEOGRAPH}]{{2}}|[{UNSPACED}]{{4}}|[^\W{IDEOGRAPH}{UNSPACED}][^\s{IDEOGRAPH}{UNSPACED}]*")


@lru_cache(maxsize=4096)
def chunk_text(text: str, language: str) -> ChunkText:
    """The text of a chunk, shared by all cases whose context it is in."""
    return ChunkText(text, language)


def _has_verb(text: str) -> bool:
    """Whether it is a sentence even without a stop, and no heading. English only."""
    return not _VERBS.isdisjoint(_WORDS.findall(text.lower()))


def find_quotation(claim: Text, chunk: ChunkText, *, after: Sentence | None, heading: str = "") -> Quotation | None:
    """The sentence of a chunk that the claim repeats word for word; None when there is none.

    Args:
        claim: The claim; found as well behind words that only say where it is from.
        chunk: The chunk.
        after: The sentence of this chunk that the claim before quoted: a sentence that leans on the one before
            it ("It contains ...") is a quotation only right behind it.
        heading: The heading the claim stands under; an item or row of the chunk is quoted under its own only, which
            may be what it is about.
    """
    words = claim.quotable
    sentence = chunk.by_words.get(words) if chunk.may_hold(words) or chunk.marked_up else None
    if sentence is None:
        behind = claim.behind_lead
        return find_quotation(behind, chunk, after=after, heading=heading) if behind else None
    follows = sentence.number == 0 or (after is not None and after.number == sentence.number - 1)
    if not follows and leans_back(words, chunk.language):
        return None
    if not _is_under(heading, sentence, chunk):
        return None
    return Quotation(sentence, chunk.verbatim(sentence))


def find_item(claim: ListItem, chunk: ChunkText) -> Quotation | None:
    """The item of a chunk's list that the claim repeats behind the same introduction; None when there is none.

    An answer that leaves an item of that list out may have left out a condition, and quotes none.
    """
    item = _bare_words(claim.item)
    if not chunk.may_hold(item):
        return None
    listing = chunk.lists.get(_bare_words(claim.lead))
    if listing is None or item not in listing.items or not _all_among(listing.words, claim.beside):
        return None
    sentence = listing.items[item]
    return Quotation(sentence, chunk.verbatim(sentence)) if _is_under(claim.heading, sentence, chunk) else None


def sentence_sharing_most(claim: str, chunk: ChunkText) -> tuple[int, str]:
    """How many words the most similar sentence shares with the claim, and that sentence verbatim; 0 and "" for none."""
    wanted = set(_WORDS.findall(claim.lower()))
    best, words = 0, ""
    for sentence in chunk.sentences:
        text = chunk.verbatim(sentence)
        shared = len(wanted.intersection(_WORDS.findall(text.lower())))
        if shared > best:
            best, words = shared, text
    return best, words


def _is_under(heading: str, sentence: Sentence, chunk: ChunkText) -> bool:
    own = chunk.headings.get(sentence.number)
    return own is None or own == _bare_words(heading)


def _word_count(words: str) -> int:
    return words.count(" ") + 1 if words.isascii() else len(_word_long().findall(words))


@lru_cache(maxsize=256)
def _all_among(wanted: frozenset[str], given: frozenset[str]) -> bool:
    return wanted <= {_bare_words(item) for item in given}


def _bare_words(text: str) -> str:
    """Words without the mark or joint they end in, which a place in a list decides."""
    return normal_words(text).rstrip(".;:,").removesuffix(" and").removesuffix(" or").rstrip(",;")


def _whole_sentences(text: str, block: Block, language: str) -> list[tuple[int, int]]:
    if block.cells:
        return [(block.start, block.end)]
    return [
        (start + first, start + last)
        for start, end in _stretches(text, block)
        for first, last in sentence_spans(text[start:end].replace("\n", " ").replace("\r", " "), language)
    ]


def _stretches(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """The lines of a block; one that goes on in the next, broken for its width, is one stretch with it."""
    start = at = block.start
    lines = text[block.start : block.end].splitlines(keepends=True)
    if len(lines) == 1:
        yield block.start, block.end
        return
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        at += len(line)
        words, then = line.strip(), following.strip()
        goes_on = then and not words.endswith((".", "!", "?", ":", ";", "。", "！", "？"))
        if not (goes_on and (then[0].islower() or len(words) >= _BROKEN_FROM)):
            yield start, at
            start = at
