from __future__ import annotations

import hashlib
from typing import Any

import pytest

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.scope_selection import select
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.partial_scope import Scope
from tests.builders import make_case
from tests.row_builders import failed, index, make_policy, make_row, unmeasured, waiver

KNOWN_BAD: dict[str, Any] = {"released": False, "blocked_at": "admissibility", "trace": {}}


def place(position: int, digest: str | None = None, **fields: Any) -> PlacedCase:
    case = make_case(case_id=f"q{position}", **fields)
    return PlacedCase(case, position, digest or f"digest-{position}", "cases.yaml", position + 1)


def baseline() -> BaselineIndex:
    """q0 passed, q1 failed, q2 was unmeasured, q3 was waived, q4 was not run."""
    rows = [
        make_row(0),
        make_row(1, outcomes={"answered": failed()}),
        make_row(2, outcomes={"answered": unmeasured()}),
        make_row(3, outcomes={"answered": failed()}),
    ]
    return index(rows, make_policy(waivers=[waiver("q3", "answered")]), not_in_scope=("q4",))


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        pytest.param({}, (0, 1, 2, 3, 4, 5), id="a scope that names nothing is everything"),
        pytest.param({"tags": ("smoke", "other")}, (1,), id="cases with any of the tags"),
        pytest.param({"changed": True}, (0, 5), id="cases that are new or read differently"),
        pytest.param({"failing_on_base": True}, (1, 2, 3), id="cases that did not pass; one not run did not fail"),
        pytest.param({"tags": ("smoke",), "changed": True}, (0, 1, 5), id="the union of both"),
        pytest.param({"sample": 100}, (0, 1, 2, 3, 4, 5), id="a sample larger than the suite is the suite"),
    ],
)
def test_a_scope_chooses(scope: dict[str, object], expected: tuple[int, ...]) -> None:
    cases = [place(0, "another digest"), place(1, tags=["smoke"]), *(place(n) for n in range(2, 6))]
    assert select(cases, Scope.model_validate(scope), seed=0, baseline=baseline()) == expected


def test_a_changed_case_that_failed_is_still_one_that_failed() -> None:
    assert select([place(1, "another digest")], Scope(failing_on_base=True), seed=0, baseline=baseline()) == (1,)


@pytest.mark.parametrize("scope", [Scope(changed=True), Scope(failing_on_base=True), Scope(changed=True, sample=1)])
def test_without_a_baseline_every_case_is_new(scope: Scope) -> None:
    cases = [place(n) for n in range(3)]
    assert select(cases, scope, seed=0, baseline=None) == (0, 1, 2)


def test_known_bad_and_must_release_cases_always_run() -> None:
    cases = [place(0), place(1, **KNOWN_BAD), place(2, released=True)]
    assert select(cases, Scope(tags=("nobody",)), seed=0, baseline=None) == (1, 2)


def test_a_sample_is_the_smallest_digests_of_seed_and_id_among_the_rest() -> None:
    cases = [place(n, tags=["smoke"] if n == 0 else []) for n in range(40)]
    rest = sorted(range(1, 40), key=lambda n: hashlib.sha256(f"7:q{n}".encode()).hexdigest())
    scope = Scope(tags=("smoke",), sample=5)
    assert select(cases, scope, seed=7, baseline=None) == tuple(sorted([0, *rest[:5]]))
    assert select(cases, scope, seed=8, baseline=None) != select(cases, scope, seed=7, baseline=None)


def test_cases_are_read_once_and_in_any_order() -> None:
    cases = [place(n) for n in range(30)]
    scope = Scope(sample=4)
    chosen = select(iter(cases), scope, seed=1, baseline=None)
    assert len(chosen) == 4
    assert select(iter(reversed(cases)), scope, seed=1, baseline=None) == chosen
