"""The action's output `result`: a run in numbers and names of ours, for later steps of a workflow."""

from typing import Literal

from raggate_action.schema.base import Natural, Percent, Record
from raggate_action.schema.counts import Counts
from raggate_action.schema.decision import DecisionKind, RunGateStatus
from raggate_action.schema.outcome import Level, RunGateName, StageName


class GateResult(Record):
    """How a gate on the run stands.

    Attributes:
        gate: Its name.
        level: What its failing means.
        status: Passed, failed, insufficient (too few cases to judge) or unmeasured.
        passed, scored: Cases behind the status; null for gates on amounts.
        unmeasured, waived: Cases it could not measure, and failures that are waived.
        offending: How many cases, slices or faults count against it.
    """

    gate: RunGateName
    level: Level
    status: RunGateStatus
    passed: Natural | None
    scored: Natural | None
    unmeasured: Natural
    waived: Natural
    offending: Natural


class ActionResult(Record):
    """A decided run without a word of an answer, a case or a suite: every text in it is one of a fixed list.

    Attributes:
        schema_version: Rises when a field changes its meaning or goes; new fields may come without.
        decision: Release, block or inconclusive.
        enforced: False where the check passes whatever was decided.
        complete: False of a run that was cancelled or killed.
        counts: Cases, each counted once.
        unmeasured: Cases that went unmeasured, and those taken out of the suite that nobody answers for.
        pass_rate: Passed cases in percent of those scored, one decimal; null where none was, or the app not reached.
        compared: Cases compared with the baseline; null without one, as are the next three.
        regressions: Cases that passed on the baseline and fail now.
        fixed: Cases that failed on the baseline and pass now.
        new_hallucinations: Hallucinations that the baseline did not have.
        stages: Cases by the stage at which they failed first.
        gates: Every gate on the run that is not off, in the order of `run.json`.
    """

    schema_version: Literal[1] = 1
    decision: DecisionKind
    enforced: bool
    complete: bool
    counts: Counts
    unmeasured: Natural
    pass_rate: Percent | None
    compared: Natural | None
    regressions: Natural | None
    fixed: Natural | None
    new_hallucinations: Natural | None
    stages: dict[StageName, Natural]
    gates: tuple[GateResult, ...]
