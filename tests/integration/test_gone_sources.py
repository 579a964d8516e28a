"""A source that no case shows any more is one line; a renamed one is none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from raggate_action.replies.reply_forms import read_chunk
from tests.command_line import raggate

TEXT = "Parcels can be returned within 30 days of delivery."


def chunk(document: str, *, hashed: bool) -> dict[str, str]:
    """A chunk as an app reports it: under an id with its document, or with a text alone and its document beside it."""
    text = f"{TEXT} See {document}."
    return {"doc": document, "text": text} if hashed else {"chunk_id": f"{document}.md#1", "text": text}


def run(folder: Path, shown: Mapping[str, str], out: str, *more: str, hashed: bool = False) -> str:
    """A run over recorded answers whose cases show a chunk of these documents, separated by blanks; its comment."""
    cases = [{"case_id": each, "question": f"How long, {each}?"} for each in shown]
    traces = []
    for case, documents in zip(cases, shown.values(), strict=True):
        context = [chunk(each, hashed=hashed) for each in documents.split()]
        traces.append({"case_id": case["case_id"], "answer": TEXT, "context": context})
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (folder / "traces.jsonl").write_text("".join(json.dumps(trace) + "\n" for trace in traces))
    suite = "suite: shop\ncases: [cases.jsonl]\ntarget: {kind: recorded, traces: traces.jsonl}\n"
    (folder / "raggate.yaml").write_text(suite)
    done = raggate("run", "--out", out, *more, cwd=folder)
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    return (folder / out / "comment.md").read_text().replace("\\", "")


MAIN = {
    "lost-1": "medical fees",
    "lost-2": "medical",
    "lost-3": "medical returns",
    "kept-1": "fees",
    "kept-2": "returns",
}
NOW = {**MAIN, "lost-1": "fees", "lost-2": "fees", "lost-3": "returns"}


@pytest.mark.parametrize("hashed", [False, True], ids=["by id", "by the document beside a text"])
def test_a_source_that_nobody_shows_any_more_is_one_line(tmp_path: Path, *, hashed: bool) -> None:
    name = "medical" if hashed else "medical.md"
    assert "reaches the model" not in run(tmp_path, MAIN, "main", hashed=hashed)
    assert "reaches the model" not in run(tmp_path, MAIN, "same", "--baseline", "main", hashed=hashed)
    comment = run(tmp_path, NOW, "head", "--baseline", "main", hashed=hashed)
    assert f"`{name}` **no longer reaches the model**: 3 cases showed it on the baseline, none here." in comment


@pytest.mark.parametrize(
    "now",
    [
        {**MAIN, "lost-1": "fees", "lost-2": "fees"},  # a case still shows it
        {**MAIN, "lost-1": "health fees", "lost-2": "health", "lost-3": "health returns"},  # renamed
    ],
    ids=["a case still shows it", "renamed"],
)
def test_what_is_not_gone_is_no_line(tmp_path: Path, now: dict[str, str]) -> None:
    run(tmp_path, MAIN, "main")
    assert "reaches the model" not in run(tmp_path, now, "head", "--baseline", "main")


def test_what_two_cases_showed_is_no_line(tmp_path: Path) -> None:
    before = {**MAIN, "lost-3": "returns"}
    run(tmp_path, before, "main")
    assert "reaches the model" not in run(tmp_path, NOW, "head", "--baseline", "main")


def test_ids_that_are_made_anew_for_every_index_tell_nothing(tmp_path: Path) -> None:
    run(tmp_path, {case: each.replace("s", "s-old").replace("al", "al-old") for case, each in MAIN.items()}, "main")
    assert "reach the model" not in run(tmp_path, MAIN, "head", "--baseline", "main")


@pytest.mark.parametrize("key", ["doc", "document", "file"])
def test_a_short_name_beside_a_text_is_its_document(key: str) -> None:
    read = read_chunk({key: "medical", "text": TEXT})
    assert read is not None
    assert (read.document_id, read.text) == ("medical", TEXT)


def test_a_text_under_such_a_key_is_no_name() -> None:
    read = read_chunk({"document": TEXT})
    assert read is not None
    assert (read.document_id, read.text) == (None, TEXT)
