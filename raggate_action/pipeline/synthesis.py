"""Findings written by a model: what it is given of an aggregate, and no more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from raggate_action.core.panel_ab.measures import Measure, Offered, measures_of
from raggate_action.core.panel_ab.tested import ahead_by_test
from raggate_action.judges.synthesizer import OfferedMeasure, OfferedNumber, SynthesisTask
from raggate_action.numbers import count, signed, whole_number
from raggate_action.schema.ab_findings import FindingKind
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.judge_rows import Winner

_MOST: Final = 12
# Questions that are given one by one; the others are in the sums.
_MOST_QUESTIONS: Final = 40
_OF_ONE_QUESTION: Final = "question:"
_PLACES: Final = 2
# The smallest p-value of an exact test of twenty questions is two in a million.
_PLACES_OF_P: Final = 6
_KINDS: Final[dict[Winner | None, tuple[FindingKind, ...]]] = {
    "treatment": ("better", "note"),
    "control": ("worse", "note"),
    "tie": ("no_difference", "note"),
    None: ("note",),
}


def synthesis_task(aggregate: Aggregate) -> SynthesisTask:
    """What a model is given to write findings from: names and numbers of the aggregate's measures.

    Of single questions those are given that stand out: on which the treatment leads most, the control won, or the
    rubric may be at fault.
    """
    stand_out = [*aggregate.heroes, *aggregate.control_won, *aggregate.concerns]
    named = {f"{_OF_ONE_QUESTION}{question_id}" for question_id in stand_out[:_MOST_QUESTIONS]}
    every = measures_of(aggregate).values()
    chosen = [each for each in every if not each.name.startswith(_OF_ONE_QUESTION) or each.name in named]
    return SynthesisTask(tuple([_offered(each) for each in chosen if each.numbers]), _MOST)


def _offered(measure: Measure) -> OfferedMeasure:
    kinds = _KINDS[ahead_by_test(measure.headline) if measure.headline is not None else None]
    return OfferedMeasure(measure.name, kinds, tuple(_numbers(measure.numbers)), measure.questions[:_MOST_QUESTIONS])


def _numbers(offered: Iterable[Offered]) -> Iterable[OfferedNumber]:
    for each in offered:
        yield OfferedNumber(each.label, _shown(each))


def _shown(number: Offered) -> str:
    """The number as it may be written, with what it counts and what it is a part of."""
    if number.kind == "difference":
        return signed(number.value)
    if number.kind != "count":
        return whole_number(number.value, _PLACES_OF_P if number.kind == "p" else _PLACES)
    if number.whole is not None:
        return f"{number.value:.0f} of {count(number.whole, number.unit)}"
    return count(int(number.value), number.unit) if number.unit else f"{number.value:.0f}"
