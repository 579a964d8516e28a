"""Evidence files: text assembled, flags kept, one digest, and what is told of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raggate_action.errors import SuiteError
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.suite_files import LoadedSuite, load_suite


def load(folder: Path, evidence: str = "[e*]", **files: str) -> LoadedSuite:
    target = "target: {kind: recorded, traces: t.jsonl}"
    folder.joinpath("raggate.yaml").write_text(f"suite: s\nevidence: {evidence}\ncases: [c.yaml]\n{target}\n")
    folder.joinpath("c.yaml").write_text("- {case_id: a, question: q}\n")
    for name, text in files.items():
        folder.joinpath(name.replace("_", ".")).write_text(text)
    return load_suite(folder / "raggate.yaml", environment={})


def store(folder: Path, evidence: str = "[e*]", **files: str) -> EvidenceStore:
    evidence_store = load(folder, evidence, **files).evidence
    assert evidence_store is not None
    return evidence_store


def mistakes(folder: Path, evidence: str = "[e*]", **files: str) -> list[str]:
    with pytest.raises(SuiteError) as caught:
        load(folder, evidence, **files)
    return [line.removeprefix(f"{folder.as_posix()}/") for line in str(caught.value).splitlines()]


DISH = {
    "chunk_id": "m1",
    "price": 12.5,
    "name": "Lamb kofta",
    "tags": ["grill", "", 7],
    "vegan": False,
    "description": None,
}
AS_WRITTEN = json.dumps(DISH).replace("12.5", "12.50")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        pytest.param("[name, price, description]", "Lamb kofta\nprice: 12.50", id="numbers as they were written, nulls left out"),
        pytest.param("[vegan, tags, name]", "vegan: false\ngrill, 7\nLamb kofta", id="in the order named; lists joined"),
        pytest.param("[]", "Lamb kofta", id="the usual fields where none are named"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["jsonl", "json", "yaml"])
def test_text_is_assembled_from_named_fields(tmp_path: Path, fields: str, text: str, suffix: str) -> None:
    written = AS_WRITTEN if suffix == "jsonl" else f'{{"chunks": [{AS_WRITTEN}]}}'
    chunk = store(tmp_path, f"{{files: [e*], text: {fields}}}", **{f"e_{suffix}": written}).get("m1")
    assert chunk is not None
    assert chunk.text == text


def test_id_and_content_are_read_and_a_chunk_id_goes_before_an_id(tmp_path: Path) -> None:
    lines = '{"id": "a", "content": "x"}\n{"id": "9", "chunk_id": "b", "content": "y"}\n'
    chunks = store(tmp_path, e_jsonl=lines)
    assert [(chunk.chunk_id, chunk.text) for chunk in chunks] == [("a", "x"), ("b", "y")]


def test_a_text_of_its_own_is_kept_as_it_is(tmp_path: Path) -> None:
    chunks = store(tmp_path, "{files: [e*], text: [name]}", e_yaml="- {chunk_id: a, name: n, text: ' as it is '}").get(
        "a"
    )
    assert chunks is not None
    assert chunks.text == " as it is "


def test_flags_principals_and_validity_are_kept(tmp_path: Path) -> None:
    chunk = store(
        tmp_path,
        e_yaml="- {chunk_id: 10, text: x, version: 2.0, permitted: false, current: false, principals: [hr], "
        "valid_from: 2026-01-01, valid_until: 2026-06-01T12:00:00+02:00, owner: me}",
    ).get("10")
    assert chunk is not None
    assert (chunk.version, chunk.permitted, chunk.current, chunk.principals) == ("2.0", False, False, ("hr",))
    assert chunk.valid_from is not None
    assert chunk.valid_until is not None
    assert chunk.valid_from.isoformat() == "2026-01-01T00:00:00+00:00"
    assert chunk.valid_until.isoformat() == "2026-06-01T12:00:00+02:00"


def test_the_digest_follows_what_gates_read_and_no_order(tmp_path: Path) -> None:
    one = '{"chunk_id": "a", "text": "x", "principals": ["p", "q"]}\n'
    two = '{"chunk_id": "b", "text": "y", "version": "v1"}\n'
    first = store(tmp_path, e_jsonl=one + two).digest
    assert store(tmp_path, e_jsonl=two + "\n" + one.replace('["p", "q"]', '["q", "p"], "owner": "me"')).digest == first
    for old, new in [('"x"', '"z"'), ('"a"', '"c"'), ("v1", "v2"), ('"y"', '"y", "permitted": false'), ('"q"', '"r"'), ('"y"', '"y", "valid_until": "2026-01-01"')]:  # fmt: skip
        assert store(tmp_path, e_jsonl=(one + two).replace(old, new)).digest != first


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param('{"chunk_id": "a", "text": "x"}\n{"chunk_id": "a", "text": "y"}', "e.jsonl:2:14: chunk id `a` is already used at {folder}/e.jsonl:1; give every chunk its own id", id="an id twice"),
        pytest.param('{"chunk_id": "a", "note": "x"}', "e.jsonl:1:1: this chunk has no text; write `text:`, or one of the fields title, name, heading, description, content, body", id="no text"),
        pytest.param('{"chunk_id": "a", "text": " "}', "e.jsonl:1:1: this chunk has no text; write `text:`, or one of the fields title, name, heading, description, content, body", id="blank text"),
        pytest.param('{"text": "x"}', "e.jsonl:1:1: `chunk_id` is missing; add `chunk_id:` here", id="no id"),
        pytest.param('{"chunk_id": "a", "text": "x", "permitted": "no"}', "e.jsonl:1:45: `permitted` is 'no'; write true or false", id="a flag that is none"),
        pytest.param('{"chunk_id": "a", "text": "x"', "e.jsonl:1:30: this is not JSON: expecting ',' delimiter", id="half a line"),
        pytest.param("", "e.jsonl:1:1: there are no chunks here; write at least one, or take the file out of the suite", id="an empty file"),
    ],
)  # fmt: skip
def test_a_chunk_that_is_wrong_says_where_and_what_to_write(tmp_path: Path, text: str, problem: str) -> None:
    assert mistakes(tmp_path, e_jsonl=text) == [problem.format(folder=tmp_path.as_posix())]


def test_named_text_fields_are_the_only_ones(tmp_path: Path) -> None:
    told = mistakes(tmp_path, "{files: [e*], text: [summary]}", e_yaml="# menu\n- {chunk_id: a, name: n}")
    assert told == ["e.yaml:2:3: this chunk has no text; write `text:`, or one of the fields summary"]


def test_bytes_that_are_no_text_are_told_with_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "e1.jsonl").write_bytes('{"chunk_id": "a", "text": "é"}\n{"chunk_id": "é\xff'.encode("latin-1"))
    (tmp_path / "e2.yaml").write_bytes(b"- chunk_id: a\n  text: \xc3\xa9\xff\n")
    assert mistakes(tmp_path) == [
        "e1.jsonl:1:28: the byte 0xe9 is not UTF-8; save the file as UTF-8",
        "e1.jsonl:2:15: the byte 0xe9 is not UTF-8; save the file as UTF-8",
        "e2.yaml:2:10: the byte 0xff is not UTF-8; save the file as UTF-8",
    ]


def test_an_empty_evidence_list_is_a_mistake_and_none_is_not(tmp_path: Path) -> None:
    problem = "`evidence` names no file; write `evidence: [evidence/*.jsonl]`, or leave it out"
    assert mistakes(tmp_path, "[]") == [f"raggate.yaml:2:11: {problem}"]
    assert load(tmp_path, "").evidence is None


def test_a_misspelt_flag_is_remarked_on(tmp_path: Path) -> None:
    remarks = load(tmp_path, e_yaml="- {chunk_id: a, text: x, permited: false, owner: me}").remarks
    assert "evidence field `permited` decides nothing; if `permitted` was meant, rename it" in remarks
    assert not any("owner" in remark for remark in remarks)


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
@pytest.mark.parametrize(
    ("begin", "end", "said"),
    [
        pytest.param("2027-01-01", "2026-01-01", "`valid_until` is 2026-01-01, not after `valid_from`, 2027-01-01", id="before"),
        pytest.param("2026-01-01", "2026-01-01", "`valid_until` is 2026-01-01, not after `valid_from`, 2026-01-01", id="the same day"),
        pytest.param(
            "2026-06-01T12:00:00Z",
            "2026-06-01T12:00:00+02:00",
            "`valid_until` is 2026-06-01T12:00:00+02:00, not after `valid_from`, 2026-06-01T12:00:00Z",
            id="by the zone",
        ),
    ],
)  # fmt: skip
def test_a_chunk_that_never_holds_is_told(tmp_path: Path, begin: str, end: str, said: str, suffix: str) -> None:
    text = json.dumps({"chunk_id": "a", "text": "x", "valid_from": begin, "valid_until": end})
    [told] = mistakes(tmp_path, **{f"e_{suffix}": text + "\n" if suffix == "jsonl" else f"[{text}]"})
    column = text.index(f'"{end}"', text.index("valid_until")) + (1 if suffix == "jsonl" else 2)
    assert told == (
        f"e.{suffix}:1:{column}: {said}: the chunk never holds; write a later `valid_until`, or leave it out"
    )
