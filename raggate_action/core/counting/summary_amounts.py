"""The amounts of a run's summary: scores, latency, cost, tools, ids that the store knows, judges' votes and costs."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import fsum
from typing import Final

from raggate_action.core.counting.judge_only_findings import AdviceTally
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import Ask, CaseRun
from raggate_action.schema.counts import Counts
from raggate_action.schema.decision import Cause
from raggate_action.schema.later import JudgingCounts, LostCode
from raggate_action.schema.outcome import GATE_OF, ItemKind
from raggate_action.schema.summary import Summary, ToolCount
from raggate_action.strings.numbers import percent_number

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
    def strange(self) -> Cause | None:
        """The ids, where the store knows none of them."""
        if self._known or self._traces < _FEWEST_TRACES:
            return None
        return Cause(kind="store-knows-none", ids=self._unknown, traces=self._traces, first=self._first)


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
        self._with_tools = self._tools_correct = 0
        self._expected: Counter[str] = Counter()
        self._missing: Counter[str] = Counter()

    def add(self, row: CaseRun) -> None:
        """Count one ordinary case that was run; an error of the target counts with the score and latency it has."""
        if row.score is not None:
            self._scores.append(row.score)
        if row.latency_ms is not None:
            self._latencies.append(row.latency_ms)
        if row.cost_usd is not None:
            self._costs.append(row.cost_usd)
        if row.tools is not None:
            self._with_tools += 1
            self._tools_correct += not row.tools.missing
            self._expected.update(set(row.tools.expected))
            self._missing.update(set(row.tools.missing))

    def summary(self, counts: Counts, *, ran: int, failing: tuple[str, ...]) -> Summary:
        """The summary so far; tools with most misses first, then by name.

        Rates are over cases run, in percent, one decimal, rounded half up.
        """
        latencies, costs = sorted(self._latencies), self._costs
        tools = [
            ToolCount(tool=tool, called=expected - self._missing[tool], expected=expected)
            for tool, expected in self._expected.items()
        ]
        return Summary(
            cases=counts.cases,
            passed=counts.passed,
            failed=counts.failed,
            mean_score=mean(self._scores),
            mean_latency_ms=mean(latencies),
            p50_latency_ms=nearest_rank(latencies, 50),
            p95_latency_ms=nearest_rank(latencies, 95),
            hallucination_rate=percent_number(counts.hallucinating, ran),
            flag_rate=percent_number(counts.flagged, ran),
            failing=failing,
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
        # By the names that `JudgingCounts`, `Usage` and `ItemCount` have for them.
        self._counts: Counter[str] = Counter()
        self._tokens: Counter[str] = Counter()
        self._items: defaultdict[ItemKind, Counter[str]] = defaultdict(Counter)
        self._lost: Counter[LostCode] = Counter()
        self._costs = array("d")
        self._unpriced: set[str] = set()
        self._with_votes = self._agreed = 0
        self.advice = AdviceTally()

    def add(self, row: CaseRun) -> None:
        """Count one case, known-bad ones as well: who asks about them pays for it."""
        self._add(row)
        self.advice.add(row)
        for ask in row.asks:
            self._add(ask)

    def _add(self, answer: Ask) -> None:
        counts, votes = self._counts, answer.answer_votes
        if not (answer.judges or votes):
            return
        counts["answers"] += 1
        for judge in (*answer.judges, *(votes.judges if votes is not None else ())):
            counts["judgements"] += 1
            counts["reused"] += judge.reused
            counts["calls"] += judge.calls
            counts["attempts"] += judge.attempts
            counts["unmetered"] += judge.unmetered
            self._tokens["input"] += judge.usage.input
            self._tokens["cached"] += judge.usage.cached
            self._tokens["output"] += judge.usage.output
            if judge.lost is not None:
                self._lost[judge.lost.code] += 1
            if judge.cost_usd:
                self._costs.append(judge.cost_usd)
            if judge.cost_usd is None and judge.calls and not judge.unmetered:
                self._unpriced.add(judge.judge)
        for claim in answer.claims:
            sides = {vote.verdict == _SUPPORTED for vote in claim.votes}
            if len(claim.votes) > 1:
                self._with_votes += 1
                self._agreed += len(sides) == 1
            counts["decided"] += claim.judged
            counts["faulty"] += claim.judged and claim.verdict != _SUPPORTED
            by_rules = claim.verdict != "unverified" and not claim.judged
            counts["against_rules"] += by_rules and (claim.verdict != _SUPPORTED) in sides
        for item in votes.items if votes is not None else ():
            advised = item.advised
            if advised is not None:
                of_kind = self._items[item.kind]
                of_kind["total"] += 1
                of_kind["good"] += advised == item.order[-1]
                of_kind["unclear"] += advised == "cannot-tell"

    @property
    def counts(self) -> JudgingCounts | None:
        """What has been counted so far; None where no judge was to be asked."""
        if not self._counts:
            return None
        from raggate_action.schema.judgement import Usage
        from raggate_action.schema.judging_counts import ItemCount, JudgingCounts

        lost = sorted(self._lost.items(), key=lambda item: (-item[1], item[0]))
        return JudgingCounts(
            **self._counts,
            lost=dict(lost),
            usage=Usage(**self._tokens),
            cost_usd=fsum(self._costs),
            unpriced=tuple(sorted(self._unpriced)),
            agreement=Rate(hits=self._agreed, total=self._with_votes),
            advice=self.advice.counts,
            items=tuple([ItemCount(kind=kind, **self._items[kind]) for kind in GATE_OF if kind in self._items]),
        )
