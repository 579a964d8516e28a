from __future__ import annotations

from collections import Counter

import pytest

from raggate_action.core.decision.slice_gates import judge_slices, telling_slices
from raggate_action.schema.slices import Slices
from tests.row_builders import count, failed, make_policy, make_row, unmeasured, waiver

BY: dict[str, object] = {"by": ["category"]}
PROTECTED = {"by": ["category"], "protected": {"category": ["allergen"]}}


def slices(**fields: object) -> Slices:
    return make_policy(slices=fields).slices


def of(passed: int, failed: int, unmeasured: int) -> Counter[str]:
    return Counter(passed=passed, failed=failed, unmeasured=unmeasured)


WATCHED = slices()


@pytest.mark.parametrize(
    ("tally", "rules", "status"),
    [
        pytest.param((19, 1, 0), BY, "passed", id="19 of 20 reach 95 percent exactly"),
        pytest.param((18, 2, 0), BY, "failed", id="18 of 20 do not"),
        pytest.param((18, 1, 0), BY, "insufficient", id="19 cases are too few to judge"),
        pytest.param((1, 0, 0), BY, "insufficient", id="a small slice that passes is on watch as well"),
        pytest.param((18, 1, 5), BY, "insufficient", id="unmeasured cases do not make a slice larger"),
        pytest.param((0, 1, 0), BY, "failed", id="no scored case passed: red at any size"),
        pytest.param((0, 0, 3), BY, "unmeasured", id="nothing scored says nothing"),
        pytest.param((1, 1, 0), {**BY, "min_cases": 1}, "failed", id="min_cases 1 judges every slice"),
        pytest.param((2, 0, 0), {**BY, "min_cases": 1}, "passed", id="min_cases 1 passes what is whole"),
        pytest.param((2, 0, 0), PROTECTED, "passed", id="a protected slice is judged at any size"),
        pytest.param((99, 1, 0), PROTECTED, "failed", id="a protected slice must pass whole"),
        pytest.param((0, 99, 0), {}, "insufficient", id="a suite that asks for no slices only watches them"),
        pytest.param((0, 99, 0), {"min_cases": 1}, "insufficient", id="a bar alone asks for none"),
        pytest.param((0, 0, 9), {}, "unmeasured", id="a watched slice of which nothing is known"),
    ],
)
def test_a_slice_is_judged(tally: tuple[int, int, int], rules: dict[str, object], status: str) -> None:
    (result,) = judge_slices({"category=allergen": of(*tally)}, slices(**rules))
    assert result.status == status
    assert (result.passed, result.scored, result.unmeasured) == (tally[0], tally[0] + tally[1], tally[2])
    assert result.protected == ("protected" in rules)


@pytest.mark.parametrize(
    ("rules", "cut_by"),
    [
        pytest.param({}, ("workflow", "category"), id="a suite without slices"),
        pytest.param({"min": "50%"}, ("workflow", "category"), id="a bar alone"),
        pytest.param({"by": ["tags"]}, ("tags",), id="its own field"),
        pytest.param({"protected": {"category": ["allergen"]}}, ("category",), id="a protected one alone"),
        pytest.param(
            {"by": ["tags"], "protected": {"tags": ["a"], "category": ["b"]}}, ("tags", "category"), id="both"
        ),
    ],
)
def test_what_results_are_cut_by(rules: dict[str, object], cut_by: tuple[str, ...]) -> None:
    assert slices(**rules).cut_by == cut_by


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        pytest.param(["category=a", "category=b"], ["category=a", "category=b"], id="two values part the cases"),
        pytest.param(["category=a", "workflow=x"], [], id="one value of each field parts nothing"),
        pytest.param(
            ["category=a", "workflow=x", "workflow=y=z"], ["workflow=x", "workflow=y=z"], id="each field by itself"
        ),
        pytest.param([], [], id="no values"),
    ],
)
def test_of_watched_slices_a_field_with_one_value_is_left_out(names: list[str], kept: list[str]) -> None:
    results = judge_slices({name: of(1, 1, 0) for name in names}, WATCHED)
    assert [part.name for part in telling_slices(results, WATCHED)] == kept
    asked_for = slices(by=["category"])
    results = judge_slices({name: of(1, 1, 0) for name in names}, asked_for)
    assert telling_slices(results, asked_for) == results


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
    assert count(rows, policy).slices == {"tags=b": of(1, 1, 1), "workflow=a": of(1, 0, 1)}
