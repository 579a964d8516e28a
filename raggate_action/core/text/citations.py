"""Citation markers in prose: `[c1]`, `[1]`, `【1】`, or whatever the suite configures."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple, Protocol

_SEPARATOR = re.compile(r"\s*[,;]\s*")
_ID = re.compile(r"[^\s\[\]()<>|`]{1,200}")
# What stands right before a bracket, as far as it can matter.
_BEFORE = re.compile(r"(?P<word>[^\s\[\]]+)(?P<brackets>(?:\[[^\[\]\n]+\]){0,8})$")
_BEFORE_WITHIN = 120
_BRACKETS = re.compile(r"(?:\[[^\[\]\n]{1,100}\]){1,8}")
_IN_BRACKETS = re.compile(r"\[([^\[\]\n]+)\]")
_AN_IDENTIFIER = re.compile(r"[a-zA-Z_]\w*$")
# `user_ids`, `frame.rows`, `rows(table)`; not "3.5", "U.S.", "day(s)", "(refunds" or "_refunds_".
_CODE = re.compile(r"[a-zA-Z0-9]_[a-zA-Z0-9]|[a-zA-Z]\w+\.[a-zA-Z_]|\w\((?!e?s\))")
_RUNS_ON = re.compile(r"\.[a-z_]|\(|=")
_SET = re.compile(r"[ \t]?=")
# A bracketed word is prose ("[sic]"); an id nobody knows still has to look like one to count as a citation.
_LOOKS_LIKE_ID = re.compile(r"(?=.*[0-9_:/#-])[\w][\w.:/#@-]*", re.DOTALL)
_ZERO = re.compile(r"0+")
# Azure writes `[doc1]` for the first of its citations.
_POSITION = re.compile(r"(?:doc)?([0-9]{1,4})")
# What a chunk is called by that the app shows without an id.
_OUR_ID = re.compile(r"[0-9a-f]{12}")


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
    """Every citation marker of `text`, in order, none overlapping; a bracket that is part of code is none.

    Args:
        text: The answer, code blanked out; untrusted.
        patterns: Expressions with a group `ids`, several ids separated by comma or semicolon.
        known: Ids that are chunks; a bracketed word that is none and does not look like an id is prose.
    """
    found: list[Marker] = []
    for pattern in patterns:
        for match in pattern.finditer(text):
            ids = _without_line_range(match["ids"] or "").strip()
            tokens = tuple(_SEPARATOR.split(ids)) if "," in ids or ";" in ids else (ids,)
            if all(_is_citation(token, known) for token in tokens) and not _is_index(text, match, known):
                found.append(Marker(match.start(), match.end(), tokens))
    found.sort()
    return tuple(m for i, m in enumerate(found) if i == 0 or m.start >= found[i - 1].end)


def resolve(token: str, context_ids: Sequence[str], known: Container[str]) -> str | None:
    """The chunk a token cites: itself where it is a known id, else the chunk at that position of the context.

    What cannot be resolved is returned as written; the citation gate then names it. None for what names nothing in the
    reply, where the app gives its chunks no ids and a position is all it can cite: `【4:0†source】`.
    """
    if token in known:
        return token
    if (position := _POSITION.fullmatch(token)) is None:
        is_ours = bool(context_ids) and all(map(_OUR_ID.fullmatch, context_ids))
        return None if is_ours and not _OUR_ID.fullmatch(token) else token
    if token.startswith("doc") and any(chunk_id.startswith("doc") for chunk_id in context_ids):
        return token
    number = int(position[1])
    return context_ids[number - 1] if 1 <= number <= len(context_ids) else token


def without_markers(text: str, markers: Sequence[Marker]) -> str:
    """The text with each marker blanked out in place, so that offsets stay true."""
    pieces: list[str] = []
    at = 0
    for marker in markers:
        pieces += [text[at : marker.start], " " * (marker.end - marker.start)]
        at = marker.end
    return "".join([*pieces, text[at:]])


def _is_index(text: str, match: MarkerMatch, known: Container[str]) -> bool:
    """Whether a bracket takes an element of something, as program text does: `items[0].price`, `frame.rows[1]`."""
    if text[match.start()] != "[":
        return False
    if _RUNS_ON.match(text, match.end()):
        return True
    ahead = text[max(0, match.start() - _BEFORE_WITHIN) : match.start()]
    before = None if ahead.endswith((" ", "\t")) else _BEFORE.search(ahead)
    if before is None:
        return False
    if _CODE.search(before["word"]):
        return True
    if _AN_IDENTIFIER.search(before["word"]) is None:
        return False
    behind = _BRACKETS.match(text, match.end())
    chain = [
        match["ids"] or "",
        *_IN_BRACKETS.findall(before["brackets"]),
        *_IN_BRACKETS.findall(behind[0] if behind else ""),
    ]
    return not all(_may_cite(ids, known) for ids in chain) or _SET.match(text, match.end()) is not None


def _may_cite(ids: str, known: Container[str]) -> bool:
    """Whether what stands in a bracket right behind a word can cite: positions are counted from 1."""
    tokens = _SEPARATOR.split(_without_line_range(ids).strip())
    return all(token in known or (_is_citation(token, known) and not _ZERO.fullmatch(token)) for token in tokens)


def _is_citation(token: str, known: Container[str]) -> bool:
    if token in known:
        return True
    if _ID.fullmatch(token) is None:
        return False
    # A footnote's mark cites; what, is for its definition to say.
    return token.startswith("^") or _LOOKS_LIKE_ID.fullmatch(token) is not None


def _without_line_range(ids: str) -> str:
    """Some models write the place inside the source after a dagger: `1†L3-L9`."""
    return ids.partition("†")[0]
