"""State and first failed stage of a case: what its outcomes come to under a policy's levels."""

from __future__ import annotations

from raggate_action.schema.case_run import CaseRun, CaseState
from raggate_action.schema.outcome import GATES, GateName, Outcome, StageName, Unmeasured
from raggate_action.schema.policy import Gates


def first_failed_stage(outcomes: dict[GateName, Outcome], gates: Gates) -> StageName | None:
    """The stage that owns the repair: the first failed gate at level `block`.

    Args:
        outcomes: In order of diagnosis.
        gates: Levels.
    """
    for gate, outcome in outcomes.items():
        if outcome.kind == "failed" and gates.of(gate).level == "block":
            return GATES[gate].stage
    return None


def case_state(outcomes: dict[GateName, Outcome], stage: StageName | None, gates: Gates) -> CaseState:
    """Passed when no block-level gate failed and none is unmeasured; failed beats unmeasured."""
    if stage is not None:
        return "failed"
    return "unmeasured" if _unmeasured_at_block_level(outcomes, gates) else "passed"


def is_faulted(row: CaseRun) -> bool:
    """Whether a fault of raggate kept the case from being judged."""
    target = row.outcomes.get("target")
    return isinstance(target, Unmeasured) and target.reason == "fault"


def restated(row: CaseRun, gates: Gates) -> CaseRun:
    """The row with the state and stage that follow from its outcomes under these levels; the same where they do."""
    stage = first_failed_stage(row.outcomes, gates)
    state = case_state(row.outcomes, stage, gates)
    if (state, stage) == (row.state, row.first_failed_stage):
        return row
    return row.model_copy(update={"state": state, "first_failed_stage": stage})


def _unmeasured_at_block_level(outcomes: dict[GateName, Outcome], gates: Gates) -> bool:
    """Whether a block-level gate went unmeasured for a reason that counts; `no-adjudicator` only warns."""
    return any(
        outcome.reason != "no-adjudicator" and gates.of(gate).level == "block"
        for gate, outcome in outcomes.items()
        if outcome.kind == "unmeasured"
    )
