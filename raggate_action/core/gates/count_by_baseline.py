"""A row as it counts by the baseline's demands."""

from __future__ import annotations

from typing import Any

from raggate_action.core.comparison.demand_changes import Seen
from raggate_action.core.counting.states import case_state, first_failed_stage
from raggate_action.schema.case_run import CaseRun, CaseState
from raggate_action.schema.outcome import Failed
from raggate_action.schema.policy import Gates


def counted_by_baseline(row: CaseRun, seen: Seen, gates: Gates, *, judged_beside: bool) -> CaseRun:
    """The row with the outcomes, the levels and the slices of the baseline.

    Args:
        row: The row, as the head judges it.
        seen: The row beside the baseline's case.
        gates: The baseline's levels and bars.
        judged_beside: Second judgements in the row are this baseline's.
    """
    again = row.by_baseline if judged_beside and not seen.excused else None
    changed: dict[str, Any] = {}
    if again is not None and again.outcomes is not None:
        changed = {
            "outcomes": again.outcomes,
            "hallucinations": again.hallucinations or (),
            "flagged": bool(again.flagged),
            "score": again.score,
            "musts": again.musts,
            "by_rules": again.by_rules,
            "recalled": again.recalled,
        }
        if again.claims is not None:
            changed["claims"] = again.claims
        if isinstance(again.outcomes.get("admissibility"), Failed):
            changed["claims"] = ()
    if seen.past is not None and seen.past.demanded is not None:
        changed["slices"] = seen.past.demanded.slices
    elif again is not None and again.slices is not None:
        changed["slices"] = again.slices
    if seen.before is not None and seen.past is not None and not seen.excused:
        # Judged by what the baseline judged it by, so it is compared with how it came out there.
        changed["digest"] = seen.past.digest
        changed["kind"] = "must_release" if seen.before.released else "ordinary"
    outcomes = changed.get("outcomes", row.outcomes)
    stage = first_failed_stage(outcomes, gates)
    state: CaseState = case_state(outcomes, stage, gates)
    if row.state == "flaky" and state == "passed":
        # Another of its answers did not.
        state = "flaky"
    if (state, stage) != (row.state, row.first_failed_stage):
        changed |= {"state": state, "first_failed_stage": stage}
    return row.model_copy(update=changed) if changed else row
