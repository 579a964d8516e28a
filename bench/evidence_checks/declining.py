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
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

import yaml

from bench.evidence_checks.labelled import wilson
from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.gates.diagnosis import Rulebook, diagnose
from raggate_action.schema.case import Case
from raggate_action.schema.policy import Gates
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS, Pipeline
from raggate_action.schema.trace import Answer, Answered, Trace, TracedChunk

FILE = Path(__file__).resolve().parent / "declines.yaml"
# Sixty declines more, written after the rules were frozen.
FRESH = FILE.with_name("declines_fresh.yaml")
# Declines and answers that look like one, in two halves, written before the rules of the question were.
BLIND = FILE.with_name("declines_blind.yaml")
# The same with the courtesies, disclaimers and referrals of chats around them, written before the rules of those were.
FRAMED = FILE.with_name("declines_framed.yaml")
# The same, some with the chunk that says the answer word for word.
UNSEEN = FILE.with_name("declines_unseen.yaml")
# The same in the manners of several chat models: three answers of each sort to a question, parted by question.
MODELS = FILE.with_name("declines_models.yaml")
MODEL_HALVES = {
    "dev": "looked at for the rules",
    "more": "written after those, looked at as well",
    "kept": "no reading of it looked at",
}
HALVES = {
    "dev": "looked at for the rules of the question",
    "last_count": "counted once those were frozen",
    "chats_dev": "looked at for the rules of what stands beside a decline",
    "chats_last_count": "counted once those were frozen",
}
DECLINE, ANSWER, LOOKALIKE = "decline", "answer", "refusal_like_answer"
READINGS = ("declined", "undecided", "answered")
MEANT = {DECLINE: "declined", LOOKALIKE: "answered", ANSWER: "answered"}
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


def fresh_declines() -> list[Wording]:
    """The declines of the second file, judged."""
    rows = yaml.safe_load(FRESH.read_text(encoding="utf-8"))
    return [
        Wording(f"fresh-{language}-{number:02}", language, DECLINE, question, answer, True, *judged(question, answer))  # noqa: FBT003
        for language, wordings in rows.items()
        for number, (question, answer) in enumerate(wordings, 1)
    ]


def blind_wordings(half: str) -> list[Wording]:
    """One half of the third or the fourth file, one of `HALVES`, judged."""
    file = FRAMED if half.startswith("chats") else BLIND
    kinds = yaml.safe_load(file.read_text(encoding="utf-8"))[half]
    held_out = half.endswith("last_count")
    return [
        Wording(
            f"{half}-{kind[:3]}-{language}-{number:02}", language, kind, asked, answer, held_out, *judged(asked, answer)
        )
        for kind, languages in kinds.items()
        for language, pairs in languages.items()
        for number, (asked, answer) in enumerate(pairs, 1)
    ]


class ReadTwice(NamedTuple):
    """A wording of `UNSEEN`, read where a decline is expected and where an answer is.

    Attributes:
        wording_id, language, kind, question, answer: As in the file.
        held_out: Not looked at while the rules were written.
        expected, unexpected: How it is read where a decline is expected and where an answer is.
    """

    wording_id: str
    language: str
    kind: str
    question: str
    answer: str
    held_out: bool
    expected: str
    unexpected: str


def unseen_wordings() -> list[ReadTwice]:
    """The wordings of the fifth file, each judged twice."""
    kinds = yaml.safe_load(UNSEEN.read_text(encoding="utf-8"))
    return [
        ReadTwice(
            f"unseen-{kind[:3]}-{language}-{number:02}",
            language,
            kind,
            question,
            answer,
            language == "en" and number > len(rows) // 2,
            judged(question, answer, chunks=chunks)[0],
            judged(question, answer, chunks=chunks, expect="answer")[0],
        )
        for kind, languages in kinds.items()
        for language, rows in languages.items()
        for number, (question, answer, *chunks) in enumerate(rows, 1)
    ]


def model_wordings(half: str) -> list[ReadTwice]:
    """One half of the sixth file, one of `MODEL_HALVES`, each wording judged twice."""
    return [
        ReadTwice(
            f"{half}-{kind[:3]}-{language}-{number:02}",
            language,
            kind,
            row["ask"],
            answer,
            half == "kept",
            judged(row["ask"], answer)[0],
            judged(row["ask"], answer, expect="answer")[0],
        )
        for language, rows in yaml.safe_load(MODELS.read_text(encoding="utf-8"))[half].items()
        for kind, field in ((DECLINE, "declines"), (LOOKALIKE, "answers"))
        for number, (row, answer) in enumerate([(row, answer) for row in rows for answer in row[field]], 1)
    ]


def taken(rows: Sequence[ReadTwice]) -> str:
    """How many are taken for declines, where one is expected and where an answer is."""
    expected = sum(row.expected == "declined" for row in rows)
    unexpected = sum(row.unexpected == "declined" for row in rows)
    return f"{expected} of {len(rows)} | {unexpected} of {len(rows)}"


def model_table(half: str, rows: Sequence[ReadTwice]) -> None:
    """The lines of a half of the sixth file, by language: declines taken for one, then answers taken for one."""
    for language in dict.fromkeys(row.language for row in rows):
        own = [row for row in rows if row.language == language]
        kinds = [taken([row for row in own if row.kind == kind]) for kind in (DECLINE, LOOKALIKE)]
        print(f"| {half} | {language} | {' | '.join(kinds)} |")


def unseen_table(rows: Sequence[ReadTwice]) -> None:
    """How many are taken for declines, by language and by what is expected."""
    print("| kind | language | a decline is expected: declined | undecided | an answer is expected: declined |")
    print("| --- | --- | --- | --- | --- |")
    for kind in (DECLINE, LOOKALIKE):
        for language in dict.fromkeys(row.language for row in rows):
            own = [row for row in rows if (row.kind, row.language) == (kind, language)]
            halves = {language: own}
            if any(row.held_out for row in own):
                halves |= {f"{language}, not looked at": [row for row in own if row.held_out]}
            for name, half in halves.items():
                counts = [
                    sum(row.expected == "declined" for row in half),
                    sum(row.expected == "undecided" for row in half),
                    sum(row.unexpected == "declined" for row in half),
                ]
                print(f"| {kind} | {name} | {' | '.join(f'{count} of {len(half)}' for count in counts)} |")


def _judged(row: dict[str, str]) -> Wording:
    reading, hallucination = judged(row["question"], row["answer"])
    fields = (row["id"], row["language"], row["kind"], row["question"], row["answer"])
    return Wording(*fields, row["set"] == "held", reading, hallucination)


def judged(
    question: str,
    answer: str,
    language: str = SUITE_LANGUAGE,
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
    rules = Rulebook(
        pipeline=Pipeline(),
        gates=Gates(),
        store=None,
        as_of=_AS_OF,
        reading=Reading(_PATTERNS, language),
        restricted=RestrictedText(None),
    )
    done = diagnose(case, Answered(trace, labelled=False), rules)
    if expect == "answer":
        return "declined" if done.abstained else "answered", False
    outcome = done.outcomes["faithfulness"].kind
    reading = {"not_applicable": "declined", "unmeasured": "undecided", "failed": "answered"}[outcome]
    return reading, bool(done.hallucinations)


def tables(rows: Sequence[Wording]) -> None:
    """How each kind was read, whole and by language."""
    print("| kind | language | declined | undecided | answered | counted as a hallucination |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind in [kind for kind in (DECLINE, LOOKALIKE, ANSWER) if any(row.kind == kind for row in rows)]:
        for language in ("all", *LANGUAGES):
            own = [row for row in rows if row.kind == kind and language in {"all", row.language}]
            shares = [wilson(sum(row.reading == reading for row in own), len(own)) for reading in READINGS]
            false = wilson(sum(row.hallucination for row in own), len(own))
            print(f"| {kind} | {language} | {' | '.join(shares)} | {false if kind == DECLINE else ''} |")


def main() -> int:
    """Print the tables of both halves, then verbatim what was read otherwise than its kind says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--seen-half", action="store_true", help="only the half that may be looked at while writing rules"
    )
    seen_half = parser.parse_args().seen_half
    rows = wordings(seen_half=seen_half)
    for held_out, about in ((False, "looked at while the rules were written"), (True, "held out at first")):
        if half := [row for row in rows if row.held_out is held_out]:
            print(f"\n## Declines: {len(half)} wordings, {about}\n")
            tables(half)
    if not seen_half:
        fresh = fresh_declines()
        rows += fresh
        print(f"\n## Declines: {len(fresh)} wordings, written after the rules\n")
        tables(fresh)
        for name, about in HALVES.items():
            blind = blind_wordings(name)
            rows += blind
            print(f"\n## Declines: {len(blind)} wordings, {about}\n")
            tables(blind)
        unseen = unseen_wordings()
        print(f"\n## Declines: {len(unseen)} wordings, each where a decline is expected and where an answer is\n")
        unseen_table(unseen)
        for each in unseen:
            if (each.kind == DECLINE) != (each.unexpected == "declined"):
                print(f"- {each.wording_id} {each.expected}, {each.unexpected}: {each.question} -> {each.answer}")
        print("\n## Declines in the manners of chat models, where a decline is expected and where an answer is\n")
        print("| half | language | declines: expected | unexpected | answers like one: expected | unexpected |")
        print("| --- | --- | --- | --- | --- | --- |")
        # What is missed of it stays unread, so that it can be counted again.
        for part in MODEL_HALVES:
            model_table(part, model_wordings(part))
    print("\nRead otherwise than meant:\n")
    for row in rows:
        if row.reading != MEANT[row.kind]:
            print(f"- {row.wording_id} {row.reading}: {row.question} -> {' '.join(row.answer.split())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
