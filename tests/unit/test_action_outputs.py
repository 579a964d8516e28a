"""What a workflow can read of a run: outputs, and the run in numbers without a word of anybody."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.action.announcement import OUTPUTS, run_outputs
from raggate_action.report.report_input import Reporting
from raggate_action.schema.action_result import ActionResult
from tests.golden import pages
from tests.golden.hostile import hostile, repeated


def result(reporting: Reporting) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run_outputs(reporting)["result"])
    return found


def test_counts_and_gates_are_those_of_the_run() -> None:
    reporting = pages.block()
    found, run, comparison = result(reporting), reporting.run, reporting.comparison
    assert comparison is not None
    assert (found["decision"], found["enforced"], found["complete"]) == ("block", True, True)
    assert found["counts"]["passed"] == run.counts.passed
    assert found["regressions"] == comparison.regressed > 0
    assert [each["gate"] for each in found["gates"]] == [gate.gate for gate in run.gates]


def test_without_a_baseline_nothing_is_said_against_one() -> None:
    found = result(pages.no_baseline())
    assert (found["compared"], found["regressions"], found["fixed"], found["new_hallucinations"]) == (None,) * 4
    assert run_outputs(pages.no_baseline())["baseline-sha"] == ""


def test_an_app_that_was_not_reached_has_no_pass_rate() -> None:
    """It failed every case at the target: 0 of them is a count, 0 % would be a measure of its answers."""
    reporting = pages.unreachable()
    assert reporting.run.counts.failed > 0
    assert result(reporting)["pass_rate"] is None


def test_a_rate_is_one_decimal() -> None:
    assert result(pages.release())["pass_rate"] == 100.0


def test_no_word_of_anybody_is_in_the_result() -> None:
    """A run whose every name, id and text is an attack: all texts are keys or words of the schema."""
    found = result(hostile(repeated(), rows=5))
    schema = json.dumps(ActionResult.model_json_schema())
    assert not [text for text in _texts(found) if f'"{text}"' not in schema]
    assert len(json.dumps(found)) < 10_000


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *[text for each in value.values() for text in _texts(each)]]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("page", [pages.release, pages.block, pages.unreachable])
def test_what_is_written_is_declared(page: Any) -> None:
    assert set(run_outputs(page())) <= set(OUTPUTS)
