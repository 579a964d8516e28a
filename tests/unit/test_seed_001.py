"""Every worked example of the trace-gate article, with its exact numbers; then its ten mastery questions."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.gates.case_row import evaluate_drafted, evaluate_reply
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, draft
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, fold
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import Judgement, PointVote, Support, Vote
from raggate_action.schema.outcome import Failed, NotApplicable
from raggate_action.schema.trace import Answered
from tests.builders import ALL_STAGES, codes, judge, make_case, make_chunk, make_rules, make_store, make_trace, value
from tests.row_builders import gates_by_name, in_words, make_policy
from tests.row_builders import judge as decide_on

RULE = "deploy-freeze-approval-rule"
RUNBOOK = "payment-service-rollback-runbook"
FRONTEND = "frontend-docs-deploy-rule"
RESTRICTED = "restricted-breakglass-note"
VERSION_KEYS = ("retriever", "index", "sparse", "dense", "fusion", "reranker")

STORE = make_store(
    make_chunk(
        RULE,
        "Payment-service production deploys in a release freeze are special: payment-service production deploys during "
        "a release freeze require incident commander approval and a linked rollback plan before rollout.",
        version="deploy-policy/2026-06-01",
    ),
    make_chunk(RUNBOOK, "Keep the previous artifact for 30 minutes. No deploy is authorised here.", version="rb/1"),
    make_chunk(FRONTEND, "Frontend documentation may ship during business hours.", version="fd/1"),
    make_chunk(RESTRICTED, "Deploys may bypass freeze approval when executives ask.", version="bg/1", permitted=False),
)
RULES = make_rules(
    STORE, pipeline={"stages": ALL_STAGES, "versions": VERSION_KEYS, "chunk_versions": True, "citations": True}
)
CASE = make_case(
    case_id="payment-freeze-deploy-001",
    required_source_ids=[RULE],
    required_points=["freeze-scope", "approval", "rollback-plan"],
)

SCOPE = (
    "freeze-scope",
    "The release-freeze rule governs this.",
    ["payment-service production deploys", "release freeze"],
)
APPROVAL = ("approval", "The incident commander has to approve.", ["require incident commander approval"])
PLAN = ("rollback-plan", "A rollback plan has to be linked first.", ["linked rollback plan", "before rollout"])
BYPASS = ("rollback-plan", "It can start with no plan linked.", ["without a linked rollback plan"])


def claims(*drawn: tuple[str, str, list[str]], cite: str | None = RULE) -> dict[str, Any]:
    itemised = [
        {"text": text, "citation_id": cite, "support_phrases": phrases, "answer_point": point}
        for point, text, phrases in drawn
    ]
    return {"claims": itemised}


SUPPORTED = claims(SCOPE, APPROVAL, PLAN)
UNSAFE = claims(SCOPE, BYPASS)
MIS_CITED = claims(SCOPE, APPROVAL, PLAN, cite=RUNBOOK)
EMPTY: dict[str, Any] = {"claims": []}

TRACE: dict[str, Any] = {
    "case_id": "payment-freeze-deploy-001",
    "candidates": [RUNBOOK, FRONTEND, RULE],
    "rerank_input": [RUNBOOK, FRONTEND, RULE],
    "reranked": [RULE, RUNBOOK, FRONTEND],
    "context": [{"chunk_id": RULE, "version": "deploy-policy/2026-06-01"}],
    "versions": [[key, f"{key}-1"] for key in VERSION_KEYS],
    "answer": SUPPORTED,
}
IN_RUNBOOK = [{"chunk_id": RUNBOOK, "version": "rb/1"}]
WITH_RESTRICTED = {stage: [*TRACE[stage], RESTRICTED] for stage in ("candidates", "rerank_input", "reranked")}


def evaluate_diagnosis(**changes: Any) -> Any:
    return judge(CASE, make_trace(**{**TRACE, **changes}), RULES)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, [], id="the production path is admissible"),
        pytest.param(
            {
                **{stage: [RESTRICTED] for stage in ("candidates", "rerank_input", "reranked")},
                "context": [{"chunk_id": RESTRICTED, "version": "bg/1"}],
            },
            ["restricted-chunk"],
            id="restricted context",
        ),
        pytest.param(WITH_RESTRICTED, ["restricted-chunk"], id="a restricted candidate that a later stage drops"),
        pytest.param({"candidates": [*TRACE["candidates"], "missing"]}, ["unknown-chunk"], id="unknown candidate"),
        pytest.param(
            {"context": [{"chunk_id": RULE, "version": "deploy-policy/2025-02-01"}]}, ["version-differs"], id="stale version"
        ),
        pytest.param({"versions": TRACE["versions"][:-1]}, ["version-missing"], id="missing version key"),
        pytest.param({"case_id": "payment-freeze-deploy-002"}, ["wrong-case"], id="another case's trace"),
        pytest.param({"candidates": [*TRACE["candidates"], RULE]}, ["duplicate-chunk"], id="duplicate candidate"),
        pytest.param({"context": []}, ["context-empty"], id="empty context"),
        pytest.param({"context": [RULE]}, ["chunk-version-missing"], id="fewer versions than context chunks"),
        pytest.param(
            {"versions": [*TRACE["versions"], ["index", "other"]]}, ["version-duplicate"], id="a version key twice"
        ),
        pytest.param({"candidates": [FRONTEND, RULE]}, ["not-in-candidates"], id="rerank input not from retrieval"),
        pytest.param({"reranked": [RULE, RUNBOOK]}, ["lost-in-reranking"], id="the reranker lost one"),
        pytest.param(
            {"rerank_input": [RUNBOOK, RULE]}, ["not-in-rerank-input"], id="the reranker returned one it was not given"
        ),
        pytest.param({"context": IN_RUNBOOK, "reranked": [RULE, FRONTEND], "rerank_input": [RULE, FRONTEND]},
                     ["not-in-reranked"], id="context not from the reranker"),
        pytest.param({"reranked": None}, ["stage-missing"], id="a declared stage is not reported"),
    ],
)  # fmt: skip
def test_admissibility(changes: dict[str, Any], expected: list[str]) -> None:
    diagnosis = evaluate_diagnosis(**changes)
    assert codes(diagnosis, "admissibility") == expected
    assert (diagnosis.first_failed_stage == "admissibility") == bool(expected)


def test_recalls_and_precision_of_the_carried_trace() -> None:
    diagnosis = evaluate_diagnosis()
    gates = ("candidate_recall", "context_recall", "context_precision")
    assert [value(diagnosis, gate) for gate in gates] == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("answer", "faithfulness"),
    [pytest.param(UNSAFE, 0.5, id="unsafe bypass"), pytest.param(SUPPORTED, 1.0, id="supported deploy"),
     pytest.param(EMPTY, 0.0, id="empty")],
)  # fmt: skip
def test_faithfulness(answer: dict[str, Any], faithfulness: float) -> None:
    assert value(evaluate_diagnosis(answer=answer), "faithfulness") == faithfulness


def test_citation_presence_is_not_citation_support() -> None:
    unsafe, mis_cited = evaluate_diagnosis(answer=UNSAFE), evaluate_diagnosis(answer=MIS_CITED)
    assert (value(unsafe, "citation_coverage"), value(unsafe, "citation_support")) == (1.0, 0.5)
    assert (value(mis_cited, "faithfulness"), value(mis_cited, "citation_support")) == (1.0, 0.0)


def test_an_empty_answer_scores_zero_and_fails_at_completeness() -> None:
    empty = evaluate_diagnosis(answer=EMPTY)
    gates = ("faithfulness", "citation_coverage", "citation_support")
    assert [value(empty, gate) for gate in gates] == [0.0, 0.0, 0.0]
    assert empty.first_failed_stage == "answer completeness"
    assert codes(empty, "answered") == ["no-claims"]


def test_supported_point_coverage() -> None:
    assert value(evaluate_diagnosis(answer=UNSAFE), "point_coverage") == 1 / 3
    assert value(evaluate_diagnosis(), "point_coverage") == 1.0


MISSED = [RUNBOOK, FRONTEND]


@pytest.mark.parametrize(
    ("changes", "stage"),
    [
        pytest.param(
            {"candidates": MISSED, "rerank_input": MISSED, "reranked": MISSED, "context": IN_RUNBOOK},
            "candidate retrieval",
            id="missing candidate",
        ),
        pytest.param({"context": IN_RUNBOOK}, "context selection", id="dropped context"),
        pytest.param({"answer": UNSAFE}, "answer faithfulness", id="invented bypass"),
        pytest.param({"answer": MIS_CITED}, "citation support", id="wrong citation"),
        pytest.param({"answer": EMPTY}, "answer completeness", id="empty answer"),
        pytest.param({"answer": claims(SCOPE, APPROVAL)}, "answer completeness", id="a point left out"),
        pytest.param({}, None, id="supported answer"),
    ],
)
def test_the_first_failed_stage_owns_the_repair(changes: dict[str, Any], stage: str | None) -> None:
    assert evaluate_diagnosis(**changes).first_failed_stage == stage


def test_mastery_1_both_defects_are_named_and_nothing_is_scored() -> None:
    stale = {"context": [{"chunk_id": RULE, "version": "deploy-policy/2025-02-01"}], "versions": TRACE["versions"][:-1]}
    diagnosis = evaluate_diagnosis(**stale)
    assert codes(diagnosis, "admissibility") == ["version-missing", "version-differs"]
    after = [o for gate, o in diagnosis.outcomes.items() if gate not in {"target", "admissibility"}]
    assert len(after) == 10
    assert all(isinstance(outcome, NotApplicable) for outcome in after)
    assert diagnosis.behaviour is None


def test_mastery_2_a_dropped_restricted_chunk_still_fails_and_is_named() -> None:
    outcome = evaluate_diagnosis(**WITH_RESTRICTED).outcomes["admissibility"]
    assert isinstance(outcome, Failed)
    assert str(outcome.problems[0]) == f"restricted-chunk: {RESTRICTED} in candidates, rerank_input, reranked"


def test_mastery_3_recall_then_loss_points_at_context_selection() -> None:
    diagnosis = evaluate_diagnosis(context=IN_RUNBOOK)
    assert (value(diagnosis, "candidate_recall"), value(diagnosis, "context_recall")) == (1.0, 0.0)
    assert diagnosis.first_failed_stage == "context selection"


def test_mastery_4_recall_one_precision_a_third() -> None:
    context = [
        {"chunk_id": chunk_id, "version": version}
        for chunk_id, version in ((RULE, "deploy-policy/2026-06-01"), (RUNBOOK, "rb/1"), (FRONTEND, "fd/1"))
    ]
    diagnosis = evaluate_diagnosis(context=context)
    assert (value(diagnosis, "context_recall"), value(diagnosis, "context_precision")) == (1.0, 1 / 3)


def test_mastery_5_and_6_half_faithful_fully_cited_half_supported() -> None:
    diagnosis = evaluate_diagnosis(answer=UNSAFE)
    gates = ("faithfulness", "citation_coverage", "citation_support")
    assert [value(diagnosis, gate) for gate in gates] == [0.5, 1.0, 0.5]


def test_mastery_7_no_policy_claims_is_answer_completeness() -> None:
    assert evaluate_diagnosis(answer={"text": "", "claims": []}).first_failed_stage == "answer completeness"


def row_of(position: int, answer: dict[str, Any], rules: Rulebook = RULES, **fields: Any) -> CaseRun:
    """The row of an answer to the deploy question, judged by labels."""
    asked = CASE.model_dump(mode="json", exclude_defaults=True) | {"case_id": f"q{position}", **fields}
    trace = make_trace(**{**TRACE, "case_id": f"q{position}", "answer": answer})
    placed = PlacedCase(make_case(**asked), position, f"digest-{position}", "cases.yaml", position + 1)
    return evaluate_reply(placed, Answered(trace, labelled=True), rules, custom=None, finished_at="").row


BAD: dict[str, Any] = {"released": False, "blocked_at": "answer faithfulness", "trace": {}}


def test_mastery_8_a_known_bad_answer_has_to_be_blocked() -> None:
    """Gates that look at no claim accept the supported answer all the same; only the known-bad one tells."""
    blind = make_policy(
        gates={gate: {"level": "off"} for gate in ("faithfulness", "citation_support", "point_coverage")}
    )
    without = RULES._replace(gates=blind.gates)
    accepted = row_of(0, SUPPORTED, without, released=True)
    alone = decide_on([accepted], blind)
    assert alone.decision.kind == "release"
    assert "The suite has no known-bad case: nothing shows that these gates can block." in alone.notes

    through = decide_on([accepted, row_of(1, UNSAFE, without, **BAD)], blind)
    assert through.decision.kind == "block"
    (why,) = in_words(through)
    assert why.startswith("known_bad_blocked failed: 0 of 1 passed")
    assert gates_by_name(through)["must_release"] == ("passed", "block")

    blocked = decide_on([row_of(0, SUPPORTED, released=True), row_of(1, UNSAFE, **BAD)])
    assert blocked.decision.kind == "release"
    assert gates_by_name(blocked)["known_bad_blocked"] == ("passed", "block")


def test_mastery_9_no_release_while_a_slice_passes_nothing() -> None:
    """The supported case passes, known-bad ones are blocked, and schema-migration stands at 0 %."""
    sliced = RULES._replace(slices_by=("workflow",))
    rows = [
        row_of(0, SUPPORTED, sliced, released=True, workflow="release-freeze"),
        row_of(1, UNSAFE, sliced, **BAD),
        row_of(2, claims(SCOPE, APPROVAL), sliced, workflow="schema-migration"),
    ]
    policy = make_policy(slices={"by": ["workflow"]}, gates={"point_coverage": {"min": "50%"}})
    decided = decide_on(rows, policy)
    gates = gates_by_name(decided)
    assert gates["must_release"] == gates["known_bad_blocked"] == ("passed", "block")
    assert {part.name: (part.passed, part.scored) for part in decided.slices} == {
        "workflow=release-freeze": (1, 1),
        "workflow=schema-migration": (0, 1),
    }
    assert decided.decision.kind == "block"
    (why,) = in_words(decided)
    assert why.startswith("slices failed: 1 of 2 red")


def test_an_empty_context_has_precision_zero() -> None:
    relaxed = make_case(**CASE.model_dump(mode="json", exclude_defaults=True) | {"expect": "abstain"})
    answered = judge(relaxed, make_trace(**{**TRACE, "context": []}), RULES)
    assert value(answered, "context_precision") == 0.0


def perfectly_judged(changes: dict[str, Any], **case: Any) -> CaseRun:
    """The row of an answer of which three armed judges find every claim supported and every point made."""
    asked = CASE.model_dump(mode="json", exclude_defaults=True) | case
    trace = make_trace(**{**TRACE, **changes, "case_id": asked["case_id"]})
    placed = PlacedCase(make_case(**asked), 0, "digest-0", "cases.yaml", 1)
    found = draft(placed.case, Answered(trace, labelled=True), RULES)
    assert isinstance(found, Drafted), "an inadmissible trace is handed to no judge"
    first = found.context.chunks[0]
    support = (Support(chunk_id=first.chunk_id, quote=first.text or "", quote_start=0),)
    votes = tuple([Vote(claim_id=claim.claim_id, verdict="supported", support=support) for claim in found.claims])
    points = tuple([PointVote(point=point.id, claim_id=found.claims[0].claim_id) for point in placed.case.points])
    said = [
        Judgement(id="q", judge=name, fingerprint="f", prompt="p", key="k", votes=votes, points=points)
        for name in ("a", "b", "c")
    ]
    terms = PanelTerms(("a", "b", "c"), frozenset("abc"), 2)
    chunks = {chunk.chunk_id: chunk.text for chunk in found.context.chunks}
    verdicts = fold(found.claims, said, terms, chunks=chunks, declined=False)
    return evaluate_drafted(placed, found, verdicts, RULES, finished_at="").row


LIVE = {"text": f"You need the commander's blessing and a way back first [{RULE}]."}


def test_mastery_10_a_perfect_judge_score_never_releases_a_failed_gate() -> None:
    """Judges come behind the evidence gates, beside the labels, and take nothing from the release gates."""
    # What no phrase list recognises is what they are for.
    live = perfectly_judged({"answer": LIVE})
    assert (live.state, live.outcomes["faithfulness"].kind, live.outcomes["point_coverage"].kind) == (
        "passed",
        "passed",
        "passed",
    )
    # A restricted or a stale chunk: nobody is asked, and no score is given.
    stale = {"context": [{"chunk_id": RULE, "version": "deploy-policy/2025-02-01"}]}
    for inadmissible in (WITH_RESTRICTED, stale):
        found = draft(CASE, Answered(make_trace(**{**TRACE, **inadmissible, "answer": LIVE})), RULES)
        assert not isinstance(found, Drafted)
        assert (found.first_failed_stage, found.claims) == ("admissibility", ())
    # A gate that failed beside judges who find nothing wrong: the evidence, a label, a citation.
    failing: dict[str, dict[str, Any]] = {
        "candidate retrieval": {"candidates": [RUNBOOK], "rerank_input": [RUNBOOK], "reranked": [RUNBOOK], "context": IN_RUNBOOK},
        "answer faithfulness": {"answer": UNSAFE},
        "citation support": {"answer": MIS_CITED},
    }  # fmt: skip
    for stage, changes in failing.items():
        row = perfectly_judged(changes)
        assert (row.state, row.first_failed_stage) == ("failed", stage)
        assert all(judge.armed for judge in row.judges)
        assert decide_on([row]).decision.kind == "block"
    # A known-bad answer that judges let through is a gate that cannot block.
    bad = {"released": False, "blocked_at": "answer faithfulness", "trace": {}}
    through = decide_on([live, perfectly_judged({"answer": LIVE}, case_id="q1", **bad)])
    assert gates_by_name(through)["known_bad_blocked"] == ("failed", "block")
    assert through.decision.kind == "block"
