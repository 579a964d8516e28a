"""A RAG app behind FastAPI, as a front end asks it: POST /ask {"query": ...}."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from pydantic import BaseModel
from reader import embedded, read

TEXTS = [
    part.strip()
    for path in sorted(Path("docs").glob("*.md"))
    for part in path.read_text().split("\n\n")
    if part.strip()
]
VECTORS = [embedded(text) for text in TEXTS]
app = FastAPI()


class Question(BaseModel):
    query: str


@app.post("/ask")
def ask(question: Question):
    vector = embedded(question.query)
    near = sorted(
        range(len(TEXTS)), key=lambda place: -sum(a * b for a, b in zip(vector, VECTORS[place], strict=True))
    )[:4]
    contexts = [TEXTS[place] for place in near]
    return {"answer": read(question.query, contexts), "contexts": contexts}
