"""What an aggregate can be asked about, by name, and every number that it offers on it.

Whoever writes findings is given these, and what is written is held against them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.ab.rule_findings import SignFlipResult, sign_flip_result
from raggate_action.schema.ab_result import Aggregate, Alpha, Grid, Headline, JudgeResult, Totals, Wins
from raggate_action.schema.ab_run import FindingKind
from raggate_action.schema.base import Rate
from raggate_action.schema.judge_rows import Winner

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
        headline: Whose test it is held against; None where there is no test of it.
    """

    name: str
    numbers: tuple[OfferedValue, ...]
    about: str = ""
    questions: tuple[str, ...] = ()
    headline: Headline | None = None


def kinds_of(measure: Measure) -> tuple[FindingKind, ...]:
    """What may be claimed of a measure: what its test tells, and a note always; without a test a note alone."""
    if measure.headline is None:
        return ("note",)
    kinds: Mapping[Winner, FindingKind] = {"treatment": "better", "control": "worse", "tie": "no_difference"}
    tested = sign_flip_result(measure.headline)
    return (kinds[tested.winner if tested is not None else "tie"], "note")


def measures_of(aggregate: Aggregate) -> Mapping[str, Measure]:
    """Every measure of an aggregate, by its name."""
    return {measure.name: measure for measure in _every(aggregate)}


def _every(aggregate: Aggregate) -> Iterator[Measure]:
    yield Measure("overall", tuple(_headline(aggregate.headline)), headline=aggregate.headline)
    if aggregate.apart is not None:
        yield Measure("apart", tuple(_headline(aggregate.apart)), headline=aggregate.apart)
    for judge in [each for each in aggregate.judges if each.not_counted is None]:
        yield Measure(f"judge:{judge.name}", tuple(_judge(judge)), about=judge.name)
    for dimension in aggregate.dimensions:
        numbers = (
            *_totals(dimension.totals),
            *_alpha(dimension.alpha),
            *_rate("scores of 5", dimension.ceiling, "score"),
        )
        yield Measure(f"dimension:{dimension.name}", numbers, about=dimension.name)
    for kind in aggregate.types:
        members = tuple([each.question_id for each in aggregate.questions if each.question_type == kind.question_type])
        numbers = (OfferedValue("questions", kind.questions, unit="question"), *_wins(kind.wins, "question"))
        delta = _difference(kind.mean_delta)
        yield Measure(f"type:{kind.question_type}", (*numbers, *delta), about=kind.question_type, questions=members)
    for each in aggregate.questions:
        lost = OfferedValue("judges without a verdict", each.lost, unit="judge")
        numbers = (*_wins(each.votes, "judge"), lost, *_totals(each.totals))
        own = (each.question_id,)
        yield Measure(f"question:{each.question_id}", numbers, about=each.question_id, questions=own)
    yield from _of_the_panel(aggregate)


def _of_the_panel(aggregate: Aggregate) -> Iterator[Measure]:
    yield Measure("agreement", tuple(_agreement(aggregate)))
    for family in aggregate.families:
        ways = OfferedValue("ways of working", len(family.harnesses))
        numbers = (ways, *_rate("pairs of verdicts that are the same", family.agreed, "pair"))
        yield Measure(f"family:{family.judge}", numbers, about=family.judge)
    yield Measure("rows", tuple(_rows(aggregate.grid)))
    wrong = aggregate.miscounts
    totals = _rate("rows with a wrong total", wrong.totals, "row")
    yield Measure("miscounts", (*totals, *_rate("rows with another verdict than their totals'", wrong.verdicts, "row")))
    yield from _lists(aggregate)


def _agreement(aggregate: Aggregate) -> Iterator[OfferedValue]:
    agreed, agreement = aggregate.all_agreed, aggregate.agreement
    for label, number in (
        ("all judges alike", agreed.treatment + agreed.control + agreed.tie),
        ("all judges for the treatment", agreed.treatment),
        ("all judges for the control", agreed.control),
        ("all judges for a tie", agreed.tie),
    ):
        yield OfferedValue(label, number, unit="question", whole=agreed.of)
    yield from _rate("pairs of judges with one verdict", agreement.pairs, "pair")
    yield from _amount("AC1", agreement.ac1)
    yield from _amount("agreement on the control", agreement.control)


def _rows(grid: Grid) -> Iterator[OfferedValue]:
    yield OfferedValue("questions", grid.questions, unit="question")
    yield OfferedValue("judges", grid.judges, unit="judge")
    yield OfferedValue("orders", grid.orders, unit="order")
    yield OfferedValue("rows received", grid.received, unit="row", whole=grid.expected)
    yield OfferedValue("rows lost", sum(grid.lost.values()), unit="row", whole=grid.expected)
    for reason, lost in grid.lost.items():
        yield OfferedValue(f"lost: {reason}", lost, unit="row", whole=grid.expected)
    unpaired = "rows that count for nothing, their other order not being there"
    yield OfferedValue(unpaired, grid.unpaired, unit="row", whole=grid.received)


def _lists(aggregate: Aggregate) -> Iterator[Measure]:
    for name, label, ids in (
        ("heroes", "questions", aggregate.heroes),
        ("control_won", "questions", aggregate.control_won),
        ("tied", "tied questions", aggregate.tied),
        ("identical", "questions with identical answers", aggregate.identical),
        ("concerns", "questions", aggregate.concerns),
    ):
        yield Measure(name, (OfferedValue(label, len(ids), unit="question"),), questions=ids)


def _headline(headline: Headline) -> Iterator[OfferedValue]:
    yield OfferedValue("judges", headline.judges, unit="judge")
    yield OfferedValue("questions", headline.questions, unit="question")
    yield from _wins(headline.wins, "question")
    yield from _difference(headline.mean_delta)
    if headline.test is not None:
        tested = sign_flip_result(headline) or SignFlipResult("tie", headline.test.two_sided)
        sided = "p, one-sided" if tested.one_sided else "p, two-sided"
        yield OfferedValue(sided, tested.chance.value, "p")
    yield from _rate("pairs alike in both orders", headline.consistency, "pair")
    yield from _rate("scores of 5", headline.ceiling, "score")


def _judge(judge: JudgeResult) -> Iterator[OfferedValue]:
    yield from _wins(judge.wins, "question")
    yield OfferedValue("questions without a verdict", judge.lost, unit="question")
    yield from _totals(judge.totals)
    yield from _rate("questions alike in both orders", judge.consistency, "question")
    yield from _rate("rows with a wrong total", judge.miscounts.totals, "row")
    yield from _rate("scores of 5", judge.ceiling, "score")


def _wins(wins: Wins, unit: Unit) -> Iterator[OfferedValue]:
    yield OfferedValue("for the treatment", wins.treatment, unit=unit, whole=wins.total)
    yield OfferedValue("for the control", wins.control, unit=unit, whole=wins.total)
    yield OfferedValue("ties", wins.tie, unit=unit, whole=wins.total)
    yield OfferedValue("identical answers", wins.identical, unit=unit, whole=wins.total)


def _totals(totals: Totals) -> Iterator[OfferedValue]:
    yield OfferedValue("rows with scores", totals.scored, unit="row")
    yield from _amount("mean of the treatment", totals.mean_treatment)
    yield from _amount("mean of the control", totals.mean_control)
    yield from _difference(totals.mean_delta)


def _alpha(alpha: Alpha) -> Iterator[OfferedValue]:
    for label, value in (("alpha", alpha.value), ("alpha, low", alpha.low), ("alpha, high", alpha.high)):
        yield from _amount(label, value)


def _rate(label: str, rate: Rate, unit: Unit) -> Iterator[OfferedValue]:
    if rate.total:
        yield OfferedValue(label, rate.hits, unit=unit, whole=rate.total)


def _amount(label: str, value: float | None, kind: NumberKind = "amount") -> Iterator[OfferedValue]:
    if value is not None:
        yield OfferedValue(label, value, kind, unit="point")


def _difference(value: float | None) -> Iterator[OfferedValue]:
    return _amount("mean delta, treatment less control", value, "difference")
