"""Instructions, bare referrals and conditions that were put down before the rules were read by their author."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.evidence_checks.declining import judged
from raggate_action.core.claims.claim_extraction import Reading, itemise
from raggate_action.core.claims.claim_verdicts import adjudicate
from raggate_action.core.claims.model_context import context_of
from raggate_action.schema.case_run import Finding
from raggate_action.schema.trace import Answer, TracedChunk

BLIND: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "bench/evidence_checks/leads_blind.yaml").read_text(encoding="utf-8")
)


def findings(evidence: str, claim: str) -> list[Finding]:
    context = context_of((TracedChunk(chunk_id="c1", text=evidence),), None, language="en")
    drafts = itemise(Answer(text=claim), context, known={"c1"}, reading=Reading((), "en"))
    return [finding for claim in adjudicate(drafts, (), context) for finding in claim.findings]


@pytest.mark.parametrize(("question", "answer"), BLIND["instruction"])
def test_an_instruction_is_no_decline_alone_or_beside_one(question: str, answer: str) -> None:
    assert judged(question, answer)[0] != "declined"
    assert judged(question, f"I don't know. {answer}")[0] != "declined"


@pytest.mark.parametrize(("question", "answer"), BLIND["referral"])
def test_a_referral_without_content_is_no_claim(question: str, answer: str) -> None:
    assert judged(question, answer) == ("declined", False)
    assert judged(question, f"I don't know. {answer}") == ("declined", False)


def test_most_instructions_are_told_to_answer() -> None:
    # Undecided are those that start as a referral does: "call the front desk within one hour".
    assert sum(judged(*pair)[0] == "answered" for pair in BLIND["instruction"]) >= 7


def test_a_condition_dropped_or_added_is_noted_and_blocks_nothing() -> None:
    found = [findings(evidence, claim) for evidence, claim in BLIND["condition"]]
    # Not noted: a bound ("for orders above 50 euros"), and German.
    assert sum(bool(each) for each in found) >= 8
    assert all(finding.advisory and not finding.certain for each in found for finding in each)


@pytest.mark.parametrize(("evidence", "claim"), BLIND["condition_kept"])
def test_a_condition_that_moved_is_not_noted(evidence: str, claim: str) -> None:
    assert findings(evidence, claim) == []
