"""Latency, score and cost, what only the job summary holds, and the notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from raggate_action.report.comment_size import Extent, left_out, names
from raggate_action.report.gate_view import stored_rate
from raggate_action.report.origin_view import baseline_note
from raggate_action.report.page import Code, Column, FirstEntries, Fold, Foreign, Item, Section, Table, Text
from raggate_action.report.report_input import Reporting
from raggate_action.schema.decision import NothingAnswered
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.schema.run import Run
from raggate_action.schema.summary import ReleaseChecks
from raggate_action.strings import numbers
from raggate_action.strings.numbers import NOTHING
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison

_NO_MUST_RELEASE = "The suite has no case that must be released: nothing shows that a good answer gets through."
_NOTES = 20
_NOTES_ALWAYS = 5
_LONGEST_NOTE = 400
_TOOLS = 30
_TRACES_NAMED = 10


def amount_section(reporting: Reporting, _extent: Extent) -> Section:
    """Latency, score, cost and tool use next to the baseline's, folded."""
    comparison = reporting.comparison
    rows: tuple[tuple[Text, ...], ...] = tuple(_amounts(reporting.run, comparison))
    columns: tuple[Column, ...] = (
        Column("Measure"),
        Column("This run", numeric=True),
        Column("Baseline", numeric=True),
    )
    if comparison is None:
        columns, rows = columns[:2], tuple([row[:2] for row in rows])
    return Section(folds=(Fold("Latency, score, cost", table=Table(columns, rows)),))


def _amounts(run: Run, comparison: Comparison | None) -> Iterator[tuple[str, str, str]]:
    """Only what was measured on either run; what the app costs and what its judges cost apart."""
    summary, judging = run.summary, run.judging
    # Without a comparison nobody is shown what was.
    was = comparison.baseline if comparison is not None else summary
    rate = numbers.percent_as_stored
    then_rate = stored_rate(comparison) if comparison is not None else NOTHING
    yield "hallucination rate", rate(summary.hallucination_rate), then_rate
    yield "hallucination rate, forbidden phrases alone", rate(summary.flag_rate), NOTHING
    for name, now, then in (
        (
            "latency, median",
            numbers.milliseconds(summary.p50_latency_ms),
            numbers.milliseconds(was.p50_latency_ms),
        ),
        (
            "latency, 95th percentile",
            numbers.milliseconds(summary.p95_latency_ms),
            numbers.milliseconds(was.p95_latency_ms),
        ),
        ("mean score (behaviour)", numbers.score(summary.mean_score), numbers.score(was.mean_score)),
        (
            "cost" if judging is None else "cost of the app",
            numbers.money(summary.cost_usd),
            numbers.money(was.cost_usd),
        ),
        ("cost of its judges", NOTHING if judging is None else _of_judges(judging), NOTHING),
    ):
        if (now, then) != (NOTHING, NOTHING):
            yield name, now, then
    if tools := summary.tool_use:
        yield "expected tools called", f"{numbers.rate(tools.hits, tools.total)} cases", NOTHING


def _of_judges(judging: JudgingCounts) -> str:
    """The sum of known prices; unknown, not zero, where no price is known or no judge was called."""
    if not (judging.answers or judging.calls) or (judging.unpriced and not judging.cost_usd):
        return NOTHING
    return numbers.money(judging.cost_usd) + (" and unknown prices" if judging.unpriced else "")


def release_section(reporting: Reporting, _extent: Extent) -> Section:
    """The release report: what was released on which evidence, and what was checked of it."""
    report = reporting.run.release_report
    rows: tuple[tuple[Text, ...], ...] = (
        ("service version", Code(cut(report.service_version, 80))),
        ("source traces", _first_of(report.source_traces)),
        ("evidence versions", _first_of(report.required_policy_versions)),
        *[(name.replace("_", " "), _check(getattr(report.checks, name))) for name in ReleaseChecks.model_fields],
    )
    return Section(folds=(Fold("Release report", table=Table((Column("Release"), Column("Finding")), rows)),))


def _first_of(ids: Sequence[str]) -> Text:
    return names([Code(cut(each, 80)) for each in ids[:_TRACES_NAMED]], len(ids)) if ids else NOTHING


def _check(holds: bool | None) -> str:  # noqa: FBT001 (a finding, not a switch)
    if holds is None:
        return "nothing to check"
    return "✅ holds" if holds else "❌ does not hold"


def note_section(reporting: Reporting, extent: Extent) -> Section:
    """Notes on this run, folded; doubts about its baseline come first."""
    baseline = baseline_note(reporting)
    warned = [baseline.warning] if baseline is not None and baseline.warning else []
    # Why the app was not asked may be a note and the reason as well.
    causes = [reason.cause for reason in reporting.run.decision.reasons if isinstance(reason, NothingAnswered)]
    others = [note for note in reporting.run.notes if not any(note in cause for cause in causes)]
    notes = (*warned, *others, *reporting.run.remarks)
    if extent.whole and not reporting.run.counts.must_release and not reporting.app_is_silent:
        notes = (*notes, _NO_MUST_RELEASE)
    most = min(_NOTES, max(extent.rows, _NOTES_ALWAYS))
    items = FirstEntries(notes, lambda note: Item(Foreign(cut(note, min(_LONGEST_NOTE, extent.words * 2)))), most)
    more = left_out(len(items), len(notes), extent, file="run.json")
    return Section(folds=(Fold(f"Notes ({len(notes):,})", items=items, more=more),)) if items else Section()
