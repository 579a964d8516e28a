"""A baseline by the demands of the run that is compared with it: a baseline is its answers.

Where version, suite and judges are the run's, its rows stand as they are. Else its stored answers are evaluated again,
before the run's own are; what a judge or a check has to be asked for comes behind these, from what they left of the
budget. Afterwards a comparison knows nothing of it but rows by the same demands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.hallucination_changes import with_baseline_keys
from raggate_action.core.comparison.same_judges import JudgedBy, why_missed, without_panel
from raggate_action.core.counting.case_state import with_state
from raggate_action.core.gates.baseline_suite import asks_the_same
from raggate_action.run_store import RunSource, StoredTrace, WorkFile, read_baseline_answers, with_traces
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.later import NotJudgedAgain
from raggate_action.schema.run import Policy, SuiteCase
from raggate_action.strings.numbers import count

if TYPE_CHECKING:
    from raggate_action.run.judging_steps import VerdictSource
    from raggate_action.schema.case import PlacedCase
    from raggate_action.suite_files import LoadedSuite


class ComparedBaseline:
    """A baseline as one run is compared with it. Its rows that were evaluated again lie in a nameless file.

    Attributes:
        index: It, by the run's demands.
    """

    def __init__(
        self, baseline: BaselineIndex, policy: Policy, judged_by: JudgedBy, cases: Iterable[SuiteCase]
    ) -> None:
        """Begin with what needs no evaluation.

        Args:
            baseline: The baseline as its own suite counted it.
            policy: What the run is judged by.
            judged_by: What its cases are judged by.
            cases: Every case of its suite.
        """
        self._baseline, self._policy, self._by_rules = baseline, policy, not judged_by.judges
        self._digests = {case_id: digest for case_id, digest, _in_scope in cases}
        before, past = baseline.judged_by, baseline.cases
        self._differs = before.version != judged_by.version or before.policy != judged_by.policy
        self._panel_differs = before.judges != judged_by.judges
        self._has_changed = any(name in past and past[name].digest != digest for name, digest in self._digests.items())
        self._may_need = self._has_changed or self._differs or not self._by_rules
        self._work = WorkFile()
        self._again: set[str] = set()
        self._left: dict[str, NotJudgedAgain] = {}
        self.index = baseline

    def close(self) -> None:
        """Let go of the file."""
        self._work.close()

    def _needs(self, row: CaseRun) -> bool:
        """Whether the row says nothing of how the answer comes out by the run's demands."""
        digest = self._digests.get(row.case_id)
        if digest is None or row.kind == "known_bad":
            return False
        if digest != row.digest or self._differs:
            return True
        # Without judges who count, what rules alone say of the answer stands in its row.
        return not self._by_rules and (self._panel_differs or why_missed(row) is not None)

    async def evaluate(self, loaded: LoadedSuite, verdicts: VerdictSource) -> None:
        """Evaluate again whatever needs it, by verdicts that were given before: nobody is asked.

        Args:
            loaded: The suite of the run.
            verdicts: Who knows what was said before.

        Raises:
            RunStoreError: The baseline cannot be read.
        """
        if self._may_need:
            await self._evaluate(self._needs, loaded, verdicts)
        self._count()

    async def ask(
        self,
        heads: Iterable[CaseRun],
        loaded: LoadedSuite,
        verdicts: VerdictSource,
        *,
        lanes: int,
        ends: float | None,
        tell: Callable[[str], object],
    ) -> bool:
        """Ask for the verdicts that are missing; returns whether anybody had to be.

        Args:
            heads: The rows of the run; first those are asked about of which more hangs on the comparison.
            loaded: Its suite.
            verdicts: Who is asked.
            lanes: How many answers are asked about at once.
            ends: The deadline by the loop's clock; None is without end.
            tell: Shows a line while the run goes on.

        Raises:
            RunStoreError: A judgement cannot be written down, or the baseline cannot be read.
        """
        missing = {case_id for case_id, why in self._left.items() if why == "not-asked"}
        # Without a verdict on the head's answer there is none to hold another against.
        asked = {
            head.case_id: head.state == "failed" or bool(head.hallucinations)
            for head in (heads if missing else ())
            if head.case_id in missing and why_missed(head) is None
        }
        if not asked:
            return False
        tell(f"judging {count(len(asked), 'answer')} of the baseline again")
        for wanted in ({each for each in asked if asked[each]}, {each for each in asked if not asked[each]}):
            left = None if ends is None else max(ends - asyncio.get_running_loop().time(), 0.0)
            await self._evaluate(partial(_is_of, wanted), loaded, verdicts, lanes=lanes, deadline_s=left)
        self._count()
        return True

    async def _evaluate(
        self,
        wants: Callable[[CaseRun], bool],
        loaded: LoadedSuite,
        verdicts: VerdictSource,
        *,
        lanes: int = 0,
        deadline_s: float | None = None,
    ) -> None:
        from raggate_action.run.baseline.evaluated_again import evaluate_again
        from raggate_action.run.run_session import rulebook
        from raggate_action.schema.base import parse_moment

        baseline, cases = self._baseline, {placed.case.case_id: placed for placed in loaded.cases}
        suite = baseline.suite if self._has_changed else None
        before = {} if suite is None else {case.case_id: case for case in suite().cases}

        def asks_it(row: CaseRun, placed: PlacedCase) -> bool:
            if placed.digest == row.digest:
                return True
            is_answered = not placed.case.known_bad and placed.case.trace is None
            return is_answered and row.case_id in before and asks_the_same(before[row.case_id], placed.case)

        def stored() -> Iterator[tuple[PlacedCase, CaseRun, StoredTrace | None]]:
            if baseline.rows is None or baseline.traces is None:
                return
            for row, trace in with_traces(baseline.rows(), map(StoredTrace._make, baseline.traces())):
                if wants(row) and asks_it(row, placed := cases[row.case_id]):
                    self._left[row.case_id] = "not-asked"
                    yield placed, row, trace

        await evaluate_again(
            stored(),
            loaded.cases,
            rulebook(loaded, parse_moment(baseline.run.as_of)),
            verdicts,
            self._take,
            evidence_digest=baseline.run.provenance.evidence_digest,
            lanes=lanes,
            deadline_s=deadline_s,
        )

    def _take(self, row: CaseRun, again: CaseRun) -> None:
        from raggate_action.run.baseline.evaluated_again import why_left

        self._left.pop(row.case_id, None)
        if (why := why_left(row, again)) is not None:
            self._left[row.case_id] = why
        else:
            self._again.add(row.case_id)
            # One falsehood keeps the key that it had on the baseline.
            past = self._baseline.cases[row.case_id]._replace(digest=again.digest)
            again = with_baseline_keys(again, past)
        self._work.add_main_answer(row.case_id, json_line(again))

    def read(self, head: RunSource | None) -> None:
        """Take what the run itself kept of these answers; of any other baseline's nothing is.

        Args:
            head: Where the run is stored; None where nothing of it is believed.

        Raises:
            RunStoreError: It cannot be read.
        """
        kept = read_baseline_answers(head) if head is not None and self._may_need else iter(())
        again = next(kept, None)
        for row in self._baseline.rows() if self._baseline.rows is not None and self._may_need else ():
            if again is not None and (again.case_id, again.finished_at) == (row.case_id, row.finished_at):
                self._take(row, again)
                again = next(kept, None)
            elif self._needs(row) and row.digest == self._digests[row.case_id]:
                self._left[row.case_id] = "not-asked"
        self._count()

    def kept(self) -> Iterator[bytes]:
        """The rows that the run keeps of them, in the order of the baseline's."""
        for row in self._baseline.rows() if self._baseline.rows is not None and self._may_need else ():
            if (line := self._work.main_answer(row.case_id)) is not None:
                yield line

    def _row(self, case_id: str) -> CaseRun | None:
        """The row of an answer that was evaluated again."""
        line = self._work.main_answer(case_id) if case_id in self._again else None
        return None if line is None else CaseRun.model_validate_json(line)

    def _rows(self) -> Iterator[CaseRun]:
        """The baseline's rows by the run's demands."""
        gates = self._policy.gates
        for row in self._baseline.rows() if self._baseline.rows is not None else ():
            if (again := self._row(row.case_id)) is not None:
                yield again
                continue
            alone = without_panel(row, gates) if self._by_rules else row
            yield alone if row.state == "flaky" else with_state(alone, gates)

    def _count(self) -> None:
        """Count the baseline by the run's policy, if anything of it is another than by its own."""
        from raggate_action.run.count_and_decide import counted_by

        baseline, policy, then = self._baseline, self._policy, self._baseline.run.policy
        is_same = (then.gates, then.slices, then.waivers) == (policy.gates, policy.slices, policy.waivers)
        if baseline.rows is None or (is_same and not (self._again or self._left or self._panel_differs)):
            return
        found = counted_by(baseline, self._rows, policy, self._left)
        cases = dict(found.cases)
        for case_id, past in baseline.cases.items():
            if case_id in cases and cases[case_id].digest == past.digest and cases[case_id] is not past:
                # Whoever measured the answer first measured it.
                cases[case_id] = cases[case_id]._replace(measured=past.measured)
        self.index = found._replace(cases=cases, again=frozenset(self._again))


def _is_of(case_ids: Container[str], row: CaseRun) -> bool:
    return row.case_id in case_ids
