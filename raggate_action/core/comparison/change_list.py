"""Collects changes while rows stream by: counts them by gate, and keeps the heaviest of each gate and move."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TypeAlias

from raggate_action.core.counting.case_state import NamedCases
from raggate_action.core.counting.run_totals import shortened
from raggate_action.core.counting.top_n import TopN
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change, ChangeCount, Counts, Move
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.outcome import GATES, Level, Problem, RunGateName
from raggate_action.schema.policy import Gates

# They tell of cases that other gates name.
_NAME_NONE: frozenset[RunGateName] = frozenset({*GATES, "hallucination_rate", "unmeasured"})


# Case, problem, how it counts, key: a record is made of what is listed alone.
_Found: TypeAlias = tuple[str, Problem | None, Counts, str]


class ChangeList:
    """The changes of a run so far."""

    def __init__(self, gates: Gates, named: NamedCases) -> None:
        """Start from nothing.

        Args:
            gates: The head's rules.
            named: Keeps the cases that gates on the run name.
        """
        self._named = named
        self._levels = {name: rule.level for name, rule in gates if rule is not None and hasattr(rule, "level")}
        self._counts: Counter[tuple[RunGateName, str]] = Counter()
        self._listed: dict[tuple[RunGateName, Move], TopN[_Found]] = defaultdict(lambda: TopN(LISTED_AT_MOST))

    def add(
        self,
        row: CaseRun,
        gate: RunGateName,
        move: Move,
        problem: Problem | None = None,
        *,
        counts: Counts | None = None,
        key: str = "",
    ) -> None:
        """One change of a case; how it counts is its gate's level where nothing else is said."""
        level: Level = self._levels.get(gate, "block")
        counts = counts or ("block" if level == "block" else "warn")
        self.count(gate, "waived" if counts == "waived" else move)
        if move == "new" and counts != "waived" and gate not in _NAME_NONE:
            self._named.name(gate)
        if counts == "block" and move == "new":
            self.count(gate, "blocking")
        self._listed[gate, move].offer(row.weight, row.position, (row.case_id, problem, counts, key))

    def count(self, gate: RunGateName, what: str, cases: int = 1) -> None:
        """Count without a name; `what` is a field of `ChangeCount`."""
        self._counts[gate, what] += cases

    @property
    def listed(self) -> tuple[Change, ...]:
        """The heaviest of each gate and move, the gates by name."""
        return tuple(
            [
                Change(
                    case_id=case_id,
                    gate=gate,
                    problem=shortened(problem) if problem is not None else None,
                    move=move,
                    counts=counts,
                    key=key,
                )
                for (gate, move), found in sorted(self._listed.items(), key=lambda item: item[0])
                for case_id, problem, counts, key in found.ranked
            ]
        )

    @property
    def counts(self) -> dict[RunGateName, ChangeCount]:
        """How many changes each gate has."""
        gates = sorted({gate for (gate, _what), cases in self._counts.items() if cases})
        fields = ChangeCount.model_fields
        return {gate: ChangeCount(**{what: self._counts[gate, what] for what in fields}) for gate in gates}
