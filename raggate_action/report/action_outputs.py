"""A decided run as the action's outputs: short texts for the workflow's own conditions."""

from __future__ import annotations

import json

from raggate_action.report.report_input import Reporting
from raggate_action.schema.panel import JudgingCounts
from raggate_action.strings.numbers import percent

# Every output the action has; action.yml and docs/pull-requests.md list the same.
OUTPUTS = (
    "decision",
    "failed-gates",
    "first-failed-stages",
    "pass-rate",
    "new-hallucinations",
    "unmeasured",
    "run-dir",
    "artifact-name",
    "report",
    "comment-url",
    "baseline-sha",
    "baseline-run-id",
    "judge-cost",
)


def run_outputs(reporting: Reporting) -> dict[str, str]:
    """What the run itself says; where it lies and what was published of it is not known here.

    Returns:
        Values by output name. What was not measured is an empty text, never a zero.
    """
    run, comparison = reporting.run, reporting.comparison
    counts, note = run.counts, run.baseline
    failed = [gate.gate for gate in run.gates if gate.level == "block" and gate.status == "failed"]
    stages = {stage.stage: stage.cases for stage in run.stages}
    scored = counts.passed + counts.failed
    compared = comparison if not reporting.has_no_result else None
    return {
        "decision": run.decision.kind,
        "failed-gates": json.dumps(failed),
        "first-failed-stages": json.dumps(stages),
        "pass-rate": percent(counts.passed, scored).removesuffix(" %") if scored else "",
        "new-hallucinations": str(compared.new_hallucinations) if compared is not None else "",
        "unmeasured": str(run.unmeasured),
        "baseline-sha": (comparison.baseline_git_sha or "") if comparison is not None else "",
        "baseline-run-id": str(note.workflow_run_id) if note is not None and note.workflow_run_id else "",
        "judge-cost": _judge_cost(run.judging),
    }


def _judge_cost(judging: JudgingCounts | None) -> str:
    """Dollars; empty where judges of an unknown price were asked, so that nobody knows. What the app costs is apart."""
    if judging is None:
        return "0"
    return "" if judging.unpriced else f"{judging.cost_usd:.6f}".rstrip("0").rstrip(".")
