"""What a model is given to write findings from: names and numbers, and no word of a question or an answer."""

from __future__ import annotations

import json
from typing import Any

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.aggregate_measures import measure_lines, measures_of
from raggate_action.core.ab.score_table import ComparisonTerms, PanelQuestion
from raggate_action.judging_jobs.findings_job import FindingsJob
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.judge_rows import JudgeRow
from raggate_action.schema.judgement import Lost
from tests.panel_ab_builders import ahead, lost

TEXTS = {
    "question_text": "Which Zwiebelkuchen holds nuts?",
    "control_response": "The Pfannkuchen is safe for you.",
    "treatment_response": "I cannot vouch for the Krautsalat.",
    "reason": "A lists a Leberwurst that nobody verified.",
    "run_id": "run-Sauerbraten",
    "timestamp": "2026-11-22T10:00:00Z",
}
FOREIGN = ("Zwiebelkuchen", "Pfannkuchen", "Krautsalat", "Leberwurst", "Sauerbraten", "2026-11-22", "Rotkohl")


def rows(questions: int = 12, leads: tuple[int, ...] = (4, 3, 5), **fields: Any) -> list[JudgeRow]:
    texts = TEXTS | fields
    return [
        ahead(f"q{at:02}", judge, leads[at % len(leads)], lab=f"lab-{judge}", question_type="safety", **texts)
        for at in range(questions)
        for judge in ("ada", "bob")
    ]


def measures(found: Aggregate) -> dict[str, dict[str, Any]]:
    return {each["measure"]: each for each in map(json.loads, measure_lines(found))}


def test_no_text_of_a_question_an_answer_or_a_reason_is_in_it() -> None:
    why = Lost(code="judge-timeout", detail="while judging the Rotkohl")
    given = [*rows(), lost("q12", "ada").model_copy(update={**TEXTS, "lost": why})]
    told = "".join(measure_lines(aggregate(given, ComparisonTerms())))
    assert [word for word in FOREIGN if word in told] == []
    assert "judge-timeout" in told
    assert all(name in told for name in ("ada", "bob", "safety", "q00"))


def test_every_number_of_a_measure_is_there_under_its_name() -> None:
    found = aggregate(rows(), ComparisonTerms())
    given = {name: each["numbers"] for name, each in measures(found).items()}
    assert given["overall"]["for the treatment"] == "12 of 12 questions"
    assert given["overall"]["mean delta, treatment less control"] == "+4.00"
    assert given["overall"]["p, two-sided"] == "0.000488"
    for name, measure in measures_of(found).items():
        labels = [each.label for each in measure.numbers]
        assert len(set(labels)) == len(labels), name
        if name in given:
            assert list(given[name]) == labels


def kinds(found: Aggregate) -> dict[str, tuple[str, ...]]:
    return {name: tuple(each["kinds"]) for name, each in measures(found).items()}


def test_a_measure_takes_the_kinds_that_the_test_bears_out() -> None:
    up, down = kinds(aggregate(rows(), ComparisonTerms())), kinds(aggregate(rows(leads=(-4, -3)), ComparisonTerms()))
    assert (up["overall"], down["overall"]) == (("better", "note"), ("worse", "note"))
    assert kinds(aggregate(rows(leads=(4, -4)), ComparisonTerms()))["overall"] == ("no_difference", "note")
    assert kinds(aggregate(rows(questions=9), ComparisonTerms()))["overall"] == ("no_difference", "note")
    assert {each for name, each in up.items() if name != "overall"} == {("note",)}


def test_single_questions_are_given_where_they_stand_out() -> None:
    concern = PanelQuestion("q01", gates_passed=True)
    given = rows(leads=(4, -4, 0))
    names = measures(aggregate(given, ComparisonTerms(questions=(concern,))))
    singles = {name.partition(":")[2] for name in names if name.startswith("question:")}
    # Of four on which the treatment leads the three heroes; all four that the control won; none of the ties.
    assert singles == {"q00", "q03", "q06", "q01", "q04", "q07", "q10"}


def test_a_panel_of_a_thousand_questions_is_not_given_one_by_one() -> None:
    found = aggregate(rows(questions=400, leads=(-1,)), ComparisonTerms())
    given = measures(found)
    assert sum(name.startswith("question:") for name in given) == 40
    assert max(len(each.get("questions", ())) for each in given.values()) == 40
    assert FindingsJob(lambda _findings: None).size(measure_lines(found)).prompt_bytes < 60_000


def test_nothing_to_write_about_is_no_measure_without_a_number() -> None:
    given = measures(aggregate([], ComparisonTerms()))
    assert all(each["numbers"] for each in given.values())
    assert {"better", "worse"} & {kind for each in given.values() for kind in each["kinds"]} == set()
