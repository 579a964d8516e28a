"""`check --faults`: a fault in a passing trace is caught at its own stage, and what is not caught is named."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from raggate_action.core.gates.case_row import Evaluated, evaluate_reply
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.core.mutants.answer_mutants import FALSIFICATIONS, PLAIN_MUTATIONS
from raggate_action.core.mutants.mutation import Mutation
from raggate_action.core.text.units import CURRENCIES, UNITS
from raggate_action.run import fault_check
from raggate_action.run.fault_check import MUST_BE_CAUGHT, FaultCheck, FaultReport
from raggate_action.schema.case import PlacedCase, case_digest
from raggate_action.schema.trace import Answered
from tests.builders import ALL_STAGES, make_case, make_chunk, make_rules, make_store, make_trace
from tests.thorough import examples

STORE = make_store(
    make_chunk("fee", "The fee is 20 EUR and is refunded within 30 days."),
    make_chunk("term", "The contract runs for 12 months."),
    make_chunk("office", "Berlin and Lisbon have offices."),
    make_chunk("spare", "Parking is free on Sundays."),
    make_chunk("secret", "Only the board knows the merger partner.", permitted=False),
    make_chunk("old", "The fee was 10 EUR.", current=False),
)
RULES = make_rules(STORE, pipeline={"stages": list(ALL_STAGES), "versions": ["index", "retriever"]})
CITING = RULES._replace(pipeline=RULES.pipeline.model_copy(update={"citations": True}))
CASE: dict[str, Any] = {
    "required_source_ids": ["fee"],
    "required_points": ["fee", "term"],
    "must_not_contain": ["free of charge"],
    "expected_tools": ["search", "lookup"],
    "max_latency_ms": 1000,
}


def claim(text: str, chunk: str, phrase: str, point: str) -> dict[str, Any]:
    return {"text": text, "citation_ids": [chunk], "support_phrases": [phrase], "answer_point": point}


TRACE: dict[str, Any] = {
    "answer": {
        "text": "The fee is 20 EUR. The contract runs for 12 months.",
        "claims": [
            claim("The fee is 20 EUR.", "fee", "20 EUR", "fee"),
            claim("The contract runs for 12 months.", "term", "12 months", "term"),
        ],
    },
    "candidates": ["fee", "term", "office"],
    "rerank_input": ["fee", "term", "office"],
    "reranked": ["term", "fee", "office"],
    "context": [{"chunk_id": "fee", "version": "v1"}, {"chunk_id": "term", "version": "v1"}],
    "versions": [["index", "i1"], ["retriever", "r1"]],
    "tool_calls": ["search", "lookup"],
    "latency_ms": 300,
}


def evaluated(
    case: dict[str, Any] | None = None, trace: dict[str, Any] | None = None, *, number: int = 0, rules: Rulebook = RULES
) -> Evaluated:
    made = make_case(**{**CASE, **(case or {}), "case_id": f"q{number}"})
    placed = PlacedCase(made, number, case_digest(made), "cases.yaml", number + 1)
    told = make_trace(**{**TRACE, **(trace or {}), "case_id": f"q{number}"})
    return evaluate_reply(placed, Answered(told, labelled=True), rules, custom=None, finished_at="2026-06-02T12:00:00Z")


def outcome_of(offered: Iterable[Evaluated], rules: Rulebook = RULES, *, seed: int = 0) -> FaultReport:
    check = FaultCheck(rules, seed=seed)
    for each in offered:
        check.offer(each)
    return check.report()


def caught(found: FaultReport, mutation: str) -> list[bool]:
    """Of each mutant of one kind of fault whether it was caught."""
    return [mutant.caught for mutant in found.by_mutation[mutation]]


@pytest.mark.parametrize(
    ("mutation", "gate"),
    [
        ("restricted chunk in candidates", "admissibility"),
        ("restricted chunk in rerank input", "admissibility"),
        ("restricted chunk in reranked", "admissibility"),
        ("restricted chunk in context", "admissibility"),
        ("superseded chunk", "admissibility"),
        ("unknown chunk", "admissibility"),
        ("stale version of a chunk", "admissibility"),
        ("missing version key", "admissibility"),
        ("duplicate version key", "admissibility"),
        ("wrong case id", "admissibility"),
        ("duplicate id in a stage", "admissibility"),
        ("empty context", "admissibility"),
        ("reranked set broken", "admissibility"),
        ("required source lost at retrieval", "candidate_recall"),
        ("required source lost at selection", "context_recall"),
        ("citation never retrieved", "citation_support"),
        ("empty answer", "answered"),
        ("citation moved to another chunk", "citation_support"),
        ("required point removed", "point_coverage"),
        ("forbidden phrase inserted", "behaviour"),
        ("tool calls removed", "behaviour"),
    ],
)
def test_a_fault_is_caught_at_the_stage_of_its_own_gate(mutation: str, gate: str) -> None:
    (mutant,) = outcome_of([evaluated(rules=CITING)], CITING).by_mutation[mutation]
    assert (mutant.mutation.gate, mutant.caught) == (gate, True)


def test_a_fault_that_the_labels_hide_is_named_with_what_would_close_the_hole() -> None:
    """The claim's label speaks of its source, so nothing looks at the claim's own number."""
    (mutant,) = outcome_of([evaluated()]).by_mutation["number changed"]
    assert (mutant.case_id, mutant.caught, mutant.ended.first_failed_stage) == ("q0", False, None)
    closes = "write what the answer must not say as must_not_contain, or what it must as must_contain"
    assert mutant.mutation.closes == closes


def test_a_fault_that_fails_elsewhere_is_not_caught_by_its_own_gate() -> None:
    """The number's mutant reads 20 x 3 + 7 = 67."""
    (mutant,) = outcome_of([evaluated({"must_not_contain": ["67 EUR"]})]).by_mutation["number changed"]
    assert (mutant.caught, mutant.ended.first_failed_stage) == (False, "behaviour")


def test_one_missing_tool_is_caught() -> None:
    assert caught(outcome_of([evaluated({"expected_tools": ["search"]})]), "tool calls removed") == [True]


@pytest.mark.parametrize(
    ("gates", "made"),
    [
        # Strict: each lost tool or phrase fails. Lenient: 1.0 - 0.2 = 0.8 is above 0.7, and no fault.
        pytest.param({}, {"tool calls removed", "required phrase lost", "latency blown"}, id="strict"),
        pytest.param({"behaviour": {"scoring": "lenient"}}, {"latency blown"}, id="lenient: one miss passes"),
        # 0.8 is below 0.9.
        pytest.param(
            {"behaviour": {"scoring": "lenient", "per_case": "90%"}, "slow": {"level": "warn"}},
            {"tool calls removed", "required phrase lost"},
            id="a higher bar, and time that only warns",
        ),
    ],
)
def test_what_the_policy_makes_no_fault_is_not_put_in(gates: dict[str, Any], made: set[str]) -> None:
    rules = RULES._replace(gates=make_rules(gates=gates).gates)
    case = {"expected_tools": ["search"], "must_contain": ["20 EUR"]}
    found = outcome_of([evaluated(case, rules=rules)], rules)
    asked = {"tool calls removed", "required phrase lost", "latency blown"}
    assert set(found.by_mutation) & asked == made
    assert all(caught(found, name) == [True] for name in made)


def test_two_tools_that_are_lost_together_are_a_fault_under_lenient_scoring() -> None:
    """1.0 - 2 x 0.2 = 0.6 is below 0.7."""
    rules = RULES._replace(gates=make_rules(gates={"behaviour": {"scoring": "lenient"}}).gates)
    assert caught(outcome_of([evaluated(rules=rules)], rules), "tool calls removed") == [True]


@pytest.mark.parametrize(
    ("phrase", "left"),
    [
        ("20 EUR", "The fee is  ."),
        ("20  eur", "The fee is  ."),
        ({"word": "fee"}, "The   is 20 EUR."),
        ({"any": ["20 EUR", "twenty euros"]}, "The fee is  ."),
        pytest.param({"any": ["20 EUR", {"regex": "twent."}]}, None, id="an expression among them"),
        pytest.param({"regex": "\\d+ EUR"}, None, id="an expression"),
    ],
)
def test_a_required_phrase_is_taken_out_in_every_form(phrase: Any, left: str | None) -> None:
    case: dict[str, Any] = {"must_contain": [phrase], "required_points": [], "required_source_ids": []}
    check = FaultCheck(RULES, seed=0)
    check.offer(evaluated(case, {"answer": "The fee is 20 EUR."}))
    lost = [each for each in check.mutants_of("q0") if each.mutation.name == "required phrase lost"]
    assert [each.ended.trace.reply.text for each in lost] == ([left] if left is not None else [])
    assert all(each.caught for each in lost)


@pytest.mark.parametrize(
    ("answer", "phrase", "made"),
    [
        ("30", "30", 0),
        ("Yes", "yes", 0),
        ("30 days.", "30 days", 0),
        pytest.param("30 days.", "30", 1, id="a word is left"),
        pytest.param("It is free. The fee is 30 EUR.", "30 EUR", 1, id="a sentence is left"),
    ],
)
def test_an_answer_that_is_its_required_phrase_cannot_lose_it(answer: str, phrase: str, made: int) -> None:
    store = make_store(make_chunk("fee", "The fee is 30 EUR for 30 days. Yes, it is free."))
    rules = make_rules(store, pipeline={"stages": list(ALL_STAGES)})
    bare: dict[str, Any] = {"required_points": [], "required_source_ids": [], "expected_tools": []}
    shown = {**{stage: ["fee"] for stage in ALL_STAGES}, "context": [{"chunk_id": "fee", "version": "v1"}]}
    case = evaluated(bare | {"must_contain": [phrase]}, {"answer": answer, **shown}, rules=rules)
    assert case.row.state == "passed"
    found = outcome_of([case], rules)
    assert [mutant.caught for mutant in found.by_mutation.get("required phrase lost", [])] == [True] * made
    assert found.counts(*MUST_BE_CAUGHT)[0] == found.counts(*MUST_BE_CAUGHT)[1] > 0


@given(
    number=st.integers(0, 999_999),
    unit=st.sampled_from(sorted({*UNITS, *CURRENCIES, "points", "GB", "MB", "EUR", "USD"})),
)
@example(number=40, unit="cents")
@example(number=5, unit="points")
@settings(max_examples=examples(300))
def test_a_number_with_any_unit_is_falsified_or_left_alone(number: int, unit: str) -> None:
    text = f"It costs {number} {unit}."
    assert text not in [falsify(text, "") for _name, falsify in FALSIFICATIONS]


def test_a_unit_becomes_another_one() -> None:
    falsify = dict(FALSIFICATIONS)["unit changed"]
    found = [falsify(text, "") for text in ("It costs 40 cents.", "It rose by 5 points.", "It is a fee.")]
    assert found == ["It costs 40 dollars.", "It rose by 5 percent.", None]


def test_a_fault_of_ours_costs_one_mutant_and_not_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Mutation("broken", "answered", lambda _subject, mutant: mutant.update(answer=1 / 0))
    monkeypatch.setitem(fault_check.MUTATIONS, "plain", (broken, *PLAIN_MUTATIONS))
    names = set(outcome_of([evaluated()]).by_mutation)
    assert "empty answer" in names
    assert "broken" not in names
    assert "could not be judged with a fault put in (broken), a fault in raggate" in capsys.readouterr().err


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_a_decline_in_words_is_caught_in_every_language_with_rules(language: str) -> None:
    rules = make_rules(STORE, pipeline={"stages": list(ALL_STAGES)}, language=language)
    (mutant,) = outcome_of([evaluated(rules=rules)], rules).by_mutation["declined in words"]
    assert (mutant.kind, mutant.caught) == ("plain", True)


def test_an_answer_to_what_cannot_be_answered_is_caught() -> None:
    case: dict[str, Any] = {"expect": "abstain", "required_points": [], "required_source_ids": [], "expected_tools": []}
    found = outcome_of([evaluated(case, {"answer": "I do not know."})])
    (mutant,) = found.by_mutation["answered instead of declined"]
    assert (mutant.kind, mutant.caught) == ("plain", True)


DATED = make_store(
    make_chunk("fee", "The fee is 20 EUR and is refunded within 30 days."),
    make_chunk("term", "The contract runs for 12 months."),
    make_chunk("office", "Berlin and Lisbon have offices."),
    make_chunk("staff", "Staff pay half.", principals=("staff",)),
    make_chunk("past", "The fee was 10 EUR.", valid_until="2026-01-01"),
    make_chunk("next", "The fee will be 30 EUR.", valid_from="2027-01-01"),
    make_chunk("replaced", "The fee was 15 EUR.", current=False),
)


@pytest.mark.parametrize(
    ("mutation", "chunk_id"),
    [
        ("chunk of other principals", "staff"),
        ("chunk past its validity", "past"),
        ("chunk before its validity", "next"),
        ("superseded chunk", "replaced"),
    ],
)
def test_every_reason_not_to_show_a_chunk_has_a_fault_of_its_own(mutation: str, chunk_id: str) -> None:
    rules = make_rules(DATED, pipeline={"stages": list(ALL_STAGES)})
    check = FaultCheck(rules, seed=0)
    check.offer(evaluated({"as_of": "2026-06-02"}, rules=rules))
    (mutant,) = [each for each in check.mutants_of("q0") if each.mutation.name == mutation]
    assert mutant.caught
    assert (mutant.ended.trace.ids("context") or ())[-1] == chunk_id


def test_staff_may_read_what_is_theirs_so_that_no_fault_is_made_of_it() -> None:
    rules = make_rules(DATED, pipeline={"stages": list(ALL_STAGES)})
    found = outcome_of([evaluated({"as_of": "2026-06-02", "principals": ["staff"]}, rules=rules)], rules)
    assert "chunk of other principals" not in found.by_mutation


def test_a_gate_that_no_passing_case_has_anything_for_is_named() -> None:
    """The case with a required phrase fails, so that nothing shows that a lost phrase would be caught."""
    bare: dict[str, Any] = {"required_points": [], "must_not_contain": [], "expected_tools": []}
    fails = evaluated({"must_contain": ["tax"]}, number=1)
    assert fails.row.state == "failed"
    assert outcome_of([evaluated(bare), fails]).not_tried == ("behaviour", "point_coverage")
    assert outcome_of([evaluated(), fails]).not_tried == ()


def test_a_policy_that_lets_a_source_be_missing_is_not_asked_to_catch_one() -> None:
    """One of two is 50 %, which is enough here, and not under the default of 100 %."""
    lenient = {"context_recall": {"per_case": "50%"}, "candidate_recall": {"per_case": "50%"}}
    rules = RULES._replace(gates=make_rules(gates=lenient).gates)
    case: dict[str, Any] = {"required_source_ids": ["fee", "term"]}
    lost = {"required source lost at retrieval", "required source lost at selection"}
    names = set(outcome_of([evaluated(case, rules=rules)], rules).by_mutation)
    assert not names & lost
    assert lost <= set(outcome_of([evaluated(case)]).by_mutation)


def test_a_forbidden_phrase_that_is_forbidden_text_too_is_no_hole() -> None:
    """The asker may not read it, so that the mutant is inadmissible before any phrase is looked for."""
    forbidden = "Only the board knows the merger partner."
    found = outcome_of([evaluated({"must_not_contain": [forbidden]})])
    assert "forbidden phrase inserted" not in found.by_mutation
    assert found.counts(*MUST_BE_CAUGHT)[0] == found.counts(*MUST_BE_CAUGHT)[1]


def test_a_lost_source_is_replaced_where_it_was_the_only_one() -> None:
    case: dict[str, Any] = {"required_points": [], "required_source_ids": ["fee"]}
    alone = {
        "context": ["fee"],
        "reranked": ["fee", "term"],
        "rerank_input": ["fee", "term"],
        "candidates": ["fee", "term"],
    }
    found = outcome_of([evaluated(case, {"answer": "The fee is 20 EUR.", **alone})])
    assert caught(found, "required source lost at selection") == [True]


def test_a_gate_that_catches_none_of_its_own_faults_is_inert() -> None:
    assert outcome_of([evaluated()]).inert == ["faithfulness"]


def test_without_a_store_what_only_a_store_can_tell_is_not_tried() -> None:
    rules = make_rules(pipeline={"stages": list(ALL_STAGES), "versions": ["index", "retriever"]})
    texts = [{"chunk_id": "fee", "text": "It is 20 EUR."}, {"chunk_id": "term", "text": "It is 12 months."}]
    found = outcome_of([evaluated(trace={"context": texts}, rules=rules)], rules)
    names = set(found.by_mutation)
    assert not names & {"restricted chunk in context", "superseded chunk", "unknown chunk", "stale version of a chunk"}
    assert found.counts("integrity")[0] == found.counts("integrity")[1] > 0


@pytest.mark.parametrize(
    "fails",
    [
        pytest.param(evaluated(trace={"candidates": ["term"]}), id="inadmissible"),
        pytest.param(evaluated(trace={"answer": "I do not know."}), id="declined"),
        pytest.param(evaluated({"released": False, "blocked_at": "admissibility", "trace": TRACE}), id="known bad"),
    ],
)
def test_without_a_passing_case_nothing_is_tested_and_nothing_is_claimed(fails: Evaluated) -> None:
    assert outcome_of([fails]) == FaultReport()


def test_a_gate_that_does_not_block_is_not_asked_to_stop_anything() -> None:
    rules = RULES._replace(gates=make_rules(gates={"point_coverage": {"level": "warn"}}).gates)
    assert "required point removed" not in outcome_of([evaluated(rules=rules)], rules).by_mutation


def test_the_work_is_bounded_whatever_the_run_holds() -> None:
    found = outcome_of(evaluated(number=number) for number in range(200))
    assert max(map(len, found.by_mutation.values())) == 3


def test_which_cases_are_taken_depends_on_the_seed_and_on_no_order() -> None:
    offered = [evaluated(number=number) for number in range(40)]

    def taken(order: Iterable[Evaluated], seed: int) -> list[str]:
        return [mutant.case_id for mutant in outcome_of(order, seed=seed).by_mutation["number changed"]]

    assert taken(offered, 0) == taken(reversed(offered), 0)
    assert taken(offered, 1) != taken(offered, 2)


def test_rare_kinds_of_cases_are_tried_beside_common_ones() -> None:
    plain: dict[str, Any] = {"expected_tools": [], "must_not_contain": []}
    offered = [evaluated(plain, {"tool_calls": None}, number=number) for number in range(50)]
    found = outcome_of([*offered, evaluated(number=99)])
    assert caught(found, "tool calls removed") == [True]


PROSE = "The fee is 20 EUR and is refunded within 30 days."


@pytest.mark.parametrize("mutation", ["claim negated", "number changed", "unit changed"])
def test_a_false_sentence_is_caught_as_a_suspect_that_the_original_did_not_have(mutation: str) -> None:
    case: dict[str, Any] = {
        "required_points": [],
        "required_source_ids": [],
        "expected_tools": [],
        "must_not_contain": [],
    }
    found = outcome_of([evaluated(case, {"answer": f"{PROSE} The term is 12 months long."})])
    assert caught(found, mutation) == [True]


@pytest.mark.parametrize("mutation", ["required quote lost at retrieval", "required quote lost at selection"])
def test_a_quote_is_lost_with_every_chunk_that_holds_a_part_of_it(mutation: str) -> None:
    """The quote runs over two chunks, and a third one repeats the longer part of it."""
    store = make_store(
        make_chunk("fee", "Dogs stay free of charge."),
        make_chunk("one", "The contract runs for"),
        make_chunk("two", "at least 12 months at a time, in all shops."),
        make_chunk("copy", "at least 12 months at a time, in all shops, says the leaflet."),
    )
    case = {
        "required_source_ids": ["fee"],
        "required_quotes": ["The contract runs for at least 12 months at a time, in all shops"],
        "required_points": [],
        "must_not_contain": [],
    }
    ids = ["fee", "one", "two", "copy"]
    trace: dict[str, Any] = {"answer": "Dogs stay free of charge.", **dict.fromkeys(ALL_STAGES, ids)}
    trace["context"] = [{"chunk_id": i, "version": "v1"} for i in ids]
    rules = make_rules(store, pipeline={"stages": list(ALL_STAGES), "versions": ["index", "retriever"]})
    whole = evaluated(case, trace, rules=rules)
    assert whole.row.state == "passed", whole.row.outcomes
    assert caught(outcome_of([whole], rules), mutation) == [True]
