"""Answers written into a file of labels are read as they were, whatever their texts hold, and what is there stays."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer, LabelledChunk, LabelledClaim, LabelledItem
from raggate_action.suite_files.calibration_file import Labelled, add_labels, read_labels
from tests.thorough import examples

TEXTS = st.text(st.sampled_from("ab é😀'\"\\{}[]:#-|>&*!%@`\t\u2028\x7f\x00\x85\r\n"), max_size=20)
WORDS = st.one_of(TEXTS.map(lambda text: f"It {text} holds."), TEXTS.map(lambda text: f"{text}It holds{text}"))


@st.composite
def answers(draw: st.DrawFn) -> LabelledAnswer | HeldAnswer:
    given_: dict[str, Any] = {
        "id": draw(WORDS),
        "question": draw(TEXTS),
        "answer": draw(WORDS),
        "case_id": draw(st.none() | TEXTS),
    }
    texts = draw(st.lists(WORDS, min_size=1, max_size=3))
    if draw(st.booleans()):
        items = tuple([LabelledItem(item_id=f"i{n}", text=text, made=n == 1) for n, text in enumerate(texts)])
        return HeldAnswer(**given_, job="criteria", items=items)
    chunks = tuple([LabelledChunk(chunk_id=f"c{n}", text=text) for n, text in enumerate(draw(st.lists(TEXTS)))])
    claims = tuple([LabelledClaim(claim_id=f"k{n}", text=text, made=n == 1) for n, text in enumerate(texts)])
    return LabelledAnswer(**given_, chunks=chunks, claims=claims)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(answers(), min_size=1, max_size=4, unique_by=lambda answer: answer.id), st.data())
def test_what_is_written_is_read(labels: list[Labelled], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(labels) - 1))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "labels.yaml"
        if labels[:cut]:
            add_labels(path, labels[:cut])
        before = path.read_bytes() if cut else b""
        add_labels(path, labels[cut:])
        assert path.read_bytes().startswith(before)
        assert list(read_labels(path)) == labels
