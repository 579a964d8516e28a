"""What a model has written of an aggregate, held against it. One fault is enough to leave all of it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from raggate_action.core.ab import finding_words as words
from raggate_action.core.ab.aggregate_measures import Measure, OfferedValue, kinds_of, measures_of
from raggate_action.core.ab.finding_numbers import (
    NumberInText,
    UnreadableNumberError,
    fits_unit,
    is_offered,
    numbers_in,
    offered_for,
)
from raggate_action.schema.ab_findings import Finding, Rejection, RejectionCode
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.arm_names import ArmName

MOST_FINDINGS: Final = 12
_LONGEST_FOUND: Final = 60
_CLAUSE = re.compile(
    r"(?P<colon>:\s)|[;,()]|\.(?=\s|$)|\b(?:and|but|while|whereas|where|against|versus|vs|with|compared\s+to|although|though)\b",
    re.IGNORECASE,
)
# `Control: 3` and `The treatment: 8` say whose a number is; behind more words a colon opens a clause of its own.
_WORDS_OF_A_LABEL: Final = 2
_SENTENCE = re.compile(r"[.!?](?=\s|$)")
# `question 7`, and letters with digits, look like an id.
_ID = re.compile(
    r"\bquestion\s+(?:number\s+|no\.?\s*|id\s+)?[\"“']?(?P<after>\d[\w-]*|[\w-]*[-_][\w-]*\d[\w-]*)"
    r"|(?P<mixed>\b(?=[\w-]*[A-Za-z])(?=[\w-]*\d)\w[\w-]*)",
)
# What stands for a name that may be there; no letter or digit of it is read.
_MASK = "°"


class _Fault(NamedTuple):
    code: RejectionCode
    found: str = ""


def rejection_of(findings: Sequence[Finding], aggregate: Aggregate) -> Rejection | None:
    """The first fault of what a model has written; None where there is none.

    Its kind has to be what the test bears out, its words may not claim more than its kind, and each number of its text
    has to be one that its measure offers, with its rounding, of the arm and of the things it is said to be of.
    """
    if not findings:
        return Rejection(code="none")
    if len(findings) > MOST_FINDINGS:
        return Rejection(code="too-many", found=str(len(findings)))
    measures = measures_of(aggregate)
    names = _names(aggregate)
    for place, finding in enumerate(findings, 1):
        fault = next(_faults(finding, measures, names), None)
        if fault is not None:
            return Rejection(code=fault.code, place=place, found=fault.found[:_LONGEST_FOUND])
    return None


def _faults(finding: Finding, measures: Mapping[str, Measure], names: Mapping[str, str]) -> Iterator[_Fault]:
    measure = measures.get(finding.measure)
    if measure is None:
        yield _Fault("measure", finding.measure)
        return
    if finding.kind not in kinds_of(measure):
        yield _Fault("kind", finding.kind)
    text, fault = _without_names(finding.text, measure, names)
    if fault is not None:
        yield fault
    if found := words.WRITING.search(text):
        yield _Fault("writing", found[0])
    if found := words.MARKUP.search(text):
        yield _Fault("markup", found[0])
    if (found := _ID.search(text)) and found["mixed"] != "AC1":
        yield _Fault("question", found[0])
    yield from _of_words(finding, text)
    yield from _of_numbers(finding, text, measure)


def _names(aggregate: Aggregate) -> dict[str, str]:
    """Every name of the aggregate, in small letters, and whether it is a question's.

    A judge called `a`, or a type called `control`, cannot be told from the word.
    """
    found = {each.about.casefold(): "name" for each in measures_of(aggregate).values() if each.about}
    found |= {each.question_id.casefold(): "question" for each in aggregate.questions}
    return {name: kind for name, kind in found.items() if name not in words.EVERYDAY}


def _without_names(text: str, measure: Measure, names: Mapping[str, str]) -> tuple[str, _Fault | None]:
    """The text with the measure's own names blanked, and the first name of another measure."""
    own = {each.casefold() for each in (measure.about, *measure.questions) if each} - words.EVERYDAY
    for name in sorted(own, key=len, reverse=True):
        text = _pattern(name).sub(lambda found: _MASK * len(found[0]), text)
    for name in sorted(names.keys() - own, key=len, reverse=True):
        if (found := _pattern(name).search(text)) is not None:
            return text, _Fault("question" if names[name] == "question" else "name", found[0])
    return text, None


def _pattern(name: str) -> re.Pattern[str]:
    """A name as a text may have it; one of digits alone only where it is said to be a question."""
    spelled = r"[\s_-]+".join([re.escape(part) for part in re.split(r"[\s_]+", name) if part]) or re.escape(name)
    if name.isdecimal():
        return re.compile(rf"(?<=question )#?{spelled}(?![\w.%])", re.IGNORECASE)
    return re.compile(rf"(?<![\w-]){spelled}(?![\w-])", re.IGNORECASE)


def _of_words(finding: Finding, text: str) -> Iterator[_Fault]:
    text = words.LABELS.sub("", text)
    if finding.measure == "agreement":
        # It counts these.
        text = words.ALL_JUDGES.sub("", text)
    if found := words.QUANTITY.search(text):
        yield _Fault("quantity", found[0])
    if found := words.REASON.search(text):
        yield _Fault("reason", found[0])
    if finding.kind != "no_difference" and (found := words.EQUALITY.search(text)):
        yield _Fault("comparative" if finding.kind == "note" else "direction", found[0])
    if finding.kind in {"note", "no_difference"}:
        if compared := next(words.comparisons_in(text, of_rows=finding.measure == "rows"), None):
            yield _Fault("comparative", compared)
        return
    claimed: ArmName = "treatment" if finding.kind == "better" else "control"
    for start, end in _clauses(text):
        if words.arm_ahead(text[start:end]) not in {None, claimed}:
            yield _Fault("direction", text[start:end].strip())


def _of_numbers(finding: Finding, text: str, measure: Measure) -> Iterator[_Fault]:
    for number in finding.numbers:
        if not is_offered(number, measure.numbers):
            yield _Fault("number", f"{number:g}")
    try:
        written = numbers_in(text)
    except UnreadableNumberError as unreadable:
        yield _Fault("number", str(unreadable.args[0]))
        return
    if written and (found := words.UNNAMED_ARM.search(text)):
        yield _Fault("attribution", found[0])
    for each in written:
        offered = offered_for(each, measure.numbers)
        of_unit = [one for one in offered if fits_unit(each, one)]
        arm = _arm_of(each, written, text)
        if not offered:
            yield _Fault("number", each.text)
        elif not of_unit:
            yield _Fault("unit", each.text)
        elif all(one.arm not in {None, arm or one.arm} for one in _as_said(each, of_unit, written, text)):
            yield _Fault("attribution", each.text)


def _as_said(
    number: NumberInText, offered: Sequence[OfferedValue], written: Sequence[NumberInText], text: str
) -> Sequence[OfferedValue]:
    """Those offered that the number can be by what its clause says of it."""
    start, end = _clause(number, text)
    places = {"clause": (start, end), "sentence": (_sentence(start, text), len(text)), "unsaid": (0, 0)}
    is_alone = sum(start <= each.start < end for each in written) == 1
    for role in words.ROLES:
        if is_alone and role.pattern.search(text, start, end):
            return [one for one in offered if role.label.search(one.label)]
        if role.aloud != "unsaid" and not role.pattern.search(text, *places[role.aloud]):
            offered = [one for one in offered if not role.label.search(one.label)]
    return offered


def _arm_of(number: NumberInText, written: Sequence[NumberInText], text: str) -> ArmName | None:
    """Whose a number is said to be: of the arm of its clause, else of the arm spoken of before."""
    start, end = _clause(number, text)
    arms = words.arms_in(text[start:end])
    if not arms:
        before = words.arms_in(text[_sentence(start, text) : start]) or words.arms_in(text[:start])[:1]
        return before[-1].name if before else None
    within = [each for each in written if start <= each.start < end]
    nearest = [each for each in arms if start + each.start < number.start]
    if len({each.name for each in arms}) == 1 or (len(within) == 1 and nearest):
        return arms[0].name
    return nearest[-1].name if nearest else arms[0].name


def _clause(number: NumberInText, text: str) -> tuple[int, int]:
    """Where the clause of a number begins and ends."""
    return next(place for place in _clauses(text) if place[0] <= number.start < place[1])


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where each clause begins and ends: a bracket, a comma or an `and` parts them."""
    start = 0
    for found in _CLAUSE.finditer(text):
        if found["colon"] and len(text[start : found.start()].split()) <= _WORDS_OF_A_LABEL:
            continue
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _sentence(place: int, text: str) -> int:
    return max([each.end() for each in _SENTENCE.finditer(text) if each.end() <= place], default=0)
