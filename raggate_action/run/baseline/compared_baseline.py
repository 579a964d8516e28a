"""A baseline by the demands of the run that is compared with it: a baseline is its answers.

Where version, suite and judges are the run's, its rows stand as they are. Else its stored answers are evaluated again,
before the run's own are; what a judge or a check has to be asked for comes behind these, from what they left of the
budget. Afterwards a comparison knows nothing of it but rows by the same demands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Self

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.hallucination_changes import with_baseline_keys
from raggate_action.core.comparison.same_judges import JudgedBy, why_missed, without_panel
from raggate_action.core.counting.case_state import with_state
from raggate_action.core.gates.baseline_suite import asks_the_same
from raggate_action.run_store import RunSource, StoredTrace, WorkFile, read_baseline_answers, with_traces
from raggate_action.schema.baseline_answer import BaselineAnswer, NotJudgedAgain
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.json_lines import json_line
from raggate_action.schema.run import Policy, SuiteCase
from raggate_action.strings.numbers import count

if TYPE_CHECKING:
    from raggate_action.run.baseline.evaluated_again import StoredAnswer
    from raggate_action.run.judging_steps import VerdictSource
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
        self._baseline, self._policy, self._judged_by = baseline, policy, judged_by
        self._digests = {case_id: digest for case_id, digest, _in_scope in cases}
        before = baseline.judged_by
        self._differs = before.version != judged_by.version or before.policy != judged_by.policy
        self._panel_differs = before.judges != judged_by.judges
        self._work: WorkFile | None = None
        self._again: set[str] = set()
        self._left: dict[str, NotJudgedAgain] = {}
        self.index = baseline

    def close(self) -> None:
        """Let go of the file."""
        if self._work is not None:
            self._work.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _needs(self, row: CaseRun) -> bool:
        """Whether the row says nothing of how the answer comes out by the run's demands."""
        digest = self._digests.get(row.case_id)
        if digest is None or row.kind == "known_bad":
            return False
        if digest != row.digest or self._differs:
            return True
        # Without judges who count, what rules alone say of the answer stands in its row.
        return bool(self._judged_by.judges) and (self._panel_differs or why_missed(row) is not None)

    @property
    def _may_need(self) -> bool:
        """Whether any row may."""
        return self._has_changed or self._differs or bool(self._judged_by.judges)

    @property
    def _has_changed(self) -> bool:
        """Whether any case is another than on the baseline."""
        cases = self._baseline.cases
        return any(case_id in cases and cases[case_id].digest != digest for case_id, digest in self._digests.items())

    async def evaluate(self, loaded: LoadedSuite, judges: VerdictSource | None) -> None:
        """Evaluate again whatever needs it, by verdicts that were given before: nobody is asked.

        Args:
            loaded: The suite of the run.
            judges: Who knows what its judges said before; None without judges who are asked.

        Raises:
            RunStoreError: The baseline cannot be read.
        """
        if self._may_need:
            from raggate_action.run.baseline.evaluated_again import SaidBefore

            said = SaidBefore(judges)

            def take(row: CaseRun, again: CaseRun | NotJudgedAgain) -> None:
                self._take(row, "not-asked" if row.case_id in said.missing else again)

            await self._evaluate(self._needs, loaded, said, take)
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
        first, others = set[str](), set[str]()
        missing = {case_id for case_id, why in self._left.items() if why == "not-asked"}
        for head in heads if missing else ():
            if head.case_id in missing and (lost := why_missed(head)) is not None:
                # Nothing would be won: there is no verdict to hold another against.
                self._left[head.case_id] = lost
            elif head.case_id in missing:
                (first if head.state == "failed" or head.hallucinations else others).add(head.case_id)
        if not (first or others):
            return False
        tell(f"judging {count(len(first) + len(others), 'answer')} of the baseline again")
        for wanted in (first, others):
            left = None if ends is None else max(ends - asyncio.get_running_loop().time(), 0.0)
            await self._evaluate(partial(_is_of, wanted), loaded, verdicts, self._take, lanes=lanes, deadline_s=left)
        self._count()
        return True

    async def _evaluate(
        self,
        wants: Callable[[CaseRun], bool],
        loaded: LoadedSuite,
        verdicts: VerdictSource,
        take: Callable[[CaseRun, CaseRun | NotJudgedAgain], None],
        *,
        lanes: int = 1,
        deadline_s: float | None = None,
    ) -> None:
        from raggate_action.run.baseline.evaluated_again import evaluate_again
        from raggate_action.run.run_session import rulebook
        from raggate_action.schema.base import parse_moment

        positions = {case_id: position for position, (case_id, _digest) in enumerate(loaded.cases.index())}

        suite = self._baseline.suite if self._has_changed else None
        asked = {} if suite is None else {case.case_id: case for case in suite().cases}

        def asks_it(row: CaseRun) -> bool:
            [placed] = loaded.cases.at((positions[row.case_id],))
            if placed.digest == row.digest:
                return True
            is_answered = not placed.case.known_bad and placed.case.trace is None
            before = asked.get(row.case_id)
            return is_answered and before is not None and asks_the_same(before, placed.case)

        await evaluate_again(
            (pair for pair in self._stored() if wants(pair[0]) and asks_it(pair[0])),
            loaded.cases,
            rulebook(loaded, parse_moment(self._baseline.as_of)),
            verdicts,
            take,
            evidence_digest=self._baseline.evidence_digest,
            lanes=lanes,
            deadline_s=deadline_s,
        )

    def _stored(self) -> Iterator[StoredAnswer]:
        baseline = self._baseline
        if baseline.rows is not None and baseline.traces is not None:
            yield from with_traces(baseline.rows(), map(StoredTrace._make, baseline.traces()))

    def _take(self, row: CaseRun, again: CaseRun | NotJudgedAgain) -> None:
        if isinstance(again, CaseRun):
            self._left.pop(row.case_id, None)
            self._again.add(row.case_id)
            # One falsehood keeps the key that it had on the baseline.
            past = self._baseline.cases[row.case_id]._replace(digest=again.digest)
            self._work = self._work or WorkFile()
            self._work.add_main_answer(row.case_id, json_line(with_baseline_keys(again, past)))
        else:
            self._left[row.case_id] = again

    def read(self, head: RunSource | None) -> None:
        """Take what the run itself kept of these answers; of any other baseline's nothing is.

        Args:
            head: Where the run is stored; None where nothing of it is believed.

        Raises:
            RunStoreError: It cannot be read.
        """
        kept = read_baseline_answers(head) if head is not None and self._may_need else iter(())
        answer = next(kept, None)
        for row in self._baseline.rows() if self._baseline.rows is not None and self._may_need else ():
            if answer is not None and answer.is_of(row):
                self._take(row, answer.row or answer.left or "not-asked")
                answer = next(kept, None)
            elif self._needs(row) and row.digest == self._digests[row.case_id]:
                self._left[row.case_id] = "not-asked"
        self._count()

    def kept(self) -> Iterator[bytes]:
        """The lines that the run keeps of them, in the order of the baseline's rows."""
        baseline = self._baseline
        for row in baseline.rows() if baseline.rows is not None and (self._again or self._left) else ():
            again, left = self._row(row.case_id), self._left.get(row.case_id)
            if again is not None or left is not None:
                line = BaselineAnswer(
                    case_id=row.case_id,
                    digest=row.digest,
                    answer_digest=row.answer_digest,
                    finished_at=row.finished_at,
                    row=again,
                    left=left,
                )
                yield json_line(line)

    def _row(self, case_id: str) -> CaseRun | None:
        """The row of an answer that was evaluated again."""
        line = self._work.main_answer(case_id) if self._work is not None and case_id in self._again else None
        return None if line is None else CaseRun.model_validate_json(line)

    def _rows(self) -> Iterator[CaseRun]:
        """The baseline's rows by the run's demands."""
        gates, by_rules = self._policy.gates, not self._judged_by.judges
        for row in self._baseline.rows() if self._baseline.rows is not None else ():
            if (again := self._row(row.case_id)) is not None:
                yield again
                continue
            alone = without_panel(row, gates) if by_rules else row
            yield alone if row.state == "flaky" else with_state(alone, gates)

    def _count(self) -> None:
        """Count the baseline by the run's policy, if anything of it is another than by its own."""
        baseline, policy = self._baseline, self._baseline.policy
        is_same = (policy.gates, policy.slices, policy.waivers) == (
            self._policy.gates,
            self._policy.slices,
            self._policy.waivers,
        )
        if baseline.counted_by is None or (is_same and not (self._again or self._left or self._panel_differs)):
            return
        by_head = baseline.counted_by(self._rows, self._policy, self._left, baseline.cases)
        cases = dict(by_head.cases)
        for case_id, past in baseline.cases.items():
            if case_id in cases and cases[case_id].digest == past.digest and cases[case_id] is not past:
                # Whoever measured the answer first measured it.
                cases[case_id] = cases[case_id]._replace(measured=past.measured)
        self.index = baseline._replace(
            cases=cases,
            gates=by_head.gates,
            slices=by_head.slices,
            statuses={**baseline.statuses, **by_head.statuses},
            amounts=by_head.amounts,
            rows=self._rows,
            own=baseline,
            again=frozenset(self._again),
            left=self._left,
        )


def _is_of(case_ids: Container[str], row: CaseRun) -> bool:
    return row.case_id in case_ids
