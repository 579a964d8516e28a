"""A part of the suite, and how it is held against the whole: rows run, the baseline's outcomes for the other cases."""

from typing import Annotated

from pydantic import Field

from raggate_action.schema.base import Natural, Record
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate


class Scope(Record):
    """Which cases a scope runs: the union of what is named here. An empty scope is everything.

    Attributes:
        tags: Cases with any of these tags.
        changed: Cases that are new or differ from the baseline's.
        failing_on_base: Cases that did not pass on the baseline.
        sample: So many more, drawn by the suite's seed.
    """

    tags: tuple[NonEmpty, ...] = ()
    changed: bool = False
    failing_on_base: bool = False
    sample: Annotated[int, Field(ge=0)] = 0


class Before(Record):
    """A gate or slice on the baseline, over the very cases that were run now.

    Attributes:
        name: Of the gate or slice.
        passed: Cases that passed; where not all can be carried, those without a counterpart are in it, for nothing
            else could tell that they were expected to pass.
        unmeasured: Cases it could not measure.
    """

    name: str
    passed: Natural = 0
    unmeasured: Natural = 0


class PartialScope(Record):
    """What a decision on a part of the suite is taken by, beside the rows that were run.

    Attributes:
        carried: Cases not run whose outcome on the baseline stands in.
        left_out: Other cases not run: of those nothing is known.
        gates: The gates over rows run and outcomes carried; empty where not all that the baseline ran can be carried.
        slices: The slices, likewise.
        before: Every gate on the baseline, over the cases that were run.
        slices_before: Every slice, likewise.
        silent_before: The baseline had no answer to these cases either.
    """

    carried: Natural = 0
    left_out: Natural = 0
    gates: tuple[RunGate, ...] = ()
    slices: tuple[SliceResult, ...] = ()
    before: tuple[Before, ...] = ()
    slices_before: tuple[Before, ...] = ()
    silent_before: bool = False
