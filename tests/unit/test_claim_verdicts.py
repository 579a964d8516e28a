"""Verdicts of free-text claims: quotation supports, labels decide, everything else stays open."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.schema.outcome import Failed, NotApplicable, Passed, Unmeasured
from tests.builders import codes, judge, make_case, make_chunk, make_rules, make_store, make_trace, value

TEXT = (
    "Rule 17. Production deploys require a linked rollback plan before rollout. It applies on weekends too.\n"
    "Refunds are paid within 30 days, except for sale items."
)
STORE = make_store(
    make_chunk("c1", TEXT), make_chunk("c2", "Shipping takes three days in most countries. It applies on weekends too.")
)
RULES = make_rules(STORE)
CITING = make_rules(STORE, pipeline={"citations": True})


def verdicts(answer: str, *, context: tuple[str, ...] = ("c1", "c2"), case: dict[str, Any] | None = None) -> list[str]:
    diagnosis = judge(make_case(**(case or {})), make_trace(answer=answer, context=list(context)), RULES)
    return [claim.verdict for claim in diagnosis.claims]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("Production deploys require a linked rollback plan before rollout.", ["supported"], id="word for word"),
        pytest.param("production deploys  require a linked\nrollback plan before rollout [c1]", ["supported"],
                     id="spacing, case, marker and a missing stop are forgiven"),
        pytest.param("Production deploys require a linked rollback plan.", ["unverified"], id="a cut sentence is no quotation"),
        pytest.param("Refunds are paid within 30 days.", ["unverified"], id="dropping the exception is no quotation"),
        pytest.param("Deploys need a rollback plan.", ["unverified"], id="a paraphrase is not judged"),
        pytest.param("It applies on weekends too.", ["unverified"], id="a sentence that leans back, alone"),
        pytest.param("Production deploys require a linked rollback plan before rollout. It applies on weekends too.",
                     ["supported", "supported"], id="a sentence that leans back, behind its own"),
        pytest.param("Shipping takes three days in most countries. It applies on weekends too.", ["supported", "supported"],
                     id="the same words behind another chunk's sentence are that chunk's"),
        pytest.param("Refunds are paid within 30 days, except for sale items. It applies on weekends too.",
                     ["supported", "unverified"], id="leaning on another sentence than in the chunk"),
        pytest.param("Rule 17.", ["unverified"], id="too few words to be a statement"),
        pytest.param("Needed is:\n- Production deploys require a linked rollback plan before rollout.", ["unverified"],
                     id="behind a lead-in it says more than the chunk"),
    ],
)  # fmt: skip
def test_quotation(answer: str, expected: list[str]) -> None:
    assert verdicts(answer) == expected


def test_a_quotation_carries_the_chunks_own_words() -> None:
    trace = make_trace(answer="production deploys require a linked rollback plan before rollout", context=["c1"])
    (claim,) = judge(make_case(), trace, RULES).claims
    assert (claim.supported_by, claim.quote) == (
        ("c1",),
        "Production deploys require a linked rollback plan before rollout.",
    )
    assert claim.quote is not None
    assert claim.quote in TEXT


PLAN = {
    "id": "plan",
    "answer_phrases": ["rollback plan"],
    "support_phrases": ["linked rollback plan", "before rollout"],
}


@pytest.mark.parametrize(
    ("answer", "verdict", "point"),
    [
        pytest.param("You have to link a rollback plan.", "supported", Passed, id="recognised, and the source says so"),
        pytest.param("Ask Bob for a rollback plan.", "unverified", Passed, id="it says more, and nothing refutes it"),
        pytest.param("It may start without a linked rollback plan.", "unverified", Unmeasured, id="denied: no label"),
        pytest.param("Somebody has a beard.", "unverified", Failed, id="no claim makes the point"),
    ],
)
def test_a_points_phrases_label_the_claims_it_recognises(answer: str, verdict: str, point: type) -> None:
    case = make_case(required_points=[PLAN])
    diagnosis = judge(case, make_trace(answer=answer, context=["c1"]), RULES)
    assert [claim.verdict for claim in diagnosis.claims] == [verdict]
    assert isinstance(diagnosis.outcomes["point_coverage"], point)


def test_a_denied_label_is_a_finding_with_its_chunk() -> None:
    case = make_case(required_points=[PLAN])
    trace = make_trace(answer="It may start without a linked rollback plan.", context=["c1"])
    (claim,) = judge(case, trace, RULES).claims
    (finding,) = claim.findings
    assert (finding.kind, finding.chunk_id) == ("conflict", "c1")


def test_a_point_nothing_can_recognise_is_unmeasured_in_prose() -> None:
    diagnosis = judge(make_case(required_points=["plan"]), make_trace(answer="Link a plan.", context=["c1"]), RULES)
    assert isinstance(diagnosis.outcomes["point_coverage"], Unmeasured)


LABELLED = {
    "claims": [
        {"text": "A plan is needed.", "citation_ids": ["c1"], "support_phrases": ["rollback plan"], "answer_point": "p"}
    ]
}


def test_labels_inside_a_trace_count_only_when_vouched_for() -> None:
    case, trace = make_case(required_points=["p"]), make_trace(answer=LABELLED, context=["c1"])
    vouched, live = judge(case, trace, RULES), judge(case, trace, RULES, labelled=False)
    assert [claim.verdict for claim in vouched.claims] == ["supported"]
    assert [(claim.verdict, claim.points) for claim in live.claims] == [("unverified", ())]


@pytest.mark.parametrize(
    ("answer", "rules", "expected"),
    [
        pytest.param("Shipping takes three days in most countries [c2].", CITING, Passed, id="the cited chunk says so"),
        pytest.param(
            "Shipping takes three days in most countries [c1].", CITING, Failed, id="the words stand in another chunk"
        ),
        pytest.param(
            "Shipping takes three days in most countries [c1][c2].", CITING, Passed, id="one of several is enough"
        ),
        pytest.param("Shipping takes three days in most countries [c9].", CITING, Failed, id="never in the context"),
        pytest.param("Shipping takes three days in most countries [c9].", RULES, NotApplicable, id="none declared"),
        pytest.param("Shipping takes three days in most countries [9].", CITING, Failed, id="no such position"),
        pytest.param("It is quick to ship there [c2].", CITING, Unmeasured, id="a paraphrase needs a judge"),
        pytest.param("It is quick to ship there.", RULES, NotApplicable, id="no citation, and none declared"),
        pytest.param("It is quick to ship there.", CITING, Failed, id="no citation though the suite declares them"),
    ],
)
def test_citation_support(answer: str, rules: Any, expected: type) -> None:
    diagnosis = judge(make_case(), make_trace(answer=answer, context=["c1", "c2"]), rules)
    assert isinstance(diagnosis.outcomes["citation_support"], expected), diagnosis.outcomes["citation_support"]


def test_an_uncited_sentence_beside_cited_ones_is_left_to_coverage() -> None:
    answer = "Good to know. Shipping takes three days in most countries [c2]. That is quick indeed."
    diagnosis = judge(make_case(), make_trace(answer=answer, context=["c2"]), CITING)
    assert isinstance(diagnosis.outcomes["citation_support"], Passed)
    assert value(diagnosis, "citation_coverage") == 1 / 3


ABSTAIN = make_case(expect="abstain", required_source_ids=["c1"], required_points=["p"])


def test_declining_where_nothing_can_be_answered_passes() -> None:
    trace = make_trace(answer="The sources do not say which dishes contain nuts.", context=[])
    diagnosis = judge(ABSTAIN, trace, RULES)
    assert diagnosis.first_failed_stage is None
    assert diagnosis.abstained
    gates = ("candidate_recall", "context_recall", "faithfulness", "citation_support", "point_coverage")
    assert all(isinstance(diagnosis.outcomes[gate], NotApplicable) for gate in gates)  # type: ignore[index]


def test_answering_where_nothing_can_be_answered_is_a_hallucination_and_quotes_the_claim() -> None:
    trace = make_trace(answer="Hello! The kofta is nut-free [c1].", context=["c1"], candidates=["c1"])
    diagnosis = judge(ABSTAIN, trace, RULES)
    assert diagnosis.first_failed_stage == "answer faithfulness"
    outcome = diagnosis.outcomes["faithfulness"]
    assert isinstance(outcome, Failed)
    assert str(outcome.problems[0]) == "answered-though-unanswerable: “The kofta is nut-free.”"
    (hallucination,) = [h for h in diagnosis.hallucinations if h.kind == "answered"]
    assert hallucination.text == "The kofta is nut-free."


@pytest.mark.parametrize(
    ("answer", "quoted"),
    [
        pytest.param(
            "The grill is kept apart, and everything is cleaned between orders. Nuts are no concern [c1].",
            "The grill is kept apart, and everything is cleaned between orders. Nuts are no concern.",
            id="what parts two claims of a sentence stays",
        ),
        pytest.param(
            "The kofta is nut-free [c1]. The grill is cleaned.",
            "The kofta is nut-free. The grill is cleaned.",
            id="a citation goes",
        ),
        pytest.param(
            "These are nut-free:\n\n- the kofta\n- the octopus",
            "These are nut-free: the kofta These are nut-free: the octopus",
            id="items stand behind their lead-in",
        ),
    ],
)
def test_an_answer_where_none_was_possible_is_quoted_in_its_own_words(answer: str, quoted: str) -> None:
    diagnosis = judge(ABSTAIN, make_trace(answer=answer, context=["c1"], candidates=["c1"]), RULES)
    assert [h.text for h in diagnosis.hallucinations if h.kind == "answered"] == [quoted]


def test_declining_where_an_answer_was_expected_fails_at_completeness() -> None:
    diagnosis = judge(make_case(), make_trace(answer="I don't know.", context=["c1"]), RULES)
    assert diagnosis.first_failed_stage == "answer completeness"
    assert codes(diagnosis, "answered") == ["declined"]


def test_what_the_app_reports_about_declining_is_taken_at_its_word() -> None:
    answer = {"text": "That is not for me to say.", "abstained": True}
    diagnosis = judge(ABSTAIN, make_trace(answer=answer, context=[]), RULES)
    assert diagnosis.first_failed_stage is None


def test_without_any_text_faithfulness_is_unmeasured_for_want_of_a_trace() -> None:
    diagnosis = judge(make_case(), make_trace(answer="Tea is hot here.", context=["x"]), make_rules())
    outcome = diagnosis.outcomes["faithfulness"]
    assert isinstance(outcome, Unmeasured)
    assert outcome.reason == "trace"


POSSIBLE = "返金は30日以内に行われます。"
JAPANESE = make_rules(
    make_store(make_chunk("ja", POSSIBLE), make_chunk("elsewhere", "週末は休みです。")), language="ja"
)


@pytest.mark.parametrize(
    ("expect", "answer", "gate", "expected"),
    [
        pytest.param("abstain", "分かりません。", "faithfulness", "no-adjudicator", id="a decline nobody recognises is no answer"),
        pytest.param("abstain", POSSIBLE, "faithfulness", "failed", id="a supported claim is an answer where none was possible"),
        pytest.param("abstain", "分かりません。", "candidate_recall", "no-adjudicator", id="gates that a decline would spare"),
        pytest.param("abstain", {"text": "分かりません。", "abstained": True}, "faithfulness", "not_applicable", id="the app says so"),
        pytest.param("abstain", {"text": "はい。", "abstained": False}, "faithfulness", "failed", id="the app says otherwise"),
        pytest.param("abstain", "", "answered", "failed", id="silence is silence in any language"),
        pytest.param("answer", "分かりません。", "answered", "no-adjudicator", id="unverified alone may be a decline"),
        pytest.param("answer", POSSIBLE, "answered", "passed", id="a supported claim is an answer"),
        pytest.param("answer", {"text": "分かりません。", "abstained": True}, "answered", "failed", id="declined, says the app"),
        pytest.param("answer", "", "answered", "failed", id="nothing was said"),
    ],
)  # fmt: skip
def test_declining_in_a_language_without_rules_is_unmeasured(
    expect: str, answer: Any, gate: str, expected: str
) -> None:
    case = make_case(expect=expect, required_source_ids=["elsewhere"])
    diagnosis = judge(case, make_trace(answer=answer, context=["ja"], candidates=["ja"]), JAPANESE)
    outcome = diagnosis.outcomes[gate]  # type: ignore[index]
    assert getattr(outcome, "reason", outcome.kind) == expected
    if isinstance(outcome, Unmeasured):
        assert "language ja" in outcome.detail
        assert "answer.abstained" in outcome.detail
        assert "en, de, fr, es" in outcome.detail
        assert not diagnosis.hallucinations


def test_a_citation_beside_the_one_that_supports_is_a_finding_when_it_was_never_shown() -> None:
    trace = make_trace(answer="Shipping takes three days in most countries [c2][c9].", context=["c1", "c2"])
    diagnosis = judge(make_case(), trace, CITING)
    (claim,) = diagnosis.claims
    assert isinstance(diagnosis.outcomes["citation_support"], Passed)
    assert [(f.kind, f.code, f.chunk_id) for f in claim.findings] == [("structure", "citation", "c9")]
    assert "c9" in claim.findings[0].reason
    assert (claim.verdict, diagnosis.hallucinations) == ("supported", ())


@pytest.mark.parametrize(
    ("declared", "detail"),
    [
        pytest.param(None, "the trace has no context; write where a reply has it (response: under target:), or pipeline: {context: none}", id="the suite has no pipeline section"),
        pytest.param({"stages": ["context"]}, "context is declared in the suite, the trace has none", id="it declares the stage"),
    ],
)  # fmt: skip
def test_a_missing_context_is_told_as_what_the_suite_wrote(declared: dict[str, Any] | None, detail: str) -> None:
    diagnosis = judge(make_case(), make_trace(answer="Tea."), make_rules(STORE, pipeline=declared))
    outcome = diagnosis.outcomes["admissibility"]
    assert isinstance(outcome, Failed)
    assert f"stage-missing: {detail}" in map(str, outcome.problems)


ASKED: dict[str, Any] = {"required_points": ["p", "q"], "must_contain": ["tea"], "expected_tools": ["search"]}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        pytest.param("", "no-claims: the answer is empty", id="empty"),
        pytest.param("Hello!", "no-claims: the answer makes no claim", id="courtesy"),
        pytest.param("I don't know.", "declined: the case expects an answer", id="declined"),
        pytest.param(
            {"claims": [{"text": "It is hot.", "citation_ids": ["c9"]}], "abstained": True},
            "declined: the case expects an answer",
            id="declined, says the app, whatever it itemised",
        ),
    ],
)
def test_an_answer_that_says_nothing_fails_at_nothing_but_that(answer: Any, told: str) -> None:
    trace = make_trace(answer=answer, context=["c1"], tool_calls=[])
    diagnosis = judge(make_case(**ASKED), trace, CITING)
    failures = {gate: outcome for gate, outcome in diagnosis.outcomes.items() if isinstance(outcome, Failed)}
    assert list(failures) == ["answered"]
    assert [str(problem) for problem in failures["answered"].problems] == [told]
    gates = ("faithfulness", "citation_support", "citation_coverage", "point_coverage")
    assert [value(diagnosis, gate) for gate in gates] == [0.0] * 4
    # 1.0 less 0.2 for the phrase and 0.2 for the tool: the score is what it was.
    assert diagnosis.behaviour is not None
    assert (diagnosis.behaviour.score, len(diagnosis.behaviour.issues)) == (0.6, 2)
    assert diagnosis.behaviour.musts is not None
    assert diagnosis.behaviour.musts.missed == ()


def test_what_an_answer_that_declines_has_is_still_held_against_it() -> None:
    case = make_case(must_contain=["tea"], must_not_contain=["free of charge"], forbidden_tools=["pay"])
    answer = "I don't know whether it is free of charge."
    diagnosis = judge(case, make_trace(answer=answer, context=["c1"], tool_calls=["pay"]), RULES)
    assert codes(diagnosis, "answered") == ["declined"]
    assert codes(diagnosis, "behaviour") == ["forbidden-phrase", "tool-forbidden"]
    assert [hallucination.kind for hallucination in diagnosis.hallucinations] == ["phrase"]


@pytest.mark.parametrize(
    ("per_case", "expected"),
    [
        pytest.param("100%", Unmeasured, id="one unverified of two keeps a bar of all open"),
        pytest.param("50%", Passed, id="half is enough when half is known"),
    ],
)
def test_per_case_bar(per_case: str, expected: type) -> None:
    rules = make_rules(STORE, gates={"faithfulness": {"per_case": per_case}})
    answer = "Shipping takes three days in most countries. It is quick there."
    diagnosis = judge(make_case(), make_trace(answer=answer, context=["c2"]), rules)
    assert isinstance(diagnosis.outcomes["faithfulness"], expected)
