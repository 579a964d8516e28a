"""Whether two arms differ in one thing: what is written, which model, what was retrieved."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.ab.one_variable import Retrieved, one_variable
from raggate_action.schema.ab import Arm
from raggate_action.schema.ab_run import OneVariable, RetrievedApart, VersionApart
from raggate_action.schema.target import CommandTarget, HttpTarget, Ready

SAME: Retrieved = {"candidates": ("a", "b"), "context": ("a",)}


def arm(model: str | None = "m", *, lab: str | None = None, **env: str) -> Arm:
    return Arm(model=model, lab=lab, target=CommandTarget(kind="command", command=("app",), env=env))


def found(control: Arm, treatment: Arm, *retrieved: tuple[Retrieved, Retrieved], **given: Any) -> OneVariable:
    both = [(f"q{number}", *pair) for number, pair in enumerate(retrieved or [(SAME, SAME)])]
    return one_variable((control, treatment), both, given.get("versions", ({}, {})))


def test_a_key_that_only_the_treatment_has_is_named_by_its_path() -> None:
    one = found(arm(), arm(TOOL="on"))
    assert one == OneVariable(fields=("target.env.TOOL",), same_model=True, compared=1)
    assert one.is_only_one is True


def test_a_list_differs_as_a_whole() -> None:
    other = arm().model_copy(update={"target": CommandTarget(kind="command", command=("app", "--tool"))})
    assert found(arm(), other).fields == ("target.command",)


def test_what_is_waited_for_before_the_first_question_is_no_difference() -> None:
    """Two apps on two ports are waited for on two ports."""

    def at(port: int) -> Arm:
        url = f"http://127.0.0.1:{port}"
        return Arm(target=HttpTarget(kind="http", url=f"{url}/answer", ready=Ready(url=f"{url}/healthz")))

    assert found(at(1), at(2)).fields == ("target.url",)


def test_another_model_is_one_thing_though_it_is_of_another_lab() -> None:
    one = found(arm("m", lab="x"), arm("n", lab="y"))
    assert (one.fields, one.same_model, one.is_only_one) == (("model", "lab"), False, True)


@pytest.mark.parametrize(
    ("treatment", "fields"),
    [
        (arm(TOOL="on", TOP="9"), ("target.env.TOOL", "target.env.TOP")),
        (arm("n", TOOL="on"), ("model", "target.env.TOOL")),
        (arm(lab="z", TOOL="on"), ("lab", "target.env.TOOL")),
    ],
)
def test_two_written_differences_are_two_things(treatment: Arm, fields: tuple[str, ...]) -> None:
    one = found(arm(), treatment)
    assert (one.fields, one.is_only_one) == (fields, False)


@pytest.mark.parametrize(
    ("treatment", "expected"),
    [
        ({"candidates": ("a", "c"), "context": ("a",)}, ("candidates", ("b",), ("c",))),
        ({"candidates": ("a", "b"), "context": ("b",)}, ("context", ("a",), ("b",))),
        ({"candidates": ("b", "a"), "context": ("a",)}, ("candidates", (), ())),
        # Where an arm does not say what its candidates were, what was shown is compared.
        ({"context": ("b",)}, ("context", ("a",), ("b",))),
    ],
)
def test_retrieval_that_differs_is_told_where_it_parts(
    treatment: Retrieved, expected: tuple[Any, tuple[str, ...], tuple[str, ...]]
) -> None:
    one = found(arm(), arm(TOOL="on"), (SAME, SAME), (SAME, treatment))
    stage, control_only, treatment_only = expected
    assert one.apart == (
        RetrievedApart(question_id="q1", stage=stage, control_only=control_only, treatment_only=treatment_only),
    )
    assert (one.compared, one.is_only_one) == (2, False)


@pytest.mark.parametrize(
    "one",
    [
        found(arm(None), arm(None, TOOL="on")),
        found(arm(), arm(TOOL="on"), (SAME, {})),
        found(arm(), arm(TOOL="on"), (SAME, SAME), ({}, SAME)),
    ],
)
def test_what_nobody_says_is_not_taken_for_the_same(one: OneVariable) -> None:
    assert one.is_only_one is None
    assert not one.apart


def test_versions_that_differ_are_named_and_decide_nothing() -> None:
    one = found(arm(), arm(TOOL="on"), versions=({"tool": "0", "index": "i"}, {"tool": "1", "index": "i", "new": "x"}))
    assert one.versions == (
        VersionApart(key="tool", control="0", treatment="1"),
        VersionApart(key="new", control=None, treatment="x"),
    )
    assert one.is_only_one is True
