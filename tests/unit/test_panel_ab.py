"""What a panel's rows come to, by grids that can be reckoned by hand."""

from __future__ import annotations

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.score_table import ComparisonTerms, PanelQuestion, Rater
from raggate_action.schema.ab_result import Aggregate, AllAgreed, Family, Grid, Miscounts, QuestionResult, Totals, Wins
from raggate_action.schema.base import rate_of
from raggate_action.schema.judge_rows import Claimed
from tests.panel_ab_builders import DIMENSIONS, ahead, both_orders, identical, lost, scored, unanswered

# Five questions, four judges; one call was lost without a row. Per question, with kimi missing on q3:
#   q1  +6 +4 +2 +4 = 16 of 4   +4.0      q2  -8 +0 -4 -2 = -14 of 4  -3.5
#   q3  -3 +1 +1    = -1 of 3   -0.33     q4  +1 -1 +2 -2 = 0 of 4     0.0
#   q5  +3 +2 +2 +0 = 7 of 4    +1.75
# All rows together: 16 - 14 - 1 + 0 + 7 = +8, which sounds like something.
JUDGES = ("deepseek", "kimi", "minimax", "sonnet")
LEADS = {
    "q1": (6, 4, 2, 4),
    "q2": (-8, 0, -4, -2),
    "q3": (-3, None, 1, 1),
    "q4": (1, -1, 2, -2),
    "q5": (3, 2, 2, 0),
}
NINETEEN = [
    ahead(question, judge, lead, question_type="safety" if question in {"q1", "q2"} else "menu")
    for question, leads in LEADS.items()
    for judge, lead in zip(JUDGES, leads, strict=True)
    if lead is not None
]


def of(found: Aggregate, question: str) -> QuestionResult:
    return next(each for each in found.questions if each.question_id == question)


def test_nineteen_rows_of_a_run_that_was_published_as_a_win() -> None:
    found = aggregate(NINETEEN, ComparisonTerms())
    assert found.grid == Grid(questions=5, judges=4, received=19, lost={"missing": 1})
    assert found.grid.expected == 20
    assert sum(each.totals.difference for each in found.judges) == 8
    assert [each.totals.mean_delta for each in found.questions] == [4.0, -3.5, -1 / 3, 0.0, 1.75]
    headline = found.headline
    # (4 - 3.5 - 1/3 + 0 + 7/4) / 5 = 23/60
    assert headline.mean_delta == 23 / 60
    assert (headline.judges, headline.questions) == (4, 5)
    # q1 and q5 by 4 and 3 of 4; q2 by 3 of 4; q3 by 2 of 3; q4 is split two and two.
    assert headline.wins == Wins(treatment=3, control=1, tie=1)
    assert (found.control_won, found.tied, found.heroes) == (("q2",), ("q4",), ("q1", "q5"))
    # In twelfths 48, -42, -4, 0, 21, together 23: 24 of 32 ways come to 23 or more either way, and 22 to at most 23.
    assert headline.test is not None
    assert (headline.test.two_sided, headline.test.control) == (rate_of(24, 32), rate_of(22, 32))
    assert (headline.test.exact, headline.test.smallest) == (True, 1 / 16)
    assert found.apart is None


def test_scores_rows_and_p_are_totalled_for_all_and_for_each_judge() -> None:
    found = aggregate(NINETEEN, ComparisonTerms())
    headline = found.headline
    # Whoever trails has 1 in each of five dimensions: 19 * 5 for both, and the leads: 6+4+2+4, 1+1, 1+2, 3+2+2 for the
    # treatment, 8+4+2, 3, 1+2 for the control.
    assert headline.totals == Totals(control=95 + 20, treatment=95 + 28, scored=19, rows=19)
    assert headline.rows == Wins(treatment=4 + 2 + 2 + 3, control=3 + 1 + 2, tie=2)
    assert headline.test is not None
    assert headline.test.two_sided.value == 24 / 32
    sums = [(each.judge, each.totals.treatment, each.totals.control, each.rows) for each in found.judges]
    assert sums == [
        ("deepseek", 25 + 6 + 1 + 3, 25 + 8 + 3, Wins(treatment=3, control=2)),
        ("kimi", 20 + 4 + 2, 20 + 1, Wins(treatment=2, control=1, tie=1)),
        ("minimax", 25 + 2 + 1 + 2 + 2, 25 + 4, Wins(treatment=4, control=1)),
        ("sonnet", 25 + 4 + 1, 25 + 2 + 2, Wins(treatment=2, control=2, tie=1)),
    ]


def test_rows_that_count_for_nothing_are_in_no_total() -> None:
    # One pair turns with the order, one order of the second is lost, the third is the same answer, in both orders.
    rows = [
        *both_orders("q1", "a", 2, -1),
        ahead("q2", "a", 9, order=1),
        lost("q2", "a", order=2),
        identical("q3", "a"),
    ]
    headline = aggregate(rows, ComparisonTerms()).headline
    assert headline.totals == Totals(control=5 + 6, treatment=7 + 5, scored=2, rows=4)
    assert headline.rows == Wins(treatment=1, control=1, identical=2)
    assert headline.rows.total == headline.totals.rows


def test_a_question_and_a_judge_are_counted() -> None:
    found = aggregate(NINETEEN, ComparisonTerms())
    assert of(found, "q3") == QuestionResult(
        question_id="q3",
        question_type="menu",
        # 5 for each answer that is not ahead, and what the other one leads by: 8, 5, 5 and 5, 6, 6.
        totals=Totals(control=18, treatment=17, scored=3, rows=3),
        votes=Wins(treatment=2, control=1),
        lost=1,
        consensus="treatment",
    )
    deepseek, kimi = found.judges[:2]
    assert (deepseek.judge, deepseek.wins, deepseek.lost) == ("deepseek", Wins(treatment=3, control=2), 0)
    assert (kimi.judge, kimi.wins, kimi.lost) == ("kimi", Wins(treatment=2, control=1, tie=1), 1)
    # 6 - 8 - 3 + 1 + 3 = -1 over five rows; 4 + 0 - 1 + 2 = 5 over four.
    assert (deepseek.totals.mean_delta, kimi.totals.mean_delta) == (-0.2, 1.25)
    assert deepseek.consistency == rate_of(0, 0)


def test_types_are_means_over_questions_and_not_over_calls() -> None:
    menu, safety = aggregate(NINETEEN, ComparisonTerms()).types
    assert (menu.question_type, menu.questions, menu.wins) == ("menu", 3, Wins(treatment=2, tie=1))
    assert menu.mean_delta == 17 / 36  # (-1/3 + 0 + 7/4) / 3; over its eleven calls it would be 6/11
    assert (safety.questions, safety.wins, safety.mean_delta) == (2, Wins(treatment=1, control=1), 0.25)


def test_dimensions_have_the_means_of_both_arms() -> None:
    rows = [scored("q1", "a", "54", "35"), scored("q1", "b", "44", "45"), scored("q2", "a", "55", "11")]
    found = aggregate(rows, ComparisonTerms())
    first, second = found.dimensions
    assert (first.name, second.name) == DIMENSIONS[:2]
    assert first.totals == Totals(control=14, treatment=8, scored=3, rows=3)
    assert (first.totals.mean_control, first.totals.mean_treatment, first.totals.mean_delta) == (14 / 3, 8 / 3, -2.0)
    assert second.totals == Totals(control=13, treatment=11, scored=3, rows=3)
    # 5 4 5 3 4 1 and 4 4 5 5 5 1.
    assert (first.ceiling, second.ceiling, found.headline.ceiling) == (rate_of(2, 6), rate_of(3, 6), rate_of(5, 12))


def test_in_both_orders_a_win_counts_only_where_both_give_it() -> None:
    rows = [
        *both_orders("q1", "fair", 3, 1),
        *both_orders("q2", "fair", -2, -2),
        *both_orders("q3", "fair", 0, 0),
        *both_orders("q1", "first", 2, -2),  # likes what stands first
        *both_orders("q2", "first", 2, 0),
        *both_orders("q3", "first", 0, -1),
    ]
    found = aggregate(rows, ComparisonTerms(swap=True))
    fair, first = found.judges
    assert (fair.wins, fair.consistency) == (Wins(treatment=1, control=1, tie=1), rate_of(3, 3))
    assert (first.wins, first.consistency) == (Wins(tie=3), rate_of(0, 3))
    assert found.headline.consistency == rate_of(3, 6)
    # Scores count in both orders: 3 + 1 + 2 - 2 over four rows.
    assert of(found, "q1").totals.mean_delta == 1.0
    assert (found.grid.orders, found.grid.expected, found.grid.received) == (2, 12, 12)
    # A win and a tie are no majority.
    assert [each.consensus for each in found.questions] == ["tie", "tie", "tie"]


def test_one_order_lost_takes_the_other_with_it() -> None:
    rows = [
        *both_orders("q1", "a", 4, 4),
        ahead("q1", "b", 20, order=1),
        lost("q1", "b", "judge-off-schema", order=2),
        *both_orders("q1", "c", 2, 2),
        ahead("q1", "d", 20, order=2),
    ]
    found = aggregate(rows, ComparisonTerms())
    assert found.grid == Grid(
        questions=1, judges=4, orders=2, received=6, lost={"judge-off-schema": 1, "missing": 1}, unpaired=2
    )
    assert of(found, "q1").totals == Totals(control=20, treatment=32, scored=4, rows=4)
    assert of(found, "q1").votes == Wins(treatment=2)
    assert of(found, "q1").lost == 2
    assert [each.wins.judged for each in found.judges] == [1, 0, 1, 0]
    assert found.dimensions[0].totals.scored == 4


def test_an_arm_without_an_answer_is_a_lost_row_and_no_loss() -> None:
    rows = [ahead("q1", "a", 2), unanswered("q2", "a"), ahead("q1", "b", 2), unanswered("q2", "b")]
    for terms, each in ((ComparisonTerms(), 2), (ComparisonTerms(swap=True), 4)):
        found = aggregate(rows, terms)
        assert found.grid.lost["no-answer"] == each
        assert (of(found, "q2").consensus, of(found, "q2").lost, of(found, "q2").totals) == (None, 2, Totals())
    found = aggregate(rows, ComparisonTerms())
    assert (found.headline.questions, found.headline.wins) == (1, Wins(treatment=1))
    assert (found.control_won, found.tied) == ((), ())


def test_identical_answers_are_a_tie_apart_with_a_difference_of_nothing() -> None:
    rows = [ahead("q1", "a", 3), identical("q2", "a"), ahead("q1", "b", 3), identical("q2", "b")]
    found = aggregate(rows, ComparisonTerms())
    assert found.headline.wins == Wins(treatment=1, identical=1)
    assert (found.headline.questions, found.headline.mean_delta) == (2, 1.5)
    assert (found.identical, found.tied) == (("q2",), ())
    assert of(found, "q2").identical
    assert of(found, "q2").votes == Wins(identical=2)
    assert of(found, "q2").totals == Totals(rows=2)
    assert found.judges[0].wins == Wins(treatment=1, identical=1)
    assert found.judges[0].totals == Totals(control=5, treatment=8, scored=1, rows=2)
    assert found.dimensions[0].totals.rows == 2
    # Nobody was asked, so it shows no agreement.
    assert found.all_agreed == AllAgreed(treatment=1, of=1)
    assert found.agreement.pairs == rate_of(1, 1)
    swapped = aggregate([*both_orders("q1", "a", 3, 3), identical("q2", "a")], ComparisonTerms())
    assert (swapped.grid.expected, swapped.grid.received) == (4, 4)
    assert swapped.headline.mean_delta == 1.5


def test_of_a_row_that_stands_twice_one_counts() -> None:
    again = [lost("q1", "a"), ahead("q1", "a", 2), ahead("q1", "a", 2, timestamp="later")]
    found = aggregate(again, ComparisonTerms())
    assert found.grid == Grid(questions=1, judges=1, received=1)
    assert of(found, "q1").totals.mean_delta == 2.0
    both_lost = aggregate([lost("q1", "a", "judge-timeout"), lost("q1", "a", "budget")], ComparisonTerms())
    assert both_lost.grid == Grid(questions=1, judges=1, lost={"budget": 1})


def test_rows_of_two_runs_in_one_file_contradict_each_other_and_neither_counts() -> None:
    rows = [ahead("q1", "a", 2, run_id="1"), ahead("q1", "a", -2, run_id="2"), ahead("q2", "a", 1)]
    found = aggregate(rows, ComparisonTerms())
    assert found.grid == Grid(questions=2, judges=1, received=1, lost={"contradicting": 1})
    assert of(found, "q1").consensus is None
    mixed = aggregate([identical("q1", "a", order=1), ahead("q1", "a", 2, order=2)], ComparisonTerms())
    assert mixed.grid == Grid(questions=1, judges=1, orders=2, received=1, lost={"contradicting": 1}, unpaired=1)


def test_scores_for_other_dimensions_are_not_comparable() -> None:
    rows = [scored("q1", "a", "11111", "22222"), scored("q1", "b", "1111", "2222")]
    found = aggregate(rows, ComparisonTerms())
    assert found.grid.lost == {"other-dimensions": 1}
    assert [each.name for each in found.dimensions] == list(DIMENSIONS)
    ruled = aggregate(rows, ComparisonTerms(dimensions=DIMENSIONS[:4]))
    assert (ruled.grid.lost, ruled.judges[0].lost, ruled.judges[1].lost) == ({"other-dimensions": 1}, 1, 0)


def test_what_was_to_be_judged_and_has_no_row_is_missing() -> None:
    terms = ComparisonTerms(
        questions=(PanelQuestion("q9", "safety"), PanelQuestion("q1")),
        judges=(Rater("z"), Rater("a")),
        dimensions=DIMENSIONS,
    )
    found = aggregate([ahead("q1", "a", 2, question_type="menu")], terms)
    assert found.grid == Grid(questions=2, judges=2, received=1, lost={"missing": 3})
    assert [(each.question_id, each.question_type) for each in found.questions] == [("q9", "safety"), ("q1", "menu")]
    assert [each.judge for each in found.judges] == ["z", "a"]
    assert [(each.question_type, each.questions, each.mean_delta) for each in found.types] == [
        ("menu", 1, 2.0),
        ("safety", 1, None),
    ]


def test_of_no_row_nothing_is_said() -> None:
    assert aggregate([], ComparisonTerms()) == Aggregate()
    asked = aggregate(
        [], ComparisonTerms(questions=(PanelQuestion("q1"),), judges=(Rater("a"),), dimensions=("d",), swap=True)
    )
    assert asked.grid == Grid(questions=1, judges=1, orders=2, lost={"missing": 2})
    assert (asked.headline.questions, asked.headline.mean_delta, asked.headline.test) == (0, None, None)
    assert asked.dimensions[0].informational


def test_one_judge_and_one_question() -> None:
    found = aggregate([ahead("q1", "a", 5)], ComparisonTerms())
    assert found.headline.test is not None
    # Two ways, +5 and -5: both are as far from 0, and neither is above +5.
    assert (found.headline.test.two_sided, found.headline.test.control) == (rate_of(2, 2), rate_of(2, 2))
    assert found.headline.test.smallest == 1.0
    assert all(each.informational and each.alpha.value is None for each in found.dimensions)
    assert found.all_agreed == AllAgreed()
    assert not found.questions[0].unanimous
    assert found.agreement.ac1 is None


def test_judges_of_a_lab_of_an_arm_or_of_another_judge_are_left_out_apart() -> None:
    judges = (Rater("haiku", lab="Anthropic"), Rater("kimi", lab="Moonshot"), Rater("k2", lab="moonshot "), Rater("x"))
    rows = [ahead("q1", "haiku", 10), ahead("q1", "kimi", -2), ahead("q1", "k2", -4), ahead("q1", "x", 0)]
    found = aggregate(rows, ComparisonTerms(judges=judges, labs={"control": "anthropic", "treatment": "anthropic"}))
    assert [each.shares for each in found.judges] == [("control", "treatment"), (), ("judge",), ()]
    assert (found.headline.mean_delta, found.headline.wins) == (1.0, Wins(tie=1))
    assert found.apart is not None
    assert (found.apart.judges, found.apart.mean_delta, found.apart.wins) == (2, -1.0, Wins(tie=1))
    alone = aggregate(rows[:1], ComparisonTerms(judges=judges[:1], labs={"control": "Anthropic"}))
    assert alone.apart is not None
    assert (alone.apart.judges, alone.apart.questions, alone.apart.test) == (0, 0, None)


def test_a_judge_that_works_in_two_ways_is_a_family() -> None:
    rows = [
        *[ahead("q1", "kimi", lead, harness=way) for way, lead in (("plain", 2), ("tools", 1))],
        *[ahead("q2", "kimi", lead, harness=way) for way, lead in (("plain", 2), ("tools", -1))],
        ahead("q3", "kimi", 2, harness="plain"),
        lost("q3", "kimi", harness="tools"),
        ahead("q1", "sonnet", 1),
    ]
    found = aggregate(rows, ComparisonTerms())
    assert found.families == (Family(judge="kimi", harnesses=("plain", "tools"), agreed=rate_of(1, 2)),)
    # One judge twice is one lab twice, whether or not somebody says which.
    assert [each.shares for each in found.judges] == [(), ("judge",), ()]
    assert aggregate(NINETEEN, ComparisonTerms()).families == ()


def test_a_question_lost_by_a_treatment_that_passes_the_gates_is_a_concern_of_the_rubric() -> None:
    rows = [ahead(question, judge, -2) for question in ("q1", "q2", "q3") for judge in "ab"] + [ahead("q4", "a", 2)]
    questions = (
        PanelQuestion("q1", gates_passed=True), PanelQuestion("q2", gates_passed=False), PanelQuestion("q3"),
        PanelQuestion("q4", gates_passed=True),
    )  # fmt: skip
    found = aggregate(rows, ComparisonTerms(questions=questions))
    assert found.concerns == ("q1",)
    assert found.control_won == ("q1", "q2", "q3")


def test_what_a_judge_claims_decides_nothing_and_is_counted() -> None:
    rows = [
        ahead("q1", "liar", -3, claimed=Claimed(control=5, treatment=25, verdict="treatment")),
        ahead("q2", "liar", 2, claimed=Claimed(control=5, treatment=7, verdict="treatment")),
        ahead("q3", "liar", 2, claimed=Claimed(treatment=8)),
        ahead("q4", "liar", 2),
    ]
    found = aggregate(rows, ComparisonTerms())
    assert found.miscounts == Miscounts(totals=rate_of(2, 3), verdicts=rate_of(1, 2))
    assert found.judges[0].miscounts == found.miscounts
    assert found.judges[0].wins == Wins(treatment=3, control=1)


def test_agreement_on_verdicts() -> None:
    rows = [
        *[ahead("q1", judge, lead) for judge, lead in zip("abc", (1, 1, 1), strict=True)],
        *[ahead("q2", judge, lead) for judge, lead in zip("abc", (1, -1, -1), strict=True)],
        *[ahead("q3", judge, lead) for judge, lead in zip("abc", (0, 0, -1), strict=True)],
    ]
    found = aggregate(rows, ComparisonTerms())
    # Pairs alike: 3 of 3, 1 of 3, 1 of 3.
    assert found.agreement.pairs == rate_of(5, 9)
    # Three say control; of the others on q2 one of two agrees with each of the two, on q3 none: (1/2 + 1/2 + 0) / 3.
    assert found.agreement.control == 1 / 3
    assert found.all_agreed == AllAgreed(treatment=1, of=3)


def test_heroes_are_the_three_that_lead_most_and_no_more() -> None:
    leads = {"q1": 1, "q2": 5, "q3": -4, "q4": 5, "q5": 2, "q6": 3}
    found = aggregate([ahead(question, "a", lead) for question, lead in leads.items()], ComparisonTerms())
    assert found.heroes == ("q2", "q4", "q6")
    assert aggregate([ahead("q1", "a", 0), ahead("q2", "a", -1)], ComparisonTerms()).heroes == ()


def test_an_aggregate_holds_no_text_and_comes_back_as_it_was() -> None:
    told = [
        each.model_copy(
            update={"question_text": "Zanzibar?", "control_response": "Zanzibar", "reason": "Zanzibar", "run_id": "Zanzibar"}
        )
        for each in NINETEEN
    ]  # fmt: skip
    found = aggregate(told, ComparisonTerms())
    assert found == aggregate(NINETEEN, ComparisonTerms())
    text = found.model_dump_json()
    assert "Zanzibar" not in text
    assert Aggregate.model_validate_json(text) == found
