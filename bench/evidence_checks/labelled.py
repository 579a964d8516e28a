"""The evidence checks on labelled rows: how often they cry wolf, what they find, and what that is worth.

Rows are `{id, doc_id, chunks, answer, grounded}`; not grounded is the fault. A row is flagged where a finding stands
that does more than warn. Rows are also counted by the half of the documents that was not looked at while the rules were
written. The labelled files stand beside the checkout, for they are not ours to give.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.table import Options, Table, bootstrap, wilson
from raggate_action.core.claims.suspect_claims import without_repeats
from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache, ShownEvidence
from raggate_action.core.text.identifiers import ADDRESSES
from raggate_action.core.text.prose import read_prose
from raggate_action.core.text.quotation import chunk_text, find_quotation
from raggate_action.core.text.text import Text
from raggate_action.schema.case_run import Finding

LANGUAGE = "en"
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FILES = ("wice_claims.jsonl", "summedits.jsonl", "factcheck_claims.jsonl")
NUMBERS = ("absent number", "absent date", "absent time", "absent money", "absent percent", "absent unit")
# What part of an app's answers is taken to be faulty where precision is told for an app.
_FAULTS_OF_AN_APP = 0.1
# More characters than any file of rows: each text is indexed once.
_WHOLE_FILE = 1 << 30


class Measured(NamedTuple):
    """One labelled row and what the rules said of it.

    Attributes:
        row_id, document, answer: As in the file; rows of one document share evidence.
        grounded: The label: fully supported.
        findings: On all its claims.
        claims, quoted: Its claims, and those that are exact quotations (`supported`).
    """

    row_id: str
    document: str
    grounded: bool
    answer: str
    findings: tuple[Finding, ...]
    claims: int
    quoted: int

    def flagged(self, *names: str) -> bool:
        """Whether a finding that can block is of one of these names (see `name_of`); of any without names."""
        return any(not finding.advisory and (not names or name_of(finding) in names) for finding in self.findings)


def name_of(finding: Finding) -> str:
    """Kind and code of a finding."""
    return f"{finding.kind} {finding.code}"


def is_held_out(document: str) -> bool:
    """Half of the documents were not looked at while the rules were written."""
    return int(hashlib.sha256(document.encode()).hexdigest()[:2], 16) % 2 == 1


def claims_of(answer: str) -> list[tuple[int, int]]:
    """Where the answer's claims stand."""
    prose = read_prose(answer, (), patterns=(), known=(), language=LANGUAGE)
    return [(claim.start, claim.end) for claim in prose.claims]


def findings_of(answer: str, shown: ShownEvidence, *, question: str = "", cites: tuple[str, ...] = ()) -> list[Finding]:
    """What the engine finds on an answer: on its claims, and on the addresses of its referrals."""
    prose = read_prose(answer, (), patterns=(), known=(), language=LANGUAGE)
    found: list[Finding] = []
    for claim in prose.claims:
        text = Text(answer[claim.start : claim.end])
        found += without_repeats(findings_on(text, shown, citations=cites, question=question))
    for claim in prose.referrals if prose.claims else ():
        text = Text(answer[claim.start : claim.end])
        found += [each for each in findings_on(text, shown, question=question) if each.code in ADDRESSES]
    return found


def measure(rows: Iterable[dict[str, Any]]) -> list[Measured]:
    """Run the engine on every row, its answer as one claim per sentence."""
    cache = IndexCache(LANGUAGE, characters=_WHOLE_FILE)
    return [_measured(row, cache) for row in rows]


def _measured(row: dict[str, Any], cache: IndexCache) -> Measured:
    shown = cache.shown([(f"chunk {number}", text) for number, text in enumerate(row["chunks"], 1)])
    answer = row["answer"]
    # A row is one claim by its label even where prose would read it as none.
    spans = claims_of(answer) or [(0, len(answer))]
    findings: list[Finding] = []
    quoted = 0
    for start, end in spans:
        text = Text(answer[start:end])
        findings += findings_on(text, shown)
        chunks = [chunk_text(index.text, LANGUAGE) for _, index in shown.chunks]
        quoted += any(find_quotation(text, chunk, after=None) for chunk in chunks)
    grounded = row["grounded"] == 1
    return Measured(row["id"], row["doc_id"], grounded, answer, tuple(findings), len(spans), quoted)


def tables(options: Options) -> Iterator[Table]:
    """Of each labelled file that is there a table, and one of the half that was not looked at."""
    for path in (DATA / name for name in FILES):
        if not path.is_file():
            yield Table(f"{path.name} is not there, and not measured", (), ())
            continue
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        measured = measure(row for row in lines if not (options.seen and is_held_out(row["doc_id"])))
        alarms = [
            f"- {row.row_id}: {name_of(finding)}: {finding.reason} | {row.answer}"
            for row in measured
            for finding in (row.findings if row.grounded and options.verbatim else ())
        ]
        yield table_of(path.name, measured, alarms)
        if not options.seen:
            held_out = [row for row in measured if is_held_out(row.document)]
            yield table_of(f"{path.name}, not looked at while the rules were written", held_out)


def table_of(title: str, rows: Sequence[Measured], lines: Sequence[str] = ()) -> Table:
    """A row per rule: the number rule, each kind of finding that occurs, all of them, and those that only warn."""
    flags: dict[str, Callable[[Measured], bool]] = {
        "**absent number, date, money, ...**": lambda row: row.flagged(*NUMBERS)
    }
    every = [finding for row in rows for finding in row.findings]
    for code in sorted({name_of(finding) for finding in every if not finding.advisory}):
        flags[code] = lambda row, code=code: row.flagged(code)  # type: ignore[misc]
    flags["conflict, certain"] = lambda row: any(finding.certain for finding in row.findings)
    flags["**any finding that can block**"] = lambda row: row.flagged()
    for code in sorted({name_of(finding) for finding in every if finding.advisory}):
        flags[f"{code}, warns only"] = lambda row, code=code: any(  # type: ignore[misc]
            finding.advisory and name_of(finding) == code for finding in row.findings
        )
    good, bad = [[row for row in rows if row.grounded is label] for label in (True, False)]
    cells = []
    for name, flag in flags.items():
        false, true = sum(map(flag, good)), sum(map(flag, bad))
        alarms, finds = [bootstrap([(row.document, flag(row)) for row in side]) for side in (good, bad)]
        hits = _FAULTS_OF_AN_APP * true / len(bad) if bad else 0
        wrong = (1 - _FAULTS_OF_AN_APP) * false / len(good) if good else 0
        at_tenth = f"{100 * hits / (hits + wrong):.0f} %" if hits + wrong else ""
        cells.append([name, alarms, finds, wilson(true, true + false), at_tenth])
    quotations = [row for row in rows if row.claims and row.claims == row.quoted]
    told = wilson(len(quotations), len(rows))
    wrong_ones = sum(not row.grounded for row in quotations)
    cells.append(["supported by exact quotation, of rows", told, f"{wrong_ones} wrong", "", ""])
    about = f"{title}: {len(rows)} rows of {len({row.document for row in rows})} documents, {len(good)} grounded"
    columns = ("rule", "flagged of grounded", "found of faults", "right when it flags", "right at 10 % faults")
    return Table(about, columns, cells, lines)
