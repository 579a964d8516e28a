"""The amounts of a run's summary: scores, latency, cost, tools, ids that the store knows, judges' votes and costs."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from math import fsum
from typing import Final

from raggate_action.core.counting.judge_only_findings import AdviceTally
from raggate_action.core.counting.run_totals import Amounts, StrangeIds
from raggate_action.schema.answer_votes import GATE_OF, JudgedItem
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import Ask, CaseRun, Claim, Tools
from raggate_action.schema.judgement import AskedJudge, ItemKind, LostCode, Usage
from raggate_action.schema.judging_counts import ItemCount, JudgingCounts, LostCount
from raggate_action.schema.summary import ToolCount

# One trace alone may have made an id up.
_FEWEST_TRACES = 2


class IdTally:
    """Counts the chunk ids that the target's traces name."""

    def __init__(self) -> None:
        self._known = self._unknown = self._traces = 0
        self._first = ""
        self._place = -1

    def add(self, row: CaseRun) -> None:
        """Count one ordinary case; a trace written into the suite says nothing of the target's ids."""
        target = row.outcomes.get("target")
        if target is None or target.kind != "passed":
            return
        self._known += row.known_ids
        self._unknown += row.unknown_ids
        self._traces += bool(row.unknown_ids)
        if row.unknown_ids and row.context and (self._place < 0 or row.position < self._place):
            self._first, self._place = row.context[0], row.position

    @property
    def strange(self) -> StrangeIds | None:
        """The ids, where the store knows none of them."""
        if self._known or self._traces < _FEWEST_TRACES:
            return None
        return StrangeIds(self._unknown, self._traces, self._first)


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


_SUPPORTED: Final = "supported"


class JudgingTally:
    """Counts judges' votes on a run's answers, those of retries as well.

    Keeps eight bytes per judgement that cost something; sums are exact, so that no order of rows changes them.

    Attributes:
        advice: What judges call faulty without counting, of the answers that stand for their cases.
    """

    def __init__(self) -> None:
        self._answers = self._judgements = self._reused = self._calls = self._attempts = self._unmetered = 0
        self._input = self._cached = self._output = 0
        self._lost: Counter[LostCode] = Counter()
        self._costs = array("d")
        self._unpriced: set[str] = set()
        self._items: Counter[ItemKind] = Counter()
        self._good: Counter[ItemKind] = Counter()
        self._unclear: Counter[ItemKind] = Counter()
        self._with_votes = self._agreed = self._decided = self._faulty = self._against = 0
        self.advice = AdviceTally()

    def add(self, row: CaseRun) -> None:
        """Count one case, known-bad ones as well: who asks about them pays for it."""
        self._add(row)
        self.advice.add(row)
        for ask in row.asks:
            self._add(ask)

    def _add(self, answer: CaseRun | Ask) -> None:
        votes = answer.answer_votes
        if not (answer.judges or votes):
            return
        self._answers += 1
        for judge in answer.judges:
            self._add_judge(judge)
        for claim in answer.claims:
            self._add_claim(claim)
        if votes is not None:
            for judge in votes.judges:
                self._add_judge(judge)
            for item in votes.items:
                self._add_item(item)

    def _add_judge(self, judge: AskedJudge) -> None:
        self._judgements += 1
        self._reused += judge.reused
        self._calls += judge.calls
        self._attempts += judge.attempts
        self._unmetered += judge.unmetered
        usage = judge.usage
        self._input, self._cached = self._input + usage.input, self._cached + usage.cached
        self._output += usage.output
        if judge.lost is not None:
            self._lost[judge.lost.code] += 1
        if judge.cost_usd:
            self._costs.append(judge.cost_usd)
        if judge.cost_usd is None and judge.calls and not judge.unmetered:
            self._unpriced.add(judge.judge)

    def _add_claim(self, claim: Claim) -> None:
        sides = {vote.verdict == _SUPPORTED for vote in claim.votes}
        if len(claim.votes) > 1:
            self._with_votes += 1
            self._agreed += len(sides) == 1
        self._decided += claim.judged
        self._faulty += claim.judged and claim.verdict != _SUPPORTED
        by_rules = claim.verdict != "unverified" and not claim.judged
        self._against += by_rules and (claim.verdict != _SUPPORTED) in sides

    def _add_item(self, item: JudgedItem) -> None:
        advised = item.advised
        if advised is not None:
            self._items[item.kind] += 1
            self._good[item.kind] += advised == item.order[-1]
            self._unclear[item.kind] += advised == "cannot-tell"

    @property
    def counts(self) -> JudgingCounts:
        """What has been counted so far."""
        lost = sorted(self._lost.items(), key=lambda item: (-item[1], item[0]))
        return JudgingCounts(
            answers=self._answers,
            judgements=self._judgements,
            reused=self._reused,
            lost=tuple([LostCount(code=code, judgements=number) for code, number in lost]),
            calls=self._calls,
            attempts=self._attempts,
            unmetered=self._unmetered,
            usage=Usage(input=self._input, cached=self._cached, output=self._output),
            cost_usd=fsum(self._costs),
            unpriced=tuple(sorted(self._unpriced)),
            agreement=Rate(hits=self._agreed, total=self._with_votes),
            decided=self._decided,
            faulty=self._faulty,
            against_rules=self._against,
            advice=self.advice.counts,
            items=tuple(
                [
                    ItemCount(kind=kind, total=self._items[kind], good=self._good[kind], unclear=self._unclear[kind])
                    for kind in GATE_OF
                    if self._items[kind]
                ]
            ),
        )
