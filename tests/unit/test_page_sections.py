"""The wording of a page, part by part, where the golden pages do not tell the difference."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from raggate_action.core.disclosure.withholding import ids_only
from raggate_action.report.amount_view import note_section
from raggate_action.report.comment_size import COMMENT_EXTENTS, SUMMARY_EXTENTS, Extent, cut_at_word
from raggate_action.report.decision_view import decision_box
from raggate_action.report.gate_view import gate_section, slice_section
from raggate_action.report.origin_view import footer
from raggate_action.report.page import Item, Section, Table
from raggate_action.report.page_sections import PARTS
from raggate_action.report.render import inline, render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.run.decision_text_and_exit_code import outcome_lines
from raggate_action.schema.case_run import Hallucination
from raggate_action.schema.comparison import CaseIds
from raggate_action.schema.outcome import Failed, Problem, Unmeasured
from raggate_action.schema.policy import CaseGate, Gates
from raggate_action.schema.run import Policy
from tests import situations
from tests.golden.builders import (
    RELEASED,
    blocked,
    case_rows,
    deltas,
    gates,
    make_comparison,
    make_reporting,
    make_row,
    make_waiver,
    slices,
)

BLOCKED = blocked()
FAILING = "Cases that fail a stage"
FOLDED, SUMMARY, COUNTS_ONLY = COMMENT_EXTENTS[1], SUMMARY_EXTENTS[0], COMMENT_EXTENTS[-1]
OFFENCE = Hallucination(kind="claim", key="k", text="Nuts are absent.", chunk_id="menu-1", quote="Contains walnuts.")


def rows_of(table: Table | None) -> list[tuple[str, ...]]:
    assert table is not None
    return [tuple([inline(cell) for cell in row]) for row in table.rows]


def part(title: str, reporting: Reporting, extent: Extent) -> Section:
    """The section of the page that begins with a title."""
    found = [each.section(reporting, extent) for each in PARTS if each.of_cases]
    return next(each for each in found if title in (each.folds[0].summary if each.folds else inline(each.lead)))


def first_column(section: Section) -> list[str]:
    return [row[0] for row in rows_of(section.table)]


def under(item: Item) -> list[str]:
    return [inline(line) for line in item.under]


def folded(section: Section) -> list[str]:
    return [fold.summary for fold in section.folds]


def table_of(section: Section) -> Table | None:
    """The table of its one fold."""
    (fold,) = section.folds
    return fold.table


def test_red_slices_stand_before_watched_ones_and_protected_before_others() -> None:
    picture = """
        a=passed     passed        20/20
        b=watched    insufficient  2/3
        c=red        failed        2/20
        d=protected  failed        5/6     protected
        e=silent     unmeasured    0/0
    """
    reporting = make_reporting((), BLOCKED, slices=slices(picture))
    everything = ["d=protected (protected)", "c=red", "e=silent", "b=watched", "a=passed"]
    assert first_column(slice_section(reporting, SUMMARY)) == everything
    shown = slice_section(reporting, FOLDED)
    assert folded(shown) == ["Slices that failed or moved (4 of 5)"]
    assert [row[0] for row in rows_of(table_of(shown))] == everything[:4], "the one where every case passes is not"


def test_slices_that_all_pass_as_before_are_not_in_the_comment() -> None:
    fine = slices("category=a  insufficient  9/9\ncategory=b  passed  30/30")
    before = make_comparison(slices=deltas("category=a  9/9\ncategory=b  29/30"))
    assert slice_section(make_reporting((), BLOCKED, slices=fine), FOLDED) == Section()
    moved_one = slice_section(make_reporting((), BLOCKED, slices=fine, comparison=before), FOLDED)
    assert [row[0] for row in rows_of(table_of(moved_one))] == ["category=b"]
    assert inline(moved_one.folds[0].more) == "1 more stand in the job summary."


def test_gates_are_listed_by_urgency_then_in_order_of_diagnosis() -> None:
    picture = """
        behaviour           block  failed        1/9  >= 95 %
        faithfulness        warn   unmeasured    0/0  >= 95 %
        citation_support    warn   failed        1/9  >= 95 %
        candidate_recall    block  failed        1/9  >= 95 %
        context_recall      block  unmeasured    0/0  >= 95 %
        slices              block  insufficient  0/0  each >= 95 %  0 of 1 red, 1 on watch
        admissibility       block  passed        9/9  >= 100 %
        answered            block  passed        0/0  >= 95 %
        context_precision   off    failed        1/9  >= 95 %
    """
    shown = gate_section(make_reporting((), BLOCKED, gates=gates(picture)), SUMMARY)
    assert first_column(shown) == [
        "candidate recall",
        "behaviour",
        "context recall",
        "citation support",
        "faithfulness",
        "slices",
        "admissibility",
        "context precision",
    ], "a gate that scored nothing was not asked"


def test_a_gate_is_in_the_comment_where_it_failed_or_another_share_of_the_same_cases_passes() -> None:
    picture = """
        target              block  passed        20/20  >= 95 %
        faithfulness        block  passed        19/20  >= 95 %
        citation_support    warn   failed        1/20   >= 95 %
        context_precision   off    failed        1/20   >= 95 %
        p95_latency_ms      block  passed        -      <= 8000 ms  640 ms
    """
    before = make_comparison(gates=deltas("target  10/10\nfaithfulness  20/20\ncontext_precision  20/20"))
    shown = gate_section(make_reporting((), BLOCKED, gates=gates(picture), comparison=before), FOLDED)
    assert folded(shown) == ["Gates that failed or moved (2 of 5)"]
    assert [row[0] for row in rows_of(table_of(shown))] == ["citation support", "faithfulness"]
    assert gate_section(make_reporting((), RELEASED, gates=gates(picture)[:1]), FOLDED) == Section()


def test_unmeasured_and_waived_cases_of_a_gate_are_shown_beside_it() -> None:
    (gate,) = gates("faithfulness  block  passed  9/9  >= 95 %")
    counted = gate.model_copy(update={"unmeasured": 3, "waived": 2})
    shown = gate_section(make_reporting((), RELEASED, gates=(counted,)), SUMMARY)
    assert shown.table is not None
    titles = [column.title for column in shown.table.columns]
    assert titles == ["Gate", "Passed", "Rate", "Not measured", "Bar", "Status"]
    assert rows_of(shown.table) == [("faithfulness", "9/9", "100.0 %", "3", "≥ 95 %", "✅ passed, 2 waived")]


def test_an_answer_that_no_gate_fails_and_evidence_speaks_against_is_not_lost() -> None:
    row = make_row(0, case_id="brand-new", hallucinations=(OFFENCE,))
    shown = part(
        "Other answers",
        make_reporting((row,), BLOCKED, comparison=make_comparison(added=CaseIds(cases=1, named=("brand-new",)))),
        FOLDED,
    )
    assert folded(shown) == ["Other answers that the evidence speaks against (1)"]
    [item] = shown.folds[0].items
    assert under(item) == ["“Nuts are absent.”", "evidence: `menu-1` “Contains walnuts.” · id `k`"]


def test_a_quotation_is_cut_at_four_hundred_characters() -> None:
    endless = OFFENCE.model_copy(update={"text": "nuts " * 1_000})
    row = make_row(0, hallucinations=(endless,))
    [item] = part("Other answers", make_reporting((row,), BLOCKED), FOLDED).folds[0].items
    quoted = under(item)[0]
    assert quoted.endswith("nuts…”")
    assert len(quoted) <= 402


def test_under_texts_ids_an_error_of_the_app_is_not_repeated() -> None:
    row = make_row(
        0,
        state="failed",
        answer="Nuts are absent.",
        issues=("Error: nuts",),
        outcomes={"target": Failed(problems=(Problem(code="target-error", detail="crashed on “Nuts are absent.”"),))},
    )
    passing = make_row(1, issues=('Missing: "nuts"',))
    reporting = make_reporting((ids_only(row), ids_only(passing)), BLOCKED, policy=Policy(texts="ids"))
    [item] = part(FAILING, reporting, SUMMARY).folds[0].items
    assert under(item)[0] == "the app failed"
    assert "uts" not in render_summary(reporting)


def test_gates_that_only_warn_come_after_those_that_block_and_say_so_and_those_off_are_not_shown() -> None:
    outcomes = {
        "citation_coverage": Failed(problems=(Problem(code="uncited-claim", detail="“Nuts.”"),)),
        "context_precision": Failed(problems=(Problem(code="noise-in-context", detail="menu-3"),)),
        "behaviour": Failed(problems=(Problem(code="phrase-missing", detail="“lamb”"),)),
    }
    row = make_row(0, state="failed", outcomes=outcomes, first_failed_stage="behaviour", name="The lamb")
    policy = Policy(gates=Gates(context_precision=CaseGate(level="warn")))
    [item] = part(FAILING, make_reporting((row,), BLOCKED, policy=policy), FOLDED).folds[0].items
    assert inline(item.text) == "`case-0` The lamb · behaviour · `cases/menu.yaml:4`"
    assert under(item) == [
        "“lamb”",
        "`menu-3` (only warns)",
    ]


def test_a_sixth_problem_of_a_case_is_counted() -> None:
    problems = tuple(Problem(code="uncited-claim", detail=f"claim {number}") for number in range(7))
    row = make_row(0, state="failed", outcomes={"citation_support": Failed(problems=problems)})
    [item] = part(FAILING, make_reporting((row,), BLOCKED), FOLDED).folds[0].items
    assert under(item)[5:] == ["and 2 more"]


@pytest.mark.parametrize(
    ("reason", "detail", "expected"),
    [
        pytest.param("trace", "no chunk versions", "the trace does not show it: no chunk versions", id="with a detail"),
        pytest.param("budget", "", "the judge budget was used up", id="without one"),
    ],
)
def test_why_a_case_is_unmeasured(reason: str, detail: str, expected: str) -> None:
    outcome = Unmeasured(reason=reason, detail=detail)  # type: ignore[arg-type]
    row = make_row(0, state="unmeasured", outcomes={"context_recall": outcome})
    [item] = part("Cases not measured", make_reporting((row,), BLOCKED), FOLDED).folds[0].items
    assert under(item) == [f"context recall: {expected}"]


def test_several_expired_waivers_are_one_sentence() -> None:
    waivers = tuple(make_waiver(case=f"q{number}") for number in range(5))
    expired = inline(decision_box(make_reporting((), RELEASED, listed={"expired": waivers}), FOLDED).first[0])
    assert expired.startswith("**5 waivers have expired** and no longer cover `q0` candidate recall (until 2026-05-31,")
    assert expired.endswith(" and 2 more.")


def test_nothing_in_common_with_the_baseline_is_said() -> None:
    reasons = decision_box(make_reporting((), RELEASED, comparison=make_comparison(compared=0)), FOLDED).reasons
    assert (
        inline(reasons[-1]) == "No case stands unchanged on both runs, so nothing could be compared with the baseline."
    )


def test_counts_only_names_no_case_and_says_where_they_are() -> None:
    rows = case_rows("q1  failed  faithfulness  claim-unsupported: “Nuts.”\nq2  unmeasured  target  trace: none")
    reporting = make_reporting(rows, BLOCKED, slices=slices("a=1  failed  0/3"), notes=("note " * 200,) * 9)
    where = "0 of 1 shown, full table in the job summary and in `cases.jsonl` of the run directory."
    for title in (FAILING, "Cases not measured"):
        section = part(title, reporting, COUNTS_ONLY)
        assert section == Section(lead=section.lead)
        assert inline(section.lead) == f"**{title}:** {where}"
    shown = slice_section(reporting, COUNTS_ONLY)
    assert folded(shown) == ["Slices that failed or moved (1 of 1)"]
    assert table_of(shown) is None
    notes = note_section(reporting, COUNTS_ONLY).folds[0].items
    assert len(notes) == 5
    assert all(len(inline(item.text)) <= 200 for item in notes)


def test_the_footer_says_where_the_run_comes_from() -> None:
    rows = case_rows("q1  passed\nq2  passed")
    comparison = make_comparison(compared=1, baseline_git_sha=None)
    reporting = make_reporting(rows, RELEASED, comparison=comparison, scope="pr", suite_size=3)
    parts = [
        "scope `pr`: 2 of 3 cases",
        "commit `0a1b2c3d4e5f`",
        "baseline decided `2026-06-01T06:00:00Z` (release), 1 case compared",
        "raggate `0.1.0`",
    ]
    assert inline(footer(reporting, FOLDED)).split(" · ") == parts
    in_summary = inline(footer(reporting, SUMMARY)).split(" · ")
    assert in_summary[:-1] == [
        *parts[:3],
        "2 cases can miss a fault that strikes 77 % of questions",
        "evidence `4d1c2b3a4d1c`",
        "decided `2026-06-02T18:00:00Z`",
        parts[3],
    ]
    assert re.fullmatch(r"run `[0-9a-f]{12}`", in_summary[-1])


@pytest.mark.parametrize("extent", [COMMENT_EXTENTS[0], SUMMARY_EXTENTS[0]], ids=["comment", "summary"])
def test_no_footer_counts_milliseconds(extent: Extent) -> None:
    comparison = make_comparison(baseline_decided_at="2026-06-01T06:00:00.123Z")
    reporting = make_reporting((), RELEASED, comparison=comparison, decided_at="2026-06-02T18:00:00.737Z")
    line = inline(footer(reporting, extent))
    assert extent in COMMENT_EXTENTS or "decided `2026-06-02T18:00:00Z`" in line
    assert "baseline `99aa88bb77cc` decided `2026-06-01T06:00:00Z`" in line


def test_the_digest_of_a_run_changes_with_the_run() -> None:
    reporting = make_reporting((), RELEASED)
    other = reporting._replace(run=reporting.run.model_copy(update={"notes": ("Something else.",)}))
    line, again, of_other = [footer(each, SUMMARY) for each in (reporting, reporting, other)]
    assert line == again != of_other


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("first: sesame", "first: sesame", id="as long as may be"),
        pytest.param("the first one failed", "the first…", id="a word that would be torn goes"),
        pytest.param("is sesame: answered", "is sesame…", id="and the mark before it"),
        pytest.param("first: sesame-at", "first…", id="however early the last whole word ends"),
        pytest.param("whether they did", "whether they…", id="the cut falls between words"),
    ],
)
def test_a_reason_is_cut_between_words(text: str, shown: str) -> None:
    assert cut_at_word(text, 13) == shown


@pytest.mark.parametrize("situation", [situations.weakened, situations.block_of_one])
def test_a_run_outside_of_a_workflow_knows_no_base_branch(situation: Callable[[], Reporting]) -> None:
    pull = situation()
    local = pull._replace(run=pull.run.model_copy(update={"origin": None, "baseline": None}))
    theirs, ours = ["\n".join([render_summary(told), *outcome_lines(told)]) for told in (pull, local)]
    assert "base branch" in theirs
    assert "base branch" not in ours
    assert ours.count("the baseline") >= theirs.count("the base branch")
