"""The cases that a blocked run blocks for, by name: those that fail, and those that a gate on the run counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from raggate_action.schema.decision import FailedCase, GateReason, RunGate
from raggate_action.schema.outcome import RunGateName
from raggate_action.schema.run import Run

if TYPE_CHECKING:
    from raggate_action.schema.comparison import Comparison


def counting_cases(run: Run, comparison: Comparison | None) -> Mapping[str, Mapping[RunGateName, str]]:
    """Why each case counts for the block: the gates that name it, each with the first problem it has there.

    Empty where the run does not block. Lists are cut to the worst 200 of a gate.

    Args:
        run: The decided run.
        comparison: What it was compared with; without one the gates name their first cases alone.
    """
    found: dict[str, dict[RunGateName, str]] = {}
    for reason in run.decision.reasons:
        if isinstance(reason, GateReason) and reason.gate.status == "failed":
            for case_id, problem in _named(reason.gate, comparison):
                found.setdefault(case_id, {}).setdefault(reason.gate.gate, problem)
    return found


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
