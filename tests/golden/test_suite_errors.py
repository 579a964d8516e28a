"""Everything the suite reader says of a wrong suite, whole: each place of one suite of all sections is broken in turn.

`RAGGATE_UPDATE_GOLDEN=1` writes the file anew; read the difference before you commit it.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from raggate_action.errors import SuiteError
from raggate_action.suite_files import load_suite

KEPT = Path(__file__).parent / "suite_errors.txt"
ARM = {"model": "m", "lab": "l", "target": {"kind": "http", "url": "http://localhost:1/ask"}}
JUDGE = {"name": "ada", "lab": "one", "model": "small", "base_url": "https://a.test/v1", "api_key_env": "ADA_KEY",
         "price": {"input": 1, "output": 2}, "parameters": {"temperature": 0}}  # fmt: skip
SUITE: dict[str, Any] = {
    "suite": "menu",
    "service_version": "v1",
    "evidence": {"files": ["evidence.jsonl"], "text": ["name", "text"]},
    "cases": ["cases.jsonl"],
    "target": {
        "kind": "http",
        "url": "http://127.0.0.1:8080/answer",
        "headers": {"X-Team": "menu"},
        "request": {"method": "POST", "body": {"question": "{{question}}"}},
        "response": {"answer": "answer", "context": "docs[].id"},
        "ready": {"url": "http://127.0.0.1:8080/healthz", "timeout_s": 5},
        "timeout_s": 60, "concurrency": 8, "attempts": 3,
    },
    "pipeline": {"stages": ["context"], "versions": ["index"], "chunk_versions": True, "citations": True},
    "scopes": {"pr": {"tags": ["smoke"], "changed": True, "failing_on_base": True, "sample": 50}},
    "slices": {"by": ["category"], "min": "95%", "min_cases": 20, "protected": {"category": ["allergen"]}},
    "gates": {
        "admissibility": {"level": "block", "min": "100%"},
        "faithfulness": {"level": "warn", "min": "90%", "per_case": "100%"},
        "behaviour": {"scoring": "lenient"},
        "unmeasured": {"max": "2%"},
        "new_hallucinations": {"level": "block", "max": 0},
        "p95_latency_ms": {"level": "warn", "max": 8000},
    },
    "waivers": [{"case": "nuts", "gate": "faithfulness", "reason": "known", "owner": "@menu", "expires": "2099-01-31"}],
    "citation_markers": [r"\[(?P<ids>[^\[\]]+)\]"],
    "language": "en",
    "texts": "full",
    "enforce": True,
    "deadline_s": 600,
    "confirm": 2,
    "judges": {"panel": [JUDGE], "quorum": 1, "budget": {"usd": 1, "calls_per_case": 4}, "arming": {"labels": 50}},
    "criteria": ["It is polite.", {"must_not": "It promises a discount."}],
    "ab": {"control": ARM, "treatment": {"target": {"headers": {"X-Tool": "on"}}}, "judges": [{**JUDGE, "name": "bob"}], "swap": True, "question_type": "category", "same_lab": "disclose"},
}  # fmt: skip
CASE: dict[str, Any] = {
    "case_id": "nuts", "question": "Which dishes are free of nuts?", "category": "allergen", "tags": ["smoke"],
    "weight": 2, "expect": "answer", "required_source_ids": ["dish-7"], "required_quotes": ["Sea bass with lemon."],
    "required_points": [{"id": "bass", "answer_phrases": ["sea bass"], "support_phrases": ["Sea bass"]}],
    "must_contain": ["bass"], "must_not_contain": ["nuts"], "expected_tools": ["search"], "max_latency_ms": 8000,
    "principals": ["guests"], "as_of": "2026-06-02T09:00:00Z", "reference_answer": "The sea bass.",
}  # fmt: skip
CHUNK: dict[str, Any] = {
    "chunk_id": "dish-7", "document_id": "menu", "version": "v1", "text": "Sea bass with lemon.", "permitted": True,
    "current": True, "valid_from": "2026-01-01T00:00:00Z",
}  # fmt: skip


def wrong(value: Any) -> Iterator[Any]:
    """Values of another kind, or beyond bounds, in the place of one."""
    match value:
        case bool():
            yield from ("maybe", 7)
        case int() | float():
            yield from ("many", -1)
        case str():
            yield from ("", ["x"], "no such thing\u202e ${UNSET} {{nothing}}")
        case _:
            yield from ("text", None)


def broken(value: Any) -> Iterator[tuple[str, Any]]:
    """Every way of breaking a document at one place: the place, and the document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f".{key}x", {(f"{name}x" if name == key else name): each for name, each in value.items()}
            yield f".{key} gone", {name: each for name, each in value.items() if name != key}
            for place, made in (*broken(inner), *[(f" = {json.dumps(each)}", each) for each in wrong(inner)]):
                yield f".{key}{place}", {**value, key: made}
    elif isinstance(value, list):
        for place, made in (*broken(value[0]), *[(f" = {json.dumps(each)}", each) for each in wrong(value[0])]):
            yield f"[0]{place}", [made, *value[1:]]
        yield " twice", [*value, copy.deepcopy(value[0])]


def said(folder: Path, suite: Any, case: Any, chunk: Any) -> str:
    """What is said of a suite, its paths from the suite's folder; nothing of one that is taken."""
    (folder / "raggate.yaml").write_text(json.dumps(suite, indent=1))
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n")
    (folder / "evidence.jsonl").write_text(json.dumps(chunk) + "\n")
    try:
        load_suite(Path("raggate.yaml"), environment={"ADA_KEY": "k"})
    except SuiteError as error:
        return f"{error}\n{error.hint}"
    return "is taken"


def test_everything_the_reader_says_is_said_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert said(tmp_path, SUITE, CASE, CHUNK) == "is taken"
    lines = [f"suite{place}\n{said(tmp_path, made, CASE, CHUNK)}" for place, made in broken(SUITE)]
    lines += [f"case{place}\n{said(tmp_path, SUITE, made, CHUNK)}" for place, made in broken(CASE)]
    lines += [f"chunk{place}\n{said(tmp_path, SUITE, CASE, made)}" for place, made in broken(CHUNK)]
    text = "\n\n".join(lines) + "\n"
    if os.environ.get("RAGGATE_UPDATE_GOLDEN"):
        KEPT.write_text(text)
    kept = KEPT.read_text().split("\n\n")
    assert len(kept) > 400
    for found, before in zip(text.split("\n\n"), kept, strict=True):
        assert found == before
