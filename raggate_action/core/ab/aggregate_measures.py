"""What an aggregate can be asked about, by name, and every number that it offers on it.

Whoever writes findings is given these, and what is written is held against them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from operator import attrgetter
from pkgutil import get_data
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from raggate_action.core.ab.rule_findings import SignFlipResult, sign_flip_result
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import FindingKind
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import Winner
from raggate_action.strings.numbers import count, signed, whole_number

# Table -> its rows, see `_numbers`.
_TABLES: Final[dict[str, list[list[Any]]]] = json.loads(get_data(__name__, "measures.json") or "")
_KINDS: Final[Mapping[Winner, FindingKind]] = {"treatment": "better", "control": "worse", "tie": "no_difference"}
Unit: TypeAlias = Literal["question", "judge", "row", "pair", "score", "order", "point", ""]
# An amount is written with some of its decimals, a difference with its sign or without, a p-value with two at least.
NumberKind: TypeAlias = Literal["count", "amount", "difference", "p"]


class OfferedValue(NamedTuple):
    """A number that a measure offers.

    Attributes:
        label: What it is, in words of ours.
        value: The number.
        kind: How it may be written.
        unit: What it counts.
        whole: What it is a part of; None where it is none.
    """

    label: str
    value: float
    kind: NumberKind = "count"
    unit: Unit = ""
    whole: int | None = None


class Measure(NamedTuple):
    """Something the aggregate can be asked about.

    Attributes:
        name: `overall`, `dimension:groundedness`, ...
        numbers: Those it offers.
        about: The judge, dimension, type or question in its name; empty where it is about none.
        questions: Ids that may be named with it.
        kinds: What may be claimed of it: what its test tells, and a note always; without a test a note alone.
    """

    name: str
    numbers: tuple[OfferedValue, ...]
    about: str = ""
    questions: tuple[str, ...] = ()
    kinds: tuple[FindingKind, ...] = ("note",)


def measures_of(aggregate: Aggregate) -> Mapping[str, Measure]:
    """Every measure of an aggregate, by its name."""
    return {measure.name: measure for measure in _every(aggregate)}


def _every(aggregate: Aggregate) -> Iterator[Measure]:
    for headline, name in ((aggregate.headline, "overall"), (aggregate.apart, "apart")):
        if headline is not None:
            numbers, tested = _numbers(headline, "headline"), sign_flip_result(headline)
            if headline.test is not None:
                told = tested or SignFlipResult("tie", headline.test.two_sided)
                sided = "p, one-sided" if told.one_sided else "p, two-sided"
                numbers += (OfferedValue(sided, told.chance.value, "p"),)
            yield Measure(name, numbers, kinds=(_KINDS[tested.winner if tested is not None else "tie"], "note"))
    for judge in [each for each in aggregate.judges if each.not_counted is None]:
        yield Measure(f"judge:{judge.name}", _numbers(judge, "judge"), about=judge.name)
    for dimension in aggregate.dimensions:
        yield Measure(f"dimension:{dimension.name}", _numbers(dimension, "dimension"), about=dimension.name)
    for kind in aggregate.types:
        name = kind.question_type
        members = tuple([each.question_id for each in aggregate.questions if each.question_type == name])
        yield Measure(f"type:{name}", _numbers(kind, "type"), about=name, questions=members)
    for each in aggregate.questions:
        own = each.question_id
        yield Measure(f"question:{own}", _numbers(each, "question"), about=own, questions=(own,))
    yield Measure("agreement", _numbers(aggregate, "agreement"))
    for family in aggregate.families:
        ways = OfferedValue("ways of working", len(family.harnesses))
        yield Measure(f"family:{family.judge}", (ways, *_numbers(family, "family")), about=family.judge)
    grid = aggregate.grid
    lost = [OfferedValue(f"lost: {why}", rows, unit="row", whole=grid.expected) for why, rows in grid.lost.items()]
    yield Measure("rows", (*_numbers(grid, "rows"), *lost))
    yield Measure("miscounts", _numbers(aggregate.miscounts, "miscounts"))
    for name, label, ids in (
        ("heroes", "questions", aggregate.heroes),
        ("control_won", "questions", aggregate.control_won),
        ("tied", "tied questions", aggregate.tied),
        ("identical", "questions with identical answers", aggregate.identical),
        ("concerns", "questions", aggregate.concerns),
    ):
        yield Measure(name, (OfferedValue(label, len(ids), unit="question"),), questions=ids)


def _numbers(of: object, table: str, unit: Unit = "") -> tuple[OfferedValue, ...]:
    """What a table of `measures.json` has of a record: label, place, what it counts or its kind, what it is a part of.

    A label that is another table stands for that table's numbers, of a row without a unit this one's.
    """
    found: list[OfferedValue] = []
    for label, place, counted, *whole in _TABLES[table]:
        value = attrgetter(place)(of)
        if label in _TABLES:
            found += _numbers(value, label, counted)
        elif counted in {"amount", "difference"}:
            found += [OfferedValue(label, value, counted, unit="point")] if value is not None else []
        elif isinstance(value, Rate):
            found += [OfferedValue(label, value.hits, unit=counted, whole=value.total)] if value.total else []
        else:
            part_of = attrgetter(whole[0])(of) if whole else None
            found.append(OfferedValue(label, value, unit=counted or unit, whole=part_of))
    return tuple(found)


# Questions that are given one by one; the others are in the sums.
_MOST_QUESTIONS: Final = 40
_OF_ONE_QUESTION: Final = "question:"
_PLACES: Final = 2
# The smallest p-value of an exact test of twenty questions is two in a million.
_PLACES_OF_P: Final = 6


def measure_lines(aggregate: Aggregate) -> tuple[str, ...]:
    """What a model is given to write findings from: names and numbers of the aggregate's measures.

    Of single questions those are given that stand out: on which the treatment leads most, the control won, or the
    rubric may be at fault.
    """
    stand_out = [*aggregate.heroes, *aggregate.control_won, *aggregate.concerns]
    named = {f"{_OF_ONE_QUESTION}{question_id}" for question_id in stand_out[:_MOST_QUESTIONS]}
    every = measures_of(aggregate).values()
    lines = []
    for each in every:
        if each.numbers and (not each.name.startswith(_OF_ONE_QUESTION) or each.name in named):
            numbers = {number.label: _value_text(number) for number in each.numbers}
            value = {"measure": each.name, "kinds": each.kinds, "numbers": numbers}
            questions = {"questions": each.questions[:_MOST_QUESTIONS]} if each.questions else {}
            lines.append(json.dumps({**value, **questions}, ensure_ascii=False))
    return tuple(lines)


def _value_text(number: OfferedValue) -> str:
    """The number as it may be written, with what it counts and what it is a part of."""
    if number.kind == "difference":
        return signed(number.value)
    if number.kind != "count":
        return whole_number(number.value, _PLACES_OF_P if number.kind == "p" else _PLACES)
    value, of = int(number.value), number.whole
    if of is not None:
        return f"{value:,} of {count(of, number.unit) if number.unit else f'{of:,}'}"
    return count(value, number.unit) if number.unit else f"{value:,}"
