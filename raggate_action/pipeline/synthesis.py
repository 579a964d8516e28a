"""What a model is given of an aggregate to write findings from, and no more."""

from __future__ import annotations

from typing import Final

from raggate_action.core.panel_ab.measures import Measure, Offered, kinds_of, measures_of
from raggate_action.core.panel_ab.written_check import MOST_FINDINGS
from raggate_action.judges.synthesizer import OfferedMeasure, OfferedNumber, SynthesisTask
from raggate_action.numbers import count, signed, whole_number
from raggate_action.schema.ab_result import Aggregate

# Questions that are given one by one; the others are in the sums.
_MOST_QUESTIONS: Final = 40
_OF_ONE_QUESTION: Final = "question:"
_PLACES: Final = 2
# The smallest p-value of an exact test of twenty questions is two in a million.
_PLACES_OF_P: Final = 6


def synthesis_task(aggregate: Aggregate) -> SynthesisTask:
    """What a model is given to write findings from: names and numbers of the aggregate's measures.

    Of single questions those are given that stand out: on which the treatment leads most, the control won, or the
    rubric may be at fault.
    """
    stand_out = [*aggregate.heroes, *aggregate.control_won, *aggregate.concerns]
    named = {f"{_OF_ONE_QUESTION}{question_id}" for question_id in stand_out[:_MOST_QUESTIONS]}
    every = measures_of(aggregate).values()
    chosen = [each for each in every if not each.name.startswith(_OF_ONE_QUESTION) or each.name in named]
    return SynthesisTask(tuple([_offered(each) for each in chosen if each.numbers]), MOST_FINDINGS)


def _offered(measure: Measure) -> OfferedMeasure:
    numbers = tuple([OfferedNumber(each.label, _shown(each)) for each in measure.numbers])
    return OfferedMeasure(measure.name, kinds_of(measure), numbers, measure.questions[:_MOST_QUESTIONS])


def _shown(number: Offered) -> str:
    """The number as it may be written, with what it counts and what it is a part of."""
    if number.kind == "difference":
        return signed(number.value)
    if number.kind != "count":
        return whole_number(number.value, _PLACES_OF_P if number.kind == "p" else _PLACES)
    value, of = int(number.value), number.whole
    if of is not None:
        return f"{value:,} of {count(of, number.unit) if number.unit else f'{of:,}'}"
    return count(value, number.unit) if number.unit else f"{value:,}"
