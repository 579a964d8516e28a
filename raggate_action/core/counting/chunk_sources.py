"""Sources that chunks come from (a file, a tenant's folder, a collection), as far as ids say so, and new ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import lru_cache

from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import ShownSources
from raggate_action.schema.later import GoneSources, NewSources

# More are no list that anybody wrote; what is new among them could not be told.
SOURCES_AT_MOST = 5_000
# Ids of chunks that are remembered of a run.
IDS_AT_MOST = 50_000
# "returns.md#3", "handbook/leave:12", "faq_chunk_7", "leave-page-2-part-1": a number behind a mark counts chunks.
_NUMBERED = re.compile(
    r"(?:[#:|@]+|[-_/ ]+)(?:(?:chunk|part|section|page|para|row|seg|p|c|s)[-_. ]*)?\d{1,9}$", re.IGNORECASE
)
_ANCHOR = re.compile(r"#.*$")
DIGESTS = re.compile(r"[0-9a-f]{12,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_A_PLACE = re.compile(r"[/:]|\.[A-Za-z][A-Za-z0-9]{0,4}$")
_LONGEST = 200
_NAMED = 3


@lru_cache(maxsize=65_536)
def source_of(chunk_id: str) -> str | None:
    """The source that an id names; None where it names none: a number, a digest of a text, a bare word."""
    source = _ANCHOR.sub("", chunk_id) if "#" in chunk_id else chunk_id
    # The chunks of one document have the rest of their ids in common.
    rest = _without_number(source)
    return _named(rest, shorter=rest != chunk_id)


# Far fewer than ids: chunks of one document mostly come together.
@lru_cache(maxsize=4_096)
def _named(source: str, *, shorter: bool) -> str | None:
    """The source without what else counts chunks in it; None where it is none. `shorter`: something was cut off."""
    while (rest := _without_number(source)) != source:
        source, shorter = rest, True
    is_named = shorter or _A_PLACE.search(source) is not None
    if not is_named or not any(map(str.isalpha, source)) or DIGESTS.fullmatch(source) or len(source) > _LONGEST:
        return None
    return source


def _without_number(source: str) -> str:
    """An id without the number at its end that counts chunks; the same where it has none, or is nothing else."""
    if not source[-2:].rstrip("\n")[-1:].isdecimal():
        # As the expression wants it, which takes far longer to see it.
        return source
    found = _NUMBERED.search(source)
    return source[: found.start()] if found and found.start() else source


def documents_of(chunks: Iterable[tuple[str, str | None]]) -> tuple[str, ...]:
    """The documents of chunks whose ids name no source, each once; only names that last, no numbers and no digests.

    Args:
        chunks: The id of each, and its document where that is known.
    """
    named = [document for chunk_id, document in chunks if document and source_of(chunk_id) is None]
    return tuple(dict.fromkeys([each for each in named if _is_name(each)]))


def _is_name(document: str) -> bool:
    return any(map(str.isalpha, document)) and DIGESTS.fullmatch(document) is None and len(document) <= _LONGEST


def sources_of(row: CaseRun) -> frozenset[str]:
    """The sources of the chunks that a case showed, by their ids and documents."""
    named = {source for chunk_id in row.context if (source := source_of(chunk_id)) is not None}
    return frozenset(named.union(row.documents)) if row.documents else frozenset(named)


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
        from raggate_action.schema.comparison import NewSources

        named = tuple(sorted(self._new)[:_NAMED]) if self._told else ()
        cases = self._cases if self._told else 0
        return NewSources(cases=cases, sources=len(self._new), named=named, known=len(self._known), told=self._told)


# A single case that shows another source, and two, are what retrieval does by chance.
_FEWEST_OF_SOURCE = 2
_FEWEST_CASES = 3


class LostSourcesCount:
    """Counts the cases that showed a source on the baseline which no case of this run shows.

    A document that was renamed is not lost: every case that showed it shows one that the baseline never showed. Where
    ids are made anew for every index, few sources of the baseline come again, and nothing is told.
    """

    def __init__(self, *, recur: bool) -> None:
        """Start from nothing; `recur`: the baseline and its own baseline had the same ids."""
        self._recur = recur
        self._before: set[str] = set()
        self._now: set[str] = set()
        # Of each case that shows less than on the baseline: what it lost, what it shows instead.
        self._cases: list[tuple[frozenset[str], frozenset[str]]] = []

    def add(self, row: CaseRun, before: frozenset[str]) -> None:
        """See one case that was answered on both runs, and what it showed on the baseline."""
        now = sources_of(row)
        self._before |= before
        self._now |= now
        if before - now:
            self._cases.append((before - now, now - before))

    @property
    def result(self) -> GoneSources | None:
        """What was counted; None where nothing is gone, or it cannot be told."""
        absent = self._before - self._now
        again = len(self._before & self._now)
        if not again or not (self._recur or again >= len(absent)):
            return None
        gone = set()
        for source in absent:
            instead = [each for lost, each in self._cases if source in lost]
            renamed = frozenset.intersection(*instead) - self._before
            if len(instead) >= _FEWEST_OF_SOURCE and not renamed:
                gone.add(source)
        cases = sum(not gone.isdisjoint(lost) for lost, _instead in self._cases)
        if cases < _FEWEST_CASES:
            return None
        from raggate_action.schema.comparison import GoneSources

        return GoneSources(named=tuple(sorted(gone)[:_NAMED]), sources=len(gone), cases=cases)
