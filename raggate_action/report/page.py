"""A page as data: neutral text in spans and a few shapes. A sink lays them out; nothing here knows of any format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar, assert_never

from raggate_action.schema.comment_marker import CommentMarker
from raggate_action.schema.decision import DecisionKind


@dataclass(frozen=True, slots=True)
class Foreign:
    """Words that are not ours, inside a sentence: an answer, a name, a message. They may hold anything.

    Attributes:
        text: The words as they came.
        if_blank: Words of ours for where nothing of them can be seen.
    """

    text: str
    if_blank: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """An id, a name of a file or a version, to be compared character by character; foreign too."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command or a piece of a suite to copy, never cut; see `escape.copyable` for what may be one."""

    text: str


@dataclass(frozen=True, slots=True)
class WithCode:
    """A message with keys and commands between backticks; it may hold foreign words as well."""

    text: str


@dataclass(frozen=True, slots=True)
class Number:
    """A number that names and does not count: of a workflow run, of an attempt."""

    value: int


@dataclass(frozen=True, slots=True)
class Strong:
    """What stands out."""

    text: Text


@dataclass(frozen=True, slots=True)
class Link:
    """Words of ours that lead somewhere.

    Attributes:
        words: What is read: words of ours, numbers and ids.
        address: An http or https address of letters, digits and `-._:/%#=` alone.
    """

    words: tuple[str | Number | Code, ...]
    address: str


# A plain string is words of ours. It holds no foreign character and no markup of any format.
Span: TypeAlias = str | Foreign | Code | Command | WithCode | Number | Strong | Link
# The classes are no tuples on purpose: a span in place of a text's parts would be read as its bare words.
Text: TypeAlias = "Span | tuple[Text, ...]"


def bare(text: Text) -> str:
    """The words of a text as they came, for what makes them harmless itself."""
    match text:
        case str():
            written = text
        case tuple():
            written = "".join([bare(part) for part in text])
        case Foreign():
            written = text.text or text.if_blank
        case Code() | Command() | WithCode():
            written = text.text
        case Number():
            written = str(text.value)
        case Strong():
            written = bare(text.text)
        case Link():
            written = bare(text.words)
        case _:
            assert_never(text)
    return written


def joined(separator: str, parts: Iterable[Text]) -> Text:
    """The parts in a row; an empty text for no parts."""
    found = tuple(parts)
    return tuple([piece for place, part in enumerate(found) for piece in ((separator, part) if place else (part,))])


def sentences(*parts: Text) -> Text:
    """The parts that say something, with a space between."""
    return joined(" ", [part for part in parts if part])


Entry_co = TypeVar("Entry_co", covariant=True)
Source = TypeVar("Source")
Entry = TypeVar("Entry")


class Listing(Protocol[Entry_co]):
    """What a list or a table holds: counted, and read in order. A tuple is one, and so are rows still on disk."""

    def __len__(self) -> int:
        """How many there are."""

    def __iter__(self) -> Iterator[Entry_co]:
        """Each of them, from the first."""


class FirstEntries(Generic[Source, Entry]):
    """The first entries of a listing, each made only while it is laid out, so that none has to be held.

    Args:
        sources: What the entries are made of; read no further than is shown, once for each time it is laid out.
        entry: Makes one.
        most: At most so many.
    """

    def __init__(self, sources: Listing[Source], entry: Callable[[Source], Entry], most: int) -> None:
        self._sources, self._entry = sources, entry
        self._length = min(len(sources), most)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Entry]:
        return map(self._entry, islice(self._sources, self._length))


class Item(NamedTuple):
    """A list item.

    Attributes:
        text: Its line.
        quoted: A block quotation under it; None for none.
        under: Lines of a list under it.
    """

    text: Text
    quoted: Text | None = None
    under: tuple[Text, ...] = ()


class Column(NamedTuple):
    """A column of a table: its title, in words of ours, and whether it holds numbers."""

    title: str
    numeric: bool = False


class Table(NamedTuple):
    """A table: columns, and rows with a cell for each of them; at least one row."""

    columns: tuple[Column, ...]
    rows: Listing[tuple[Text, ...]]


class Fold(NamedTuple):
    """What a reader opens by a click.

    Attributes:
        summary: The line to click; plain words of ours, without spans.
        items: A list, before the table.
        table: A table.
        more: The sentence that says what is left out.
    """

    summary: str
    items: Listing[Item] = ()
    table: Table | None = None
    more: Text = ""


class Section(NamedTuple):
    """A part of the page; one that is empty leaves no trace.

    Attributes:
        lead: Its first paragraph.
        items, table, more: As in a fold.
        folds: What is folded away under it.
    """

    lead: Text = ""
    items: Listing[Item] = ()
    table: Table | None = None
    more: Text = ""
    folds: tuple[Fold, ...] = ()


class DecisionBox(NamedTuple):
    """The alert on top.

    Attributes:
        kind: Its colour: what was decided; a release with a failed gate that compares with the baseline is not green.
        of_fork: A fork's run says so, and nobody here has checked it: then nothing is green.
        first: What is said before anything else: that the run was cancelled, who reports it, waivers past their date.
        line: The decision with the five counts.
        reasons: Why, one line each.
    """

    kind: DecisionKind
    first: tuple[Text, ...]
    line: Text
    reasons: tuple[Text, ...]
    of_fork: bool = False

    @property
    def parts(self) -> list[Text]:
        """The decision, and the counts beside it."""
        return [part for part in self.line if part != " · "] if isinstance(self.line, tuple) else [self.line]


class CommentView(NamedTuple):
    """The whole page.

    Attributes:
        marker: By which the comment is found again.
        decision: The alert.
        sections: What is said of the run, in the order it is read.
        footer: Where it comes from.
    """

    marker: CommentMarker
    decision: DecisionBox
    sections: tuple[Section, ...]
    footer: Text
