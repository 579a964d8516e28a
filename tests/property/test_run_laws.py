from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.decision.decide import decide
from raggate_action.schema.case_run import CaseRun, Tools
from raggate_action.schema.outcome import GATES, NotApplicable, Outcome
from raggate_action.schema.run import Policy
from tests.row_builders import (
    compare,
    count,
    failed,
    false_claim,
    flaky,
    make_policy,
    make_row,
    passed,
    phrase,
    unmeasured,
    waiver,
)
from tests.thorough import examples

OUTCOMES: list[Outcome] = [
    passed(),
    passed((2, 2)),
    failed(),
    failed(share=(1, 2)),
    unmeasured("judge"),
    unmeasured("no-adjudicator"),
    NotApplicable(why="not asked"),
]
SUITE_GATES = [gate for gate in GATES if gate not in {"target", "admissibility"}]
LEVELS = st.sampled_from(["block", "warn", "off"])


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """Bars and levels of all kinds, and waivers of the first cases."""
    bars = st.sampled_from(["0%", "50%", "95%", "100%"])
    chosen = draw(st.lists(st.sampled_from(SUITE_GATES), unique=True, max_size=4))
    gates: dict[str, Any] = {gate: {"level": draw(LEVELS), "min": draw(bars)} for gate in chosen}
    gates["hallucination_rate"] = {"level": draw(LEVELS), "max": draw(st.sampled_from(["2%", "30%"]))}
    gates["p95_latency_ms"] = {"max": 500}
    waived = draw(st.lists(st.tuples(st.sampled_from(["q0", "q1"]), st.sampled_from(SUITE_GATES)), max_size=3))
    return make_policy(
        gates=gates,
        slices={"by": ["workflow"], "min_cases": draw(st.sampled_from([1, 3, 20]))},
        waivers=[waiver(case, gate, draw(st.sampled_from(["2026-01-01", "2027-01-01"]))) for case, gate in waived],
    )


@st.composite
def row(draw: st.DrawFn, position: int, policy: Policy) -> CaseRun:
    """Any case of any kind."""
    targets: list[Outcome] = [passed(), passed(), passed(), failed(), unmeasured("cut")]
    target = draw(st.sampled_from(targets))
    found = draw(st.sampled_from([(), (false_claim(),), (phrase(), false_claim())]))
    # What was not answered has claimed nothing.
    hallucinations = found if target.kind == "passed" else ()
    kind = draw(st.sampled_from(["ordinary"] * 4 + ["must_release", "known_bad"]))
    made = make_row(
        position,
        policy,
        kind=kind,
        blocked_at="admissibility" if kind == "known_bad" else None,
        outcomes={
            "target": target,
            **draw(st.dictionaries(st.sampled_from(list(GATES)[1:]), st.sampled_from(OUTCOMES), max_size=4)),
        },
        weight=draw(st.sampled_from([1, 2.5, 9])),
        hallucinations=hallucinations,
        flagged=len(hallucinations) == 2,
        score=draw(st.sampled_from([None, 0.1, 0.7, 1.0])),
        latency_ms=draw(st.none() | st.floats(0, 1000)),
        cost_usd=draw(st.none() | st.sampled_from([0.1, 0.2, 0.3])),
        slices=draw(st.sampled_from([(), ("workflow=a",), ("workflow=b",)])),
        versions=draw(st.sampled_from([(), (("index", "i1"),), (("index", "i2"), ("prompt", "p1"))])),
        tools=draw(st.sampled_from([None, Tools(expected=("search",), missing=("search",))])),
    )
    is_flaky = made.state == "passed" and kind != "known_bad" and not made.flagged and draw(st.booleans())
    return made.model_copy(update={"state": "flaky", "asks": flaky().asks}) if is_flaky else made


@st.composite
def judged_runs(draw: st.DrawFn) -> tuple[Policy, list[CaseRun]]:
    """A policy and up to eight cases."""
    policy = draw(policies())
    return policy, [draw(row(position, policy)) for position in range(draw(st.integers(0, 8)))]


@settings(max_examples=examples(40))
@given(judged_runs(), st.randoms(use_true_random=False))
def test_no_order_of_rows_changes_the_facts(judged: tuple[Policy, list[CaseRun]], random: Any) -> None:
    policy, rows = judged
    shuffled = rows.copy()
    random.shuffle(shuffled)
    assert count(shuffled, policy) == count(rows, policy)
    assert compare(shuffled, rows, policy) == compare(rows, shuffled, policy)


@settings(max_examples=examples(40))
@given(judged_runs(), st.integers(0, 8))
def test_counts_of_two_halves_add_up(judged: tuple[Policy, list[CaseRun]], middle: int) -> None:
    policy, rows = judged
    whole, left, right = (count(part, policy) for part in (rows, rows[:middle], rows[middle:]))
    assert _counts(whole) == {key: value for key, value in _added(left, right).items() if value}
    assert (whole.ran, whole.asked_of_target) == (left.ran + right.ran, left.asked_of_target + right.asked_of_target)


def _counts(facts: Facts) -> dict[str, int]:
    """Every count that is not nought, by name."""
    counts = {f"counts {name}": value for name, value in facts.counts}
    for gate, of_gate in facts.gate_counts.items():
        # Of a gate that was asked of flaky cases alone nothing is told, these neither.
        counts |= {f"{gate} {name}": value for name, value in of_gate if name != "flaky"}
    for name, states in facts.slices.items():
        counts |= {f"{name} passed": states["passed"], f"{name} failed": states["failed"]}
    counts |= {f"stage {stage.stage}": stage.cases for stage in facts.stages}
    return {key: value for key, value in counts.items() if value}


def _added(left: Facts, right: Facts) -> dict[str, int]:
    one, other = _counts(left), _counts(right)
    return {key: one.get(key, 0) + other.get(key, 0) for key in {*one, *other}}


def steady(rows: list[CaseRun]) -> list[CaseRun]:
    """The same rows, but that what is flaky had passed at once."""
    return [row.model_copy(update={"state": "passed", "asks": ()}) if row.state == "flaky" else row for row in rows]


@settings(max_examples=examples(40))
@given(judged_runs())
def test_every_ordinary_case_is_in_exactly_one_state(judged: tuple[Policy, list[CaseRun]]) -> None:
    policy, rows = judged
    facts = count(rows, policy)
    counts = facts.counts
    assert counts.passed + counts.failed + counts.unmeasured + counts.waived + counts.flaky == counts.cases
    assert counts.cases + counts.known_bad == len(rows)
    found = facts.summary
    assert len(found.failing) == counts.failed
    assert (found.hallucination_rate == 0) == (counts.hallucinating == 0) or not facts.ran


@settings(max_examples=examples(60))
@given(judged_runs())
def test_a_case_that_fails_at_everything_never_turns_a_block_into_a_release(
    judged: tuple[Policy, list[CaseRun]],
) -> None:
    policy, rows = judged
    if decide(count(rows, policy), policy=policy, comparison=None).decision.kind != "block":
        return
    worse = make_row(
        99,
        policy,
        # Answered, so that nothing hides behind an app that answers nothing at all.
        outcomes={"target": passed(), **dict.fromkeys(list(GATES)[1:], failed())},
        hallucinations=(phrase(), false_claim()),
        flagged=True,
        latency_ms=1001.0,
        slices=("workflow=a", "workflow=b"),
    )
    after = decide(count([*rows, worse], policy), policy=policy, comparison=None).decision
    assert after.kind == "block"


@settings(max_examples=examples(40))
@given(judged_runs())
def test_a_run_against_itself_has_no_moves(judged: tuple[Policy, list[CaseRun]]) -> None:
    policy, rows = judged
    found = compare(rows, rows, policy)
    assert found.compared == sum(row.kind != "known_bad" and row.state != "flaky" for row in rows)
    assert (found.changed.cases, found.added.cases, found.removed.cases, found.not_run, found.versions) == (
        0,
        0,
        0,
        0,
        (),
    )
    assert [each for each in found.changes if each.move in {"new", "fixed"}] == []


@settings(max_examples=examples(40))
@given(judged_runs(), judged_runs())
def test_what_one_direction_calls_a_regression_the_other_calls_fixed(
    one: tuple[Policy, list[CaseRun]], other: tuple[Policy, list[CaseRun]]
) -> None:
    policy, rows = one
    # The same policy on both sides: waivers that hold excuse a case on either run. A flaky case had passed, and has not.
    before, after = steady(other[1]), steady(rows)
    there, back = compare(after, before, policy), compare(before, after, policy)
    # What failed for a false claim may still be there in other words, and is then not confirmed as fixed.
    fixed = [each.total("fixed") + each.total("unknown") for each in (back, there)]
    assert [there.regressed, back.regressed] == fixed
    assert there.compared == back.compared
