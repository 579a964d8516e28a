"""Two arms compared: the same questions asked of both, their answers judged blind, rows counted, a directory written.

    two arms -> pairs of answers -> judgements -+
                                                +-> rows -> aggregate -> findings (by rule; a model's held against it)
    a file of rows -----------------------------+

Rows are all that is counted, wherever they come from: one judge on one pair in one order. A model that writes findings
is one more judge, whose material is the aggregate.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import partial

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.aggregate_measures import measure_lines
from raggate_action.core.ab.finding_check import rejection_of
from raggate_action.core.ab.one_variable import one_variable
from raggate_action.core.ab.rule_findings import findings_of
from raggate_action.core.counting.case_state import passes_gates
from raggate_action.core.decision.ab_gate import ab_gate
from raggate_action.core.judging.judging_cost import cost_of
from raggate_action.errors import ExitCode, SuiteError, UsageError
from raggate_action.judges.judge_exchange import JudgingSubject, panel_member
from raggate_action.judging_jobs.findings_job import FindingsJob, findings_in
from raggate_action.judging_jobs.pair_job import PairJob
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.render import render_findings
from raggate_action.report.report_html import ab_report
from raggate_action.run.ab.arm_answers import answers_of_both
from raggate_action.run.ab.pairs import Comparison, OpenJudges, Pair
from raggate_action.run.clock import moment_now
from raggate_action.run.deadline import ends_after
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import JudgementSource
from raggate_action.run.judging.parallel_judges import opened_judges
from raggate_action.run.progress import Progress
from raggate_action.run.report_page_file import page_files
from raggate_action.run.run_plan import Plan, RunRequest, begun, planned, run_id_of
from raggate_action.run_store import AbDirectory
from raggate_action.run_store.run_files import REPORT
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import AbDigests, AbJudging, AbRun, ArmReport, Findings, Rejection, StartedAb
from raggate_action.schema.base import digest_of, parse_moment
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.policy import Texts
from raggate_action.schema.suite import Suite
from raggate_action.suite_files.ab_section import RunArm, members_of, shared_labs, synthesizer_of
from raggate_action.suite_files.judge_rows_writing import rows_csv
from raggate_action.version import PANEL, __version__


def compare_arms(request: RunRequest) -> AbRun:
    """Ask both arms, have their answers judged, and write what came of it.

    Raises:
        SuiteError: The suite names no two arms.
        UsageError: A scope or case that the suite does not have, nothing to ask, or arms whose traces lie in `out`.
        TargetError: An arm answered nothing at all; no judge was asked, and what was written before stays.
        RunStoreError: The directory cannot be written.
    """
    loaded = request.loaded
    ab, rubric = loaded.suite.ab, loaded.rubric
    if ab is None or rubric is None:
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
    by = Comparison(loaded.suite, ab, rubric, members_of(loaded.suite))
    with AbDirectory.open(request.out) as directory:
        return asyncio.run(_compare(plan, by, cases, directory))


async def _compare(plan: Plan, by: Comparison, questions: Sequence[PlacedCase], directory: AbDirectory) -> AbRun:
    suite, arms, started = by.suite, plan.request.arms, _started(plan, by)
    ends = ends_after(suite.deadline_s)
    with closing(Progress(2 * len(questions), environment=os.environ, what="answers")) as progress:
        answers, notes = await answers_of_both(plan, questions, by.seed, parse_moment(started.as_of), progress)
    both = zip(questions, answers["control"], answers["treatment"], strict=True)
    pairs = [by.pair(placed.case, control, treatment) for placed, control, treatment in both]
    by = by._replace(pairs=pairs)
    open_judges: OpenJudges = partial(
        opened_judges,
        budget=Budget(by.ab.budget),
        journal=directory.begin(started, texts=suite.texts),
        environment=os.environ,
        earlier=[JudgementSource("judgements.jsonl", directory.earlier_verdicts)] if plan.request.reuse else [],
        secrets=plan.loaded.secrets,
    )
    judgements = await by.judge(open_judges, ends)
    rows = list(by.rows(judgements, run_id=started.run_id, timestamp=started.started_at))
    found = aggregate(rows, by.terms(judgements))
    written = await _written_findings(found, suite, open_judges, ends)
    control, treatment = [_arm_report(arm, pairs) for arm in arms]
    run = AbRun(
        **{**dict(started), "complete": True},
        finished_at=moment_now(),
        texts=suite.texts,
        seed=by.seed,
        swap=by.ab.swap,
        question_type=by.ab.question_type,
        dimensions=by.rubric.names,
        control=control,
        treatment=treatment,
        judges=tuple(map(panel_member, by.judges)),
        same_lab=shared_labs(suite),
        one_variable=one_variable(
            # An arm with its target, which may be the suite's.
            [arm.arm.model_copy(update={"target": arm.written}) for arm in arms],
            [(each.case.case_id, each.control.retrieved, each.treatment.retrieved) for each in pairs],
            (control.versions, treatment.versions),
        ),
        unasked=tuple([each for pair in pairs if (each := pair.unasked) is not None]),
        judging=_judging(pairs, judgements, written),
        aggregate=found,
        findings=_findings_with(found, written),
        synthesis=written,
        gate=next(iter(ab_gate(found, suite.gates.ab)), None) if suite.gates.ab.level != "off" else None,
        enforced=suite.enforce,
        notes=tuple(notes),
    )
    kept = tuple([_permitted(row, run.texts) for row in rows])
    files: dict[str, Iterable[bytes]] = {
        **{name: [text.encode(errors="replace")] for name, text in ab_texts(run, kept).items()},
        "judge_rows.csv": rows_csv(kept, run.dimensions),
        "control.jsonl": [each.control.line for each in pairs],
        "treatment.jsonl": [each.treatment.line for each in pairs],
    }
    judges, ids = [member.name for member in by.judges], [pair.case.case_id for pair in pairs]
    directory.finish(run, files, judges=judges, cases=ids)
    return run


def _started(plan: Plan, by: Comparison) -> StartedAb:
    """The comparison as it begins, at this moment."""
    loaded, now = plan.loaded, moment_now()
    return StartedAb(
        **begun(plan, now),
        run_id=run_id_of(loaded.suite.suite, now),
        raggate_version=__version__,
        digests=AbDigests(
            suite=loaded.suite_digest,
            cases=loaded.cases.cases_digest,
            evidence=loaded.evidence.digest if loaded.evidence is not None else None,
            rubric=digest_of(by.rubric.model_dump(mode="json")),
            prompt=PairJob(by.rubric).digest,
        ),
    )


async def _written_findings(
    aggregate: Aggregate, suite: Suite, open_judges: OpenJudges, ends: float | None
) -> Judgement | None:
    """What a model writes of an aggregate; None where none is asked, or there is nothing to write of."""
    member = synthesizer_of(suite)
    if member is None or not aggregate.headline.questions:
        return None
    job = FindingsJob(lambda findings: rejection_of(findings, aggregate))
    with closing(Progress(1, environment=os.environ, what="findings")) as progress:
        async with open_judges([member], job, tell=progress.tell) as writer:
            [written] = await writer.ask_until(ends, measure_lines(aggregate), JudgingSubject("case", job.name))
            return written


def _findings_with(aggregate: Aggregate, written: Judgement | None) -> Findings:
    """What follows from an aggregate by rule, and what a model has written of it, where one was asked.

    A stranger may have written what is kept of an earlier comparison: it is held against the numbers each time.
    """
    derived = findings_of(aggregate)
    if written is None:
        return Findings(derived=derived)
    if written.lost is not None:
        return Findings(derived=derived, rejection=Rejection(code="no-reply", found=written.lost.detail))
    findings = findings_in(written)
    rejection = rejection_of(findings, aggregate)
    return Findings(derived=derived, written=findings if rejection is None else (), rejection=rejection)


def _arm_report(arm: RunArm, pairs: Sequence[Pair]) -> ArmReport:
    answers = [pair.of(arm.name) for pair in pairs]
    states = Counter([each.row.state for each in answers])
    # A decline that no label speaks against is unknown, and no failure.
    unknown = sum(
        each.row.state == "failed" and passes_gates(each.row, answerable=pair.case.is_answerable) is None
        for pair, each in zip(pairs, answers, strict=True)
    )
    unasked = Counter([each.unasked for each in answers])
    costs = [each.row.cost_usd for each in answers if each.row.cost_usd is not None]
    versions: dict[str, Counter[str]] = {}
    for answer in answers:
        for key, value in answer.row.versions:
            versions.setdefault(key, Counter())[value] += 1
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
        # Of each the one that most answers name.
        versions={key: min(named, key=lambda value: (-named[value], value)) for key, named in versions.items()},
        error=next((each.why for each in answers if each.unasked == "no-answer"), ""),
    )


def _judging(pairs: Sequence[Pair], judgements: Sequence[Judgement], written: Judgement | None) -> AbJudging:
    of_pairs = [each for each in judgements if each.about == "case"]
    planted = [each for each in judgements if each.about == "label"]
    every = [*judgements, *([written] if written is not None else [])]
    lost = Counter([each.lost.code for each in of_pairs if each.lost is not None])
    return AbJudging(
        **dict(cost_of(every)),
        pairs=sum(pair.is_asked for pair in pairs),
        judgements=len(of_pairs),
        reused=sum(each.reused for each in of_pairs),
        lost=dict(sorted(lost.items(), key=lambda one: (-one[1], one[0]))),
        planted=len(planted),
        planted_reused=sum(each.reused for each in planted),
        planted_lost=sum(each.lost is not None for each in planted),
    )


def _permitted(row: JudgeRow, texts: Texts) -> JudgeRow:
    """The row as a file may hold it: under `texts: ids` without a word of an answer or a judge."""
    if texts != "ids":
        return row
    lost = row.lost
    if lost is not None and not isinstance(lost, str):
        lost = lost.model_copy(update={"detail": ""})
    return row.model_copy(update={"control_response": "", "treatment_response": "", "reason": "", "lost": lost})


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
