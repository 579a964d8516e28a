"""Another document: chunks of a source that no case of the baseline ever showed are one line, where ids are stable."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from raggate_action.core.counting.chunk_sources import IDS_AT_MOST, SOURCES_AT_MOST, source_of, sources_shown
from tests.command_line import raggate

TEXT = "Parcels can be returned within 30 days of delivery."
PAGE = (Path(__file__).parents[2] / "docs/tenants.md").read_text()


@pytest.mark.parametrize(
    ("chunk_id", "source"),
    [
        ("returns.md#3", "returns.md"),
        ("returns.md#how-to-return", "returns.md"),
        ("tenant-a/handbook.md:12", "tenant-a/handbook.md"),
        ("tenant-a/handbook", "tenant-a/handbook"),
        ("faq_chunk_7", "faq"),
        ("leave-page-2-part-1", "leave"),
        ("collection:9d2f8e1a4b7c#4", "collection:9d2f8e1a4b7c"),
        ("policy-12", "policy"),
        ("c1", None),  # a bare word counts chunks, or names one
        ("refund-rule", None),
        ("17", None),
        ("9d2f8e1a4b7c", None),  # made from a text: of the next text it is another
        ("9d2f8e1a4b7c-3", None),
        ("6f1c1e64-6d5a-4a0e-9a41-0e5a0a7f8a11", None),
        ("/data/x" + "y" * 300 + "#1", None),
    ],
)
def test_an_id_names_its_source_or_none(chunk_id: str, source: str | None) -> None:
    assert source_of(chunk_id) == source


def test_sources_without_number_are_no_list() -> None:
    ids = {f"user-{number}x/file.md#1" for number in range(SOURCES_AT_MOST + 1)}
    assert sources_shown(ids) is None
    ids.pop()
    found = sources_shown(ids)
    assert found is not None
    assert len(found.names) == SOURCES_AT_MOST
    assert sources_shown({f"a.md#{number}" for number in range(IDS_AT_MOST)}) is None


def run(folder: Path, shown: Mapping[str, Sequence[str]], out: str, baseline: str | None = None) -> str:
    """A run over recorded answers that show these chunks, case by case; its comment."""
    cases = [{"case_id": case_id, "question": f"How long, {case_id}?"} for case_id in shown]
    traces = [
        {"case_id": case_id, "answer": TEXT, "context": [{"chunk_id": each, "text": TEXT} for each in ids]}
        for case_id, ids in shown.items()
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "traces.jsonl").write_text("".join(json.dumps(trace) + "\n" for trace in traces))
    suite = "suite: shop\ncases: [cases.jsonl]\ntarget: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "raggate.yaml").write_text(suite)
    against = ["--baseline", baseline] if baseline else []
    done = raggate("run", "--out", out, *against, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return (folder / out / "comment.md").read_text()


OWN = {"a": ["acme/returns.md#1"], "b": ["acme/returns.md#2", "acme/fees.md#1"], "c": ["acme/fees.md#4"]}
LEAKED = {**OWN, "b": ["acme/returns.md#2", "globex/prices.md#1"], "c": ["globex/prices.md#2"]}
LINE = "2 cases show chunks of 1 source that no case of the baseline ever showed: globex/prices.md."


def test_another_tenants_document_is_one_line_with_a_count(tmp_path: Path) -> None:
    assert "ever showed" not in run(tmp_path, OWN, "main-1")
    assert "ever showed" not in run(tmp_path, OWN, "main-2", "main-1")
    assert LINE in " ".join(run(tmp_path, LEAKED, "head", "main-2").replace("\\", "").split())
    # Another chunk of a known document, in another case, is nothing new.
    moved = {**OWN, "a": ["acme/fees.md#9"]}
    assert "ever showed" not in run(tmp_path, moved, "moved", "main-2")


def test_the_line_is_the_same_when_the_run_is_reported_again(tmp_path: Path) -> None:
    run(tmp_path, OWN, "main-1")
    run(tmp_path, OWN, "main-2", "main-1")
    before = run(tmp_path, LEAKED, "head", "main-2")
    for against in ([], ["--baseline", "main-2"]):
        done = raggate("report", "head", *against, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "head/comment.md").read_text() == before


def test_a_baseline_of_which_nobody_knows_whether_its_ids_stay_tells_nothing(tmp_path: Path) -> None:
    run(tmp_path, OWN, "main-1")
    assert "ever showed" not in run(tmp_path, LEAKED, "head", "main-1")


def test_ids_that_change_from_run_to_run_tell_nothing(tmp_path: Path) -> None:
    def in_a_folder(name: str) -> dict[str, list[str]]:
        return {case_id: [f"/data/{name}/{each}" for each in ids] for case_id, ids in OWN.items()}

    run(tmp_path, in_a_folder("x1"), "main-1")
    run(tmp_path, in_a_folder("x2"), "main-2", "main-1")
    assert "ever showed" not in run(tmp_path, in_a_folder("x3"), "head", "main-2")


def tenants(name: str) -> str:
    found = re.search(rf"<!-- tenants: {re.escape(name)} -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(("chunk", "code"), [("acme/leave#1", 0), ("globex/leave#1", 1)])
def test_the_readmes_lines_make_the_border_of_a_tenant_a_gate(tmp_path: Path, chunk: str, code: int) -> None:
    (tmp_path / "evidence.jsonl").write_text(tenants("evidence.jsonl"))
    (tmp_path / "cases.yaml").write_text(tenants("cases.yaml"))
    target = "target: {kind: recorded, traces: traces.jsonl}\n"
    (tmp_path / "raggate.yaml").write_text(f"suite: leave\ncases: [cases.yaml]\n{tenants('raggate.yaml')}{target}")
    store = {each["chunk_id"]: each["text"] for each in map(json.loads, tenants("evidence.jsonl").splitlines())}
    trace = {"case_id": "leave", "answer": store[chunk], "context": [chunk]}
    (tmp_path / "traces.jsonl").write_text(json.dumps(trace) + "\n")
    done = raggate("run", cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    comment = (tmp_path / "raggate-run/comment.md").read_text()
    assert ("globex/leave" in comment) == (code == 1)
    assert store["globex/leave#1"] not in comment
