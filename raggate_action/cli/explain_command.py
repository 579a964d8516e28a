"""`explain`: which cases of a stored run fail and why, or one case in full."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path

from raggate_action.cli.last_run import named_or_last, run_directories
from raggate_action.core.counting.judge_only_findings import unblocked_reason
from raggate_action.core.counting.waivers import Waivers, is_unmeasured
from raggate_action.errors import ExitCode, RunStoreError, UsageError
from raggate_action.report.comment_size import gate_name
from raggate_action.report.counting_cases import counting_cases
from raggate_action.report.decision_words import all_reasons, base_name, problem_in_words, unmeasured_in_words
from raggate_action.report.escape import log_line
from raggate_action.report.facts_and_criteria_view import item_lines
from raggate_action.report.plain_sink import plain
from raggate_action.report.repeat_command import repeat_command
from raggate_action.report.vote_view import claim_lines, judge_call_lines
from raggate_action.run.case_context import NOTHING_BESIDE, CaseContext, case_context_of
from raggate_action.run.stored_runs import counted_rows
from raggate_action.run_store import read_comparison, read_stored
from raggate_action.run_store.run_files import RUN
from raggate_action.schema.answer_votes import AnswerVotes
from raggate_action.schema.base import day_of
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.decision import AloneCount
from raggate_action.schema.outcome import (
    GATES,
    Failed,
    GateName,
    Level,
    NotApplicable,
    Outcome,
    Problem,
    RunGateName,
    Unmeasured,
)
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Run, StartedRun
from raggate_action.strings.numbers import count, milliseconds
from raggate_action.strings.visible_text import cut
from raggate_action.suite_files.problems import path_text

# Characters of a problem in a list of cases. What the app itself failed with ends in what to do about it, so the first
# of its kind is shown whole.
_WORDS = 160
_MESSAGE = 1000
# Characters of a chunk.
_CHUNK = 600


def run(options: argparse.Namespace) -> int:
    """Print the case. It reads all rows, so that a case with two rows is an error."""
    directory, case_id = _directory_and_case(options.directory, options.case)
    stored = read_stored(directory)
    if case_id is None:
        sys.stdout.writelines(f"{line}\n" for line in _failing_case_lines(directory, stored))
        return ExitCode.RELEASE
    seen: list[str] = []
    found: CaseRun | None = None
    for row in counted_rows(directory, stored):
        seen.append(row.case_id)
        if row.case_id == case_id:
            found = row
    if found is None:
        raise _no_such_case(case_id, directory, seen, is_first_word=options.case is None)
    context = case_context_of(found, stored, directory)
    sys.stdout.writelines(f"{line}\n" for line in explanation_lines(found, stored.policy.gates, context))
    base = base_name(stored) if isinstance(stored, Run) else ""
    by_base = [row for row in _failing_by_base(directory) if row.case_id == case_id]
    sys.stdout.writelines(f"{line}\n" for row in by_base for line in _by_base_lines(row, base))
    if isinstance(stored, Run):
        if gates := counting_cases(stored, _comparison(directory)).get(case_id):
            sys.stdout.write(f"{log_line(case_id)}: {_counts_for(gates, base)}\n")
        sys.stdout.writelines(f"{line}\n" for line in _alone_lines(found, stored))
        sys.stdout.writelines(f"repeat: {line}\n" for line in _repeat(case_id, stored, directory))
    return ExitCode.RELEASE


def _directory_and_case(first: Path | None, second: str | None) -> tuple[Path, str | None]:
    """The run directory and the case; a single word that names no run is a case of the last one."""
    if first is not None and second is None and not (first / RUN).is_file():
        return named_or_last(None, command="explain"), str(first)
    return named_or_last(first, command="explain"), second


def _no_such_case(case_id: str, directory: Path, known: list[str], *, is_first_word: bool) -> UsageError:
    runs = [path_text(each) for each in run_directories()] if is_first_word else []
    near = get_close_matches(case_id, [*known, *runs], n=3)
    hint = f"Did you mean {log_line(' or '.join(near))}?" if near else f"The run holds {count(len(known), 'case')}."
    no_run = f", and no run is in a folder {case_id!r}" if is_first_word and Path(case_id).is_dir() else ""
    return UsageError(f"case {case_id!r} is not in {directory}{no_run}", hint=hint)


def _failing_case_lines(directory: Path, stored: Run | StartedRun) -> Iterator[str]:
    """A line for each case that fails or is unmeasured and each known-bad case that was not blocked, in suite order."""
    waivers = Waivers(stored.policy, decided_on=day_of(stored.started_at))
    advises = isinstance(stored, Run) and stored.panel is not None and stored.panel.only_advises
    failing = unmeasured = cases = known_bad = blocked = 0
    seen: set[str] = set()
    counting = counting_cases(stored, _comparison(directory)) if isinstance(stored, Run) else {}
    base = base_name(stored) if isinstance(stored, Run) else ""
    if isinstance(stored, Run) and stored.decision.kind == "block":
        yield f"the run is BLOCK: {log_line(all_reasons(stored))}"
    for row in counted_rows(directory, stored):
        if row.kind == "known_bad":
            why = unblocked_reason(row, stored.policy.gates, panel_advises=advises)
            known_bad += why != "trace"
            blocked += row.blocked_as_named
            if why == "trace":
                yield f"{log_line(row.case_id)}: known bad, to renew{_unmeasured_reason(row, waivers)}"
            elif why is not None:
                yield f"{log_line(row.case_id)}: known bad, and only judges could tell whether it is blocked"
            elif not row.blocked_as_named:
                yield f"{log_line(row.case_id)}: known bad and not blocked at {row.blocked_at}"
            continue
        cases += 1
        standing = waivers.standing(row)
        if row.case_id in counting:
            failing += 1
            yield f"{log_line(row.case_id)}: {_counts_for(counting[row.case_id], base)}"
        elif standing.state == "unmeasured":
            unmeasured += 1
            yield f"{log_line(row.case_id)}: unmeasured{_unmeasured_reason(row, waivers)}"
        elif standing.state in {"failed", "waived"}:
            failing += standing.state == "failed"
            where = f"at {standing.stage}" if standing.stage else "(waived)"
            of_app = Problem(code="target-error", detail=row.error or "") if standing.stage == "target" else None
            problem = problem_in_words(of_app or waivers.first_failure(row, standing)[1])
            whole = bool(of_app) and problem not in seen
            seen.add(problem)
            message = log_line(cut(problem, _MESSAGE if whole else _WORDS))
            yield f"{log_line(row.case_id)}: fails {where}" + (f": {message}" if message else "")
    for row in _failing_by_base(directory):
        problems = [problem_in_words(each.problems[0]) for each in _failed_by_base(row).values()]
        message = log_line(cut("; ".join(problems[:1]), _WORDS))
        yield f"{log_line(row.case_id)}: fails by the {base}'s suite at {row.first_failed_stage}: {message}"
    unmeasured_words = f", {unmeasured} unmeasured" if unmeasured else ""
    bad_words = f", {blocked} of {count(known_bad, 'known-bad case')} blocked" if known_bad else ""
    is_more = failing or unmeasured or counting or blocked < known_bad
    yield f"{failing} of {cases} cases fail{unmeasured_words}{bad_words}" + (
        "; name one to see it in full" if is_more else ""
    )
    if isinstance(stored, Run) and stored.decision.kind == "inconclusive":
        yield f"the run is INCONCLUSIVE: {log_line(all_reasons(stored))}"


def _unmeasured_reason(row: CaseRun, waivers: Waivers) -> str:
    """The reason of the first gate that would have to be measured; empty where no gate has one."""
    for gate, outcome in row.outcomes.items():
        if gate in waivers.blocking and isinstance(outcome, Unmeasured) and is_unmeasured(row, gate):
            return f": {log_line(cut(unmeasured_in_words(outcome.detail), _WORDS))}"
    return ""


def _counts_for(gates: Mapping[RunGateName, Problem | None], base: str) -> str:
    named = [(gate_name(gate), problem_in_words(each, base) if each else "") for gate, each in gates.items()]
    why = "; ".join([": ".join(filter(None, each)) for each in named])
    return f"counts for the block, {log_line(cut(why, _WORDS))}"


def _comparison(directory: Path) -> Comparison | None:
    """What the run was compared with; None if that is not stored."""
    try:
        return read_comparison(directory)
    except RunStoreError:
        return None


def _failing_by_base(directory: Path) -> tuple[CaseRun, ...]:
    """Rows of the cases that fail only by the base branch's suite; empty if that comparison is not stored."""
    comparison = _comparison(directory)
    return comparison.policy.failing if comparison is not None and comparison.policy is not None else ()


def _failed_by_base(row: CaseRun) -> dict[GateName, Failed]:
    """The gates that failed the case. The base branch's levels count, so the stage identifies them."""
    return {
        gate: each
        for gate, each in row.outcomes.items()
        if isinstance(each, Failed) and GATES[gate].stage == row.first_failed_stage
    }


def _by_base_lines(row: CaseRun, base: str) -> Iterator[str]:
    yield f"by the {base}'s suite: {row.state.upper()}, first failed stage: {row.first_failed_stage}"
    for gate, outcome in _failed_by_base(row).items():
        yield from (f"  {line}" for line in _gate_lines(gate, outcome, "block"))


def _alone_lines(row: CaseRun, run: Run) -> Iterator[str]:
    """In what the answer is poor by itself, where the run's gate counts it."""
    found = next((each.measured for each in run.gates if each.gate == "poorer"), None)
    if row.alone is None or not isinstance(found, AloneCount):
        return
    if row.alone.cut:
        yield "poorer: the answer stops before its end (warns; no baseline)"
    if row.alone.same in found.sentences:
        yield "poorer: other questions have the same answer, though the evidence shown differs (warns; no baseline)"


def _repeat(case_id: str, run: Run, run_directory: Path) -> Iterator[str]:
    """The command that runs the case again from this folder; nothing if it cannot be shown unchanged."""
    command = repeat_command(case_id, run)
    if run.origin is None and run.invocation.directory is not None:
        started_in = (run_directory / run.invocation.directory).resolve()
        if started_in != Path.cwd() and (started_in / run.suite_file).is_file():
            command = f"(cd -- {shlex.quote(os.path.relpath(started_in))} && {command})"
    if command and log_line(command) == command:
        yield command


def explanation_lines(row: CaseRun, gates: Gates, context: CaseContext = NOTHING_BESIDE) -> Iterator[str]:
    """The case in lines: question, answers, every gate with level and reason, every claim with its evidence."""
    stage = f", first failed stage: {row.first_failed_stage}" if row.first_failed_stage else ""
    yield f"{log_line(row.case_id)}: {row.state.upper()}{stage}"
    if row.kind == "known_bad":
        blocked = "blocked where it must be" if row.blocked_as_named else f"must be blocked at {row.blocked_at}"
        yield f"  known bad, {blocked}"
    yield f"  written in {log_line(row.file)}:{row.line}"
    yield f"  asked      {log_line(row.question)}"
    answer = "(withheld or not kept)" if row.answer is None else log_line(row.answer) or "(empty)"
    yield f"  answered   {answer}"
    if context.before is not None:
        yield f"  baseline   {log_line(context.before) or '(empty)'}"
    yield f"  context    {log_line(', '.join(row.context)) or '(empty)'}"
    for chunk_id in dict.fromkeys(row.context):
        if chunk_id in context.chunks:
            yield f"    {log_line(chunk_id)}: {log_line(cut(context.chunks[chunk_id], _CHUNK)) or '(empty)'}"
    if row.latency_ms is not None:
        yield f"  latency    {milliseconds(row.latency_ms)}"
    if row.score is not None:
        yield f"  score      {row.score:.2f}"
    yield from judgement_lines(row, gates)
    yield from _ask_lines(row, gates)


def judgement_lines(row: CaseRun, gates: Gates) -> Iterator[str]:
    """The verdicts: every gate with its reason, every claim with its evidence, the issues."""
    yield "gates"
    aside = {gate: outcome.why for gate, outcome in row.outcomes.items() if isinstance(outcome, NotApplicable)}
    for gate, outcome in row.outcomes.items():
        if gate not in aside:
            yield from (f"  {line}" for line in _gate_lines(gate, outcome, gates.of(gate).level))
    votes = row.answer_votes
    judges = (*row.judges, *(votes.judges if votes is not None else ()))
    if judges:
        yield "judges"
        yield from (f"  {plain(line)}" for line in judge_call_lines(judges))
    if votes is not None and votes.items:
        yield "facts and criteria"
        yield from (f"  {line}" for line in _held_lines(votes))
    if row.claims:
        yield "claims"
        for claim in row.claims:
            yield from (f"  {line}" for line in _claim_lines(claim))
    if aside:
        yield f"not applicable: {log_line('; '.join([f'{gate} ({why})' for gate, why in aside.items()]))}"
    yield from (f"issue: {log_line(issue)}" for issue in row.issues)
    yield from (
        f"not in the answer, but in the reference answer: {log_line(value.text)} ({log_line(value.code)})"
        for value in row.lacks
    )


def _ask_lines(row: CaseRun, gates: Gates) -> Iterator[str]:
    """The other answers of a case that was asked again, each with the gates it failed."""
    for number, ask in enumerate(row.asks, start=1):
        yield f"other answer {number} of {len(row.asks)}, for it was asked {len(row.asks) + 1} times"
        yield f"  answered   {log_line(ask.error or ask.answer or '') or '(empty or not kept)'}"
        for gate, outcome in ask.outcomes.items():
            if isinstance(outcome, Failed):
                yield from (f"  {line}" for line in _gate_lines(gate, outcome, gates.of(gate).level))
        votes = ask.answer_votes
        yield from (
            f"  judge {plain(line)}" for line in judge_call_lines((*ask.judges, *(votes.judges if votes else ())))
        )
        yield from (f"  {line}" for line in (_held_lines(votes) if votes is not None else ()))
        yield from (f"  {line}" for claim in ask.claims if claim.votes for line in _claim_lines(claim))
    if row.unconfirmed:
        yield "The retries did not complete, so the first answer counts."


_MARKS = {"passed": "ok  ", "failed": "FAIL", "unmeasured": "?   ", "not_applicable": "-   "}
_OFF = "off "


def _gate_lines(gate: GateName, outcome: Outcome, level: Level) -> Iterator[str]:
    share = getattr(outcome, "share", None)
    counted = f" {share.hits}/{share.total}" if share is not None else ""
    details: tuple[str, ...] = ()
    match outcome:
        case Failed():
            details = tuple(str(problem) for problem in outcome.problems)
        case NotApplicable():
            details = (outcome.why,)
        case Unmeasured():
            details = (f"{outcome.reason}: {unmeasured_in_words(outcome.detail)}",)
    mark = _OFF if level == "off" and outcome.kind in {"failed", "unmeasured"} else _MARKS[outcome.kind]
    only_warns = " (only warns)" if level == "warn" and outcome.kind == "failed" else ""
    yield f"{mark} {gate}{counted}{only_warns}"
    yield from (f"       {log_line(line)}" for line in details)


def _claim_lines(claim: Claim) -> Iterator[str]:
    cited = f" [{', '.join(claim.citations)}]" if claim.citations else " (cites nothing)"
    yield f"{claim.verdict:<12} {log_line(claim.text + cited)}"
    if claim.quote is not None:
        yield f"             {log_line(_quoted_from(claim))} says: “{log_line(claim.quote)}”"
    yield from (f"             {log_line(note)}" for note in (claim.note,) if note)
    for found in claim.findings:
        mark = "advice" if found.advisory else "found"
        yield f"             {mark} {log_line(f'{found.kind} ({found.code}): {found.reason}')}"
    yield from (f"             {plain(line)}" for line in claim_lines(claim))


def _held_lines(votes: AnswerVotes) -> Iterator[str]:
    for head, under in item_lines(votes):
        yield plain(head)
        yield from (f"             {plain(line)}" for line in under)


def _quoted_from(claim: Claim) -> str:
    """The chunks that support the claim, else the chunk that a judge or a rule names against it."""
    voted = [vote.chunk_id for vote in claim.votes if vote.chunk_id and vote.quote == claim.quote]
    found = [each.chunk_id for each in claim.findings if each.chunk_id]
    return ", ".join(claim.supported_by) or next(iter([*voted, *found]), "the evidence")
