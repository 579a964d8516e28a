"""The top of the page: may this ship, and the list of what went wrong."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent, in_a_row
from raggate_action.report.decision_words import passed_in_words, reason_in_words
from raggate_action.report.fault_list import enforcement_lines, fault_lines
from raggate_action.report.gate_faults import warnings_beside_baseline, what_blocks
from raggate_action.report.page import Code, DecisionBox, Foreign, Strong, Text, WithCode, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.decision import Cause, Reason
from raggate_action.schema.later import Waiver
from raggate_action.strings.numbers import NOTHING, count
from raggate_action.strings.visible_text import cut

_WAIVERS = 3


def decision_box(reporting: Reporting, extent: Extent) -> DecisionBox:
    """The alert: decision, five counts, and the list of what went wrong."""
    if reporting.has_no_result:
        return _silent(reporting, extent)
    lines = tuple([line.words for line in fault_lines(reporting, extent)])
    kind, above = reporting.run.decision.kind, tuple(_above(reporting))
    if kind == "release" and warnings_beside_baseline(reporting.run):
        kind = "inconclusive"
    return DecisionBox(kind, above, _line(reporting), lines, of_fork=reporting.run.of_fork)


def _silent(reporting: Reporting, extent: Extent) -> DecisionBox:
    """For an app that answered nothing: why, and what to do about it, uncut; there is nothing else to say."""
    decision = reporting.run.decision
    sentences = [reason_in_words(reason, reporting.run) for reason in decision.reasons if not _stands_above(reason)]
    reasons: list[Text] = [WithCode(reason[:1].upper() + reason[1:]) for reason in sentences]
    lines = *reasons, *[line.words for line in enforcement_lines(reporting, extent)]
    return DecisionBox(decision.kind, tuple(_above(reporting)), _line(reporting), lines)


def _line(reporting: Reporting) -> Text:
    head = Strong(reporting.run.decision.kind.capitalize()), " · suite ", Code(cut(reporting.run.suite, 64))
    return joined(" · ", [head, *verdict(reporting)])


def verdict(reporting: Reporting) -> list[str]:
    """What blocks where no case fails, and the counts; nothing of an app that was never asked."""
    run, comparison = reporting.run, reporting.comparison
    counts = run.counts
    if reporting.was_never_asked:
        return []
    moved = [f"{counts.hallucinating:,} with hallucinations", "no baseline"]
    if reporting.has_no_result:
        moved = [f"{NOTHING} regressions", f"{NOTHING} hallucinations"]
    elif comparison is not None:
        new = count(comparison.of("hallucination_rate").new, "new hallucination")
        moved = [count(comparison.regressed, "regression"), new]
    return [
        *filter(None, ["" if reporting.has_no_result else what_blocks(run)]),
        passed_in_words(counts, reporting.passed_change),
        f"{counts.failed:,} failed",
        *([f"{counts.to_look_at:,} to look at"] if counts.to_look_at else []),
        *([f"{counts.flaky:,} flaky"] if counts.flaky else []),
        f"{run.unmeasured:,} not measured",
        *moved,
    ]


def _stands_above(reason: Reason) -> bool:
    """Whether a reason repeats what is already shown above the decision."""
    return reason == "stopped" or (isinstance(reason, Cause) and reason.kind == "waivers-expired")


def _above(reporting: Reporting) -> Iterator[Text]:
    """What changes how everything below is read."""
    run = reporting.run
    if run.cancelled or not run.complete:
        done = run.counts.cases + run.counts.known_bad
        of_all = f"{done:,} of {count(run.in_scope, 'case')} had finished; everything below is of these alone."
        what = Strong("This run was cancelled"), " when" if run.cancelled else Strong("This run did not finish:")
        yield what, f" {of_all}"
    if run.of_fork:
        label = Strong("Reported by a run of a fork or of Dependabot:")
        yield label, " its own workflow measured this, and nobody here has checked it."
    if reporting.listed.expired:
        yield _expired(reporting.listed.expired)


def _expired(expired: tuple[Waiver, ...]) -> Text:
    named: list[Text] = [
        (
            *((Code(cut(waiver.case, 80)), " ") if waiver.case else ()),
            Foreign(cut(waiver.gate, 40).replace("_", " ")),
            *(f" (until {waiver.expires.isoformat()}, ", Foreign(cut(waiver.owner, 80)), ")"),
        )
        for waiver in expired[:_WAIVERS]
    ]
    subject = "A waiver has expired" if len(expired) == 1 else f"{len(expired):,} waivers have expired"
    verb = "covers" if len(expired) == 1 else "cover"
    return Strong(subject), f" and no longer {verb} ", in_a_row(named, len(expired)), "."
