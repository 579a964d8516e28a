"""The examples are what they say: the menu's gaps are really gaps, and the recorded policy run has its numbers."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from raggate_action.core.gates.diagnosis import Diagnosis, Rulebook
from raggate_action.core.text.quotation import chunk_text, find_quotation
from raggate_action.core.text.text import Text
from raggate_action.schema.case import Case
from raggate_action.schema.trace import Trace
from tests.builders import ALL_STAGES, judge, make_rules
from tests.example_files import (
    DEPLOY_POLICY,
    MENU,
    read_cases,
    read_chunks,
    read_store,
    read_suite,
    read_traces,
    text_of,
)

CHUNKS = read_chunks(MENU)
TEXTS = {chunk.chunk_id: text_of(MENU, chunk) for chunk in CHUNKS}
WHOLE_MENU = MENU.joinpath("menu.jsonl").read_text()
APP_FILES = sorted(MENU.glob("*.py"))
BOTH = pytest.mark.parametrize("folder", [MENU, DEPLOY_POLICY], ids=lambda folder: folder.name)

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


def rules_of(folder: Path) -> Rulebook:
    suite = read_suite(folder)
    assert suite.pipeline is not None
    return make_rules(
        read_store(folder),
        pipeline=suite.pipeline.model_dump(mode="json"),
        gates=suite.gates.model_dump(mode="json", exclude_none=True),
    )


def failed_gates(diagnosis: Diagnosis) -> set[str]:
    return {gate for gate, outcome in diagnosis.outcomes.items() if outcome.kind == "failed"}


@BOTH
def test_ids_are_unique_and_required_sources_exist(folder: Path) -> None:
    case_ids = Counter(case.case_id for case in read_cases(folder))
    chunk_ids = Counter(chunk.chunk_id for chunk in read_chunks(folder))
    assert {*case_ids.values(), *chunk_ids.values()} == {1}
    required = {source for case in read_cases(folder) for source in case.required_source_ids}
    assert required
    assert required <= chunk_ids.keys()


@BOTH
def test_known_bad_cases_are_blocked_where_they_say(folder: Path) -> None:
    rules = rules_of(folder)
    named, found = {}, {}
    for case in read_cases(folder):
        if case.known_bad:
            assert case.trace is not None
            named[case.case_id] = case.blocked_at
            found[case.case_id] = judge(case, case.trace, rules).first_failed_stage
    assert found == named


@BOTH
def test_a_good_answer_has_to_be_released_too(folder: Path) -> None:
    assert any(case.released for case in read_cases(folder))


# The menu


def test_the_menu_has_49_entries() -> None:
    assert len(CHUNKS) == 49
    categories = Counter(chunk.free_fields["category"] for chunk in CHUNKS)
    assert categories == {
        "starters": 9, "mains": 9, "grill": 6, "sides": 5, "desserts": 7, "wines": 7, "house": 6,
    }  # fmt: skip


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.chunk_id)
def test_every_sentence_can_be_quoted_alone(chunk: object) -> None:
    chunk_id = chunk.chunk_id  # type: ignore[attr-defined]
    name, *said = TEXTS[chunk_id].splitlines()
    for line in said:
        text = chunk_text(line, "en")
        for sentence in text.sentences:
            words = line[sentence.start : sentence.end]
            assert find_quotation(Text(words), text, after=None), f"leans on another sentence, or is cut: {words}"
            assert chunk_id.startswith("house-") or name.lower() in words.lower(), f"does not name its dish: {words}"


def test_prices_in_words_are_the_prices_in_numbers() -> None:
    for chunk in CHUNKS:
        said = [float(price) for price in re.findall(r"costs ([\d.]+) euros", TEXTS[chunk.chunk_id])]
        price = chunk.free_fields.get("price_eur")
        assert said == ([] if price is None else [price]), chunk.chunk_id


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


def test_one_note_on_shared_equipment_about_one_station() -> None:
    noted = [chunk_id for chunk_id, text in TEXTS.items() if re.search(r"\bshar(?:e|ed|ing)\b|crumbs|cross", text)]
    assert noted == ["house-fryer"]
    assert not re.search("grill|oven|charcoal", TEXTS["house-fryer"])


def test_some_dishes_have_a_wine_and_neither_lamb_dish_has() -> None:
    wines = {chunk.free_fields["name"] for chunk in CHUNKS if chunk.free_fields["category"] == "wines"}
    paired = {chunk.chunk_id: chunk.free_fields["pairing"] for chunk in CHUNKS if "pairing" in chunk.free_fields}
    assert len(paired) == 6
    assert all(sum(wine in pairing for wine in wines) == 1 for pairing in paired.values())
    lamb = {chunk_id for chunk_id, text in TEXTS.items() if "lamb" in text.lower()}
    assert lamb == {"main-lamb-shank", "grill-lamb-kofta"}
    assert not any(re.search(rf"wine|{'|'.join(wines)}", TEXTS[chunk_id]) for chunk_id in lamb)


def test_one_name_promises_what_is_not_there_and_one_hides_what_is() -> None:
    assert "no fish goes into the pan" in TEXTS["side-fishermans-potatoes"]
    assert "minced veal" in TEXTS["main-gardeners-peppers"]


def test_exactly_two_entries_are_in_conflict() -> None:
    closing = {
        chunk_id: times
        for chunk_id, text in TEXTS.items()
        if (times := re.findall(r"kitchen closes at (\S+) on Fridays", text))
    }
    assert closing == {"house-hours": ["22:30"], "house-late-supper": ["23:15"]}


def test_every_failure_mode_is_asked_once() -> None:
    tempting = [case for case in read_cases(MENU) if set(case.tags) & FAILURE_MODES.keys()]
    assert len(tempting) == 10
    modes = {mode: case.expect for case in tempting for mode in case.tags if mode in FAILURE_MODES}
    assert modes == FAILURE_MODES
    assert not any(case.known_bad for case in tempting)


def test_allergen_questions_are_protected_whatever_their_number() -> None:
    protected = read_suite(MENU).slices.protected
    asked = {case.tags[0] for case in read_cases(MENU) if case.category in protected["category"] and case.tags}
    assert asked == {"high-stakes-allergen", "compound-dietary", "undisclosed-allergen"}


def sayings() -> set[str]:
    """What must not be built into the app: what the suite asks, its ids, what its answers and the menu say."""
    cases = read_cases(MENU)
    answers = [sentence for case in cases if case.trace for sentence in case.trace.reply.text.split(". ")]
    titles = [chunk.free_fields["name"] for chunk in CHUNKS]
    lines = [line for text in TEXTS.values() for line in text.splitlines()[1:]]
    return {*(case.case_id for case in cases), *(chunk.chunk_id for chunk in CHUNKS), *answers, *titles, *lines}


@pytest.mark.parametrize("path", APP_FILES, ids=lambda path: path.name)
def test_the_app_knows_nothing_of_its_suite(path: Path) -> None:
    code = " ".join(path.read_text().lower().split())
    assert not [saying for saying in sayings() if saying.lower() in code]
    words = " ".join(re.findall(r"\w+", code))
    for case in read_cases(MENU):
        asked = re.findall(r"\w+", case.asked.lower())
        runs = [" ".join(asked[i : i + 4]) for i in range(len(asked) - 3)]
        assert not [run for run in runs if run in words], case.case_id


# The deploy policy


def evaluate_diagnosis() -> tuple[tuple[Case, Diagnosis], ...]:
    rules, traces = rules_of(DEPLOY_POLICY), read_traces(DEPLOY_POLICY)
    ordinary = [case for case in read_cases(DEPLOY_POLICY) if not case.known_bad]
    assert traces.keys() == {case.case_id for case in ordinary}
    return tuple((case, judge(case, traces[case.case_id], rules)) for case in ordinary)


def test_everything_asked_is_measured() -> None:
    assert not [
        case.case_id for case, d in evaluate_diagnosis() if any(o.kind == "unmeasured" for o in d.outcomes.values())
    ]


def test_five_outcomes_60_percent_overall_and_one_workflow_at_nothing() -> None:
    passed: dict[str | None, list[bool]] = {}
    for case, diagnosis in evaluate_diagnosis():
        passed.setdefault(case.workflow, []).append(diagnosis.first_failed_stage is None)
    everything = [hit for hits in passed.values() for hit in hits]
    assert (sum(everything), len(everything)) == (3, 5)
    assert {workflow: Fraction(sum(hits), len(hits)) for workflow, hits in passed.items()} == {
        "release-freeze": Fraction(1, 2),
        "incident-hotfix": Fraction(1),
        "schema-migration": Fraction(0),
    }


def test_what_fails_fails_at_a_missing_point_alone() -> None:
    failing = {
        case.case_id: diagnosis for case, diagnosis in evaluate_diagnosis() if diagnosis.first_failed_stage is not None
    }
    assert failing.keys() == {"docs-freeze-deploy-001", "migration-freeze-001"}
    for diagnosis in failing.values():
        assert diagnosis.first_failed_stage == "answer completeness"
        assert failed_gates(diagnosis) == {"point_coverage"}
        assert not diagnosis.hallucinations


def test_the_run_is_judged_by_its_slices() -> None:
    suite = read_suite(DEPLOY_POLICY)
    assert suite.service_version == "policy-answerer-v4-eval"
    assert suite.pipeline is not None
    assert suite.pipeline.stages == ALL_STAGES
    assert suite.pipeline.versions == ("retriever", "index", "sparse", "dense", "fusion", "reranker")
    assert (suite.slices.by, suite.slices.min_cases, str(suite.slices.min)) == (("workflow",), 1, "0.95")
    assert str(suite.gates.point_coverage.min) == "0.6"


def test_known_bad_answers_of_the_article_and_seven_broken_evidence_paths() -> None:
    bad = Counter(case.blocked_at for case in read_cases(DEPLOY_POLICY) if case.known_bad)
    assert bad == {
        "answer faithfulness": 1,
        "citation support": 1,
        "answer completeness": 1,
        "context selection": 1,
        "admissibility": 7,
    }


DEFECTS = {
    "bad-restricted-context": {"restricted-chunk"},
    "bad-restricted-candidate": {"restricted-chunk"},
    "bad-unknown-candidate": {"unknown-chunk"},
    "bad-stale-version": {"version-differs"},
    "bad-missing-version-key": {"version-missing"},
    "bad-wrong-case": {"wrong-case"},
    "bad-duplicate-candidate": {"duplicate-chunk"},
}


@pytest.mark.parametrize(("case_id", "codes"), DEFECTS.items(), ids=DEFECTS)
def test_each_broken_path_has_its_one_defect(case_id: str, codes: set[str]) -> None:
    case = next(case for case in read_cases(DEPLOY_POLICY) if case.case_id == case_id)
    assert isinstance(case.trace, Trace)
    outcome = judge(case, case.trace, rules_of(DEPLOY_POLICY)).outcomes["admissibility"]
    assert outcome.kind == "failed"
    assert {problem.code for problem in outcome.problems} == codes


def test_the_restricted_note_is_repeated_nowhere() -> None:
    note = next(chunk for chunk in read_chunks(DEPLOY_POLICY) if not chunk.permitted)
    assert note.text is not None
    others = [path.read_text() for path in DEPLOY_POLICY.iterdir() if path.name != "evidence.jsonl"]
    assert not any(note.text in text for text in others)
