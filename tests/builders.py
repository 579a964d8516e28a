"""Small pictures of cases, evidence and traces, so that a test shows only what it is about."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.gates.diagnosis import Diagnosis, Rulebook, diagnose
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import ChunkFacts, EvidenceChunk, EvidenceStore
from raggate_action.schema.policy import Gates, Texts
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS, Pipeline
from raggate_action.schema.trace import Answered, Trace

NOON = datetime(2026, 6, 2, 12, 0, tzinfo=UTC)
ALL_STAGES = ("candidates", "rerank_input", "reranked", "context")


def make_chunk(chunk_id: str, text: str, **fields: Any) -> EvidenceChunk:
    """A permitted, current chunk of version v1, unless `fields` say otherwise."""
    given: dict[str, Any] = {"version": "v1", "permitted": True, "current": True, "principals": (), "valid_from": None}
    moments: dict[str, Any] = {
        name: parse_moment(fields[name]) for name in ("valid_from", "valid_until") if name in fields
    }
    origin = fields.pop("origin", (None, None))
    return EvidenceChunk(chunk_id, ChunkFacts(**{"valid_until": None, **given, **fields, **moments}), text, origin)


def make_store(*chunks: EvidenceChunk) -> EvidenceStore:
    return EvidenceStore(chunks, digest="digest-of-the-test-store")


def make_case(**fields: Any) -> Case:
    """A case as a user would write it in JSON; it asks something and has an id."""
    return Case.model_validate_json(json.dumps({"case_id": "q1", "question": "What holds?", **fields}))


def make_trace(**fields: Any) -> Trace:
    """A trace as an app would report it in JSON."""
    return Trace.model_validate_json(json.dumps({"case_id": "q1", **fields}))


def make_rules(
    store: EvidenceStore | None = None,
    *,
    pipeline: dict[str, Any] | None = None,
    gates: dict[str, Any] | None = None,
    language: str = "en",
    has_judges: bool = False,
    texts: Texts = "quotes",
) -> Rulebook:
    """Default gates; the context is the only stage declared."""
    return Rulebook(
        gates=Gates.model_validate_json(json.dumps(gates or {})),
        pipeline=Pipeline.model_validate_json(json.dumps(pipeline or {})),
        store=store,
        restricted=RestrictedText(store),
        reading=Reading(tuple(re.compile(p) for p in DEFAULT_CITATION_MARKERS), language),
        as_of=NOON,
        texts=texts,
        has_judges=has_judges,
    )


def judge(case: Case, trace: Trace, rules: Rulebook, *, labelled: bool = True) -> Diagnosis:
    return diagnose(case, Answered(trace=trace, labelled=labelled), rules)


def codes(diagnosis: Diagnosis, gate: str) -> list[str]:
    """The problem codes of a failed gate; empty when it did not fail."""
    return [problem.code for problem in getattr(diagnosis.outcomes[gate], "problems", ())]  # type: ignore[index]


def value(diagnosis: Diagnosis, gate: str) -> float:
    """The share a gate counted, as a number."""
    share = getattr(diagnosis.outcomes[gate], "share", None)  # type: ignore[index]
    assert share is not None, f"{gate} counted nothing: {diagnosis.outcomes[gate]}"  # type: ignore[index]
    return float(share.value)
