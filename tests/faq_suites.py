"""Forty questions about as many services, without a label, and recorded answers to them: as most people have them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

NAMES = (
    "parcel post", "airport shuttle", "bike rental", "guided tour", "laundry", "swimming course", "city pass",
    "garden waste pickup", "library card", "parking permit",
)  # fmt: skip
CITIES = ("Bremen", "Graz", "Ghent", "Turin")
SUITE = """\
suite: faq
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: recorded, traces: traces.jsonl}
"""
QUESTIONS = [(name, city) for city in CITIES for name in NAMES]


def price(number: int) -> str:
    return f"{11 + number} EUR"


def chunk(number: int) -> str:
    name, city = QUESTIONS[number]
    return (
        f"The {name} in {city} costs {price(number)} per person. It can be cancelled free of charge until the evening "
        f"before. Bookings are made at the counter."
    )


def answer(number: int) -> str:
    """A good answer: two sentences of the evidence, the price among them."""
    name, city = QUESTIONS[number]
    return (
        f"The {name} in {city} costs {price(number)} per person. It can be cancelled free of charge until the evening "
        f"before."
    )


def write_faq(
    folder: Path, said: Callable[[int], str] = answer, *, cases: int = len(QUESTIONS), policy: str = ""
) -> None:
    """A suite in `folder` with its evidence and recorded answers.

    Args:
        folder: Where it is written; what stood there is replaced.
        said: The answer to each question by its number.
        cases: How many of the questions are asked.
        policy: More lines of the suite file.
    """
    numbers = range(cases)
    questions = [f"What does the {QUESTIONS[n][0]} in {QUESTIONS[n][1]} cost?" for n in numbers]
    lines: dict[str, list[dict[str, Any]]] = {
        "cases.jsonl": [{"case_id": f"q{n}", "question": questions[n]} for n in numbers],
        "evidence.jsonl": [{"chunk_id": f"c{n}", "text": chunk(n)} for n in numbers],
        "traces.jsonl": [{"case_id": f"q{n}", "answer": said(n), "context": [f"c{n}"]} for n in numbers],
    }
    (folder / "raggate.yaml").write_text(SUITE + policy)
    for name, records in lines.items():
        (folder / name).write_text("\n".join(map(json.dumps, records)) + "\n")
