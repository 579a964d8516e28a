from __future__ import annotations

import pytest

from raggate_action.core.counting.facts import SliceTally
from raggate_action.core.decision.slices import judge_slices
from raggate_action.schema.policy import Slices
from tests.row_builders import count, failed, make_policy, make_row, unmeasured, waiver

PROTECTED = {"by": ["category"], "protected": {"category": ["allergen"]}}


def slices(**fields: object) -> Slices:
    return make_policy(slices=fields).slices


@pytest.mark.parametrize(
    ("tally", "rules", "status"),
    [
        pytest.param((19, 1, 0), {}, "passed", id="19 of 20 reach 95 percent exactly"),
        pytest.param((18, 2, 0), {}, "failed", id="18 of 20 do not"),
        pytest.param((18, 1, 0), {}, "insufficient", id="19 cases are too few to judge"),
        pytest.param((1, 0, 0), {}, "insufficient", id="a small slice that passes is on watch as well"),
        pytest.param((18, 1, 5), {}, "insufficient", id="unmeasured cases do not make a slice larger"),
        pytest.param((0, 1, 0), {}, "failed", id="no scored case passed: red at any size"),
        pytest.param((0, 0, 3), {}, "unmeasured", id="nothing scored says nothing"),
        pytest.param((1, 1, 0), {"min_cases": 1}, "failed", id="min_cases 1 judges every slice"),
        pytest.param((2, 0, 0), {"min_cases": 1}, "passed", id="min_cases 1 passes what is whole"),
        pytest.param((2, 0, 0), PROTECTED, "passed", id="a protected slice is judged at any size"),
        pytest.param((99, 1, 0), PROTECTED, "failed", id="a protected slice must pass whole"),
    ],
)
def test_a_slice_is_judged(tally: tuple[int, int, int], rules: dict[str, object], status: str) -> None:
    (result,) = judge_slices([SliceTally("category=allergen", *tally)], slices(**rules))
    assert result.status == status
    assert (result.passed, result.scored, result.unmeasured) == (tally[0], tally[0] + tally[1], tally[2])
    assert result.protected == ("protected" in rules)


def test_the_labelled_outcomes_of_the_source_give_100_50_and_0_percent() -> None:
    outcomes = [
        ("release-freeze", True),
        ("release-freeze", False),
        ("incident-hotfix", True),
        ("incident-hotfix", True),
        ("schema-migration", False),
    ]
    rows = [
        make_row(n, slices=(f"workflow={workflow}",), outcomes={} if right else {"answered": failed()})
        for n, (workflow, right) in enumerate(outcomes)
    ]
    facts = count(rows)
    assert (facts.counts.passed, facts.counts.cases) == (3, 5)
    judged = judge_slices(facts.slices, slices(by=["workflow"], min_cases=1))
    assert [(part.name, part.passed, part.scored, part.status) for part in judged] == [
        ("workflow=release-freeze", 1, 2, "failed"),
        ("workflow=schema-migration", 0, 1, "failed"),
        ("workflow=incident-hotfix", 2, 2, "passed"),
    ]


def test_a_case_counts_in_each_of_its_slices_and_waived_and_known_bad_ones_in_none() -> None:
    policy = make_policy(waivers=[waiver("q2", "answered")])
    both = ("workflow=a", "tags=b")
    rows = [
        make_row(0, slices=both),
        make_row(1, slices=both, outcomes={"behaviour": unmeasured()}),
        make_row(2, slices=both, outcomes={"answered": failed()}),
        make_row(3, slices=both, kind="known_bad", blocked_at="admissibility", outcomes={"answered": failed()}),
        make_row(4, slices=("tags=b",), outcomes={"answered": failed()}),
    ]
    assert count(rows, policy).slices == (SliceTally("tags=b", 1, 1, 1), SliceTally("workflow=a", 1, 0, 1))
