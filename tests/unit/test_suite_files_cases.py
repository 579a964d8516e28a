"""Case files: order, digests, reading again, and what is told of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.errors import SuiteError
from raggate_action.schema.case import Case, PlacedCase, case_digest
from raggate_action.suite_files import Cases, load_suite

SUITE = "suite: s\ncases: [{cases}]\ntarget: {{kind: recorded, traces: t.jsonl}}\n"


def load(folder: Path, cases: str = "'c*'", **files: str) -> Cases:
    folder.joinpath("raggate.yaml").write_text(SUITE.format(cases=cases))
    for name, text in files.items():
        folder.joinpath(name.replace("_", ".")).write_text(text)
    return load_suite(folder / "raggate.yaml", environment={}).cases


def mistakes(folder: Path, cases: str = "'c*'", **files: str) -> list[str]:
    with pytest.raises(SuiteError) as caught:
        load(folder, cases, **files)
    return [line.removeprefix(f"{folder.as_posix()}/") for line in str(caught.value).splitlines()]


def line(case_id: str, **fields: object) -> str:
    return json.dumps({"case_id": case_id, "question": "q", **fields}) + "\n"


def test_heavier_cases_come_first_then_the_order_of_files_and_in_files(tmp_path: Path) -> None:
    cases = load(
        tmp_path,
        "z.jsonl, 'c*.yaml', m.jsonl, j.json",
        z_jsonl=line("z1") + "\n" + line("z2", weight=3) + line("z3", weight=2),
        c2_yaml="cases:\n  - {case_id: y3, question: q}\n  - {case_id: y4, question: q, weight: 3}\n",
        c1_yaml="# cases\n- {case_id: y1, question: q, weight: 2}\n- case_id: y2\n  question: q\n",
        m_jsonl='\n{"case_id":"t1","question":"q"}\n',
        j_json='[\n{"case_id": "j1", "question": "q"}]',
    )
    placed = list(cases)
    assert [p.case.case_id for p in placed] == ["z2", "y4", "z3", "y1", "z1", "y2", "y3", "t1", "j1"]
    assert [p.position for p in placed] == list(range(9))
    assert [(Path(p.file).name, p.line) for p in placed] == [
        ("z.jsonl", 3), ("c2.yaml", 3), ("z.jsonl", 4), ("c1.yaml", 2), ("z.jsonl", 1),
        ("c1.yaml", 3), ("c2.yaml", 2), ("m.jsonl", 2), ("j.json", 2),
    ]  # fmt: skip
    assert [p.digest for p in placed] == [case_digest(p.case) for p in placed]
    assert [p.case.case_id for p in cases.at([7, 0, 4])] == ["t1", "z2", "z1"]
    with pytest.raises(IndexError):
        list(cases.at([9]))


def test_a_case_has_one_digest_in_every_format(tmp_path: Path) -> None:
    cases = load(
        tmp_path,
        ca_jsonl=line("a", tags=["x"], must_contain=["y"]),
        cb_yaml="- {case_id: b, question: q, must_contain: [y]}",
        cc_jsonl='{"case_id":"c","question":"q","must_contain":["y"],"weight":1}\n',
    )
    assert [p.case.model_copy(update={"case_id": "a", "tags": ("x",)}) for p in cases] == [
        p.case for p in cases.at([0, 0, 0])
    ]
    assert len({case_digest(p.case.model_copy(update={"case_id": "a"})) for p in cases}) == 1


def test_the_digest_of_all_cases_follows_content_and_order(tmp_path: Path) -> None:
    first = load(tmp_path, c_jsonl=line("a") + line("b")).cases_digest
    assert load(tmp_path, c_jsonl=line("a", tags=["t"]) + "\n" + line("b")).cases_digest == first
    assert load(tmp_path, c_jsonl=line("b") + line("a")).cases_digest != first
    assert load(tmp_path, c_jsonl=line("a") + line("b", name="n")).cases_digest != first
    assert load(tmp_path, c_jsonl=line("b") + line("a", weight=2)).cases_digest == first


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    (tmp_path / "c1.jsonl").write_bytes(b"\xef\xbb\xbf" + (line("a") + line("b")).replace("\n", "\r\n").encode())
    (tmp_path / "c2.yaml").write_bytes(b"\xef\xbb\xbf- {case_id: c, question: q}\r\n")
    cases = load(tmp_path)
    assert [p.case.case_id for p in cases] == ["a", "b", "c"]


def test_an_id_is_found_again_wherever_it_stands_in_its_line(tmp_path: Path) -> None:
    lines = '{"question": "q", "case_id": "x"}\n{ "case_id" : "a\\"b" , "question": "q"}\n{"case_id":"\\u00e9","question":"q"}\n'
    assert [placed.case.case_id for placed in load(tmp_path, c_jsonl=lines)] == ["x", 'a"b', "é"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param(line("a") + line("a"), "c.jsonl:2:13: case id `a` is already used at {folder}/c.jsonl:1; give every case its own id", id="an id twice"),
        pytest.param('{"case_id":"a","question":"q","question":"r"}', "c.jsonl:1:31: key `question` is written twice, first on line 1; keep one of them", id="a key twice"),
        pytest.param('{"case_id":"a","question":"q","input":{"k":1,"k":2}}', "c.jsonl:1:46: key `k` is written twice, first on line 1; keep one of them", id="a nested key twice"),
        pytest.param('\n{"case_id":"a","question":"q","version":1.10}', "c.jsonl:2:31: unknown key `version`; known here: ", id="an unknown key"),
        pytest.param('{"case_id":7,"question":"q"}', "c.jsonl:1:12: `case_id` is 7; write text in quotes", id="JSON says itself what is text"),
        pytest.param('{"case_id":"a","question":"q","input":NaN}', "c.jsonl:1:39: this is not JSON: expecting value", id="NaN is no JSON"),
        pytest.param('{"case_id":"a","question":"q"', "c.jsonl:1:30: this is not JSON: expecting ',' delimiter", id="half a line"),
        pytest.param(" \n", "c.jsonl:1:1: there are no cases here; write at least one, or take the file out of the suite", id="an empty file"),
        pytest.param(line("a", must_contain=["No Eggs"], must_not_contain=["eggs"]), "c.jsonl:1:85: `must_not_contain` forbids 'eggs', which `must_contain` demands; take one of them out", id="phrases that contradict"),
        pytest.param(line("a", expected_tools=["f"], forbidden_tools=["f"]), "c.jsonl:1:80: tool `f` is both expected and forbidden; take it out of one list", id="tools that contradict"),
    ],
)  # fmt: skip
def test_a_line_that_is_wrong_says_where_and_what_to_write(tmp_path: Path, text: str, problem: str) -> None:
    (told,) = mistakes(tmp_path, c_jsonl=text)
    assert told.startswith(problem.format(folder=tmp_path.as_posix()))


def test_words_that_only_look_like_mistakes_are_let_pass(tmp_path: Path) -> None:
    text = line("NaN", name="Infinity: a \"question\": 'q'", input={"case_id": "x", "question": "y"})
    assert len(load(tmp_path, c_jsonl=text)) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("", "c.yaml:1:1: there are no cases here; write at least one, or take the file out of the suite", id="an empty file"),
        pytest.param("[]", "c.yaml:1:1: there are no cases here; write at least one, or take the file out of the suite", id="an empty list"),
        pytest.param("cases:", "c.yaml:1:7: there are no cases here; write at least one, or take the file out of the suite", id="an empty key"),
        pytest.param("hello", "c.yaml:1:1: this is 'hello'; write a list of cases", id="text"),
        pytest.param("case: []", "c.yaml:1:1: unknown key `case`; did you mean `cases`?", id="another key"),
        pytest.param("{}", "c.yaml:1:1: `cases` is missing; write a list, or a mapping with the key `cases`", id="a mapping of nothing"),
    ],
)  # fmt: skip
def test_a_document_without_cases_says_so(tmp_path: Path, text: str, problem: str) -> None:
    assert mistakes(tmp_path, c_yaml=text) == [problem]


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("missing.yaml", "there is no file `missing.yaml`; write its path relative to this file's folder"),
        ("'m*.yaml'", "`m*.yaml` matches no file; correct the pattern, it is relative to this file's folder"),
        ("folder", "`folder` is a folder; write which files of it, as in `folder/*.yaml`"),
        (
            "c.txt",
            "`c.txt` is no kind of file read here; write one of .yaml, .yml, .json, .jsonl, .ndjson",
        ),
    ],
)
def test_a_pattern_that_names_nothing_readable_is_told_where_it_stands(
    tmp_path: Path, pattern: str, problem: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "c.txt").write_text("x")
    assert mistakes(tmp_path, pattern) == [f"raggate.yaml:2:9: {problem}"]


def test_a_file_named_twice_is_read_once_and_patterns_go_into_folders(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.jsonl").write_text(line("deep"))
    (tmp_path / "a" / "[x].jsonl").write_text(line("brackets"))
    cases = load(tmp_path, "'**/*.jsonl', a/b/c.jsonl, 'a/[x].jsonl'")
    assert [placed.case.case_id for placed in cases] == ["brackets", "deep"]


def test_cases_are_those_that_were_checked_whatever_becomes_of_their_file(tmp_path: Path) -> None:
    cases = load(tmp_path, c_jsonl=line("a", name="first") + line("b"))
    (tmp_path / "c.jsonl").write_text(line("other", name="later"))
    assert [(placed.case.case_id, placed.case.name) for placed in cases] == [("a", "first"), ("b", None)]


def test_many_wrong_lines_are_counted_not_listed(tmp_path: Path) -> None:
    told = mistakes(tmp_path, c_jsonl="".join(f'{{"case_id":"{n}"}}\n' for n in range(250)))
    assert len(told) == 101
    assert told[99].startswith("c.jsonl:100:1: ")
    assert told[-1] == "and 150 more"


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.sampled_from([1.0, 2.0, 0.5]), max_size=200))
def test_cases_are_sorted_by_weight_as_the_files_stand_and_found_by_id(weights: dict[str, float]) -> None:
    by_id = {
        case_id: PlacedCase(Case(case_id=case_id, question="q", weight=weight), number, f"{number:032x}", "c", number)
        for number, (case_id, weight) in enumerate(weights.items())
    }
    cases = Cases(by_id.values())
    expected = [case_id for wanted in (2.0, 1.0, 0.5) for case_id, weight in weights.items() if weight == wanted]
    assert [placed.case.case_id for placed in cases] == expected
    assert [placed.position for placed in cases] == list(range(len(weights)))
    assert [(placed.digest, placed.line) for placed in cases] == [(by_id[i].digest, by_id[i].line) for i in expected]
    assert list(cases.index()) == [(placed.case.case_id, placed.digest) for placed in cases]
    assert all(map(cases.has, weights))
    assert not cases.has("not there")


WITH_EVIDENCE = "'c*']\nevidence: [e.jsonl"


def test_what_is_at_fault_is_held_against_nothing_until_it_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = mistakes(
        tmp_path,
        WITH_EVIDENCE,
        c_jsonl=line("a") + line("a", weight=0, required_source_ids=["gone"]) + '{"case_id": "a"}\nnot JSON\n',
        e_jsonl='{"chunk_id": "c1", "text": "t"}\n',
    )
    assert told == [
        "c.jsonl:2:45: `weight` is 0; write a number of more than 0",
        "c.jsonl:3:1: a case asks something: write `question:` or `messages:`",
        "c.jsonl:4:1: this is not JSON: expecting value",
    ]


WAIVER = "'c*']\nwaivers: [{case: gone, gate: target, reason: r, owner: o, expires: 2027-01-31}"


def test_a_waiver_of_no_case_is_told_once_every_case_could_be_read(tmp_path: Path) -> None:
    sound, faulty = "- {case_id: a, question: q}\n", "- {case_id: a, question: q, weight: 0}\n"
    assert [told.split(";")[0] for told in mistakes(tmp_path, WAIVER, c_yaml=sound)] == [
        "raggate.yaml:3:18: waiver for case `gone`, which the suite does not have",
    ]
    assert [told.split(";")[0] for told in mistakes(tmp_path, WAIVER, c_yaml=faulty)] == ["c.yaml:1:37: `weight` is 0"]
    assert len(mistakes(tmp_path, WAIVER, c_yaml=sound, c2_jsonl="{\n")) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param(
            {"messages": [{"role": "bot", "content": "x"}]},
            "1:57: `role` is 'bot'; write one of `system`, `developer`, `user`, `assistant`, `tool`",
            id="a role that there is not",
        ),
        pytest.param(
            {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]},
            "1:91: the last of `messages` is from the assistant; end with what the user asks",
            id="a conversation that ends with the app",
        ),
        pytest.param(
            {"required_source_ids": ["a", "b", "a"]},
            "1:69: `required_source_ids` names `a` twice; keep one of them",
            id="a source required twice",
        ),
        pytest.param(
            {"useful_source_ids": ["a", "a"]},
            "1:62: `useful_source_ids` names `a` twice; keep one of them",
            id="a source useful twice",
        ),
        pytest.param(
            {"required_points": ["p", {"id": "p"}]},
            "1:60: `required_points` names `p` twice; keep one of them",
            id="a point required twice, in both forms",
        ),
    ],
)
@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_what_a_case_says_wrongly_is_told_where_it_stands(
    tmp_path: Path, fields: dict[str, object], said: str, suffix: str
) -> None:
    text = line("a", **fields)
    files = {"c_jsonl": text} if suffix == "jsonl" else {"c_json": f"[\n{text}]"}
    shift = 0 if suffix == "jsonl" else 1
    row, rest = said.split(":", 1)
    assert mistakes(tmp_path, **files) == [f"c.{suffix}:{int(row) + shift}:{rest}"]


NUMBERS = ["1e999", "-1E+400", "9" * 400]


@pytest.mark.parametrize("number", NUMBERS, ids=["an exponent", "a negative one", "many digits"])
@pytest.mark.parametrize(
    "where", ['"input": {number}', '"input": {{"a": [{number}]}}', '"trace": {{"stage_latency_ms": {{"a": {number}}}}}']
)
def test_a_number_too_large_for_any_is_told_in_lines_as_in_documents(tmp_path: Path, number: str, where: str) -> None:
    case = '{"case_id": "a", "question": "q", ' + where.format(number=number) + "}"
    [in_lines] = mistakes(tmp_path, c_jsonl=case + "\n")
    (tmp_path / "c.jsonl").unlink()
    [in_document] = mistakes(tmp_path, c_json=f"[{case}]")
    assert in_lines.split(": ", 1)[1] == in_document.split(": ", 1)[1]
    assert "is too l" in in_lines


def test_large_numbers_that_are_numbers_are_read_in_lines(tmp_path: Path) -> None:
    [placed] = load(tmp_path, c_jsonl='{"case_id": "a", "question": "q", "input": [1e300, 2E+100, 1e-999, 7]}\n')
    assert placed.case.input == [1e300, 2e100, 0.0, 7]


def test_phrases_of_every_form_are_read_and_others_told_where_they_stand(tmp_path: Path) -> None:
    forms = [30, {"any": ["x", {"word": 5}]}, {"regexp": "a"}, {"regex": "(a"}, {"any": []}, ["a"]]
    text = "[{case_id: a, question: q, must_contain: %s}]" % json.dumps(forms).replace('"', "")  # noqa: UP031
    form = "write the words, or {word: ...}, {regex: ...} or {any: [...]}"
    said = [each.partition(" ")[2] for each in mistakes(tmp_path, c_yaml=text)[:4]]
    assert said[0].endswith(f"an entry of `must_contain` is a mapping; {form}")
    assert said[1].startswith("`regex` is '(a'; this is no regular expression: missing ),")
    assert said[2] == "`any` is an empty list; write at least one entry"
    assert said[3] == f"an entry of `must_contain` is a list; {form}"
    [nothing] = mistakes(tmp_path, c_yaml="[{case_id: a, question: q, must_contain: []}]")
    assert nothing.endswith("`must_contain` is an empty list; write at least one entry")
    read = load(tmp_path, c_yaml="[{case_id: a, question: q, must_contain: [30, {any: [x, {word: 5}]}]}]")
    assert next(iter(read)).case.must_contain[0] == "30"


def test_a_required_point_without_phrases_is_remarked_on(tmp_path: Path) -> None:
    def remarks(points: str, labelled: str = "") -> str:
        target = f"{{kind: recorded, traces: t.jsonl{labelled}}}"
        tmp_path.joinpath("raggate.yaml").write_text(f"suite: s\ncases: [c.yaml]\ntarget: {target}\n")
        tmp_path.joinpath("c.yaml").write_text(f"[{{case_id: a, question: q, required_points: [{points}]}}]")
        return " ".join(load_suite(tmp_path / "raggate.yaml", environment={}).remarks)

    assert "required point `30 days` of case `a` has no `answer_phrases`: rules cannot tell" in remarks("30 days")
    assert "answer_phrases" not in remarks("{id: p, answer_phrases: [30 days]}")
    # Labels of the file's author say which claim makes it.
    assert "answer_phrases" not in remarks("30 days", ", labelled: true")


QUOTED = '{"chunk_id": "c1", "text": "Refunds are paid within 15"}\n{"chunk_id": "c2", "text": "days of the return."}\n'
STAFF = (
    '{"chunk_id": "c3", "text": "Headsets cost the staff 49 EUR.", "principals": ["staff"], "document_id": "prices"}\n'
)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("required_quotes: ['']", "an entry of `required_quotes` is empty; write some text"),
        (
            "required_quotes: [15 days of]",
            (
                "`required_quotes` has '15 days of', which is shorter than 12 characters and may stand anywhere; "
                "write a sentence of the source"
            ),
        ),
        (
            "required_quotes: ['** -- ** -- ** --']",
            (
                "`required_quotes` has '** -- ** -- ** --', which is shorter than 12 characters and may stand "
                "anywhere; write a sentence of the source"
            ),
        ),
        (
            "required_quotes: [paid within 15 days, paid within 15 days]",
            "`required_quotes` names `paid within 15 days` twice; keep one of them",
        ),
        (
            "required_source_ids: [price]",
            (
                "`required_source_ids` names `price`, which is not in the evidence; "
                "write the id of a chunk, or add the chunk to the evidence"
            ),
        ),
    ],
)
def test_quotes_and_sources_that_can_never_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, label: str, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    case = f"- {{case_id: abcd, question: why not, {label}}}\n"
    [told] = mistakes(tmp_path, WITH_EVIDENCE, c_yaml=case, e_jsonl=QUOTED + STAFF)
    place, _colon, words = told.partition(": ")
    assert words == text
    assert int(place.removeprefix("c.yaml:1:")) > case.index("["), "the item, not the case"


def test_quotes_over_two_chunks_and_documents_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    case = (
        "- {case_id: a, question: q, required_quotes: [Refunds are PAID within 15 days of the return],"
        " required_source_ids: [prices]}\n"
        "- {case_id: b, question: q, principals: [staff], required_quotes: [cost the *staff* 49 EUR]}\n"
    )
    found = load(tmp_path, WITH_EVIDENCE, c_yaml=case, e_jsonl=QUOTED + STAFF)
    assert [placed.case.case_id for placed in found] == ["a", "b"]
