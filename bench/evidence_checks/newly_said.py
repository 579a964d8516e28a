"""Sentences that a branch adds to every answer: can a rule tell inventions from courtesies without a judge?

    python bench/evidence_checks/newly_said.py                # the tables
    python bench/evidence_checks/newly_said.py --looked-at    # and what each rule gets wrong of the half looked at

None of these rules is right nine times in ten, so the comment tells such a sentence as a fact and calls it nothing. The
second table: how many answers that were verified stay so where only their form changes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.gates.diagnosis import Rulebook, diagnose
from raggate_action.core.text.abstention import Stance, stance
from raggate_action.core.text.canonical_form import root
from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.core.text.languages.language_rules import in_any_language
from raggate_action.schema.case import Case
from raggate_action.schema.policy import Gates
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS, Pipeline
from raggate_action.schema.trace import Answer, Answered, Trace, TracedChunk

FILE = Path(__file__).resolve().with_name("newly_said.yaml")
KINDS = ("invented", "harmless")
HALVES = ("looked at", "kept aside")
_AS_OF = datetime(2026, 6, 2, 12, tzinfo=UTC)
_PATTERNS = tuple(re.compile(pattern) for pattern in DEFAULT_CITATION_MARKERS)
_WORD = re.compile(r"[^\W\d_]{4,}")
_SENTENCE = re.compile(r"(?<=\.) ")
# Points at the answer or what stands before; leads in, asks or wishes.
_LEANS = re.compile(
    r"(?:it|they|that|es)\b|"
    r"(?:[\w'’]+ ){0,2}(?:this|these|here|above|below|follow(?:s|ing)|dies\w*|hier)\b|"
    r".*[:!?]\W*$",
    re.IGNORECASE,
)
# An English statement begins with its subject: a plural, or a verb that fits one. What bids or wishes does not.
_STATES = re.compile(
    r"(?:an?|the|any|every|each|no|our|your|we|you|if)\b|"
    r"(?:[\w'’-]+ ){0,2}(?:[\w-]*[^\Ws]s|are|has|have|can|cannot|may|must|will|does|never)\b(?!['’])",
    re.IGNORECASE,
)


class Said(NamedTuple):
    """A sentence newly said by every answer of an app.

    Attributes:
        language, kind, half, text: As in the file.
        known: Roots of the words of the app's questions and chunks.
    """

    language: str
    kind: str
    half: str
    text: str
    known: frozenset[str]


def sentences(apps: dict[str, Any]) -> Iterator[Said]:
    """Every sentence of the file."""
    for app in apps.values():
        known = frozenset(_roots(" ".join(text for pair in app["shown"] for text in pair)))
        for kind in KINDS:
            for half, texts in app[kind].items():
                yield from (Said(app["language"], kind, half, text, known) for text in texts)


def _roots(text: str) -> list[str]:
    return [root(word) for word in _WORD.findall(text.lower()) if word not in COMMON_WORDS]


def _asserts(said: Said) -> bool:
    return stance(said.text) is Stance.ASSERTS


def _states(said: Said) -> bool:
    """The longest of all rules that were tried: an assertion with a subject that points at nothing before it."""
    if _LEANS.match(said.text) or (said.language == "en" and not _STATES.match(said.text)):
        return False
    is_fact = in_any_language("fact").search(said.text) is not None
    return _asserts(said) or (is_fact and stance(said.text) is Stance.SOFT)


RULES: dict[str, Callable[[Said], bool]] = {
    "it has a word of questions or evidence": lambda said: not said.known.isdisjoint(_roots(said.text)),
    "two of its words are in no question or evidence": lambda said: len({*_roots(said.text)} - said.known) > 1,
    "it asserts, by the rules that know a decline": _asserts,
    "the same, and its grammar is a statement's": _states,
}


def reformed(app: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The app's answers as quoted, then in each form that says no other thing."""
    chunks = [chunk for _question, chunk in app["shown"]]
    parts = [_SENTENCE.split(chunk) for chunk in chunks]
    yield "as quoted", chunks
    yield "in another order", [" ".join(reversed(each)) for each in parts]
    yield "shorter", [each[0] for each in parts]
    yield (
        "as a list with an opening",
        ["Here is what I found:\n\n" + "\n".join(f"- {s}" for s in each) for each in parts],
    )
    yield "in other words", app["reworded"]


def is_verified(question: str, chunk: str, answer: str, language: str) -> bool:
    """Whether the gates find every claim of an answer supported."""
    trace = Trace(case_id="case", answer=Answer(text=answer), context=(TracedChunk(chunk_id="c", text=chunk),))
    rules = Rulebook(
        pipeline=Pipeline(),
        gates=Gates(),
        store=None,
        as_of=_AS_OF,
        reading=Reading(_PATTERNS, language),
        restricted=RestrictedText(None),
    )
    claims = diagnose(Case(case_id="case", question=question), Answered(trace, labelled=False), rules).claims
    return bool(claims) and all(claim.verdict == "supported" for claim in claims)


def rule_table(rows: Sequence[Said]) -> None:
    """How many sentences each rule would tell, of either kind."""
    columns = [(kind, half) for half in reversed(HALVES) for kind in KINDS]
    print(f"| told where | {' | '.join(f'{kind}, {half}' for kind, half in columns)} |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, tells in RULES.items():
        cells = []
        for kind, half in columns:
            told = [tells(row) for row in rows if (row.kind, row.half) == (kind, half)]
            cells.append(f"{sum(told)} of {len(told)}")
        print(f"| {name} | {' | '.join(cells)} |")


def form_table(apps: dict[str, Any]) -> None:
    """How many answers are verified in each form."""
    verified: dict[str, list[bool]] = {}
    for app in apps.values():
        for form, answers in reformed(app):
            told = zip(app["shown"], answers, strict=True)
            checked = [is_verified(question, chunk, answer, app["language"]) for (question, chunk), answer in told]
            verified.setdefault(form, []).extend(checked)
    print("| answers | verified |")
    print("| --- | ---: |")
    for form, each in verified.items():
        print(f"| {form} | {sum(each)} of {len(each)} |")


def main() -> int:
    """Print the tables; verbatim only what may be looked at."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--looked-at", action="store_true", help="print what is wrong of that half as well")
    shows = parser.parse_args().looked_at
    apps = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    rows = list(sentences(apps))
    rule_table(rows)
    form_table(apps)
    for name, tells in RULES.items() if shows else ():
        for row in rows:
            if row.half == HALVES[0] and tells(row) is not (row.kind == KINDS[0]):
                print(f"{name} · {row.kind}: {row.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
