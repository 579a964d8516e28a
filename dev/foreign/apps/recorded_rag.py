"""Answers of last week, as a log has them: python rag.py writes answers.jsonl."""

from __future__ import annotations

import json
from pathlib import Path

from reader import nearest, read

TEXTS = [
    part.strip()
    for path in sorted(Path("docs").glob("*.md"))
    for part in path.read_text().split("\n\n")
    if part.strip()
]
QUESTIONS = (
    "How many months is the warranty of headphones?",
    "How much does express delivery cost?",
    "Within how many days of delivery can parcels be returned?",
    "Within how many hours does a damaged parcel have to be reported?",
    "Within how many working days are refunds paid to the same card?",
)

if __name__ == "__main__":
    with Path("answers.jsonl").open("w") as lines:
        for question in QUESTIONS:
            found = [TEXTS[place] for place in nearest(question, TEXTS)]
            lines.write(json.dumps({"question": question, "answer": read(question, found), "contexts": found}) + "\n")
