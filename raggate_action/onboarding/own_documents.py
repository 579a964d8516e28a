"""Documents that lie beside an app: what it may answer from, where it does not show that itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from raggate_action.schema.trace import TracedChunk

# What people call the folder that their app answers from.
_FOLDERS = ("docs", "documents", "knowledge", "knowledge_base", "kb", "data", "content", "corpus")
_MOST_FILES = 20
_LARGEST_FILE = 200_000
_SECTION = re.compile(r"^(?=#{1,6} )", re.MULTILINE)


def own_documents(folder: Path) -> tuple[TracedChunk, ...]:
    """The sections of Markdown files in folders of the usual names, by file; empty where there are none."""
    return tuple(_sections(folder))


def _sections(folder: Path) -> Iterator[TracedChunk]:
    files = [path for name in _FOLDERS for path in sorted((folder / name).rglob("*.md"))]
    for path in files[:_MOST_FILES]:
        try:
            text = path.read_text(encoding="utf-8") if path.stat().st_size <= _LARGEST_FILE else ""
        except (OSError, UnicodeDecodeError):
            continue
        name = path.relative_to(folder).as_posix()
        for number, section in enumerate([part for part in _SECTION.split(text) if part.strip()], 1):
            yield TracedChunk(chunk_id=f"{name}#{number}", text=section.strip())
