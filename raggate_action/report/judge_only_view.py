"""Known-bad cases of which only judges could tell whether they are blocked, where none that counts was heard."""

from __future__ import annotations

from raggate_action.report.case_view import place_and_command
from raggate_action.report.page import Code, FirstEntries, Item, Section, Strong
from raggate_action.report.problem_words import UNMEASURED
from raggate_action.report.report_input import Reporting
from raggate_action.report.size_ladder import Extent, left_out
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATES
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut


def left_to_judges_section(reporting: Reporting, extent: Extent) -> Section:
    """Which they are, and why judges did not tell; never folded away."""
    counts = reporting.run.counts
    total = max(counts.known_bad_unmeasured + counts.known_bad_no_adjudicator, len(reporting.listed.left_to_judges))
    if not total:
        return Section()
    most = extent.rows if extent.whole else min(extent.rows, extent.above)
    cases = count(max(counts.known_bad, total), "known-bad case")
    them = "it" if total == 1 else "them"
    lead = Strong(f"⏳ {total:,} of {cases} not measured:"), f" rules let {them} through, and judges may not."
    items = FirstEntries(reporting.listed.left_to_judges, lambda row: _item(row, reporting.run), most)
    return Section(lead=lead, items=items, more=left_out(len(items), total, extent))


def _item(row: CaseRun, run: Run) -> Item:
    where, repeat = place_and_command(row, run)
    text = Code(cut(row.case_id, 80)), f" must be blocked at {row.blocked_at}: {why_left_open(row)} · ", where
    return Item(text, under=(repeat,) if repeat else ())


def why_left_open(row: CaseRun) -> str:
    """Why nobody tells whether the case is blocked where it must be."""
    for gate, outcome in row.outcomes.items():
        if outcome.kind == "unmeasured" and GATES[gate].stage == row.blocked_at:
            return UNMEASURED[outcome.reason]
    return UNMEASURED["no-adjudicator"]
