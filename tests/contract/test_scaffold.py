"""What `init` writes: the workflows are those of the documents, pass the linters in every form, and the scripts run."""

from __future__ import annotations

import ast
import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from qdrant_client import QdrantClient, models

from raggate_action.onboarding.setup import EVIDENCE_KINDS
from raggate_action.onboarding.suite_text import EVIDENCE, GATE, SCRIPT, export_script, workflow_text
from raggate_action.replies.reply_forms import text_id
from raggate_action.suite_files import load_suite
from tests.contract.test_workflows import passes_the_linters

ROOT = Path(__file__).parents[2]
FORMS = {
    "an app": workflow_text(),
    "a function": workflow_text(starts_app=False, requirements="requirements.txt"),
    "recorded": workflow_text(starts_app=False, answers="gate/traces.jsonl"),
    "recorded, below": workflow_text(starts_app=False, answers="gate/traces.jsonl", folder="services/shop"),
    "all": workflow_text(folder="services/shop", secrets=("SHOP_KEY", "OTHER_KEY")),
}


def test_the_workflow_is_that_of_the_readme() -> None:
    shown = re.search(
        rf"<!-- workflow: {GATE} -->\n```yaml\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE
    )
    assert shown is not None
    assert workflow_text() == shown[1]


def test_the_workflow_passes_the_linters_in_every_form(tmp_path: Path) -> None:
    passes_the_linters(FORMS.values(), tmp_path)


SHOWN = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/export-evidence.md").read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("text", [*map(export_script, EVIDENCE_KINDS), *SHOWN])
def test_an_export_script_is_python_that_needs_nothing_of_ours(text: str) -> None:
    tree = ast.parse(text)
    imported = {
        name.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names
    }
    imported |= {str(node.module).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    theirs = imported - sys.stdlib_module_names
    assert theirs <= {"langchain_community", "langchain_core", "chromadb", "qdrant_client", "psycopg"}
    assert "raggate_action" not in imported
    done = subprocess.run(
        [Path(sys.executable).with_name("ruff"), "check", "--isolated", "--select", "E,F,I,B,UP", "--ignore", "B905,E501", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


def test_the_markdown_script_writes_evidence_that_a_suite_reads(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/returns.md").write_text(
        "# Returns\n\nWithin 30 days.\n\n## Fees\n\n" + "A long rule. " * 100 + "\n\nThe end.\n"
    )
    (tmp_path / "gate").mkdir()
    (tmp_path / SCRIPT).write_text(export_script("markdown"))
    done = subprocess.run([sys.executable, SCRIPT], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 chunks written to ")
    first, *_ = [json.loads(line) for line in (tmp_path / EVIDENCE).read_text().splitlines()]
    assert first == {
        "chunk_id": text_id(first["text"]),
        "text": "# Returns\n\nWithin 30 days.",
        "document_id": "docs/returns.md",
    }
    (tmp_path / "raggate.yaml").write_text(
        f"suite: s\nevidence: [{EVIDENCE}]\ncases: [c.yaml]\ntarget: {{kind: http, url: 'http://localhost/a'}}\n"
    )
    (tmp_path / "c.yaml").write_text("- {case_id: a, question: q}\n")
    evidence = load_suite(tmp_path / "raggate.yaml", environment={}).evidence
    assert evidence is not None
    assert len(evidence) == 4


def test_the_qdrant_script_writes_every_point_as_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"rule-{number}": f"Rule {number} stands." for number in range(300)}
    client = QdrantClient(path=str(tmp_path / "index"))
    size = models.VectorParams(size=2, distance=models.Distance.COSINE)
    client.create_collection("documents", vectors_config=size)
    client.upsert("documents", [
        models.PointStruct(id=number, vector=[1.0, 0.0], payload={"chunk_id": chunk_id, "text": text})
        for number, (chunk_id, text) in enumerate(texts.items())
    ])  # fmt: skip
    client.close()
    # A folder for a server.
    ours = 'url=URL, api_key=os.environ.get("QDRANT_API_KEY")'
    script = export_script("qdrant")
    assert script.count(ours) == 1
    (tmp_path / "gate").mkdir()
    (tmp_path / SCRIPT).write_text(script.replace(ours, f"path={str(tmp_path / 'index')!r}"))
    monkeypatch.chdir(tmp_path)
    runpy.run_path(SCRIPT, run_name="__main__")
    exported = {row["chunk_id"]: row["text"] for row in map(json.loads, (tmp_path / EVIDENCE).read_text().splitlines())}
    assert exported == texts
