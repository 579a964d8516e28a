"""Declines, answers and answers that look like a decline: how the rules tell them apart.

Every wording stands as the answer to a case that expects a decline, and to one that expects an answer, in a suite whose
language is English whatever its own; the whole path of gates judges it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from bench.table import Options, Table, wilson
from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.gates.diagnosis import Rulebook, diagnose
from raggate_action.schema.case import Case
from raggate_action.schema.policy import Gates
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS, Pipeline
from raggate_action.schema.trace import Answer, Answered, Trace, TracedChunk

FILE = Path(__file__).resolve().with_name("declines.jsonl")
# How each set came to be stands in bench/README.md. These may be looked at while rules are written,
SEEN = ("seen", "dev", "chats dev", "unseen", "models dev", "models more")
# and of these nobody looks at a reading, so that they can be counted again.
UNREAD = ("unseen, not looked at", "models kept")
DECLINE, ANSWER, LOOKALIKE = "decline", "answer", "refusal_like_answer"
READINGS = ("declined", "undecided", "answered")
MEANT = {DECLINE: "declined", LOOKALIKE: "answered", ANSWER: "answered"}
_AS_OF = datetime(2026, 6, 2, 12, tzinfo=UTC)
_PATTERNS = tuple(re.compile(pattern) for pattern in DEFAULT_CITATION_MARKERS)


class Wording(NamedTuple):
    """One labelled wording and what the gates made of it.

    Attributes:
        wording_id, part, language, kind, question, answer, chunks: As in the file; the part is its set.
        reading: `declined`, `undecided` (unmeasured) or `answered`.
        hallucination: It was counted as one.
    """

    wording_id: str
    part: str
    language: str
    kind: str
    question: str
    answer: str
    chunks: tuple[str, ...]
    reading: str
    hallucination: bool

    @property
    def declines_unasked(self) -> bool:
        """Whether it is taken for a decline where an answer is expected."""
        return judged(self.question, self.answer, chunks=self.chunks, expect="answer")[0] == "declined"


@cache
def wordings() -> tuple[Wording, ...]:
    """Every wording of the file, judged."""
    found = []
    for row in [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]:
        chunks = tuple(row.get("chunks", ()))
        question, answer = row["question"], row["answer"]
        told = judged(question, answer, chunks=chunks)
        found.append(Wording(row["id"], row["set"], row["language"], row["kind"], question, answer, chunks, *told))
    return tuple(found)


def judged(
    question: str,
    answer: str,
    language: str = "en",
    *,
    chunks: Sequence[str] = (),
    expect: Literal["abstain", "answer"] = "abstain",
) -> tuple[str, bool]:
    """How an answer is read where a decline is expected, or an answer, and whether it counts as a hallucination."""
    case = Case(case_id="case", question=question, expect=expect)
    # An answer without anything shown is inadmissible where one is expected.
    shown = chunks or (("Tea is served at four.",) if expect == "answer" else ())
    context = tuple([TracedChunk(chunk_id=f"c{number}", text=text) for number, text in enumerate(shown)])
    trace = Trace(case_id="case", answer=Answer(text=answer), context=context)
    reading = Reading(_PATTERNS, language)
    rules = Rulebook(
        pipeline=Pipeline(), gates=Gates(), store=None, as_of=_AS_OF, reading=reading, restricted=RestrictedText(None)
    )
    done = diagnose(case, Answered(trace, labelled=False), rules)
    if expect == "answer":
        return "declined" if done.abstained else "answered", False
    outcome = done.outcomes["faithfulness"].kind
    read = {"not_applicable": "declined", "unmeasured": "undecided", "failed": "answered"}[outcome]
    return read, bool(done.hallucinations)


def tables(options: Options) -> Iterator[Table]:
    """How each kind of each set was read, whole and by language."""
    rows = [row for row in wordings() if row.part in SEEN or not options.seen]
    missed = [
        f"- {row.wording_id} {row.reading}: {row.question} -> {' '.join(row.answer.split())}"
        for row in rows
        if row.reading != MEANT[row.kind] and row.part not in UNREAD
    ]

    def lines() -> Iterator[list[str]]:
        for part, kind in dict.fromkeys((row.part, row.kind) for row in rows):
            of_kind = [row for row in rows if (row.part, row.kind) == (part, kind)]
            for language in ("all", *dict.fromkeys(row.language for row in of_kind)):
                own = [row for row in of_kind if language in {"all", row.language}]
                found = [[row.reading == reading for row in own] for reading in READINGS]
                found += [[row.hallucination for row in own], [row.declines_unasked for row in own]]
                shares = [wilson(sum(each), len(own)) for each in found]
                yield [part, kind, language, *shares[:3], shares[3] if kind == DECLINE else "", shares[4]]

    columns = ("set", "kind", "language", *READINGS, "hallucinations", "declined, an answer expected")
    yield Table("Declines, and what looks like one", columns, lines(), missed if options.verbatim else ())
