"""The script that writes an app's chunks to a file, for where they are kept. It runs in the app's own environment."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from raggate_action.report.render import render_scaffold

EvidenceKind: TypeAlias = Literal["markdown", "faiss", "chroma", "qdrant", "pgvector"]
EVIDENCE_KINDS: tuple[EvidenceKind, ...] = get_args(EvidenceKind)
SCRIPT = "gate/export_evidence.py"
EVIDENCE = "gate/evidence.jsonl"


def export_script(kind: EvidenceKind) -> str:
    """The script's text. What it imports is the app's, and never imported here."""
    return render_scaffold(f"evidence/{kind}.py", {"out": EVIDENCE, "script": SCRIPT})
