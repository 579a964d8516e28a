"""Labels by quotation and by document hold when the same documents are cut otherwise: here our own, in hundreds of chunks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from raggate_action.errors import SuiteError
from raggate_action.schema.case_run import CaseRun
from raggate_action.suite_files import load_suite
from tests.thorough import some
from tests.weaker_suites import Json, Project, run, write

ROOT = Path(__file__).parents[2]
DOCUMENTS = {path.name: path.read_text() for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])}
SENTENCE = re.compile(
    r"(?<=[.:] )[A-Z][^.:|\n]{30,90}\n[^.:|#\n]{10,90}\.(?=\s)|(?<=[.:] )[A-Z][^.:|\n]{40,110}\.(?=\s)"
)


class Cut(NamedTuple):
    """A way to cut: characters a chunk, characters that two neighbours share, whole words only."""

    size: int
    overlap: int = 0
    words: bool = False


class Piece(NamedTuple):
    chunk_id: str
    document: str
    start: int
    end: int


def cut(documents: dict[str, str], way: Cut) -> list[Piece]:
    found: list[Piece] = []
    for name, text in documents.items():
        start = 0
        while start < len(text):
            end = min(start + way.size, len(text))
            if way.words and end < len(text):
                end = max(text.rfind(" ", start, end), text.rfind("\n", start, end), start + 1)
            found.append(Piece(f"{way.size}-{len(found)}", name, start, end))
            start = end if end == len(text) else max(end - way.overlap, start + 1)
    return found


class Quote(NamedTuple):
    document: str
    start: int
    text: str


def quotes_of(documents: dict[str, str]) -> list[Quote]:
    found = [Quote(name, m.start(), m[0]) for name, text in documents.items() for m in SENTENCE.finditer(text)]
    return [each for each in found if documents[each.document].count(each.text) == 1]


def around(quote: Quote, pieces: list[Piece]) -> list[Piece]:
    """The chunks that a retriever has to find for it, by their place in the document."""
    end = quote.start + len(quote.text)
    touching = [
        each for each in pieces if each.document == quote.document and each.start < end and quote.start < each.end
    ]
    whole = [each for each in touching if each.start <= quote.start and end <= each.end]
    return whole[:1] or touching


def project(way: Cut, labels: list[Quote], shown: Any = around, **case: Any) -> Project:
    pieces = cut(DOCUMENTS, way)
    cases: dict[str, Json] = {}
    answers: dict[str, Json] = {}
    for number, quote in enumerate(labels):
        label = case or {"required_quotes": [" ".join(quote.text.split())], "required_source_ids": [quote.document]}
        cases[f"q{number}"] = {"question": f"What does rule {number} say?", **label}
        answers[f"q{number}"] = {"answer": quote.text, "context": [each.chunk_id for each in shown(quote, pieces)]}
    chunks = {
        each.chunk_id: {"document_id": each.document, "text": DOCUMENTS[each.document][each.start : each.end]}
        for each in pieces
    }
    return Project({}, cases, {i: c for i, c in chunks.items() if c["text"].strip()}, answers)


def recalls(folder: Path, found: Project) -> list[str]:
    done = run(folder, found)
    rows = [CaseRun.model_validate_json(line) for line in (folder / "run" / "cases.jsonl").read_text().splitlines()]
    assert done.reporting.run.counts.cases == len(found.cases)
    return [row.outcomes["context_recall"].kind for row in rows]


LABELS = quotes_of(DOCUMENTS)
OLD = Cut(700)


def test_there_is_something_to_cut() -> None:
    assert len(cut(DOCUMENTS, OLD)) > 250
    assert len(LABELS) > 60
    over_two = [quote for quote in LABELS if len(around(quote, cut(DOCUMENTS, OLD))) == 2]
    assert len(over_two) >= 5, "some run over the end of a chunk"


WAYS = [OLD, Cut(900), Cut(900, words=True), Cut(900, 120), Cut(400, 60, words=True)]


@pytest.mark.parametrize("way", some(WAYS), ids=str)
def test_the_labels_hold_however_the_documents_are_cut(tmp_path: Path, way: Cut) -> None:
    assert set(recalls(tmp_path, project(way, LABELS))) == {"passed"}


def test_without_the_chunks_that_hold_it_no_quote_is_found(tmp_path: Path) -> None:
    def beside(quote: Quote, pieces: list[Piece]) -> list[Piece]:
        right = around(quote, pieces)
        others = [each for each in pieces if each.document == quote.document and each not in right]
        return others[:2] if len(others) > 1 else [each for each in pieces if each not in right][:2]

    assert set(recalls(tmp_path, project(OLD, LABELS, beside))) == {"failed"}


def _in_its_midst(quote: Quote, at: int) -> bool:
    return quote.start + 12 < at < quote.start + len(quote.text) - 12


def test_half_a_quote_is_none(tmp_path: Path) -> None:
    def first_half(quote: Quote, pieces: list[Piece]) -> list[Piece]:
        return around(quote, pieces)[:1]

    pieces = cut(DOCUMENTS, OLD)
    parted = [
        quote for quote in LABELS if len(found := around(quote, pieces)) == 2 and _in_its_midst(quote, found[0].end)
    ]
    assert len(parted) > 3
    assert set(recalls(tmp_path, project(OLD, parted, first_half))) == {"failed"}


def test_ids_of_chunks_do_not_hold_and_the_suite_says_so(tmp_path: Path) -> None:
    labelled = project(OLD, LABELS[:1], required_source_ids=["700-3"])
    assert recalls(tmp_path / "old", labelled)
    again = project(Cut(900), LABELS[:1], required_source_ids=["700-3"])
    with pytest.raises(SuiteError) as raised:
        load_suite(write(tmp_path / "new", again), environment={})
    assert "`required_source_ids` names `700-3`, which is not in the evidence" in str(raised.value)
