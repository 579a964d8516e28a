"""What is new in answers and proven by nothing: a sentence that many of them say, and a fall of those verified."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Foreign, Strong, Text
from raggate_action.report.report_input import Reporting
from raggate_action.schema.comparison import Comparison
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

_LONGEST = 80
# A sentence is told whole where it can be: what it promises often stands at its end.
_QUOTED = 140
_FEWEST = 3


def unproven_lines(reporting: Reporting, _extent: Extent | None = None) -> Iterator[FaultLine]:
    """The sentence that most answers say and none of the baseline's did; and how many are verified no more."""
    comparison = reporting.comparison
    if comparison is None:
        return
    base = reporting.base_name
    for each in comparison.said_by_many[:1]:
        more = len(comparison.said_by_many) - 1
        words: list[Text] = [Strong(f"{each.answers:,} answers say, and none on the {base} did")]
        words += [": “", Foreign(cut(each.text, _QUOTED)), "”"] if reporting.shows_texts else [" one sentence"]
        words += [f" (and {count(more, 'more sentence')} like it)"] if more else []
        words.append(
            " – their evidence does not say it word for word. "
            "A courtesy may stay; an invention has to go from the prompt."
        )
        yield FaultLine(tuple(words), (each.case_id,), "warn")
    if _has_fallen(comparison, reporting):
        fallen = comparison.verified
        what = f"{fallen.lost:,} answers that the evidence verified on the {base} are verified no more"
        first = fallen.listed[0]
        words = [Strong(what), ": ", Code(cut(first.case_id, _LONGEST))]
        if reporting.shows_texts and first.problem and not comparison.said_by_many:
            words += [" says “", Foreign(cut(first.problem, _QUOTED)), "”"]
        words.append(" – no rule finds a fault in them, and nothing proves them. Read some before you release.")
        yield FaultLine(tuple(words), (first.case_id,), "warn")


def _has_fallen(comparison: Comparison, reporting: Reporting) -> bool:
    """Whether a run is released that lost half of the verified answers; of one that is not, other lines tell more."""
    fallen = comparison.verified
    is_red = any(gate.gate == "verified" and gate.status == "failed" for gate in reporting.run.gates)
    if not is_red or reporting.run.decision.kind != "release":
        return False
    return bool(fallen.listed) and fallen.lost >= _FEWEST and 2 * fallen.lost >= fallen.before
