"""Cases that a blocked run blocks for though no gate of their own fails: which, and what lets the run through."""

from __future__ import annotations

import pytest

from raggate_action.core.decision.baseline_gates import new_suspects_gate
from raggate_action.core.decision.poorer_gate import poorer_gate
from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.counting_cases import counting_cases
from raggate_action.report.decision_words import bar_in_words
from raggate_action.report.fault_list import fault_lines
from raggate_action.report.page import bare
from raggate_action.report.plain_sink import plain
from raggate_action.report.poorer_view import poorer_lines
from raggate_action.report.waiver_to_copy import release_by_waivers
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.decision import RunGate
from raggate_action.schema.main_answers import PoorerAnswers, PoorerCase, PoorerReason
from raggate_action.schema.policy import Gates
from tests.golden.builders import (
    blocked,
    case_rows,
    counted,
    first,
    gate_reason,
    make_comparison,
    make_reporting,
    problem_of,
)
from tests.row_builders import suspicious


def new_suspects(*rows: CaseRun) -> tuple[Change, ...]:
    """A new suspect in each of these cases."""
    reasons = [(row.case_id, row.claims[0].findings[0].reason) for row in rows]
    return tuple(first(case_id, f"absent: {reason}", gate="new_suspects", move="new") for case_id, reason in reasons)


def test_the_gate_on_suspects_names_three_of_its_cases() -> None:
    rows = [suspicious(number, "absent") for number in range(4)]
    gate = new_suspects_gate(Gates().new_suspects, make_comparison(**counted(*new_suspects(*rows)), compared=10))
    assert (gate.offending, [each.case_id for each in gate.offenders]) == (4, ["q0", "q1", "q2"])


def test_every_case_that_a_gate_on_the_run_counts_is_named_with_its_problem() -> None:
    """More than the three that the gate names; of one that is not listed the problem is not known."""
    rows = [suspicious(number, "absent") for number in range(4)]
    lost = PoorerCase(case_id="q7", reasons=(PoorerReason(state="lost-value", value="30 days"),))
    shown = PoorerCase(case_id="q8", reasons=(PoorerReason(state="lost-value", value="Ada", shown=True),))
    comparison = make_comparison(
        **counted(*new_suspects(*rows)), poorer=PoorerAnswers(compared=9, poorer=1, listed=(lost, shown))
    )
    reasons = (
        gate_reason("new_suspects  block  failed  6/10  none new", first("q0")),
        gate_reason("poorer  block  failed  8/9  <= 10 %", first("q7")),
    )
    failed_for = {**{f"q{number}": ("new_suspects",) for number in range(4)}, "q7": ("poorer",), "q9": ("poorer",)}
    run = make_reporting(tuple(rows), blocked(*reasons), failed_for=failed_for).run
    found = counting_cases(run, comparison)
    assert found == {
        **{f"q{number}": {"new_suspects": problem_of("absent: 20 is in no chunk")} for number in range(4)},
        "q7": {"poorer": problem_of("lost-value: 30 days")},
        "q9": {"poorer": None},
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
    decision = blocked(*reasons)
    found = bare(release_by_waivers(asking, make_reporting((), decision)))  # type: ignore[arg-type]
    assert bool(found) == bool(named)
    for gate in named:
        assert f"gate: {gate}, " in found


def poorer_line(decided_gates: tuple[RunGate, ...], found: PoorerAnswers) -> str:
    reasons = [gate for gate in decided_gates if gate.level == "block"]
    told = make_reporting((), blocked(*reasons), gates=decided_gates, comparison=make_comparison(poorer=found))
    return next(plain(line.words) for line in poorer_lines(told, COMMENT_EXTENTS[0]))


CHANGED = PoorerCase(case_id="q1", reasons=(PoorerReason(state="changed-value", value="2 to 3 days", sharp=True),))
SHOWN = PoorerCase(case_id="q2", reasons=(PoorerReason(state="lost-value", value="30 days", shown=True),))


@pytest.mark.parametrize(
    ("found", "bar", "aside"),
    [
        pytest.param(
            PoorerAnswers(compared=22, poorer=2, sharp=1, states={"changed-value": 2}, listed=(CHANGED, SHOWN)),
            "none",
            "2 poorer than on the baseline (1 answer with another value than the evidence: one is enough): "
            "2 answers gave another value: q1 and 1 more.",
            id="one value against its evidence",
        ),
        # A tenth of 100 cases may be poorer, and a tenth of the 20 with a value to lose.
        pytest.param(
            PoorerAnswers(
                compared=100, with_values=20, poorer=5, values=5, states={"lost-value": 5}, listed=(CHANGED,)
            ),
            "≤ 10 %, here 2",
            "5 poorer than on the baseline (2 allowed): 5 answers lost a value: q1 and 4 more.",
            id="of those with a value to lose",
        ),
        pytest.param(
            PoorerAnswers(compared=22, poorer=3, sharp=1, states={"changed-value": 3}, listed=(CHANGED, SHOWN)),
            "≤ 10 %, here 2",
            "3 poorer than on the baseline (2 allowed): 3 answers gave another value: q1 and 2 more.",
            id="the share of all is told where it is broken too",
        ),
    ],
)
def test_the_bar_is_that_of_the_rule_that_blocks_and_what_is_only_shown_is_not_counted(
    found: PoorerAnswers, bar: str, aside: str
) -> None:
    gate = poorer_gate(make_comparison(poorer=found), Gates().poorer)
    assert gate is not None
    assert (gate.level, gate.status, bar_in_words(gate)) == ("block", "failed", bar)
    assert poorer_line((gate,), found).startswith(aside)


def test_what_only_differs_is_not_called_poorer() -> None:
    found = PoorerAnswers(compared=22, listed=(SHOWN,))
    assert poorer_line((), found).startswith("Changed since the baseline, please read: 1 answer lost a value: q2.")


@pytest.mark.parametrize(
    ("failing", "is_first"),
    [pytest.param(3, True, id="of 19 three fail"), pytest.param(10, False, id="most of them fail")],
)
def test_the_fault_that_most_cases_have_comes_first(failing: int, *, is_first: bool) -> None:
    """The same answer for 19 of 22 cases, of which some fail a gate of their own as well."""
    picture = "\n".join(f"c{n}  failed  answered  declined: why" for n in range(failing))
    found = PoorerAnswers(compared=22, poorer=19, same_for_all=19, states={"same-for-all": 19}, listed=(CHANGED,))
    gate = poorer_gate(make_comparison(poorer=found), Gates().poorer)
    assert gate is not None
    told = make_reporting(case_rows(picture), blocked(gate), gates=(gate,), comparison=make_comparison(poorer=found))
    first_line = plain(fault_lines(told, COMMENT_EXTENTS[0])[0].words)
    assert first_line.startswith("19 poorer than on the baseline (2 allowed): 19 answers gave the same") == is_first


def test_a_poorer_answer_that_fails_a_stage_is_told_there_alone() -> None:
    found = PoorerAnswers(compared=40, poorer=2, states={"changed-value": 1, "lost-value": 1}, listed=(CHANGED, SHOWN))
    assert poorer_line((), found).startswith("Poorer than on the baseline: 1 answer gave another value: q1 and 1 more.")
    picture = "q1  failed  answered  declined: why"
    told = make_reporting(case_rows(picture), blocked(), comparison=make_comparison(poorer=found))
    said = [plain(line.words) for line in fault_lines(told, COMMENT_EXTENTS[0])]
    assert next(line for line in said if "oorer" in line or "Changed since" in line).startswith(
        "Changed since the baseline, please read: 1 answer lost a value: q2."
    )
    both = make_reporting(
        case_rows(f"{picture}\nq2  failed  answered  declined: why"), blocked(), comparison=told.comparison
    )
    assert not [line for line in fault_lines(both, COMMENT_EXTENTS[0]) if "oorer" in plain(line.words)]
