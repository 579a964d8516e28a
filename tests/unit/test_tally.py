from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from raggate_action.core.counting.tally import Tally
from raggate_action.report.decision_words import change_in_words
from raggate_action.schema.base import Rate
from raggate_action.schema.case_run import Tools
from raggate_action.schema.counts import Counts, GateCounts, PipelineVersion
from raggate_action.schema.outcome import Failed, Outcome, Problem
from raggate_action.schema.run import Policy
from raggate_action.schema.summary import ToolCount
from tests.row_builders import (
    compare,
    count,
    failed,
    false_claim,
    known_bad,
    make_policy,
    make_row,
    named,
    passed,
    phrase,
    unmeasured,
    waiver,
)


def test_every_case_is_counted_once() -> None:
    rows = [
        make_row(0),
        make_row(1, outcomes={"answered": failed()}),
        make_row(2, outcomes={"behaviour": unmeasured()}),
        make_row(3, kind="must_release"),
        make_row(4, kind="must_release", outcomes={"faithfulness": failed()}, hallucinations=(false_claim(),)),
        make_row(5, outcomes={"behaviour": failed()}, hallucinations=(phrase(), phrase("wifi")), flagged=True),
        known_bad(6, blocked=True),
        known_bad(7, blocked=False),
    ]
    assert count(rows).counts == Counts(
        cases=6,
        passed=2,
        failed=3,
        unmeasured=1,
        known_bad=2,
        known_bad_blocked=1,
        must_release=2,
        must_release_passed=1,
        hallucinating=2,
        flagged=1,
        answered_by_target=6,
    )


def test_a_known_bad_case_leaves_no_trace_in_anything_else() -> None:
    bad = make_row(
        0,
        kind="known_bad",
        blocked_at="answer faithfulness",
        outcomes={"faithfulness": failed(share=(1, 2)), "behaviour": failed()},
        hallucinations=(phrase(),),
        flagged=True,
        score=0.0,
        latency_ms=9.0,
        cost_usd=1.0,
        slices=("workflow=a",),
        versions=(("index", "i1"),),
        tools=Tools(expected=("search",), missing=("search",)),
    )
    with_it, without = count([bad]), count([])
    assert with_it.counts == Counts(known_bad=1, known_bad_blocked=1)
    assert with_it._replace(counts=Counts()) == without


@pytest.mark.parametrize(
    ("fields", "waivers", "state", "stage"),
    [
        pytest.param({}, ["answered"], "passed", None, id="a waiver of what passed changes nothing"),
        pytest.param({"answered": failed()}, [], "failed", "answer completeness", id="no waiver"),
        pytest.param({"answered": failed()}, ["answered"], "waived", None, id="its only failure is waived"),
        pytest.param(
            {"answered": failed()}, ["behaviour"], "failed", "answer completeness", id="another gate is waived"
        ),
        pytest.param(
            {"candidate_recall": failed(), "faithfulness": failed()},
            ["candidate_recall"],
            "failed",
            "answer faithfulness",
            id="the first failure that is not waived owns the repair",
        ),
        pytest.param(
            {"candidate_recall": failed(), "faithfulness": failed()},
            ["candidate_recall", "faithfulness"],
            "waived",
            None,
            id="all failures are waived",
        ),
        pytest.param(
            {"answered": failed(), "behaviour": unmeasured()},
            ["answered"],
            "unmeasured",
            None,
            id="what is unmeasured elsewhere stays unmeasured",
        ),
        pytest.param(
            {"answered": failed(), "faithfulness": unmeasured("no-adjudicator")},
            ["answered"],
            "waived",
            None,
            id="what only rules cannot judge does not",
        ),
        pytest.param(
            {"answered": failed(), "context_precision": failed()},
            ["answered"],
            "waived",
            None,
            id="a failure of a gate that is off needs no waiver",
        ),
        pytest.param({"behaviour": unmeasured()}, ["behaviour"], "unmeasured", None, id="a waiver measures nothing"),
    ],
)
def test_a_case_after_its_waivers(
    fields: dict[str, Outcome], waivers: list[str], state: str, stage: str | None
) -> None:
    policy = make_policy(waivers=[waiver("q0", gate) for gate in waivers])
    facts = count([make_row(outcomes=fields)], policy)
    states = {name for name in ("passed", "failed", "unmeasured", "waived") if getattr(facts.counts, name)}
    assert (states, [found.stage for found in facts.stages]) == ({state}, [stage] if stage else [])
    assert [row.first_failed_stage for row in facts.listed.failing] == [found.stage for found in facts.stages]


@pytest.mark.parametrize(
    ("expires", "waived"),
    [
        pytest.param("2026-06-02", True, id="it holds on its last day"),
        pytest.param("2026-06-01", False, id="it covers nothing on the day after"),
    ],
)
def test_a_waiver_has_a_last_day(expires: str, *, waived: bool) -> None:
    policy = make_policy(waivers=[waiver("q0", "answered", expires)])
    facts = count([make_row(outcomes={"answered": failed()})], policy)
    assert (facts.counts.waived, facts.counts.failed) == (int(waived), int(not waived))
    assert (len(facts.listed.waived), len(facts.listed.expired)) == (int(waived), int(not waived))


def test_a_waived_failure_leaves_both_counts_of_its_gate_and_stays_in_sight() -> None:
    policy = make_policy(waivers=[waiver("q0", "faithfulness")])
    outcome = failed("unsupported-claim", "c1", share=(1, 2))
    rows = [
        make_row(0, outcomes={"faithfulness": outcome}, hallucinations=(false_claim(), phrase()), flagged=True),
        make_row(1, outcomes={"faithfulness": passed((3, 3))}),
    ]
    facts = count(rows, policy)
    assert facts.gate_counts["faithfulness"] == GateCounts(passed=1, waived=1, hits=3, total=3)
    (shown,) = facts.listed.waived
    assert (shown.case_id, shown.gate, str(shown.problem)) == ("q0", "faithfulness", "unsupported-claim: c1")
    # The phrase is a failure of behaviour, which nobody waived; the claim goes with its gate.
    (listed,) = facts.listed.hallucinating
    assert [h.kind for h in listed.hallucinations] == ["phrase"]
    assert (facts.counts.hallucinating, facts.counts.flagged) == (1, 1)


def test_a_waived_phrase_is_neither_hallucination_nor_flag() -> None:
    policy = make_policy(waivers=[waiver("q0", "behaviour")])
    row = make_row(outcomes={"behaviour": failed()}, hallucinations=(phrase(),), flagged=True)
    counts = count([row], policy).counts
    assert (counts.waived, counts.hallucinating, counts.flagged) == (1, 0, 0)


def by_id(key: str, gate: str = "faithfulness", expires: str = "2026-12-31") -> dict[str, str]:
    return {**waiver("q0", gate, expires), "hallucination": key}


LIES = {"one": failed("claim-unsupported", "one"), "two": Failed(problems=(
    Problem(code="claim-unsupported", detail="one"), Problem(code="claim-contradicted", detail="two")))}  # fmt: skip


@pytest.mark.parametrize(
    ("lies", "outcome", "waivers", "state", "left"),
    [
        pytest.param(["one"], "one", ["claim:one"], "waived", [], id="the only falsehood"),
        pytest.param(["one"], "one", ["claim:two"], "failed", ["one"], id="another falsehood"),
        pytest.param(["one", "two"], "two", ["claim:one"], "failed", ["two"], id="one of two"),
        pytest.param(["one", "two"], "two", ["claim:one", "claim:two"], "waived", [], id="both of two"),
        pytest.param(["one"], "two", ["claim:one"], "failed", [], id="the gate fails for a claim more"),
    ],
)
def test_a_hallucination_is_waived_by_its_id(
    lies: list[str], outcome: str, waivers: list[str], state: str, left: list[str]
) -> None:
    row = make_row(outcomes={"faithfulness": LIES[outcome]}, hallucinations=tuple(map(false_claim, lies)))
    policy = make_policy(waivers=[by_id(key) for key in waivers])
    facts = count([row], policy)
    assert getattr(facts.counts, state) == 1
    assert [h.text for each in facts.listed.hallucinating for h in each.hallucinations] == left
    waived_ids = {each.waiver.hallucination for each in facts.listed.waived}
    assert bool(waived_ids) == (waivers != ["claim:two"]), "a waived failure stays in sight"
    found = compare([row], [make_row(0)], policy)
    assert named(found, "new_hallucinations") == (("q0",) if left else ())
    assert found.of("hallucination_rate").new == len(left)


def test_a_phrase_waived_by_its_id_is_no_flag_and_an_expired_waiver_tells_whether_its_words_are_back() -> None:
    row = make_row(outcomes={"behaviour": failed("forbidden-phrase")}, hallucinations=(phrase(),), flagged=True)
    key = phrase().key
    counts = count([row], make_policy(waivers=[by_id(key, "behaviour")])).counts
    assert (counts.waived, counts.hallucinating, counts.flagged) == (1, 0, 0)
    assert count([row], make_policy(waivers=[by_id(key, "faithfulness")])).counts.waived == 0
    late = count([row], make_policy(waivers=[by_id(key, "behaviour", "2026-01-01")]))
    assert (len(late.listed.expired), late.idle_waivers) == (1, ())
    other = count([row], make_policy(waivers=[by_id("phrase:else", "behaviour", "2026-01-01")]))
    assert (other.listed.expired, len(other.idle_waivers)) == ((), 1)


def test_gate_counts_tell_apart_what_the_budget_counts() -> None:
    rows = [
        make_row(0, outcomes={"faithfulness": passed((2, 2))}),
        make_row(1, outcomes={"faithfulness": failed(share=(1, 3))}),
        make_row(2, outcomes={"faithfulness": unmeasured("judge")}),
        make_row(3, outcomes={"faithfulness": unmeasured("no-adjudicator")}),
    ]
    facts = count(rows)
    expected = GateCounts(passed=1, failed=1, unmeasured=1, no_adjudicator=1, hits=3, total=5)
    assert facts.gate_counts["faithfulness"] == expected
    assert list(facts.gate_counts) == ["target", "admissibility", "faithfulness"]
    assert (facts.counts.passed, facts.counts.unmeasured) == (2, 1)


def test_a_gate_names_its_heaviest_offenders_then_those_first_in_the_suite() -> None:
    rows = [
        make_row(n, weight=weight, outcomes={"answered": failed(detail=f"d{n}")})
        for n, weight in enumerate([1, 5, 1, 2.5])
    ]
    named = count(rows).offenders["answered"]
    assert [change_in_words(offender) for offender in named] == ["q1: d1", "q3: d3", "q0: d0"]


def test_a_problem_without_text_is_named_by_what_its_code_means() -> None:
    facts = count([make_row(outcomes={"answered": failed("no-claims", "")})])
    assert change_in_words(facts.offenders["answered"][0]) == "q0: gave no answer"


def test_stages_stand_by_number_of_cases_then_in_order_of_diagnosis() -> None:
    gates = ["behaviour", "faithfulness", "behaviour", "candidate_recall"]
    rows = [make_row(n, outcomes={gate: failed()}) for n, gate in enumerate(gates)]
    assert [(found.stage, found.cases, found.named) for found in count(rows).stages] == [
        ("behaviour", 2, ("q0", "q2")),
        ("candidate retrieval", 1, ("q3",)),
        ("answer faithfulness", 1, ("q1",)),
    ]


def test_the_summary_follows_the_agent_suite_s_formulas() -> None:
    search, both = Tools(expected=("search",), missing=("search",)), Tools(expected=("search", "orders"), missing=())
    rows = [
        make_row(0, score=1.0, latency_ms=2000, cost_usd=0.1, tools=both),
        make_row(1, score=0.8, latency_ms=4000, cost_usd=0.2, tools=search),
        make_row(
            2,
            score=0.7,
            latency_ms=30_000,
            outcomes={"behaviour": failed()},
            hallucinations=(phrase(),),
            flagged=True,
        ),
        make_row(3, outcomes={"admissibility": failed()}, latency_ms=6000, weight=2),
        make_row(4, score=0.0, outcomes={"target": failed()}, latency_ms=8000, tools=search),
        make_row(5, outcomes={"target": unmeasured("cut")}),
    ]
    found = count(rows).summary
    assert (found.cases, found.passed, found.failed) == (6, 2, 3)
    # (1.0 + 0.8 + 0.7 + 0.0) / 4: a score that could not be taken is no score of nought; an error is one.
    assert found.mean_score == pytest.approx(0.625)
    # (2 + 4 + 30 + 6 + 8) / 5 seconds; ceil(0.5 * 5) = 3rd, ceil(0.95 * 5) = 5th of 2, 4, 6, 8, 30.
    assert (found.mean_latency_ms, found.p50_latency_ms, found.p95_latency_ms) == (10_000, 6000, 30_000)
    # One of the five that were run; the one that was cut was not.
    assert (found.hallucination_rate, found.flag_rate) == (20.0, 20.0)
    assert found.tool_use == Rate(hits=1, total=3)
    assert found.tools == (
        ToolCount(tool="search", called=1, expected=3),
        ToolCount(tool="orders", called=1, expected=1),
    )
    assert found.failing == ("q3", "q2", "q4")
    assert found.cost_usd == pytest.approx(0.3)


def test_hallucination_rate_of_the_source_is_rounded_half_up() -> None:
    # 5 of 196 is 2.551... and shown as 2.6, 5 of 200 is 2.5.
    rows = [make_row(n, hallucinations=(false_claim(),) if n < 5 else ()) for n in range(196)]
    assert count(rows).summary.hallucination_rate == 2.6
    assert count([*rows, *map(make_row, range(196, 200))]).summary.hallucination_rate == 2.5


def test_nothing_measured_is_none_and_not_nought() -> None:
    found = count([]).summary
    amounts = (found.mean_score, found.mean_latency_ms, found.p95_latency_ms, found.tool_use, found.cost_usd)
    assert amounts == (None, None, None, None, None)


def test_lists_are_cut_heaviest_first_and_counts_are_whole() -> None:
    rows = [make_row(n, weight=1 + n % 3, outcomes={"answered": failed()}) for n in range(1100)]
    facts = count(rows)
    assert (facts.counts.failed, len(facts.summary.failing), len(facts.listed.failing)) == (1100, 1000, 200)
    assert facts.summary.failing[:3] == ("q2", "q5", "q8")
    assert {row.weight for row in facts.listed.failing} == {3}
    assert facts.stages[0].cases == 1100


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        pytest.param(["ordinary", "must_release"], ("q1",), id="must-release cases, where there are any"),
        pytest.param(["ordinary", "ordinary"], ("q0", "q1"), id="else the first ordinary ones"),
        pytest.param(["ordinary"] * 25, tuple(f"q{n}" for n in range(20)), id="at most twenty, in suite order"),
    ],
)
def test_the_release_report_stands_on(kinds: list[Any], expected: tuple[str, ...]) -> None:
    rows = [make_row(n, kind=kind) for n, kind in enumerate(kinds)]
    assert tuple(source.case_id for source in count(reversed(rows)).source_rows) == expected


def test_pipeline_versions_count_cases_and_a_duplicate_key_stays_visible() -> None:
    rows = [
        make_row(0, versions=(("index", "i1"), ("index", "i2"))),
        make_row(1, versions=(("index", "i2"), ("index", "i2"))),
    ]
    assert count(rows).pipeline_versions == (
        PipelineVersion(key="index", value="i2", cases=2),
        PipelineVersion(key="index", value="i1", cases=1),
    )


def test_a_version_per_request_does_not_fill_the_run() -> None:
    rows = [make_row(n, versions=(("request", f"{n:03}"),)) for n in range(100)]
    assert [version.value for version in count(rows).pipeline_versions] == [f"{n:03}" for n in range(20)]


def test_levels_decide_what_a_waiver_has_to_cover() -> None:
    policy = make_policy(gates={"behaviour": {"level": "warn"}}, waivers=[waiver("q0", "answered")])
    row = make_row(0, policy, outcomes={"answered": failed(), "behaviour": failed()})
    assert count([row], policy).counts.waived == 1
    strict = Policy(waivers=policy.waivers)
    assert count([make_row(outcomes=row.outcomes)], strict).counts.failed == 1


def test_a_flag_counts_in_a_case_that_passes() -> None:
    policy = make_policy(gates={"behaviour": {"level": "off"}})
    facts = count([make_row(0, policy, outcomes={"behaviour": failed()}, flagged=True)], policy)
    assert (facts.counts.passed, facts.counts.flagged) == (1, 1)


def test_the_95th_of_a_hundred_latencies() -> None:
    amounts = count([make_row(n, latency_ms=1.0 + n) for n in range(100)]).summary
    assert (amounts.p50_latency_ms, amounts.p95_latency_ms) == (50.0, 95.0)


def test_passing_cases_with_issues_are_listed_and_failing_ones_are_not() -> None:
    rows = [
        make_row(0, issues=("Missing: “a”",)),
        make_row(1),
        make_row(2, outcomes={"behaviour": failed()}, issues=("Missing: “b”",)),
    ]
    assert [row.case_id for row in count(rows).listed.with_issues] == ["q0"]


def test_facts_stay_as_they_were_when_more_is_counted() -> None:
    tally = Tally(Policy(), decided_on=date(2026, 6, 1))
    rows = [make_row(n, kind="must_release", slices=("tags=a",), outcomes={"answered": failed()}) for n in range(2)]
    tally.add(rows[0])
    facts = tally.facts()
    kept = str(facts)
    tally.add(rows[1])
    assert str(facts) == kept
