"""What a first run of which little is known could have blocked on, what it could not, and the next step."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.report.page import Code, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.report.size_ladder import gate_name
from raggate_action.schema.base import Rate, meets
from raggate_action.schema.outcome import GATES, GATES_OF_ALL, GateName

# What an author writes so that a gate has something to measure.
_LABELS: dict[GateName, str] = {
    "context_recall": "required_source_ids",
    "point_coverage": "required_points",
    "behaviour": "must_contain",
}
_WANT_CONTEXT: frozenset[GateName] = frozenset({"context_recall", "point_coverage"})
_KEEP = "and keep this run as the baseline, so that the next one blocks on what turns worse."


class FirstRun(NamedTuple):
    """What a reader of a first run has to know before believing it.

    Attributes:
        could: Gates that had something to measure and would have blocked, by the names people read.
        could_not: Gates that block, too, and had nothing to measure.
        next_step: What to do about it.
    """

    could: str
    could_not: str
    next_step: Text


def first_run(reporting: Reporting) -> FirstRun | None:
    """What is to be said of the run; None where it was compared, or nothing passed, or enough of that is verified."""
    run = reporting.run
    counts, gates = run.counts, run.policy.gates
    known = Rate(hits=counts.verified, total=counts.passed)
    if reporting.comparison is not None or not counts.passed or meets(known, gates.verified.min):
        return None
    could = [gate.gate for gate in run.gates if gate.level == "block" and gate.status in {"passed", "failed"}]
    # Gates that only judges can feed are nobody's question unless the suite asks it.
    asked = {gate.gate for gate in run.gates} | set(GATES_OF_ALL)
    missing = [gate for gate in GATES if gate in asked and gates.of(gate).level == "block" and gate not in could]
    names = [gate_name(gate) for gate in missing]
    names += [gate_name(gate.gate) for gate in run.gates if gate.gate not in GATES and gate.status == "insufficient"]
    labels = [
        Code(label)
        for gate, label in _LABELS.items()
        if gate in missing and not (run.policy.no_context and gate in _WANT_CONTEXT)
    ]
    step: Text = "look through the answers that are not verified and write what is wrong with them as known-bad cases, "
    if labels:
        step = "write ", joined(", ", labels), " for the questions that matter most, "
    return FirstRun(", ".join([gate_name(gate) for gate in could]), ", ".join(names), (step, _KEEP))
