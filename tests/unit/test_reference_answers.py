"""What a reference answer gives and an answer lacks: values and names, told as advice; other words are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from raggate_action.cli.explain_command import printed
from raggate_action.core.claims.reference_answer import lacking_values
from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.report.page_cases import case_parts
from raggate_action.run.case_list import CaseList
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.policy import Gates
from raggate_action.schema.trace import Answered
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace
from tests.weaker_suites import project, run

LONG = (
    "Within 30 days. The rule was brought in by Jane Doe in 2019, after 400 complaints had reached the office in Vienna, "
    "and it was last looked at by the Court of Appeal, which saw no reason to change it."
)
# Reference, answer, question: the answer is right, in its own way.
HONEST = {
    "a thousand with a comma": ("It costs 1,000 EUR.", "It costs 1000 EUR.", ""),
    "a thousand in words": ("It costs 1000 EUR.", "It costs one thousand euros.", ""),
    "a thousand in words in the reference": ("It costs one thousand euros.", "It costs 1,000 EUR.", ""),
    "a million as a decimal": ("The fund holds 1,500,000 EUR.", "The fund holds 1.5 million EUR.", ""),
    "percent as a sign": ("You get 30 % back.", "You get 30 percent back.", ""),
    "percent as a part": ("You get 50 % back.", "You get half of it back.", ""),
    "money with its sign": ("The fee is 20 EUR.", "The fee is €20.", ""),
    "a date as numbers": ("The deadline is 1 May 2026.", "The deadline is 2026-05-01.", ""),
    "a date without its year": ("The deadline is 2026-05-01.", "The deadline is 1 May.", ""),
    "a date the other way round": ("It starts on May 1.", "It starts on 1 May 2026.", ""),
    "a time of the afternoon": ("It closes at 3 pm.", "It closes at 15:00.", ""),
    "a name with a title": ("It was designed by Dr. Alan Turing.", "Turing designed it.", ""),
    "a name without its title": ("It was signed by Turing.", "Professor Alan Turing signed it.", ""),
    "a name as initials": ("Ask the National Institutes of Health.", "Ask the NIH.", ""),
    "a name in small letters": ("It runs on PostgreSQL.", "it runs on postgresql.", ""),
    "weekdays cut short": ("We are open from Monday to Friday.", "Open Mon to Fri.", ""),
    "a reference longer than the answer": (LONG, "Within 30 days.", ""),
    "grams for kilograms": ("It weighs 2 kg.", "It weighs 2000 g.", ""),
    "hours for minutes": ("It takes 90 minutes.", "It takes 1.5 hours.", ""),
    "a rounded number": ("It had 18,240 visitors.", "It had about 18,000 visitors.", ""),
    "a number of the question": ("3 tickets cost 24 EUR.", "24 EUR.", "What do 3 tickets cost?"),
    "a name of the question": ("The CEO of Acme Widgets is Jo Li.", "Jo Li.", "Who leads Acme Widgets?"),
    "steps with their numbers": ("1. Open the box.\n2. Press the key for 5 seconds.", "Open it, press 5 s.", ""),
    "citation marks": ("It ends after 7 days [3].", "It ends after 7 days [policy].", ""),
    "a year by itself": ("It was founded in 1998.", "Founded 1998.", ""),
}
# Reference, answer, what it lacks.
FAULTS = {
    "another number": ("It ends after 30 days.", "It ends after 14 days.", ["30 days"]),
    "no number": ("It ends after 30 days.", "It ends after a while.", ["30 days"]),
    "another amount": ("The fee is 20 EUR.", "The fee is 25 EUR.", ["20 EUR"]),
    "another share": ("You get 30 % back.", "You get 40 % back.", ["30 %"]),
    "another day": ("The deadline is 1 May.", "The deadline is 2 May.", ["1 May"]),
    "another month": ("The deadline is 1 May.", "The deadline is 1 June.", ["1 May"]),
    "another year of a date": ("It ends on 2026-05-01.", "It ends on 1 May 2025.", ["2026-05-01"]),
    "another time": ("It closes at 15:00.", "It closes at 16:00.", ["15:00"]),
    "another weight in another unit": ("It weighs 2 kg.", "It weighs 3000 g.", ["2 kg"]),
    "another name": ("It was designed by Alan Turing.", "It was designed by Alonzo Church.", ["Alan Turing"]),
    "a reference that is a name": ("Alan Turing", "It was Alonzo Church.", ["Alan Turing"]),
    "one of two names": ("It runs in Berlin and in Paris.", "It runs in Berlin.", ["Paris"]),
    "one of two values": ("It is 20 EUR for 30 days.", "It is 20 EUR.", ["30 days"]),
    "a number ten times as large": ("It had 1,800 visitors.", "It had 18,000 visitors.", ["1,800"]),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_answer_in_other_words_lacks_nothing(name: str) -> None:
    reference, answer, question = HONEST[name]
    assert [each.detail for each in lacking_values(reference, answer, question=question, language="en")] == []


@pytest.mark.parametrize("name", FAULTS)
def test_what_an_answer_lacks_is_named_as_the_reference_writes_it(name: str) -> None:
    reference, answer, lacking = FAULTS[name]
    assert [each.detail for each in lacking_values(reference, answer, question="", language="en")] == lacking


def row_of(answer: object, reference: str | None = "It ends after 30 days.", **case: object) -> CaseRun:
    asked = make_case(reference_answer=reference, **case)
    trace = make_trace(answer=answer, context=["c1"])
    store = make_store(
        make_chunk("c1", "It ends soon."),
        make_chunk("s", "The secret is 30 days long for ZX-4471-QQ.", permitted=False),
    )
    rules = make_rules(store)._replace(texts="ids" if case.get("category") == "ids" else "quotes")
    placed = PlacedCase(asked, 0, "d", "f", 1)
    return evaluate_reply(placed, Answered(trace), rules, custom=None, finished_at="").row


def test_a_row_holds_what_its_answer_lacks_and_nothing_else_changes() -> None:
    row, without = row_of("It ends soon."), row_of("It ends soon.", None)
    assert [(each.code, each.detail) for each in row.lacks] == [("unit", "30 days")]
    assert without.lacks == ()
    assert row.model_copy(update={"lacks": (), "digest": ""}) == without.model_copy(update={"digest": ""})
    assert row.state == "passed"


@pytest.mark.parametrize(
    "row",
    [
        row_of("I do not know."),
        row_of("I do not know.", expect="abstain"),
        row_of(""),
        row_of("It ends after 30 days."),
        row_of("It ends after ZX-4471-QQ."),
    ],
    ids=["declined", "declined as expected", "empty", "given", "inadmissible"],
)
def test_what_is_told_otherwise_is_not_told_again(row: CaseRun) -> None:
    assert row.lacks == ()


def test_no_word_of_it_is_kept_that_may_not_be() -> None:
    assert [(each.code, each.detail) for each in row_of("It ends soon.", category="ids").lacks] == [("unit", "")]
    secret = row_of("It ends soon.", "Ask for Alan ZX-4471-QQ at 9:30.")
    assert "ZX-4471-QQ" not in secret.model_dump_json()


def test_explain_alone_shows_it_and_nothing_blocks(tmp_path: Path) -> None:
    plain = project(10)
    reference = {"reference_answer": "It can be returned within 99 days, says Jane <b>Roe</b>."}
    noted = plain.but(cases={"q3": {**plain.cases["q3"], **reference}})
    done, without = run(tmp_path / "noted", noted), run(tmp_path / "plain", plain)
    comment, summary = done.texts["comment.md"], done.texts["summary.md"]
    assert "99 days" not in comment + summary
    assert "reference answer" not in (comment + summary).lower()
    assert done.reporting.run.decision == without.reporting.run.decision
    assert done.reporting.run.counts == without.reporting.run.counts
    assert "reference" not in without.texts["comment.md"] + without.texts["summary.md"]
    rows = (tmp_path / "noted/run/cases.jsonl").read_text().splitlines()
    [row] = [found for line in rows if (found := CaseRun.model_validate_json(line)).lacks]
    case = CaseList(done.reporting.run, None).add(row, lambda: row)
    said = list(printed(case_parts(case, row, Gates())))
    assert "In the reference answer and not in this one: 99 days (unit)" in said
