"""A run's answers compared blind with its baseline's, where its suite names judges for that and no two arms.

It comes behind everything else that is judged, by judges and a budget of its own. Answers that are the same are a tie
that nobody is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.report.ab_in_run_view import run_arm_lines
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.render import render_findings
from raggate_action.run.ab.baseline_pairs import PastPairing, PastPairs
from raggate_action.run.ab.blind_comparison import Comparing, permitted_rows
from raggate_action.run.ab.pair_judging import PairHearers, PairKeeping
from raggate_action.run.judging.judge_budget import Budget
from raggate_action.run.judging.judgement_cache import Source
from raggate_action.run.row_sink import Sink
from raggate_action.run.run_plan import Plan, run_id_of
from raggate_action.run_store import JudgementFile
from raggate_action.schema.ab_run import RunAb
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.strings.numbers import count
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
    by, baseline = Comparing.of(plan.loaded), plan.request.baseline
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
    found = await by.compared(
        past.cases,
        _keeping(plan, by, baseline, directory.judgements),
        PairHearers(progress.tell, progress.judged, lambda: None),
        run_id=run_id_of(plan.loaded.suite.suite, started),
        timestamp=started,
    )
    # Of answers that are all the same there is nothing to write.
    told = await by.told(found, progress.tell, is_worth_writing=bool(found.aggregate.headline.wins.judged))
    return AbInRun(record.model_copy(update=told), tuple(permitted_rows(found.rows, plan.policy.texts)))


def _record(by: Comparing, baseline: BaselineIndex, past: PastPairs) -> RunAb:
    """What the run has of it before anybody is asked."""
    changed = sum(pair.unasked is not None or pair.is_asked for pair in past.pairs)
    return RunAb(
        **by.described(),
        baseline=baseline.decided_at,
        rubric=by.rubric_digest,
        prompt=by.prompt_digest,
        identical=len(past.cases) - changed,
        changed=changed,
        not_paired=past.not_paired,
    )


def _keeping(plan: Plan, by: Comparing, baseline: BaselineIndex, journal: JudgementFile) -> PairKeeping:
    spent = (each for each in journal if each.job == "pair")
    earlier = []
    # Of a stranger's baseline there are no judgements that could be used again.
    if plan.request.reuse and baseline.judgements is not None:
        earlier.append(Source("the baseline's judgements.jsonl", baseline.judgements))
    return PairKeeping(Budget(by.ab.budget, spent), journal, tuple(earlier), secrets=plan.loaded.secrets)
