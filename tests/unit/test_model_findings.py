"""What a model writes of an aggregate: honest texts pass, and texts that look like them and are not do not."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.ab.aggregate_measures import measures_of
from raggate_action.core.ab.finding_check import MOST_FINDINGS, rejection_of
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.ab_run import Finding, FindingKind
from tests.written_findings import even, panel

AHEAD = panel()
BEHIND = panel(-1)
EVEN = even()
FEW = panel(questions=9)


def finding(kind: FindingKind, measure: str, text: str, *numbers: float) -> Finding:
    return Finding(kind=kind, measure=measure, text=text, numbers=numbers)


def verdict(aggregate: Aggregate, *given: Any) -> str | None:
    found = rejection_of([finding(*given)], aggregate)
    return None if found is None else found.code


# Honest


@pytest.mark.parametrize(
    ("kind", "measure", "text"),
    [
        ("better", "overall", "The treatment is better: it wins 10 of 12 questions (p = 0.002)."),
        ("better", "overall", "The treatment wins 10 of 12 questions, the control 1, and 1 is a tie; p = 0.00195."),
        ("better", "overall", "The treatment leads the control by 3.4 points on average over 12 questions."),
        ("better", "overall", "The treatment wins ten of twelve questions, p < 0.05."),
        ("better", "overall", "The treatment scores higher than the control: mean delta +3.42, p = 0.0020."),
        ("better", "overall", "Judges prefer the treatment on 83.3% of the questions."),
        ("better", "overall", "Judges prefer the treatment on 83 % of the questions and the control on 8.3 %."),
        ("better", "overall", "The control trails the treatment by 3.4 points."),
        ("better", "overall", "The treatment is significantly better than the control (two-sided p of 0.002)."),
        ("better", "apart", "The treatment is ahead without same-lab judges as well: 10 of 12 questions, 2 judges."),
        ("note", "overall", "The mean delta over 12 questions is +3.42."),
        ("note", "overall", "10 of 12 questions go to the treatment, 1 to the control; 1 is a tie."),
        ("note", "overall", "10/12 questions are for the treatment (p=0.002)."),
        ("note", "control_won", "The panel chose the control's answer on 1 question: Q7."),
        ("note", "concerns", "On Q7 hard gates pass and the judges chose the control; the rubric deserves a look."),
        ("note", "tied", "1 question is a tie: Q8."),
        ("note", "dimension:groundedness", "Groundedness: 1.80 for the treatment, 1.09 for the control, alpha 0.94."),
        ("note", "dimension:citation_accuracy", "Citation accuracy has a mean delta of 0.86 and an alpha of 0.91."),
        ("note", "judge:owl", "Judge owl has no verdict on 1 question; 9 of 11 go to the treatment."),
        ("note", "question:Q11", "On Q11 two judges are for the treatment and one judge is for the control."),
        ("note", "type:safety", "Of 6 safety questions 5 are for the treatment and 1 is a tie."),
        ("note", "rows", "1 of 36 rows was lost; 35 of 36 rows have scores."),
        ("note", "rows", "One row is lost."),
        ("note", "agreement", "The judges agree on 11 of 12 questions; AC1 is 0.93."),
        ("note", "agreement", "All judges are for the treatment on 9 of 12 questions."),
        ("note", "overall", "Treatment: 10. Control: 1. Ties: 1."),
        ("note", "overall", "The mean delta (treatment less control) is 3.42 points."),
        ("note", "dimension:groundedness", "The alpha of groundedness is 0.94 (95% interval 0.82 to 1.00)."),
        ("note", "dimension:groundedness", "On groundedness 0 of 70 scores are 5."),
        ("note", "agreement", "32 of 34 pairs of judges give one verdict."),
        ("note", "heroes", "Q3, Q10 and Q1 are 3 questions with a wide gap."),
        ("note", "question:Q7", "On Q7 the control has a mean of 7 and the treatment of 5, on dimensions from 1 to 5."),
    ],
)  # fmt: skip
def test_honest_findings_stand(kind: FindingKind, measure: str, text: str) -> None:
    assert rejection_of([finding(kind, measure, text)], AHEAD) is None


@pytest.mark.parametrize(
    ("aggregate", "kind", "text"),
    [
        (BEHIND, "worse", "The treatment is worse: the control wins 10 of 12 questions."),
        (BEHIND, "worse", "The control is ahead by 3.4 points (p = 0.001)."),
        (BEHIND, "worse", "The treatment scores lower than the control by 3.42 points."),
        (EVEN, "no_difference", "No difference is shown: 6 of 12 questions go to each arm, p = 1.00."),
        (EVEN, "no_difference", "The test shows no significant difference between the control and the treatment."),
        (EVEN, "no_difference", "The test tells no one apart over 12 questions."),
        (FEW, "no_difference", "With 9 questions the test cannot tell the arms apart."),
        (FEW, "note", "9 questions were judged by 3 judges."),
    ],
)  # fmt: skip
def test_honest_findings_of_other_panels_stand(aggregate: Aggregate, kind: FindingKind, text: str) -> None:
    assert rejection_of([finding(kind, "overall", text)], aggregate) is None


# Not honest


@pytest.mark.parametrize(
    ("code", "kind", "measure", "text"),
    [
        # The kind, against the test.
        ("kind", "worse", "overall", "The treatment is worse."),
        ("kind", "no_difference", "overall", "No difference is shown."),
        ("kind", "better", "dimension:groundedness", "Groundedness is better."),
        ("kind", "better", "type:safety", "The treatment is better on safety."),
        ("kind", "no_difference", "judge:owl", "No difference is shown by owl."),
        ("measure", "note", "dimension:kindness", "There are 12 questions."),
        ("measure", "note", "Overall", "There are 12 questions."),
        ("measure", "note", "question:Q99", "There are 12 questions."),
        # Numbers, against the measure.
        ("number", "better", "overall", "The treatment wins 11 of 12 questions."),
        ("number", "better", "overall", "The treatment wins 10 of 11 questions."),
        ("number", "better", "overall", "The treatment wins eleven of twelve questions."),
        ("number", "better", "overall", "The treatment wins on 90% of the questions."),
        ("number", "better", "overall", "The treatment leads by 3.5 points."),
        ("number", "better", "overall", "The treatment leads by -3.42 points."),
        ("unit", "better", "overall", "The treatment leads by 3 points."),
        ("number", "better", "overall", "The treatment is ahead (p = 0.001)."),
        ("number", "better", "overall", "The treatment is ahead (p = 0.0)."),
        ("number", "better", "overall", "The treatment is ahead (p < 0.001)."),
        ("number", "better", "overall", "The treatment leads by 3,42 points."),
        ("number", "better", "overall", "The treatment leads by 3.4.2 points."),
        ("number", "note", "dimension:groundedness", "Groundedness: 1.97 for the treatment."),
        ("number", "note", "overall", "There are 12000 questions."),
        ("number", "note", "overall", "There are twenty-four questions."),
        ("unit", "note", "overall", "10 of 12 judges are for the treatment."),
        ("unit", "note", "overall", "There are 3 questions and 12 judges."),
        ("unit", "note", "question:Q1", "3 questions are for the treatment."),
    ],
)  # fmt: skip
def test_findings_that_are_not_honest_are_left_out(code: str, kind: FindingKind, measure: str, text: str) -> None:
    found = rejection_of([finding(kind, measure, text)], AHEAD)
    assert found is not None
    assert found.code == code
    assert found.place == 1


@pytest.mark.parametrize(
    ("aggregate", "code", "kind", "text"),
    [
        (EVEN, "kind", "better", "The treatment is better."),
        (EVEN, "kind", "worse", "The treatment is worse."),
        (FEW, "kind", "better", "The treatment is better."),
        (BEHIND, "kind", "better", "The treatment is better."),
    ],
)  # fmt: skip
def test_what_the_test_does_not_bear_out_is_left_out(
    aggregate: Aggregate, code: str, kind: FindingKind, text: str
) -> None:
    assert verdict(aggregate, kind, "overall", text) == code


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ((10, 12, 0.002), None), ((3.42,), None), ((3.4167,), None), ((83.3,), None), ((0.833,), None), ((), None),
        ((11,), "number"), ((0.05,), "number"), ((-3.42,), "number"), ((3.5,), "number"), ((1e9,), "number"),
    ],
)  # fmt: skip
def test_the_numbers_beside_a_text_are_held_as_well(numbers: tuple[float, ...], code: str | None) -> None:
    assert verdict(AHEAD, "better", "overall", "The treatment is better.", *numbers) == code


def test_one_fault_leaves_all_of_it_out_and_is_named() -> None:
    right = finding("better", "overall", "The treatment wins 10 of 12 questions.")
    wrong = finding("note", "rows", "7 of 36 rows were lost.")
    assert rejection_of([right], AHEAD) is None
    found = rejection_of([right, wrong], AHEAD)
    assert found is not None
    assert (found.code, found.place, found.found) == ("number", 2, "7 of 36")


def test_none_and_too_many_are_left_out() -> None:
    none = rejection_of([], AHEAD)
    assert none is not None
    assert none.code == "none"
    note = finding("note", "overall", "12 questions.")
    assert rejection_of([note] * MOST_FINDINGS, AHEAD) is None
    too_many = rejection_of([note] * (MOST_FINDINGS + 1), AHEAD)
    assert too_many is not None
    assert too_many.code == "too-many"


def test_digits_of_a_name_are_no_number_and_those_of_another_measures_name_are() -> None:
    assert verdict(AHEAD, "note", "control_won", "The panel chose the control on 1 question: Q7.") is None
    assert verdict(AHEAD, "note", "control_won", "The panel chose the control on Q8.") == "number"
    # Words are the model's own.
    assert verdict(AHEAD, "note", "overall", "The treatment crushed the control on 10 of 12 questions.") is None


def test_every_measure_can_be_written_of_and_only_two_are_tested() -> None:
    measures = measures_of(AHEAD)
    assert {name for name, each in measures.items() if len(each.kinds) > 1} == {"overall", "apart"}
    assert measures["overall"].kinds == ("better", "note")
    assert measures_of(BEHIND)["overall"].kinds == ("worse", "note")
    assert measures_of(FEW)["overall"].kinds == ("no_difference", "note")
    assert measures["rows"].kinds == ("note",)
