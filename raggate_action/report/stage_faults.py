"""Failing cases by the stage that fails first, a line for each stage: what went wrong in words of the app's trade."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from raggate_action.report.catalogue import STAGES, did, repair_of
from raggate_action.report.comment_size import Extent, in_a_row, names, names_if_few
from raggate_action.report.fault_line import FaultLevel, FaultLine
from raggate_action.report.page import Foreign, Strong, Text, WithCode, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.counts import StageCount
from raggate_action.schema.decision import RunGate
from raggate_action.schema.outcome import GATES, Failed, StageName
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_LONGEST_PHRASE = 80
_OF_CASES: tuple[StageName, ...] = ("target", "candidate retrieval", "context selection")


class StageFault(NamedTuple):
    """A stage at which cases fail first.

    Attributes:
        stage: How many cases, and what to repair.
        rows: The listed ones: those that are new against the baseline first, then the heavier ones.
        failed: The blocking gates that fail for cases of the stage: its own, and those that name one of its cases.
    """

    stage: StageCount
    rows: list[CaseRun]
    failed: list[RunGate]


def stage_faults(reporting: Reporting) -> list[StageFault]:
    """The stages at which cases fail first: those with a failed gate first, each in order of diagnosis."""
    comparison, run = reporting.comparison, reporting.run
    new = frozenset(comparison.regressions if comparison is not None else ())
    rows: dict[StageName | None, tuple[list[CaseRun], list[CaseRun]]] = {}
    for row in reporting.listed.failing:
        rows.setdefault(row.first_failed_stage, ([], []))[row.case_id not in new].append(row)
    failed = [gate for gate in run.gates if gate.level == "block" and gate.status == "failed"]
    named = [(gate, {_failing_id(each) for each in gate.offenders}) for gate in failed]
    found = []
    for stage in run.stages:
        at = [row for part in rows.get(stage.stage, ()) for row in part]
        ids = frozenset([*stage.named, *[row.case_id for row in at]])
        own = [gate for gate, offenders in named if _is_at(gate, stage.stage) or ids & offenders]
        malformed = [row for row in at if _code(row, stage.stage) == "off-schema"]
        if malformed and len(malformed) < len(at) == stage.cases:
            # The app failed, or its reply could not be read: two things to repair.
            others = [row for row in at if row not in malformed]
            found += [StageFault(stage.model_copy(update={"cases": len(e)}), e, own) for e in (others, malformed)]
        else:
            found.append(StageFault(stage, at, own))
    order = list(GATES.values())
    return sorted(found, key=lambda each: (not each.failed, order.index(each.stage.stage)))


def are_in_stage_lines(gate: RunGate, reporting: Reporting) -> bool:
    """Whether the lines of the stages tell of every case that a failed gate names, so that it has no line itself."""
    failing = {row.case_id for row in reporting.listed.failing if row.first_failed_stage is not None}
    failing.update(case_id for stage in reporting.run.stages for case_id in stage.named)
    named = [_failing_id(each) for each in gate.offenders]
    at_stages = sum(stage.cases for stage in reporting.run.stages)
    return bool(named) and failing.issuperset(named) and gate.offending <= at_stages


def _failing_id(change: Change) -> str | None:
    return change.case_id if change.case_id and change.move != "same" else None


def same_answer_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`**The same answer as on main:** how-long; warranty: 2026-11 → 2026-12`, of cases that newly fail."""
    found = reporting.comparison.same_answers if reporting.comparison is not None else ()
    same = [each for each in found if each.problem is not None and each.problem.detail]
    if same:
        cases = dict.fromkeys([each.case_id for each in same])
        versions = dict.fromkeys([each.problem.detail for each in same if each.problem is not None])
        lead = Strong(f"The same answer as on the {reporting.base_name}:")
        words = lead, " ", names(cases, len(cases)), "; ", names(versions, len(versions)), "."
        yield FaultLine(words, level="warn")


def stage_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`**8 answers used out-of-date text** (0 allowed). Repair: index. alder and 7 more`, for each stage."""
    for fault in stage_faults(reporting):
        stage = fault.stage
        ids = tuple([row.case_id for row in fault.rows]) or stage.named
        code = _common_code(stage, fault.rows)
        noun = "case" if stage.stage in _OF_CASES else "answer"
        what: Text = f"{count(stage.cases, noun)} {did(code) or STAGES[stage.stage]['many']}"
        if code == "forbidden-phrase":
            found = [each.text for row in fault.rows for each in row.hallucinations if each.kind == "phrase"]
            if phrases := list(dict.fromkeys(filter(None, found))):
                what = what, ": “", in_a_row([Foreign(cut(phrases[0], _LONGEST_PHRASE))], len(phrases)), "”"
        limits = [each for each in (_allowed(fault, reporting), _new(stage, reporting)) if each]
        aside: Text = (" (", joined(", ", limits), ")") if limits else ""
        words = Strong(what), aside, ". ", WithCode(repair_of(stage.stage, code)), ". ", names_if_few(ids, stage.cases)
        level: FaultLevel = "block" if fault.failed else "warn"
        lost = reporting.comparison.lost_sources if reporting.comparison is not None else frozenset[str]()
        is_lost = not lost.isdisjoint(ids)
        yield FaultLine((words, ". If its source moved, label the case anew" if is_lost else ""), ids, level)


def _common_code(stage: StageCount, rows: list[CaseRun]) -> str:
    """The problem that all cases of a stage have first; empty where they differ, or some are not listed."""
    codes = {_code(row, stage.stage) for row in rows} if len(rows) == stage.cases else set()
    return codes.pop() if len(codes) == 1 else ""


def _code(row: CaseRun, stage: StageName) -> str:
    """The first problem of the first gate that fails at the stage."""
    found = [row.outcomes.get(gate) for gate, place in GATES.items() if place == stage]
    return next((each.problems[0].code for each in found if isinstance(each, Failed)), "")


def _is_at(gate: RunGate, stage: StageName) -> bool:
    return gate.gate in GATES and GATES[gate.gate] == stage


def _allowed(fault: StageFault, reporting: Reporting) -> str:
    """How many cases the one bar lets pass that speaks: `0 allowed`, `0 new allowed`; empty where several speak."""
    own = [gate for gate in reporting.run.gates if gate.level == "block" and _is_at(gate, fault.stage.stage)]
    bars = fault.failed or [gate for gate in own if (gate.passed or 0) < (gate.scored or 0)]
    if len(bars) != 1:
        return ""
    bar, measured = bars[0].bar, bars[0].measures("cases")
    if bar.unit in {"cases", "new cases"}:
        return f"{int(bar.amount):,}{' new' if bar.unit == 'new cases' else ''} allowed"
    if measured is not None:
        return f"{int(bar.amount * measured.looked_at):,} allowed"
    return f"{int((1 - bar.amount) * (bars[0].scored or 0)):,} allowed" if bars[0] in own else ""


def _new(stage: StageCount, reporting: Reporting) -> str:
    """How many of the cases passed on the baseline; empty where nothing is compared with one, and where all did."""
    comparison = reporting.comparison
    if comparison is None or not comparison.compared:
        return ""
    new = sum(comparison.of(gate).new for gate, place in GATES.items() if place == stage.stage)
    return "" if new >= stage.cases else f"{new:,} new" if new else "none new"
