"""The closed set of gate names: every one on cases has a rule of its own name, and every rule has a name."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import get_args

from raggate_action.schema.outcome import GATES, GateName, RunGateName
from raggate_action.schema.policy import Gates, PlainGate

PACKAGE = Path(__file__).parents[2] / "raggate_action"
# These compare with a baseline or stand in for a gate without one: there is nothing to set.
WITHOUT_A_RULE = {"slices", "newly_inadmissible", "judges_lost"}


def test_every_gate_on_cases_has_a_place_in_the_diagnosis_and_a_rule_of_its_name() -> None:
    gates = Gates()
    assert tuple(GATES) == get_args(GateName)
    for name in get_args(GateName):
        assert isinstance(gates.of(name), PlainGate)
        assert gates.of(name) is gates.model_copy().of(name)
    changed = Gates.model_validate_json('{"behaviour": {"level": "warn", "min": "50%"}}')
    assert changed.of("behaviour").level == "warn"
    assert changed.of("answered").level == "block"


def test_the_gates_on_a_run_are_those_on_cases_and_every_other_that_a_suite_may_set() -> None:
    names = set(get_args(RunGateName))
    assert set(get_args(GateName)) < names
    assert set(Gates.model_fields) == names - WITHOUT_A_RULE


def test_nobody_reaches_a_gate_by_a_bare_name() -> None:
    reached = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "getattr"
        and {"gate", "gates", "levels"} & {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    ]
    assert [place.partition(":")[0] for place in reached] == ["schema/policy.py"]


def test_what_a_suite_leaves_out_of_a_gate_on_the_run_is_as_in_its_default() -> None:
    written = '{"flaky": {"level": "warn"}, "score_drop": {"level": "block"}, "new_suspects": {"max": "1%"}, "ab": {}}'
    gates, default = Gates.model_validate_json(written), Gates()
    assert (gates.flaky.level, gates.flaky.max) == ("warn", default.flaky.max)
    assert (gates.score_drop.level, gates.score_drop.max) == ("block", 0.05)
    assert (gates.new_suspects.level, gates.ab.level) == ("block", "warn")
    # Of a gate on cases it is the class's: one that is off by default is on where anything is written of it.
    assert Gates.model_validate_json('{"context_precision": {"min": 0.9}}').context_precision.level == "block"
