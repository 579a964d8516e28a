"""What was decided on a run and why, as data: gates, what they ask for, offenders, reasons. No sentence stands here."""

from decimal import Decimal
from operator import not_
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Natural, Rate, Record, Total, see_part
from raggate_action.schema.change import Change
from raggate_action.schema.outcome import Level, RunGateName
from raggate_action.schema.policy import Waiver

Operator: TypeAlias = Literal[">=", "<=", "==", ">", "<"]
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


class AloneCount(Record):
    """Answers that are poor by themselves, in a run without a baseline.

    Attributes:
        cut: Cases whose answer stops before its end.
        same_for_all: Cases whose answer others have as well, from other evidence.
        hits: Cases that are either, each counted once.
        looked_at: All cases.
        sentences: Digests of the answers that several cases have, most cases first.
        quote: Words of the first case's answer; empty where the run keeps none.
    """

    kind: Literal["alone"] = "alone"
    cut: Natural
    same_for_all: Natural
    hits: Natural
    looked_at: Natural
    sentences: tuple[str, ...] = Field(default=(), exclude_if=not_)
    quote: str = Field(default="", exclude_if=not_)


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
        harmed: Protected questions on which every judge prefers the control, where these alone fail the gate.
    """

    kind: Literal["arms"] = "arms"
    treatment: Natural
    control: Natural
    tie: Natural
    p: Rate | None = None
    set_aside: Natural = Field(default=0, exclude_if=not_)
    harmed: Natural = Field(default=0, exclude_if=not_)


Measured: TypeAlias = Annotated[
    CaseCount
    | AloneCount
    | UnmeasuredCount
    | SliceCount
    | AmountMeasured
    | ShiftMeasured
    | WeakeningCount
    | AdviceCount
    | ArmsMeasured,
    Field(discriminator="kind"),
]


RunGateStatus: TypeAlias = Literal["passed", "failed", "insufficient", "unmeasured"]
DecisionKind: TypeAlias = Literal["release", "block", "inconclusive"]


class RunGate(Record):
    """A gate on the run.

    Attributes:
        gate: Its name.
        level: What its failing means.
        status: Passed, failed, insufficient (too few cases to judge) or unmeasured.
        passed, scored: Counts behind the status; None for gates on amounts.
        unmeasured: Cases it could not measure.
        waived: Failures waived.
        bar: What it asks for.
        measured: What is held against the bar where that is not the share that passed; None otherwise.
        offenders: The first cases that it names, worst first; those it could not measure where it scored nothing; what
            else it names, a slice or another gate, has no case.
        offending: How many offenders there are in all.
        carried: Of a part of the suite, how many of those scored were not run: the baseline's outcome counts.
        passed_before: Of a part of the suite that fails by the rows run, how many of the same cases passed on the
            baseline; else None.
    """

    gate: RunGateName
    level: Level
    status: RunGateStatus
    passed: Natural | None = None
    scored: Natural | None = None
    unmeasured: Natural = 0
    waived: Natural = 0
    bar: Bar
    measured: Measured | None = None
    offenders: tuple[Change, ...] = ()
    offending: Natural = 0
    carried: Natural = 0
    passed_before: Natural | None = None

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        see_part(self.passed, self.scored)
        see_part(self.carried, self.scored)
        return self


class NothingAnswered(Record):
    """The app answered none of the cases it was asked.

    Attributes:
        asked: How many.
        cause: Why the first of them has no answer; empty where nobody said.
        case_id: Which case that was; None where every case has the same cause.
    """

    kind: Literal["nothing-answered"] = "nothing-answered"
    asked: Natural
    cause: str = ""
    case_id: str | None = None


class StoreKnowsNone(Record):
    """The evidence store has none of the chunk ids that the target's traces name: it is another store, or other ids.

    Attributes:
        ids: How many ids, each counted once for each trace that names it.
        traces: How many traces name one.
        first: One of them.
    """

    kind: Literal["store-knows-none"] = "store-knows-none"
    ids: Natural
    traces: Natural
    first: str = ""


class WaiversExpired(Record):
    """Waivers past their date whose failure is back: the first of them, and how many there are."""

    kind: Literal["waivers-expired"] = "waivers-expired"
    waivers: tuple[Waiver, ...]
    expired: Natural


# A gate that blocks, or could not be measured, is named. So is what the run itself tells: every blocking gate passed
# that could judge anything; the run was cancelled or did not come to its end; no ordinary case was to be run.
Reason: TypeAlias = (
    RunGateName
    | Literal["released", "stopped", "nothing-in-scope"]
    | Annotated[NothingAnswered | StoreKnowsNone | WaiversExpired, Field(discriminator="kind")]
)


class Decision(Record):
    """May this ship?

    Attributes:
        kind: Release, block or inconclusive.
        reasons: Most important first.
        enforced: False when the suite only advises.
    """

    kind: DecisionKind
    reasons: tuple[Reason, ...]
    enforced: bool = True
