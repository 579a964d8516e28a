"""Neutral text: what is to be read, in spans that say what each of them is.

A view writes these and nothing else. How a span is set, and how foreign text is made harmless, is for the sink to
know: a page of Markdown, later one of HTML or a test report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias


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
    """A command to copy, never cut; see `escape.copyable` for what may be one."""

    text: str


@dataclass(frozen=True, slots=True)
class Message:
    """A message in which keys and commands stand between backticks; it may hold foreign words as well."""

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
        words: What is read.
        address: An http or https address of letters, digits and `-._:/` alone.
    """

    words: tuple[str | Number, ...]
    address: str


# A plain string is words of ours. It holds no foreign character and no markup of any format.
Span: TypeAlias = str | Foreign | Code | Command | Message | Number | Strong | Link
# The classes are no tuples on purpose: a span in place of a text's parts would be read as its bare words.
Text: TypeAlias = "Span | tuple[Text, ...]"


def joined(separator: str, parts: Iterable[Text]) -> Text:
    """The parts in a row; none at all is an empty text."""
    found = tuple(parts)
    return tuple([piece for place, part in enumerate(found) for piece in ((separator, part) if place else (part,))])


def sentences(*parts: Text) -> Text:
    """The parts that say something, with a space between."""
    return joined(" ", [part for part in parts if part])
