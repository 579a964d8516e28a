from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from raggate_action.core.counting.case_state import with_state
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.run import Policy
from tests.property.test_run_laws import judged_runs
from tests.scoped_runs import indexed, run_of
from tests.thorough import examples


def without_amounts(policy: Policy) -> Policy:
    """Of latency and cost a part tells nothing."""
    return policy.model_copy(update={"gates": policy.gates.model_copy(update={"p95_latency_ms": None})})


def blocking(reporting: Reporting) -> set[tuple[str, str]]:
    """The gates that stand in the way, with how they stand."""
    gates = reporting.run.gates
    return {
        (gate.gate, gate.status)
        for gate in gates
        if gate.level == "block" and gate.status not in {"passed", "insufficient"}
    }


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(judged_runs(), st.data())
def test_unchanged_answers_are_decided_alike_in_every_scope(
    judged: tuple[Policy, list[CaseRun]], data: st.DataObject
) -> None:
    policy, rows = without_amounts(judged[0]), [with_state(row, judged[0].gates) for row in judged[1]]
    named = {row.case_id for row in rows if row.kind != "ordinary"}
    drawn = data.draw(st.sets(st.sampled_from([row.case_id for row in rows]))) if rows else set()
    only = named | drawn
    # Where no case is run at all nothing was evaluated, whatever is known from before.
    assume(any(row.case_id in only and row.kind != "known_bad" for row in rows))
    baseline = indexed(run_of(rows, policy), rows)
    whole = run_of(rows, policy, baseline=baseline)
    part = run_of(rows, policy, baseline=baseline, only=only)
    assert part.run.decision.kind == whole.run.decision.kind
    assert blocking(part) == blocking(whole)
    assert part.run.counts.cases == sum(row.case_id in only and row.kind != "known_bad" for row in rows)
