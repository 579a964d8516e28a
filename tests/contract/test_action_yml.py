"""action.yml, the inputs' record, the outputs we write say the same (F10)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from raggate_action.action.announcement import OUTPUTS
from raggate_action.github.action_inputs import INPUT_NAMES, ActionInputs, read_inputs

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())


def test_f10_the_inputs_are_the_records_fields() -> None:
    assert tuple(sorted(ACTION["inputs"])) == tuple(sorted(INPUT_NAMES))


def test_f10_the_defaults_are_the_records() -> None:
    """A default of action.yml, read as a runner hands it over, is the record's own; three are expressions."""
    expressions = {
        "github-token": "${{ github.token }}",
        "instance": "${{ toJSON(matrix) }}",
        "pr-number": "${{ github.event.inputs.pull-request }}",
    }
    defaults = {name: each.get("default", "") for name, each in ACTION["inputs"].items()}
    assert {name: defaults.pop(name) for name in expressions} == expressions
    # Without a matrix.
    defaults["instance"] = "null"
    assert read_inputs({f"INPUT_{name.upper()}": text for name, text in defaults.items()}) == ActionInputs()


def test_f10_the_outputs_are_those_we_write() -> None:
    assert tuple(ACTION["outputs"]) == OUTPUTS


def test_f10_the_title_is_our_own() -> None:
    assert ACTION["name"].lower() != "raggate"
    assert ACTION["runs"]["using"] == "docker"
    assert set(ACTION["branding"]) == {"icon", "color"}
