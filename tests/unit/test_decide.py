from __future__ import annotations

from typing import Any, get_args

import pytest

from raggate_action.core.decision.decide import decide
from raggate_action.core.decision.release_report import release_report
from raggate_action.report.decision_words import change_in_words, measured_in_words
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.decision import Cause
from raggate_action.schema.outcome import NotApplicable, Outcome, Problem
from raggate_action.schema.summary import CheckName, ReleaseNames
from tests.row_builders import (
    compare,
    count,
    failed,
    false_claim,
    gates_by_name,
    in_words,
    judge,
    known_bad,
    make_policy,
    make_row,
    passed,
    phrase,
    unmeasured,
    waiver,
)


def fine(cases: int, start: int = 0, **fields: Any) -> list[CaseRun]:
    """So many passing cases, unless `fields` say otherwise."""
    return [make_row(start + n, **fields) for n in range(cases)]


def flagged(position: int) -> CaseRun:
    return make_row(position, hallucinations=(phrase(),), flagged=True, forbids=True)


INLINE = {"target": NotApplicable(why="inline trace")}


@pytest.mark.parametrize(
    ("rows", "policy", "verdict", "why"),
    [
        pytest.param(fine(3), {}, "release", "every gate passed", id="all is well"),
        pytest.param(
            [*fine(19), make_row(19, outcomes={"context_recall": failed()})],
            {"gates": {"context_recall": {"min": "0%"}}},
            "release",
            "every gate passed",
            id="a failing case within its gate's bar",
        ),
        pytest.param(
            [*fine(2), make_row(2, outcomes={"context_recall": failed("missing-source", "c7")})],
            {},
            "block",
            "context_recall failed: 0 of 1 passed (0.0 %), the bar is ≥ 95 %; first: q2: c7",
            id="a gate under its bar",
        ),
        pytest.param(
            [*fine(2), make_row(2, outcomes={"context_recall": failed()})],
            {"gates": {"context_recall": {"level": "warn"}}},
            "release",
            "every blocking gate passed; failed and only warns: context_recall",
            id="a gate that only warns",
        ),
        pytest.param(
            fine(1, outcomes={"faithfulness": unmeasured("no-adjudicator")}),
            {},
            "release",
            "every gate passed except faithfulness, which measured nothing",
            id="free text that rules cannot judge stops nobody",
        ),
        pytest.param(
            [*fine(60), make_row(60, outcomes={"faithfulness": unmeasured("judge")})],
            {},
            "inconclusive",
            "faithfulness could not be measured; first: q60: judges gave no usable verdict: nothing to read",
            id="a blocking gate that measured nothing",
        ),
        pytest.param(
            [*fine(60), *fine(2, 60, outcomes=INLINE)],
            {},
            "release",
            "every gate passed",
            id="inline traces need no target",
        ),
        pytest.param([], {}, "inconclusive", "no case is in scope: nothing was evaluated", id="an empty scope"),
        pytest.param(
            [known_bad(0, blocked=True)],
            {},
            "inconclusive",
            "no case is in scope: nothing was evaluated",
            id="known-bad cases alone say nothing about the app",
        ),
        pytest.param(
            [*fine(9), known_bad(9, blocked=False)],
            {},
            "block",
            "known_bad_blocked failed: 0 of 1 passed (0.0 %), the bar is 100 %; "
            "first: q9: had to be blocked at admissibility",
            id="a known-bad case that gets through",
        ),
        pytest.param(
            [*fine(99), flagged(99)],
            {},
            "block",
            "forbidden_phrases failed: 1 of 1 cases, none are allowed; first: q99: free dessert",
            id="any forbidden phrase without a baseline",
        ),
        pytest.param(
            [*fine(97), *fine(3, 97, hallucinations=(false_claim(),))],
            {},
            "block",
            "hallucination_rate failed: 3.0 % (3 of 100 cases), the bar is ≤ 2 %; first: q97: It is vegan.",
            id="more hallucinations than allowed",
        ),
        pytest.param(
            [*fine(98), *fine(2, 98, hallucinations=(false_claim(),))],
            {},
            "release",
            "every gate passed",
            id="exactly as many hallucinations as allowed",
        ),
        pytest.param(
            fine(20, latency_ms=900.0),
            {"gates": {"p95_latency_ms": {"max": 800}}},
            "block",
            "p95_latency_ms failed: 900 ms, the bar is ≤ 800 ms",
            id="too slow",
        ),
        pytest.param(
            fine(1),
            {"gates": {"p95_latency_ms": {"max": 800}}},
            "inconclusive",
            "p95_latency_ms could not be measured",
            id="a latency bar and nobody reports latency",
        ),
        pytest.param(
            fine(2, cost_usd=0.3),
            {"gates": {"cost_usd": {"max": 0.5}}},
            "block",
            "cost_usd failed: $0.6000, the bar is ≤ $0.5000",
            id="too dear",
        ),
        pytest.param(
            fine(2, cost_usd=0.3),
            {"gates": {"cost_usd": {"max": 0.6}}},
            "release",
            "every gate passed",
            id="as dear as allowed",
        ),
    ],
)
def test_the_verdict(rows: list[CaseRun], policy: dict[str, Any], verdict: str, why: str) -> None:
    made = make_policy(**policy)
    rows = [make_row(r.position, made, **_kept(r)) if r.kind == "ordinary" else r for r in rows]
    decided = judge(rows, made)
    assert (decided.decision.kind, in_words(decided)[0]) == (verdict, why)
    assert verdict == "block" or len(in_words(decided)) == 1


def _kept(row: CaseRun) -> dict[str, Any]:
    """The row's own fields, so that its state is derived again under another policy."""
    keep = ("outcomes", "hallucinations", "flagged", "latency_ms", "cost_usd")
    return {name: getattr(row, name) for name in keep}


@pytest.mark.parametrize(
    ("unmeasured_cases", "of", "removed", "waived", "verdict"),
    [
        pytest.param(1, 10, 0, 0, "release", id="one case may always go unmeasured"),
        pytest.param(2, 10, 0, 0, "inconclusive", id="two of ten may not"),
        pytest.param(3, 199, 0, 0, "release", id="2 percent of 199 are three: rounded down"),
        pytest.param(4, 199, 0, 0, "inconclusive", id="and not four"),
        pytest.param(1, 10, 1, 0, "inconclusive", id="a removed case counts as unmeasured"),
        pytest.param(1, 10, 1, 1, "release", id="unless a waiver names it"),
        pytest.param(0, 10, 300, 0, "inconclusive", id="removed cases beyond those listed count too"),
    ],
)
def test_the_budget_of_unmeasured_cases(
    unmeasured_cases: int, of: int, removed: int, waived: int, verdict: str
) -> None:
    head = [
        make_row(
            n,
            outcomes={"behaviour": unmeasured()}
            if n < unmeasured_cases
            else {"behaviour": make_row().outcomes["target"]},
        )
        for n in range(of)
    ]
    base = [*fine(of), *fine(removed, of)]
    policy = make_policy(waivers=[waiver(f"q{of + n}", "removed") for n in range(waived)])
    decided = judge(head, policy, base=base)
    assert decided.decision.kind == verdict
    if verdict == "inconclusive":
        assert in_words(decided)[0].startswith(f"unmeasured failed: {unmeasured_cases} of {of} cases")
        assert len(in_words(decided)) == 1


def test_removed_cases_count_whole_in_the_budget() -> None:
    decided = judge(fine(10), base=fine(310))
    (gate,) = [gate for gate in decided.gates if gate.gate == "unmeasured"]
    assert measured_in_words(gate) == "0 of 10 cases and 300 removed"
    assert gate.offenders == tuple(
        Change(case_id=f"q{n}", gate="unmeasured", problem=Problem(code="removed", detail="")) for n in (10, 11, 12)
    )
    assert gate.offending == 300


def test_an_app_that_answers_nothing_gives_one_reason_before_anything_else() -> None:
    rows = [make_row(n, outcomes={"target": failed("target-error", "refused")}) for n in range(100)]
    decided = judge([*rows, known_bad(100, blocked=False)], make_policy(waivers=[waiver("q0", "target", "2026-01-01")]))
    assert decided.decision.kind == "inconclusive"
    assert in_words(decided) == ("the app did not answer any of 100 cases: refused",)
    with_one = judge([*rows, make_row(101)]).decision
    assert with_one.kind == "block"
    inline = judge([*rows, make_row(101, outcomes=INLINE)]).decision
    assert inline.kind == "inconclusive"


def test_the_reason_for_silence_is_whole_and_said_once() -> None:
    advice = "cannot connect to http://localhost:8080/answer: connection refused, for 30 s. " + "Start the app. " * 40
    same = [make_row(n, outcomes={"target": failed("target-error", advice)}) for n in range(3)]
    assert in_words(judge(same)) == (f"the app did not answer any of 3 cases: {advice}",)
    other = make_row(3, weight=0.5, outcomes={"target": failed("target-error", "500 Internal Server Error")})
    assert in_words(judge([*same, other])) == (f"the app did not answer any of 4 cases; first q0: {advice}",)


def test_nothing_is_red_or_passed_for_an_app_that_said_nothing() -> None:
    down = [
        make_row(n, outcomes={"target": failed("target-error", "refused")}, slices=("category=safety",))
        for n in range(25)
    ]
    policy = make_policy(slices={"by": ["category"], "protected": {"category": ["safety"]}})
    for base in (None, fine(25)):
        decided = judge(down, policy, base=base)
        statuses = {gate.gate: gate.status for gate in decided.gates}
        assert statuses["target"] == "failed"
        assert statuses["slices"] == statuses["hallucination_rate"] == "unmeasured"
        assert statuses["forbidden_phrases"] == "insufficient"
        assert {part.status for part in decided.slices} == {"unmeasured"}
        assert decided.notes == ()
    # One answer, the app's or the suite's own, and everything is judged as ever.
    for outcomes in ({}, INLINE):
        judged = judge([*down, make_row(25, outcomes=outcomes, slices=("category=safety",))], policy)
        assert {part.status for part in judged.slices} == {"failed"}
        assert {gate.gate: gate.status for gate in judged.gates}["hallucination_rate"] == "passed"


def test_cases_without_a_trace_are_inconclusive_as_well() -> None:
    decided = judge([make_row(0, outcomes={"target": unmeasured()})])
    assert decided.decision.kind == "inconclusive"
    assert in_words(decided) == ("the app did not answer the only case: nothing to read",)


def test_a_block_names_what_can_hurt_first_and_what_is_open_last() -> None:
    rows = [
        *fine(5),
        make_row(5, outcomes={"context_recall": failed()}),
        make_row(6, outcomes={"admissibility": failed()}),
        make_row(7, kind="must_release", outcomes={"answered": failed()}),
        flagged(8),
        make_row(9, outcomes={"citation_support": unmeasured("judge")}),
        known_bad(10, blocked=False),
    ]
    reasons = in_words(judge(rows, make_policy(waivers=[waiver("q5", "context_recall", "2026-05-31")])))
    assert reasons[0] == "a waiver has expired and covers nothing: context_recall of q5 (2026-05-31, @team)"
    assert [reason.split(" ")[0] for reason in reasons[1:]] == [
        "known_bad_blocked",
        "admissibility",
        "forbidden_phrases",
        "must_release",
        "context_recall",
        "answered",
        "hallucination_rate",
        "citation_support",
    ]


def test_expired_waivers_of_passing_cases_are_a_note_and_no_reason() -> None:
    policy = make_policy(waivers=[waiver(f"q{n}", "answered", "2026-06-01") for n in range(5)])
    decided = judge(fine(1), policy)
    assert decided.decision.kind == "release"
    assert in_words(decided) == ("every gate passed",)
    named = "; ".join(f"answered of q{n} (2026-06-01, @team)" for n in range(3))
    expected = f"5 waivers have expired, and nothing that was waived fails here: {named}; and 2 more."
    assert decided.notes[0] == expected


def test_an_expired_waiver_whose_failure_is_back_is_said_after_what_released() -> None:
    known = {"answered": passed(), "faithfulness": passed()}
    rows = [*fine(99, outcomes=known), make_row(99, outcomes={"answered": failed()})]
    waivers = [waiver("q99", "answered", "2026-06-01"), waiver("q1", "answered", "2026-05-30")]
    decided = judge(rows, make_policy(waivers=waivers))
    assert decided.decision.kind == "release"
    first, second = in_words(decided)
    assert first.startswith("every gate passed")
    assert second == "a waiver has expired and covers nothing: answered of q99 (2026-06-01, @team)"
    assert decided.notes[0] == (
        "A waiver has expired, and nothing that was waived fails here: answered of q1 (2026-05-30, @team)."
    )


def test_an_expired_waiver_of_a_case_taken_out_covers_nothing_either() -> None:
    decided = judge(fine(1), make_policy(waivers=[waiver("gone", "removed", "2026-06-01")]))
    assert in_words(decided)[1] == "a waiver has expired and covers nothing: removed of gone (2026-06-01, @team)"


@pytest.mark.parametrize(
    ("outcome", "waived", "status"),
    [
        pytest.param(failed(), False, ("failed", "block"), id="failed"),
        pytest.param(failed(), True, ("insufficient", "block"), id="nothing but waived failures"),
        pytest.param(unmeasured("judge"), False, ("unmeasured", "block"), id="unmeasured for a reason that counts"),
        pytest.param(unmeasured("no-adjudicator"), False, ("unmeasured", "warn"), id="nothing that rules can judge"),
        pytest.param(NotApplicable(why="not asked"), False, None, id="a gate nobody asked is not shown"),
    ],
)
def test_the_status_of_a_gate_on_cases(outcome: Any, status: tuple[str, str] | None, *, waived: bool) -> None:
    policy = make_policy(waivers=[waiver("q0", "faithfulness")] if waived else [])
    decided = judge([make_row(0, outcomes={"faithfulness": outcome})], policy)
    assert gates_by_name(decided).get("faithfulness") == status


def test_gates_stand_in_order_of_diagnosis_and_what_is_off_is_not_shown() -> None:
    everything = {"behaviour": failed(), "candidate_recall": failed(), "context_precision": failed()}
    policy = make_policy(gates={"hallucination_rate": {"level": "off", "max": 0}})
    decided = judge([make_row(0, outcomes=everything)], policy)
    names = ["target", "admissibility", "candidate_recall", "behaviour", "forbidden_phrases", "unmeasured"]
    assert [gate.gate for gate in decided.gates] == names
    assert "context_precision" in count([make_row(0, outcomes=everything)]).gate_counts


def test_a_single_newly_inadmissible_trace_blocks_whatever_the_bar() -> None:
    head = [make_row(0, outcomes={"admissibility": failed()}), *fine(99, 1)]
    lenient = make_policy(gates={"admissibility": {"min": "50%"}})
    decided = judge(head, lenient, base=fine(100))
    assert decided.decision.kind == "block"
    assert in_words(decided) == ("newly_inadmissible failed: 1 of 100 cases, none are allowed; first: q0: why",)
    assert judge(head, lenient, base=head).decision.kind == "release"
    assert "newly_inadmissible" not in gates_by_name(judge(head, lenient))


def test_a_case_the_app_no_longer_answers_blocks() -> None:
    head = [make_row(0, outcomes={"target": failed()}), *fine(99, 1)]
    decided = judge(head, base=fine(100))
    assert in_words(decided) == ("newly_unanswered failed: 1 of 100 cases, no new ones are allowed; first: q0: why",)


@pytest.mark.parametrize(
    ("lost", "status"),
    [pytest.param(25, "passed", id="0.05 lower is allowed"), pytest.param(26, "failed", id="more is not")],
)
def test_a_falling_mean_score_warns(lost: int, status: str) -> None:
    """A lost tool takes 0.2: of 25 cases of 100 it takes 0.05 from the mean, of 26 0.052."""
    base = fine(100, score=1.0)
    decided = judge([*fine(lost, score=0.8), *fine(100 - lost, lost, score=1.0)], base=base)
    assert gates_by_name(decided)["score_drop"] == (status, "warn")
    assert decided.decision.kind == "release"
    strict = make_policy(gates={"score_drop": {"level": "block", "max": 0.05}})
    thirty = judge([*fine(30, score=0.8), *fine(70, 30, score=1.0)], strict, base=base)
    words = "score_drop failed: 1.00 to 0.94 (0.06 lower), 100 cases, the bar is ≤ 0.05 lower"
    assert in_words(thirty) == (words,)


@pytest.mark.parametrize(
    ("false", "status"), [pytest.param(3, "passed", id="2.0 points"), pytest.param(4, "failed", id="3.0 points")]
)
def test_a_rising_hallucination_rate_warns(false: int, status: str) -> None:
    """From 1 of 100 to 3 it rises by 2.0 points, to 4 by 3.0."""
    wrong: dict[str, Any] = {"hallucinations": (false_claim(),)}
    base = [make_row(0, **wrong), *fine(99, 1)]
    lenient: dict[str, Any] = {"new_hallucinations": {"level": "off"}, "hallucination_rate": {"max": "100%"}}
    head = [*fine(false, **wrong), *fine(100 - false, false)]
    decided = judge(head, make_policy(gates=lenient), base=base)
    assert gates_by_name(decided)["hallucination_rise"] == (status, "warn")
    lenient["hallucination_rise"] = {"level": "block", "max": 2}
    four = judge([*fine(4, **wrong), *fine(96, 4)], make_policy(gates=lenient), base=base)
    words = "hallucination_rise failed: 1.0 % to 4.0 % (3 points higher), 100 cases, the bar is ≤ 2 points higher"
    assert in_words(four) == (words,)


def test_means_are_held_together_over_the_cases_of_both_runs_alone() -> None:
    """Thirty cases that are new and weak are no drop; neither is a case that has no score on one side."""
    base = [*fine(70, score=1.0), make_row(70, score=None, outcomes={"admissibility": failed()})]
    head = [*fine(70, score=1.0), *fine(30, 70, score=0.5)]
    shared = compare(head, base).shared
    assert (shared.scored, shared.score_before, shared.score_after, shared.ran) == (70, 7000, 7000, 71)
    assert gates_by_name(judge([], base=base))["score_drop"] == ("insufficient", "warn")


def test_only_new_phrases_block_against_a_baseline() -> None:
    with_phrase = [*fine(99), flagged(99)]
    assert judge(with_phrase, base=with_phrase).decision.kind == "release"
    decided = judge(with_phrase, base=fine(100))
    bar = "forbidden_phrases failed: 1 of 1 cases, no new ones are allowed; first: q99: free dessert"
    assert in_words(decided) == (bar,)


@pytest.mark.parametrize(
    ("outcomes", "waived", "status"),
    [
        pytest.param({}, False, "passed", id="it passes"),
        pytest.param({"answered": failed()}, False, "failed", id="it fails"),
        pytest.param({"answered": failed()}, True, "insufficient", id="its failure is waived"),
        pytest.param({"answered": unmeasured()}, False, "unmeasured", id="it could not be measured"),
    ],
)
def test_a_case_that_must_be_released(outcomes: dict[str, Any], status: str, *, waived: bool) -> None:
    policy = make_policy(waivers=[waiver("q0", "answered")] if waived else [])
    decided = judge([make_row(0, kind="must_release", outcomes=outcomes)], policy)
    assert gates_by_name(decided)["must_release"] == (status, "block")


@pytest.mark.parametrize(
    ("rows", "rules", "status", "value"),
    [
        pytest.param(fine(2, slices=("category=a",)), {}, "insufficient", "0 of 1 red, 1 on watch", id="all on watch"),
        pytest.param(fine(20, slices=("category=a",)), {}, "passed", "0 of 1 red", id="one judged and green"),
        pytest.param(
            [
                *[make_row(n, slices=(f"category={n % 6}",), outcomes={"answered": failed()}) for n in range(6)],
                *[make_row(6 + n, slices=(f"category={6 + n}",), outcomes={"answered": passed()}) for n in range(5)],
            ],
            {},
            "failed",
            "6 of 11 red, 5 on watch",
            id="those on watch are among all",
        ),
        pytest.param(
            [*fine(20, slices=("category=a",)), make_row(20, slices=("category=b",), outcomes={"answered": failed()})],
            {},
            "failed",
            "1 of 2 red",
            id="a slice of which nothing passed",
        ),
        pytest.param(
            [
                *fine(60, slices=("category=a",)),
                make_row(60, slices=("category=b",), outcomes={"answered": unmeasured()}),
            ],
            {},
            "passed",
            "0 of 2 red, 1 not measured",
            id="an unmeasured slice is the budget's business",
        ),
        pytest.param(
            [
                *fine(60, slices=("category=a",)),
                make_row(60, slices=("category=b",), outcomes={"answered": unmeasured()}),
            ],
            {"protected": {"category": ["b"]}},
            "unmeasured",
            "0 of 2 red, 1 not measured",
            id="a protected slice has to be shown to be whole",
        ),
    ],
)
def test_slices_are_one_gate(rows: list[CaseRun], rules: dict[str, Any], status: str, value: str) -> None:
    decided = judge(rows, make_policy(slices={"by": ["category"], **rules}))
    (gate,) = [gate for gate in decided.gates if gate.gate == "slices"]
    assert (gate.status, measured_in_words(gate)) == (status, value)


def test_red_slices_are_named_worst_first_and_protected_ones_before() -> None:
    def part(name: str, right: int, wrong: int, start: int) -> list[CaseRun]:
        outcomes = {"answered": failed()}
        return [*fine(right, start, slices=(name,)), *fine(wrong, start + right, slices=(name,), outcomes=outcomes)]

    rows = [*part("category=a", 1, 1, 0), *part("category=b", 0, 1, 10), *part("category=c", 8, 1, 20)]
    policy = make_policy(slices={"by": ["category"], "min_cases": 1, "protected": {"category": ["c"]}})
    (gate,) = [gate for gate in judge(rows, policy).gates if gate.gate == "slices"]
    assert [change_in_words(each) for each in gate.offenders] == [
        "category=c: 8 of 9 (88.9 %)",
        "category=b: 0 of 1 (0.0 %)",
        "category=a: 1 of 2 (50.0 %)",
    ]


def release_cases() -> list[CaseRun]:
    """Five labelled outcomes of three workflows, one of them the case to release, and four known-bad answers."""
    outcomes = [
        ("release-freeze", True),
        ("release-freeze", False),
        ("incident-hotfix", True),
        ("incident-hotfix", True),
        ("schema-migration", False),
    ]
    rows = [
        make_row(
            n,
            kind="must_release" if n == 0 else "ordinary",
            slices=(f"workflow={workflow}",),
            outcomes={} if right else {"point_coverage": failed()},
            context_versions=("deploy-policy/2026-06-01",),
        )
        for n, (workflow, right) in enumerate(outcomes)
    ]
    return [*rows, *(known_bad(n, blocked=True) for n in range(5, 9))]


def test_the_source_s_release_is_blocked_by_its_slices_alone() -> None:
    policy = make_policy(slices={"by": ["workflow"], "min_cases": 1}, gates={"point_coverage": {"min": "0%"}})
    facts = count(release_cases(), policy)
    decided = decide(facts, policy=policy, comparison=None)
    assert decided.decision.kind == "block"
    assert in_words(decided) == (
        "slices failed: 2 of 3 red, the bar is each ≥ 95 %; first: workflow=schema-migration: 0 of 1 (0.0 %)",
    )
    report = release_report(facts, decided, ReleaseNames(service_version="policy-answerer-v4-eval"))
    assert report.service_version == "policy-answerer-v4-eval"
    assert report.source_traces == ("q0",)
    assert report.required_policy_versions == ("deploy-policy/2026-06-01",)
    assert report.checks == {
        "admissible_evidence_path": True,
        "supported_answer_released": True,
        "known_bad_answers_blocked": True,
        "slice_regression_clear": False,
    }


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([], (None, None, None, None), id="nothing to check"),
        pytest.param(fine(1), (True, None, None, None), id="an admissible trace"),
        pytest.param(
            fine(1, outcomes={"admissibility": failed()}), (False, None, None, None), id="an inadmissible one"
        ),
        pytest.param(
            fine(1, outcomes={"admissibility": unmeasured()}), (False, None, None, None), id="one nobody could check"
        ),
        pytest.param(
            [make_row(0, kind="must_release", slices=("tags=a",), outcomes={"answered": failed()})],
            (True, False, None, False),
            id="a case to release that fails, and its slice with it",
        ),
        pytest.param(
            [make_row(0, slices=("tags=a",)), make_row(1, slices=("tags=b",))],
            (True, None, None, True),
            id="two slices that are whole",
        ),
        pytest.param(
            [make_row(0, kind="must_release", outcomes={"answered": unmeasured()})],
            (True, False, None, None),
            id="a case to release that could not be measured",
        ),
        pytest.param(
            [known_bad(0, blocked=True), known_bad(1, blocked=False)],
            (None, None, False, None),
            id="a known-bad case that gets through",
        ),
    ],
)
def test_checks_of_the_release_report(rows: list[CaseRun], expected: tuple[bool | None, ...]) -> None:
    policy = make_policy(slices={"by": ["tags"]})
    checks = release_report(count(rows, policy), judge(rows, policy), ReleaseNames()).checks
    assert tuple(checks.get(name) for name in get_args(CheckName)) == expected


def test_waived_failures_leave_the_checks_of_the_release_report() -> None:
    policy = make_policy(waivers=[waiver("q0", "admissibility")])
    waived = make_row(0, kind="must_release", outcomes={"admissibility": failed()})
    alone = release_report(count([waived], policy), judge([waived], policy), ReleaseNames()).checks
    assert (alone["admissible_evidence_path"], alone["supported_answer_released"]) == (None, None)
    rows = [waived, make_row(1, kind="must_release")]
    beside = release_report(count(rows, policy), judge(rows, policy), ReleaseNames()).checks
    assert (beside["admissible_evidence_path"], beside["supported_answer_released"]) == (True, True)


@pytest.mark.parametrize(
    ("suite", "traced", "environment", "expected"),
    [
        pytest.param("s1", "t1", "e1", "s1", id="the suite's word counts"),
        pytest.param(None, "t1", "e1", "t1", id="else the trace's"),
        pytest.param(None, None, "e1", "e1", id="else the environment's"),
        pytest.param(None, None, None, "unknown", id="else nobody knows"),
    ],
)
def test_the_service_version(suite: str | None, traced: str | None, environment: str | None, expected: str) -> None:
    rows = [make_row(0, versions=(("service", traced),) if traced else (("index", "i1"),))]
    report = release_report(count(rows), judge(rows), ReleaseNames(service_version=suite, agent_version=environment))
    assert report.service_version == expected


def test_required_versions_are_those_given_where_they_are_known() -> None:
    rows = [make_row(0, context_versions=("", "v2", "v1", "v2"))]
    assert release_report(count(rows), judge(rows), ReleaseNames()).required_policy_versions == ("v1", "v2")
    given = release_report(count(rows), judge(rows), ReleaseNames(required_policy_versions=("v9",)))
    assert given.required_policy_versions == ("v9",)


def test_a_suite_that_proves_nothing_is_told_so() -> None:
    assert [note.split(":")[0] for note in judge(fine(1)).notes] == ["The suite has no known-bad case"]
    whole = [known_bad(0, blocked=True), make_row(1)]
    assert judge(whole).notes == ()


def test_a_suite_that_only_advises_says_so() -> None:
    assert judge(fine(1), make_policy(enforce=False)).decision.enforced is False


def test_a_comparison_of_nothing_judges_nothing() -> None:
    head = [row.model_copy(update={"digest": "rewritten"}) for row in fine(3)]
    assert compare(head, fine(3)).compared == 0
    assert gates_by_name(judge(head, base=fine(3)))["newly_inadmissible"] == ("insufficient", "block")


@pytest.mark.parametrize(
    ("outcome", "expires", "noted"),
    [
        pytest.param({"context_recall": passed()}, "2026-12-31", True, id="the gate passes"),
        pytest.param({"context_recall": NotApplicable(why="no stage")}, "2026-12-31", True, id="nobody asks any more"),
        pytest.param({"context_recall": failed()}, "2026-12-31", False, id="it still covers a failure"),
        pytest.param({"context_recall": unmeasured()}, "2026-12-31", False, id="nobody knows"),
        pytest.param(
            {"admissibility": failed(), "context_recall": NotApplicable(why="inadmissible")}, "2026-12-31", False,
            id="the case did not come to the gate",
        ),
        pytest.param({"context_recall": passed()}, "2026-06-01", False, id="it has expired, which is said otherwise"),
    ],
)  # fmt: skip
def test_a_waiver_whose_failure_is_mended_is_a_note(outcome: dict[str, Outcome], expires: str, *, noted: bool) -> None:
    waivers = [waiver("q0", "context_recall", expires), waiver("q7", "context_recall"), waiver("q1", "removed")]
    decided = judge([make_row(0, outcomes=outcome), make_row(1)], make_policy(waivers=waivers))
    note = f"A waiver covers what does not fail any more and can be taken out: context_recall of q0 ({expires}, @team)."
    assert (note in decided.notes) == noted
    assert not any("can be taken out" in each for each in decided.notes if each != note)


def test_watched_slices_have_no_gate_and_prove_nothing() -> None:
    rows = [make_row(n, slices=("category=a",)) for n in range(30)]
    rows += [make_row(30, slices=("category=b",), outcomes={"context_recall": failed()})]
    rows = [row.model_copy(update={"outcomes": {"context_recall": passed(), **row.outcomes}}) for row in rows]
    decided = judge(rows)
    assert [(part.name, part.passed, part.scored, part.status) for part in decided.slices] == [
        ("category=a", 30, 30, "insufficient"),
        ("category=b", 0, 1, "insufficient"),
    ]
    assert decided.decision.kind == "release"
    assert "slices" not in gates_by_name(decided)
    assert release_report(count(rows), decided, ReleaseNames()).checks.get("slice_regression_clear") is None
    # The same cases in a suite that asks for slices: one of which no case passes is red at any size.
    asked = judge(rows, make_policy(slices={"by": ["category"]}))
    assert gates_by_name(asked)["slices"] == ("failed", "block")


@pytest.mark.parametrize(
    ("errors", "cause", "first"),
    [
        (["the connection was reset", *["HTTP 500"] * 12], "HTTP 500", "q1"),
        ([*["HTTP 500"] * 2, *["HTTP 502"] * 3], "HTTP 502", "q2"),
        (["reset", *[f"HTTP 500, request 4f2a{n}9c1" for n in range(5)]], "HTTP 500, request 4f2a09c1", "q1"),
        (["HTTP 500"] * 3, "HTTP 500", None),
        (["reset", "HTTP 500"], "reset", "q0"),
    ],
)
def test_an_outage_is_told_by_its_most_frequent_symptom(errors: list[str], cause: str, first: str | None) -> None:
    rows = [make_row(n, outcomes={"target": failed("target-error", error)}) for n, error in enumerate(errors)]
    (reason,) = judge(rows).decision.reasons
    assert isinstance(reason, Cause)
    assert reason.kind == "nothing-answered"
    assert (reason.asked, reason.cause, reason.case_id) == (len(errors), cause, first)
