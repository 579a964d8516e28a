"""SARIF 2.1.0 for code scanning: a result for each case that fails, on its own line, without foreign words.

Whoever reads the alerts of a repository reads these lines, so no word of an answer, a question or a chunk is in them.
"""

from __future__ import annotations

import hashlib
import heapq
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from raggate_action.report.catalogue import STAGES
from raggate_action.report.comment_size import gate_name
from raggate_action.report.escape import log_line
from raggate_action.report.origin_view import place_of
from raggate_action.report.page_cases import ListedCase
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATES
from raggate_action.strings.visible_text import cut

MOST_RESULTS: Final = 500
_KNOWN_BAD: Final = "known_bad_blocked"
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


class _Found(NamedTuple):
    """A result in the order of the file: the heavier case first, then the suite's order."""

    weight: float
    position: int
    rule: str
    result: dict[str, Any]


class SarifResults:
    """The results of a run, the heaviest cases' alone; cases are added one at a time."""

    def __init__(self, reporting: Reporting, *, root: str = "") -> None:
        """Begin.

        Args:
            reporting: The run.
            root: The working directory of the run, seen from the top of the repository.
        """
        self.reporting = reporting
        self.total = self.outside = 0
        self._root = root
        self._found: list[_Found] = []

    def add(self, row: CaseRun, case: ListedCase) -> None:
        """Add a case; nothing comes of one that does not fail."""
        if case.state not in {"failed", "not-blocked"}:
            return
        run = self.reporting.run
        if case.state == "not-blocked":
            rule, what = _KNOWN_BAD, "is a known-bad answer that was not blocked"
        elif case.gate is not None:
            rule, what = case.gate, f"fails {gate_name(case.gate)}"
        else:
            rule = next(iter(run.failed_for.get(row.case_id, ())), "target")
            what = f"is named by {gate_name(rule)}, which blocks the run"
        self.total += 1
        file, line = place_of(row, self._root)
        if not file:
            self.outside += 1
            return
        uri = quote(file, safe="/-_.~", errors="replace")
        name = log_line(cut(row.case_id, 80)) or "(no name)"
        key = f"{run.suite}\0{row.case_id}\0{rule}".encode(errors="surrogatepass")
        result: dict[str, Any] = {
            "ruleId": rule,
            "level": "error",
            "message": {"text": f"Case {name} {what}."},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}],
            "partialFingerprints": {"primaryLocationLineHash": f"{hashlib.sha256(key).hexdigest()[:16]}:1"},
        }
        self._found.append(_Found(-row.weight, row.position, rule, result))
        if len(self._found) >= 2 * MOST_RESULTS:
            self._found = self.kept()

    def kept(self) -> list[_Found]:
        """Those that are listed."""
        return heapq.nsmallest(MOST_RESULTS, self._found, key=lambda each: each[:2])


def sarif_log(found: SarifResults) -> dict[str, Any]:
    """The whole file; no more than `MOST_RESULTS` results, and a notification says how many were left out."""
    run, kept, total, outside = found.reporting.run, found.kept(), found.total, found.outside
    left_out = total - outside - len(kept)
    results = [
        *([f"{len(kept)} of {total} results are listed, those of the heaviest cases first."] if left_out else []),
        *([f"{outside} results have no place: their cases are written outside of the repository."] if outside else []),
    ]
    rules = sorted({each.rule for each in kept})
    driver = {
        "name": "raggate",
        "version": log_line(cut(run.provenance.raggate_version, 80)) or "unknown",
        "rules": [_rule(rule) for rule in rules],
    }
    invocation: dict[str, Any] = {"executionSuccessful": run.decision.kind != "inconclusive"}
    if results:
        invocation["toolExecutionNotifications"] = [{"level": "note", "message": {"text": each}} for each in results]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "automationDetails": {"id": f"raggate/{quote(run.suite, safe='', errors='replace')[:100]}/"},
                "invocations": [invocation],
                "results": [{**each.result, "ruleIndex": rules.index(each.rule)} for each in kept],
            }
        ],
    }


def _rule(rule: str) -> dict[str, Any]:
    if rule == _KNOWN_BAD:
        words, repair = "A known-bad answer was not blocked", "the gate that should block it"
    elif rule in GATES:
        stage = next(stage for gate, stage in GATES.items() if gate == rule)
        words, repair = f"A case fails {gate_name(rule)} ({stage})", STAGES[stage]["repair"]
    else:
        words, repair = f"{gate_name(rule).capitalize()} blocks the run and names a case", "what the comment says of it"
    return {
        "id": rule,
        "shortDescription": {"text": f"{words}."},
        "fullDescription": {"text": f"{words}. Repair first: {repair}."},
        "help": {"text": f"Repair first: {repair}. All about a case: raggate-action explain CASE"},
        "defaultConfiguration": {"level": "error"},
    }
