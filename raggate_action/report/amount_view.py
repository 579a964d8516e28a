"""Latency, score and cost, what only the job summary holds, and the notes."""

from __future__ import annotations

from typing import get_args

from raggate_action.report.catalogue import BY_VALUE
from raggate_action.report.comment_size import Extent, left_out
from raggate_action.report.gate_view import stored_rate
from raggate_action.report.origin_view import baseline_note
from raggate_action.report.page import Column, FirstEntries, Fold, Foreign, Item, Section, Table
from raggate_action.report.panel_view import price
from raggate_action.report.record_words import Values, fields, of
from raggate_action.report.report_input import Reporting
from raggate_action.schema.decision import Cause
from raggate_action.schema.summary import CheckName
from raggate_action.strings.visible_text import cut

_NO_MUST_RELEASE = "The suite has no case that must be released: nothing shows that a good answer gets through."
_NOTES = 20
_NOTES_ALWAYS = 5
_LONGEST_NOTE = 400


def amount_section(reporting: Reporting, _extent: Extent) -> Section:
    """Latency, score, cost and tool use next to the baseline's, folded; what the app costs and its judges apart."""
    run, comparison, judging = reporting.run, reporting.comparison, reporting.run.judging
    columns = [Column("Measure"), Column("This run", numeric=True)]
    of_judges = price(judging) if judging is not None and (judging.calls or judging.answers) else None
    values: list[Values] = [of(run.summary, judges=of_judges)]
    if comparison is not None:
        columns.append(Column("Baseline", numeric=True))
        known = {"hallucination_rate": stored_rate(comparison)}
        values.append(lambda name: known.get(name) or getattr(comparison.baseline, name, None))
    return Section(folds=(Fold("Latency, score, cost", table=Table(tuple(columns), fields("amounts", *values))),))


def release_section(reporting: Reporting, _extent: Extent) -> Section:
    """The release report: what was released on which evidence, and what was checked of it."""
    report = reporting.run.release_report
    checks = {name: BY_VALUE["release check"][str(report.checks.get(name))] for name in get_args(CheckName)}
    named = of(report)
    rows = fields("release", lambda name: checks[name] if name in checks else named(name))
    return Section(folds=(Fold("Release report", table=Table((Column("Release"), Column("Finding")), rows)),))


def note_section(reporting: Reporting, extent: Extent) -> Section:
    """Notes on this run, folded; doubts about its baseline come first."""
    baseline = baseline_note(reporting)
    warned = [baseline.warning] if baseline is not None and baseline.warning else []
    # Why the app was not asked may be a note and the reason as well.
    causes = [
        reason.cause
        for reason in reporting.run.decision.reasons
        if (isinstance(reason, Cause) and reason.kind == "nothing-answered")
    ]
    others = [note for note in reporting.run.notes if not any(note in cause for cause in causes)]
    notes = (*warned, *others, *reporting.run.remarks)
    if extent.whole and not reporting.run.counts.must_release and not reporting.app_is_silent:
        notes = (*notes, _NO_MUST_RELEASE)
    most = min(_NOTES, max(extent.rows, _NOTES_ALWAYS))
    items = FirstEntries(notes, lambda note: Item(Foreign(cut(note, min(_LONGEST_NOTE, extent.words * 2)))), most)
    more = left_out(len(items), len(notes), extent, file="run.json")
    return Section(folds=(Fold(f"Notes ({len(notes):,})", items=items, more=more),)) if items else Section()
