"""What a run is compared with, and what a run without a baseline can tell."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Foreign, Strong, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.partial_scope import NotCarried, PartialScope

_LONGEST_SENTENCE = 300
# So much of a first run verified says enough of what its gates can tell.
_MUCH = Decimal("0.5")
_NOT_CARRIED: dict[NotCarried, str] = {
    "version": "another version of raggate judged it",
    "policy": "its gates, or how answers are read, were others",
    "evidence": "its evidence was another",
    "judges": "other judges judged its answers, or none did",
}
_KEEP = "Keep this run as the baseline, so that the next one blocks on what turns worse."


def comparison_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """What the run is compared with, where that is nothing, or only a part."""
    yield from (FaultLine(text, level="note") for text in _on_comparison(reporting))


def _on_comparison(reporting: Reporting) -> list[Text]:
    comparison = reporting.comparison
    if comparison is None:
        note = reporting.run.baseline
        if note is None or not note.missing:
            return ["No baseline run to compare with, so regressions are unknown."]
        why = Foreign(cut(note.missing, _LONGEST_SENTENCE))
        return [(Strong("No baseline."), " ", why, " Regressions are unknown.")]
    other = comparison.other_rules
    if not comparison.compared and other is not None and other.cases:
        left = "; what it judged is not at hand to be judged again, so nothing could be compared."
        return [("The baseline was made by raggate ", Code(cut(other.version, 40)), left)]
    if comparison.partial is not None:
        return [_of_a_part(comparison.partial, reporting.run)]
    if not comparison.compared:
        return ["No case stands unchanged on both runs, so nothing could be compared with the baseline."]
    return []


def _of_a_part(partial: PartialScope, run: Run) -> Text:
    """What part of the suite was run, and where the figures of the rest come from."""
    ran = f"{run.in_scope:,} of {count(run.suite_size, 'case')} were run"
    if partial.because is not None:
        return (
            f"{ran}. No outcome of the baseline is carried over, for {_NOT_CARRIED[partial.because]}: "
            "a bar fails where fewer of the cases run pass than did."
        )
    unknown = f", and nothing is known of {partial.left_out:,}" if partial.left_out else ""
    return f"{ran}; of {count(partial.carried, 'other')} the baseline's outcome is carried over{unknown}."


def first_run_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """What to write after a first run, so that the next one sees more."""
    step = next_step(reporting)
    if step is not None:
        yield FaultLine((Strong("Next:"), " ", step), level="note")


def next_step(reporting: Reporting) -> Text | None:
    """What to do after a first run; None if it had a baseline, if nothing passed or if enough answers are verified."""
    run, counts = reporting.run, reporting.run.counts
    known = Rate(hits=counts.verified, total=counts.passed)
    bar = run.policy.gates.verified
    if reporting.comparison is not None or not counts.passed or meets(known, bar.min if bar is not None else _MUCH):
        return None
    step: Text = "look through the answers that are not verified and write what is wrong with them as known-bad cases. "
    if unseen := list(_unseen(run)):
        step = "this suite cannot see ", joined("; ", unseen), ". ", Code("raggate-action accept"), " proposes labels. "
    return step, _KEEP


def _unseen(run: Run) -> Iterator[Text]:
    """What passes whatever the answers say, each with the reason."""
    measured = {gate.gate for gate in run.gates if gate.status in {"passed", "failed"}}
    if measured.isdisjoint({"point_coverage", "behaviour"}):
        yield "a wrong answer in good form (no case says what is right)"
    if run.policy.no_context:
        yield "a claim that no evidence backs (the app shows no contexts)"
    if not run.counts.unanswerable:
        yield "an answer made up where there is none (no case has ", Code("expect: abstain"), ")"
