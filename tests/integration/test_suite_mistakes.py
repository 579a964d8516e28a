"""A suite of many files with ten mistakes tells all ten at once; whatever is written, nothing but that comes out."""

from __future__ import annotations

import json
import tracemalloc
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from raggate_action.errors import ExitCode, SuiteError
from raggate_action.suite_files import Cases, load_suite

TEN_MISTAKES = {
    "raggate.yaml": """\
suite: menu
evidence: [evidence/*.jsonl]
cases: [cases/*.yaml]
target:
  kind: http
  url: http://localhost:8080/answer
  headers: {Authorization: "Bearer ${MENU_TOKEN}"}
  response: {answer: "output.[text"}
  timeout_s: soon
  timout: 3
waivers:
  - {case: wine, gate: faithfulness, reason: known gap, owner: "@menu", expires: 2026-01-31}
""",
    "cases/allergens.yaml": """\
- case_id: nuts
  question: Which dishes are free of nuts?
  required_source_ids: [dish-7]
  expect: answer
  expect: abstain
""",
    "cases/drinks.yaml": """\
- case_id: wine
  question: Which wine goes with the sea bass?
- case_id: nuts
  question: Is there raki?
""",
    "cases/empty.yaml": "# nothing yet\n",
    "evidence/dishes.jsonl": '{"chunk_id": "dish-07", "text": "Sea bass with lemon."}\n',
}


def test_mistakes_in_several_files_are_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in TEN_MISTAKES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    # The byte of another encoding makes this file the evidence that cannot be read.
    (tmp_path / "evidence" / "sweets.jsonl").write_bytes(b'{"chunk_id": "sweet-1", "name": "Cr\xe8me"}\n')
    assert mistakes() == [
        "cases/allergens.yaml:5:3: key `expect` is written twice, first on line 4; keep one of them",
        "cases/drinks.yaml:3:12: case id `nuts` is already used at cases/allergens.yaml:1; give every case its own id",
        "cases/empty.yaml:1:1: there are no cases here; write at least one, or take the file out of the suite",
        "evidence/sweets.jsonl:1:36: the byte 0xe8 is not UTF-8; save the file as UTF-8",
        "raggate.yaml:9:14: `timeout_s` is 'soon'; write a number",
        "raggate.yaml:10:3: unknown key `timout`; did you mean `timeout_s`?",
    ]
    # What only a suite file in sound form can be held against comes once it is.
    suite = TEN_MISTAKES["raggate.yaml"].replace("soon", "30").replace("  timout: 3\n", "")
    (tmp_path / "raggate.yaml").write_text(suite)
    assert mistakes()[4:] == [
        (
            "raggate.yaml:7:28: `${MENU_TOKEN}` is not set in the environment; "
            "set MENU_TOKEN, or write `$${MENU_TOKEN}` for plain text"
        ),
        (
            "raggate.yaml:8:22: 'output.[text' is not a JMESPath expression: column 13: the expression ends too early; "
            "write a path such as output.text or docs[].id"
        ),
        (
            "raggate.yaml:11:82: the waiver for case `wine` expired on 2026-01-31; "
            "repair the case and take the waiver out, or renew it"
        ),
    ]


def test_a_suite_without_cases_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raggate.yaml").write_text("suite: menu\ncases: []\ntarget: {kind: recorded, traces: t.jsonl}\n")
    assert mistakes() == [
        "raggate.yaml:2:8: `cases` names no file, so the suite is empty; write `cases: [cases/*.yaml]`"
    ]


def mistakes() -> list[str]:
    with pytest.raises(SuiteError) as caught:
        load_suite(Path("raggate.yaml"), environment={}, today=date(2026, 6, 1))
    assert caught.value.exit_code == ExitCode.USAGE
    return str(caught.value).splitlines()


SOUND = {
    "suite.yaml": """\
suite: demo
evidence: {files: [evidence.yaml], text: [name, price]}
cases: [cases.yaml, cases.json, cases.jsonl]
citation_markers: ['\\[(?P<ids>x)\\]']
target: &t
  kind: http
  url: "${APP_URL}/answer"
  headers: {Authorization: "Bearer ${TOKEN}", Retries: 1}
  response: {answer: "output.text", context: "docs[].id"}
  request: {body: {q: "{{question}}"}}
slices: {by: [workflow, lang, tags], protected: {category: [x]}, min: 95%}
gates: {candidate_recall: {min: 0.95}}
waivers: [{case: q1, gate: faithfulness, reason: r, owner: o, expires: 2027-01-31}]
""",
    "cases.yaml": """\
- case_id: q1
  question: Is it?
  input: &i {lang: de, x: 1}
  category: x
  required_points: [1.10, {id: 3}]
- &a {case_id: q2, question: x, input: *i, tags: [1, true], <<: {weight: 2}}
""",
    "cases.json": '[{"case_id":"j1","question":"x","trace":{"answer":"a","versions":[["a","b"]]},'
    '"released":false,"blocked_at":"target"}]',
    "cases.jsonl": '{"case_id":"l1","question":"x"}\n{"case_id":"l2","question":"x","weight":3,"input":{"a":1}}\n',
    "evidence.yaml": "- {chunk_id: c1, text: x}\n- {chunk_id: c2, name: Kofta, price: 12.50, principals: [a]}\n",
}
FRAGMENTS = [
    *"{}[]:,-&*!|>'\"%@`#?\n\t \\$", "<<: ", "- ", "? ", "&a ", "*a ", "*t", "!!str ", "!!python/object:x ", "---\n", "null",
    "1e999", ".inf", "9" * 400, "[" * 200, "${", "\u2028", "\x85", "\ufeff", "\x00", "NaN", "\\ud800", '"case_id":"q1",',
]  # fmt: skip
EDIT = st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(FRAGMENTS) | st.text(max_size=6))


def attempt(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", errors="replace", newline="")
    environment = {"APP_URL": "http://app.test", "TOKEN": "hush-hush"}
    try:
        loaded = load_suite(
            folder / "suite.yaml", environment=environment, today=date(2026, 6, 1), on_this_machine=True
        )
    except SuiteError as error:
        told = str(error)
    else:
        assert_agree(loaded.cases)
        return
    assert told
    assert all(line.startswith(folder.as_posix()) for line in told.splitlines())
    assert "hush-hush" not in told


def assert_agree(cases: Cases) -> None:
    placed = list(cases)
    assert [each.position for each in placed] == list(range(len(cases)))
    assert len({each.case.case_id for each in placed}) == len(cases) == len(placed)
    assert all(cases.has(each.case.case_id) for each in placed)


def test_the_sound_files_are_sound(tmp_path: Path) -> None:
    for name, text in SOUND.items():
        (tmp_path / name).write_text(text, newline="")
    loaded = load_suite(
        tmp_path / "suite.yaml", environment={"APP_URL": "http://u", "TOKEN": "t"}, today=date(2026, 6, 1)
    )
    assert [placed.case.case_id for placed in loaded.cases] == ["l2", "q2", "q1", "j1", "l1"]


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(SOUND)), edits=st.lists(EDIT, max_size=4))
def test_any_edit_of_sound_files_loads_or_says_what_is_wrong(
    tmp_path: Path, name: str, edits: list[tuple[float, int, str]]
) -> None:
    text = SOUND[name]
    for where, cut, new in edits:
        start = int(where * len(text))
        text = text[:start] + new + text[start + cut :]
    attempt(tmp_path, {**SOUND, name: text})


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text())
def test_any_text_loads_or_says_what_is_wrong(tmp_path: Path, text: str) -> None:
    attempt(tmp_path, {"suite.yaml": text})


KEYS = [
    "suite", "cases", "target", "kind", "url", "headers", "evidence", "files", "text", "waivers", "case", "gate",
    "expires", "slices", "by", "protected", "gates", "response", "answer", "citation_markers", "scopes", "<<", "http",
]  # fmt: skip
DOCUMENT = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=DOCUMENT)
def test_any_document_loads_or_says_what_is_wrong(tmp_path: Path, document: object) -> None:
    attempt(tmp_path, {"suite.yaml": json.dumps(document)})


def test_100_000_cases_fit_into_500_mib(tmp_path: Path) -> None:
    cases = 10_000
    (tmp_path / "raggate.yaml").write_text(
        "suite: s\ncases: [cases.jsonl]\ntarget: {kind: recorded, traces: t.jsonl}\n"
    )
    with (tmp_path / "cases.jsonl").open("w") as stream:
        for number in range(cases):
            case = {
                "case_id": f"freeze-{number:06}",
                "question": "May the payments team deploy during the release freeze?",
                "tags": ["smoke"],
                "required_points": ["approval", "rollback-plan"],
                "weight": 1 + number % 3,
            }
            stream.write(json.dumps(case) + "\n")
    tracemalloc.start()
    try:
        # The JSON parser keeps a cache of short strings, of one size whatever it reads: fill it first.
        load_suite(tmp_path / "raggate.yaml", environment={})
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        loaded = load_suite(tmp_path / "raggate.yaml", environment={})
        after, peak = tracemalloc.get_traced_memory()
        # 60 MiB are the program and its libraries; a tenth of the cases measures what each of them takes.
        assert (peak - before) / cases * 100_000 < (500 - 60) * 2**20
        tracemalloc.reset_peak()
        assert sum(1 for _ in loaded.cases) == cases
        assert (tracemalloc.get_traced_memory()[1] - after) / cases < 10
    finally:
        tracemalloc.stop()
    weights = [placed.case.weight for placed in loaded.cases]
    assert weights == sorted(weights, reverse=True)
