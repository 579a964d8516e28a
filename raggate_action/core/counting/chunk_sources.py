"""Sources that chunks come from (a file, a tenant's folder, a collection), as far as their ids say so."""

from __future__ import annotations

import re
from functools import lru_cache

from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import ShownSources

# More are no list that anybody wrote; what is new among them could not be told.
SOURCES_AT_MOST = 5_000
# "returns.md#3", "handbook/leave:12", "faq_chunk_7", "leave-page-2-part-1": a number behind a mark counts chunks.
_NUMBERED = re.compile(
    r"(?:[#:|@]+|[-_/ ]+)(?:(?:chunk|part|section|page|para|row|seg|p|c|s)[-_. ]*)?\d{1,9}$", re.IGNORECASE
)
_ANCHOR = re.compile(r"#.*$")
_DIGESTS = re.compile(r"[0-9a-f]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_A_PLACE = re.compile(r"[/:]|\.[A-Za-z][A-Za-z0-9]{0,4}$")
_LONGEST = 200


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


class SourceTally:
    """Counts the sources that the cases of a run showed."""

    def __init__(self) -> None:
        self._sources: set[str] = set()

    def add(self, row: CaseRun) -> None:
        """See one case's context."""
        if len(self._sources) <= SOURCES_AT_MOST:
            self._sources.update(source for chunk_id in row.context if (source := source_of(chunk_id)) is not None)

    @property
    def shown(self) -> ShownSources | None:
        """What was seen; None where no id names a source, or too many do."""
        if not 0 < len(self._sources) <= SOURCES_AT_MOST:
            return None
        return ShownSources(names=tuple(sorted(self._sources)))
