"""What a document that moved or says otherwise now makes fail, and the waivers that let the run through as it is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from raggate_action.report.page import Text
from raggate_action.report.report_input import Reporting
from raggate_action.report.waiver_to_copy import case_waivers
from raggate_action.schema.base import meets, rate_of
from raggate_action.schema.case import RequiredPoint
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.decision import FailedCase, GateReason, RunGate
from raggate_action.schema.outcome import GATES, Failed, GateName, Problem, RunGateName
from raggate_action.schema.policy import POORER
from raggate_action.strings.passages import folded_quote

QUOTE_CHANGED = "quote-changed"
_RECALL: tuple[GateName, ...] = ("candidate_recall", "context_recall")
# More are no line to copy: the cases are labelled anew.
_MOST = 20
# What the labels of a case say once its document is gone or says otherwise; nothing that is false of any document.
_OF_LABELS = frozenset((
    QUOTE_CHANGED, "quote-missing", "source-missing", "lost-in-reranking", "not-in-candidates", "not-in-rerank-input",
    "not-in-reranked", "noise-in-context", "declined", "point-missing", "phrase-missing",
))  # fmt: skip
# Gates on the run that fail for nothing but cases which fail otherwise too.
_OF_CASES: frozenset[RunGateName] = frozenset((*GATES, "slices", "must_release", "newly_missed", "newly_unanswered"))


def changed_quote(row: CaseRun) -> Problem | None:
    """What the document says in the place of a required quote, waived or not; None where no quote has changed."""
    return next((each for gate in _RECALL for each in _problems(row, gate) if each.code == QUOTE_CHANGED), None)


def is_of_changed_quote(problem: Problem, row: CaseRun) -> bool:
    """Whether required words are others now, or a point is missed whose value stood in them and does not now."""
    if problem.code != "point-missing":
        return problem.code == QUOTE_CHANGED
    if (changed := changed_quote(row)) is None or row.demands is None:
        return False
    points = [each for each in row.demands.required_points or () if isinstance(each, RequiredPoint)]
    phrases = [phrase for each in points if each.id == problem.detail for phrase in _phrases(each)]
    quotes = [folded_quote(each) for each in row.demands.required_quotes or ()]
    stood = [phrase for phrase in phrases if any(phrase in quote for quote in quotes)]
    return bool(stood) and not any(phrase in folded_quote(changed.detail) for phrase in stood)


def lost_a_source(rows: Iterable[CaseRun], reporting: Reporting) -> frozenset[str]:
    """The cases that have not found, or not kept, a source that they had on the baseline."""
    missed = reporting.comparison.newly_missed if reporting.comparison is not None else ()
    ids = {each.case_id for each in missed}
    return frozenset(
        [row.case_id for row in rows if row.case_id in ids and any(_problems(row, gate) for gate in _RECALL)]
    )


def lost_source_waivers(reporting: Reporting) -> Text:
    """The waivers of all such cases and gates in one piece; empty where they would not let the run through.

    They would not where another case, or anything but labels on a source, makes a gate fail.
    """
    found: dict[tuple[str, RunGateName], None] = {}
    lost = lost_a_source(reporting.listed.failing, reporting)
    if len(lost) > _MOST:
        return ""
    for row in reporting.listed.failing:
        if row.case_id in lost or changed_quote(row) is not None:
            found.update(dict.fromkeys([(row.case_id, gate) for gate in _failed_by_labels(row, reporting)]))
    ids = {case_id for case_id, _gate in found}
    are_all = len(ids) == reporting.run.counts.failed
    for reason in reporting.run.decision.reasons:
        if not isinstance(reason, GateReason) or reason.gate.status != "failed":
            return ""
        gate = reason.gate
        offenders = [each.case_id for each in gate.offenders if isinstance(each, FailedCase) and not each.carried]
        are_named = len(offenders) == gate.offending and ids.issuperset(offenders)
        if gate.gate == POORER and are_named:
            found.update(dict.fromkeys([(case_id, POORER) for case_id in offenders]))
        elif gate.gate not in _OF_CASES or not (are_all or are_named or _meets_its_bar(gate, found)):
            return ""
    return case_waivers(list(found), reporting) if 0 < len(found) <= _MOST else ""


def _meets_its_bar(gate: RunGate, waived: Collection[tuple[str, RunGateName]]) -> bool:
    """Whether enough of the cases that are left pass, once the waived ones count for nothing."""
    if (
        gate.bar.each
        or gate.bar.unit != "share"
        or gate.bar.operator != ">="
        or gate.passed is None
        or gate.scored is None
    ):
        return False
    left = gate.scored - sum(name == gate.gate for _case, name in waived)
    return left > 0 and meets(rate_of(gate.passed, left), gate.bar.amount)


def _failed_by_labels(row: CaseRun, reporting: Reporting) -> list[GateName]:
    """The blocking gates to waive; none where the case fails by more than the labels on its source."""
    gates = _failed_gates(row, reporting)
    are_labels = all(each.code in _OF_LABELS for gate in gates for each in _problems(row, gate))
    return gates if are_labels and not (row.hallucinations or row.flagged) else []


def _failed_gates(row: CaseRun, reporting: Reporting) -> list[GateName]:
    """The blocking gates that a case fails and no waiver covers."""
    policy, day = reporting.run.policy, reporting.run.decided_on
    covered = {
        each.gate
        for each in policy.waivers
        if each.case == row.case_id and each.expires >= day and each.hallucination is None
    }
    blocking = [gate for gate in GATES if policy.gates.of(gate).level == "block" and gate not in covered]
    return [gate for gate in blocking if _problems(row, gate)]


def _problems(row: CaseRun, gate: GateName) -> tuple[Problem, ...]:
    """Why a case fails a gate; empty where it does not."""
    outcome = row.outcomes.get(gate)
    return outcome.problems if isinstance(outcome, Failed) else ()


def _phrases(point: RequiredPoint) -> Iterator[str]:
    yield from map(folded_quote, (*point.answer_phrases, *point.support_phrases))
