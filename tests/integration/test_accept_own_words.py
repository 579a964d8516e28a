"""`accept` for apps that answer in their own words: values that every answer shares with the evidence, and no others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from raggate_action.cli.main import main
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.suite_files import load_suite
from tests.integration.test_accept import Said, lines

# Question, the sentence of the evidence, a right answer in other words.
SHOP = [
    ("What does a headset cost?", "Headsets are sold at 12,00 EUR apiece.", "You pay twelve euros for a headset."),
    ("When is my money back?", "Refunds reach customers 14 days after a return.", "Expect your refund in two weeks."),
    ("How heavy may parcels be?", "The weight limit of a parcel is 20 kg.", "A parcel can weigh up to 20 kg."),
    (
        "What is the member discount?",
        "Members get a discount of 15 %.",
        "As a member you save 15% through the discount.",
    ),
    ("When does the shop open?", "The shop opens at 09:30 on weekdays.", "You can walk into the shop from 9:30."),
    (
        "Until when can I order?",
        "Orders for Christmas close on 18 December 2026.",
        "Christmas orders end 18 December 2026.",
    ),
    (
        "How long is the warranty?",
        "Every kettle has a warranty of 36 months.",
        "Kettles are covered by warranty for 36 months.",
    ),
    ("What does express cost?", "Express delivery is charged at $9.50.", "For express you are billed $9.50."),
    ("Where do I complain?", "Complaints go to care@shop.example.", "Please mail complaints to care@shop.example."),
    ("How long is the cable?", "The cable of the lamp measures 2 m.", "It comes with a cable that is 2 m long."),
    ("How many people fit the tent?", "The tent sleeps 4 people.", "There is room in the tent for 4 people."),
]
CLINIC = [
    (
        "How long do I fast?",
        "Patients fast for 8 hours before blood tests.",
        "Fasting takes eight hours before blood is taken.",
    ),
    ("What is the fee?", "The fee for a missed appointment is 40 EUR.", "Missing an appointment sets you back €40."),
    ("When is the ward open?", "Visitors enter the ward from 14:00.", "The ward lets visitors in at 14:00."),
    (
        "How much paracetamol?",
        "Adults take 500 mg of paracetamol per dose.",
        "A dose of paracetamol for adults is 500 mg.",
    ),
    ("How long is the stay?", "After surgery patients stay 3 nights.", "You would stay three nights after surgery."),
    ("How long is a prescription valid?", "Prescriptions lapse after 28 days.", "A prescription runs out in 28 days."),
    ("How warm may vaccines be?", "Vaccines are stored below 8 °C.", "Keep vaccines stored under 8 °C."),
    ("How many beds?", "The clinic has 120 beds.", "All in all there are 120 beds at the clinic."),
    ("Who is called at night?", "The night line is +49 30 1234567.", "At night, use the line +49 30 1234567."),
    (
        "What share is paid?",
        "Insurance covers 80 percent of glasses.",
        "80 percent of your glasses is on the insurance.",
    ),
    (
        "When did it open?",
        "The children's wing opened in May 2019.",
        "The wing for children opened its doors in May 2019.",
    ),
]
GERMAN = [
    ("Was kostet das Headset?", "Ein Headset kostet 12,00 Euro.", "Für das Headset zahlen Sie zwölf Euro."),
    ("Wie lange dauert die Erstattung?", "Die Erstattung dauert 14 Tage.", "Die Erstattung ist nach 14 Tagen da."),
]  # fmt: skip


def project(folder: Path, told: list[tuple[str, str, str]], *, stored: bool = True, **suite: Any) -> None:
    target = {"kind": "recorded", "traces": "traces.jsonl"}
    evidence = {"evidence": ["evidence.jsonl"]} if stored else {}
    (folder / "raggate.yaml").write_text(
        json.dumps({"suite": "s", "cases": ["cases.yaml"], "target": target, "texts": "quotes", **evidence, **suite})
    )
    chunks = [{"chunk_id": f"chunk-{n}", "text": text} for n, (_, text, _) in enumerate(told)]
    (folder / "evidence.jsonl").write_text(lines(chunks))
    (folder / "cases.yaml").write_text(
        "# Ours.\n"
        + "".join(f"- case_id: q{n}  # {n}\n  question: {json.dumps(q)}\n" for n, (q, _, _) in enumerate(told))
    )
    answer(folder, told, stored=stored)


def answer(folder: Path, told: list[tuple[str, str, str]], *, stored: bool = True) -> None:
    traces = []
    for n, (_, _text, said) in enumerate(told):
        near = [(m, told[m][1]) for m in (n, (n + 1) % len(told))]
        shown = [
            f"chunk-{m}" if stored else {"chunk_id": f"chunk-{m}", "text": words} for m, words in dict(near).items()
        ]
        traces.append({"case_id": f"q{n}", "answer": said, "context": shown})
    (folder / "traces.jsonl").write_text(lines(traces))


def cases(folder: Path) -> dict[str, Case]:
    return {each.case.case_id: each.case for each in load_suite(folder / "raggate.yaml", environment={}).cases}


def rows(folder: Path) -> dict[str, CaseRun]:
    found = [
        CaseRun.model_validate_json(each) for each in (folder / "raggate-run/cases.jsonl").read_text().splitlines()
    ]
    return {row.case_id: row for row in found}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("told", "language", "stored"),
    [
        (SHOP, "en", True),
        (CLINIC, "en", True),
        (GERMAN, "de", True),
        # The run keeps no whole chunks, and which of them hold the values.
        (SHOP, "en", False),
        (CLINIC, "en", False),
        (GERMAN, "de", False),
    ],
    ids=["shop", "clinic", "german", "shop without evidence", "clinic without evidence", "german without evidence"],
)
def test_every_right_paraphrase_with_a_value_gets_its_label_and_passes_by_it(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    told: list[tuple[str, str, str]],
    language: str,
    stored: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    project(folder, told, stored=stored, language=language)
    main(["run"])
    if not stored:
        assert told[0][1] not in (folder / "raggate-run/traces.jsonl").read_text(), "no chunk is kept whole"
    said = Said(capsys, "--write")
    without = [case_id for case_id, case in cases(folder).items() if not case.points and not case.required_source_ids]
    assert without == [], said.notes
    if stored:
        assert [case_id for case_id, case in cases(folder).items() if not case.points] == []
    main(["run"])
    for row in rows(folder).values():
        assert row.state == "passed"
        assert row.outcomes["context_recall"].kind in {"passed", "not_applicable"}
        assert row.outcomes["point_coverage"].kind in {"passed", "not_applicable"}
    assert "nothing to accept" in Said(capsys).notes


def test_a_label_blocks_the_wrong_value_and_lets_another_spelling_pass(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(folder, SHOP)
    main(["run"])
    Said(capsys, "--write")
    assert main(["run"]) == 0
    answer(folder, [(SHOP[0][0], SHOP[0][1], "A headset is yours for 12 EUR."), *SHOP[1:]])
    assert main(["run"]) == 0, "another spelling of the same"
    answer(folder, [(SHOP[0][0], SHOP[0][1], "A headset is yours for 15 EUR."), *SHOP[1:]])
    assert main(["run"]) == 1
    assert rows(folder)["q0"].state == "failed"
    answer(folder, [(SHOP[0][0], SHOP[0][1], "A headset is yours for 112 EUR."), *SHOP[1:]])
    main(["run"])
    assert rows(folder)["q0"].state == "failed", "the value is no part of a longer number"


def test_incidental_values_values_of_the_question_and_of_other_things_are_no_points(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [
        ("Does case 4711 pay 12 EUR for a headset?", "Headsets cost 12 EUR. The warranty lasts 3 years.",
         "Yes, case 4711: a headset costs 12 EUR with 3 years of warranty (23 November 2026, took 340 ms)."),
        ("May I smoke?", "Smoking is banned. Fines of 50 EUR apply to bicycles.", "I cannot tell whether 50 EUR apply."),
    ]  # fmt: skip
    project(folder, told)
    main(["run"])
    Said(capsys, "--case", "q0", "--write")
    assert [point.id for point in cases(folder)["q0"].points] in ([], ["3-years"])


def test_of_ten_values_the_first_five_are_points_and_the_others_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prices = ", ".join(
        f"dish {name} {amount} EUR" for name, amount in zip("abcdefghij", range(11, 30, 2), strict=False)
    )
    project(folder, [("What is on the menu?", f"Menu: {prices}.", f"On the menu there are {prices}.")])
    main(["run"])
    said = Said(capsys, "--case", "q0", "--write")
    assert [point.id for point in cases(folder)["q0"].points] == [f"{n}-eur" for n in (11, 13, 15, 17, 19)]
    assert "values of q0 that are not proposed" in said.notes
    assert "21-eur, 23-eur, 25-eur, 27-eur, 29-eur" in said.notes


def test_restricted_texts_and_ids_alone_give_sources_without_words(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(folder, SHOP[:3], texts="ids")
    main(["run"])
    said = Said(capsys)
    assert "12" not in said.text
    assert "points" not in said.text
    assert "required_source_ids" in said.text


def test_who_names_a_case_is_told_what_is_missing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder, [("Is it dear?", "Prices vary by region.", "That depends on many things.")])
    main(["run"])
    said = Said(capsys, "--case", "q0")
    assert said.added == []
    assert "what to do: write what the answer must say as `must_contain`" in said.notes


def test_a_value_that_main_gave_in_one_answer_only_is_no_label(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "A headset costs 12 EUR. Its warranty lasts 3 years."
    question = "What does the headset cost?"
    project(folder, [(question, text, "A headset is €12.")])
    main(["run", "--out", "main-1"])
    answer(folder, [(question, text, "You pay twelve euros, with 3 years of warranty.")])
    main(["run", "--out", "main-2", "--baseline", "main-1"])
    answer(folder, [(question, text, "The headset is 12 EUR, warranty of 3 years.")])
    main(["run", "--out", "head", "--baseline", "main-2"])
    assert main(["accept", "head", "--from-main", "--write"]) == 0
    assert "not in every answer: 3 years" in capsys.readouterr().err
    [point] = cases(folder)["q0"].points
    assert point.value == "twelve euros"


def test_without_an_answer_of_main_the_way_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project(folder, SHOP[:2])
    main(["run", "--out", "main-1"])
    assert main(["accept", "main-1", "--from-main"]) == 0
    assert "required_points" in capsys.readouterr().out, "the run is main's own"


VARIED = """
from pathlib import Path

ASKED = Path(__file__).with_name("asked")
TEXT = "A headset costs 12 EUR. Its warranty lasts 3 years."
SAID = ["I do not know.", "You pay 12 euros for one, with 3 years of warranty."]

def ask(case):
    times = len(ASKED.read_text()) if ASKED.exists() else 0
    ASKED.write_text("x" * (times + 1))
    said = SAID[min(times, 1)]
    return {"answer": said, "context": [{"chunk_id": "prices", "text": TEXT}]}
"""


def test_labels_of_a_live_app_hold_for_every_answer_that_it_gave_to_the_case(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first answer declines, so nothing that only later answers give may be asked of it."""
    project(folder, [("What does the headset cost?", "", "")], stored=False)
    (folder / "varied_app.py").write_text(VARIED)
    suite = json.loads((folder / "raggate.yaml").read_text())
    suite |= {"confirm": 2, "target": {"kind": "function", "function": "varied_app:ask", "concurrency": 1}}
    (folder / "raggate.yaml").write_text(json.dumps(suite))
    main(["run"])
    row = rows(folder)["q0"]
    assert row.state == "flaky"
    assert "answered differently when asked again: q0" in Said(capsys).notes
    said = Said(capsys, "--case", "q0", "--write")
    case = cases(folder)["q0"]
    assert case.points == (), said.added
    assert case.required_source_ids or "what to do: " in said.notes


def test_a_decline_that_mentions_a_value_asks_for_no_value(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Headsets cost 12 EUR. Parking is not covered here."
    project(folder, [("What does parking cost?", text, "")])
    said = {"text": "Beside headsets at 12 EUR I find nothing on parking.", "abstained": True}
    (folder / "traces.jsonl").write_text(lines([{"case_id": "q0", "answer": said, "context": ["chunk-0"]}]))
    main(["run"])
    assert rows(folder)["q0"].abstained
    assert Said(capsys, "--case", "q0", "--write").added == ["q0:", "  expect: abstain"]


@pytest.mark.parametrize("expect", ["answer", "abstain"])
def test_what_a_case_expects_of_its_decline_is_not_overwritten(
    expect: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project(folder, [("What does parking cost?", "Headsets cost 12 EUR.", "")])
    (folder / "traces.jsonl").write_text(lines([{"case_id": "q0", "answer": "I do not know.", "context": ["chunk-0"]}]))
    file = folder / "cases.yaml"
    file.write_text(file.read_text() + f"  expect: {expect}\n")
    main(["run"])
    assert Said(capsys, "--case", "q0").added == []


@pytest.mark.parametrize("name", ["deploy_policy", "helpdesk"])
def test_an_example_of_the_checkout_passes_by_what_is_proposed(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    shutil.copytree(Path(__file__).parents[2] / "examples" / name, folder, dirs_exist_ok=True)
    # Its own labels are taken out first: what is proposed in their place is what is looked at.
    kept = {"case_id", "question", "messages", "principals", "as_of", "workflow"}
    bare = [case.model_dump(mode="json", include=kept, exclude_defaults=True) for case in cases(folder).values()
            if case.released is None]  # fmt: skip
    (folder / "cases.yaml").write_text(json.dumps(bare, indent=1))
    before = main(["run"])
    passed = {case_id for case_id, row in rows(folder).items() if row.state == "passed"}
    assert Said(capsys, "--write").added
    assert main(["run"]) == before
    assert {case_id for case_id, row in rows(folder).items() if row.state == "passed"} >= passed
    assert Said(capsys).added == []
