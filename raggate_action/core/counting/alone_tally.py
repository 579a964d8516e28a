"""Counts answers that are poor by themselves, while rows stream by; the same answer for several shows at the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from raggate_action.core.counting.run_totals import NAMED_AT_MOST, PROBLEM_LENGTH, AnswersAlone
from raggate_action.core.counting.top_n import TopN
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.decision import Measured
from raggate_action.schema.outcome import Problem
from raggate_action.strings.visible_text import cut

# The same answer to so many questions, from as many different sets of chunks, is one that says nothing of any.
_SAME_FOR = 3
_LAST_WORDS = 8
_SENTENCES_AT_MOST = 100


class _First(NamedTuple):
    position: int
    case_id: str
    words: str


@dataclass
class _Group:
    """The cases of one answer, with the chunks that all of them were shown, and how many were shown other ones."""

    first: _First
    common: frozenset[str]
    cases: int = 0
    cut: int = 0
    shown: set[frozenset[str]] = field(default_factory=set)

    def add(self, row: CaseRun, *, is_cut: bool) -> None:
        chunks = frozenset(row.context)
        self.cases += 1
        self.cut += is_cut
        self.common &= chunks
        if len(self.shown) < _SAME_FOR:
            self.shown.add(chunks)
        self.first = min(self.first, _first(row))

    @property
    def is_same_for_all(self) -> bool:
        """Whether no chunk can be what all of them answer from."""
        return len(self.shown) >= _SAME_FOR and not self.common


class AloneTally:
    """Holds rows whose answer tells something by itself; no result depends on their order."""

    def __init__(self, waived: frozenset[str]) -> None:
        """Start from nothing.

        Args:
            waived: Cases that somebody answers for; the empty id is every case.
        """
        self._waived = waived
        self._cut = self._waived_cases = 0
        self._named: TopN[_First] = TopN(NAMED_AT_MOST)
        self._groups: dict[str, _Group] = {}

    def add(self, row: CaseRun) -> None:
        """One more case."""
        alone = row.alone
        if alone is None:
            return
        if self._waived & {"", row.case_id}:
            self._waived_cases += 1
            return
        if alone.cut:
            self._cut += 1
            self._named.offer(row.weight, row.position, _First(row.position, row.case_id, _last_words(row)))
        if alone.same is not None and row.context:
            group = self._groups.setdefault(alone.same, _Group(_first(row), frozenset(row.context)))
            group.add(row, is_cut=alone.cut)

    def result(self, cases: int) -> AnswersAlone:
        """What was counted, of so many cases."""
        found = [(digest, group) for digest, group in self._groups.items() if group.is_same_for_all]
        found.sort(key=lambda each: (-each[1].cases, each[1].first))
        same = sum([group.cases for _digest, group in found])
        named = [("same-for-all", group.first) for _digest, group in found]
        known = {first.case_id for _state, first in named}
        named += [("cut", each) for each in self._named.ranked if each.case_id not in known]
        measured = Measured(
            kind="alone",
            cut=self._cut,
            same_for_all=same,
            hits=self._cut + same - sum([group.cut for _digest, group in found]),
            looked_at=cases,
            quote=named[0][1].words if named else "",
            sentences=tuple([digest for digest, _group in found[:_SENTENCES_AT_MOST]]),
        )
        changes = [
            Change(case_id=first.case_id, gate="poorer", problem=Problem(code=state, detail=first.words))
            for state, first in named[:NAMED_AT_MOST]
        ]
        return AnswersAlone(measured, self._waived_cases, tuple(changes))


def _first(row: CaseRun) -> _First:
    return _First(row.position, row.case_id, cut(row.answer or "", PROBLEM_LENGTH))


def _last_words(row: CaseRun) -> str:
    """The answer's last words, where its row has them."""
    words = (row.answer or "").split()[-_LAST_WORDS:] if len(row.answer or "") == row.answer_length else []
    return cut(" ".join(words), PROBLEM_LENGTH)
