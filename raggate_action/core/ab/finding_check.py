"""The numbers of what a model has written of an aggregate, held against it. One fault leaves all of it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from raggate_action.core.ab.aggregate_measures import Measure, kinds_of, measures_of
from raggate_action.core.ab.finding_numbers import (
    UnreadableNumberError,
    fits_unit,
    is_offered,
    numbers_in,
    offered_for,
)
from raggate_action.schema.ab_findings import Finding, Rejection, RejectionCode
from raggate_action.schema.ab_result import Aggregate

MOST_FINDINGS: Final = 12
_LONGEST_FOUND: Final = 60
# What stands for a name; no letter or digit of it is read.
_MASK = "°"


def rejection_of(findings: Sequence[Finding], aggregate: Aggregate) -> Rejection | None:
    """The first fault of what a model has written; None where there is none.

    Its kind has to be what the test bears out, and each of its numbers one that its measure offers, with its rounding,
    of the things it is said to count. Its words are the model's.
    """
    if not findings:
        return Rejection(code="none")
    if len(findings) > MOST_FINDINGS:
        return Rejection(code="too-many", found=str(len(findings)))
    measures = measures_of(aggregate)
    for place, finding in enumerate(findings, 1):
        fault = next(_faults(finding, measures), None)
        if fault is not None:
            return Rejection(code=fault[0], place=place, found=fault[1][:_LONGEST_FOUND])
    return None


def _faults(finding: Finding, measures: Mapping[str, Measure]) -> Iterator[tuple[RejectionCode, str]]:
    """Code, and what stood there."""
    measure = measures.get(finding.measure)
    if measure is None:
        yield "measure", finding.measure
        return
    if finding.kind not in kinds_of(measure):
        yield "kind", finding.kind
    for number in finding.numbers:
        if not is_offered(number, measure.numbers):
            yield "number", f"{number:g}"
    try:
        written = numbers_in(_without_names(finding.text, measure))
    except UnreadableNumberError as unreadable:
        yield "number", str(unreadable.args[0])
        return
    for each in written:
        offered = offered_for(each, measure.numbers)
        if not offered:
            yield "number", each.text
        elif not any(fits_unit(each, one) for one in offered):
            yield "unit", each.text


def _without_names(text: str, measure: Measure) -> str:
    """The text with the measure's own names blanked: the 7 of question `Q7` is no number."""
    for name in sorted({measure.about, *measure.questions} - {""}, key=len, reverse=True):
        # A name of digits alone is one only where it is said to be a question.
        before, behind = ("(?<=question )#?", r"(?![\w.%])") if name.isdecimal() else (r"(?<![\w-])", r"(?![\w-])")
        spelled = r"[\s_-]+".join([re.escape(part) for part in re.split(r"[\s_]+", name) if part]) or re.escape(name)
        pattern = re.compile(before + spelled + behind, re.IGNORECASE)
        text = pattern.sub(lambda found: _MASK * len(found[0]), text)
    return text
