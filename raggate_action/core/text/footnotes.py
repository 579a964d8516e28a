"""Footnotes and lists of sources: marks cite, what they are defined as is no claim."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import NamedTuple

from raggate_action.core.text.blocks import blanked

_MARK = re.compile(r"\[\^[^\]\s]{1,50}\]")
_DEFINITION = re.compile(
    r"^[ \t]{0,3}\[\^(?P<label>[^\]\s]{1,50})\]:[ \t]*(?P<words>[^\n]*(?:\n(?:[ ]{2,}|\t)[^\n]+)*)", re.MULTILINE
)
_TITLE = re.compile(
    (
        r"[ \t#>*_]*(?:sources?|references?|citations?|footnotes?|quellen|fußnoten|références|fuentes|"
        r"referencias)[ \t:：*_]*"
    ),
    re.IGNORECASE,
)
# A line under such a title that names a source: it begins with a mark or an address, or is no sentence.
_ENTRY = re.compile(
    r"[ \t]*(?:[-*+•][ \t]+|[0-9]{1,3}[.)][ \t]+)?(?:(?:\[|【|<?https?://).*|[^#].{0,159}(?<![\s.!?:。！？]))[ \t]*"
)
# A source without a title above it: it stands at the end and begins with the mark it explains.
_EXPLAINED = re.compile(r"[ \t]{0,3}\[(?P<label>[^\[\]\n]{1,60})\](?::[ \t].+|[ \t].{0,159}(?<![\s.!?:。！？]))[ \t]*")
_LABEL_INSIDE_A_LINE = re.compile(r"(?<=[^\s])[ \t]*\[([^\[\]\n]{1,60})\]")
_POSITION = re.compile(r"[0-9]{1,4}")
_WORDS = re.compile(r"[^\s\[\](){}<>,;\"'`]+")


class Footnotes(NamedTuple):
    """An answer parted from its footnotes.

    Attributes:
        text: The answer, definitions and lists of sources blanked out; offsets stay true.
        sources: Chunk ids that a footnote's definition names, by the footnote's mark (`^1`).
    """

    text: str
    sources: Mapping[str, tuple[str, ...]]

    def cited_by(self, token: str, known: Container[str]) -> tuple[str, ...]:
        """What a marker's token cites; a footnote cites what its definition names, else the chunk its label names.

        A number is read as a position like any other; a label that says nothing of the kind cites nothing.
        """
        if not token.startswith("^"):
            return (token,)
        label = token[1:]
        return self.sources.get(token) or ((label,) if label in known or _POSITION.fullmatch(label) else ())

    @staticmethod
    def without_marks(text: str) -> str:
        """The text with footnote marks blanked out that no citation marker of the suite has read."""
        return blanked(text, _MARK) if "[^" in text else text


def read_footnotes(text: str, known: Container[str]) -> Footnotes:
    """Find the definitions of footnotes and the list of sources at the end. Linear in the text.

    Args:
        text: The answer; untrusted.
        known: Ids that are chunks.
    """
    sources: dict[str, tuple[str, ...]] = {}
    if "[^" in text:
        for definition in _DEFINITION.finditer(text):
            if named := tuple([word for word in _WORDS.findall(definition["words"]) if word in known]):
                sources[f"^{definition['label']}"] = named
        text = blanked(text, _DEFINITION)
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return Footnotes(text, sources)
    first = _first_source(lines, text)
    if first < len(lines):
        text = "".join([*lines[:first], *(re.sub(r"[^\r\n]", " ", line) for line in lines[first:])])
    return Footnotes(text, sources)


def _first_source(lines: list[str], text: str) -> int:
    """The line from which on nothing but sources stands; the number of lines where there is none.

    An answer that is nothing but sources is read as it stands.
    """
    cited = frozenset(_LABEL_INSIDE_A_LINE.findall(text))
    first, explained = len(lines), True
    for number in range(len(lines) - 1, 0, -1):
        line = lines[number].rstrip("\r\n")
        if _TITLE.fullmatch(line):
            return number
        entry = _EXPLAINED.fullmatch(line)
        explained = explained and (not line.strip() or (entry is not None and entry["label"] in cited))
        if explained and line.strip():
            first = number
        if line.strip() and not explained and not _ENTRY.fullmatch(line):
            break
    return first
