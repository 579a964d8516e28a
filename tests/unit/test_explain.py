"""What `explain` shows of one case."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.commands.explain import explained
from raggate_action.schema.base import Rate
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Passed, Problem, Unmeasured
from raggate_action.schema.policy import CaseGate, Gates
from tests.stored_runs import make_row

WRONG = Failed(problems=(Problem(code="noise-in-context", detail="c9"),), share=Rate(hits=1, total=3))


@pytest.mark.parametrize(
    ("level", "outcome", "shown"),
    [
        pytest.param("block", WRONG, "FAIL context_precision 1/3", id="a failure that blocks"),
        pytest.param("warn", WRONG, "FAIL context_precision 1/3 (only warns)", id="a failure that only warns"),
        pytest.param("off", WRONG, "off  context_precision 1/3", id="a failure of a gate that is off"),
        pytest.param("off", Unmeasured(reason="trace", detail="x"), "off  context_precision", id="off and unmeasured"),
        pytest.param("off", Passed(), "ok   context_precision", id="off and passed"),
        pytest.param("off", NotApplicable(why="x"), "-    context_precision", id="off and not asked"),
        pytest.param("block", Unmeasured(reason="trace", detail="x"), "?    context_precision", id="unmeasured"),
    ],
)
def test_a_gate_is_shown_with_what_its_level_makes_of_it(level: Any, outcome: Outcome, shown: str) -> None:
    row = make_row(0, outcomes={"context_precision": outcome})
    lines = list(explained(row, Gates(context_precision=CaseGate(level=level))))
    assert lines[lines.index("gates") + 1] == f"  {shown}"
