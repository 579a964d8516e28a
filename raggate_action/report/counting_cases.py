"""The cases that a blocked run blocks for and that no gate of their own fails, each with why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from raggate_action.schema.decision import FailedCase, GateReason, RunGate
from raggate_action.schema.outcome import RunGateName
from raggate_action.schema.run import Run

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison


def counting_cases(run: Run, comparison: Comparison | None) -> Mapping[str, Mapping[RunGateName, str]]:
    """The gates that each case counts for, with the first problem it has there; empty for one that is not listed.

    Args:
        run: The decided run.
        comparison: What it was compared with; without one the gates tell of their first cases alone.
    """
    problems: dict[tuple[str, RunGateName], str] = {}
    for reason in run.decision.reasons if run.failed_for else ():
        if isinstance(reason, GateReason) and reason.gate.status == "failed":
            for case_id, problem in _named(reason.gate, comparison):
                problems.setdefault((case_id, reason.gate.gate), problem)
    return {
        case_id: {gate: problems.get((case_id, gate), "") for gate in gates}
        for case_id, gates in run.failed_for.items()
    }


def _named(gate: RunGate, comparison: Comparison | None) -> Iterator[tuple[str, str]]:
    if comparison is not None and gate.gate == "new_suspects":
        yield from ((each.case_id, each.finding.reason) for each in comparison.new_suspects.listed)
    elif comparison is not None and comparison.poorer is not None and gate.gate == "poorer":
        for each in comparison.poorer.listed:
            counts = [reason for reason in each.reasons if not reason.shown]
            yield from ((each.case_id, f"{reason.state}: {reason.value or reason.here}") for reason in counts[:1])
    else:
        for offender in gate.offenders:
            if isinstance(offender, FailedCase) and not offender.carried:
                yield offender.case_id, offender.problem
