"""A run's answers compared blind with its baseline's, where its suite names judges for that and no two arms.

It comes behind everything else that is judged, by judges and a budget of its own. Answers that are the same are a tie
that nobody is asked about.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import NamedTuple, get_args

from raggate_action.core.ab.example_question import example_question
from raggate_action.core.comparison.baseline_index import BaselineIndex, is_compared
from raggate_action.core.counting.case_state import passes_gates
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.judging_jobs.pairs.pair_task import PairAnswer
from raggate_action.report.ab_in_run_view import run_arm_lines
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.render import render_findings
from raggate_action.run.ab.arm_answers import visible_answer
from raggate_action.run.ab.blind_comparison import PairComparison, PairedCase, permitted_rows
from raggate_action.run.ab.pair_judging import PairHearers, PairKeeping
from raggate_action.run.ab.pairs import AnswerPair, cites_by_number
from raggate_action.run.baseline.baseline_upgrade import drafted_again, rules_then
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import JudgementSource
from raggate_action.run.row_sink import Sink
from raggate_action.run.run_plan import Plan, run_id_of
from raggate_action.run_store import JudgementFile, RunSource, StoredTrace, read_traces, with_traces
from raggate_action.schema.ab_run import NotPaired, NotPairedCount, RunAb
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.outcome import Failed
from raggate_action.strings.numbers import count
from raggate_action.suite_files.judge_rows_writing import rows_csv

_Stored = Iterator[tuple[CaseRun, StoredTrace | None]]


class PastPairs(NamedTuple):
    """What a run and its baseline have side by side.

    Attributes:
        cases: In suite order.
        not_paired: Cases of the run without a pair, by reason.
    """

    cases: tuple[PairedCase, ...]
    not_paired: tuple[NotPairedCount, ...]

    @property
    def pairs(self) -> tuple[AnswerPair, ...]:
        """The pairs, in suite order."""
        return tuple([each.pair for each in self.cases])


class _Then(NamedTuple):
    """The baseline's answer to a case, as far as its row tells."""

    unfit: NotPaired | None
    answer_digest: str | None
    context: tuple[tuple[str, ...], tuple[str, ...]]

    def is_same(self, row: CaseRun) -> bool:
        """Whether the run gave the same answer, as far as rows tell; see `Pair.is_same`.

        Where it cites by number, or may do so in words that are not in the row, only beside the same context.
        """
        if self.answer_digest != row.answer_digest:
            return False
        whole = row.answer if row.answer is not None and len(row.answer) == row.answer_length else None
        return self.context == _context_of(row) or (whole is not None and not cites_by_number(whole))


class PastPairing:
    """Puts a run's answers beside its baseline's."""

    def __init__(self, by: PairComparison, baseline: BaselineIndex) -> None:
        """Prepare.

        Args:
            by: What answers are compared by.
            baseline: The baseline, its rows and traces at hand.
        """
        self._by, self._loaded, self._baseline = by, by.loaded, baseline
        self._left: Counter[NotPaired] = Counter()

    async def pairs(self, where: RunSource, rows: Iterable[CaseRun], rules: Rulebook) -> PastPairs:
        """The pairs. Answers that are the same need nothing else; of others both are drafted as they were.

        Args:
            where: The directory of the run, whose cases are all journalled.
            rows: Its rows.
            rules: What it was judged by.

        Raises:
            RunStoreError: A row or a trace cannot be read.
        """
        before = {row.case_id: _Then(_unfit(row), row.answer_digest, _context_of(row)) for row in self._past_rows()}
        same: dict[str, CaseRun] = {}
        other: dict[str, tuple[CaseRun, PairAnswer | None]] = {}
        evidence = self._loaded.evidence
        then = evidence.digest if evidence is not None else None
        async for row, stored in _one_by_one(with_traces(rows, read_traces(where))):
            past = self._comparable(row, before.get(row.case_id))
            if past is None:
                continue
            if past.is_same(row):
                same[row.case_id] = row
            else:
                other[row.case_id] = row, self._side(row, stored, rules, then)
        controls = await self._controls(other)
        found = {row.position: self._same(row) for row in same.values()}
        found |= {row.position: self._other(row, controls.get(name), side) for name, (row, side) in other.items()}
        counts = [NotPairedCount(reason=each, cases=self._left[each]) for each in get_args(NotPaired)]
        return PastPairs(
            tuple([found[position] for position in sorted(found)]), tuple([each for each in counts if each.cases])
        )

    def _comparable(self, row: CaseRun, past: _Then | None) -> _Then | None:
        """The baseline's answer where the two stand side by side; else it is counted why not.

        A case whose trace stands in the suite is no answer of the app, and neither is a known-bad one.
        """
        if row.kind == "known_bad" or self._placed(row).case.trace is not None:
            return None
        if past is None or not is_compared(row, self._baseline):
            self._left["new"] += 1
            return None
        unfit = _unfit(row) or past.unfit
        if unfit is not None:
            self._left[unfit] += 1
            return None
        return past

    async def _controls(self, other: dict[str, tuple[CaseRun, PairAnswer | None]]) -> dict[str, PairAnswer | None]:
        """The baseline's answers to cases that have another one now."""
        if not other:
            return {}
        baseline = self._baseline
        rules, then = rules_then(self._loaded, baseline.suite.policy, baseline.as_of), baseline.suite.evidence_digest
        traces = map(StoredTrace._make, baseline.traces()) if baseline.traces is not None else iter(())
        found: dict[str, PairAnswer | None] = {}
        async for row, stored in _one_by_one(with_traces(self._past_rows(), traces)):
            head, _treatment = other.get(row.case_id, (None, None))
            if head is not None:
                found[row.case_id] = self._side(row, stored, rules, then, placed=self._placed(head))
        return found

    def _past_rows(self) -> Iterator[CaseRun]:
        return iter(self._baseline.rows() if self._baseline.rows is not None else ())

    def _side(
        self,
        row: CaseRun,
        stored: StoredTrace | None,
        rules: Rulebook,
        then: str | None,
        *,
        placed: PlacedCase | None = None,
    ) -> PairAnswer | None:
        case = (placed or self._placed(row)).case
        drafted = drafted_again(case, row, stored, rules, then=then) if stored is not None else None
        return None if drafted is None else visible_answer(drafted)

    def _same(self, row: CaseRun) -> PairedCase:
        # Under `texts: ids` there are no words, and the digest stands for them.
        text = row.answer or row.answer_digest or ""
        return self._paired_case(row, control=PairAnswer(text, ()), treatment=PairAnswer(text, ()))

    def _other(self, row: CaseRun, control: PairAnswer | None, treatment: PairAnswer | None) -> PairedCase:
        if control is not None and treatment is not None:
            return self._paired_case(row, control=control, treatment=treatment)
        sides: tuple[tuple[ArmName, PairAnswer | None], ...] = (("control", control), ("treatment", treatment))
        paired = self._paired_case(row, control=PairAnswer("", ()), treatment=PairAnswer("", ()))
        gone = tuple([arm for arm, side in sides if side is None])
        return paired._replace(pair=paired.pair._replace(unasked="text", arms=gone))

    def _paired_case(self, row: CaseRun, *, control: PairAnswer, treatment: PairAnswer) -> PairedCase:
        case = self._placed(row).case
        pair = AnswerPair(
            question_id=row.case_id,
            question=case.question_with_turns,
            question_type=self._by.type_of(case),
            harmful=self._by.is_harmful(case),
            control=control.answer,
            treatment=treatment.answer,
            control_chunks=control.chunks,
            treatment_chunks=treatment.chunks,
        )
        return PairedCase(pair, passes_gates(row, answerable=case.is_answerable))

    def _placed(self, row: CaseRun) -> PlacedCase:
        return next(iter(self._loaded.cases.at((row.position,))))


def _context_of(row: CaseRun) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What an answer was made from: ids and versions."""
    return row.context, row.context_versions


def _unfit(row: CaseRun) -> NotPaired | None:
    """Why an answer stands beside none; None where it may."""
    if row.state == "flaky":
        return "flaky"
    target = row.outcomes.get("target")
    if target is not None and target.kind in {"failed", "unmeasured"}:
        return "no-answer"
    if isinstance(row.outcomes.get("admissibility"), Failed):
        return "inadmissible"
    is_blank = row.answer is not None and not row.answer.strip()
    return "no-answer" if row.answer_digest is None or not row.answer_length or is_blank else None


async def _one_by_one(rows: _Stored) -> AsyncIterator[tuple[CaseRun, StoredTrace | None]]:
    """The same; a Ctrl-C is only felt where something waits."""
    for both in rows:
        yield both
        await asyncio.sleep(0)


class AbInRun(NamedTuple):
    """A run's answers beside its baseline's.

    Attributes:
        record: As the run keeps it.
        rows: Of every judge, question and order, as a file may hold them; none where nobody could be asked.
    """

    record: RunAb
    rows: tuple[JudgeRow, ...]

    def files(self) -> Mapping[str, str]:
        """What a run directory has of it beside the record, by file name."""
        found = self.record.aggregate
        if found is None:
            return {}
        arms = tuple(run_arm_lines(self.record))
        page = findings_page(AbFindings(found, self.record.findings, self.rows, arms=arms))
        rows = b"".join(rows_csv(self.rows, self.record.dimensions)).decode()
        return {"findings.md": render_findings(page), "judge_rows.csv": rows}


async def compared_with_baseline(plan: Plan, sink: Sink, rules: Rulebook, ends: float | None) -> AbInRun | None:
    """A run's answers beside its baseline's; None where the suite does not compare them, or there is no baseline.

    Args:
        plan: The run.
        sink: It has taken all its cases in.
        rules: What they were judged by.
        ends: The run's deadline by the loop's clock; None is without end.

    Raises:
        RunStoreError: A judgement cannot be written down, or a row or trace cannot be read.
    """
    by, baseline = PairComparison.of(plan.loaded), plan.request.baseline
    if by is None or baseline is None or baseline.rows is None:
        return None
    by, progress, directory = by._replace(ends=ends), sink.progress, sink.directory
    past = await PastPairing(by, baseline).pairs(directory.path, directory.rows(), rules)
    changed = sum(pair.is_asked for pair in past.pairs)
    lacking = plan.request.lacking_keys(by.judges) if changed else None
    unavailable = f"No judge compared the answers with the baseline's, for {lacking}." if lacking else None
    record = _record(by, baseline, past)
    if unavailable is not None or not past.cases:
        progress.tell(unavailable or "no answer stands beside one of the baseline: nothing is compared")
        return AbInRun(record.model_copy(update={"unavailable": unavailable}), ())
    if changed:
        progress.tell(f"comparing {count(changed, 'changed answer')} with the baseline's")
    started = directory.started.started_at
    found = await by.compare(
        past.cases,
        _pair_keeping(plan, by, baseline, directory.judgements),
        PairHearers(progress.tell, progress.judged, lambda: None),
        run_id=run_id_of(plan.loaded.suite.suite, started),
        timestamp=started,
    )
    # Of answers that are all the same there is nothing to write.
    fields = await by.findings_fields(found, progress.tell, is_worth_writing=bool(found.aggregate.headline.wins.judged))
    rows = tuple(permitted_rows(found.rows, plan.policy.texts))
    return AbInRun(record.model_copy(update={**fields, "example": example_question(found.aggregate, rows)}), rows)


def _record(by: PairComparison, baseline: BaselineIndex, past: PastPairs) -> RunAb:
    """What the run has of it before anybody is asked."""
    changed = sum(pair.unasked is not None or pair.is_asked for pair in past.pairs)
    return RunAb(
        **by.record_fields(),
        baseline=baseline.decided_at,
        rubric=by.rubric_digest,
        prompt=by.prompt_digest,
        identical=len(past.cases) - changed,
        changed=changed,
        not_paired=past.not_paired,
    )


def _pair_keeping(plan: Plan, by: PairComparison, baseline: BaselineIndex, journal: JudgementFile) -> PairKeeping:
    spent = (each for each in journal if each.job == "pair")
    earlier = []
    # Of a stranger's baseline there are no judgements that could be used again.
    if plan.request.reuse and baseline.judgements is not None:
        earlier.append(JudgementSource("the baseline's judgements.jsonl", baseline.judgements))
    return PairKeeping(Budget(by.ab.budget, spent), journal, tuple(earlier), secrets=plan.loaded.secrets)
