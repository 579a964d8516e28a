"""The examples are what they say: the menu's gaps are really gaps, labels are right, neither app nor judges know the suite."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from raggate_action.schema.calibration import LabelledAnswer
from raggate_action.suite_files.calibration_file import read_labels
from tests.example_files import EXAMPLES, MENU, read_cases, read_chunks, read_suite, text_of

JUDGES = EXAMPLES / "judges"
CHUNKS = read_chunks(MENU)
TEXTS = {chunk.chunk_id: text_of(MENU, chunk) for chunk in CHUNKS}
WHOLE_MENU = MENU.joinpath("menu.jsonl").read_text()
LABELS = [answer for answer in read_labels(JUDGES / "labels.yaml") if isinstance(answer, LabelledAnswer)]
QUESTIONS = {case["question"] for case in yaml.safe_load((JUDGES / "questions.yaml").read_text())}

# Tag -> whether the menu can answer: nine ways of going wrong, and nutrition, which is out of scope.
FAILURE_MODES = {
    "missing-field": "abstain",
    "conflict": "answer",
    "high-stakes-allergen": "abstain",
    "out-of-scope-temporal": "abstain",
    "name-against-ingredient": "answer",
    "compound-dietary": "abstain",
    "undisclosed-allergen": "abstain",
    "certification": "abstain",
    "subjective-fabrication": "abstain",
    "nutrition-out-of-scope": "abstain",
}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(r"vegan|vegetarian|gluten|dairy|lactose|diet", id="dietary tags"),
        pytest.param(r"calori|kcal|protein|carb|nutri|healthy|grams?\b", id="nutrition"),
        pytest.param(r"signature|speciali?ty|famous|favou?rite|best|popular|recommend", id="a signature dish"),
        pytest.param(r"\beggs?\b|yolk|meringue", id="eggs"),
        pytest.param(r"\b\w*nuts?\b|almond|pistachio|marzipan|praline", id="nuts"),
        pytest.param(r"allerg|intoleran|trace|\bsafe\b|sesame|contain|suitable", id="allergens"),
        pytest.param(r"halal|kosher|organic|certif", id="certificates"),
        pytest.param(r"chef|tonight|today|holiday|christmas|easter|new year", id="staff and holidays"),
        pytest.param(r"-free\b|\bfree (?:of|from)\b", id="absence of anything"),
    ],
)
def test_the_menu_says_nothing_about(words: str) -> None:
    assert not re.findall(words, WHOLE_MENU, re.IGNORECASE)


def test_some_dishes_have_a_wine_and_neither_lamb_dish_has() -> None:
    wines = {chunk.free_fields["name"] for chunk in CHUNKS if chunk.free_fields["category"] == "wines"}
    assert any("pairing" in chunk.free_fields for chunk in CHUNKS)
    lamb = {chunk_id for chunk_id, text in TEXTS.items() if "lamb" in text.lower()}
    assert lamb == {"main-lamb-shank", "grill-lamb-kofta"}
    assert not any(re.search(rf"wine|{'|'.join(wines)}", TEXTS[chunk_id]) for chunk_id in lamb)


def test_every_failure_mode_is_asked_once_and_allergens_are_protected() -> None:
    tempting = [case for case in read_cases(MENU) if set(case.tags) & FAILURE_MODES.keys()]
    assert len(tempting) == 10
    assert {mode: case.expect for case in tempting for mode in case.tags if mode in FAILURE_MODES} == FAILURE_MODES
    protected = read_suite(MENU).slices.protected
    asked = {case.tags[0] for case in read_cases(MENU) if case.category in protected["category"] and case.tags}
    assert asked == {"high-stakes-allergen", "compound-dietary", "undisclosed-allergen"}


def sayings() -> set[str]:
    """What must not be built in: what the suite asks, its ids, what its answers and the menu say."""
    cases = read_cases(MENU)
    answers = [sentence for case in cases if case.trace for sentence in case.trace.reply.text.split(". ")]
    titles = [str(chunk.free_fields["name"]) for chunk in CHUNKS]
    lines = [line for text in TEXTS.values() for line in text.splitlines()[1:]]
    ids = [*(case.case_id for case in cases), *(chunk.chunk_id for chunk in CHUNKS)]
    return {*ids, *answers, *titles, *lines, *QUESTIONS}


@pytest.mark.parametrize("path", sorted([*MENU.glob("*.py"), *JUDGES.glob("*.py")]), ids=lambda path: path.name)
def test_neither_app_nor_judges_know_anything_of_the_suite(path: Path) -> None:
    code = " ".join(path.read_text().lower().split())
    assert not [saying for saying in sayings() if saying.lower() in code]
    words = " ".join(re.findall(r"\w+", code))
    for case in read_cases(MENU):
        asked = re.findall(r"\w+", case.asked.lower())
        runs = [" ".join(asked[i : i + 4]) for i in range(len(asked) - 3)]
        assert not [run for run in runs if run in words], case.case_id


def test_the_labels_are_right_by_the_menu() -> None:
    """What is called supported has all of its words in one chunk of the menu, what is not has not."""

    def words(text: str) -> set[str]:
        return set(re.findall(r"[\w.]*\w", text.casefold()))

    for answer in LABELS:
        assert all(TEXTS[chunk.chunk_id] == chunk.text for chunk in answer.chunks)
        for claim in answer.claims:
            stated = any(words(claim.text) <= words(chunk.text) for chunk in answer.chunks)
            assert stated == (claim.verdict == "supported"), claim.text


def test_no_question_is_labelled_and_asked() -> None:
    labelled = {answer.question for answer in LABELS}
    suite = {case.question for case in read_cases(MENU)}
    assert not labelled & QUESTIONS
    assert not suite & {*labelled, *QUESTIONS}


@pytest.mark.parametrize("name", ["raggate.yaml", "panel.yaml"])
def test_the_suites_of_the_judges_are_the_menus_but_for_cases_and_judges(name: str) -> None:
    ours, menu = (yaml.safe_load((folder / name).read_text()) for folder in (JUDGES, MENU))
    assert ours["pipeline"] == menu["pipeline"]
    assert ours["evidence"]["text"] == menu["evidence"]["text"]
