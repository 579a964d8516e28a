"""Permission, time and forbidden text: what a store adds to admissibility, and what never leaves it."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.outcome import Failed
from raggate_action.schema.trace import Answered, TargetFailure
from tests.builders import codes, judge, make_case, make_chunk, make_rules, make_store, make_trace

SECRET = "the vault code for the north door is four seven one nine"  # noqa: S105  not a password of ours
STORE = make_store(
    make_chunk("open", "Doors open at nine in the morning."),
    make_chunk("secret", f"Internal: {SECRET}.", principals=("guards",)),
    make_chunk("never", "Nobody may read these five words.", permitted=False),
)


@pytest.mark.parametrize(
    ("flags", "case", "expected"),
    [
        pytest.param({}, {}, [], id="no flags, no principals: everybody, always"),
        pytest.param(
            {"permitted": False}, {"principals": ["guards"]}, ["restricted-chunk"], id="the flag beats principals"
        ),
        pytest.param({"principals": ("guards",)}, {}, ["restricted-chunk"], id="principals, asked by nobody"),
        pytest.param(
            {"principals": ("guards",)},
            {"principals": ["cooks"]},
            ["restricted-chunk"],
            id="principals that do not meet",
        ),
        pytest.param({"principals": ("guards",)}, {"principals": ["cooks", "guards"]}, [], id="principals that meet"),
        pytest.param({"current": False}, {}, ["superseded-chunk"], id="the flag says superseded"),
        pytest.param({"valid_from": "2026-06-02T12:00:00Z"}, {}, [], id="valid from this very moment"),
        pytest.param({"valid_from": "2026-06-02T12:00:01Z"}, {}, ["superseded-chunk"], id="not yet valid"),
        pytest.param({"valid_until": "2026-06-02T12:00:00Z"}, {}, ["superseded-chunk"], id="the end is not in it"),
        pytest.param({"valid_until": "2026-06-02T12:00:01Z"}, {}, [], id="still valid"),
        pytest.param({"valid_until": "2026-06-01"}, {"as_of": "2026-05-01"}, [], id="a case may ask in the past"),
    ],
)
def test_permitted_and_current(flags: dict[str, Any], case: dict[str, Any], expected: list[str]) -> None:
    rules = make_rules(make_store(make_chunk("c1", "Tea is hot.", **flags)))
    diagnosis = judge(make_case(**case), make_trace(answer="Yes.", context=["c1"]), rules)
    assert codes(diagnosis, "admissibility") == expected


def test_without_a_store_ids_and_permissions_are_not_judged() -> None:
    trace = make_trace(answer="Tea is hot.", context=[{"chunk_id": "anything", "text": "Tea is hot."}])
    assert codes(judge(make_case(), trace, make_rules()), "admissibility") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Doors  open at nine\nin the morning.", [], id="spacing is no difference"),
        pytest.param("Doors open at ten in the morning.", ["text-differs"], id="a word is"),
    ],
)
def test_traced_text_must_be_the_stores(text: str, expected: list[str]) -> None:
    trace = make_trace(answer="Tea.", context=[{"chunk_id": "open", "version": "v1", "text": text}])
    assert codes(judge(make_case(), trace, make_rules(STORE)), "admissibility") == expected


def test_an_evidence_file_older_than_the_index_is_told_once_with_what_to_do() -> None:
    store = make_store(*[make_chunk(f"c{n}", f"Rule {n} holds.") for n in range(7)])
    context = [{"chunk_id": f"c{n}", "version": "v1", "text": f"Rule {n} held."} for n in range(7)]
    outcome = judge(make_case(), make_trace(answer="Rule 1 held.", context=context), make_rules(store)).outcomes[
        "admissibility"
    ]
    assert isinstance(outcome, Failed)
    [problem] = outcome.problems
    assert problem.code == "text-differs"
    assert problem.detail == (
        "c0, c1, c2, c3, c4 and 2 more were read with another text than the store's: "
        "if the app's index was built anew, export the evidence again"
    )


@pytest.mark.parametrize(
    ("answer", "case", "expected"),
    [
        pytest.param(f"Well, {SECRET.upper()}!", {}, ["restricted-text"], id="eight words in a row, in any case"),
        pytest.param("The vault code for the north door is known.", {}, ["restricted-text"], id="a part of it"),
        pytest.param("The vault code is known to the north.", {}, [], id="single words are no repetition"),
        pytest.param(f"Well, {SECRET}!", {"principals": ["guards"]}, [], id="who may read it may be told"),
        pytest.param("Nobody may read these five words.", {}, ["restricted-text"], id="a short chunk, whole"),
    ],
)
def test_an_answer_that_repeats_forbidden_text_is_inadmissible_though_the_trace_hides_it(
    answer: str, case: dict[str, Any], expected: list[str]
) -> None:
    diagnosis = judge(make_case(**case), make_trace(answer=answer, context=["open"]), make_rules(STORE))
    assert codes(diagnosis, "admissibility") == expected


def test_words_that_a_permitted_context_chunk_says_too_are_free() -> None:
    store = make_store(make_chunk("public", f"By law, {SECRET}."), make_chunk("secret", SECRET, permitted=False))
    diagnosis = judge(make_case(), make_trace(answer=f"So {SECRET}.", context=["public"]), make_rules(store))
    assert codes(diagnosis, "admissibility") == []


def placed(**case: Any) -> PlacedCase:
    made = make_case(**case)
    return PlacedCase(made, 0, case_digest(made), "cases.yaml", 1)


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param({"answer": f"It says: {SECRET}.", "context": ["open"]}, id="repeated from a hidden chunk"),
        pytest.param({"answer": f"It says: {SECRET}.", "context": ["secret"]}, id="repeated from a traced chunk"),
        pytest.param(
            {"answer": {"claims": [{"text": SECRET, "citation_ids": ["secret"]}]}, "context": ["open"]}, id="in a claim"
        ),
        pytest.param(
            {"answer": "Yes.", "context": ["open"], "tool_calls": [{"name": "say", "arguments": {"text": SECRET}}]},
            id="in a tool's arguments",
        ),
    ],
)
def test_forbidden_text_never_reaches_a_row(trace: dict[str, Any]) -> None:
    rules = make_rules(STORE)
    evaluated = evaluate_reply(placed(), Answered(trace=make_trace(**trace)), rules, custom=None, finished_at="")
    assert evaluated.withheld
    assert "four seven" not in evaluated.row.model_dump_json()
    assert evaluated.row.answer_digest


def test_forbidden_text_in_an_error_message_is_withheld() -> None:
    failure = TargetFailure(error=f"500: context was {SECRET}")
    evaluated = evaluate_reply(placed(), failure, make_rules(STORE), custom=None, finished_at="")
    assert "four seven" not in evaluated.row.model_dump_json()
    assert evaluated.row.issues == ("Error: the app's message is withheld: it repeats secret",)


def test_ids_only_leaves_no_word_of_answer_or_evidence() -> None:
    case = placed(must_not_contain=["nine"], required_source_ids=["open"])
    trace = make_trace(
        answer="Doors open at nine in the morning [open]. Zebras sing.", context=["open"], candidates=["open"]
    )
    rules = make_rules(STORE)._replace(texts="ids")
    row = evaluate_reply(case, Answered(trace=trace), rules, custom=None, finished_at="").row
    written = row.model_dump_json()
    assert "morning" not in written
    assert "Zebras" not in written
    assert [claim.verdict for claim in row.claims] == ["supported", "unverified"]
    assert (row.state, row.flagged, row.context) == ("failed", True, ("open",))
