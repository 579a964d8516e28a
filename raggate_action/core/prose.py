"""Prose to claims: one sentence, list item or table row each, with its citations and its place in the answer."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.abstention import carries_no_claim, declines
from raggate_action.core.citations import Marker, find_markers, resolve, without_markers
from raggate_action.core.sentences import sentence_spans

_ITEM = re.compile(r"[ \t]{0,12}(?:[-*+•‣]|[0-9]{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")
_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.{1,200}?)(?<=\S)\1")
_WORD = re.compile(r"\w")


class ProseClaim(NamedTuple):
    """A claim as it stands in prose.

    Attributes:
        text: What is asserted, markers and emphasis gone; a list item stands behind its lead-in, a table row
            behind its column heads.
        start, end: Its place in the answer.
        citations: Chunk ids it cites, resolved where possible.
        whole: The text is one sentence of the answer, nothing put before it: only then can it be a quotation.
    """

    text: str
    start: int
    end: int
    citations: tuple[str, ...]
    whole: bool


class Prose(NamedTuple):
    """An answer read.

    Attributes:
        claims: What it asserts, in order.
        declined: At least one sentence declines, and none asserts anything.
    """

    claims: tuple[ProseClaim, ...]
    declined: bool


class _Block(NamedTuple):
    """A stretch of lines that belong together: a paragraph, a list item or a table row."""

    start: int
    end: int
    lead: str = ""
    cells: tuple[tuple[str, str], ...] = ()


def read_prose(
    text: str, context_ids: Sequence[str], *, patterns: Sequence[re.Pattern[str]], known: Container[str], language: str
) -> Prose:
    """Split an answer into the claims it makes. Linear in its length.

    Questions, greetings and courtesy carry no claim; sentences that decline are no claims either.

    Args:
        text: The answer; untrusted.
        context_ids: What the model was shown, in order, for citations by position.
        patterns: Citation marker expressions of the suite.
        known: Chunk ids.
        language: ISO 639-1 code of the answer.
    """
    markers = find_markers(text, patterns, known)
    bare = without_markers(text, markers)
    claims: list[ProseClaim] = []
    declined = False
    at = 0
    for block in _blocks(bare):
        spans = ((block.start, block.end),) if block.cells else _spans(bare, block, language)
        for index, (start, end) in enumerate(spans):
            stop = spans[index + 1][0] if index + 1 < len(spans) else block.end
            first = at
            while at < len(markers) and markers[at].start < stop:
                at += 1
            sentence = _plain(bare[start:end])
            if not block.cells and declines(sentence):
                declined = True
            elif block.cells or not carries_no_claim(sentence):
                cited = _cited(markers[first:at], context_ids, known)
                claims.append(_claim(block, sentence, (start, end), cited))
    return Prose(tuple(claims), declined and not claims)


def _claim(block: _Block, sentence: str, place: tuple[int, int], cited: tuple[str, ...]) -> ProseClaim:
    if block.cells:
        row = "; ".join(f"{head}: {_plain(cell)}" if head else _plain(cell) for head, cell in block.cells)
        return ProseClaim(row, *place, cited, whole=False)
    text = f"{block.lead} {sentence}" if block.lead else sentence
    return ProseClaim(text, *place, cited, whole=not block.lead)


def _cited(markers: Sequence[Marker], context_ids: Sequence[str], known: Container[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(resolve(token, context_ids, known) for m in markers for token in m.tokens))


def _plain(text: str) -> str:
    text = _EMPHASIS.sub(r"\2", text) if "*" in text or "_" in text or "`" in text else text
    return re.sub(r"\s+([.,;:!?])", r"\1", " ".join(text.split()))


def _spans(text: str, block: _Block, language: str) -> tuple[tuple[int, int], ...]:
    # Lines of a paragraph are soft wraps: to the splitter they are spaces, so that none ends a sentence.
    body = text[block.start : block.end].replace("\n", " ")
    spans = ((block.start + a, block.start + b) for a, b in sentence_spans(body, language))
    return tuple(span for span in spans if _WORD.search(text, *span))


def _blocks(text: str) -> Iterator[_Block]:
    """Paragraphs, list items (with the lead-in before the list) and table rows, in order; headings are skipped."""
    lead = ""
    heads: tuple[str, ...] = ()
    open_block: tuple[int, int, bool] | None = None  # start, end, is a list item
    lines = list(_lines(text))
    for number, (start, end) in enumerate(lines):
        line = text[start:end]
        if not line.strip() or _FENCE.match(line) or _HEADING.match(line):
            yield from _closed(text, open_block, lead)
            open_block = None
            lead, heads = ("" if _HEADING.match(line) else lead), ()
        elif _is_row(text, lines, number, heads):
            yield from _closed(text, open_block, lead)
            open_block = None
            cells = _cells(line)
            if not heads:
                heads = tuple(_plain(cell) for cell in cells)
            elif not _TABLE_RULE.fullmatch(line):
                named = [(heads[i] if i < len(heads) else "", cell) for i, cell in enumerate(cells) if cell.strip()]
                yield _Block(start, end, cells=tuple(named))
        elif item := _ITEM.match(line):
            lead = _lead_of(text, open_block, lead)
            yield from _closed(text, open_block, lead)
            open_block = (start + item.end(), end, True)
        elif open_block is not None:
            open_block = (open_block[0], end, open_block[2])
        else:
            quote = _QUOTE.match(line)
            lead = _lead_before(text, lines, number)
            open_block = (start + (quote.end() if quote else 0), end, False)
    yield from _closed(text, open_block, lead)


def _closed(text: str, block: tuple[int, int, bool] | None, lead: str) -> Iterator[_Block]:
    if block is None:
        return
    start, end, is_item = block
    if not is_item and text[start:end].rstrip().endswith(":"):
        # A lead-in asserts nothing by itself, but the sentences before it in its paragraph may.
        end = start + _last_stop(text[start:end])
        if start == end:
            return
    yield _Block(start, end, lead=lead if is_item else "")


def _last_stop(text: str) -> int:
    stops = [m.end() for m in re.finditer(r"[.!?。！？]\s", text)]
    return stops[-1] if stops else 0


def _lead_of(text: str, block: tuple[int, int, bool] | None, lead: str) -> str:
    """The lead-in of a list that starts now: the paragraph right before it, when that ends in a colon."""
    if block is None or block[2]:
        return lead
    body = text[block[0] : block[1]].rstrip()
    return _plain(body[_last_stop(body) :]) if body.endswith(":") else ""


def _lead_before(text: str, lines: list[tuple[int, int]], number: int) -> str:
    """A lead-in may be parted from its list by a blank line; it is kept only when its own line ends in a colon."""
    line = text[slice(*lines[number])].rstrip()
    return _plain(line[_last_stop(line) :]) if line.endswith(":") else ""


def _lines(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line.rstrip("\r\n"))
        at += len(line)


def _is_row(text: str, lines: list[tuple[int, int]], number: int, heads: tuple[str, ...]) -> bool:
    line = text[slice(*lines[number])]
    if "|" not in line:
        return False
    if heads:
        return True
    following = text[slice(*lines[number + 1])] if number + 1 < len(lines) else ""
    return "|" in following and _TABLE_RULE.fullmatch(following) is not None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
