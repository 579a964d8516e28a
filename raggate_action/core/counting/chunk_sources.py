"""Sources that chunks come from (a file, a tenant's folder, a collection), as far as ids say so, and new ones."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import NewSources
from raggate_action.schema.counts import ShownSources

# More are no list that anybody wrote; what is new among them could not be told.
SOURCES_AT_MOST = 5_000
# Ids of chunks that are remembered of a run.
IDS_AT_MOST = 50_000
# "returns.md#3", "handbook/leave:12", "faq_chunk_7", "leave-page-2-part-1": a number behind a mark counts chunks.
_NUMBERED = re.compile(
    r"(?:[#:|@]+|[-_/ ]+)(?:(?:chunk|part|section|page|para|row|seg|p|c|s)[-_. ]*)?\d{1,9}$", re.IGNORECASE
)
_ANCHOR = re.compile(r"#.*$")
_DIGESTS = re.compile(r"[0-9a-f]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_A_PLACE = re.compile(r"[/:]|\.[A-Za-z][A-Za-z0-9]{0,4}$")
_LONGEST = 200
_NAMED = 3


@lru_cache(maxsize=65_536)
def source_of(chunk_id: str) -> str | None:
    """The source that an id names; None where it names none: a number, a digest of a text, a bare word."""
    source = _ANCHOR.sub("", chunk_id)
    shorter = source != chunk_id
    while (found := _NUMBERED.search(source)) and found.start():
        source, shorter = source[: found.start()], True
    is_named = shorter or _A_PLACE.search(source) is not None
    if not is_named or not any(map(str.isalpha, source)) or _DIGESTS.fullmatch(source) or len(source) > _LONGEST:
        return None
    return source


def sources_shown(chunk_ids: AbstractSet[str]) -> ShownSources | None:
    """The sources of the chunks that the cases of a run showed.

    Returns:
        None where no id names a source, or where there are too many of them to tell what is new among them.
    """
    if len(chunk_ids) >= IDS_AT_MOST:
        return None
    names = {source for chunk_id in chunk_ids if (source := source_of(chunk_id)) is not None}
    return ShownSources(names=tuple(sorted(names))) if 0 < len(names) <= SOURCES_AT_MOST else None


class SourceChanges:
    """Counts the cases that showed a chunk of a source that no case of the baseline ever showed.

    It can be told only where ids are the same from run to run: the baseline and its own baseline show that.
    """

    def __init__(self, before: frozenset[str] | None, *, told: bool) -> None:
        """Start from nothing.

        Args:
            before: The sources of the baseline; None where no id tells.
            told: Its own baseline showed most of them too.
        """
        self._before = before
        self._told = told
        self._new: set[str] = set()
        self._known: set[str] = set()
        self._cases = 0

    def add(self, row: CaseRun) -> None:
        """See one case's context; of a partial run the cases that ran."""
        if self._before is None or not row.context:
            return
        sources = {source for chunk_id in row.context if (source := source_of(chunk_id)) is not None}
        new = sources - self._before
        self._known |= sources & self._before
        self._cases += bool(new)
        if len(self._new) <= SOURCES_AT_MOST:
            self._new |= new

    @property
    def result(self) -> NewSources | None:
        """What was counted; None where no id of either run names a source."""
        if not (self._new or self._known):
            return None
        named = tuple(sorted(self._new)[:_NAMED]) if self._told else ()
        cases = self._cases if self._told else 0
        return NewSources(cases=cases, sources=len(self._new), named=named, known=len(self._known), told=self._told)
