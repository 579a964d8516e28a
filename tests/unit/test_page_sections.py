"""The wording of a page, part by part, where the golden pages do not tell the difference."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from raggate_action.report.amount_view import note_section
from raggate_action.report.case_view import failing_section, unmeasured_section
from raggate_action.report.change_view import regression_section
from raggate_action.report.comment_size import COMMENT_EXTENTS, SUMMARY_EXTENTS, Extent, cut_at_word
from raggate_action.report.decision_view import decision_box, unblocked_section
from raggate_action.report.gate_view import gate_section, slice_section
from raggate_action.report.hallucination_view import hallucination_section
from raggate_action.report.origin_view import footer
from raggate_action.report.page import Item, Section, Table
from raggate_action.report.render import inline, render_summary
from raggate_action.schema.case_run import Hallucination
from raggate_action.schema.comparison import Regression, StageMove
from raggate_action.schema.outcome import Failed, GateName, Problem, Unmeasured
from raggate_action.schema.policy import CaseGate, Gates, Texts
from raggate_action.schema.run import Policy
from tests.golden.builders import (
    RELEASED,
    blocked,
    case_rows,
    gates,
    make_comparison,
    make_reporting,
    make_row,
    make_waiver,
    moved,
    slices,
)

BLOCKED = blocked()
FOLDED, SUMMARY, COUNTS_ONLY = COMMENT_EXTENTS[1], SUMMARY_EXTENTS[0], COMMENT_EXTENTS[-1]
OFFENCE = Hallucination(kind="claim", key="k", text="Nuts are absent.", chunk_id="menu-1", quote="Contains walnuts.")


def rows_of(table: Table | None) -> list[tuple[str, ...]]:
    assert table is not None
    return [tuple([inline(cell) for cell in row]) for row in table.rows]


def first_column(section: Section) -> list[str]:
    return [row[0] for row in rows_of(section.table)]


def under(item: Item) -> list[str]:
    return [inline(line) for line in item.under]


def folded(section: Section) -> list[str]:
    return [fold.summary for fold in section.folds]


def test_red_slices_stand_before_watched_ones_and_protected_before_others() -> None:
    picture = """
        a=passed     passed        20/20
        b=watched    insufficient  2/3
        c=red        failed        2/20
        d=protected  failed        5/6     protected
        e=silent     unmeasured    0/0
    """
    shown = slice_section(make_reporting((), BLOCKED, slices=slices(picture)), FOLDED)
    assert first_column(shown) == ["d=protected (protected)", "c=red", "e=silent", "b=watched", "a=passed"]
    assert shown.folds == ()


def test_of_many_slices_only_five_red_ones_stand_open() -> None:
    picture = "\n".join(f"red={number}  failed  0/9" for number in range(7))
    shown = slice_section(make_reporting((), BLOCKED, slices=slices(picture + "\ngreen=1  passed  9/9")), FOLDED)
    assert len(first_column(shown)) == 5
    assert folded(shown) == ["Slices: 2 failed, 1 passed"]


def test_of_many_slices_no_green_one_stands_open() -> None:
    picture = "red=1  failed  0/9\n" + "\n".join(f"green={number}  passed  9/9" for number in range(6))
    shown = slice_section(make_reporting((), BLOCKED, slices=slices(picture)), FOLDED)
    assert first_column(shown) == ["red=1"]
    assert folded(shown) == ["Slices: 6 passed"]


def test_watched_slices_with_failing_cases_stand_open_and_those_without_do_not() -> None:
    few = "category=a  insufficient  9/9\ncategory=b  insufficient  3/4\ncategory=c  insufficient  1/4"
    shown = slice_section(make_reporting((), BLOCKED, slices=slices(few)), FOLDED)
    assert (first_column(shown), folded(shown)) == (["category=c", "category=b", "category=a"], [])
    many = few + "".join(f"\nworkflow={number}  insufficient  9/9" for number in range(3))
    shown = slice_section(make_reporting((), BLOCKED, slices=slices(many)), FOLDED)
    assert (first_column(shown), folded(shown)) == (["category=c", "category=b"], ["Slices: 4 on watch"])
    fine = "category=a  insufficient  9/9\ncategory=b  insufficient  3/3"
    shown = slice_section(make_reporting((), BLOCKED, slices=slices(fine)), FOLDED)
    assert (shown.table, folded(shown)) == (None, ["Slices: 2 on watch"])


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


@pytest.mark.parametrize(
    ("passing", "summaries"),
    [pytest.param(8, [], id="eight stand open"), pytest.param(9, ["Gates: 9 passed"], id="nine are folded")],
)
def test_passing_gates_are_folded_in_a_long_table(passing: int, summaries: list[str]) -> None:
    picture = "\n".join(f"{name}  block  passed  9/9  >= 95 %" for name in get_args(GateName)[:passing])
    shown = gate_section(make_reporting((), RELEASED, gates=gates(picture)), COMMENT_EXTENTS[0])
    assert folded(shown) == summaries


def test_unmeasured_and_waived_cases_of_a_gate_are_shown_beside_it() -> None:
    (gate,) = gates("faithfulness  block  passed  9/9  >= 95 %")
    counted = gate.model_copy(update={"unmeasured": 3, "waived": 2})
    shown = gate_section(make_reporting((), RELEASED, gates=(counted,)), COMMENT_EXTENTS[0])
    assert shown.table is not None
    titles = [column.title for column in shown.table.columns]
    assert titles == ["Gate", "Passed", "Rate", "Unmeasured", "Bar", "Status"]
    assert rows_of(shown.table) == [("faithfulness", "9/9", "100.0 %", "3", "≥ 95 %", "✅ passed, 2 waived")]


@pytest.mark.parametrize(
    ("new", "persisting", "lead", "more"),
    [
        pytest.param(0, 0, "", "", id="none at all leaves no trace"),
        pytest.param(0, 1, "", "1 hallucination was already there on the baseline.", id="one old one"),
        pytest.param(0, 2, "", "2 hallucinations were already there on the baseline.", id="two old ones"),
        pytest.param(1, 0, "**1 new hallucination:**", "", id="one new one"),
        pytest.param(1, 2, "**1 new hallucination:**", "2 more were already there on the baseline.", id="both"),
    ],
)
def test_hallucinations_against_a_baseline(new: int, persisting: int, lead: str, more: str) -> None:
    comparison = make_comparison(
        hallucinations=(moved("q1", "new", OFFENCE),) * new,
        new_hallucinations=new,
        persisting_hallucinations=persisting,
    )
    shown = hallucination_section(make_reporting((), BLOCKED, comparison=comparison), FOLDED)
    assert (inline(shown.lead), inline(shown.more), len(shown.items)) == (lead, more, new)


def test_more_than_five_hallucinations_are_folded_and_the_rest_is_counted() -> None:
    comparison = make_comparison(hallucinations=(moved("q1", "new", OFFENCE),) * 7, new_hallucinations=9)
    shown = hallucination_section(make_reporting((), BLOCKED, comparison=comparison), FOLDED)
    assert len(shown.items) == 5
    assert folded(shown) == ["2 more new hallucinations"]
    more = "7 of 9 shown, full table in the job summary and in `comparison.json` of the run directory."
    assert inline(shown.more) == more


def test_a_hallucination_of_a_case_that_cannot_be_compared_is_not_lost() -> None:
    row = make_row(0, case_id="brand-new", hallucinations=(OFFENCE,))
    reporting = make_reporting((row,), BLOCKED, comparison=make_comparison(added=("brand-new",)))
    shown = hallucination_section(reporting, FOLDED)
    assert folded(shown) == ["1 hallucination in added or changed cases, which the baseline cannot compare"]
    [item] = shown.folds[0].items
    assert inline(item.quoted or "") == "Nuts are absent."


def test_a_quotation_is_cut_at_four_hundred_characters() -> None:
    endless = OFFENCE.model_copy(update={"text": "nuts " * 1_000})
    row = make_row(0, hallucinations=(endless,))
    [item] = hallucination_section(make_reporting((row,), BLOCKED), FOLDED).items
    quoted = inline(item.quoted or "")
    assert quoted.endswith("nuts…")
    assert len(quoted) <= 400


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        pytest.param({"citation support": 1}, "**1 regression:** 1 now fails at citation support.", id="one"),
        pytest.param(
            {"candidate retrieval": 6, "citation support": 2},
            "**9 regressions:** 6 now fail at candidate retrieval, 2 at citation support, 1 elsewhere.",
            id="what no move explains is said too",
        ),
    ],
)
def test_regressions_by_stage(stages: dict[str, int], expected: str) -> None:
    moves = tuple(StageMove(before=None, after=stage, cases=cases) for stage, cases in stages.items())  # type: ignore[arg-type]
    total = 1 if len(stages) == 1 else 9
    regression = Regression(case_id="q1", stage="citation support", problem="uncited-claim: “Nuts.”")
    comparison = make_comparison(moves=moves, regressed=total, regressions=(regression,))
    assert inline(regression_section(make_reporting((), BLOCKED, comparison=comparison), FOLDED).lead) == expected


def test_under_texts_ids_a_problem_is_its_code_alone() -> None:
    regression = Regression(case_id="q1", stage="citation support", problem="uncited-claim: “Nuts are absent.”")
    comparison = make_comparison(regressed=1, regressions=(regression,))
    reporting = make_reporting((), BLOCKED, comparison=comparison, policy=Policy(texts="ids"))
    table = regression_section(reporting, FOLDED).folds[0].table
    assert rows_of(table) == [("`q1`", "citation support", "uncited-claim")]


def test_under_texts_ids_an_error_of_the_app_is_not_repeated() -> None:
    row = make_row(
        0,
        state="failed",
        answer="Nuts are absent.",
        issues=("Error: nuts",),
        outcomes={"target": Failed(problems=(Problem(code="target-error", detail="crashed on “Nuts are absent.”"),))},
    )
    passing = make_row(1, issues=('Missing: "nuts"',))
    reporting = make_reporting((row, passing), BLOCKED, policy=Policy(texts="ids"))
    [item] = failing_section(reporting, SUMMARY).folds[0].items
    assert under(item)[0] == "`target-error`"
    assert "uts" not in render_summary(reporting)


def test_gates_that_only_warn_come_after_those_that_block_and_say_so_and_those_off_are_not_shown() -> None:
    outcomes = {
        "citation_coverage": Failed(problems=(Problem(code="uncited-claim", detail="“Nuts.”"),)),
        "context_precision": Failed(problems=(Problem(code="noise-in-context", detail="menu-3"),)),
        "behaviour": Failed(problems=(Problem(code="phrase-missing", detail="“lamb”"),)),
    }
    row = make_row(0, state="failed", outcomes=outcomes, first_failed_stage="behaviour", name="The lamb")
    policy = Policy(gates=Gates(context_precision=CaseGate(level="warn")))
    [item] = failing_section(make_reporting((row,), BLOCKED, policy=policy), FOLDED).folds[0].items
    assert inline(item.text) == "`case-0` The lamb · behaviour · `cases/menu.yaml:4`"
    assert under(item) == [
        "`phrase-missing` “lamb”",
        "`noise-in-context` `menu-3` (only warns)",
        "repeat: `raggate-action run raggate.yaml --case case-0`",
    ]


def test_a_sixth_problem_of_a_case_is_counted() -> None:
    problems = tuple(Problem(code="uncited-claim", detail=f"claim {number}") for number in range(7))
    row = make_row(0, state="failed", outcomes={"citation_support": Failed(problems=problems)})
    [item] = failing_section(make_reporting((row,), BLOCKED), FOLDED).folds[0].items
    assert under(item)[5:] == ["and 2 more", "repeat: `raggate-action run raggate.yaml --case case-0`"]


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
    table = unmeasured_section(make_reporting((row,), BLOCKED), FOLDED).folds[0].table
    assert rows_of(table) == [("`case-0`", "context recall", expected)]


@pytest.mark.parametrize(
    ("texts", "expected"), [("quotes", "traces.jsonl has no trace of it"), ("ids", "there is no trace of it")]
)
def test_a_case_without_any_trace_says_so_once(texts: Texts, expected: str) -> None:
    outcome = Unmeasured(reason="trace", detail="traces.jsonl has no trace of it")
    row = make_row(0, state="unmeasured", outcomes={"target": outcome})
    table = unmeasured_section(make_reporting((row,), BLOCKED, policy=Policy(texts=texts)), FOLDED).folds[0].table
    assert rows_of(table) == [("`case-0`", "target", expected)]


@pytest.mark.parametrize(
    ("state", "stage", "expected"),
    [
        pytest.param("passed", None, "but passed", id="it got through"),
        pytest.param("failed", "citation support", "but failed first at citation support", id="blocked elsewhere"),
        pytest.param("unmeasured", None, "but could not be measured", id="nobody knows"),
    ],
)
def test_how_a_known_bad_case_was_not_blocked(state: str, stage: str | None, expected: str) -> None:
    fields = {"kind": "known_bad", "blocked_at": "admissibility", "state": state, "first_failed_stage": stage}
    shown = unblocked_section(make_reporting((make_row(0, **fields),), BLOCKED), FOLDED)
    assert inline(shown.lead) == "**❌ 1 of 1 known-bad case not blocked:**"
    [item] = shown.items
    assert f"had to be blocked at admissibility, {expected} · " in inline(item.text)


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
    for part, title in ((failing_section, "Failing cases"), (unmeasured_section, "Unmeasured cases")):
        section = part(reporting, COUNTS_ONLY)
        assert section == Section(lead=section.lead)
        assert inline(section.lead) == f"**{title}:** {where}"
    shown = slice_section(reporting, COUNTS_ONLY)
    assert inline(shown.lead).startswith("**Slices:** 1 failed. 0 of 1 shown, ")
    assert shown.table is None
    notes = note_section(reporting, COUNTS_ONLY).items
    assert len(notes) == 5
    assert all(len(inline(item.text)) <= 200 for item in notes)


def test_the_footer_says_where_the_run_comes_from() -> None:
    rows = case_rows("q1  passed\nq2  passed")
    comparison = make_comparison(compared=1, baseline_git_sha=None)
    reporting = make_reporting(rows, RELEASED, comparison=comparison, scope="pr", suite_size=3)
    parts = [
        "scope `pr`: 2 of 3 cases of the suite",
        "2 cases can miss a fault that strikes 77 % of questions",
        "commit `0a1b2c3d4e5f`",
        "baseline decided `2026-06-01T06:00:00Z` (release), 1 case compared",
        "decided `2026-06-02T18:00:00Z`",
        "raggate `0.1.0`",
    ]
    assert inline(footer(reporting, FOLDED)).split(" · ") == parts
    in_summary = inline(footer(reporting, SUMMARY)).split(" · ")
    assert in_summary[:-1] == [*parts[:4], "evidence `4d1c2b3a4d1c`", *parts[4:]]
    assert re.fullmatch(r"run `[0-9a-f]{12}`", in_summary[-1])


@pytest.mark.parametrize("extent", [COMMENT_EXTENTS[0], SUMMARY_EXTENTS[0]], ids=["comment", "summary"])
def test_no_footer_counts_milliseconds(extent: Extent) -> None:
    comparison = make_comparison(baseline_decided_at="2026-06-01T06:00:00.123Z")
    reporting = make_reporting((), RELEASED, comparison=comparison, decided_at="2026-06-02T18:00:00.737Z")
    line = inline(footer(reporting, extent))
    assert "decided `2026-06-02T18:00:00Z`" in line
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
