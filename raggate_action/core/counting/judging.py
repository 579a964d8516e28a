"""What judging a run came to, counted while its rows stream by, in any order."""

from __future__ import annotations

from array import array
from collections import Counter
from math import fsum
from typing import Final

from raggate_action.schema.answer_votes import GATE_OF, JudgedItem
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import Ask, CaseRun, Claim
from raggate_action.schema.judgement import AskedJudge, ItemKind, LostCode, Usage
from raggate_action.schema.panel import ItemCount, JudgingCounts, LostCount

_SUPPORTED: Final = "supported"


class JudgingTally:
    """Counts what judges said of a run's answers: of every answer of a case that was asked again, too.

    Keeps eight bytes per judgement that cost something; sums are exact, so that no order of rows changes them.
    """

    def __init__(self) -> None:
        self._answers = self._judgements = self._reused = self._calls = 0
        self._input = self._cached = self._output = 0
        self._lost: Counter[LostCode] = Counter()
        self._costs = array("d")
        self._unpriced: set[str] = set()
        self._items: Counter[ItemKind] = Counter()
        self._good: Counter[ItemKind] = Counter()
        self._unclear: Counter[ItemKind] = Counter()
        self._with_votes = self._agreed = self._decided = self._faulty = self._against = 0

    def add(self, row: CaseRun) -> None:
        """Count one case, known-bad ones as well: who asks about them pays for it."""
        self._add(row)
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
        usage = judge.usage
        self._input, self._cached = self._input + usage.input, self._cached + usage.cached
        self._output += usage.output
        if judge.lost is not None:
            self._lost[judge.lost.code] += 1
        if judge.cost_usd:
            self._costs.append(judge.cost_usd)
        if judge.cost_usd is None and judge.calls:
            self._unpriced.add(judge.judge)

    def _add_claim(self, claim: Claim) -> None:
        sides = {vote.verdict == _SUPPORTED for vote in claim.votes}
        if len(claim.votes) > 1:
            self._with_votes += 1
            self._agreed += len(sides) == 1
        self._decided += claim.judged
        self._faulty += claim.judged and claim.verdict != _SUPPORTED
        is_told = claim.verdict != "unverified" and not claim.judged
        self._against += is_told and (claim.verdict != _SUPPORTED) in sides

    def _add_item(self, item: JudgedItem) -> None:
        said = item.advised
        if said is not None:
            self._items[item.kind] += 1
            self._good[item.kind] += said == item.order[-1]
            self._unclear[item.kind] += said == "cannot-tell"

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
            usage=Usage(input=self._input, cached=self._cached, output=self._output),
            cost_usd=fsum(self._costs),
            unpriced=tuple(sorted(self._unpriced)),
            agreement=Rate(hits=self._agreed, total=self._with_votes),
            decided=self._decided,
            faulty=self._faulty,
            against_rules=self._against,
            items=tuple(
                [
                    ItemCount(kind=kind, total=self._items[kind], good=self._good[kind], unclear=self._unclear[kind])
                    for kind in GATE_OF
                    if self._items[kind]
                ]
            ),
        )
