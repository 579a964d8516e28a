"""What moved against the baseline: what is fixed, and what differs in suite and pipeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from raggate_action.report.catalogue import NOT_EVALUATED
from raggate_action.report.comment_size import Extent, names
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import (
    Code,
    Item,
    Strong,
    Text,
    joined,
)
from raggate_action.report.report_input import Reporting
from raggate_action.schema.later import Comparison
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.change import Change, Move

_NAMED = 5
_VALUES = 3
_MOST_VERSIONS = 50


def fixed_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """On a release cases that pass again and hallucinations that are gone; else these are folded."""
    if reporting.run.decision.kind == "release":
        yield from (FaultLine(text, level="note") for text in _fixed(reporting.comparison))


def _fixed(comparison: Comparison | None) -> Iterator[Text]:
    """What is fixed; hallucinations that may still be there in other, unverified words, and cases that pass so."""
    if comparison is None:
        return
    better: list[Text] = []
    if fixed := comparison.total("fixed"):
        verb = "passes" if fixed == 1 else "pass"
        better.append((f"{count(fixed, 'case')} {verb} again: ", _changes(comparison.states("fixed"), fixed)))
    if gone := comparison.of("hallucination_rate").fixed:
        better.append((f"{count(gone, 'hallucination')} gone", _where(comparison, "fixed")))
    if better:
        yield Strong("Fixed:"), " ", joined("; ", better), "."
    if found := comparison.of("hallucination_rate").unknown:
        what = f" {count(found, 'hallucination')} of the baseline may still be there"
        passing = comparison.total("unknown")
        ids = _changes(comparison.states("unknown"), passing)
        also: Text = (f"; not counted as fixed: {count(passing, 'passing case')}: ", ids) if passing else ""
        yield Strong("Not confirmed as fixed:"), what, _where(comparison, "unknown"), also, "."


def _where(comparison: Comparison, move: Move) -> Text:
    cases = dict.fromkeys([each.case_id for each in comparison.found("hallucination_rate", move)])
    return (" (", _ids(tuple(cases), len(cases)), ")") if cases else ""


def _changes(changes: Sequence[Change], total: int) -> Text:
    return _ids([each.case_id for each in changes], total)


def change_items(reporting: Reporting) -> list[Item]:
    """What else differs between the two runs: versions, cases of the suite, hallucinations that were there."""
    comparison = reporting.comparison
    if comparison is None:
        return []
    items: list[Text] = [] if reporting.run.decision.kind == "release" else list(_fixed(comparison))
    items += _evaluated_again(comparison, reporting.run.provenance.raggate_version)
    for each in comparison.versions[:_MOST_VERSIONS]:
        items.append((Code(cut(each.key, 60)), ": ", _values(each.before), " → ", _values(each.after)))
    for found, change in (
        (comparison.added, "added"),
        (comparison.changed, "changed, so not compared"),
        (comparison.removed, "removed from the suite, counted as not measured unless waived"),
    ):
        if found.cases:
            items.append((f"{count(found.cases, 'case')} {change}: ", _ids(found.named, found.cases)))
    if comparison.not_run:
        items.append(f"{count(comparison.not_run, 'case')} of the baseline not run in this scope")
    if persisting := comparison.of("hallucination_rate").same:
        was = count(persisting, "hallucination was", "hallucinations were")
        items.append((f"{was} already there on the {reporting.base_name}", _where(comparison, "same")))
    return list(map(Item, items))


def _evaluated_again(comparison: Comparison, version: str) -> Iterator[Text]:
    """What became of baseline answers that had another suite, other judges or another version of raggate."""
    if (again := comparison.again) is None:
        return
    text: list[Text] = []
    if again.compared:
        were = "was" if again.compared == 1 else "were"
        text.append(f"{count(again.compared, 'answer')} of the baseline {were} evaluated again by this run's suite")
    if again.cases:
        counts = [f"{each.cases:,}: {NOT_EVALUATED[each.why]}" for each in again.why]
        why = "; ".join(counts) if len(counts) > 1 else NOT_EVALUATED[again.why[0].why]
        text.append(f"{'; ' if text else ''}{count(again.cases, 'case')} of the baseline could not be ({why})")
        text += [" and compare with nothing: ", _ids(again.not_comparable, again.cases)]
    if again.version != version:
        text += ["; the baseline was made by raggate ", Code(cut(again.version, 40))]
    yield tuple(text)


def _values(values: Sequence[str]) -> Text:
    if not values:
        return "none"
    return names(values, len(values), _VALUES)


def _ids(case_ids: Sequence[str], total: int) -> Text:
    return names(case_ids, total, _NAMED)
