"""Prose to claims: one proposition, list item or table row each, with its citations and its place in the answer."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from typing import NamedTuple

from raggate_action.core.text.abstention import carries_no_claim, declines
from raggate_action.core.text.addresses import addresses_in
from raggate_action.core.text.blocks import Block, blocks, has_code, plain, without_layout, without_tags
from raggate_action.core.text.citations import Marker, find_markers, resolve, without_markers
from raggate_action.core.text.footnotes import Footnotes, read_footnotes
from raggate_action.core.text.propositions import propositions
from raggate_action.core.text.sentences import sentence_spans

_WORD = re.compile(r"[^\W_]")


class Joined(NamedTuple):
    """A sentence that joins several claims: its words, and each claim's, as in `ProseClaim.text`."""

    whole: str
    parts: tuple[str, ...]


class ProseClaim(NamedTuple):
    """A claim as it stands in prose.

    Attributes:
        text: What is asserted, markers and emphasis gone; a list item stands behind its lead-in, a table row
            behind its column heads, a part of a sentence behind the subject it shares.
        start, end: Its place in the answer.
        raw: Its words as they stand there, markers made blank in place.
        citations: Chunk ids it cites, resolved where possible.
        lead: The lead-in that `text` begins with, ending in a colon; empty without one.
        listed: Every item of its list, the lead-in left out; empty without a lead-in.
        heading: The heading a list item or table row stands under; empty without one.
        joined: The sentence it is a part of; None where it is the whole of it.
    """

    text: str
    start: int
    end: int
    raw: str
    citations: tuple[str, ...]
    lead: str = ""
    listed: frozenset[str] = frozenset()
    heading: str = ""
    joined: Joined | None = None


class Prose(NamedTuple):
    """An answer read.

    Attributes:
        claims: What it asserts, in order.
        declined: At least one sentence declines, and none asserts anything.
        referrals: Sentences that assert nothing and send the reader to an address: no claims, unless it is invented.
    """

    claims: tuple[ProseClaim, ...]
    declined: bool
    referrals: tuple[ProseClaim, ...] = ()


class _Sentence(NamedTuple):
    """A sentence of a block, or a whole table row: its place, its words and the markers that stand with it."""

    block: Block
    start: int
    end: int
    words: str
    markers: tuple[Marker, ...]


def read_prose(
    text: str, context_ids: Sequence[str], *, patterns: Sequence[re.Pattern[str]], known: Container[str], language: str
) -> Prose:
    """Split an answer into the claims it makes. Linear in its length.

    Questions, greetings and courtesy carry no claim; sentences that decline are no claims either, nor are headings,
    rules, definitions of footnotes and links, lists of sources, and fenced code beside which anything else stands.

    Args:
        text: The answer; untrusted.
        context_ids: What the model was shown, in order, for citations by position.
        patterns: Citation marker expressions of the suite.
        known: Chunk ids.
        language: ISO 639-1 code of the answer.
    """
    notes = read_footnotes(without_layout(text), known)
    markers = find_markers(notes.text, patterns, known)
    bare = notes.without_marks(without_markers(notes.text, markers))
    found = _sentences(bare, markers, language, code=False)
    if not found and has_code(bare):
        found = _sentences(bare, markers, language, code=True)
    claims: list[ProseClaim] = []
    referrals: list[ProseClaim] = []
    declined = False
    lists = _lists(found)
    for sentence in found:
        block = sentence.block
        if not block.cells and declines(sentence.words, language):
            declined = True
        elif block.cells or not carries_no_claim(sentence.words, language):
            parts = _stating(sentence, bare, language)
            said = tuple([_behind(block.lead, part.words) for part in parts])
            joined = Joined(_behind(block.lead, sentence.words), said) if len(parts) > 1 else None
            listed = lists[block.listing] if block.lead else frozenset()
            for part, words in zip(parts, said, strict=True):
                cited = _cited(part, notes, context_ids, known)
                raw = bare[part.start : part.end]
                claims.append(
                    ProseClaim(words, part.start, part.end, raw, cited, block.lead, listed, block.heading, joined)
                )
        elif addresses_in(text[sentence.start : sentence.end]):
            raw, cited = text[sentence.start : sentence.end], _cited(sentence, notes, context_ids, known)
            referrals.append(ProseClaim(raw, sentence.start, sentence.end, raw, cited))
    return Prose(tuple(claims), declined and not claims, tuple(referrals))


def _behind(lead: str, words: str) -> str:
    return f"{lead} {words}" if lead else words


def _cited(sentence: _Sentence, notes: Footnotes, context_ids: Sequence[str], known: Container[str]) -> tuple[str, ...]:
    tokens = [token for marker in sentence.markers for token in marker.tokens]
    cited = [chunk_id for token in tokens for chunk_id in notes.cited_by(token, known)]
    return tuple(dict.fromkeys(resolve(token, context_ids, known) for token in cited))


def _stating(sentence: _Sentence, bare: str, language: str) -> list[_Sentence]:
    """The propositions a sentence states; a row and a sentence that makes one only stay as they are.

    A part that declines, or asserts nothing, is left out beside one that asserts something. A marker belongs to the
    parts before it back to the marker before.
    """
    block = sentence.block
    found = () if block.cells else propositions(bare[sentence.start : sentence.end], language)
    parts: list[_Sentence] = []
    later: tuple[Marker, ...] = ()
    stop = sentence.start
    for number in range(len(found) - 1, -1, -1):
        start, end = sentence.start + found[number].start, sentence.start + found[number].end
        own = tuple([m for m in sentence.markers if m.start >= start and (not parts or m.start < stop)])
        later, stop = own or later, start
        words = f"{found[number].carried} {_words(bare, start, end)}".lstrip()
        parts.insert(0, _Sentence(block, start, end, words, later))
    stating = [p for p in parts if not (declines(p.words, language) or carries_no_claim(p.words, language))]
    return stating or [sentence]


def _words(bare: str, start: int, end: int) -> str:
    return plain(bare[start:end]).removeprefix(":").lstrip()


def _sentences(bare: str, markers: Sequence[Marker], language: str, *, code: bool) -> list[_Sentence]:
    untagged = without_tags(bare)
    found: list[_Sentence] = []
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
            words = block.row if block.cells else _words(bare, start, end)
            found.append(_Sentence(block, start, end, words, tuple(markers[first:at])))
    return found


def _spans(text: str, block: Block, language: str) -> tuple[tuple[int, int], ...]:
    # Lines of a paragraph are soft wraps: to the splitter they are spaces, so that none ends a sentence.
    body = text[block.start : block.end].replace("\n", " ")
    spans = ((block.start + a, block.start + b) for a, b in sentence_spans(body, language))
    return tuple(span for span in spans if _WORD.search(text, *span))


def _lists(sentences: Sequence[_Sentence]) -> dict[int, frozenset[str]]:
    """The items of every list by its number; an item of several sentences gives each."""
    items: dict[int, set[str]] = {}
    for sentence in sentences:
        if sentence.block.lead:
            items.setdefault(sentence.block.listing, set()).add(sentence.words)
    return {listing: frozenset(words) for listing, words in items.items()}
