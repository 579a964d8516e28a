"""The gate on the gates: every fault of the evidence path that was put into a passing trace has been caught."""

from __future__ import annotations

from raggate_action.core.counting.facts import Offender
from raggate_action.core.decision.run_gates import Judged, first_of, named
from raggate_action.schema.policy import LevelGate
from raggate_action.schema.run import RunGate
from raggate_action.schema.self_test import SelfTest


def self_test_gate(self_test: SelfTest | None, rule: LevelGate) -> list[Judged]:
    """All mutants of the evidence path are caught; those of the answer advise only and have no gate.

    Nothing where no mutant of that kind could be made: without a passing trace it is not applicable, never 100 %.

    Source: rules 13; design 8.
    """
    if self_test is None:
        return []
    killed, made = self_test.counts("integrity")
    if not made:
        return []
    missed = [
        Offender(survivor.case_id, f"{result.mutation} was not caught")
        for result in self_test.results
        if result.kind == "integrity"
        for survivor in result.survivors
    ]
    gate = RunGate(
        gate="self_test",
        level=rule.level,
        status="passed" if killed == made else "failed",
        passed=killed,
        scored=made,
        bar="100 %",
        detail=named(missed, made - killed),
    )
    return [Judged(gate, first_of(missed))]
