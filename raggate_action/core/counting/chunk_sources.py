"""Sources that chunks come from (a file, a tenant's folder, a collection), as far as their ids say so."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache

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
