"""CPU time of the checks: per claim after the chunk index, and how it grows with answer and evidence.

python bench/evidence_checks/speed.py
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

from bench.evidence_checks.labelled import LANGUAGE, warm
from raggate_action.core.evidence_checks.claim_check import ClaimInAnswer, findings_on
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, ShownEvidence
from raggate_action.core.text.text import Text

_WORDS = (
    "refund", "plan", "customer", "invoice", "support", "account", "delivery", "member", "price", "update", "request",
    "manager", "region", "partner", "report", "server", "contract", "deposit", "tenant", "order", "parcel", "release",
    "service", "storage", "ticket", "window", "policy", "approval", "change", "review",
)  # fmt: skip
_VERBS = ("requires", "covers", "includes", "extends", "limits", "allows", "replaces", "follows")


def sentence(chance: random.Random) -> str:
    """A sentence of twelve words with a number, a unit and a name now and then."""
    one, two, three, four, five = chance.choices(_WORDS, k=5)
    name = chance.choice(("Berlin", "Norwell", "Lindner", "Toronto"))
    amount = chance.randint(2, 900)
    return f"The {one} {two} in {name} {chance.choice(_VERBS)} a {three} {four} within {amount} days of the {five}."


def text_of(words: int, chance: random.Random) -> str:
    """A text of about so many words."""
    return " ".join(sentence(chance) for _ in range(max(1, words // 15)))


def cpu_ms(work: Callable[[], object]) -> float:
    """CPU milliseconds of a piece of work, the least of three times."""
    times = []
    for _ in range(3):
        started = time.process_time()
        work()
        times.append((time.process_time() - started) * 1000)
    return min(times)


def index_of(text: str) -> EvidenceIndex:
    """A chunk, indexed."""
    index = EvidenceIndex(text, LANGUAGE)
    warm(index)
    return index


def changed(statement: str, chance: random.Random) -> str:
    """The sentence as an answer would have it: as it is, with another number, denied, or about something else."""
    kind = chance.randrange(4)
    if kind == 0:
        return statement
    if kind == 1:
        return statement.replace("within", "within more than")
    if kind == 2:
        return statement.replace(" a ", " not a ", 1)
    return sentence(chance)


def per_claim(chunks: int, words: int, claims: int) -> tuple[float, float]:
    """Milliseconds of indexing one chunk and of checking one claim."""
    chance = random.Random(7)
    texts = [text_of(words, chance) for _ in range(chunks)]
    indexing = cpu_ms(lambda: [index_of(text) for text in texts]) / chunks
    shown = ShownEvidence(tuple((f"c{number}", index_of(text)) for number, text in enumerate(texts)))
    said = [changed(chance.choice(texts).split(". ")[0] + ".", chance) for _ in range(claims)]
    given = [ClaimInAnswer(Text(claim), 0, ("c0",)) for claim in said]
    return indexing, cpu_ms(lambda: [findings_on(claim, shown, language=LANGUAGE) for claim in given]) / claims


def main() -> int:
    """Print the tables."""
    print("| chunks | words per chunk | index a chunk, ms | check a claim, ms |\n| --- | --- | --- | --- |")
    for chunks, words in ((4, 80), (10, 80), (4, 800), (4, 8000), (1, 160_000)):
        indexing, checking = per_claim(chunks, words, 200)
        print(f"| {chunks} | {words} | {indexing:.2f} | {checking:.3f} |")
    print("\n| one claim of so many words | ms | us per word |\n| --- | --- | --- |")
    chance = random.Random(3)
    shown = ShownEvidence((("c0", index_of(text_of(320, chance))),))
    for words in (15, 150, 1500, 15_000, 150_000):
        claim = ClaimInAnswer(Text(text_of(words, chance)), 0)
        ms = cpu_ms(lambda claim=claim: findings_on(claim, shown, language=LANGUAGE))  # type: ignore[misc]
        print(f"| {words} | {ms:.2f} | {1000 * ms / words:.1f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
