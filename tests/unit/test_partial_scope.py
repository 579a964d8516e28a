"""A part of the suite is decided as the whole would be: by the rows run and the baseline's outcomes for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import texts_of
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison, NotJudgedAgain
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import RunGate
from raggate_action.schema.run import Run
from tests.row_builders import failed, false_claim, in_words, known_bad, make_policy, make_row, passed, unmeasured
from tests.scoped_runs import indexed, run_of

LOST = {"context_recall": failed("source-missing", "c7 not in context")}
FOUND = {"context_recall": passed()}


def suite(cases: int, failing: Sequence[int] = (), **fields: Any) -> list[CaseRun]:
    return [make_row(n, outcomes=LOST if n in failing else FOUND, **fields) for n in range(cases)]


def ids(*numbers: int) -> set[str]:
    return {f"q{number}" for number in numbers}


def gate_of(reporting: Reporting, name: str) -> RunGate:
    return next(gate for gate in reporting.run.gates if gate.gate == name)


def slice_of(reporting: Reporting, name: str) -> SliceResult:
    return next(part for part in reporting.run.slices if part.name == name)


BY_KIND = make_policy(slices={"by": ["kind"]})
MAIN = suite(100, [3, 5, 7, 11])
SMOKE = ids(*range(12))


def test_the_same_traces_in_a_part_of_the_suite_are_released_as_the_whole_is() -> None:
    whole = run_of(MAIN)
    assert whole.run.decision.kind == "release"
    part = run_of(MAIN, baseline=indexed(whole, MAIN), only=SMOKE)
    assert part.run.decision.kind == "release"
    gate = gate_of(part, "context_recall")
    assert (gate.status, gate.passed, gate.scored, gate.carried) == ("passed", 96, 100, 88)
    # What is counted in the head is what was run.
    assert (part.run.counts.cases, part.run.counts.failed) == (12, 4)
    texts = texts_of(part)
    assert "12 of 100 cases were run; of 88 others the baseline's outcome is carried over." in texts["comment.md"]
    line = next(line for line in texts["summary.md"].splitlines() if line.startswith("| context recall"))
    assert line == "| context recall | 96/100 | 96.0 % | 96/100 | = | ≥ 95 % | ✅ passed, 88 carried |"


@pytest.mark.parametrize(
    ("now", "why"),
    [
        pytest.param([3, 5, 7, 11, 0], None, id="one regression: 95 of 100, as the whole suite would release"),
        pytest.param(
            [3, 5, 7, 11, 0, 1],
            "context_recall failed: 94 of 100 passed (94.0 %), 88 of them carried from the baseline, the bar is ≥ 95 %",
            id="the whole is below its bar",
        ),
        pytest.param([], None, id="all mended"),
    ],
)
def test_a_bar_fails_where_the_whole_is_below_it(now: list[int], why: str | None) -> None:
    baseline = indexed(run_of(MAIN), MAIN)
    # The whole suite with one more failing is at its bar, and of the rows run fewer pass: that is told below.
    part = run_of(suite(100, now), baseline=baseline, only=SMOKE)
    whole = run_of(suite(100, now), baseline=baseline)
    if why is None and now:
        assert whole.run.decision.kind == "release"
        assert in_words(part.run)[0].startswith(
            "context_recall failed: 7 of 12 passed (58.3 %) of the cases run, 8 on the baseline, the bar is ≥ 95 %"
        )
    elif why is None:
        assert (part.run.decision.kind, whole.run.decision.kind) == ("release", "release")
    else:
        assert (part.run.decision.kind, whole.run.decision.kind) == ("block", "block")
        assert in_words(part.run)[0].startswith(why)


def test_as_many_pass_as_did_is_no_fall() -> None:
    # Case 0 fails now and case 3 is mended: 8 of 12, as on the baseline, and 96 of 100.
    part = run_of(suite(100, [5, 7, 11, 0]), baseline=indexed(run_of(MAIN), MAIN), only=SMOKE)
    assert part.run.decision.kind == "release"
    assert part.comparison is not None
    assert (part.comparison.regressed, part.comparison.total("fixed")) == (1, 1)


def test_a_fault_among_what_is_carried_is_named_as_such() -> None:
    before = suite(40, [20, 21, 22])
    part = run_of(before, baseline=indexed(run_of(before), before), only=ids(0, 1))
    assert part.run.decision.kind == "block"
    offenders = gate_of(part, "context_recall").offenders
    assert [each.move for each in offenders] == ["same"] * 3
    assert "first: q20 (carried): c7 not in context" in in_words(part.run)[0]


def test_what_is_judged_by_something_else_is_not_carried() -> None:
    """Of the 88 not run nothing is known; of the 12 run 8 pass, as on the baseline."""
    left: dict[str, NotJudgedAgain] = dict.fromkeys(ids(*range(12, 100)), "text")
    baseline = indexed(run_of(MAIN), MAIN)._replace(left=left)
    part = run_of(MAIN, baseline=baseline, only=SMOKE)
    assert part.comparison is not None
    assert part.comparison.partial is not None
    assert (part.comparison.partial.carried, part.comparison.partial.left_out) == (0, 88)
    gate = gate_of(part, "context_recall")
    assert (part.run.decision.kind, gate.status, gate.scored) == ("release", "insufficient", 12)
    # One more that fails is enough where only the rows run are known.
    assert run_of(suite(100, [3, 5, 7, 11, 0]), baseline=baseline, only=SMOKE).run.decision.kind == "block"
    # And so are new cases that fail, of which the baseline knows nothing.
    added = [*MAIN, *[make_row(100 + n, outcomes=LOST) for n in range(3)]]
    assert run_of(added, baseline=baseline, only=ids(100, 101, 102)).run.decision.kind == "block"


def test_what_is_new_against_the_baseline_blocks_in_a_part_as_in_the_whole() -> None:
    """One of forty is within the bar of 95 %, so that only the gate on what is new can tell."""
    before = [make_row(n, outcomes={"answered": passed()}) for n in range(100)]
    now = [make_row(0, outcomes={"answered": failed("declined")}), *before[1:]]
    baseline = indexed(run_of(before), before)
    for part in (run_of(now, baseline=baseline), run_of(now, baseline=baseline, only=ids(*range(40)))):
        assert gate_of(part, "newly_unanswered").status == "failed"
        assert part.run.decision.kind == "block"
    assert run_of(before, baseline=baseline, only=ids(*range(40))).run.decision.kind == "release"


def test_new_cases_count_in_the_whole_where_the_rest_is_carried() -> None:
    baseline = indexed(run_of(suite(100)), suite(100))
    for new, decision in ((3, "release"), (8, "block")):
        added = [*suite(100), *[make_row(100 + n, outcomes=LOST) for n in range(new)]]
        part = run_of(added, baseline=baseline, only={f"q{100 + n}" for n in range(new)})
        # 100 of 103 are 97 %, 100 of 108 are 92 %.
        assert (part.run.decision.kind, run_of(added, baseline=baseline).run.decision.kind) == (decision, decision)


def test_a_changed_case_that_is_not_run_is_not_carried() -> None:
    before = suite(20, [19])
    changed = [*before[:19], before[19].model_copy(update={"digest": "another"})]
    part = run_of(changed, baseline=indexed(run_of(before), before), only=ids(0))
    assert part.comparison is not None
    assert part.comparison.partial is not None
    assert (part.comparison.partial.carried, part.comparison.partial.left_out) == (18, 1)
    assert "nothing is known of 1." in texts_of(part)["comment.md"]


def test_what_is_carried_is_never_carried_twice() -> None:
    first = run_of(MAIN)
    part = run_of(MAIN, baseline=indexed(first, MAIN), only=SMOKE)
    # The next run is held against the part alone: it has rows of twelve cases.
    next_one = run_of(MAIN, baseline=indexed(part, MAIN), only=ids(*range(6)))
    assert next_one.comparison is not None
    assert next_one.comparison.partial is not None
    assert (next_one.comparison.partial.carried, next_one.comparison.partial.left_out) == (6, 88)
    assert next_one.comparison.baseline_decision == "release", "by what it carried itself"


@pytest.mark.parametrize(
    ("rows", "only", "gate"),
    [
        pytest.param(
            [*suite(98), *[make_row(n, hallucinations=(false_claim(),)) for n in (98, 99)]], ids(98), "hallucination_rate", id="hallucinations"
        ),
        pytest.param(
            [make_row(n, outcomes={"answered": passed() if n < 98 else unmeasured()}) for n in range(100)], ids(98, 99, 0), "unmeasured", id="unmeasured"
        ),
        pytest.param(suite(40, [1, 2], slices=("kind=a",)), ids(1, 2), "slices", id="slices"),
    ],
)  # fmt: skip
def test_every_share_carries(rows: list[CaseRun], only: set[str], gate: str) -> None:
    whole = run_of(rows, BY_KIND)
    part = run_of(rows, BY_KIND, baseline=indexed(whole, rows), only=only)
    assert whole.run.decision.kind == part.run.decision.kind == "release"
    assert gate_of(part, gate).status == "passed"
    assert run_of(rows, BY_KIND, only=only).run.decision.kind != "release", "without a baseline the part stands alone"


def test_a_slice_falls_by_the_cases_run() -> None:
    before = suite(40, slices=("kind=a",))
    after = suite(40, [0], slices=("kind=a",))
    baseline = indexed(run_of(before, BY_KIND), before)
    part = run_of(after, BY_KIND, baseline=baseline, only=ids(0))
    assert (slice_of(part, "kind=a").status, slice_of(part, "kind=a").scored) == ("failed", 1)
    same = run_of(before, BY_KIND, baseline=baseline, only=ids(0))
    assert (slice_of(same, "kind=a").status, slice_of(same, "kind=a").carried) == ("passed", 39)


def test_a_slice_that_is_only_watched_carries_and_never_falls() -> None:
    before = [*suite(39, slices=("category=a",)), make_row(39, slices=("category=b",))]
    after = [*suite(39, [0], slices=("category=a",)), make_row(39, slices=("category=b",))]
    part = run_of(after, baseline=indexed(run_of(before), before), only=ids(0))
    found = slice_of(part, "category=a")
    assert (found.status, found.passed, found.scored, found.carried) == ("insufficient", 38, 39, 38)
    assert "category=a | 38/39 | 97.4 % | 39/39 | -2.6 pts | watch, 38 carried" in texts_of(part)["comment.md"]


def test_latency_and_cost_of_a_part_only_warn() -> None:
    policy = make_policy(gates={"p95_latency_ms": {"max": 500}, "cost_usd": {"max": 1}})
    rows = [make_row(n, policy, latency_ms=900.0 if n < 2 else 100.0, cost_usd=0.001) for n in range(100)]
    whole = run_of(rows, policy)
    assert whole.run.decision.kind == "release"
    for baseline in (None, indexed(whole, rows)):
        part = run_of(rows, policy, baseline=baseline, only=ids(0, 1))
        assert (part.run.decision.kind, gate_of(part, "p95_latency_ms").level) == ("release", "warn")


def test_known_bad_cases_count_what_ran() -> None:
    rows = [*suite(9), known_bad(9, blocked=True), known_bad(10, blocked=False)]
    baseline = indexed(run_of(rows), rows)
    part = run_of(rows, baseline=baseline, only=ids(0, 9, 10))
    assert (part.run.decision.kind, gate_of(part, "known_bad_blocked").scored) == ("block", 2)


def test_changes_compare_the_cases_of_both_runs() -> None:
    before = suite(20)
    after = [*before, *[make_row(20 + n, outcomes=LOST) for n in range(20)]]
    grown = run_of(after, baseline=indexed(run_of(before), before))
    comment = texts_of(grown)["comment.md"]
    line = next(line for line in comment.splitlines() if line.startswith("| context recall"))
    assert line == "| context recall | 20/40 | 50.0 % | 20/20 | = | ≥ 95 % | ❌ failed |"


def test_an_app_that_answers_none_of_the_part_is_silent_only_if_it_answered_then() -> None:
    down = {"target": failed("target-error", "refused")}
    rows = [*suite(99), make_row(99, outcomes=down)]
    baseline = indexed(run_of(rows), rows)
    assert run_of(rows, baseline=baseline, only=ids(99)).run.decision.kind == "release"
    newly = [make_row(0, outcomes=down), *rows[1:]]
    silent = run_of(newly, baseline=baseline, only=ids(0, 99))
    assert (silent.run.decision.kind, silent.app_is_silent) == ("inconclusive", True)


def test_cases_named_one_by_one_are_decided_by_themselves() -> None:
    baseline = indexed(run_of(MAIN), MAIN)
    one = run_of(MAIN, baseline=baseline, only=ids(3), case_filter=("q3",))
    assert one.run.decision.kind == "block"
    assert one.comparison is not None
    assert one.comparison.partial is None
    # And compared with themselves alone.
    assert "| context recall | 0/1 | 0.0 % | 0/1 | = | ≥ 95 % | ❌ failed |" in texts_of(one)["comment.md"]


@pytest.mark.parametrize("failing", [[3, 5, 7, 11], [0, 1, 3, 5, 7, 11]])
def test_a_part_comes_out_the_same_from_what_is_stored(failing: list[int]) -> None:
    rows = suite(100, failing)
    part = run_of(rows, baseline=indexed(run_of(MAIN), MAIN), only=SMOKE)
    assert part.comparison is not None
    stored = Run.model_validate_json(part.run.model_dump_json())
    comparison = Comparison.model_validate_json(part.comparison.model_dump_json())
    again = Reporting(stored, part.listed, comparison)
    assert texts_of(again) == texts_of(part)
    assert again.run.decision == part.run.decision
