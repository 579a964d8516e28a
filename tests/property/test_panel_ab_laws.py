"""Laws of the blind panel's aggregate and of its statistics, for whatever judges say."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.score_table import ComparisonTerms, PanelQuestion, Rater
from raggate_action.core.statistics.agreement import (
    ConfusionTable,
    agreement_on,
    failing_agreement,
    gwet_ac1,
    gwet_ac1_of_many,
    ordinal_alpha,
)
from raggate_action.core.statistics.paired_tests import sign_flip
from raggate_action.schema.ab_result import Aggregate, Headline, Wins
from raggate_action.schema.judge_rows import Claimed, JudgeRow, Winner
from tests.panel_ab_builders import ahead, identical, lost, scored, unanswered
from tests.thorough import examples

QUESTIONS, JUDGES = ("q1", "q2", "q3", "q4"), ("ada", "bob", "cyd")
KINDS = ("scored", "scored", "scored", "scored", "lost", "identical", "no-answer", "missing")
DIGITS = st.text("12345", min_size=2, max_size=2)
WINNERS: st.SearchStrategy[Winner | None] = st.sampled_from(["control", "treatment", "tie", None])
LABS = st.sampled_from(["", "north", "south"])


@st.composite
def panels(draw: st.DrawFn) -> list[JudgeRow]:
    """Rows of some questions, judges and orders; some are lost, some are not there."""
    rows = []
    for order in range(1, draw(st.integers(1, 2)) + 1):
        for judge in JUDGES[: draw(st.integers(1, 3))]:
            for question in QUESTIONS:
                named: dict[str, Any] = {"order": order, "lab": draw(LABS)}
                kind = draw(st.sampled_from(KINDS))
                if kind == "scored":
                    named["claimed"] = Claimed(control=draw(st.integers(2, 10)), verdict=draw(WINNERS))
                    rows.append(scored(question, judge, draw(DIGITS), draw(DIGITS), **named))
                elif kind == "lost":
                    rows.append(lost(question, judge, **named))
                elif kind != "missing":
                    rows.append({"identical": identical, "no-answer": unanswered}[kind](question, judge, **named))
    return rows


def terms(judges: Sequence[str] = JUDGES) -> ComparisonTerms:
    questions = tuple([PanelQuestion(each, question_type=each[-1:]) for each in QUESTIONS])
    return ComparisonTerms(questions=questions, judges=tuple(map(Rater, judges)), labs={"control": "north"})


LAWFUL = settings(max_examples=examples(40), deadline=None)


@LAWFUL
@given(panels(), st.randoms(use_true_random=False))
def test_the_order_of_rows_leaves_no_trace(rows: list[JudgeRow], draw: Any) -> None:
    for asked in (ComparisonTerms(), terms()):
        found = aggregate(rows, asked)
        shuffled = list(rows)
        draw.shuffle(shuffled)
        assert aggregate(shuffled, asked) == found
        assert Aggregate.model_validate_json(found.model_dump_json()) == found


@LAWFUL
@given(panels())
def test_counts_add_up(rows: list[JudgeRow]) -> None:
    found = aggregate(rows, terms())
    grid = found.grid
    assert grid.received + sum(grid.lost.values()) == grid.expected == len(QUESTIONS) * len(JUDGES) * grid.orders
    for judge in found.judges:
        assert judge.wins.total + judge.lost == grid.questions
        assert judge.totals.scored == grid.orders * judge.wins.judged
    for question in found.questions:
        assert question.votes.total + question.lost == grid.judges
    assert sum(each.totals.difference for each in found.judges) == sum(e.totals.difference for e in found.questions)
    assert sum(each.totals.difference for each in found.dimensions) == sum(e.totals.difference for e in found.questions)
    judged = found.headline.wins.total
    assert judged == found.headline.questions == sum(each.wins.total for each in found.types)
    assert len(found.control_won) + len(found.tied) + len(found.identical) + found.headline.wins.treatment == judged
    if found.apart is not None:
        assert found.apart.judges < found.headline.judges
        assert found.apart.questions <= found.headline.questions


@LAWFUL
@given(panels())
def test_swapping_the_arms_turns_every_result_round(rows: list[JudgeRow]) -> None:
    found = aggregate(rows, terms())
    turned = aggregate([_turned(each) for each in rows], terms()._replace(labs={"treatment": "north"}))
    assert [each.totals.difference for each in turned.questions] == [-e.totals.difference for e in found.questions]
    assert [each.wins for each in turned.judges] == [_round(each.wins) for each in found.judges]
    assert [each.votes for each in turned.questions] == [_round(each.votes) for each in found.questions]
    assert [each.alpha for each in turned.dimensions] == [each.alpha for each in found.dimensions]
    assert turned.agreement.pairs == found.agreement.pairs
    assert turned.miscounts.verdicts == found.miscounts.verdicts
    assert turned.control_won == tuple(e.question_id for e in found.questions if e.consensus == "treatment")
    for one, other in ((turned.headline, found.headline), (turned.apart, found.apart)):
        if one is None or other is None:
            assert one is other
        else:
            _are_mirrored(one, other)


def _are_mirrored(one: Headline, other: Headline) -> None:
    assert one.wins == _round(other.wins)
    assert (one.consistency, one.ceiling) == (other.consistency, other.ceiling)
    assert one.mean_delta == (None if other.mean_delta is None else -other.mean_delta)
    if one.test is not None and other.test is not None:
        assert one.test.two_sided == other.test.two_sided
        # What is at most here is at least there; together they are all ways, and those that come to the very same twice.
        assert one.test.control.hits + other.test.control.hits >= one.test.control.total


def _round(wins: Wins) -> Wins:
    return wins.model_copy(update={"treatment": wins.control, "control": wins.treatment})


def _turned(row: JudgeRow) -> JudgeRow:
    other = {"control": "treatment", "treatment": "control"}
    claimed = Claimed(
        control=row.claimed.treatment,
        treatment=row.claimed.control,
        verdict=other.get(row.claimed.verdict or "", row.claimed.verdict),  # type: ignore[arg-type]
    )
    return row.model_copy(update={"control": row.treatment, "treatment": row.control, "claimed": claimed})


@LAWFUL
@given(panels(), st.sampled_from(list(permutations(JUDGES))))
def test_renaming_judges_changes_no_count(rows: list[JudgeRow], names: tuple[str, ...]) -> None:
    called = dict(zip(JUDGES, names, strict=True))
    found = aggregate(rows, terms())
    renamed = aggregate([row.model_copy(update={"judge": called[row.judge]}) for row in rows], terms(names))
    judges = [each.model_copy(update={"judge": called[each.judge]}) for each in found.judges]
    assert renamed == found.model_copy(update={"judges": tuple(judges)})


@LAWFUL
@given(st.lists(st.lists(st.integers(-20, 20), min_size=2, max_size=2), min_size=1, max_size=7))
def test_a_judge_that_scores_few_pairs_alike_turns_no_test(leads: list[list[int]]) -> None:
    rows = [ahead(f"q{n}", judge, lead) for n, pair in enumerate(leads) for judge, lead in zip("ab", pair, strict=True)]
    constant = [scored(f"q{n}", "c", "55555", "55555") for n in range(len(leads))]
    without, found = (
        aggregate(rows, ComparisonTerms()).headline,
        aggregate([*rows, *constant], ComparisonTerms()).headline,
    )
    assert found.test == without.test
    assert found.mean_delta is not None
    assert without.mean_delta is not None
    assert found.mean_delta == pytest.approx(without.mean_delta * 2 / 3)


@LAWFUL
@given(st.integers(1, 24), st.integers(1, 3))
def test_identical_answers_alone_are_no_difference(questions: int, judges: int) -> None:
    rows = [identical(f"q{n}", JUDGES[judge]) for n in range(questions) for judge in range(judges)]
    headline = aggregate(rows, ComparisonTerms()).headline
    assert (headline.mean_delta, headline.wins) == (0.0, Wins(identical=questions))
    assert headline.test is not None
    assert headline.test.two_sided.value == headline.test.control.value == 1.0


@LAWFUL
@given(panels())
def test_rows_that_stand_twice_change_nothing(rows: list[JudgeRow]) -> None:
    assert aggregate([*rows, *rows], ComparisonTerms()) == aggregate(rows, ComparisonTerms())


# Statistics


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.integers(-40, 40), min_size=2, max_size=8))
def test_the_sign_flip_is_scipy_s(differences: list[int]) -> None:
    from scipy.stats import permutation_test

    found = sign_flip([Fraction(each) for each in differences], seed="1")
    assert found is not None

    def p(alternative: str) -> float:
        sides: dict[str, Any] = {"permutation_type": "samples", "n_resamples": 10_000, "alternative": alternative}
        return float(
            permutation_test((differences,), lambda x, axis: x.sum(axis=axis), vectorized=True, **sides).pvalue
        )

    assert found.exact
    assert found.control.value == pytest.approx(p("less"))
    assert found.two_sided.value == pytest.approx(p("two-sided"))


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.fractions(-20, 20, max_denominator=24), min_size=1, max_size=24))
def test_the_sign_flip_knows_no_order_and_no_unit(differences: list[Fraction]) -> None:
    found = sign_flip(differences, seed="1")
    assert (
        found == sign_flip(differences[::-1], seed="1") == sign_flip([each * 7 / 3 for each in differences], seed="1")
    )
    assert found is not None
    assert 0 < found.control.hits <= found.control.total
    if any(differences):
        assert found.two_sided.value >= found.smallest


UNITS = st.lists(st.lists(st.integers(1, 5), max_size=4), max_size=3)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(UNITS, max_size=5))
def test_alpha_is_what_it_is_defined_to_be(questions: list[list[list[int]]]) -> None:
    """By its definition, pair for pair: disagreement within things over that among all values."""
    rated = [unit for units in questions for unit in units if len(unit) > 1]
    values = [value for unit in rated for value in unit]

    def apart(one: int, other: int) -> Fraction:
        low, high = sorted((one, other))
        between = sum(low <= value <= high for value in values)
        return (between - Fraction(values.count(one) + values.count(other), 2)) ** 2 if low < high else Fraction()

    within = sum((apart(*pair) / (len(unit) - 1) for unit in rated for pair in combinations(unit, 2)), Fraction())
    among = sum((apart(*pair) for pair in combinations(values, 2)), Fraction())
    found = ordinal_alpha(questions, seed="1")
    if not among:
        assert found.value is None
        return
    assert found.value == pytest.approx(float(1 - (len(values) - 1) * within / among), abs=1e-12)
    shuffled = [[unit[::-1] for unit in units[::-1]] for units in questions]
    assert ordinal_alpha(shuffled, seed="1") == found
    if found.low is not None and found.high is not None:
        assert found.low <= found.high <= 1


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.sampled_from([(2, 0), (1, 1), (0, 2)]), min_size=1, max_size=30))
def test_of_two_raters_agreement_of_many_is_that_of_two(things: list[tuple[int, int]]) -> None:
    # Who of the two says what makes no difference to either.
    table = ConfusionTable(things.count((2, 0)), things.count((1, 1)), 0, things.count((0, 2)))
    assert gwet_ac1_of_many(things) == pytest.approx(gwet_ac1(table))
    assert agreement_on(things, 1) == failing_agreement(table)
