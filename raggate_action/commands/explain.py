"""`explain`: one case of a stored run, in full, for a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from difflib import get_close_matches

from raggate_action.core.counting.waivers import case_gate
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.escape import log_line
from raggate_action.report.numbers import milliseconds
from raggate_action.run_store import is_finished, read_rows, read_run
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.outcome import Failed, GateName, Level, NotApplicable, Outcome, Unmeasured
from raggate_action.schema.policy import Gates


def run(options: argparse.Namespace) -> int:
    """Print the case. An unfinished run says nothing of its policy: its gates are shown at their usual levels."""
    seen: list[str] = []
    gates = read_run(options.directory).policy.gates if is_finished(options.directory) else Gates()
    for row in read_rows(options.directory):
        if row.case_id == options.case:
            sys.stdout.writelines(f"{line}\n" for line in explained(row, gates))
            return ExitCode.RELEASE
        seen.append(row.case_id)
    near = get_close_matches(options.case, seen, n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"The run holds {len(seen)} cases."
    raise UsageError(f"case {options.case!r} is not in {options.directory}", hint=hint)


def explained(row: CaseRun, gates: Gates) -> Iterator[str]:
    """The case as lines: question and answer, every gate with its level and reason, every claim with its evidence."""
    stage = f", first failed stage: {row.first_failed_stage}" if row.first_failed_stage else ""
    yield f"{log_line(row.case_id)}: {row.state.upper()}{stage}"
    if row.kind == "known_bad":
        blocked = "blocked where it must be" if row.blocked_as_named else f"must be blocked at {row.blocked_at}"
        yield f"  known bad, {blocked}"
    yield f"  written in {log_line(row.file)}:{row.line}"
    yield f"  asked      {log_line(row.question)}"
    answer = "(withheld or not kept)" if row.answer is None else log_line(row.answer) or "(empty)"
    yield f"  answered   {answer}"
    yield f"  context    {log_line(', '.join(row.context)) or '(empty)'}"
    if row.latency_ms is not None:
        yield f"  latency    {milliseconds(row.latency_ms)}"
    if row.score is not None:
        yield f"  score      {row.score:.2f}"
    yield "gates"
    for gate, outcome in row.outcomes.items():
        yield from (f"  {line}" for line in _gate_lines(gate, outcome, case_gate(gates, gate).level))
    if row.claims:
        yield "claims"
        for claim in row.claims:
            yield from (f"  {line}" for line in _claim_lines(claim))
    yield from (f"issue: {log_line(issue)}" for issue in row.issues)


_MARKS = {"passed": "ok  ", "failed": "FAIL", "unmeasured": "?   ", "not_applicable": "-   "}
_OFF = "off "


def _gate_lines(gate: GateName, outcome: Outcome, level: Level) -> Iterator[str]:
    share = getattr(outcome, "share", None)
    counted = f" {share.hits}/{share.total}" if share is not None else ""
    told: tuple[str, ...] = ()
    match outcome:
        case Failed():
            told = tuple(str(problem) for problem in outcome.problems)
        case NotApplicable():
            told = (outcome.why,)
        case Unmeasured():
            told = (f"{outcome.reason}: {outcome.detail}",)
    mark = _OFF if level == "off" and outcome.kind in {"failed", "unmeasured"} else _MARKS[outcome.kind]
    only_warns = " (only warns)" if level == "warn" and outcome.kind == "failed" else ""
    yield f"{mark} {gate}{counted}{only_warns}"
    yield from (f"       {log_line(line)}" for line in told)


def _claim_lines(claim: Claim) -> Iterator[str]:
    cited = f" [{', '.join(claim.citations)}]" if claim.citations else " (cites nothing)"
    yield f"{claim.verdict:<12} {log_line(claim.text + cited)}"
    if claim.quote is not None:
        yield f"             {log_line(', '.join(claim.supported_by))} says: “{log_line(claim.quote)}”"
    yield from (f"             {log_line(note)}" for note in (claim.note,) if note)
    for found in claim.findings:
        mark = "advice" if found.advisory else "found"
        yield f"             {mark} {log_line(f'{found.kind} ({found.code}): {found.reason}')}"
