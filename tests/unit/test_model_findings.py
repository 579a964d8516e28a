"""What a model writes of an aggregate: honest texts pass, and texts that look like them and are not do not."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.aggregate_measures import kinds_of, measures_of
from raggate_action.core.ab.comparison_terms import ComparisonTerms
from raggate_action.core.ab.finding_check import MOST_FINDINGS, rejection_of
from raggate_action.schema.ab_findings import Finding, FindingKind
from raggate_action.schema.ab_result import Aggregate
from tests.panel_ab_builders import ahead
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
        # The words, against the kind.
        ("direction", "better", "overall", "The control is better: it wins 1 of 12 questions."),
        ("direction", "better", "overall", "The treatment is worse by 3.42 points."),
        ("direction", "better", "overall", "The treatment is outperformed by the control."),
        ("direction", "better", "overall", "Better than the treatment is the control."),
        ("direction", "better", "overall", "The treatment is not better than the control."),
        ("direction", "better", "overall", "The treatment lost to the control on 10 of 12 questions."),
        ("direction", "better", "overall", "The treatment wins, and the control is preferred."),
        ("direction", "better", "overall", "The treatment wins. The control leads."),
        ("comparative", "note", "overall", "The treatment is better on 10 of 12 questions."),
        ("comparative", "note", "overall", "The treatment wins 10 of 12 questions."),
        ("comparative", "note", "overall", "The treatment leads on 10 of 12 questions."),
        ("comparative", "note", "dimension:groundedness", "Groundedness improved by 0.71."),
        ("comparative", "note", "dimension:groundedness", "Groundedness rose from 1.09 for the control."),
        ("comparative", "note", "dimension:groundedness", "Groundedness is strongest at 1.80."),
        ("comparative", "note", "dimension:groundedness", "Groundedness outperforms at 1.80 for the treatment."),
        ("comparative", "note", "overall", "The treatment is wiser than the control."),
        ("comparative", "note", "overall", "The treatment does well on 10 of 12 questions."),
        ("comparative", "note", "overall", "The difference is significant over 12 questions."),
        ("comparative", "note", "overall", "The control lost on 10 of 12 questions."),
        ("comparative", "note", "overall", "Only 1 question is for the control."),
        ("comparative", "note", "overall", "Ship the treatment; 12 questions were judged."),
        ("comparative", "note", "overall", "El tratamiento gana 10 de 12."),
        ("comparative", "note", "overall", "Die Treatment ist besser."),
        ("comparative", "note", "overall", "The treatment crushed the control."),
        ("comparative", "note", "overall", "The treatment flattens the control."),
        ("comparative", "note", "overall", "A victory for the treatment."),
        ("comparative", "note", "overall", "The treatment comes first on 10 of 12 questions."),
        ("comparative", "note", "overall", "There is no difference between the arms."),
        ("comparative", "note", "overall", "The arms are on par."),
        ("direction", "better", "overall", "There is no real difference between the arms."),
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
        ("writing", "note", "overall", "There are ١٢ questions."),
        ("number", "note", "overall", "There are twenty-four questions."),
        ("attribution", "note", "rows", "No row is lost."),
        ("comparative", "note", "overall", "Most of the 12 questions are for the treatment."),
        ("quantity", "better", "overall", "The treatment wins the majority."),
        ("quantity", "better", "overall", "The treatment wins nearly all questions."),
        ("quantity", "better", "overall", "The treatment wins three quarters of the questions."),
        ("quantity", "better", "overall", "The treatment wins twice."),
        ("quantity", "note", "agreement", "The judges are unanimous."),
        ("quantity", "note", "question:Q1", "Every judge is for the treatment."),
        # Whose they are, and of what.
        ("attribution", "note", "overall", "10 of 12 questions go to the control."),
        ("attribution", "note", "overall", "The control has 10 of 12 questions, the treatment 1."),
        ("attribution", "note", "overall", "The treatment has 1 of 12 questions."),
        ("attribution", "better", "overall", "The treatment beats the control on 1 of 12 questions."),
        ("attribution", "note", "dimension:groundedness", "Groundedness is 1.09 for the treatment and 1.80 for the control."),
        ("attribution", "note", "overall", "10 of 12 questions are ties."),
        ("attribution", "note", "rows", "35 of 36 rows are lost."),
        ("attribution", "note", "dimension:groundedness", "The alpha of groundedness is 1.80."),
        ("attribution", "better", "overall", "The treatment beats the control. It has 1 of 12 questions."),
        ("attribution", "better", "overall", "The treatment wins 10 questions, the control 10."),
        ("attribution", "note", "overall", "Treatment: 1. Control: 10. Ties: 1."),
        ("attribution", "note", "agreement", "All judges are for the control on 9 of 12 questions."),
        ("attribution", "note", "overall", "The treatment is one arm. The latter has 10 of 12 questions."),
        ("unit", "note", "overall", "10 of 12 judges are for the treatment."),
        ("unit", "note", "overall", "There are 3 questions and 12 judges."),
        ("unit", "note", "question:Q1", "3 questions are for the treatment."),
        # Names.
        ("question", "note", "overall", "On Q3 the mean delta is 3.42."),
        ("question", "note", "control_won", "The panel chose the control on Q8."),
        ("question", "note", "control_won", "The panel chose the control on Q99."),
        ("question", "note", "control_won", "The panel chose the control on question 99."),
        ("question", "note", "control_won", "The panel chose the control on question nut-allergy-7."),
        ("name", "note", "overall", "Groundedness has a mean delta of 3.42."),
        ("name", "note", "dimension:groundedness", "Citation accuracy is 1.80 for the treatment."),
        ("name", "note", "overall", "Judge owl has 12 questions."),
        ("name", "note", "judge:owl", "Judge kimi has 9 of 11 for the treatment."),
        ("reason", "better", "overall", "The treatment is better because it cites its sources."),
        ("reason", "better", "overall", "The treatment is better, which suggests that the tool works."),
        ("reason", "note", "overall", "Users would see 12 questions answered."),
        # Marks.
        ("markup", "note", "overall", "There are **12** questions."),
        ("markup", "note", "overall", "Ask @team about 12 questions."),
        ("markup", "note", "overall", "See https://evil.example for 12 questions."),
        ("markup", "note", "overall", "See evil.example for 12 questions."),
        ("markup", "note", "overall", "There are [12](x) questions."),
        ("markup", "note", "overall", "There are <b>12</b> questions."),
        ("markup", "note", "overall", "There are `12` questions."),
        ("markup", "note", "overall", "There are 12 questions, see #12."),
        ("writing", "note", "overall", "There are\n12 questions."),
        ("writing", "note", "overall", "The treatment is b\u0435tter on 12 questions."),
        ("writing", "note", "overall", "The treatment is bet\u200bter on 12 questions."),
        ("writing", "note", "overall", "处理组在12个问题上更好"),
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
        (EVEN, "comparative", "no_difference", "The treatment is not better over 12 questions."),
        (EVEN, "comparative", "no_difference", "The control is ahead on 6 of 12 questions."),
        (FEW, "kind", "better", "The treatment is better."),
        (BEHIND, "kind", "better", "The treatment is better."),
        (BEHIND, "direction", "worse", "The treatment leads by 3.42 points."),
        (BEHIND, "direction", "worse", "The control is behind by 3.42 points."),
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


def test_names_that_are_everyday_words_do_not_stand_in_the_way() -> None:
    rows = [ahead(f"Q{n}", judge, 1, question_type="control") for n in range(12) for judge in ("a", "the")]
    found = aggregate(rows, ComparisonTerms())
    assert verdict(found, "better", "overall", "The treatment is a better arm: it wins 12 of 12 questions.") is None
    assert verdict(found, "note", "judge:a", "A judge called a gives 12 of 12 questions to the treatment.") is None
    assert verdict(found, "note", "type:control", "12 of 12 questions go to the control.") == "attribution"


def test_every_measure_can_be_written_of_and_only_two_are_tested() -> None:
    measures = measures_of(AHEAD)
    assert {name for name, each in measures.items() if each.headline is not None} == {"overall", "apart"}
    assert kinds_of(measures["overall"]) == ("better", "note")
    assert kinds_of(measures_of(BEHIND)["overall"]) == ("worse", "note")
    assert kinds_of(measures_of(FEW)["overall"]) == ("no_difference", "note")
    assert kinds_of(measures["rows"]) == ("note",)
