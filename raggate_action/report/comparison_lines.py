"""What a run is compared with, what moved against it on the whole, and what a run without a baseline can tell."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from raggate_action.report.catalogue import NOT_EVALUATED
from raggate_action.report.comment_size import Extent, code
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Foreign, Strong, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.later import PartialScope, RepeatedSentence
from raggate_action.schema.run import Run
from raggate_action.strings.numbers import count, milliseconds
from raggate_action.strings.visible_text import cut

_LONGEST_SENTENCE = 300
# A sentence is told whole where it can be: what it promises often stands at its end.
_QUOTED = 140
# So much of a first run verified says enough of what its gates can tell.
_MUCH = Decimal("0.5")
_KEEP = "Keep this run as the baseline: the next run then blocks on regressions."


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
    if not comparison.compared and comparison.again is not None and comparison.again.cases:
        left = NOT_EVALUATED[comparison.again.why[0].why]
        return [f"The baseline's answers could not be evaluated again ({left}), so nothing could be compared."]
    if comparison.partial is not None:
        return [_of_a_part(comparison.partial, reporting.run)]
    if not comparison.compared:
        return ["No case stands unchanged on both runs, so nothing could be compared with the baseline."]
    return []


def _of_a_part(partial: PartialScope, run: Run) -> Text:
    """What part of the suite was run, and where the figures of the rest come from."""
    ran = f"{run.in_scope:,} of {count(run.suite_size, 'case')} were run"
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
    step: Text = "read the answers that are not verified, and write the wrong ones as known-bad cases. "
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


def gone_source_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`a.md, b.md no longer reach the model: 6 cases showed them on the baseline, none here`."""
    gone = reporting.comparison.gone_sources if reporting.comparison is not None else None
    if gone is None:
        return
    named = joined(", ", [code(each) for each in gone.named])
    left = gone.sources - len(gone.named)
    verb, them = ("reaches", "it") if gone.sources == 1 else ("reach", "them")
    what = Strong(f"no longer {verb} the model")
    where = f": {count(gone.cases, 'case')} showed {them} on the baseline, none here."
    yield FaultLine((named, f" and {left:,} more" if left else "", " ", what, where), level="warn")


def latency_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """`10 of 100 cases take three times as long as on the baseline or longer: q3 (3 s → 31 s) and 9 more.`."""
    slower = reporting.comparison.slower if reporting.comparison is not None else None
    if slower is None:
        return
    base = f" take three times as long as on the {reporting.base_name} or longer: "
    moved = f" ({milliseconds(slower.before_ms)} → {milliseconds(slower.now_ms)}) and {slower.cases - 1:,} more."
    what = Strong(f"{slower.cases:,} of {slower.timed:,} cases")
    yield FaultLine((what, base, code(slower.case_id), moved), (slower.case_id,), "warn")


def newly_said_lines(reporting: Reporting, _extent: Extent | None = None) -> Iterator[FaultLine]:
    """What several answers say and none of the baseline's did."""
    said = reporting.comparison.said_by_many if reporting.comparison is not None else ()
    if said:
        listed = joined("; ", [_sentence(each) for each in said])
        yield FaultLine((Strong("New in several answers:"), " ", listed, "."), level="note")


def _sentence(said: RepeatedSentence) -> Text:
    return "“", Foreign(cut(said.text, _QUOTED)), f"” ({count(said.answers, 'answer')})"
