"""The baseline's answers that other judges judged, or none, judged again by this run's: no judge changes an app.

It comes behind the run's own answers, from what those have left of the budget. What was said before to the same
question is taken first; then those answers are asked about on which a comparison hangs, then the others in suite order.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex, PastAnswers, is_compared
from raggate_action.core.comparison.hallucination_changes import with_baseline_keys
from raggate_action.core.comparison.same_judges import (
    PanelOf,
    are_alike,
    is_judged_otherwise,
    panel_of,
    row_by_panel,
    why_missed,
)
from raggate_action.core.disclosure.withholding import ids_only, without_forbidden
from raggate_action.core.gates.case_row import evaluate_drafted
from raggate_action.core.gates.diagnosis import Drafted
from raggate_action.isolation.time_limit import TimeLimitError, within
from raggate_action.run.baseline.baseline_upgrade import drafted_again, rules_then
from raggate_action.run.judging.judge_dispatch import PastSource
from raggate_action.run_store import StoredTrace, with_traces
from raggate_action.schema.baseline_answer import NotJudgedAgain
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GateName
from raggate_action.schema.verdicts import Verdicts
from raggate_action.strings.numbers import count
from raggate_action.suite_files import LoadedSuite

# As for the answers of a run.
_CASE_S = 10.0
# A case's own check is not asked of an old answer, so what it said then stays.
_OF_CHECKS: frozenset[GateName] = frozenset({"behaviour"})
_UNUSED = {"asks": (), "by_baseline": None}


class _Head(NamedTuple):
    """The head's answer to a case, for the sake of which the baseline's is judged.

    Attributes:
        rank: Place among those that are asked about: first where a comparison hangs on it.
        panel: Who judged it.
    """

    rank: tuple[bool, int]
    panel: PanelOf


class _Past(NamedTuple):
    """An answer of the baseline, with what it takes to judge it."""

    head: _Head
    placed: PlacedCase
    row: CaseRun
    stored: StoredTrace


class BaselineAnswers:
    """Judges a baseline's answers again for one run."""

    def __init__(
        self,
        baseline: BaselineIndex,
        loaded: LoadedSuite,
        judges: PastSource,
        *,
        lanes: int,
        tell: Callable[[str], object],
    ) -> None:
        """Prepare.

        Args:
            baseline: The baseline.
            loaded: The suite of today.
            judges: This run's.
            lanes: How many answers are asked about at once.
            tell: Shows a line while the run goes on.
        """
        self._baseline, self._loaded, self._judges = baseline, loaded, judges
        self._lanes, self._tell = lanes, tell
        self._rules = rules_then(loaded, baseline.suite.policy, baseline.as_of)
        self._rows: dict[str, CaseRun] = {}
        self._left: dict[str, NotJudgedAgain] = {}

    async def judged(self, rows: Iterable[CaseRun], ends: float | None) -> PastAnswers:
        """What becomes of the baseline's answers to these cases.

        Args:
            rows: The head's, all of them.
            ends: The deadline by the loop's clock; None is without end.

        Raises:
            RunStoreError: A judgement cannot be written down, or the baseline cannot be read.
        """
        heads = dict(self._unlike(rows))
        left = await self._not_said_before(heads, ends) if heads else []
        queue = deque(sorted(left, key=lambda past: past.head.rank))
        if queue:
            self._tell(
                f"judging {count(len(queue), 'answer')} of the baseline again, which other judges judged or none did"
            )
            await self._ask(queue, ends)
        return PastAnswers(self._rows, self._left)

    def _unlike(self, rows: Iterable[CaseRun]) -> Iterator[tuple[str, _Head]]:
        """The cases that compare only if the baseline's answer is judged again, by id.

        Where no judge counted for the head's own answer, or its judges were lost, nothing would be won.
        """
        for row in rows:
            past = self._baseline.cases.get(row.case_id)
            if past is None or row.state == "flaky" or not is_compared(row, self._baseline):
                continue
            if not is_judged_otherwise(row, past.panel):
                continue
            panel = panel_of(row)
            if panel.missed:
                self._left[row.case_id] = why_missed(row) or "judge"
            elif panel.bound_to:
                hangs = row.state == "failed" or bool(row.hallucinations)
                yield row.case_id, _Head((not hangs, row.position), panel)

    async def _not_said_before(self, heads: dict[str, _Head], ends: float | None) -> list[_Past]:
        """Of these the answers that a judge has to be asked about; what was said before of others is taken at once."""
        left, time = [], asyncio.get_running_loop().time
        for row, stored in self._stored():
            head = heads.pop(row.case_id, None)
            if head is None or row.state == "flaky":
                # Of a flaky case's answers none alone says how it stood.
                continue
            if ends is not None and time() >= ends:
                self._left[row.case_id] = "cut"
                continue
            placed = next(self._loaded.cases.at((head.rank[1],)))
            past = _Past(head, placed, row, stored) if stored is not None else None
            drafted = self._drafted(past) if past is not None else None
            if past is None or drafted is None:
                self._left[row.case_id] = "text"
            elif (verdicts := self._judges.earlier_verdicts(drafted)) is None:
                left.append(past)
            else:
                self._take(past, drafted, verdicts)
            # A Ctrl-C is only felt where something waits.
            await asyncio.sleep(0)
        return left

    def _stored(self) -> Iterator[tuple[CaseRun, StoredTrace | None]]:
        baseline = self._baseline
        if baseline.rows is None or baseline.traces is None:
            return
        yield from with_traces(baseline.rows(), map(StoredTrace._make, baseline.traces()))

    def _drafted(self, past: _Past) -> Drafted | None:
        """The answer drafted as it was; None where it, or a text it was built from, is not at hand."""
        then = self._baseline.suite.evidence_digest
        return drafted_again(past.placed.case, past.row, past.stored, self._rules, then=then)

    async def _ask(self, queue: deque[_Past], ends: float | None) -> None:
        """Ask about answers, the first first, until all are judged or the deadline has passed."""

        async def lane() -> None:
            while queue:
                past = queue.popleft()
                self._left[past.row.case_id] = "cut"
                drafted = self._drafted(past)
                if drafted is not None:
                    self._take(past, drafted, await self._judges.of(drafted))

        limit = asyncio.timeout_at(ends)
        try:
            async with limit, asyncio.TaskGroup() as group:
                # A deadline that has passed already is felt here.
                await asyncio.sleep(0)
                for _lane in range(min(self._lanes, len(queue))):
                    group.create_task(lane())
        except TimeoutError:
            if not limit.expired():
                raise
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        for past in queue:
            self._left[past.row.case_id] = "cut"

    def _take(self, past: _Past, drafted: Drafted, verdicts: Verdicts) -> None:
        """Keep the baseline's row as the verdicts make it, if they say what the head's judges say."""
        row = self._row(past, drafted, verdicts)
        case_id = past.row.case_id
        self._left.pop(case_id, None)
        if row is not None and are_alike(panel_of(row), past.head.panel):
            self._rows[case_id] = row
        else:
            self._left[case_id] = (why_missed(row) if row is not None else "cut") or "judge"

    def _row(self, past: _Past, drafted: Drafted, verdicts: Verdicts) -> CaseRun | None:
        row, rules = past.row, self._rules

        def work() -> CaseRun:
            return evaluate_drafted(past.placed, drafted, verdicts, rules, finished_at=row.finished_at).row

        try:
            again = within(_CASE_S, work)
        except TimeLimitError:
            return None
        if self._baseline.other is not None:
            # Of another version's row nothing is taken, for its rules are others.
            return again
        case = past.placed.case
        judged = row_by_panel(row, again, rules.gates, keep=_OF_CHECKS if case.custom_check is not None else ())
        judged = with_baseline_keys(judged, self._baseline.cases.get(row.case_id))
        # The rest of it was written by what might be read then; its other answers compare with nothing.
        judged = without_forbidden(judged.model_copy(update=_UNUSED), case, rules.restricted)
        return ids_only(judged) if rules.texts == "ids" else judged
