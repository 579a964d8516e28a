"""Cases that a blocked run blocks for though no gate of their own fails: which, and what lets the run through."""

from __future__ import annotations

import pytest

from raggate_action.core.decision.baseline_gates import new_suspects_gate
from raggate_action.report.counting_cases import counting_cases
from raggate_action.report.waiver_to_copy import release_by_waivers
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import NewSuspect, NewSuspects
from raggate_action.schema.decision import Decision, FailedCase, GateReason
from raggate_action.schema.main_answers import PoorerAnswers, PoorerCase, PoorerReason
from raggate_action.schema.policy import SuspectGate
from tests.golden.builders import blocked, first, gate_reason, make_comparison, make_reporting
from tests.row_builders import count, suspicious


def new_suspects(*rows: CaseRun, claims: int = 1) -> NewSuspects:
    """So many new suspects in each of these cases."""
    claim = rows[0].claims[0]
    suspect = NewSuspect(case_id="", claim_id="claim-1", text=claim.text, finding=claim.findings[0])
    listed = tuple([suspect.model_copy(update={"case_id": row.case_id}) for row in rows for _claim in range(claims)])
    return NewSuspects(absent=len(rows), listed=listed, suspects=len(listed))


def test_cases_with_several_new_suspects_count_once() -> None:
    """Four cases of two suspects each are four offenders, of which three are named."""
    rows = [suspicious(number, "absent") for number in range(4)]
    comparison = make_comparison(new_suspects=new_suspects(*rows, claims=2), compared=10)
    (gate,) = new_suspects_gate(count(rows), SuspectGate(), comparison)
    assert (gate.offending, [each.case_id for each in gate.offenders if isinstance(each, FailedCase)]) == (
        4,
        ["q0", "q1", "q2"],
    )


def test_every_case_that_a_gate_on_the_run_counts_is_named_with_its_problem() -> None:
    """More than the three that the gate names; what is only shown of a poorer answer does not count."""
    rows = [suspicious(number, "absent") for number in range(4)]
    lost = PoorerCase(case_id="q7", reasons=(PoorerReason(state="lost-value", value="30 days"),))
    shown = PoorerCase(case_id="q8", reasons=(PoorerReason(state="lost-name", value="Ada", shown=True),))
    comparison = make_comparison(
        new_suspects=new_suspects(*rows), poorer=PoorerAnswers(compared=9, poorer=1, listed=(lost, shown))
    )
    reasons = (
        gate_reason("new_suspects  block  failed  6/10  none new", first("q0")),
        gate_reason("poorer  block  failed  8/9  <= 10 %", first("q7")),
    )
    run = make_reporting(tuple(rows), blocked(*reasons)).run
    found = counting_cases(run, comparison)
    assert found == {
        **{f"q{number}": {"new_suspects": "20 is in no chunk"} for number in range(4)},
        "q7": {"poorer": "lost-value: 30 days"},
    }


@pytest.mark.parametrize(
    ("gates", "asking", "named"),
    [
        pytest.param(("new_suspects",), "new_suspects", ("new_suspects",), id="alone"),
        pytest.param(("new_suspects", "poorer"), "poorer", ("new_suspects", "poorer"), id="both in one piece"),
        pytest.param(("new_suspects", "poorer"), "new_suspects", (), id="and told once"),
        pytest.param(("faithfulness", "poorer"), "poorer", (), id="a waiver would not let the run through"),
    ],
)
def test_a_waiver_is_offered_where_it_lets_the_run_through(
    gates: tuple[str, ...], asking: str, named: tuple[str, ...]
) -> None:
    reasons = [gate_reason(f"{gate}  block  failed  6/10  none new") for gate in gates]
    decision: Decision = blocked(*reasons)
    assert all(isinstance(each, GateReason) for each in decision.reasons)
    found = release_by_waivers(asking, make_reporting((), decision))  # type: ignore[arg-type]
    assert (found is not None) == bool(named)
    for gate in named:
        assert found is not None
        assert f"gate: {gate}, " in found.text
