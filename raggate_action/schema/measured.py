"""What a gate on the run asks for, and what is held against it, as data."""

from decimal import Decimal
from operator import not_
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Natural, Rate, Record, Total

Operator: TypeAlias = Literal[">=", "<=", "==", ">"]
Unit: TypeAlias = Literal["share", "cases", "new cases", "ms", "usd", "score", "points", "p"]

# More than the smallest float has; written out, `1e-999999999` would fill the memory.
_FINEST_EXPONENT = -400


def _can_be_written(amount: Decimal) -> Decimal:
    exponent = amount.as_tuple().exponent
    if isinstance(exponent, int) and exponent >= _FINEST_EXPONENT:
        return amount
    raise PydanticCustomError("amount", "an amount has at most 400 decimals")


class Bar(Record):
    """What a gate asks for.

    Attributes:
        operator: How what is measured stands to the amount when the gate passes.
        amount: Exact; a share lies in [0, 1].
        unit: A share of what is scored, cases, cases that the baseline did not have, milliseconds, US dollars,
            score, percentage points, a probability that chance alone does it.
        each: It is asked of each slice and not of all cases together.
        allowed: How many cases the amount comes to in this run; None where that is nobody's question.
    """

    operator: Operator
    amount: Annotated[Decimal, Field(ge=0, le=10**12, allow_inf_nan=False), AfterValidator(_can_be_written)]
    unit: Unit
    each: bool = False
    allowed: Natural | None = None


class CaseCount(Record):
    """Cases that count against a gate, of those it looked at."""

    kind: Literal["cases"] = "cases"
    hits: Natural
    looked_at: Natural


class UnmeasuredCount(Record):
    """Unmeasured cases, of those in scope, and those taken out of the suite: what the budget is held against.

    Attributes:
        faults: Of the unmeasured, those that no budget covers: raggate itself failed at them, and the baseline measured
            them or their slice is protected.
    """

    kind: Literal["unmeasured"] = "unmeasured"
    unmeasured: Natural
    cases: Natural
    removed: Natural = 0
    faults: Natural = Field(default=0, exclude_if=not_)


class SuspectCount(Record):
    """Cases with a new conflict, and those whose new suspects are all of what no evidence holds, of those compared."""

    kind: Literal["suspects"] = "suspects"
    conflict: Natural
    absent: Natural
    compared: Natural


class SliceCount(Record):
    """Slices that are red, too small to be judged, and without a scored case, of all."""

    kind: Literal["slices"] = "slices"
    red: Natural
    slices: Natural
    watched: Natural = 0
    unmeasured: Natural = 0


class AmountMeasured(Record):
    """An amount, in the unit of the gate's bar."""

    kind: Literal["amount"] = "amount"
    amount: Total


class ShiftMeasured(Record):
    """Two sums over the same cases, on the baseline and on the head: of scores in hundredths, or of cases."""

    kind: Literal["shift"] = "shift"
    before: Natural
    after: Natural
    cases: Natural


class WeakeningCount(Record):
    """What is demanded less than on the baseline, and the gates that do not pass by what the baseline demanded."""

    kind: Literal["weakenings"] = "weakenings"
    weakenings: Natural
    gates: Natural


class AdviceCount(Record):
    """What judges say who only advise: how many facts the answers state, or criteria they meet, of those judged."""

    kind: Literal["advice"] = "advice"
    of: Literal["facts", "criteria"]
    good: Natural
    total: Natural


class ArmsMeasured(Record):
    """Questions by the arm that most judges prefer, identical answers among the ties; and the test for the control.

    Attributes:
        treatment, control, tie: Questions.
        p: How often the control would be as far ahead by chance, in counts; None where no question has a verdict.
        set_aside: Questions under a rubric concern, which are in none of these.
    """

    kind: Literal["arms"] = "arms"
    treatment: Natural
    control: Natural
    tie: Natural
    p: Rate | None = None
    set_aside: Natural = Field(default=0, exclude_if=not_)


Measured: TypeAlias = Annotated[
    CaseCount
    | UnmeasuredCount
    | SuspectCount
    | SliceCount
    | AmountMeasured
    | ShiftMeasured
    | WeakeningCount
    | AdviceCount
    | ArmsMeasured,
    Field(discriminator="kind"),
]
