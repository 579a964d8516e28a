"""The one list under the verdict, in the order in which it is read: what to look at first stands first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from raggate_action.report.change_view import fixed_lines
from raggate_action.report.comment_size import COMMENT_EXTENTS, Extent, gate_name
from raggate_action.report.comparison_lines import (
    comparison_lines,
    first_run_lines,
    gone_source_lines,
    latency_lines,
    newly_said_lines,
)
from raggate_action.report.decision_words import reason_in_words
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.gate_faults import (
    gate_lines,
    left_to_judges_lines,
    renew_lines,
    unblocked_lines,
    warnings_beside_baseline,
    why_it_warns,
)
from raggate_action.report.judge_advice import advice_lines
from raggate_action.report.page import Foreign, Strong, WithCode
from raggate_action.report.poorer_view import poorer_lines
from raggate_action.report.report_input import Reporting
from raggate_action.report.stage_faults import same_answer_lines, stage_lines
from raggate_action.report.suite_change_view import suite_change_lines
from raggate_action.report.trend_view import moved_level_lines
from raggate_action.report.undecided_lines import (
    outdated_lines,
    single_hallucination_lines,
    undecided_lines,
    unsteady_lines,
)

_ADVISES = "This suite only advises: the check passes whatever stands here."

LineSource = Callable[[Reporting, Extent], Iterable[FaultLine]]


def released_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """Why a run is released, and why what fails against the baseline does not block."""
    if "released" in reporting.run.decision.reasons:
        words = reason_in_words("released", reporting.run)
        yield FaultLine(Foreign(words[:1].upper() + words[1:]), level="note")
    for gate in warnings_beside_baseline(reporting.run) if reporting.run.decision.kind == "release" else ():
        why = f" only warns: {why_it_warns(gate, reporting)}."
        yield FaultLine((Strong(gate_name(gate.gate)), WithCode(why)), level="note")


def enforcement_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """That the check passes all the same."""
    if not reporting.run.decision.enforced:
        yield FaultLine(_ADVISES, level="note")


# A new kind of line is a function in a file of its own, and a name here.
SOURCES: tuple[LineSource, ...] = (
    # What could not be decided, or was weakened.
    undecided_lines,
    suite_change_lines,
    unblocked_lines,
    left_to_judges_lines,
    renew_lines,
    # What went wrong, earliest and strictest first.
    same_answer_lines,
    stage_lines,
    gate_lines,
    gone_source_lines,
    # Poorer answers, and slower ones.
    poorer_lines,
    latency_lines,
    # What varies, what judges say who do not count, what is new, and what the run is compared with.
    unsteady_lines,
    released_lines,
    advice_lines,
    newly_said_lines,
    fixed_lines,
    moved_level_lines,
    comparison_lines,
    first_run_lines,
    enforcement_lines,
)


def fault_lines(reporting: Reporting, extent: Extent) -> list[FaultLine]:
    """The list of a run at an extent; never empty for one that was decided.

    Args:
        reporting: A run with a result.
        extent: How much of it is shown.
    """
    sources = list(SOURCES)
    if _most_are_poorer(reporting):
        sources.remove(poorer_lines)
        sources.insert(sources.index(stage_lines), poorer_lines)
    return [line for source in sources for line in source(reporting, extent)]


# Where no stage blocks, the rest of what may; each line has its way out.
_OTHER_BLOCKS: tuple[LineSource, ...] = (unblocked_lines, gate_lines, poorer_lines, suite_change_lines)
# What a release leaves to a reader.
_TO_READ: tuple[LineSource, ...] = (
    renew_lines,
    outdated_lines,
    gone_source_lines,
    poorer_lines,
    single_hallucination_lines,
    newly_said_lines,
)


def first_repair(reporting: Reporting) -> FaultLine | None:
    """What to repair first, as the list says it: the first stage; None where none fails.

    Of a block that no stage causes, the first other line that blocks; poorer answers where they are most of the fault.
    """
    if _most_are_poorer(reporting):
        return next(iter(poorer_lines(reporting, COMMENT_EXTENTS[0])), None)
    lines = _lines_of((stage_lines,), reporting)
    if reporting.run.decision.kind == "block" and all(line.level != "block" for line in lines):
        lines = [line for line in _lines_of(_OTHER_BLOCKS, reporting) if line.level in {"block", "open"}] + lines
    return lines[0] if lines else None


def lines_to_read(reporting: Reporting) -> list[FaultLine]:
    """What only a reader can weigh; of a block labels out of date, and the sentences that several answers newly say."""
    is_released = reporting.run.decision.kind == "release"
    return _lines_of(_TO_READ if is_released else (outdated_lines, same_answer_lines, newly_said_lines), reporting)


def _lines_of(sources: Iterable[LineSource], reporting: Reporting) -> list[FaultLine]:
    return [line for source in sources for line in source(reporting, COMMENT_EXTENTS[0])]


def _most_are_poorer(reporting: Reporting) -> bool:
    """Whether poorer answers block, and for most of their cases nothing else does: then that is the fault."""
    found = reporting.comparison.poorer if reporting.comparison is not None else None
    gate = next((each for each in reporting.run.gates if each.gate == "poorer"), None)
    blocks = gate is not None and (gate.level, gate.status) == ("block", "failed")
    return blocks and found is not None and found.all_cases > 2 * sum(each.cases for each in reporting.run.stages)
