"""Rows are built without validation; here every shape of row goes back through it."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure
from raggate_action.schema.verdicts import CheckIssues
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace

STORE = make_store(make_chunk("c1", "Deploys require a linked rollback plan. It holds on weekends too."))
POINT = {"id": "plan", "answer_phrases": ["rollback plan"], "support_phrases": ["linked rollback plan"]}
LABELLED = {"claims": [{"text": "x", "citation_id": "c1", "support_phrases": ["rollback"], "answer_point": "p"}]}
TRACES: dict[str, Any] = {
    "quotation": {
        "answer": "Deploys require a linked rollback plan [c1]. It holds on weekends too [c1].",
        "context": ["c1"],
    },
    "denied point": {"answer": "It may start without a linked rollback plan.", "context": ["c1"]},
    "labels": {"answer": LABELLED, "context": ["c1"], "versions": [["index", "1"]], "usage": {"cost_usd": 0.1}},
    "unsupported label": {"answer": {"claims": [{"text": "x", "support_phrases": ["none"]}]}, "context": ["c1"]},
    "list": {"answer": "Needed:\n- a plan [1]\n- luck [9]", "context": [{"chunk_id": "c1", "version": "v1"}]},
    "declined": {"answer": "I don't know.", "context": []},
    "inadmissible": {"answer": "Tea.", "context": ["c1", "nobody"]},
    "empty": {"answer": "", "context": ["c1"]},
    "behaviour": {"answer": "Forbidden words.", "context": ["c1"], "tool_calls": ["search"], "latency_ms": 9000},
}
REPLIES: dict[str, Reply] = {
    **{name: Answered(make_trace(**trace), latency_ms=12.5, labelled=name != "list") for name, trace in TRACES.items()},
    "failure": TargetFailure(error="no answer within 2 s", latency_ms=2000),
    "cut": NoTrace(reason="cut", detail="the deadline had passed"),
}


@pytest.mark.parametrize("texts", ["quotes", "ids"])
@pytest.mark.parametrize("name", REPLIES)
def test_a_row_reads_back_as_itself(name: str, texts: Any) -> None:
    case = make_case(
        name="n", workflow="w", tags=["a"], required_source_ids=["c1"], required_points=[POINT, "p"],
        must_not_contain=["forbidden"], expected_tools=["find"], max_latency_ms=10, custom_check="m:f",
    )  # fmt: skip
    placed = PlacedCase(case, 3, case_digest(case), "cases.yaml", 7)
    rules = make_rules(STORE)._replace(slices_by=("workflow", "tags"), texts=texts)
    custom = CheckIssues(issues=("wrong sum",))
    row = evaluate_reply(placed, REPLIES[name], rules, custom=custom, finished_at="2026-06-02T12:00:00Z").row
    assert CaseRun.model_validate_json(row.model_dump_json()) == row
    assert set(vars(row)) == set(CaseRun.model_fields)
    assert all(set(vars(claim)) == set(Claim.model_fields) for claim in row.claims)
