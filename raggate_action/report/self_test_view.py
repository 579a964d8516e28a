"""What the self-test showed: one line, and a fold for who wants to close a hole."""

from __future__ import annotations

from raggate_action.report.page import Code, Column, FirstEntries, Fold, Foreign, Item, Section, Strong, Table, Text
from raggate_action.report.report_input import Reporting
from raggate_action.report.size_ladder import Extent, gate_name
from raggate_action.schema.self_test import MutationKind, MutationResult, SelfTest
from raggate_action.strings.numbers import NOTHING, rate
from raggate_action.strings.visible_text import cut

_HOLES = 5
_LONGEST_NAMES = 500
# What the faults of a kind are called.
FAULTS: dict[MutationKind, str] = {
    "integrity": "of the evidence path",
    "plain": "that need no label",
    "answer": "that only labels tell",
}


def self_test_section(reporting: Reporting, extent: Extent) -> Section:
    """How many of the faults put into passing traces were caught, and which holes a label would close."""
    self_test = reporting.run.self_test
    if self_test is None or not self_test.results:
        return Section()
    fold = Fold(_summary(self_test), tuple(_holes(self_test, extent)), _table(self_test) if extent.rows else None)
    return Section(folds=(fold,))


def _summary(self_test: SelfTest) -> str:
    counted = [(what, self_test.counts(kind)) for kind, what in FAULTS.items()]
    parts = [f"{rate(*counts)} faults {what} caught" for what, counts in counted if counts[1]]
    inert = [gate_name(gate) for gate in self_test.inert]
    unmeasured = [f"{self_test.unmeasured:,} not measured, a fault in raggate"] if self_test.unmeasured else []
    return "; ".join(
        [f"Self-test: {', '.join(parts)}", *([f"inert: {', '.join(inert)}"] if inert else []), *unmeasured]
    )


def _holes(self_test: SelfTest, extent: Extent) -> list[Item]:
    """Faults that got through, with the label that would stop each."""
    items = []
    most = _HOLES if not extent.whole else len(self_test.results)
    for result in [each for each in self_test.results if each.killed < each.made][:most]:
        first = result.survivors[0] if result.survivors else None
        where: Text = (" in ", Code(cut(first.case_id, 80))) if first is not None else ""
        closes: Text = (": ", Foreign(first.closes)) if first is not None and first.closes else ""
        items.append(Item((Strong(Foreign(result.mutation)), where, " was not caught", closes, ".")))
    if self_test.not_made:
        listed = Foreign(cut(", ".join(self_test.not_made), _LONGEST_NAMES))
        items.append(Item((Strong("Not made"), ", for no passing case has what it takes: ", listed, ".")))
    return items


def _table(self_test: SelfTest) -> Table:
    rows = FirstEntries(self_test.results, _row, len(self_test.results))
    return Table((Column("Fault"), Column("Gate"), Column("Caught", numeric=True)), rows)


def _row(result: MutationResult) -> tuple[Text, ...]:
    caught = rate(result.killed, result.made)
    same = f" ({result.equivalent} said the same)" if result.equivalent else ""
    lost = f" ({result.unmeasured} not measured)" if result.unmeasured else ""
    return Foreign(result.mutation, NOTHING), Foreign(gate_name(result.gate), NOTHING), caught + same + lost
