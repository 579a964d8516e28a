"""Latency, score and cost, what only the job summary holds, and the notes."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action import numbers
from raggate_action.numbers import NOTHING
from raggate_action.report.escape import cell, inline_code, prose
from raggate_action.report.extent import Extent, joined, left_out, names, table_fold
from raggate_action.report.origin_view import baseline_note
from raggate_action.report.page import Fold, Item, Section, Table
from raggate_action.report.reporting import Reporting
from raggate_action.schema.comparison import BaselineAmounts
from raggate_action.schema.decision import NothingAnswered
from raggate_action.schema.run import Run
from raggate_action.schema.summary import ReleaseChecks, Summary
from raggate_action.visible_text import cut

_NOTES = 20
_NOTES_ALWAYS = 5
_LONGEST_NOTE = 400
_TOOLS = 30
_TRACES_NAMED = 10


def amount_section(reporting: Reporting) -> Section:
    """Latency, score, cost and tool use, the baseline's beside them, folded."""
    before = reporting.comparison.baseline if reporting.comparison is not None else None
    rows = tuple(_amounts(reporting.run.summary, before))
    if before is None:
        table = Table(("Measure", "This run"), ("---", "---:"), tuple([row[:2] for row in rows]))
    else:
        table = Table(("Measure", "This run", "Baseline"), ("---", "---:", "---:"), rows)
    return Section(folds=(Fold("Latency, score, cost", table=table),))


def _amounts(summary: Summary, before: BaselineAmounts | None) -> Iterator[tuple[str, str, str]]:
    """Only what was measured on either run."""
    was = before or BaselineAmounts(mean_score=None, p95_latency_ms=None, hallucination_rate=0.0, cost_usd=None)
    rate = numbers.percent_as_stored
    yield "hallucination rate", rate(summary.hallucination_rate), rate(was.hallucination_rate)
    yield "hallucination rate, forbidden phrases alone", rate(summary.flag_rate), NOTHING
    for name, now, then in (
        ("latency, median", numbers.milliseconds(summary.p50_latency_ms), NOTHING),
        (
            "latency, 95th percentile",
            numbers.milliseconds(summary.p95_latency_ms),
            numbers.milliseconds(was.p95_latency_ms),
        ),
        ("mean score (behaviour)", numbers.score(summary.mean_score), numbers.score(was.mean_score)),
        ("cost", numbers.money(summary.cost_usd), numbers.money(was.cost_usd)),
    ):
        if (now, then) != (NOTHING, NOTHING):
            yield name, now, then
    if tools := summary.tool_use:
        yield "expected tools called", f"{numbers.rate(tools.hits, tools.total)} cases", NOTHING


def beside_section(reporting: Reporting, extent: Extent) -> Section:
    """For the job summary alone: issues of passing cases, tools, the release report."""
    if not extent.whole:
        return Section()
    return joined([_issues(reporting, extent), _tools(reporting.run.summary), _release_report(reporting.run)])


def _issues(reporting: Reporting, extent: Extent) -> Section:
    if not reporting.shows_texts:
        return Section()
    found = [row for row in reporting.listed.with_issues if row.issues]
    rows = [
        (inline_code(cut(row.case_id, 80)), cell(cut("; ".join(row.issues), extent.words)))
        for row in found[: extent.rows]
    ]
    table = Table(("Case", "Issues"), ("---",) * 2, tuple(rows))
    return table_fold("Issues of passing cases", table, total=len(found), extent=extent)


def _tools(summary: Summary) -> Section:
    if not summary.tools:
        return Section()
    rows = [
        (
            inline_code(cut(tool.tool, 80)),
            numbers.rate(tool.called, tool.expected),
            numbers.percent_down(tool.called, tool.expected),
        )
        for tool in summary.tools[:_TOOLS]
    ]
    table = Table(("Tool", "Called / expected", "Rate"), ("---", "---:", "---:"), tuple(rows))
    hidden = len(summary.tools) - len(rows)
    more = (
        f"{len(rows)} of {len(summary.tools):,} shown, full table in `run.json` of the run directory." if hidden else ""
    )
    return Section(folds=(Fold(f"Expected tools ({len(summary.tools):,})", table=table, more=more),))


def _release_report(run: Run) -> Section:
    report = run.release_report
    traces = [inline_code(cut(case_id, 80)) for case_id in report.source_traces[:_TRACES_NAMED]]
    versions = [inline_code(cut(version, 80)) for version in report.required_policy_versions[:_TRACES_NAMED]]
    rows = (
        ("service version", inline_code(cut(report.service_version, 80))),
        ("source traces", names(traces, len(report.source_traces)) if traces else NOTHING),
        ("evidence versions", names(versions, len(report.required_policy_versions)) if versions else NOTHING),
        *[(name.replace("_", " "), _check(getattr(report.checks, name))) for name in ReleaseChecks.model_fields],
    )
    return Section(folds=(Fold("Release report", table=Table(("Release", "Finding"), ("---",) * 2, rows)),))


def _check(holds: bool | None) -> str:  # noqa: FBT001 (a finding, not a switch)
    if holds is None:
        return "nothing to check"
    return "✅ holds" if holds else "❌ does not hold"


def note_section(reporting: Reporting, extent: Extent) -> Section:
    """What a reader has to know of this run, in the open; first what makes its baseline doubtful."""
    baseline = baseline_note(reporting)
    warned = [baseline.warning] if baseline is not None and baseline.warning else []
    # Why the app was not asked may be a note and the reason as well.
    causes = [reason.cause for reason in reporting.run.decision.reasons if isinstance(reason, NothingAnswered)]
    told = [note for note in reporting.run.notes if not any(note in cause for cause in causes)]
    notes = (*warned, *told, *reporting.run.remarks)
    most = min(_NOTES, max(extent.rows, _NOTES_ALWAYS))
    items = tuple([Item(prose(cut(note, min(_LONGEST_NOTE, extent.words * 2)))) for note in notes[:most]])
    more = left_out(len(items), len(notes), extent, file="run.json")
    return Section(lead="**Notes:**", items=items, more=more) if items else Section()
