"""Scores, latency, cost and tool use of the cases run, as the summary of a run shows them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import fsum

from raggate_action.core.counting.run_totals import Amounts
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import CaseRun, Tools
from raggate_action.schema.summary import ToolCount


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; None without values.

    The sum is exact before it is rounded once, so the order of the values cannot change it.
    """
    return fsum(values) / len(values) if values else None


def nearest_rank(ordered: Sequence[float], percent: int) -> float | None:
    """The smallest value with at least `percent` of all values at or below it; None without values.

    Args:
        ordered: Values, ascending.
        percent: Which percentile, 1 to 100.
    """
    return ordered[-(-percent * len(ordered) // 100) - 1] if ordered else None


class AmountTally:
    """Keeps eight bytes per amount; sums are exact, so that no order of rows changes them."""

    def __init__(self) -> None:
        self._scores = array("d")
        self._latencies = array("d")
        self._costs = array("d")
        self._with_tools = 0
        self._tools_correct = 0
        self._expected: dict[str, int] = {}
        self._missing: dict[str, int] = {}

    def add(self, row: CaseRun) -> None:
        """Count one ordinary case that was run; an error of the target counts with the score and latency it has."""
        if row.score is not None:
            self._scores.append(row.score)
        if row.latency_ms is not None:
            self._latencies.append(row.latency_ms)
        if row.cost_usd is not None:
            self._costs.append(row.cost_usd)
        if row.tools is not None:
            self._add_tools(row.tools)

    def _add_tools(self, tools: Tools) -> None:
        self._with_tools += 1
        self._tools_correct += not tools.missing
        for tool in set(tools.expected):
            self._expected[tool] = self._expected.get(tool, 0) + 1
        for tool in set(tools.missing):
            self._missing[tool] = self._missing.get(tool, 0) + 1

    @property
    def amounts(self) -> Amounts:
        """The amounts so far; tools with most misses first, then by name."""
        latencies = sorted(self._latencies)
        costs = self._costs
        tools = [
            ToolCount(tool=tool, called=expected - self._missing.get(tool, 0), expected=expected)
            for tool, expected in self._expected.items()
        ]
        return Amounts(
            mean_score=mean(self._scores),
            mean_latency_ms=mean(latencies),
            p50_latency_ms=nearest_rank(latencies, 50),
            p95_latency_ms=nearest_rank(latencies, 95),
            cost_usd=fsum(costs) if costs else None,
            tool_use=Rate(hits=self._tools_correct, total=self._with_tools) if self._with_tools else None,
            tools=tuple(sorted(tools, key=lambda count: (count.called - count.expected, count.tool))),
        )
