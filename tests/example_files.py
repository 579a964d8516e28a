"""The example suites, read by the records alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from raggate_action.schema.case import Case
from raggate_action.schema.evidence import Chunk, ChunkFacts, EvidenceChunk, EvidenceStore
from raggate_action.schema.suite import EvidenceFiles, Suite

EXAMPLES = Path(__file__).parents[1] / "examples"
MENU = EXAMPLES / "menu"
DEPLOY_POLICY = EXAMPLES / "deploy_policy"


def read_suite(folder: Path) -> Suite:
    return Suite.model_validate_json(json.dumps(_yaml(folder / "raggate.yaml")))


def read_cases(folder: Path) -> tuple[Case, ...]:
    """Every case of every case file of the suite, in order."""
    files = [folder / name for name in read_suite(folder).cases]
    return tuple(Case.model_validate_json(json.dumps(case)) for file in files for case in _yaml(file))


def read_chunks(folder: Path) -> tuple[Chunk, ...]:
    evidence = read_suite(folder).evidence
    names = evidence.files if isinstance(evidence, EvidenceFiles) else evidence or ()
    return tuple(Chunk.model_validate_json(line) for name in names for line in (folder / name).read_text().splitlines())


def text_of(folder: Path, chunk: Chunk) -> str:
    """A chunk's text, put together as the suite says: one line per field."""
    evidence = read_suite(folder).evidence
    fields = evidence.text if isinstance(evidence, EvidenceFiles) else ()
    return chunk.text or "\n".join(str(chunk.free_fields[name]) for name in fields if name in chunk.free_fields)


def read_store(folder: Path) -> EvidenceStore:
    chunks = [
        EvidenceChunk(
            chunk.chunk_id,
            ChunkFacts(**{name: getattr(chunk, name) for name in ChunkFacts._fields if name != "metadata"}),
            text_of(folder, chunk),
        )
        for chunk in read_chunks(folder)
    ]
    return EvidenceStore(chunks, digest="digest-of-the-example")


def _yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text())
