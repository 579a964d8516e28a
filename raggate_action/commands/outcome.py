"""A decision for a terminal or a log: a few lines, and the exit code."""

from __future__ import annotations

from raggate_action.errors import ExitCode
from raggate_action.report.escape import log_line
from raggate_action.report.reporting import Reporting
from raggate_action.schema.run import Decision

_CODES = {"release": ExitCode.RELEASE, "block": ExitCode.BLOCK, "inconclusive": ExitCode.INCONCLUSIVE}
_REASONS = 3


def exit_code(decision: Decision) -> ExitCode:
    """What the process says; a suite that only advises never fails."""
    return _CODES[decision.verdict] if decision.enforced else ExitCode.RELEASE


def outcome_lines(reporting: Reporting) -> list[str]:
    """Verdict with the five counts, the first reasons, what to repair first."""
    run, comparison = reporting.run, reporting.comparison
    counts = run.counts
    moved = (
        f"{comparison.regressed} regressions · {comparison.new_hallucinations} new hallucinations"
        if comparison is not None
        else f"no baseline · {counts.hallucinating} with hallucinations"
    )
    advice = "" if run.decision.enforced else " (advice only)"
    measured = f"{counts.passed} passed · {counts.failed} failed · {counts.unmeasured} unmeasured"
    lines = [f"raggate: {run.decision.verdict.upper()}{advice} · {run.suite} · {measured} · {moved}"]
    lines += [f"  why: {log_line(reason)}" for reason in run.decision.reasons[:_REASONS]]
    if run.stages:
        stage = run.stages[0]
        named = ", ".join(stage.named[:_REASONS]) + (", ..." if stage.cases > _REASONS else "")
        lines.append(f"  repair first: {stage.stage} ({stage.repair}): {log_line(named)}")
    return lines
