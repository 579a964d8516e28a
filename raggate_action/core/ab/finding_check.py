"""The numbers of what a model has written of an aggregate, held against it. One fault leaves all of it out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from raggate_action.core.ab.aggregate_measures import Measure, NumberKind, OfferedValue, Unit, measures_of
from raggate_action.core.text.number_words import ORDINALS, word_numbers
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import Finding, Rejection, RejectionCode

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
    if finding.kind not in measure.kinds:
        yield "kind", finding.kind
    for number in finding.numbers:
        if not _is_offered(number, measure.numbers):
            yield "number", f"{number:g}"
    try:
        written = _numbers_in(_without_names(finding.text, measure))
    except _UnreadableNumberError as unreadable:
        yield "number", str(unreadable.args[0])
        return
    for each in written:
        units = [one.unit for one in measure.numbers if _is_written_as(each, one)]
        if not units:
            yield "number", each.text
        # It is said to count what it counts, or nothing is said of that.
        elif each.unit and not {each.unit, ""} & {*units}:
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


# A sign belongs to a number unless it stands between two things.
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[+\-−])?(?P<digits>\d{1,3}(?:,\d{3})+|\d+)(?P<decimals>\.\d+)?(?P<rest>[\w,.]*)"
)
_OF = re.compile(r"\s*(?:/|(?:out\s+)?of(?:\s+(?:the|its|their|these))?\b)\s*", re.IGNORECASE)
_PERCENT = re.compile(r"\s*(?:%|per\s?cent\b|percent\b)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_UNITS: Final[dict[str, Unit]] = {
    "question": "question", "questions": "question", "judge": "judge", "judges": "judge", "row": "row", "rows": "row",
    "call": "row", "calls": "row", "pair": "pair", "pairs": "pair", "score": "score", "scores": "score",
    "order": "order", "orders": "order", "vote": "judge", "votes": "judge", "point": "point", "points": "point",
}  # fmt: skip
_COUNTED = re.compile(rf"\s*(?:\w+\s+)?(?P<unit>{'|'.join(_UNITS)})\b", re.IGNORECASE)
_ONE = re.compile(rf"\b(?:one)(?=\s+(?:of|{'|'.join(_UNITS)})\b)", re.IGNORECASE)
_NO = re.compile(rf"\b(?:no)(?=\s+(?:{'|'.join(_UNITS)}|ties?)\b)", re.IGNORECASE)
_LEAST_PLACES: Final = 2
# The largest bound below which a p-value may be said to be.
_BAR: Final = Decimal("0.05")
_BOUND = re.compile(r"<\s*$")
# The scale of scores, and an interval's level: said of every panel.
_CONSTANTS = re.compile(
    r"\b(?:from\s+)?(?:1|one)\s*(?:to|-|–)\s*(?:5|five)\b|\b95\s?%(?=\s+(?:interval|confidence))"
    r"|\bscores\s+(?:of|are)\s+(?:an?\s+)?(?:5|five)\b|\bAC1\b|\b(?:one|two)-sided\b",
    re.IGNORECASE,
)


class NumberInText(NamedTuple):
    """A number as a text has it.

    Attributes:
        text: Its characters.
        start, end: Where it stands.
        value: Itself; exact.
        places: Its decimals; None where it was written as a word.
        sign: `+`, `-`, or nothing where it has none.
        percent: It is a share in percent.
        whole: What it is a part of; None where nothing says so.
        unit: What it is said to count; empty where nothing says so.
        below: It is a bound that something is below.
    """

    text: str
    start: int
    end: int
    value: Decimal
    places: int = 0
    sign: str = ""
    percent: bool = False
    whole: Decimal | None = None
    unit: Unit = ""
    below: bool = False


class _UnreadableNumberError(ValueError):
    """Digits that are no number, as in `1.2.3`, `3x` or `0,8`."""


def _numbers_in(text: str) -> list[NumberInText]:
    """Every number of a text in order, a part with its whole as one.

    Raises:
        UnreadableNumberError: Some digits are no number; its argument is what stands there.
    """
    text = _in_digits(_CONSTANTS.sub(lambda found: " " * len(found[0]), text))
    found: list[NumberInText] = []
    for each in _digits(text):
        before = found[-1] if found else None
        if before is not None and before.whole is None and _OF.fullmatch(text[before.end : each.start]):
            found[-1] = before._replace(end=each.end, whole=each.value, text=text[before.start : each.end])
        else:
            found.append(each)
    counted = [_COUNTED.match(text, each.end) if not each.places and not each.percent else None for each in found]
    return [
        each._replace(unit=_UNITS[unit["unit"].lower()]) if unit is not None else each
        for each, unit in zip(found, counted, strict=True)
    ]


def _in_digits(text: str) -> str:
    """The text with spelled numbers in digits; ordinals stay, and `one` where it counts nothing."""
    words = list(_WORD.finditer(text))
    for first, last, value in reversed(list(word_numbers([word[0].lower() for word in words]))):
        start, end = words[first].start(), words[last].end()
        spelled = [word[0].lower() for word in words[first : last + 1]]
        if ORDINALS.keys().isdisjoint(spelled) and (spelled != ["one"] or _ONE.match(text, start)):
            text = f"{text[:start]}{Decimal(str(value)):.0f}{text[end:]}"
    return _NO.sub("0", text)


def _digits(text: str) -> Iterator[NumberInText]:
    for found in _NUMBER.finditer(text):
        rest = found["rest"].rstrip(".,")
        if rest:
            raise _UnreadableNumberError(found[0].rstrip(".,"))
        decimals = found["decimals"] or ""
        value = Decimal(found["digits"].replace(",", "") + decimals)
        percent = _PERCENT.match(text, found.end() - len(found["rest"]))
        end = percent.end() if percent else found.end() - len(found["rest"])
        sign = (found["sign"] or "").replace("−", "-")
        yield NumberInText(
            text[found.start() : end],
            found.start(),
            end,
            -value if sign == "-" else value,
            places=max(0, len(decimals) - 1),
            sign=sign,
            percent=percent is not None,
            below=_BOUND.search(text, 0, found.start()) is not None,
        )
    if stray := re.search(r"[^\W\d]\d|[^\x00-\x7f]?\d[^\W\d]", text):
        raise _UnreadableNumberError(stray[0])


def _is_written_as(number: NumberInText, offered: OfferedValue) -> bool:
    value = Decimal(str(offered.value))
    if number.below:
        return offered.kind == "p" and value < number.value <= _BAR
    if offered.kind == "count":
        return _is_count(number, int(offered.value), offered.whole)
    if number.whole is not None or number.percent:
        return False
    return _is_p(number, value) if offered.kind == "p" else _is_amount(number, value, offered.kind)


def _is_p(number: NumberInText, value: Decimal) -> bool:
    """A p-value with two decimals at least, also one that was rounded up."""
    raised, step = number.value - value, Decimal(1).scaleb(-number.places)
    return number.places >= _LEAST_PLACES and not number.sign and -step / 2 <= raised < step


def _is_amount(number: NumberInText, value: Decimal, kind: NumberKind) -> bool:
    """An amount with some of its decimals; only a whole one has none. A difference may go without its sign."""
    if not number.places and abs(value) != abs(number.value):
        return False
    unsigned = kind == "difference" and not number.sign
    return _rounds(abs(value) if unsigned else value, number.value, number.places)


def _is_count(number: NumberInText, part: int, whole: int | None) -> bool:
    if number.sign or (number.places and not number.percent):
        return False
    if number.percent:
        return bool(whole) and _rounds(Decimal(100 * part) / Decimal(whole or 1), number.value, number.places)
    if number.whole is not None:
        return whole is not None and (number.value, number.whole) == (Decimal(part), Decimal(whole))
    return number.value in {Decimal(each) for each in (part, whole) if each is not None}


def _rounds(value: Decimal, printed: Decimal, places: int) -> bool:
    """Whether `printed` is `value` to so many decimals; a half may go either way."""
    return abs(value - printed) * 2 <= Decimal(1).scaleb(-places)


def _is_offered(number: float, offered: Sequence[OfferedValue]) -> bool:
    """Whether a bare number, as JSON has it, is one of those offered, with its rounding."""
    exact = Decimal(repr(number)).normalize()
    forms = [f"{exact:f}", f"+{exact:f}", f"{exact:f}%", f"{(exact * 100).normalize():f}%"]
    return any(_is_written_as(each, one) for form in forms for each in _digits(form) for one in offered)
