"""The smallest RAG app: a function that takes a question and returns a text."""

from __future__ import annotations

from pathlib import Path

from reader import read, words


def answer(question: str) -> str:
    parts = [part for path in sorted(Path("docs").glob("*.md")) for part in path.read_text().split("\n\n")]
    asked = set(words(question))
    near = sorted(parts, key=lambda part: -len(asked & set(words(part))))[:4]
    return read(question, near)
