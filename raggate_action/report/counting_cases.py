"""The cases that a blocked run blocks for and that no gate of their own fails, each with why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from raggate_action.schema.decision import RunGate
from raggate_action.schema.later import Comparison
from raggate_action.schema.outcome import Problem, RunGateName
from raggate_action.schema.run import Run


def counting_cases(run: Run, comparison: Comparison | None) -> Mapping[str, Mapping[RunGateName, Problem | None]]:
    """The gates that each case counts for, with the first problem it has there; empty for one that is not listed.

    Args:
        run: The decided run.
        comparison: What it was compared with; without one the gates tell of their first cases alone.
    """
    problems: dict[tuple[str, RunGateName], Problem | None] = {}
    for gate in run.named_gates if run.failed_for else ():
        for case_id, problem in _named(gate, comparison) if gate.status == "failed" else ():
            problems.setdefault((case_id, gate.gate), problem)
    return {
        case_id: {gate: problems.get((case_id, gate)) for gate in gates} for case_id, gates in run.failed_for.items()
    }


def _named(gate: RunGate, comparison: Comparison | None) -> Iterator[tuple[str, Problem | None]]:
    if comparison is not None and comparison.poorer is not None and gate.gate == "poorer":
        for each in comparison.poorer.listed:
            counts = [reason for reason in each.reasons if not reason.shown]
            problems = [Problem(code=reason.state, detail=reason.value or reason.here) for reason in counts[:1]]
            yield from ((each.case_id, problem) for problem in problems)
        return
    listed = comparison.found(gate.gate) if comparison is not None else ()
    for change in listed or gate.offenders:
        if change.case_id and change.move != "same":
            yield change.case_id, change.problem
