"""What follows from a panel's aggregate by rule, and how it reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.rule_findings import findings_of
from raggate_action.core.ab.score_table import ComparisonTerms, PairTrial, PanelQuestion, Rater
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.ab_view import finding_text, remark_text, totals_lines
from raggate_action.report.catalogue import LOST
from raggate_action.report.plain_sink import plain
from raggate_action.report.render import render_findings
from raggate_action.schema.ab_result import Aggregate, LostReason
from raggate_action.schema.ab_run import Finding, FindingCode, Findings, PanelFinding, Rejection, RejectionCode
from raggate_action.schema.judge_rows import JudgeRow, RowsRemark, RowsRemarkCode
from tests.golden.hostile import ATTACKS
from tests.golden.markdown_laws import assert_only_our_markup, assert_tables_are_square, outside_code
from tests.panel_ab_builders import ahead, both_orders, identical, lost, scored
from tests.thorough import examples
from tests.written_findings import even, panel

STRANGERS = (Rater("kimi", lab="Moonshot"), Rater("owl", lab="Northlab"))


def by_code(found: Aggregate) -> dict[FindingCode, PanelFinding]:
    return {each.code: each for each in findings_of(found)}


def said(found: Aggregate, code: FindingCode) -> str:
    return plain(finding_text(by_code(found)[code], found))


def page_of(found: Aggregate, rows: Sequence[JudgeRow] = (), **more: object) -> str:
    findings = Findings(derived=findings_of(found))
    return render_findings(findings_page(AbFindings(found, findings, rows, **more)))  # type: ignore[arg-type]


# Totals


def test_the_page_has_totals_of_all_and_of_each_judge() -> None:
    rows = [*both_orders("q1", "kimi", 2, -1), *both_orders("q2", "kimi", 3, 3), identical("q3", "kimi")]
    page = page_of(aggregate([*rows, *both_orders("q1", "owl", 1, 1), lost("q2", "owl")], ComparisonTerms()))
    totals = page.partition("## Totals\n\n")[2].partition("\n\n## ")[0]
    # kimi 7 + 5 + 8 + 8 to 5 + 6 + 5 + 5 of four rows, owl 6 + 6 to 5 + 5 of two; q2 and q3 of owl have four rows not.
    assert totals.splitlines()[2:] == [
        "| `kimi` | 28/100 | 21/100 | 3 | 1 | 0 | 2 |",
        "| `owl` | 12/50 | 10/50 | 2 | 0 | 0 | 0 |",
        "| **All judges** | 40/150 | 31/150 | 5 | 1 | 0 | 2 |",
    ]


def test_totals_say_of_a_judge_that_does_not_count_that_they_leave_it_out() -> None:
    rows = [scored(f"Q{n}", "const", "33333", "33333") for n in range(8)]
    rows += [ahead(f"Q{n}", judge, 1) for n in range(8) for judge in ("kimi", "owl")]
    found = aggregate(rows, ComparisonTerms())
    table = page_of(found).partition("## Totals\n\n")[2].partition("\n\n## ")[0].splitlines()[2:]
    # The bold row is the sum of those that count.
    assert table == [
        "| `const` (not counted) | 120/200 | 120/200 | 0 | 0 | 8 | 0 |",
        "| `kimi` | 48/200 | 40/200 | 8 | 0 | 0 | 0 |",
        "| `owl` | 48/200 | 40/200 | 8 | 0 | 0 | 0 |",
        "| **All judges** | 96/400 | 80/400 | 16 | 0 | 0 | 0 |",
    ]
    # A terminal has the same table.
    assert list(totals_lines(found))[2].startswith("  | const (not counted) |")


def test_without_a_row_that_counts_there_are_no_totals() -> None:
    assert "## Totals" not in page_of(aggregate([lost("q1", "kimi")], ComparisonTerms()))
    same = page_of(aggregate([identical("q1", "kimi")], ComparisonTerms()))
    assert "| **All judges** | – | – | 0 | 0 | 0 | 1 |" in same


# Who is ahead


def test_a_treatment_that_wins_by_the_test_is_better_and_by_how_much_is_said() -> None:
    found = by_code(panel())
    assert found["ahead"].kind == "better"
    assert said(panel(), "ahead") == (
        "The treatment is better. The treatment wins 10 of 12 questions, the control 1, 1 is a tie; mean delta +3.42 "
        "points; p = 0.002 by the two-sided sign-flip test over questions."
    )


def test_a_control_that_wins_by_the_gates_test_makes_the_treatment_worse() -> None:
    found = by_code(panel(-1))
    assert found["behind"].kind == "worse"
    assert "p < 0.001 by the one-sided sign-flip test" in said(panel(-1), "behind")


def test_what_the_gate_calls_a_loss_is_no_difference_of_nothing() -> None:
    # Ten questions of which the control leads eight by 1 and trails two by 1: 56 of 1,024 ways are as low.
    rows = [ahead(f"Q{n}", "kimi", 1 if n < 2 else -1) for n in range(10)]
    almost = by_code(aggregate(rows, ComparisonTerms()))
    assert almost["not-told-apart"].kind == "no_difference"
    # Nine of ten: 11 of 1,024, which the one-sided test calls rare; so does the two-sided one.
    rows = [ahead(f"Q{n}", "kimi", 1 if n < 1 else -1) for n in range(10)]
    assert by_code(aggregate(rows, ComparisonTerms()))["behind"].numbers["p"] == 11 / 1024


def test_arms_that_nobody_tells_apart_are_not_called_equal() -> None:
    assert by_code(even())["not-told-apart"].kind == "no_difference"
    assert said(even(), "not-told-apart").endswith("That does not prove that there is no difference.")


def test_under_ten_questions_nothing_is_claimed_however_far_one_is_ahead() -> None:
    found = by_code(panel(questions=9))
    assert {each.kind for each in found.values()} == {"note"}
    assert not {code for code in found if code.startswith(("dimension-up", "dimension-down", "type-"))}
    assert said(panel(questions=9), "few-questions").startswith(
        "With 9 questions, fewer than 10, nothing is claimed. The treatment wins 7 of 9 questions"
    )


@settings(deadline=None, max_examples=examples(15))
@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=0, max_size=9))
def test_no_nine_questions_make_a_claim(leads: list[tuple[int, int]]) -> None:
    rows = [ahead(f"Q{n}", judge, lead) for n, pair in enumerate(leads) for judge, lead in zip("ab", pair, strict=True)]
    assert {each.kind for each in findings_of(aggregate(rows, ComparisonTerms()))} == {"note"}


def test_the_headline_stands_again_without_judges_of_a_lab() -> None:
    found = by_code(panel())
    assert (found["apart"].kind, found["apart"].names) == ("better", ("sonnet",))
    assert said(panel(), "apart").startswith(
        "Without judges that share a lab (sonnet) the treatment is better as well. The treatment wins 10 of 12"
    )
    assert said(panel(), "same-lab").startswith("Of 3 judges 1 shares")
    # A judge of the lab decides alone: without it nobody is told apart.
    rows = [ahead(f"Q{n}", "sonnet", 4) for n in range(10)] + [ahead(f"Q{n}", "owl", (-1) ** n) for n in range(10)]
    judges = (Rater("sonnet", lab="Anthropic"), Rater("owl", lab="Northlab"))
    found_alone = aggregate(rows, ComparisonTerms(judges=judges, labs={"control": "Anthropic"}))
    assert by_code(found_alone)["ahead"].kind == "better"
    assert by_code(found_alone)["apart"].kind == "no_difference"
    only = aggregate(rows[:10], ComparisonTerms(judges=judges[:1], labs={"control": "Anthropic"}))
    assert "no question has a verdict" in said(only, "apart")


def test_no_row_is_nothing_and_says_so() -> None:
    found = aggregate([lost("Q1", "kimi")], ComparisonTerms())
    assert said(found, "nothing") == "No row has scores: there is nothing to compare."
    assert [each.kind for each in findings_of(found)] == ["note"] * len(findings_of(found))
    assert "nothing to compare" in page_of(found)
    assert "# A/B findings" in page_of(aggregate([], ComparisonTerms()))


# What moved, and where the control held


def test_the_dimension_that_moved_most_and_those_the_control_leads_on_are_named() -> None:
    assert said(panel(), "dimension-up") == (
        "The treatment gains most on citation_accuracy: 1.97 for the treatment, 1.11 for the control (+0.86)."
    )
    assert by_code(panel(-1))["dimension-down"].kind == "note"
    assert "dimension-up" not in by_code(panel(-1))


def test_question_types_are_counted_and_not_tested() -> None:
    assert said(panel(), "type-up") == (
        "By question type the treatment gains most on trap: mean delta +3.56 over 6 questions, 5 for the treatment, "
        "1 for the control; counted, not tested."
    )
    assert "type-up" not in by_code(panel(-1))


def test_dimensions_that_judges_do_not_agree_on_only_inform() -> None:
    rows = [ahead(f"Q{n}", judge, lead) for n in range(12) for judge, lead in (("a", 5), ("b", -5))]
    found = by_code(aggregate(rows, ComparisonTerms()))
    assert len(found["dimension-informational"].names) == 5
    assert "dimension-up" not in found
    assert "dimension-down" not in found


def test_an_answer_that_passes_hard_gates_and_loses_sends_to_the_rubric_first() -> None:
    found = panel()
    assert by_code(found)["concern"].names == ("Q7",)
    words = said(found, "concern")
    assert words.startswith("Check the rubric first: the treatment's answers to Q7 pass the suite's hard gates")
    assert "the panel prefers the control's" in words
    assert "gates-unknown" not in by_code(found)
    of_many = said(panel(-1), "concern")
    assert "the treatment's answers to Q1, Q2, Q3" in of_many
    assert "pass the suite's hard gates, and the panel prefers the control's" in of_many
    page = page_of(found)
    assert page.index("## Rubric concerns") < page.index("## Where the control held") < page.index("## By judge")


def test_an_answer_that_fails_hard_gates_and_loses_is_no_rubrics_fault() -> None:
    rows = [ahead(f"Q{n}", judge, -3 if n == 0 else 3) for n in range(3) for judge in "ab"]
    asked = tuple([PanelQuestion(f"Q{n}", gates_passed=n > 0) for n in range(3)])
    found = by_code(aggregate(rows, ComparisonTerms(questions=asked)))
    assert "control-won" in found
    assert not {"concern", "gates-unknown"} & found.keys()
    unknown = by_code(aggregate(rows, ComparisonTerms()))
    assert unknown["gates-unknown"].names == ("Q0",)


def test_a_protected_question_that_all_judges_give_to_the_control_is_named() -> None:
    rows = [ahead("Q1", judge, -1) for judge in "ab"] + [ahead("Q2", "a", -1), ahead("Q2", "b", 1)]
    asked = (PanelQuestion("Q1", protected=True), PanelQuestion("Q2", protected=True))
    assert by_code(aggregate(rows, ComparisonTerms(questions=asked)))["protected-lost"].names == ("Q1",)


def test_ties_and_identical_answers_are_told_apart() -> None:
    rows = [ahead("Q1", "a", 0), identical("Q2", "a"), ahead("Q3", "a", 2)]
    found = by_code(aggregate(rows, ComparisonTerms()))
    assert (found["tied"].names, found["identical"].names) == (("Q1",), ("Q2",))


# Limits


def limits(rows: list[JudgeRow], terms: ComparisonTerms | None = None) -> set[FindingCode]:
    codes = {
        "one-run",
        "unreachable",
        "same-lab",
        "labs-unknown",
        "one-judge",
        "one-order",
        "position",
        "ceiling",
        "lost",
    }
    found = by_code(aggregate(rows, terms or ComparisonTerms(judges=STRANGERS))).keys()
    return {code for code in found if code in codes | {"miscounts"}}


def fine(questions: int = 10) -> list[JudgeRow]:
    return [
        row
        for n in range(questions)
        for judge in STRANGERS
        for row in both_orders(f"Q{n}", judge.judge, 3, 3, lab=judge.lab)
    ]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        pytest.param(fine(), {"one-run", "position"}, id="a sound panel is still one run"),
        pytest.param(fine(5), {"one-run", "position", "unreachable"}, id="five questions can reach no p below the bar"),
        pytest.param(fine(6), {"one-run", "position"}, id="six can"),
        pytest.param([row for row in fine() if row.order == 1], {"one-run", "one-order"}, id="no pair swapped"),
        pytest.param(fine()[:-1], {"one-run", "position", "lost"}, id="a row that is not there"),
        pytest.param(
            [row.model_copy(update={"claimed": row.claimed.model_copy(update={"control": 99})}) for row in fine()],
            {"one-run", "position", "miscounts"},
            id="judges that cannot add up",
        ),
        pytest.param(
            [
                row.model_copy(
                    update={arm: dict.fromkeys(row.control, 5 - (row.question_id == "Q0")) for arm in ("control", "treatment")}
                )
                for row in fine()
            ],
            {"one-run", "position", "ceiling"},
            id="judges that give nearly everything a 5",
        ),
    ],
)  # fmt: skip
def test_every_limit_is_said_where_it_is_one(rows: list[JudgeRow], found: set[str]) -> None:
    assert limits(rows) == found


def test_judges_whose_lab_nobody_says_and_a_judge_alone_are_said() -> None:
    alone = [ahead(f"Q{n}", "kimi", 1) for n in range(6)]
    assert limits(alone, ComparisonTerms()) == {"one-run", "one-order", "one-judge", "labs-unknown"}


def test_a_limit_stands_on_the_page_itself() -> None:
    page = page_of(panel(questions=5))
    below = page.partition("## Limits")[2]
    assert "This is one run over 5 questions" in below
    assert "the smallest value they can reach is p = 0.063, and the bar is 0.05" in below
    assert "Of 3 judges 1 shares a lab" in below
    assert "Not scored, and counted for no arm: 1 of 15 rows (1 timed out)." in below


# How it reads


def test_every_finding_every_remark_and_every_loss_has_words() -> None:
    found = panel()
    numbers: dict[str, int | float] = dict.fromkeys(
        ("p", "one_sided", "needed", "left", "plants", "bar", "lost", "of", "level"), 2
    )
    about = {"judge": "judge:owl", "dimension": f"dimension:{found.dimensions[0].name}", "type": "type:trap"}
    for code in get_args(FindingCode):
        measure = about.get(code.partition("-")[0], "overall")
        finding = PanelFinding(code=code, measure=measure, numbers=numbers, names=("Q1",))
        words = plain(finding_text(finding, found))
        assert re.fullmatch(r"[A-Z0-9].*[.:]", words), words
        assert "  " not in words
    for remark in get_args(RowsRemarkCode):
        words = plain(remark_text(RowsRemark(code=remark, count=3, rows=2, lines=(4, 7), names=("x", "y"))))
        assert re.fullmatch(r"[A-Z0-9].*\.", words), words
    codes = {each for part in get_args(LostReason) for each in (get_args(part) or (part,))}
    assert codes == LOST.keys()


def test_the_page_has_the_tables_and_the_best_answers_side_by_side() -> None:
    rows = [
        ahead("Q1", judge, lead, question_text="Is it safe?", control_response="Yes.", treatment_response="Nobody knows.", reason=reason)
        for judge, lead, reason in (("kimi", 5, "It admits what it cannot know."), ("owl", -1, "Short."))
    ]  # fmt: skip
    page = page_of(aggregate(rows, ComparisonTerms(judges=STRANGERS)), rows)
    for title in ("What is found", "By judge", "By dimension", "By question type", "By question", "Limits"):
        assert f"\n## {title}\n" in page
    hero = page.partition("## Widest lead of the treatment, 1: `Q1`")[2]
    assert "1 of 2 judges for the treatment, mean delta +2.00 points. The question: Is it safe?" in hero
    assert "- **Control**\n  > Yes.\n- **Treatment**\n  > Nobody knows.\n" in hero
    assert "| `kimi` | 1 | – | 10/25 | 5/25 | treatment | It admits what it cannot know. |" in hero
    assert "| `owl` | 1 | – | 5/25 | 6/25 | control | Short. |" in hero


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_foreign_breaks_out_of_the_page(attack: str) -> None:
    # Half a surrogate pair is refused by the record itself.
    attack = attack.replace("\ud800", "")
    rows = [
        ahead(
            f"{n}{attack}", judge, 3, question_type=attack, question_text=attack, control_response=attack,
            treatment_response=attack, reason=attack, lab=f"{judge}{attack}",
        )
        for n in range(3)
        for judge in (f"a{attack}", f"b{attack}")
    ]  # fmt: skip
    remarks = (RowsRemark(code="columns-ignored", count=1, names=(attack,)),)
    page = page_of(aggregate(rows, ComparisonTerms()), rows, remarks=remarks)
    bare = [outside_code(line) for line in page.removesuffix("\n").split("\n")]
    for line in bare:
        assert re.match(r"$|#{1,2} [A-Z]|- |  > |\| |[A-Z0-9]", line), f"not begun by us: {line!r}"
        assert_only_our_markup(line.lstrip("# "))
    assert_tables_are_square(bare)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nor_does_the_name_of_a_judge_or_an_instruction_where_it_is_not_counted(attack: str) -> None:
    attack = attack.replace("\ud800", "")
    one_score, obeys = f"a{attack}", f"b{attack}"
    rows = [scored(f"Q{n}", one_score, "33333", "33333") for n in range(8)]
    rows += [ahead(f"Q{n}", judge, 3 + n % 2) for n in range(8) for judge in (obeys, "owl", "kimi")]
    trial = PairTrial(40, 39, {attack: 2}, varied=True)
    found = aggregate(rows, ComparisonTerms(trials={obeys: trial}))
    assert [each.not_counted for each in found.judges if each.judge in {one_score, obeys}] == ["one-score", "obeyed"]
    too_few = aggregate([row for row in rows if row.judge != "kimi"], ComparisonTerms(trials={obeys: trial}))
    assert too_few.too_few
    for each in (found, too_few):
        bare = [outside_code(line) for line in page_of(each, rows).removesuffix("\n").split("\n")]
        for line in bare:
            assert re.match(r"$|#{1,2} [A-Z]|- |  > |\| |[A-Z0-9]", line), f"not begun by us: {line!r}"
            assert_only_our_markup(line.lstrip("# "))
        assert_tables_are_square(bare)


def test_long_answers_and_many_rows_are_cut() -> None:
    rows = [
        ahead(f"Q{n}", f"judge-{judge}", 3, control_response="word " * 5_000, reason="why " * 500)
        for n in range(250)
        for judge in range(2)
    ]
    page = page_of(aggregate(rows, ComparisonTerms()), rows)
    assert len(page) < 60_000
    assert "200 of 250 shown, full table in `judge_rows.csv`" in page


def test_the_page_is_the_same_for_the_same_rows() -> None:
    rows = fine()
    assert page_of(aggregate(rows, ComparisonTerms()), rows) == page_of(aggregate(rows[::-1], ComparisonTerms()), rows)


def test_a_models_findings_stand_beside_those_by_rule() -> None:
    found = panel()
    written = (Finding(kind="better", measure="overall", text="The treatment wins 10 of 12 questions."),)
    findings = Findings(derived=findings_of(found), written=written)
    page = render_findings(findings_page(AbFindings(found, findings)))
    assert "- Written by a model (each number stands in the counts):\n  - The treatment wins 10 of 12" in page
    assert "**The treatment is better.**" in page


def test_why_a_models_findings_are_left_out_is_said() -> None:
    found = panel()
    for code in get_args(RejectionCode):
        findings = Findings(derived=findings_of(found), rejection=Rejection(code=code, place=2, found="7 of `36` @x"))
        page = render_findings(findings_page(AbFindings(found, findings)))
        (line,) = [
            line
            for line in page.splitlines()
            if line.startswith("- What a model wrote is left out, all of it: finding 2 ")
        ]
        assert_only_our_markup(outside_code(line))
