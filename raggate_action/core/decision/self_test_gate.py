"""The gate on the gates: every fault put into a passing trace that needs no label to be one has been caught."""

from __future__ import annotations

from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.core.decision.run_gates import ALL
from raggate_action.schema.decision import RunGate, UncaughtFault
from raggate_action.schema.policy import LevelGate
from raggate_action.schema.self_test import MUST_BE_CAUGHT, SelfTest


def self_test_gate(self_test: SelfTest | None, rule: LevelGate) -> list[RunGate]:
    """All mutants of the evidence path and all that need no label are caught; the others advise and have no gate.

    Nothing where no mutant of that kind could be made: without a passing trace it is not applicable, never 100 %.
    """
    if self_test is None:
        return []
    killed, made = self_test.demanded
    if not made:
        return []
    missed = [
        UncaughtFault(case_id=survivor.case_id, mutation=result.mutation)
        for result in self_test.results
        if result.kind in MUST_BE_CAUGHT
        for survivor in result.survivors
    ]
    gate = RunGate(
        gate="self_test",
        level=rule.level,
        status="passed" if killed == made else "failed",
        passed=killed,
        scored=made,
        bar=ALL,
        offenders=tuple(missed[:NAMED_AT_MOST]),
        offending=made - killed,
    )
    return [gate]
