"""What was decided on a run and why, as data: gates, what they ask for, offenders, reasons. No sentence stands here."""

from decimal import Decimal
from operator import not_
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Natural, Rate, Record, Total, see_part
from raggate_action.schema.change import Change
from raggate_action.schema.later import Waiver
from raggate_action.schema.outcome import Level, RunGateName

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


Kind: TypeAlias = Literal["cases", "alone", "unmeasured", "slices", "amount", "shift", "weakenings", "advice", "arms"]


class Measured(Record):
    """What is held against a gate's bar where that is not the share that passed; what its kind has not is left out.

    Attributes:
        kind: `cases`: cases that count against the gate. `alone`: answers that are poor by themselves, without a
            baseline. `unmeasured`: cases not measured, and those taken out of the suite. `slices`: slices. `amount`: an
            amount in the unit of the bar. `shift`: two sums over the same cases, of scores in hundredths or of cases.
            `weakenings`: what is demanded less than on the baseline. `advice`: what judges say who only advise. `arms`:
            questions by the arm that most judges prefer, identical answers among the ties.
        hits, looked_at: Cases that count against the gate, of those it looked at.
        cut, same_for_all: Cases whose answer stops before its end, and whose answer others have from other evidence.
        sentences: Digests of the answers that several cases have, most cases first.
        quote: Words of the first case's answer; empty where the run keeps none.
        unmeasured: Unmeasured cases; slices without a scored case.
        cases: Cases in scope; cases of both sums.
        removed: Cases taken out of the suite.
        faults: Of the unmeasured, those that no budget covers: raggate itself failed at them, and the baseline measured
            them or their slice is protected.
        red, slices, watched: Slices that fail, all of them, those too small to be judged.
        amount: How much.
        before, after: The sums on the baseline and on the head.
        weakenings, gates: What is demanded less, and the gates that do not pass by what the baseline demanded.
        of, good, total: Facts that the answers state, or criteria they meet, of those judged.
        treatment, control, tie: Questions.
        p: How often the control would be as far ahead by chance, in counts; None where no question has a verdict.
        set_aside: Questions under a rubric concern, which are in none of these.
        harmed: Protected questions on which every judge prefers the control, where these alone fail the gate.
    """

    kind: Kind
    hits: Natural = Field(default=0, exclude_if=not_)
    looked_at: Natural = Field(default=0, exclude_if=not_)
    cut: Natural = Field(default=0, exclude_if=not_)
    same_for_all: Natural = Field(default=0, exclude_if=not_)
    sentences: tuple[str, ...] = Field(default=(), exclude_if=not_)
    quote: str = Field(default="", exclude_if=not_)
    unmeasured: Natural = Field(default=0, exclude_if=not_)
    cases: Natural = Field(default=0, exclude_if=not_)
    removed: Natural = Field(default=0, exclude_if=not_)
    faults: Natural = Field(default=0, exclude_if=not_)
    red: Natural = Field(default=0, exclude_if=not_)
    slices: Natural = Field(default=0, exclude_if=not_)
    watched: Natural = Field(default=0, exclude_if=not_)
    amount: Total = Field(default=0.0, exclude_if=not_)
    before: Natural = Field(default=0, exclude_if=not_)
    after: Natural = Field(default=0, exclude_if=not_)
    weakenings: Natural = Field(default=0, exclude_if=not_)
    gates: Natural = Field(default=0, exclude_if=not_)
    of: Literal["facts", "criteria"] | None = Field(default=None, exclude_if=not_)
    good: Natural = Field(default=0, exclude_if=not_)
    total: Natural = Field(default=0, exclude_if=not_)
    treatment: Natural = Field(default=0, exclude_if=not_)
    control: Natural = Field(default=0, exclude_if=not_)
    tie: Natural = Field(default=0, exclude_if=not_)
    p: Rate | None = Field(default=None, exclude_if=not_)
    set_aside: Natural = Field(default=0, exclude_if=not_)
    harmed: Natural = Field(default=0, exclude_if=not_)


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

    def measures(self, *kinds: Kind) -> Measured | None:
        """What is measured, where it is of one of these kinds."""
        return self.measured if self.measured is not None and self.measured.kind in kinds else None


class Cause(Record):
    """What the run itself tells, beside its gates.

    Attributes:
        kind: `nothing-answered`: the app answered none of the cases it was asked. `store-knows-none`: the evidence
            store has none of the chunk ids that the target's traces name: it is another store, or other ids.
            `waivers-expired`: waivers past their date whose failure is back.
        asked: How many cases.
        cause: Why the first of them has no answer; empty where nobody said.
        case_id: Which case that was; None where every case has the same cause.
        ids: How many ids, each counted once for each trace that names it.
        traces: How many traces name one.
        first: One of them.
        waivers, expired: The first waivers, and how many there are.
    """

    kind: Literal["nothing-answered", "store-knows-none", "waivers-expired"]
    asked: Natural = Field(default=0, exclude_if=not_)
    cause: str = Field(default="", exclude_if=not_)
    case_id: str | None = Field(default=None, exclude_if=not_)
    ids: Natural = Field(default=0, exclude_if=not_)
    traces: Natural = Field(default=0, exclude_if=not_)
    first: str = Field(default="", exclude_if=not_)
    waivers: tuple[Waiver, ...] = Field(default=(), exclude_if=not_)
    expired: Natural = Field(default=0, exclude_if=not_)


# A gate that blocks, or could not be measured, is named. So is what the run itself tells: every blocking gate passed
# that could judge anything; the run was cancelled or did not come to its end; no ordinary case was to be run.
Reason: TypeAlias = RunGateName | Literal["released", "stopped", "nothing-in-scope"] | Cause


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
