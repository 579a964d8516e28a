"""Forty facts in four languages, each right and with one fault: what the evidence checks find in each language.

    python bench/evidence_checks/faults_languages.py            # counts by language, misses and false alarms verbatim

Found is a finding that can block, or a warning that names the fault's place; a right twin has to have neither.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from raggate_action.core.evidence_checks.claim_check import ClaimInAnswer, findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache
from raggate_action.core.text.text import Text

FILE = Path(__file__).resolve().with_suffix(".yaml")
LANGUAGES = ("en", "de", "fr", "es")


class Pair(NamedTuple):
    """A fact in a language, and the codes of what is found on its right answer and on its fault."""

    kind: str
    language: str
    right: str
    fault: str
    on_right: tuple[str, ...]
    on_fault: tuple[str, ...]


def pairs() -> Iterator[Pair]:
    """Every fact in every language, checked by a suite of that language."""
    for fact in yaml.safe_load(FILE.read_text(encoding="utf-8")):
        for language in LANGUAGES:
            chunk, right, fault = fact[language]
            found = [tuple(_found(each, chunk, language)) for each in (right, fault)]
            yield Pair(fact["kind"], language, right, fault, found[0], found[1])


def _found(answer: str, chunk: str, language: str) -> Iterator[str]:
    shown = IndexCache(language).shown([("c1", chunk)])
    for finding in findings_on(ClaimInAnswer(Text(answer, language)), shown, language=language):
        yield f"{finding.kind} {finding.code}{' (warns)' if finding.advisory else ''}"


def main() -> int:
    """Print the counts by language, then verbatim what was missed and what was flagged and is right."""
    found = list(pairs())
    print("| language | faults found | right answers flagged |\n| --- | ---: | ---: |")
    for language in LANGUAGES:
        own = [pair for pair in found if pair.language == language]
        counts = sum(map(bool, [each.on_fault for each in own])), sum(map(bool, [each.on_right for each in own]))
        print(f"| {language} | {counts[0]} of {len(own)} | {counts[1]} of {len(own)} |")
    for pair in found:
        if not pair.on_fault:
            print(f"- missed, {pair.language}, {pair.kind}: {pair.fault}")
        if pair.on_right:
            print(f"- flagged, {pair.language}, {pair.kind}: {pair.right} ({', '.join(pair.on_right)})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
