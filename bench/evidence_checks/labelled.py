"""Labelled rows, the engine run on them, and counts with intervals."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from raggate_action.core.claims.suspect_claims import without_repeats
from raggate_action.core.evidence_checks.claim_check import ClaimInAnswer, findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache, ShownEvidence
from raggate_action.core.text.identifiers import ADDRESSES
from raggate_action.core.text.prose import read_prose
from raggate_action.core.text.quotation import chunk_text, find_quotation
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Finding

LANGUAGE = "en"
# Draws of a bootstrap.
_DRAWS = 1000
# More characters than any file of rows: each text is indexed once.
_WHOLE_FILE = 1 << 30


class Measured(NamedTuple):
    """One labelled row and what the rules said of it.

    Attributes:
        row_id, document: As in the file; rows of one document share evidence.
        grounded: The label: fully supported.
        answer: The answer.
        findings: On all its claims.
        claims, quoted: Its claims, and those that are exact quotations (`supported`).
        ms: CPU milliseconds of checking, indexing left out.
    """

    row_id: str
    document: str
    grounded: bool
    answer: str
    findings: tuple[Finding, ...]
    claims: int
    quoted: int
    ms: float

    @property
    def supported(self) -> bool:
        """Every claim would print `supported`."""
        return self.claims > 0 and self.quoted == self.claims

    def flagged(self, *names: str) -> bool:
        """Whether a finding that can block is of one of these names (see `name_of`); of any without names."""
        return any(not finding.advisory and (not names or name_of(finding) in names) for finding in self.findings)

    def warned(self, name: str) -> bool:
        """Whether a finding of this name stands that only warns."""
        return any(finding.advisory and name_of(finding) == name for finding in self.findings)


NUMBERS = ("absent number", "absent date", "absent time", "absent money", "absent percent", "absent unit")


def name_of(finding: Finding) -> str:
    """Kind and code of a finding."""
    return f"{finding.kind} {finding.code}"


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def is_held_out(document: str) -> bool:
    """Half of the documents were not looked at while the rules were written."""
    return int(hashlib.sha256(document.encode()).hexdigest()[:2], 16) % 2 == 1


def measure(rows: Iterable[dict[str, Any]]) -> list[Measured]:
    """Run the engine on every row, its answer as one claim per sentence."""
    cache = IndexCache(LANGUAGE, characters=_WHOLE_FILE)
    return [_measured(row, cache) for row in rows]


def _measured(row: dict[str, Any], cache: IndexCache) -> Measured:
    chunks = [(f"chunk {number}", text) for number, text in enumerate(row["chunks"], 1)]
    shown = cache.shown(chunks)
    for _, index in shown.chunks:
        warm(index)
    started = time.process_time()
    # A row is one claim by its label even where prose would read it as none.
    spans = claims_of(row["answer"]) or [(0, len(row["answer"]))]
    findings = [
        finding
        for start, end in spans
        for finding in findings_on(ClaimInAnswer(Text(row["answer"][start:end]), start), shown, language=LANGUAGE)
    ]
    ms = (time.process_time() - started) * 1000
    quoted = sum(is_quotation(row["answer"][start:end], shown) for start, end in spans)
    return Measured(
        row["id"], row["doc_id"], row["grounded"] == 1, row["answer"], tuple(findings), len(spans), quoted, ms
    )


def warm(index: Any) -> None:
    """Build every part of a chunk's index, so that what follows measures checking alone."""
    for part in ("tokens", "figures", "words", "beginnings", "initials", "sentences", "statements", "postings"):
        getattr(index, part)


def claims_of(answer: str) -> list[tuple[int, int]]:
    """Where the answer's claims stand."""
    prose = read_prose(answer, (), patterns=(), known=(), language=LANGUAGE)
    return [(claim.start, claim.end) for claim in prose.claims]


def findings_of(answer: str, shown: ShownEvidence, *, question: str = "", cites: tuple[str, ...] = ()) -> list[Finding]:
    """What the engine finds on an answer: on its claims, and on the addresses of its referrals."""
    prose = read_prose(answer, (), patterns=(), known=(), language=LANGUAGE)
    found: list[Finding] = []
    for claim in prose.claims:
        given = ClaimInAnswer(Text(answer[claim.start : claim.end]), claim.start, cites, question)
        found += without_repeats(findings_on(given, shown, language=LANGUAGE))
    for claim in prose.referrals if prose.claims else ():
        given = ClaimInAnswer(Text(answer[claim.start : claim.end]), claim.start, cites, question)
        found += [each for each in findings_on(given, shown, language=LANGUAGE) if each.code in ADDRESSES]
    return found


def is_quotation(claim: str, shown: ShownEvidence) -> bool:
    """Whether the claim would print `supported`: it is a whole sentence of a chunk, word for word."""
    text = Text(claim)
    return any(find_quotation(text, chunk_text(index.text, LANGUAGE), after=None) for _, index in shown.chunks)


def bootstrap(rows: Sequence[tuple[str, bool]]) -> str:
    """A share as counts, percent and its 95 % interval, from a bootstrap over clusters: rows that share evidence.

    Args:
        rows: The cluster and whether it is a hit, row by row.
    """
    hits, total = sum(hit for _, hit in rows), len(rows)
    if not total:
        return "0 of 0"
    clusters: dict[str, list[bool]] = {}
    for cluster, hit in rows:
        clusters.setdefault(cluster, []).append(hit)
    counts = [(sum(cluster), len(cluster)) for cluster in clusters.values()]
    chance = random.Random("bootstrap")
    shares = []
    for _ in range(_DRAWS):
        drawn = chance.choices(counts, k=len(counts))
        shares.append(sum(hit for hit, _ in drawn) / sum(size for _, size in drawn))
    shares.sort()
    low, high = shares[int(0.025 * _DRAWS)], shares[int(0.975 * _DRAWS)]
    if not hits:  # a bootstrap of nothing but misses says nothing: three over the clusters is the usual bound
        high = min(1.0, 3 / len(counts))
    return f"{hits}/{total} {100 * hits / total:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def wilson(hits: int, total: int) -> str:
    """A share as counts, percent and its 95 % Wilson interval."""
    if not total:
        return "0 of 0"
    z = 1.959964
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    reach = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return f"{hits}/{total} {100 * share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
