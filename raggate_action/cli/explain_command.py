"""`explain`: which cases of a stored run fail and why, or one case in full."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Final

from raggate_action.cli.commands import Explain
from raggate_action.cli.last_run import named_or_last, run_directories
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.decision_words import all_reasons, base_name, outcome_words
from raggate_action.report.escape import log_line
from raggate_action.report.page import Fold
from raggate_action.report.page_cases import STATES, ListedCase, PageState, case_parts, gate_items
from raggate_action.report.plain_sink import plain
from raggate_action.report.repeat_command import repeat_command
from raggate_action.run.case_context import chunks_of
from raggate_action.run.case_list import CaseList
from raggate_action.run_store import read_comparison, read_rows, read_stored
from raggate_action.run_store.run_files import RUN
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.outcome import GATES, Failed, GateName
from raggate_action.schema.policy import Gates
from raggate_action.schema.run import Run, StartedRun
from raggate_action.strings.numbers import count
from raggate_action.suite_files.problems import path_text

_TOLD: Final = frozenset({"failed", "not-blocked", "unmeasured", "waived"})


def run(options: Explain) -> int:
    """Print the case. It reads all rows, so that a case with two rows is an error."""
    directory, case_id = _directory_and_case(options.directory, options.case)
    stored = read_stored(directory)
    base = base_name(stored) if isinstance(stored, Run) else ""
    comparison = read_comparison(directory)
    listed = CaseList(stored, comparison)
    if case_id is None:
        sys.stdout.writelines(f"{line}\n" for line in _failing_case_lines(directory, stored, comparison, listed))
        return ExitCode.RELEASE
    seen: list[str] = []
    found: CaseRun | None = None
    for row in read_rows(directory):
        seen.append(row.case_id)
        if row.case_id == case_id:
            found = row
    if found is None:
        raise _no_such_case(case_id, directory, seen, is_first_word=options.case is None)
    gates, chunks = stored.policy.gates, chunks_of(found, stored, directory)
    answers = comparison.answers if comparison is not None and stored.policy.texts != "ids" else {}
    case = listed.add(found, lambda: found)
    parts = case_parts(case, found, gates, chunks=chunks, before=answers.get(case_id), base=base or "baseline")
    lines = [*printed(parts)]
    lines += [
        line
        for row in _failing_by_base(comparison)
        if row.case_id == case_id
        for line in _by_base_lines(row, gates, base)
    ]
    lines += _alone_lines(found, stored) if isinstance(stored, Run) else ()
    # From this folder, which is not always the one where the run was started.
    lines += [f"repeat: {command}"] if (command := _repeat(case_id, stored, directory)) else []
    sys.stdout.writelines(f"{line}\n" for line in lines)
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


def _failing_case_lines(
    directory: Path, stored: Run | StartedRun, comparison: Comparison | None, listed: CaseList
) -> Iterator[str]:
    """A line for each case that fails or is unmeasured and each known-bad case that was not blocked, in suite order."""
    base = base_name(stored) if isinstance(stored, Run) else ""
    counts: Counter[tuple[bool, PageState]] = Counter()
    seen: set[str] = set()
    if isinstance(stored, Run) and stored.decision.kind == "block":
        yield f"the run is BLOCK: {log_line(all_reasons(stored))}"
    for row in read_rows(directory):
        case = listed.add(row, partial(_itself, row))
        is_to_renew = row.kind == "known_bad" and case.gate is not None
        counts[row.kind == "known_bad", case.state] += not is_to_renew
        if case.state in _TOLD:
            # What an app fails with says at its end what to do: of several that fail alike once, and whole.
            is_first = case.stage == "target" and case.why not in seen
            seen.add(case.why)
            why = log_line(case.why if is_first else case.line)
            yield _line(row, case, why)
    for row in _failing_by_base(comparison):
        failed = next((outcome_words(each) for each in _failed_by_base(row).values()), [""])
        yield f"{log_line(row.case_id)}: fails by the {base}'s suite at {row.first_failed_stage}: {log_line(failed[0])}"
    failing, unmeasured = counts[False, "failed"], counts[False, "unmeasured"]
    cases = sum(number for (known_bad, _state), number in counts.items() if not known_bad)
    known_bad, blocked = counts.total() - cases, counts[True, "blocked"]
    unmeasured_words = f", {unmeasured} not measured" if unmeasured else ""
    bad_words = f", {blocked} of {count(known_bad, 'known-bad case')} blocked" if known_bad else ""
    is_more = failing or unmeasured or blocked < known_bad
    yield f"{failing} of {cases} cases fail{unmeasured_words}{bad_words}" + (
        "; name one to see it in full" if is_more else ""
    )
    if isinstance(stored, Run) and stored.decision.kind == "inconclusive":
        yield f"the run is INCONCLUSIVE: {log_line(all_reasons(stored))}"


def _itself(row: CaseRun) -> CaseRun:
    return row


def _line(row: CaseRun, case: ListedCase, why: str) -> str:
    """`refund: fails at behaviour: it does not say ...`."""
    if row.kind == "known_bad":
        words = ["known bad, to renew" if case.gate is not None else "known bad", why]
    elif case.state == "failed":
        words = [f"fails at {case.stage}", why] if case.stage else ["blocks", why]
    else:
        words = ["fails (waived)" if case.state == "waived" else STATES[case.state].word, why]
    return ": ".join([each for each in (log_line(case.case_id), *words) if each])


def _failing_by_base(comparison: Comparison | None) -> tuple[CaseRun, ...]:
    """Rows of the cases that fail only by the base branch's suite; empty if that comparison is not stored."""
    return comparison.policy.failing if comparison is not None and comparison.policy is not None else ()


def _failed_by_base(row: CaseRun) -> dict[GateName, Failed]:
    """The gates that failed the case. The base branch's levels count, so the stage identifies them."""
    return {
        gate: each
        for gate, each in row.outcomes.items()
        if isinstance(each, Failed) and GATES[gate] == row.first_failed_stage
    }


def _by_base_lines(row: CaseRun, gates: Gates, base: str) -> Iterator[str]:
    yield f"by the {base}'s suite: {row.state.upper()}, first failed stage: {row.first_failed_stage}"
    yield from printed([Fold("Gates", tuple(gate_items(_failed_by_base(row), gates)))])


def _alone_lines(row: CaseRun, run: Run) -> Iterator[str]:
    """In what the answer is poor by itself, where the run's gate counts it."""
    found = next((each.measures("alone") for each in run.gates if each.gate == "poorer"), None)
    if row.alone is None or found is None:
        return
    if row.alone.cut:
        yield "poorer: the answer stops before its end (warns; no baseline)"
    if row.alone.same in found.sentences:
        yield "poorer: other questions have the same answer, though the evidence shown differs (warns; no baseline)"


def _repeat(case_id: str, run: Run | StartedRun, run_directory: Path) -> str:
    """The command that runs the case again from this folder; empty if it cannot be shown unchanged."""
    if not isinstance(run, Run):
        return ""
    command = repeat_command(case_id, run)
    if run.origin is None and run.invocation.directory is not None:
        started_in = (run_directory / run.invocation.directory).resolve()
        if started_in != Path.cwd() and (started_in / run.suite_file).is_file():
            command = f"(cd -- {shlex.quote(os.path.relpath(started_in))} && {command})"
    return command if log_line(command) == command else ""


def printed(parts: Iterable[Fold]) -> Iterator[str]:
    """The parts of a case in lines of a terminal, as its page has them."""
    for part in parts:
        if part.summary:
            yield part.summary
        for item in part.items:
            yield f"{'  ' if part.summary else ''}{plain(item.text)}"
            yield from (f"    {plain(line)}" for line in item.under)
