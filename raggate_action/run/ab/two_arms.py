"""A run with two arms: the same questions asked of both, their answers compared blind, a directory written."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from raggate_action.core.ab.one_variable import BothRetrieved, one_variable
from raggate_action.core.counting.case_state import passes_gates
from raggate_action.core.decision.ab_gate import ab_gate
from raggate_action.errors import ExitCode, SuiteError, TargetError, UsageError
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.render import render_findings
from raggate_action.report.report_html import ab_report
from raggate_action.run.ab.arm_answers import ArmAnswer, BothAnswers, answers_of_both
from raggate_action.run.ab.blind_comparison import ComparedPairs, PairComparison, PairedCase, permitted_rows
from raggate_action.run.ab.pair_judging import PairHearers, PairKeeping
from raggate_action.run.ab.pairs import pair_of, unjudged_pairs
from raggate_action.run.clock import moment_now
from raggate_action.run.deadline import ends_after
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import JudgementSource
from raggate_action.run.progress import Progress
from raggate_action.run.report_page_file import page_files
from raggate_action.run.run_plan import Plan, RunRequest, planned, started_ab
from raggate_action.run_store import AbDirectory
from raggate_action.run_store.run_files import REPORT
from raggate_action.schema.ab_run import AbRun, ArmReport, OneVariable, StartedAb
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.suite_files.ab_section import RunArm
from raggate_action.suite_files.judge_rows_writing import rows_csv
from raggate_action.version import PANEL


def compare_arms(request: RunRequest) -> AbRun:
    """Ask both arms, have their answers judged, and write what came of it.

    Raises:
        SuiteError: The suite names no two arms.
        UsageError: A scope or case that the suite does not have, nothing to ask, or arms whose traces lie in `out`.
        TargetError: An arm answered nothing at all; no judge was asked, and what was written before stays.
        RunStoreError: The directory cannot be written.
    """
    by = PairComparison.of(request.loaded)
    if by is None:
        raise SuiteError(
            f"{request.suite_file} has no `ab:` section, so that there is nothing to compare",
            hint=f"Write `ab: {{control: {{...}}, treatment: {{what differs}}, judges: [...]}}`: {PANEL}",
        )
    plan = planned(request)
    cases = tuple([placed for placed in plan.loaded.cases.at(plan.positions) if placed.case.trace is None])
    if not cases:
        raise UsageError(
            "none of the cases chosen is a question to an app: all of them have a trace of their own",
            hint="Choose other cases with --case or --scope.",
        )
    with AbDirectory.open(request.out) as directory:
        return asyncio.run(_compare(plan, by, cases, directory))


async def _compare(plan: Plan, by: PairComparison, questions: tuple[PlacedCase, ...], directory: AbDirectory) -> AbRun:
    suite, request = plan.loaded.suite, plan.request
    started = started_ab(plan, by.rubric_digest, by.prompt_digest)
    by = by._replace(ends=ends_after(suite.deadline_s))
    answers = await _answers(plan, by, questions, started)
    wrote = directory.written_before() if request.reuse else None
    journal = directory.begin(started, texts=suite.texts)
    before = (JudgementSource("judgements.jsonl", directory.earlier_verdicts),) if request.reuse else ()
    keeping = PairKeeping(Budget(by.ab.budget), journal, before, plan.loaded.secrets)
    pairs = tuple(
        map(_QuestionAnswers._make, zip(questions, answers.control.answers, answers.treatment.answers, strict=True))
    )
    cases = [each.paired_case(by) for each in pairs]
    found = await _judge_pairs(plan, by, cases, keeping, started)
    progress = Progress(1, environment=os.environ, what="findings")
    try:
        fields = await by.findings_fields(
            found,
            progress.tell,
            is_worth_writing=bool(found.aggregate.headline.questions),
            earlier=[wrote] if wrote is not None else [],
        )
    finally:
        progress.close()
    gates = suite.gates
    run = AbRun(
        **{**dict(started), "complete": True},
        **by.record_fields(),
        **fields,
        finished_at=moment_now(),
        texts=suite.texts,
        control=_arm_report(request.arms[0], answers.control.answers, questions),
        treatment=_arm_report(request.arms[1], answers.treatment.answers, questions),
        one_variable=_one_variable(request.arms, pairs, answers),
        unasked=tuple(unjudged_pairs(tuple([case.pair for case in cases]))),
        gate=next(iter(ab_gate(found.aggregate, gates.ab)), None) if gates.ab.level != "off" else None,
        enforced=suite.enforce,
        notes=tuple([f"{name}: {note}" for name, own in answers._asdict().items() for note in own.notes]),
    )
    rows = tuple(permitted_rows(found.rows, run.texts))
    files: dict[str, Iterable[bytes]] = {
        **{name: [text.encode(errors="replace")] for name, text in ab_texts(run, rows).items()},
        "judge_rows.csv": rows_csv(rows, run.dimensions),
        "control.jsonl": [each.control.line for each in pairs],
        "treatment.jsonl": [each.treatment.line for each in pairs],
    }
    judges, ids = [member.name for member in by.judges], [each.placed.case.case_id for each in pairs]
    directory.finish(run, files, judges=judges, cases=ids)
    return run


async def _answers(plan: Plan, by: PairComparison, cases: Sequence[PlacedCase], started: StartedAb) -> BothAnswers:
    progress = Progress(2 * len(cases), environment=os.environ, what="answers")
    try:
        answers = await answers_of_both(plan, cases, by.seed, parse_moment(started.as_of), progress)
    finally:
        progress.close()
    for name, own in answers._asdict().items():
        if own.is_silent:
            raise TargetError(
                f"the {name} answered none of {len(cases)} questions: {own.answers[0].why}",
                hint=f"Start it, or correct `ab: {name}: target`; no judge was asked.",
            )
    return answers


class _QuestionAnswers(NamedTuple):
    """A question, and what both arms answered."""

    placed: PlacedCase
    control: ArmAnswer
    treatment: ArmAnswer

    def paired_case(self, by: PairComparison) -> PairedCase:
        """Both answers, as far as judges may see them."""
        case = self.placed.case
        pair = pair_of(*self, question_type=by.type_of(case), harmful=by.is_harmful(case))
        return PairedCase(pair, passes_gates(self.treatment.row, answerable=case.is_answerable))


async def _judge_pairs(
    plan: Plan, by: PairComparison, cases: Sequence[PairedCase], keeping: PairKeeping, started: StartedAb
) -> ComparedPairs:
    labs: dict[ArmName, str] = {arm.name: arm.arm.lab for arm in plan.request.arms if arm.arm.lab is not None}
    judged, terms = sum(case.pair.is_asked for case in cases), by.terms
    views = judged * len(terms.orders) + len(terms.plants) if judged else 0
    progress = Progress(views, environment=os.environ, what="pairs shown")
    hearers = PairHearers(progress.tell, progress.judged, lambda: progress.count(failed=False))
    try:
        return await by.compare(cases, keeping, hearers, run_id=started.run_id, timestamp=started.started_at, labs=labs)
    finally:
        progress.close()


def _arm_report(arm: RunArm, answers: Sequence[ArmAnswer], questions: Iterable[PlacedCase]) -> ArmReport:
    states = Counter([each.row.state for each in answers])
    # A decline that no label speaks against is unknown, and no failure.
    unknown = sum(
        each.row.state == "failed" and passes_gates(each.row, answerable=placed.case.is_answerable) is None
        for placed, each in zip(questions, answers, strict=True)
    )
    unasked = Counter([each.unasked for each in answers])
    costs = [each.row.cost_usd for each in answers if each.row.cost_usd is not None]
    return ArmReport(
        model=arm.arm.model,
        lab=arm.arm.lab,
        target=arm.digest,
        answered=unasked[None],
        no_answer=unasked["no-answer"],
        inadmissible=unasked["inadmissible"],
        passed=states["passed"],
        failed=states["failed"] - unknown,
        unmeasured=states["unmeasured"] + unknown,
        declined=sum(each.row.abstained is True for each in answers),
        cost_usd=sum(costs) if costs else None,
        versions=_versions(answers),
        error=next((each.why for each in answers if each.unasked == "no-answer"), ""),
    )


def _versions(answers: Sequence[ArmAnswer]) -> dict[str, str]:
    """Of each version the one that most answers name."""
    named: dict[str, Counter[str]] = {}
    for answer in answers:
        for key, value in answer.versions:
            named.setdefault(key, Counter())[value] += 1
    return {key: min(found, key=lambda value: (-found[value], value)) for key, found in named.items()}


def _one_variable(arms: Sequence[RunArm], pairs: Iterable[_QuestionAnswers], answers: BothAnswers) -> OneVariable:
    retrieved = [
        BothRetrieved(placed.case.case_id, control.retrieved, treatment.retrieved)
        for placed, control, treatment in pairs
        if control.retrieved is not None and treatment.retrieved is not None
    ]
    # An arm with its target, which may be the suite's.
    control, treatment = (arm.arm.model_copy(update={"target": arm.written}) for arm in arms)
    versions = _versions(answers.control.answers), _versions(answers.treatment.answers)
    return one_variable((control, treatment), retrieved, versions)


def ab_texts(run: AbRun, rows: tuple[JudgeRow, ...]) -> dict[str, str]:
    """The texts of a comparison by file name: of the record and the rows alone, the same each time."""
    page = findings_page(AbFindings(run.aggregate, run.findings, rows, run=run))
    return {
        "findings.md": render_findings(page.findings),
        "summary.md": render_findings(page.summary),
        REPORT: ab_report(page, page_files().style),
    }


def ab_exit_code(run: AbRun) -> ExitCode:
    """What the process says: nothing could be judged or its gate not be measured, the gate blocks, or neither."""
    blocking = run.gate.status if run.gate is not None and run.gate.level == "block" else None
    if run.aggregate.unjudged or blocking == "unmeasured":
        return ExitCode.INCONCLUSIVE
    return ExitCode.BLOCK if blocking == "failed" and run.enforced else ExitCode.RELEASE
