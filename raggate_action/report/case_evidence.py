"""What speaks against an answer: the chunk that says otherwise, or why its first failing gate fails it."""

from __future__ import annotations

from raggate_action.report.decision_words import problem_in_words
from raggate_action.report.page import Code, Foreign, Text
from raggate_action.report.report_input import Reporting
from raggate_action.report.vote_view import votes_in_short
from raggate_action.schema.case_run import CaseRun, Hallucination
from raggate_action.schema.outcome import GATES, Failed, GateName
from raggate_action.strings.visible_text import cut

_AGAINST_EVIDENCE: frozenset[GateName] = frozenset({"faithfulness"})


def evidence_line(row: CaseRun, reporting: Reporting, words: int) -> Text:
    """The hallucination and the chunk against it, else why the first failing gate fails the case.

    Where that gate holds answers against evidence, again the chunk that speaks against the answer.
    """
    comparison = reporting.comparison
    by_base = comparison.policy.failing if comparison is not None and comparison.policy is not None else ()
    suite = f"by the {reporting.base_name}'s suite, " if row in by_base else ""
    known = {each.key for each in comparison.found("hallucination_rate")} if comparison is not None else set()
    first: Hallucination | None = next((each for each in row.hallucinations if each.key in known), None)
    failed = _failed_first(row, reporting, suite)
    if first is None and failed is not None and failed[0] not in _AGAINST_EVIDENCE:
        return _why(suite, failed[1], words)
    first = first or next(iter(row.hallucinations), None)
    votes = _votes(row, first)
    if first is not None and first.chunk_id and (first.quote or not first.text):
        # What had to be declined may be true: the chunk is the nearest to it, and says nothing against it.
        label = "nearest evidence:" if first.kind == "answered" else "evidence:"
        quote: Text = (" “", Foreign(cut(first.quote, words)), "”") if first.quote else ""
        return label, " ", Code(cut(first.chunk_id, 80)), quote, votes
    findings = [each for claim in row.claims for each in claim.findings if not each.advisory and each.reason]
    if findings:
        return "evidence:", " ", Foreign(cut(findings[0].reason, words)), votes
    if failed is not None:
        return _why(suite, failed[1], words), votes
    return "why:", f" it fails at {row.first_failed_stage}" if row.first_failed_stage else " it is false", votes


def _why(suite: str, failed: Failed, words: int) -> Text:
    return "why:", f" {suite}", Foreign(cut(problem_in_words(failed.problems[0]), words), "a gate failed")


def _votes(row: CaseRun, found: Hallucination | None) -> str:
    """The judges' votes on the claim; empty where no judge was called."""
    claims = [claim for claim in row.claims if found is not None and claim.votes and claim.text == found.text]
    return f" · {votes_in_short(claims[0])}" if claims else ""


def _failed_first(row: CaseRun, reporting: Reporting, suite: str) -> tuple[GateName, Failed] | None:
    """The first gate in the order of diagnosis that fails the case: one that warns, is off or is waived does not.

    Of a row that counts by the base branch's suite its own stage tells, for the levels of that suite are not the run's.
    """
    levels = reporting.run.policy.gates
    waived = {each.gate for each in reporting.listed.waived if each.case_id == row.case_id}
    for gate in GATES:
        outcome = row.outcomes.get(gate)
        if not isinstance(outcome, Failed) or gate in waived:
            continue
        if GATES[gate] == row.first_failed_stage if suite else levels.of(gate).level == "block":
            return gate, outcome
    return None
