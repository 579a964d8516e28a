"""An author's label does not decide for a claim that denies what its phrases say."""

from __future__ import annotations

from typing import Any

import pytest

from tests.builders import judge, make_case, make_chunk, make_rules, make_store, make_trace

TEXT = "A deploy requires a linked rollback plan. Friday deploys must not start without approval."


def verdict(text: str, phrase: str) -> tuple[str, list[str]]:
    claim: dict[str, Any] = {"claim_id": "a", "text": text, "citation_ids": ["c1"], "support_phrases": [phrase]}
    trace = make_trace(answer={"text": text, "claims": [claim]}, context=["c1"])
    (found,) = judge(make_case(), trace, make_rules(make_store(make_chunk("c1", TEXT)))).claims
    return found.verdict, [f"{finding.kind} {finding.code}" for finding in found.findings]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        pytest.param("A deploy needs a linked rollback plan.", "a linked rollback plan", id="it affirms"),
        pytest.param("No deploy starts without a linked rollback plan.", "a linked rollback plan", id="twice denied"),
        pytest.param("Friday deploys need approval.", "must not start without approval", id="the source denies twice"),
        pytest.param("No, Friday deploys mustn't start without approval.", "must not start without approval", id="no, which answers"),
    ],
)  # fmt: skip
def test_a_label_decides_where_claim_and_source_agree(text: str, phrase: str) -> None:
    assert verdict(text, phrase) == ("supported", [])


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        pytest.param("It is never the case that a deploy requires a linked rollback plan.", "a linked rollback plan", id="never the case"),
        pytest.param("A deploy may start without a linked rollback plan.", "a linked rollback plan", id="without"),
        pytest.param("A deploy doesn't require a linked rollback plan.", "requires a linked rollback plan", id="doesn't"),
    ],
)  # fmt: skip
def test_a_claim_that_denies_what_its_label_says_stays_open(text: str, phrase: str) -> None:
    assert verdict(text, phrase) == ("unverified", ["conflict polarity"])
