"""Remarks at a case's own file and line, for a log: one per case, worst first, from each stage in turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.report.decision_words import all_reasons, not_blocked
from raggate_action.report.escape import copyable, log_line
from raggate_action.report.origin_view import place_of
from raggate_action.report.page import Foreign, Text, joined
from raggate_action.report.plain_sink import plain
from raggate_action.report.repeat_command import repeat_command
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATES, StageName
from raggate_action.strings.visible_text import cut

# An error is new and blocks; a warning does not block, or was there before; a notice is not measured.
Level: TypeAlias = Literal["error", "warning", "notice"]
_LONGEST_TEXT = 300
_LONGEST_NAME = 80
_PROBLEMS = 3
_STAGES: tuple[StageName | None, ...] = (None, *dict.fromkeys(GATES.values()))


class Remark(NamedTuple):
    """A remark on a case, or on the run as a whole, in the fields of a workflow annotation.

    Attributes:
        level: How bad it is.
        message, title: One line each, no control characters, nothing a runner would take for a command.
        file: Path from the top of the repository; empty when the case is written outside of it.
        line: Line of the case, from 1; None without a file.
    """

    level: Level
    message: str
    title: str
    file: str = ""
    line: int | None = None


_Found: TypeAlias = tuple[Level, CaseRun, str, Text]


def remarks(reporting: Reporting, *, root: str = "") -> Iterator[Remark]:
    """Every remark on a run, errors first: known-bad cases that got through, then failing ones, the new first.

    Of each level the stages take turns, so that the first ten tell of each.

    Args:
        reporting: The run. Without a comparison every failure counts as new.
        root: The working directory, seen from the top of the repository.
    """
    found = [*_unblocked(reporting), *([] if reporting.has_no_result else _of_cases(reporting))]
    # A check that passes whatever it says shows no errors.
    worst: Level = "error" if reporting.run.decision.enforced else "warning"
    found = [(worst if level == "error" else level, row, title, message) for level, row, title, message in found]
    if reporting.has_no_result:
        # One remark in place of one per case.
        what = ": no case was answered" if reporting.app_is_silent else ": no chunk id is known"
        title = plain((Foreign(cut(reporting.run.suite, _LONGEST_NAME)), what))
        yield Remark(worst, plain(Foreign(all_reasons(reporting.run))), title)
    for at in ("error", "warning", "notice"):
        # The first of every stage, in the order of diagnosis, then the second, and so on.
        stages = [[each for each in found if (each[0], _stage(each[1])) == (at, stage)] for stage in _STAGES]
        turns: Iterator[tuple[_Found | None, ...]] = zip_longest(*stages)
        yield from (_remark(*each, reporting, root) for turn in turns for each in turn if each is not None)


def _stage(row: CaseRun) -> StageName | None:
    return row.first_failed_stage if row.kind != "known_bad" else None


def _remark(level: Level, row: CaseRun, title: str, message: Text, reporting: Reporting, root: str) -> Remark:
    """A remark on a case; a command or a path that cannot be written as it is would be another one, and is left out."""
    file, line = place_of(row, root)
    repeat = repeat_command(row.case_id, reporting.run)
    copied = f" Repeat: {repeat}" if repeat and copyable(repeat) and log_line(repeat) == repeat else ""
    named = plain((Foreign(cut(row.case_id, _LONGEST_NAME)), f": {title}"))
    found = Remark(level, f"{plain(message)}{copied}".strip(), named)
    return found._replace(file=file, line=line) if file and log_line(file) == file else found


def _unblocked(reporting: Reporting) -> Iterator[_Found]:
    if reporting.run.policy.gates.known_bad_blocked.level == "block":
        for row in reporting.listed.unblocked:
            yield "error", row, "known-bad case not blocked", f"It {not_blocked(row)}."


def _of_cases(reporting: Reporting) -> Iterator[_Found]:
    """New hallucinations, other new failures, failures that were there before; each in the order of the lists.

    Without a baseline nobody can tell what is new, so no title says "new".
    """
    comparison, listed = reporting.comparison, reporting.listed
    invented: dict[str, list[str]] = {}
    if comparison is None:
        for row in listed.hallucinating:
            invented[row.case_id] = [each.text for each in row.hallucinations]
        broken = {row.case_id for row in listed.failing}
    else:
        for each in comparison.found("hallucination_rate"):
            invented.setdefault(each.case_id, []).append(each.problem.detail if each.problem is not None else "")
        broken = {*comparison.regressions, *comparison.added.named, *comparison.changed.named}
    failing = {row.case_id: row for row in listed.failing}
    rows = failing | {row.case_id: row for row in listed.hallucinating if row.case_id in invented}
    for row in sorted(rows.values(), key=lambda row: (row.case_id not in invented, row.case_id not in broken)):
        is_new = row.case_id in invented or row.case_id in broken
        fails = f"fails at {row.first_failed_stage}" if row.first_failed_stage else "fails"
        title = fails if is_new else "failed on the baseline too"
        if row.case_id in invented:
            title = "hallucination" if comparison is None else "new hallucination"
        message = _message(row, invented.get(row.case_id, []), reporting)
        yield "error" if is_new and row.case_id in failing else "warning", row, title, message
    for row in listed.unmeasured:
        yield "notice", row, "not measured", "It counts against the budget of cases not measured."
    for row in listed.left_to_judges:
        message = f"It is not known whether it is blocked at {row.blocked_at}."
        yield "notice", row, "known-bad case not measured", message


def _message(row: CaseRun, invented: list[str], reporting: Reporting) -> Text:
    """The first problems as sentences, and what was made up where none of them quotes it."""
    levels = reporting.run.policy.gates
    failed = {gate: each for gate, each in row.outcomes.items() if each.kind == "failed"}
    found = [(gate, p) for gate, each in failed.items() if levels.of(gate).level == "block" for p in each.problems]
    words: list[Text] = []
    unquoted = [text for text in invented if text and not any(text in problem.detail for _gate, problem in found)]
    words += [("“", Foreign(cut(text, _LONGEST_TEXT)), "”") for text in unquoted]
    words += [Foreign(reporting.told(*each, _LONGEST_TEXT)) for each in found]
    more = f"; and {len(words) - _PROBLEMS} more" if len(words) > _PROBLEMS else ""
    return joined("; ", words[:_PROBLEMS]), more
