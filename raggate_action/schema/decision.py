"""What was decided on a run and why, as data: gates, offenders, reasons. No sentence stands here."""

from operator import not_
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from raggate_action.schema.base import Amount, Natural, Record, see_part
from raggate_action.schema.calibration import JudgeCard, Unarmed
from raggate_action.schema.measured import Bar, Measured
from raggate_action.schema.outcome import Level, RunGateName, StageName
from raggate_action.schema.policy import Waiver

RunGateStatus: TypeAlias = Literal["passed", "failed", "insufficient", "unmeasured"]
DecisionKind: TypeAlias = Literal["release", "block", "inconclusive"]


class FailedCase(Record):
    """A case and the first thing wrong with it: code and detail, or a quotation; empty where nothing is known.

    `carried`: the case was not run, and this is its outcome on the baseline.
    """

    kind: Literal["case"] = "case"
    case_id: str
    problem: str = ""
    carried: bool = False


class RemovedCase(Record):
    """A case of the baseline that was taken out of the suite."""

    kind: Literal["removed"] = "removed"
    case_id: str


class UnblockedCase(Record):
    """A known-bad case that was not blocked at the stage it names; `ended` is None where it failed at none."""

    kind: Literal["unblocked"] = "unblocked"
    case_id: str
    ended: StageName | None
    blocked_at: StageName | None


class UncaughtFault(Record):
    """A fault put into a case's passing trace that no gate caught, by the mutation's name."""

    kind: Literal["uncaught"] = "uncaught"
    case_id: str
    mutation: str


class FailedSlice(Record):
    """A slice with the cases of it that passed and were scored; none scored is one that could not be measured."""

    kind: Literal["slice"] = "slice"
    name: str
    passed: Natural
    scored: Natural


class FailedGate(Record):
    """A gate that does not pass by what the baseline demanded."""

    kind: Literal["gate"] = "gate"
    gate: "RunGate"


class LostToControl(Record):
    """A question on which the control's answer is preferred, by so many of the judges with a verdict."""

    kind: Literal["lost-to-control"] = "lost-to-control"
    case_id: str
    votes: Natural
    judges: Natural
    protected: bool = False


# Why a judge that counted on the baseline does not now: people's labels do not arm it (`JudgeCard.why_not`); it left
# the suite; judging the labels costs too much; fewer are armed than the quorum needs; it has no key, or a refused one;
# the budget is used up.
LostWhy: TypeAlias = Unarmed | Literal["taken-out", "too-dear", "quorum", "key", "budget"]


class LostJudge(Record):
    """A judge that counted on the baseline and whose verdict cases lack now.

    Attributes:
        judge: Its name.
        why: Why it does not count, or was not heard.
        detail: Of a key, what is wrong with it.
        card: Of a judge that labels do not arm, how it stands beside them.
        usd: What judging its labels would have cost, where that was too much.
    """

    kind: Literal["lost-judge"] = "lost-judge"
    judge: str
    why: LostWhy
    detail: str = Field(default="", exclude_if=not_)
    card: JudgeCard | None = Field(default=None, exclude_if=not_)
    usd: Amount | None = Field(default=None, exclude_if=not_)


Offender: TypeAlias = Annotated[
    FailedCase | RemovedCase | UnblockedCase | UncaughtFault | FailedSlice | FailedGate | LostToControl | LostJudge,
    Field(discriminator="kind"),
]


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
        offenders: The first ones, worst first; those it could not measure where it scored nothing.
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
    offenders: tuple[Offender, ...] = ()
    offending: Natural = 0
    carried: Natural = 0
    passed_before: Natural | None = None

    @model_validator(mode="after")
    def _is_counted(self) -> Self:
        see_part(self.passed, self.scored)
        see_part(self.carried, self.scored)
        return self


class GateReason(Record):
    """A blocking gate failed or could not be measured; its status says which."""

    kind: Literal["gate"] = "gate"
    gate: RunGate


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


class NothingInScope(Record):
    """No ordinary case was to be run."""

    kind: Literal["nothing-in-scope"] = "nothing-in-scope"


class WaiversExpired(Record):
    """Waivers past their date whose failure is back: the first of them, and how many there are."""

    kind: Literal["waivers-expired"] = "waivers-expired"
    waivers: tuple[Waiver, ...]
    expired: Natural


class Stopped(Record):
    """The run did not come to its end: it was cancelled, or the process ended before it."""

    kind: Literal["stopped"] = "stopped"
    cancelled: bool
    finished: Natural
    in_scope: Natural


class Released(Record):
    """Every blocking gate passed that could judge anything.

    Attributes:
        cases, passed, failed, unmeasured, waived, flaky: Ordinary cases in scope, and how they stand.
        verified, refuted: Of those that passed; what is in neither is not refuted.
        unjudged: Gates that were asked and could not be measured, or of whose cases nothing is known.
        warned: Gates that failed and only warn.
    """

    kind: Literal["released"] = "released"
    cases: Natural
    passed: Natural
    failed: Natural = 0
    unmeasured: Natural = 0
    waived: Natural = 0
    flaky: Natural = 0
    verified: Natural = 0
    refuted: Natural = 0
    unjudged: tuple[RunGateName, ...] = ()
    warned: tuple[RunGateName, ...] = ()


Reason: TypeAlias = Annotated[
    GateReason | NothingAnswered | StoreKnowsNone | NothingInScope | WaiversExpired | Stopped | Released,
    Field(discriminator="kind"),
]


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
