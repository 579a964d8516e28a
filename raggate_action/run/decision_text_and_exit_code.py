"""A decision for a terminal or a log: a few lines, and the exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from raggate_action.errors import ExitCode
from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.comparison_lines import latency_lines, next_step
from raggate_action.report.decision_view import verdict
from raggate_action.report.decision_words import all_reasons, reason_in_words
from raggate_action.report.escape import log_line
from raggate_action.report.fault_list import first_repair, lines_to_read
from raggate_action.report.panel_view import panel_lines
from raggate_action.report.plain_sink import plain
from raggate_action.report.report_input import Reporting
from raggate_action.schema.decision import Decision, DecisionKind
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_CODES: dict[DecisionKind, ExitCode] = {
    "release": ExitCode.RELEASE,
    "block": ExitCode.BLOCK,
    "inconclusive": ExitCode.INCONCLUSIVE,
}
_REASON_LENGTH = 200


def exit_code(decision: Decision) -> ExitCode:
    """What the process says; a suite that only advises never fails."""
    return _CODES[decision.kind] if decision.enforced else ExitCode.RELEASE


def say(lines: Iterable[str]) -> None:
    """Print lines of a finished run. A closed or narrow output never changes the exit code (decision first)."""
    try:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        sys.stdout = None  # nothing further is tried at exit


def outcome_lines(reporting: Reporting) -> list[str]:
    """The decision with the five counts, the first reason, what to read and to repair, and who judged at what cost."""
    run = reporting.run
    advice = "" if run.decision.enforced else " (advice only)"
    parts = [log_line(run.suite), *verdict(reporting)]
    lines = [f"raggate: {run.decision.kind.upper()}{advice} · {' · '.join(parts)}"]
    if reporting.has_no_result:
        # Whole, for it says what to do; and there is nothing else to repair first.
        return [*lines, f"  why: {log_line(all_reasons(run))}"]
    lines.append(f"  why: {_first_reason(reporting)}")
    lines += [f"  note: {plain(line.words)}" for line in lines_to_read(reporting)]
    if (step := next_step(reporting)) is not None:
        lines.append(f"  next: {plain(step)}")
    if (repair := first_repair(reporting)) is not None:
        lines.append(f"  first fault: {plain(repair.words)}")
    lines += [f"  app: {plain(line.words)}" for line in latency_lines(reporting, COMMENT_EXTENTS[0])]
    panel = [plain(line) for line in panel_lines(reporting)]
    panel = [f"{line[:1].lower()}{line[1:]}" for line in panel]
    return [*lines, *[f"  {line}" for line in panel]]


def _first_reason(reporting: Reporting) -> str:
    """The most important reason on one line, and how many more the comment has."""
    reasons = reporting.run.decision.reasons
    first = log_line(reason_in_words(reasons[0], reporting.run)) if reasons else "no reason was recorded"
    reason = cut(first, _REASON_LENGTH)
    more = len(reasons) - 1
    return f"{reason} (and {count(more, 'more reason')})" if more > 0 else reason
