"""How large a comment and a summary may be, and how much of a run they show: from everything down to counts only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from raggate_action.report.catalogue import GATE_NAMES
from raggate_action.report.page import Code, Fold, Item, Listing, Section, Strong, Table, Text, joined
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.strings.visible_text import cut

# With more cases than this a line of the list names the first alone.
NAMED = 3
_LONGEST_ID = 80


class Extent(NamedTuple):
    """One step of the size ladder.

    Attributes:
        rows: Longest list or table of cases and slices; 0 shows only how many there are.
        words: Longest quotation of foreign text, in characters.
        reason: Longest reason of a gate, in characters.
        open_cases: Cases that stand open under the list.
        whole: The job summary: every gate and slice, and what only few readers need.
    """

    rows: int
    words: int = 400
    reason: int = 120
    open_cases: int = 3
    whole: bool = False


# They differ in what is folded; the last one is small whatever a run holds.
COMMENT_EXTENTS = (
    Extent(rows=LISTED_AT_MOST),
    Extent(rows=50),
    Extent(rows=20),
    Extent(rows=5, words=200, open_cases=1),
    Extent(rows=0, reason=80, words=100, open_cases=0),
)
SUMMARY_EXTENTS = (
    Extent(rows=LISTED_AT_MOST, words=2_000, reason=400, whole=True),
    Extent(rows=50, words=1_000, reason=400, whole=True),
    Extent(rows=20, whole=True),
    COMMENT_EXTENTS[-1],
)


class SizeBounds(NamedTuple):
    """The largest text a place takes, in characters and in UTF-8 bytes."""

    characters: int
    bytes: int

    def hold(self, text: str) -> bool:
        """Whether `text` fits."""
        return len(text) <= self.characters and len(text.encode()) <= self.bytes


# GitHub refuses a comment above 65,536 characters or 262,144 bytes, and drops a job summary above 1 MiB whole.
COMMENT_BOUNDS = SizeBounds(characters=60_000, bytes=200_000)
SUMMARY_BOUNDS = SizeBounds(characters=1_000_000, bytes=1_000_000)


def fullest(pieces: Callable[[Extent], Iterable[str]], extents: Sequence[Extent], bounds: SizeBounds) -> str:
    """The text of the first extent that fits; the last one does, whatever the run holds.

    Args:
        pieces: The text of an extent, piece by piece.
        extents: From everything to counts only.
        bounds: What the place takes.
    """
    for extent in extents[:-1]:
        text = "".join(_until_unfit(pieces(extent), bounds))
        if bounds.hold(text):
            return text
    return "".join(pieces(extents[-1]))


def _until_unfit(pieces: Iterable[str], bounds: SizeBounds) -> Iterator[str]:
    """The pieces up to the first that makes the text too large; the rest is not written."""
    length = 0
    for piece in pieces:
        yield piece
        length += len(piece)
        if length > bounds.characters:
            return


def left_out(listed: int, total: int, extent: Extent, *, file: str = "cases.jsonl") -> Text:
    """Say how much is shown and where the rest is; empty when everything is shown."""
    if listed >= total:
        return ""
    if extent.whole:
        where = "full table in"
    elif total <= LISTED_AT_MOST:
        where = "full table in the job summary and in"
    else:
        where = "more in the job summary, full table in"
    return f"{listed:,} of {total:,} shown, {where} ", Code(file), " of the run directory."


def folded(
    title: str,
    *,
    total: int,
    extent: Extent,
    items: Listing[Item] = (),
    table: Table | None = None,
    file: str = "cases.jsonl",
) -> Section:
    """A folded list or table of what is shown, with the count of all; without room for any, one line."""
    listed = len(items) if table is None else len(table.rows)
    more = left_out(listed, total, extent, file=file)
    if not total:
        return Section()
    if not listed:
        return Section(lead=(Strong(f"{title}:"), " ", more))
    return Section(folds=(Fold(f"{title} ({total:,})", items=items, table=table, more=more),))


def code(text: str) -> Code:
    """An id, a name or a value of the suite's or the app's, cut to what a line holds."""
    return Code(cut(text, _LONGEST_ID))


def names(ids: Iterable[str], total: int, most: int = NAMED) -> Text:
    """Ids in a row: a, b and 3 more; the number alone where none is listed."""
    return in_a_row([code(each) for each in islice(ids, most)], total)


def in_a_row(listed: Sequence[Text], total: int) -> Text:
    """The same of texts."""
    more = total - len(listed)
    return (joined(", ", listed), f" and {more:,} more" if more > 0 else "") if listed else f"{total:,}"


def names_if_few(ids: Iterable[str], total: int) -> Text:
    """As `names`; of more cases than a line holds the first alone, as an example."""
    return names(ids, total, NAMED if total <= NAMED else 1)


def gate_name(gate: str) -> str:
    """The gate as people read it: `known-bad blocked`, `candidate recall`."""
    return GATE_NAMES.get(gate) or cut(gate, 30).replace("_", " ")


def cut_at_word(text: str, most: int) -> str:
    """As `cut`; a mark left hanging goes as well."""
    return text if len(text) <= most else f"{cut(text, most).rstrip('…').rstrip(' :;,“')}…"
