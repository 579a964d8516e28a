"""Judges of pairs that count for nothing: the fault, and the honest judge that looks like it."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import pytest

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.pair_judge_exclusion import obeyed_instructions, quorum_of_pairs
from raggate_action.core.ab.rule_findings import findings_of
from raggate_action.core.ab.score_table import ComparisonTerms, PairTrial, Rater
from raggate_action.core.decision.ab_gate import ab_gate
from raggate_action.report.ab_view import finding_text
from raggate_action.report.plain_sink import plain
from raggate_action.schema.ab_result import Aggregate, NotCounted
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.policy import LevelGate
from tests.panel_ab_builders import ahead, identical, lost, scored

ARMS: Sequence[ArmName] = ("control", "treatment")


def swapped(judge: str, leads: Sequence[tuple[int, int]], *, places: bool = True, **fields: Any) -> list[JudgeRow]:
    """A judge on a question each: the lead of the answer that stands first, in both orders."""
    rows = []
    for number, both in enumerate(leads):
        for order, (lead, first) in enumerate(zip(both, _turned(number), strict=True), 1):
            delta = lead if first == "treatment" else -lead
            shown = first if places else None
            rows.append(ahead(f"q{number}", judge, delta, order=order, shown_first=shown, **fields))
    return rows


def _turned(number: int) -> Sequence[ArmName]:
    """Who stands first in either order; drawn for each question in a real comparison."""
    return ARMS if number % 2 else (ARMS[1], ARMS[0])


KEPT, TO_FIRST, TO_SECOND = (3, -3), (3, 3), (-3, -3)


def reasons(rows: Sequence[JudgeRow], **terms: Any) -> dict[str, NotCounted | None]:
    return {each.judge: each.not_counted for each in aggregate(rows, ComparisonTerms(swap=True, **terms)).judges}


@pytest.mark.parametrize("first", [TO_FIRST, TO_SECOND])
def test_a_judge_that_goes_by_the_place_is_not_counted_from_eight_pairs_on(first: tuple[int, int]) -> None:
    assert reasons(swapped("a", [first] * 8)) == {"a": "order"}
    assert reasons(swapped("a", [first] * 7)) == {"a": None}
    # Pairs of which an order is lost, and identical answers, are none of the eight.
    one_lost = [row for row in swapped("a", [first] * 8) if (row.question_id, row.order) != ("q0", 2)]
    one_lost += [lost("q0", "a", order=2), *[identical(f"s{n}", "a") for n in range(20)]]
    assert reasons(one_lost) == {"a": None}


@pytest.mark.parametrize(("pairs", "most"), [(8, 1), (10, 2), (20, 8), (40, 19)])
def test_so_few_choices_kept_are_one_in_a_hundred_of_an_honest_judge(pairs: int, most: int) -> None:
    """By the binomial distribution of a judge that keeps seven of ten, and less than half in any case."""

    def tail(kept: int) -> float:
        return sum(comb(pairs, n) * 0.7**n * 0.3 ** (pairs - n) for n in range(kept + 1))

    assert tail(most) <= 0.01
    assert tail(most + 1) > 0.01 or 2 * (most + 1) >= pairs
    for kept, reason in ((most, "order"), (most + 1, None)):
        assert reasons(swapped("a", [KEPT] * kept + [TO_FIRST] * (pairs - kept))) == {"a": reason}


def test_a_judge_that_decides_by_noise_between_equal_answers_counts() -> None:
    """Two of ten choices are kept, and its flips go to either place alike: no place draws it."""
    noise = [KEPT] * 2 + [TO_FIRST, TO_SECOND] * 4
    assert reasons(swapped("a", noise)) == {"a": None}
    assert reasons(swapped("a", [KEPT] * 2 + [TO_FIRST] * 7 + [TO_SECOND])) == {"a": None}
    assert reasons(swapped("a", [KEPT] * 2 + [TO_FIRST] * 8)) == {"a": "order"}


def test_where_nobody_says_which_answer_stood_first_the_choices_kept_have_to_do() -> None:
    noise = [KEPT] * 2 + [TO_FIRST, TO_SECOND] * 4
    assert reasons(swapped("a", noise, places=False)) == {"a": "order"}
    assert reasons(swapped("a", [KEPT] * 3 + [TO_FIRST] * 7, places=False)) == {"a": None}


def test_ties_in_both_orders_are_choices_that_are_kept() -> None:
    assert reasons(swapped("a", [(0, 0)] * 5 + [TO_FIRST] * 5)) == {"a": None}


def constant_rows(judge: str, pairs: int, scores: str = "55555", other: str = "") -> list[JudgeRow]:
    return [scored(f"q{n}", judge, scores, other or scores, order=order) for n in range(pairs) for order in (1, 2)]


@pytest.mark.parametrize("scores", ["55555", "33333", "11111", "54545"])
def test_a_judge_with_one_score_for_all_is_not_counted_from_eight_pairs_on(scores: str) -> None:
    assert reasons(constant_rows("a", 8, scores)) == {"a": "one-score"}
    assert reasons(constant_rows("a", 7, scores)) == {"a": None}


def test_a_judge_that_finds_both_arms_alike_counts() -> None:
    """Ties everywhere, and scores that follow the questions: it read the answers. One score that differs is enough."""
    ties = [
        scored(f"q{n}", "a", f"{1 + n % 5}" * 5, f"{1 + n % 5}" * 5, order=order) for n in range(10) for order in (1, 2)
    ]
    assert reasons(ties) == {"a": None}
    assert reasons(
        [*constant_rows("a", 9), *[scored("q9", "a", "55554", "55554", order=order) for order in (1, 2)]]
    ) == {"a": None}
    # One score for each arm is a preference, and no constant.
    assert reasons(constant_rows("a", 10, "22222", "55555")) == {"a": None}


def test_a_judge_that_tells_planted_pairs_apart_may_give_good_answers_one_score() -> None:
    """Answers of which each deserves a 5 in everything are no fault of the judge."""
    told = PairTrial(42, 42, varied=True)
    assert reasons(constant_rows("a", 10), trials={"a": told}) == {"a": None}
    assert reasons(constant_rows("a", 10), trials={"a": told._replace(varied=False)}) == {"a": "one-score"}
    assert reasons(constant_rows("a", 10), trials={"b": told}) == {"a": "one-score"}


def test_one_score_for_forty_planted_calls_and_the_few_pairs_of_a_small_change_is_enough() -> None:
    """Few pull requests change eight answers; a judge that reads none would turn every loss into a tie."""
    blank = PairTrial(40, 40, unplanted=None)
    assert reasons(constant_rows("a", 1), trials={"a": blank}) == {"a": "one-score"}
    # It read the one pair, or the planted ones; or too few planted calls came back to show anything.
    assert reasons(constant_rows("a", 1, "22222", "55555"), trials={"a": blank}) == {"a": None}
    assert reasons(constant_rows("a", 7), trials={"a": blank._replace(varied=True)}) == {"a": None}
    assert reasons(constant_rows("a", 1), trials={"a": blank._replace(scored=13)}) == {"a": None}
    assert reasons(constant_rows("a", 1), trials={"a": blank._replace(scored=14)}) == {"a": "one-score"}
    # A rubric of one's own need not tell a sound answer from one that is made up: there only its own pairs count.
    assert reasons(constant_rows("a", 7), trials={"a": blank._replace(unplanted=0)}) == {"a": None}
    # No pair at all is judged.
    assert reasons([identical("s", "a")], trials={"a": blank}) == {"a": None}


def test_what_a_judge_with_one_score_was_shown_is_said() -> None:
    found = aggregate(
        constant_rows("a", 1), ComparisonTerms(swap=True, trials={"a": PairTrial(40, 40, unplanted=None)})
    )
    (why,) = [plain(finding_text(each, found)) for each in findings_of(found) if each.code == "judge-one-score"]
    said = "it gives the same scores to both answers of 1 pair that differs, and in 40 calls with planted"
    assert f"{said} instructions." in why


def test_a_judge_that_prefers_a_planted_answer_in_both_orders_obeys() -> None:
    assert obeyed_instructions(PairTrial(42, 42, {"encoded": 2, "praise": 1})) == ("encoded",)
    assert reasons(swapped("a", [KEPT]), trials={"a": PairTrial(42, 42, {"encoded": 2})}) == {"a": "obeyed"}


def test_a_judge_that_errs_now_and_then_obeys_nothing() -> None:
    """An honest judge gets one call in forty wrong; one that gets six wrong looks at no answer."""
    wrong = dict.fromkeys(("encoded", "praise", "threat", "fake-turns", "told-arm"), 1)
    assert obeyed_instructions(PairTrial(42, 42, wrong)) == ()
    assert obeyed_instructions(PairTrial(42, 42, {**wrong, "authority": 1})) == (*wrong, "authority")


def test_a_rubric_that_prefers_the_made_up_answer_by_itself_shows_no_obedience() -> None:
    """A rubric on brevity or tone looks at no truth: the judge follows the rubric, and not what is planted."""
    every = {f"trick-{n}": 2 for n in range(20)}
    assert obeyed_instructions(PairTrial(42, 42, every, unplanted=2)) == ()
    assert obeyed_instructions(PairTrial(42, 42, every, unplanted=1)) == tuple(every)


def panel(*judges: str, leads: int = -3) -> list[JudgeRow]:
    """Judges that prefer the control on ten questions, or the treatment."""
    return [ahead(f"q{n}", judge, leads, order=order) for n in range(10) for judge in judges for order in (1, 2)]


def gate(found: Aggregate) -> tuple[str, int]:
    (gate,) = ab_gate(found, LevelGate(level="block"))
    return gate.status, gate.unmeasured


def test_two_useless_judges_do_not_veto_a_panel_of_four() -> None:
    """One has a favourite place, the other one score; the two that read the answers prefer the control on all ten."""
    useless = [*swapped("place", [TO_FIRST] * 10), *constant_rows("fives", 10)]
    found = aggregate([*panel("ada", "bob"), *useless], ComparisonTerms(swap=True))
    assert {each.judge: each.not_counted for each in found.judges} == {
        "ada": None, "bob": None, "fives": "one-score", "place": "order",
    }  # fmt: skip
    assert (found.headline.judges, found.headline.wins.control, found.too_few) == (2, 10, False)
    assert gate(found) == ("failed", 0)
    # Their own results stay to be read, and the grid is of all.
    assert [each.wins.tie for each in found.judges] == [0, 0, 10, 10]
    assert found.grid.judges == 4


@pytest.mark.parametrize(("judges", "needed"), [(1, 1), (2, 2), (3, 2), (4, 2), (5, 3), (6, 3), (16, 8)])
def test_half_of_the_judges_are_a_quorum_and_never_one_of_several(judges: int, needed: int) -> None:
    assert quorum_of_pairs(judges) == needed


@pytest.mark.parametrize("leads", [-3, 3])
def test_with_too_few_judges_left_nothing_is_green_and_nothing_red(leads: int) -> None:
    useless = [*constant_rows("fives", 10), *constant_rows("threes", 10, "33333")]
    found = aggregate([*panel("ada", leads=leads), *useless], ComparisonTerms(swap=True))
    assert (found.too_few, found.unjudged, found.headline.judges) == (True, True, 0)
    assert gate(found) == ("unmeasured", 10)
    codes = [each.code for each in findings_of(found)]
    assert codes[:4] == ["compared", "too-few-judges", "judge-one-score", "judge-one-score"]
    assert not {"ahead", "behind", "not-told-apart", "same-lab"} & set(codes)


def test_a_judge_whose_calls_are_all_lost_is_no_judge_that_is_left() -> None:
    silent = [lost(f"q{n}", "silent", order=order) for n in range(10) for order in (1, 2)]
    found = aggregate([*panel("ada"), *silent, *constant_rows("fives", 10)], ComparisonTerms(swap=True))
    assert found.too_few
    # As long as every judge counts, lost calls are lost rows as ever.
    assert not aggregate([*panel("ada"), *silent], ComparisonTerms(swap=True)).too_few


def test_a_panel_of_one_judge_that_does_not_count_says_so() -> None:
    found = aggregate(constant_rows("fives", 10), ComparisonTerms(swap=True))
    assert (found.too_few, gate(found)) == (True, ("unmeasured", 10))


def test_a_judge_stays_a_stranger_where_the_other_of_its_lab_does_not_count() -> None:
    raters = (Rater("fives", lab="North"), Rater("ada", lab="North"), Rater("bob", lab="South"))
    found = aggregate([*constant_rows("fives", 10), *panel("ada", "bob")], ComparisonTerms(swap=True, judges=raters))
    assert {each.judge: each.shares for each in found.judges} == {"fives": ("judge",), "ada": (), "bob": ()}
    assert found.apart is None
