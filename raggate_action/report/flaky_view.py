"""How steady the app is: cases that failed once and passed when asked again, and those nobody asked about again."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.case_view import place_and_command, problem_text
from raggate_action.report.page import Code, FirstEntries, Fold, Foreign, Item, Section, Strong, Text
from raggate_action.report.report_input import Reporting
from raggate_action.report.size_ladder import Extent, left_out, names
from raggate_action.schema.case_run import Ask, CaseRun
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_NAMED = 5
_LONGEST_PROBLEM = 300


def flaky_section(reporting: Reporting, extent: Extent) -> Section:
    """The flaky cases by name, each with both answers folded away; and how many were to be asked again and were not."""
    counts = reporting.run.counts
    rest = _unconfirmed(counts.unconfirmed)
    if not counts.flaky:
        return Section(lead=rest)
    rows = reporting.listed.flaky
    once = "case failed once and passed" if counts.flaky == 1 else "cases failed once and passed"
    named = names([Code(cut(row.case_id, 80)) for row in rows[:_NAMED]], counts.flaky)
    lead = Strong(f"Flaky: {counts.flaky:,} {once} when asked again,"), " and counts on neither side: ", named
    items = FirstEntries(rows, lambda row: _item(row, reporting, extent), extent.rows)
    more = left_out(len(items), counts.flaky, extent)
    folds = (Fold(f"Flaky cases ({counts.flaky:,})", items=items, more=more),) if items else ()
    return Section(lead=lead, more=rest, folds=folds)


def _unconfirmed(cases: int) -> Text:
    if not cases:
        return ""
    first = "its first answer counts" if cases == 1 else "their first answers count"
    return Strong("Not asked again:"), f" {count(cases, 'case')} in doubt; {first}."


def _item(row: CaseRun, reporting: Reporting, extent: Extent) -> Item:
    where, repeat = place_and_command(row, reporting.run)
    lines: list[Text] = [("asked: ", Foreign(cut(row.question, extent.words)))] if row.question.strip() else []
    for ask in row.asks:
        lines += _ask_lines(ask, reporting, extent)
    if reporting.shows_texts and row.answer is not None and row.answer.strip():
        lines.append(("passed with: ", Foreign(cut(row.answer, extent.words))))
    return Item((Code(cut(row.case_id, 80)), " · ", where), under=(*lines, *([repeat] if repeat else [])))


def _ask_lines(ask: Ask, reporting: Reporting, extent: Extent) -> Iterator[Text]:
    """An answer that was not in order: what its first failed gate says, or its suspect claims, and its words."""
    for gate, outcome in ask.outcomes.items():
        if outcome.kind == "failed" and reporting.run.policy.gates.of(gate).level != "off":
            problem = problem_text(outcome.problems[0], gate, reporting, longest=min(extent.words, _LONGEST_PROBLEM))
            yield "failed with: ", problem
            break
    else:
        yield f"in doubt for {count(_findings(ask), 'finding')} on its claims"
    if reporting.shows_texts and ask.answer is not None and ask.answer.strip():
        yield "answered then: ", Foreign(cut(ask.answer, extent.words))


def _findings(ask: Ask) -> int:
    return sum(not finding.advisory for claim in ask.claims for finding in claim.findings)
