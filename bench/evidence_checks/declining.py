"""Declines, answers and answers that look like a decline: how the rules tell them apart where a decline is expected.

    python bench/evidence_checks/declining.py                # tables, and every miss verbatim
    python bench/evidence_checks/declining.py --seen-half    # only the half that may be looked at while writing rules

Every wording stands as the answer to a case that expects a decline, in a suite whose language is English whatever its
own; the whole path of gates judges it.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import yaml

from bench.evidence_checks.labelled import wilson
from raggate_action.core.forbidden.restricted import RestrictedText
from raggate_action.core.gates.diagnose import Rulebook, diagnose
from raggate_action.core.support.drafts import Reading
from raggate_action.schema.case import Case
from raggate_action.schema.policy import Gates
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS, Pipeline
from raggate_action.schema.trace import Answer, Answered, Trace

FILE = Path(__file__).resolve().parent / "declines.yaml"
DECLINE, ANSWER, LOOKALIKE = "decline", "answer", "refusal_like_answer"
LANGUAGES = ("en", "de", "fr", "es", "other")
_AS_OF = datetime(2026, 6, 2, 12, tzinfo=UTC)
_PATTERNS = tuple(re.compile(pattern) for pattern in DEFAULT_CITATION_MARKERS)
SUITE_LANGUAGE = "en"


class Wording(NamedTuple):
    """One labelled wording and what the gates made of it.

    Attributes:
        wording_id, language, kind, question, answer: As in the file.
        held_out: Not looked at while the rules were written.
        reading: `declined`, `undecided` (unmeasured) or `answered`.
        hallucination: It was counted as one.
    """

    wording_id: str
    language: str
    kind: str
    question: str
    answer: str
    held_out: bool
    reading: str
    hallucination: bool


def wordings(*, seen_half: bool = False) -> list[Wording]:
    """Every wording of the file, judged; `seen_half` leaves out what was held back."""
    rows = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return [_judged(row) for row in rows if not (seen_half and row["set"] == "held")]


def _judged(row: dict[str, str]) -> Wording:
    reading, hallucination = judged(row["question"], row["answer"])
    fields = (row["id"], row["language"], row["kind"], row["question"], row["answer"])
    return Wording(*fields, row["set"] == "held", reading, hallucination)


def judged(question: str, answer: str, language: str = SUITE_LANGUAGE) -> tuple[str, bool]:
    """How an answer is read where a decline is expected, and whether it counts as a hallucination."""
    case = Case(case_id="case", question=question, expect="abstain")
    trace = Trace(case_id="case", answer=Answer(text=answer), context=())
    rules = Rulebook(
        pipeline=Pipeline(),
        gates=Gates(),
        store=None,
        as_of=_AS_OF,
        reading=Reading(_PATTERNS, language),
        restricted=RestrictedText(None),
    )
    done = diagnose(case, Answered(trace, labelled=False), rules)
    outcome = done.outcomes["faithfulness"].kind
    reading = {"not_applicable": "declined", "unmeasured": "undecided", "failed": "answered"}[outcome]
    return reading, bool(done.hallucinations)
