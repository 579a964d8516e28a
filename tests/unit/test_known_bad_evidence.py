"""A known-bad answer is judged with the documents it was given from, whatever has become of them since."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.evidence import EvidenceChunk, EvidenceStore
from raggate_action.schema.trace import Answered
from tests.builders import make_case, make_chunk, make_rules, make_store
from tests.row_builders import count, make_policy

OLD, NEW = "A parcel can be returned within 28 days.", "A parcel can be returned within 60 days."
WRONG = "A parcel can be returned within 35 days."
WITH_TEXT = {"chunk_id": "c1", "version": "v1", "text": OLD}
WITHOUT = {"chunk_id": "c1", "version": "v1"}


def row_of(chunk: EvidenceChunk | None, shown: Any, answer: str = WRONG, at: str = "answer faithfulness") -> CaseRun:
    """The row of a known-bad case whose trace shows `shown`, by a store of this chunk and another."""
    store = make_store(*([chunk] if chunk is not None else []), make_chunk("other", "Shops are open on Sundays."))
    bad = {"case_id": "bad", "released": False, "blocked_at": at, "trace": {"answer": answer, "context": [shown]}}
    return judged(bad, store)


def judged(fields: dict[str, Any], store: EvidenceStore) -> CaseRun:
    bad = make_case(**fields)
    assert bad.trace is not None
    placed = PlacedCase(bad, 0, "d", "cases.yaml", 1)
    return evaluate_reply(placed, Answered(bad.trace), make_rules(store), custom=None, finished_at="").row


def counted(row: CaseRun) -> tuple[int, int, int]:
    """Known-bad cases, those blocked, and those to renew."""
    counts = count([row], make_policy()).counts
    return counts.known_bad, counts.known_bad_blocked, counts.known_bad_to_renew


TODAY: list[Any] = [
    pytest.param(make_chunk("c1", OLD), id="nothing has changed"),
    pytest.param(make_chunk("c1", NEW, version="v2"), id="a new version"),
    pytest.param(make_chunk("c1", NEW), id="another text of the same version"),
    pytest.param(make_chunk("c1", OLD, current=False), id="superseded"),
    pytest.param(make_chunk("c1", OLD, valid_until="2020-01-01"), id="past its date"),
    pytest.param(None, id="gone"),
]


@pytest.mark.parametrize("chunk", TODAY)
def test_it_is_judged_with_the_text_of_its_own_trace(chunk: EvidenceChunk | None) -> None:
    row = row_of(chunk, WITH_TEXT)
    assert (row.first_failed_stage, counted(row)) == ("answer faithfulness", (1, 1, 0))


@pytest.mark.parametrize("chunk", TODAY)
def test_one_that_the_gates_let_through_is_not_blocked(chunk: EvidenceChunk | None) -> None:
    assert counted(row_of(chunk, WITH_TEXT, answer=OLD)) == (1, 0, 0)


@pytest.mark.parametrize(
    ("chunk", "shown", "found"),
    [
        pytest.param(make_chunk("c1", OLD), WITHOUT, (1, 1, 0), id="the store has the text still"),
        pytest.param(make_chunk("c1", OLD, current=False), WITHOUT, (1, 1, 0), id="of what is superseded as well"),
        pytest.param(make_chunk("c1", NEW, version="v2"), WITHOUT, (0, 0, 1), id="a new version"),
        pytest.param(None, WITHOUT, (0, 0, 1), id="gone"),
        pytest.param(make_chunk("c1", OLD, permitted=False), WITH_TEXT, (0, 0, 1), id="nobody may read it any more"),
    ],
)
def test_one_whose_text_is_not_at_hand_is_to_be_renewed(
    chunk: EvidenceChunk | None, shown: Any, found: tuple[int, int, int]
) -> None:
    assert counted(row_of(chunk, shown)) == found


@pytest.mark.parametrize(
    ("candidates", "quotes", "found"),
    [
        pytest.param(["gone", "other"], [], (1, 1, 0), id="nobody asks for the text of a candidate"),
        pytest.param(["gone", "other"], [OLD], (0, 0, 1), id="a quote may have stood in it"),
        pytest.param([{"chunk_id": "gone", "text": OLD}, "other"], [OLD], (1, 1, 0), id="the trace holds it"),
    ],
)
def test_the_text_of_a_candidate_is_needed_where_a_quote_is_required(
    candidates: list[Any], quotes: list[str], found: tuple[int, int, int]
) -> None:
    at = "context selection" if quotes else "answer faithfulness"
    trace = {"answer": "Shops are closed on Sundays.", "candidates": candidates, "context": ["other"]}
    bad = {"case_id": "bad", "released": False, "blocked_at": at, "trace": trace, "required_quotes": quotes}
    assert counted(judged(bad, make_store(make_chunk("other", "Shops are open on Sundays.")))) == found


@pytest.mark.parametrize(("chunk", "blocked"), [(each.values[0], int(number > 0)) for number, each in enumerate(TODAY)])
def test_a_fault_of_the_evidence_path_is_seen_with_the_store_of_today(
    chunk: EvidenceChunk | None, blocked: int
) -> None:
    assert counted(row_of(chunk, WITH_TEXT, answer=OLD, at="admissibility")) == (1, blocked, 0)


def test_a_row_that_names_no_gate_is_counted_as_not_blocked() -> None:
    """A fork may write such a row."""
    bare = row_of(None, WITH_TEXT).model_copy(update={"outcomes": {}, "first_failed_stage": None})
    assert counted(bare) == (1, 0, 0)
