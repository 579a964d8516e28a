"""A run's answers compared blind with its baseline's, where its suite names judges for that and no two arms.

It comes behind everything else that is judged, by judges and a budget of its own. Answers that are the same are a tie
that nobody is asked about.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.gates.diagnose import Rulebook
from raggate_action.core.panel_ab.aggregate import aggregate
from raggate_action.core.panel_ab.terms import Question, Rater, Terms
from raggate_action.judging_jobs.pairs.pair_job import PairJob
from raggate_action.pipeline.ab_judging import JudgedPairs, PairHearers, PairKeeping, PairTerms, judge_pairs
from raggate_action.pipeline.ab_pairs import Pair
from raggate_action.pipeline.ab_record import compared, member_note, permitted_rows
from raggate_action.pipeline.judge_budget import Budget
from raggate_action.pipeline.judgement_reuse import Source
from raggate_action.pipeline.past_pairs import HeadRows, PastPairing, PastPairs
from raggate_action.pipeline.request import Plan
from raggate_action.pipeline.sink import Sink
from raggate_action.pipeline.written_findings import Bounds, findings_with, judging_with, synthesized
from raggate_action.report.ab_in_run_view import run_arm_lines
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.render import render_findings
from raggate_action.schema.ab import Ab, Rubric
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import AbJudging, SharedLabs
from raggate_action.schema.base import digest_of, parse_moment
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judges import Member
from raggate_action.schema.run_ab import RunAb
from raggate_action.strings.numbers import count
from raggate_action.suite_files.ab_checks import members_of, shared_labs, synthesizer_of
from raggate_action.suite_files.judges_checks import keys_of_members
from raggate_action.suite_files.rows_writing import rows_csv


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


class _Asking(NamedTuple):
    """What a comparison is made with.

    Attributes:
        plan: The run.
        ab, rubric: What its suite says of it.
        judges: In order.
        baseline: The control.
        sink: Where judgements are kept, and who hears how it goes.
    """

    plan: Plan
    ab: Ab
    rubric: Rubric
    judges: tuple[Member, ...]
    baseline: BaselineIndex
    sink: Sink

    @property
    def seed(self) -> int:
        """Of every draw."""
        return self.plan.loaded.suite.seed if self.ab.seed is None else self.ab.seed


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
    loaded, baseline = plan.loaded, plan.request.baseline
    ab, rubric = loaded.suite.ab, loaded.rubric
    if ab is None or rubric is None or baseline is None or baseline.rows is None:
        return None
    asking = _Asking(plan, ab, rubric, members_of(loaded.suite), baseline, sink)
    head = HeadRows(sink.directory.path, rules, sink.directory.rows())
    past = await PastPairing(loaded, ab, rubric, baseline).pairs(head)
    asked = [pair for pair in past.pairs if pair.is_asked]
    unavailable = _why_nobody_is_asked(asking) if asked else None
    begun = _begun(asking, past)
    if unavailable is not None or not past.cases:
        sink.progress.tell(unavailable or "no answer stands beside one of the baseline: nothing is compared")
        return AbInRun(begun.model_copy(update={"unavailable": unavailable}), ())
    keeping = _keeping(asking)
    judged = await _judged(asking, asked, keeping, ends)
    started = sink.directory.started.started_at
    run_id = f"{loaded.suite.suite}-{parse_moment(started):%Y%m%dT%H%M%SZ}"
    found = compared(asking.judges, past.pairs, judged, run_id=run_id, timestamp=started)
    total = aggregate(found.rows, _terms(asking, past))
    record = await _with_findings(asking, begun, total, found.judging, ends)
    return AbInRun(record, tuple(permitted_rows(found.rows, plan.policy.texts)))


def _begun(asking: _Asking, past: PastPairs) -> RunAb:
    suite, rubric = asking.plan.loaded.suite, asking.rubric
    changed = sum(pair.unasked is not None or pair.is_asked for pair in past.pairs)
    return RunAb(
        baseline=asking.baseline.decided_at,
        seed=asking.seed,
        swap=asking.ab.swap,
        question_type=asking.ab.question_type,
        dimensions=rubric.names,
        judges=tuple(map(member_note, asking.judges)),
        same_lab=tuple([SharedLabs(**each._asdict()) for each in shared_labs(suite)]),
        rubric=digest_of(rubric.model_dump(mode="json")),
        prompt=PairJob(rubric).digest,
        identical=len(past.cases) - changed,
        changed=changed,
        not_paired=past.not_paired,
    )


def _why_nobody_is_asked(asking: _Asking) -> str | None:
    """Why no judge is asked at all; None where they are.

    As for the judges of a run: where a stranger's change gets no secrets, and on a laptop, an unset key is nobody's
    fault. In a workflow that is given secrets it is one, and the calls are lost.
    """
    origin = asking.plan.request.origin
    keys = keys_of_members(asking.judges, os.environ)
    named = dict.fromkeys(each.api_key_env for each in asking.judges if each.api_key_env is not None)
    unset = [name for name in named if name not in keys]
    if not unset or (origin is not None and not origin.fork):
        return None
    are = "is" if len(unset) == 1 else "are"
    return f"No judge compared the answers with the baseline's, for {', '.join(unset)} {are} not set."


def _keeping(asking: _Asking) -> PairKeeping:
    journal, plan = asking.sink.directory.judgements, asking.plan
    spent = (each for each in journal if each.job == "pair")
    return PairKeeping(Budget(asking.ab.budget, spent), journal, tuple(_sources(asking)), secrets=plan.loaded.secrets)


def _sources(asking: _Asking) -> Iterator[Source]:
    """Where judgements of earlier runs are; of a stranger's baseline there are none."""
    if asking.plan.request.reuse and asking.baseline.judgements is not None:
        yield Source("the baseline's judgements.jsonl", asking.baseline.judgements)


async def _judged(asking: _Asking, pairs: list[Pair], keeping: PairKeeping, ends: float | None) -> JudgedPairs:
    if not pairs:
        return {}
    progress = asking.sink.progress
    progress.tell(f"comparing {count(len(pairs), 'changed answer')} with the baseline's")
    terms = PairTerms(asking.judges, asking.rubric, asking.ab, asking.seed, ends)
    hearers = PairHearers(progress.tell, progress.judged, lambda: None)
    return await judge_pairs(pairs, terms, keeping, hearers)


async def _with_findings(
    asking: _Asking, record: RunAb, total: Aggregate, judging: AbJudging, ends: float | None
) -> RunAb:
    """The record with what its rows come to, and what is said of it: by rule, and by a model where one is named."""
    loaded, synthesis = asking.plan.loaded, None
    member = synthesizer_of(loaded.suite)
    # Of answers that are all the same there is nothing to write.
    if member is not None and total.headline.wins.judged:
        bounds, tell = Bounds(asking.ab.budget, judging, ends), asking.sink.progress.tell
        synthesis = await synthesized(total, member, bounds, secrets=loaded.secrets, tell=tell)
    told = {"aggregate": total, "findings": findings_with(total, synthesis), "synthesis": synthesis}
    return record.model_copy(update={**told, "judging": judging_with(judging, synthesis)})


def _terms(asking: _Asking, past: PastPairs) -> Terms:
    return Terms(
        dimensions=asking.rubric.names,
        questions=tuple(_questions(past)),
        judges=tuple([Rater(member.name, lab=member.lab) for member in asking.judges]),
        swap=asking.ab.swap,
        seed=asking.seed,
    )


def _questions(past: PastPairs) -> Iterable[Question]:
    for each in past.cases:
        yield Question(each.pair.question_id, each.pair.question_type, each.pair.harmful, each.passed)
