"""Citation markers in prose: `[c1]`, `[1]`, `【1】`, or whatever the suite configures."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple, Protocol

_SEPARATOR = re.compile(r"\s*[,;]\s*")
_ID = re.compile(r"[^\s\[\]()<>|`]{1,200}")
# A bracketed word is prose ("[sic]"); an id nobody knows still has to look like one to count as a citation.
_LOOKS_LIKE_ID = re.compile(r"(?=.*[0-9_:/#-])[\w][\w.:/#@-]*", re.DOTALL)
_POSITION = re.compile(r"[0-9]{1,4}")


class Marker(NamedTuple):
    """One citation marker: where it stands and what it cites, as written."""

    start: int
    end: int
    tokens: tuple[str, ...]


class MarkerMatch(Protocol):
    """A place where a marker expression matches, as `re.Match`."""

    def start(self) -> int:
        """Where it begins."""
        ...

    def end(self) -> int:
        """Where it ends."""
        ...

    def __getitem__(self, group: str, /) -> str | None:
        """What a group holds; None where it matched nothing."""
        ...


class MarkerPattern(Protocol):
    """An expression that finds markers, as `re.Pattern`."""

    def finditer(self, text: str, /) -> Iterable[MarkerMatch]:
        """Every match, in order."""
        ...


def find_markers(text: str, patterns: Sequence[MarkerPattern], known: Container[str]) -> tuple[Marker, ...]:
    """Every citation marker of `text`, in order, none overlapping.

    Args:
        text: The answer; untrusted.
        patterns: Expressions with a group `ids`, several ids separated by comma or semicolon.
        known: Ids that are chunks; a bracketed word that is none and does not look like an id is prose.
    """
    found: list[Marker] = []
    for pattern in patterns:
        for match in pattern.finditer(text):
            tokens = tuple(_SEPARATOR.split(_without_line_range(match["ids"] or "").strip()))
            if all(_is_citation(token, known) for token in tokens):
                found.append(Marker(match.start(), match.end(), tokens))
    found.sort()
    return tuple(m for i, m in enumerate(found) if i == 0 or m.start >= found[i - 1].end)


def resolve(token: str, context_ids: Sequence[str], known: Container[str]) -> str:
    """The chunk a token cites: itself where it is a known id, else the chunk at that position of the context.

    What cannot be resolved is returned as written; the citation gate then names it.
    """
    if token in known or not _POSITION.fullmatch(token):
        return token
    position = int(token)
    return context_ids[position - 1] if 1 <= position <= len(context_ids) else token


def without_markers(text: str, markers: Sequence[Marker]) -> str:
    """The text with each marker blanked out in place, so that offsets stay true."""
    pieces: list[str] = []
    at = 0
    for marker in markers:
        pieces += [text[at : marker.start], " " * (marker.end - marker.start)]
        at = marker.end
    return "".join([*pieces, text[at:]])


def _is_citation(token: str, known: Container[str]) -> bool:
    if token in known:
        return True
    if _ID.fullmatch(token) is None:
        return False
    # A footnote's mark cites; what, is for its definition to say.
    footnote = token.startswith("^")
    return footnote or _POSITION.fullmatch(token) is not None or _LOOKS_LIKE_ID.fullmatch(token) is not None


def _without_line_range(ids: str) -> str:
    """Some models write the place inside the source after a dagger: `1†L3-L9`."""
    return ids.partition("†")[0]
