"""Claims that people's labels call supported: of one question beside the same chunks, and where no label says otherwise."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raggate_action.core.judging.cleared_claims import ClearedClaims
from raggate_action.schema.calibration import LabelledAnswer
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import ClaimVote

TEXTS = ["The desk opens at nine.", "Returns are free."]


def label(verdict: str = "supported", **fields: Any) -> LabelledAnswer:
    chunks = [{"chunk_id": f"c{number}", "text": text} for number, text in enumerate(TEXTS)]
    claims = [{"claim_id": "x", "text": "It is free.", "verdict": verdict}]
    whole = {"id": "l", "question": "Returns?", "chunks": chunks, "answer": "It is free.", "claims": claims, **fields}
    return LabelledAnswer.model_validate_json(json.dumps(whole))


CLAIM = Claim(claim_id="claim-1", text="It is free.", votes=(ClaimVote(judge="a", verdict="unsupported"),))


@pytest.mark.parametrize(
    ("labels", "question", "chunks", "cleared"),
    [
        ([label()], "Returns?", TEXTS, True),
        ([label()], "Returns?", TEXTS[::-1], True),
        ([label()], "Delivery?", TEXTS, False),
        ([label()], "Returns?", TEXTS[:1], False),
        ([label()], "Returns?", [TEXTS[0], "Returns cost 3 EUR."], False),
        ([label()], "Returns?", [TEXTS[0], None], False),
        ([label("partial")], "Returns?", TEXTS, False),
        ([label(), label("contradicted", id="l2")], "Returns?", TEXTS, False),
        ([], "Returns?", TEXTS, False),
    ],
)
def test_a_label_speaks_of_a_claim_beside_its_question_and_chunks(
    labels: list[LabelledAnswer], question: str, chunks: list[str | None], *, cleared: bool
) -> None:
    [found] = ClearedClaims.by(labels).with_cleared((CLAIM,), question, chunks)
    assert found == CLAIM.model_copy(update={"cleared": cleared})
