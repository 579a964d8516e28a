"""The list under the verdict: faults and no gates, what is to be looked at first on top."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import yaml

from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.fault_list import fault_lines
from raggate_action.report.gate_faults import what_blocks
from raggate_action.report.page import bare
from raggate_action.report.plain_sink import plain
from raggate_action.report.report_input import Reporting
from raggate_action.report.waiver_to_copy import release_by_waivers, waiver_to_copy
from raggate_action.schema.suite_comparison import SuiteChange, SuiteComparison
from raggate_action.schema.waived import Waiver
from tests.golden.builders import (
    RELEASED,
    blocked,
    case_rows,
    counted,
    first,
    gate_reason,
    gates,
    make_comparison,
    make_reporting,
    make_row,
    make_waiver,
    slices,
)
from tests.row_builders import suspicious

OLD = "superseded-chunk: c1 in context"


def lines(told: Reporting) -> list[str]:
    return [plain(line.words) for line in fault_lines(told, COMMENT_EXTENTS[0])]


def stage_line(picture: str, gate: str = "", **fields: Any) -> str:
    told = make_reporting(case_rows(picture), blocked(), gates=gates(gate), **fields)
    return lines(told)[0]


def old(cases: int) -> str:
    return "\n".join(f"old-{n}  failed  admissibility  {OLD}" for n in range(cases))


def test_a_stage_says_what_went_wrong_how_much_is_allowed_what_to_repair_and_which_case() -> None:
    assert stage_line(old(8), "admissibility  block  failed  0/8  >= 100 %") == (
        "8 answers used out-of-date text (0 allowed). Repair: index and permissions. old-0 and 7 more"
    )
    assert stage_line(old(2), "admissibility  block  failed  0/8  >= 100 %").endswith(". old-0, old-1")


def test_cases_with_several_problems_are_told_by_their_stage() -> None:
    picture = f"a  failed  admissibility  {OLD}\nb  failed  admissibility  restricted-chunk: c2 in context"
    assert stage_line(picture).startswith("2 answers used forbidden evidence. Repair: index and permissions.")


def test_a_malformed_trace_has_a_line_of_its_own_beside_an_app_that_fails() -> None:
    picture = "a  failed  target  target-error: refused\nb  failed  target  off-schema: t.jsonl:2: off schema: x\n"
    told = make_reporting(case_rows(picture), blocked(), gates=gates("target  block  failed  0/2  >= 95 %"))
    assert lines(told)[:2] == [
        "1 case got no usable answer from the app (0 allowed). Repair: the app. a",
        "1 case gave a malformed trace (0 allowed). Repair: the app. b",
    ]


def test_a_forbidden_phrase_is_told_by_its_words() -> None:
    picture = "a  failed  behaviour  forbidden-phrase: Hallucinated: x\n  ! phrase | guaranteed refund | |\n"
    assert stage_line(picture).startswith("1 answer used a forbidden phrase: “guaranteed refund”. Repair: ")


def test_of_several_bars_none_says_how_many_are_allowed() -> None:
    more = gates("admissibility  block  failed  0/8  >= 100 %"), gates("newly_inadmissible  block  failed  -  none new")
    named = more[1][0].model_copy(update={"offenders": (first("old-0"),), "offending": 1})
    told = make_reporting(case_rows(old(1)), blocked(), gates=(*more[0], named))
    assert lines(told)[0] == "1 answer used out-of-date text. Repair: index and permissions. old-0"


def test_a_bar_allows_whole_cases() -> None:
    """95 % of 39 scored cases: 0.05 * 39 = 1.95, so one may fail."""
    assert "(1 allowed)" in stage_line(old(2), "admissibility  block  failed  37/39  >= 95 %")


def test_lines_stand_in_order_of_diagnosis_those_over_what_is_allowed_first() -> None:
    picture = "late  failed  faithfulness  claim-unsupported: x\nlost  failed  candidate_recall  source-missing: c"
    faithful = "faithfulness  block  failed  8/9  >= 95 %"
    recall = "candidate_recall  block  failed  8/9  >= 95 %"
    kept = "candidate_recall  block  passed  39/40  >= 95 %"
    both = make_reporting(case_rows(picture), blocked(), gates=gates(f"{faithful}\n{recall}"))
    assert [line.split()[0:4] for line in lines(both)[:2]] == [
        ["1", "case", "did", "not"],
        ["1", "answer", "said", "what"],
    ]
    one = make_reporting(case_rows(picture), blocked(), gates=gates(f"{faithful}\n{kept}"))
    assert [line.cases for line in fault_lines(one, COMMENT_EXTENTS[0])[:2]] == [("late",), ("lost",)]
    assert [line.level for line in fault_lines(one, COMMENT_EXTENTS[0])[:2]] == ["block", "warn"]


@pytest.mark.parametrize(("new", "said"), [(0, "none new"), (1, "1 new"), (3, "")])
def test_against_a_baseline_it_is_said_how_many_are_new(new: int, said: str) -> None:
    changes = [first(f"old-{n}", OLD, gate="admissibility", move="new") for n in range(new)]
    comparison = make_comparison(**counted(*changes))
    line = stage_line(old(3), "admissibility  block  failed  0/3  >= 100 %", comparison=comparison)
    assert ("new" in line) == bool(said)
    assert said in line


def test_gates_that_fail_for_the_same_cases_are_one_line() -> None:
    """One wrong number: three gates are red for it."""
    picture = "wrong  failed  faithfulness  claim-contradicted: “917”\n" + "\n".join(f"c{n}  passed" for n in range(9))
    reasons = (
        gate_reason("new_hallucinations  block  failed  9/10  none new  1 of 10 cases", first("wrong")),
        gate_reason("faithfulness  block  failed  9/10  >= 95 %", first("wrong")),
        gate_reason("hallucination_rate  block  failed  9/10  <= 2 %  10.0 % (1 of 10 cases)", first("wrong")),
    )
    told = make_reporting(case_rows(picture), blocked(*reasons), gates=reasons)
    assert lines(told)[:2] == [
        "1 answer contradicted the evidence. Repair: prompt, abstention, generation policy. wrong",
        "No baseline run to compare with, so regressions are unknown.",
    ]


def test_a_gate_that_fails_for_other_cases_has_a_line_of_its_own() -> None:
    carried = first("other", move="same")
    reason = gate_reason("faithfulness  block  failed  9/20  >= 95 %", carried)
    told = make_reporting(case_rows(old(1)), blocked(reason), gates=(reason,))
    assert any(line.startswith("faithfulness failed: 9 of 20 passed") for line in lines(told))


def test_suspects_that_no_gate_on_cases_fails_are_a_fault_of_the_answers() -> None:
    row = suspicious(17, "conflict")
    suspect = first(row.case_id, "conflict: 20 is in no chunk", gate="new_suspects", move="new")
    reason = gate_reason("new_suspects  block  failed  31/32  none new  1 of 32 cases", suspect)
    comparison = make_comparison(**counted(suspect))
    told = make_reporting((row,), blocked(reason), comparison=comparison, listed={"with_issues": (row,)})
    line = fault_lines(told, COMMENT_EXTENTS[0])[0]
    assert plain(line.words) == (
        "1 answer newly contradicted the evidence or said what it does not say (0 new allowed). Repair: prompt, abstention, generation policy. "
        f"{row.case_id}. Way out: if these answers are right, give the evidence what they say, or copy "
        'waivers: [{gate: new_suspects, reason: "why it is right", owner: "@you", expires: 2026-07-02}], '
        "with case: ... in it for one."
    )
    assert line.cases == (row.case_id,)


@pytest.mark.parametrize(
    ("rows", "reasons", "said"),
    [
        pytest.param(
            "a  passed",
            ["known_bad_blocked  block  failed  3/4  100 %"],
            "known-bad blocked: 3 of 4 (75.0 %)",
            id="none fails",
        ),
        pytest.param(old(1), ["admissibility  block  failed  0/1  >= 100 %"], "", id="a case fails"),
        pytest.param("a  passed", [], "", id="nothing blocks"),
    ],
)
def test_what_blocks_although_no_case_fails_stands_beside_the_decision(
    rows: str, reasons: list[str], said: str
) -> None:
    decision = blocked(*map(gate_reason, reasons)) if reasons else RELEASED
    assert what_blocks(make_reporting(case_rows(rows), decision).run) == said


def test_slices_have_a_line_only_where_the_stages_do_not_tell_why() -> None:
    reason = gate_reason("slices  block  failed  2/3  each >= 95 %  1 of 3 red")
    red = slices("category=allergen  failed  3/5")
    over = "admissibility  block  failed  0/1  >= 100 %"
    said = "1 slice is below the bar (each ≥ 95 %): category=allergen 3 of 5 (60.0 %)"
    alone = make_reporting(case_rows(old(1)), blocked(reason), slices=red)
    assert said in lines(alone)
    with_stage = make_reporting(case_rows(old(1)), blocked(reason), gates=gates(over), slices=red)
    assert said not in lines(with_stage)


@pytest.mark.parametrize(
    ("state", "stage", "expected"),
    [
        pytest.param("passed", None, "but passed", id="it got through"),
        pytest.param("failed", "citation support", "but failed first at citation support", id="blocked elsewhere"),
        pytest.param("unmeasured", None, "but could not be measured", id="nobody knows"),
    ],
)
def test_a_known_bad_case_that_was_not_blocked_stands_before_the_faults(
    state: str, stage: str | None, expected: str
) -> None:
    fields = {"kind": "known_bad", "blocked_at": "admissibility", "state": state, "first_failed_stage": stage}
    reason = gate_reason("known_bad_blocked  block  failed  0/1  100 %", first("case-0"))
    told = make_reporting((make_row(0, **fields), *case_rows(old(1))), blocked(reason), gates=(reason,))
    found = lines(told)
    assert found[0] == (
        f"1 of 1 known-bad case not blocked: case-0 had to be blocked at admissibility, {expected} (cases/menu.yaml:4)"
    )
    assert not [line for line in found[1:] if "known-bad" in line]


def test_a_decline_over_nothing_is_no_answer_from_an_empty_context() -> None:
    line = stage_line("dog  failed  admissibility  declined-over-nothing: it declined, with no evidence found")
    assert line == (
        "1 answer declined, with no evidence found. If that is right, write `expect: abstain`; else repair index and "
        "permissions. dog"
    )


def pasted_waivers(line: str) -> list[Waiver]:
    """Every waiver that a line prints, read as a suite reads it."""
    suites = [yaml.safe_load(each) for each in re.findall(r"waivers: \[\{.*?\}\]", line)]
    return [Waiver.model_validate(each) for suite in suites for each in suite["waivers"]]


def test_every_waiver_of_what_was_not_measured_is_valid_when_pasted() -> None:
    faulty = gate_reason(
        "unmeasured  block  failed  -  <= 2 %, here 1  5 of 7 cases", first("late: 1", "unmeasured-fault: x")
    )
    budget = faulty.measured
    assert budget is not None
    assert budget.kind == "unmeasured"
    removed = first("no", "removed")
    for measured, offender, case in (
        (budget.model_copy(update={"faults": 5}), faulty.offenders[0], "late: 1"),
        (budget.model_copy(update={"removed": 5}), removed, "no"),
    ):
        gate = faulty.model_copy(update={"measured": measured, "offenders": (offender,)})
        told = make_reporting(case_rows(old(1)), blocked(gate), gates=(gate,))
        assert [(each.case, each.gate) for each in pasted_waivers(lines(told)[0])] == [(case, "removed")]


def test_what_was_not_measured_stands_first_with_the_reason() -> None:
    reason = gate_reason(
        "unmeasured  block  failed  -  <= 2 %, here 1  5 of 7 cases", first("late", "unmeasured-cut: no time")
    )
    open_gate = gate_reason(
        "candidate_recall  block  unmeasured  0/0  >= 95 %", first("late", "unmeasured-cut: no time")
    )
    told = make_reporting(case_rows(old(1)), blocked(reason, open_gate), gates=(reason, open_gate))
    assert lines(told)[:2] == [
        "Not measured: 5 of 7 cases (1 allowed): cut by the deadline: no time. late.",
        "1 answer used out-of-date text. Repair: index and permissions. old-0",
    ]
    alone = make_reporting(case_rows(old(1)), blocked(open_gate), gates=(open_gate,))
    assert lines(alone)[0] == ("candidate recall could not be measured; first: late: cut by the deadline: no time"), (
        "an answer that is cut short goes by the same code"
    )


def test_a_source_that_may_have_moved_is_labelled_anew() -> None:
    missed = first("lost", "source-missing: c2", gate="newly_missed", move="new")
    picture = "lost  failed  candidate_recall  source-missing: c2 not in candidates"
    line = stage_line(picture, comparison=make_comparison(**counted(missed)))
    assert line.endswith("Repair: chunking, query, retrieval lane. lost. If its source moved, label the case anew")


def weakened(**fields: Any) -> Reporting:
    change = SuiteChange(key="gates.faithfulness.min", before="0.95", after="0.4")
    policy = SuiteComparison(level="block", changes=(change,), changed=1, decision="block", **fields)
    reason = gate_reason("policy_weakened  block  failed  -  none")
    return make_reporting((make_row(0),), blocked(reason), gates=(reason,), comparison=make_comparison(policy=policy))


def test_a_weaker_suite_stands_in_the_open_with_its_answer_and_its_way_out() -> None:
    assert lines(weakened())[0] == (
        "The suite is not the baseline's: gates.faithfulness.min 0.95 → 0.4. By the baseline's suite this"
        ' is a block. Way out: put it back, or copy waivers: [{gate: policy_weakened, reason: "why it is right",'
        ' owner: "@you", expires: 2026-07-02}] into the suite.'
    )


@pytest.mark.parametrize("case", ["", "plain-id", "no", "12", "a: b # c", 'say "it"', "ünïcode\u2028", "--out=/etc"])
def test_a_waiver_to_copy_is_valid_as_it_stands(case: str) -> None:
    told = weakened()
    written = yaml.safe_load(bare(waiver_to_copy("policy_weakened", told, case=case)))
    (waiver,) = written["waivers"]
    read = Waiver.model_validate(waiver)
    assert (read.case, read.gate) == (case, "policy_weakened")
    assert read.expires == told.run.decided_on + timedelta(days=30)


@pytest.mark.parametrize("gates", [("poorer",), ("new_suspects", "poorer")], ids=["one", "two in one piece"])
@pytest.mark.parametrize(
    "suite",
    ["waivers:\n  - {OLD}\n", "waivers:\n- {OLD}\nslices: {}\n", "waivers: [{OLD}]\n"],
    ids=["indented", "at the margin", "in brackets"],
)
def test_a_suite_with_waivers_takes_the_next_as_an_item_of_its_list(suite: str, gates: tuple[str, ...]) -> None:
    """What the line says, done by hand: a second key would be no suite."""
    old = "case: a, gate: behaviour, reason: r, owner: o, expires: 2026-07-01"
    decision = blocked(*[gate_reason(f"{gate}  block  failed  6/10  none new") for gate in gates])
    told = make_reporting((), decision)
    policy = told.run.policy.model_copy(update={"waivers": (make_waiver(),)})
    told = told._replace(run=told.run.model_copy(update={"policy": policy}))
    line = bare(release_by_waivers("poorer", told))
    items = re.findall(r"- (\{.*?\})", line)
    where = " as an item under waivers:" if len(gates) == 1 else " as items under waivers:"
    assert (
        line
        == " and ".join([f"- {each}" for each in items]) + f"{where} (in brackets: after a comma, without the dash)"
    )
    indent = suite.partition("\n")[2].partition("-")[0]
    if "[" in suite:
        pasted = suite.replace("]", f"{''.join([f', {each}' for each in items])}]")
    else:
        pasted = suite.replace("{OLD}\n", "{OLD}\n" + "".join([f"{indent}- {each}\n" for each in items]))
    found = yaml.safe_load(pasted.replace("OLD", old))["waivers"]
    assert [Waiver.model_validate(each).gate for each in found] == ["behaviour", *gates]
