"""A part of the suite held against the whole: rows run, and the baseline's outcomes for the cases that were not."""

from typing import Literal, TypeAlias

from raggate_action.schema.base import Natural, Record
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate

# Why no outcome of the baseline may stand in for a case that was not run: it was judged by something else.
NotCarried: TypeAlias = Literal["version", "policy", "evidence", "judges"]


class Before(Record):
    """A gate or slice on the baseline, over the very cases that were run now.

    Attributes:
        name: Of the gate or slice.
        passed: Cases that passed; where nothing is carried, those without a counterpart are in it, for nothing else
            could tell that they were expected to pass.
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
        because: Why nothing is carried; None where cases may be.
        gates: The gates over rows run and outcomes carried; empty where nothing may be carried.
        slices: The slices, likewise.
        before: Every gate on the baseline, over the cases that were run.
        slices_before: Every slice, likewise.
        silent_before: The baseline had no answer to these cases either.
    """

    carried: Natural = 0
    left_out: Natural = 0
    because: NotCarried | None = None
    gates: tuple[RunGate, ...] = ()
    slices: tuple[SliceResult, ...] = ()
    before: tuple[Before, ...] = ()
    slices_before: tuple[Before, ...] = ()
    silent_before: bool = False
