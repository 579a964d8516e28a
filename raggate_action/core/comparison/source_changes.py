"""Chunks from sources that no case of the baseline ever showed: another file, another tenant, another collection."""

from __future__ import annotations

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.counting.chunk_sources import SOURCES_AT_MOST, source_of
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import NewSources

_NAMED = 3


class SourceChanges:
    """Counts the cases that showed a chunk of a new source.

    It can be told only where ids are the same from run to run: the baseline and its own baseline show that.
    """

    def __init__(self, baseline: BaselineIndex) -> None:
        self._before = baseline.sources
        self._told = baseline.sources_recur
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
