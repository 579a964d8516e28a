"""A comparison of two arms, from a loaded suite to a directory with rows and findings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from typing import NamedTuple

from raggate_action.errors import ExitCode, TargetError
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.pipeline.ab_answers import is_silent
from raggate_action.pipeline.ab_asking import Heard, asked_of_both
from raggate_action.pipeline.ab_judging import JudgedPairs, PairHearers, PairKeeping, PairTerms, judge_pairs
from raggate_action.pipeline.ab_pairs import Pair
from raggate_action.pipeline.ab_record import Answers, ab_run, compared, pairs_of, permitted_rows
from raggate_action.pipeline.ab_request import AbPlan, AbRequest, planned, started_ab
from raggate_action.pipeline.clock import moment_now
from raggate_action.pipeline.judge_budget import Budget
from raggate_action.pipeline.judgement_reuse import Source
from raggate_action.pipeline.progress import Progress
from raggate_action.pipeline.written_findings import Bounds, findings_with, judging_with, synthesized
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.ab_run_view import arm_lines, summary_page
from raggate_action.report.render import render_ab_summary, render_findings
from raggate_action.run_store import AbDirectory
from raggate_action.schema.ab_run import AbRun, StartedAb
from raggate_action.schema.base import parse_moment
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.synthesis import Synthesis
from raggate_action.suite_files.rows_writing import rows_csv


class AbDone(NamedTuple):
    """A comparison, as it lies in its directory."""

    run: AbRun
    rows: tuple[JudgeRow, ...]


def compare_arms(request: AbRequest) -> AbDone:
    """Ask both arms, have their answers judged, and write what came of it.

    Raises:
        SuiteError: The suite names no two arms.
        UsageError: A scope or case that the suite does not have, or nothing to ask.
        TargetError: An arm answered nothing at all; no judge was asked, and what was written before stays.
        RunStoreError: The directory cannot be written.
    """
    plan = planned(request)
    with AbDirectory.open(request.out) as directory:
        return asyncio.run(_compared(plan, directory))


async def _compared(plan: AbPlan, directory: AbDirectory) -> AbDone:
    started = started_ab(plan, PairJob(plan.rubric).digest, moment_now())
    deadline_s = plan.loaded.suite.deadline_s
    ends = None if deadline_s is None else asyncio.get_running_loop().time() + deadline_s
    answers = await _answers(plan, started, ends)
    wrote = directory.written_before() if plan.request.reuse else None
    journal = directory.begin(started, texts=plan.loaded.suite.texts)
    before = (Source("judgements.jsonl", directory.said_before),) if plan.request.reuse else ()
    keeping = PairKeeping(Budget(plan.ab.budget), journal, before, plan.loaded.secrets)
    pairs = pairs_of(plan, answers)
    judged = await _judged(plan, keeping, [pair for pair in pairs if pair.is_asked], ends)
    found = compared(plan.judges, pairs, judged, run_id=started.run_id, timestamp=started.started_at)
    run = ab_run(plan, answers, found, started, moment_now())
    run = await _with_findings(plan, run, wrote, ends)
    rows = tuple(permitted_rows(found.rows, run.texts))
    _write(plan, directory, AbDone(run, rows), answers)
    return AbDone(run, rows)


async def _answers(plan: AbPlan, started: StartedAb, ends: float | None) -> Answers:
    progress = Progress(2 * len(plan.cases), environment=os.environ, what="answers")
    heard = Heard(progress.tell, lambda is_missing: progress.count(failed=is_missing))
    try:
        answers = Answers(*await asked_of_both(plan, parse_moment(started.as_of), heard, ends))
    finally:
        progress.close()
    for arm, own in zip(plan.arms, answers, strict=True):
        if is_silent(own.answers):
            raise TargetError(
                f"the {arm.name} answered none of {len(plan.cases)} questions: {own.answers[0].why}",
                hint=f"Start it, or correct `ab: {arm.name}: target`; no judge was asked.",
            )
    return answers


async def _judged(plan: AbPlan, keeping: PairKeeping, pairs: list[Pair], ends: float | None) -> JudgedPairs:
    if not pairs:
        return {}
    terms = PairTerms(plan.judges, plan.rubric, plan.ab, plan.seed, ends)
    progress = Progress(len(pairs) * len(terms.orders), environment=os.environ, what="pairs shown")
    hearers = PairHearers(progress.tell, progress.judged, lambda: progress.count(failed=False))
    try:
        return await judge_pairs(pairs, terms, keeping, hearers)
    finally:
        progress.close()


async def _with_findings(plan: AbPlan, run: AbRun, wrote: Synthesis | None, ends: float | None) -> AbRun:
    """The comparison with what is said of it: by rule, and by a model where the suite names one."""
    synthesis = None
    if plan.synthesizer is not None and run.aggregate.headline.questions:
        progress = Progress(1, environment=os.environ, what="findings")
        bounds = Bounds(plan.ab.budget, run.judging, ends)
        try:
            synthesis = await synthesized(
                run.aggregate,
                plan.synthesizer,
                bounds,
                earlier=[wrote] if wrote is not None else [],
                secrets=plan.loaded.secrets,
                tell=progress.tell,
            )
        finally:
            progress.close()
    told = {"findings": findings_with(run.aggregate, synthesis), "synthesis": synthesis}
    return run.model_copy(update={**told, "judging": judging_with(run.judging, synthesis)})


def _write(plan: AbPlan, directory: AbDirectory, done: AbDone, answers: Answers) -> None:
    files: dict[str, Iterable[bytes]] = {
        name: [text.encode(errors="replace")] for name, text in texts_of(done.run, done.rows).items()
    }
    files["judge_rows.csv"] = rows_csv(done.rows, done.run.dimensions)
    files["control.jsonl"] = [each.line for each in answers.control.answers]
    files["treatment.jsonl"] = [each.line for each in answers.treatment.answers]
    judges = [member.name for member in plan.judges]
    directory.finish(done.run, files, judges=judges, cases=[placed.case.case_id for placed in plan.cases])


def texts_of(run: AbRun, rows: tuple[JudgeRow, ...]) -> dict[str, str]:
    """The texts of a comparison by file name: of the record and the rows alone, the same each time."""
    page = findings_page(AbFindings(run.aggregate, run.findings, rows, arms=tuple(arm_lines(run))))
    return {"findings.md": render_findings(page), "summary.md": render_ab_summary(summary_page(run))}


def exit_code(run: AbRun) -> ExitCode:
    """What the process says: nothing could be judged, the gate blocks, or neither."""
    if run.aggregate.unjudged:
        return ExitCode.INCONCLUSIVE
    blocks = run.gate is not None and run.gate.level == "block" and run.gate.status == "failed"
    return ExitCode.BLOCK if blocks and run.enforced else ExitCode.RELEASE
