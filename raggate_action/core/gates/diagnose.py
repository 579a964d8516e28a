"""All gates on one case, in order of diagnosis, and the row that keeps the result."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from raggate_action.core.forbidden.restricted import RestrictedText
from raggate_action.core.forbidden.withholding import kept_of
from raggate_action.core.gates import answer_gates as gates_on
from raggate_action.core.gates.admissibility import AdmissibilityInput, admissibility
from raggate_action.core.gates.behaviour import Behaviour, Observed, behaviour
from raggate_action.core.gates.hallucinations import hallucinations_of
from raggate_action.core.support.claims import adjudicate
from raggate_action.core.support.custom_check import CheckIssues
from raggate_action.core.support.drafts import Reading, itemise
from raggate_action.core.support.shown import ShownContext, shown_context
from raggate_action.core.support.traced import Traced, read_trace
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseState, Claim, Hallucination
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import GATES, Failed, GateName, NotApplicable, Outcome, Passed, StageName
from raggate_action.schema.policy import Gates, Texts
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.trace import Answered, Trace, without_labels

_AFTER_FAILURE = NotApplicable(why="nothing is judged after a target or admissibility failure")
_PASSED = Passed()
_NOT_REPORTED = NotApplicable(why="the pipeline does not report candidates")
_NOT_ASKED = NotApplicable(why="the trace is written in the suite")


class Rulebook(NamedTuple):
    """What every case of a run is judged by.

    Attributes:
        gates: Levels and bars.
        pipeline: What the app is declared to report.
        store: The evidence store, or None.
        restricted: Its forbidden texts.
        reading: How answers are read.
        as_of: The moment currency is judged at, for cases that name none.
        slices_by: Fields the results are cut by.
        texts: Which texts a row may hold.
    """

    gates: Gates
    pipeline: Pipeline
    store: EvidenceStore | None
    restricted: RestrictedText
    reading: Reading
    as_of: datetime
    slices_by: tuple[str, ...] = ()
    texts: Texts = "quotes"


class Diagnosis(NamedTuple):
    """What the gates say of one case.

    Attributes:
        outcomes: Every gate, in order of diagnosis.
        first_failed_stage: The stage of the first failed block-level gate; None when none failed.
        claims: The answer's claims with verdicts; empty after an admissibility failure.
        hallucinations: Each one found.
        behaviour: Score, flag and issues; None after an admissibility failure.
        abstained: The answer declined.
        context: What the model was shown.
        trace: The trace as far as it may be written.
        withheld: The answer may repeat forbidden text and is written nowhere; `trace` is without its words.
    """

    outcomes: dict[GateName, Outcome]
    first_failed_stage: StageName | None
    claims: tuple[Claim, ...]
    hallucinations: tuple[Hallucination, ...]
    behaviour: Behaviour | None
    abstained: bool
    context: ShownContext
    trace: Trace
    withheld: bool


def diagnose(case: Case, answered: Answered, rules: Rulebook, *, custom: CheckIssues | None = None) -> Diagnosis:
    """Put one trace through every gate.

    After an admissibility failure nothing else is judged: no score rescues it (rules 1).

    Args:
        case: The case.
        answered: Its trace; labels in it count only when it came labelled.
        rules: What the run judges by.
        custom: What the case's custom check said.
    """
    trace = answered.trace if answered.labelled else without_labels(answered.trace)
    trace, leak = kept_of(trace, case, rules.restricted, pipeline=rules.pipeline)
    traced = read_trace(trace)
    reading = rules.reading
    context = shown_context(traced.chunks, rules.store, language=reading.language, own_addresses=reading.own_addresses)
    given = AdmissibilityInput(rules.pipeline, rules.store, case.as_of or rules.as_of, leak)
    admitted = admissibility(case, traced, given)
    outcomes: dict[GateName, Outcome] = {
        "target": _PASSED if case.trace is None else _NOT_ASKED,
        "admissibility": admitted,
    }
    if isinstance(admitted, Failed):
        outcomes |= dict.fromkeys((gate for gate in GATES if gate not in outcomes), _AFTER_FAILURE)
        stage, withheld = first_failed_stage(outcomes, rules.gates), not leak.is_none
        return Diagnosis(
            outcomes, stage, (), (), None, abstained=False, context=context, trace=trace, withheld=withheld
        )
    judged = _judged(case, traced, context, rules)
    outcomes |= _answer_outcomes(judged, traced, rules)
    reported = traced.trace.latency_ms
    latency = reported if reported is not None else answered.latency_ms
    shown = Observed(judged.text, traced.trace.tool_names, latency, custom)
    behaved = behaviour(case, shown, rules.gates.behaviour)
    outcomes["behaviour"] = behaved.outcome
    return Diagnosis(
        outcomes,
        first_failed_stage(outcomes, rules.gates),
        judged.claims,
        hallucinations_of(judged, behaved.phrases),
        behaved,
        abstained=judged.drafts.declined is True,
        context=context,
        trace=trace,
        withheld=False,
    )


def first_failed_stage(outcomes: dict[GateName, Outcome], gates: Gates) -> StageName | None:
    """The stage that owns the repair: the first failed gate at level `block`.

    Args:
        outcomes: In order of diagnosis.
        gates: Levels.
    """
    for gate, outcome in outcomes.items():
        if outcome.kind == "failed" and getattr(gates, gate).level == "block":
            return GATES[gate].stage
    return None


def case_state(outcomes: dict[GateName, Outcome], stage: StageName | None, gates: Gates) -> CaseState:
    """Passed when no block-level gate failed and none is unmeasured; failed beats unmeasured (rules 1)."""
    if stage is not None:
        return "failed"
    return "unmeasured" if _unmeasured_at_block_level(outcomes, gates) else "passed"


def _unmeasured_at_block_level(outcomes: dict[GateName, Outcome], gates: Gates) -> bool:
    """Whether a block-level gate went unmeasured for a reason that counts; `no-adjudicator` only warns (rules 1)."""
    return any(
        outcome.reason != "no-adjudicator" and getattr(gates, gate).level == "block"
        for gate, outcome in outcomes.items()
        if outcome.kind == "unmeasured"
    )


def _judged(case: Case, traced: Traced, context: ShownContext, rules: Rulebook) -> gates_on.Judged:
    reply = traced.reply
    known = rules.store if rules.store is not None else frozenset().union(*traced.stages.values())
    drafts = itemise(reply, context, known=known, reading=rules.reading)
    text = reply.text or " ".join(draft.text for draft in drafts.claims)
    return gates_on.Judged(case, text, drafts, adjudicate(drafts, case.points, context, question=case.asked), context)


def _answer_outcomes(judged: gates_on.Judged, traced: Traced, rules: Rulebook) -> dict[GateName, Outcome]:
    case, gates = judged.case, rules.gates
    candidates, context = traced.stages.get("candidates"), traced.stages.get("context")
    outcomes: dict[GateName, Outcome] = {}
    if judged.abstained_as_expected:
        outcomes |= dict.fromkeys(("candidate_recall", "context_recall", "context_precision"), gates_on.DECLINED)
    else:
        required = case.required_source_ids
        recall = gates_on.source_recall
        outcomes["candidate_recall"] = (
            _NOT_REPORTED
            if candidates is None
            else recall(required, candidates, "candidates", per_case=gates.candidate_recall.per_case)
        )
        outcomes["context_recall"] = recall(required, context, "context", per_case=gates.context_recall.per_case)
        outcomes["context_precision"] = gates_on.context_precision(
            case, context, per_case=gates.context_precision.per_case
        )
    outcomes["answered"] = gates_on.answered(judged)
    outcomes["faithfulness"] = gates_on.faithfulness(judged, per_case=gates.faithfulness.per_case)
    outcomes["citation_support"] = gates_on.citation_support(
        judged, citations_declared=rules.pipeline.citations, per_case=gates.citation_support.per_case
    )
    outcomes["citation_coverage"] = gates_on.citation_coverage(judged, per_case=gates.citation_coverage.per_case)
    outcomes["point_coverage"] = gates_on.point_coverage(judged, per_case=gates.point_coverage.per_case)
    if case.expect == "abstain" and (undecided := judged.undecided):
        # None of them applies if it declined.
        return {gate: undecided if outcome.kind == "failed" else outcome for gate, outcome in outcomes.items()}
    return outcomes
