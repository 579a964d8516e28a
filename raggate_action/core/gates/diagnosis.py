"""All gates on one case, in order of diagnosis: the first and the third of the steps an answer is judged in.

- `draft`, pure: a trace becomes claims. What is certain without asking anybody stands in it: what admissibility says,
  and the verdicts by labels, quotation and rules. What these leave `unverified` is open.
- The second step is awaited and lies outside the core: somebody is asked for what is open (a custom check, a judge).
- `gate`, pure: draft and verdicts become outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from raggate_action.core.claims.claim_extraction import Drafts, Reading, itemise
from raggate_action.core.claims.claim_verdicts import adjudicate
from raggate_action.core.claims.indexed_trace import Traced, read_trace
from raggate_action.core.claims.model_context import Beside, ShownContext, context_of
from raggate_action.core.counting.case_state import first_failed_stage
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.disclosure.withholding import kept_of, repeated_by_claims
from raggate_action.core.gates import answer_gates as gates_on
from raggate_action.core.gates.admissibility import admissibility, own_evidence
from raggate_action.core.gates.baseline_suite import BaselineRules
from raggate_action.core.gates.hallucination_key import hallucinations_of
from raggate_action.core.gates.judged_gates import judged_outcomes
from raggate_action.core.gates.outdated_labels import OutdatedLabels
from raggate_action.core.gates.phrase_tool_latency_gates import Behaviour, Observation, behaviour, of_no_answer, slow
from raggate_action.core.gates.required_sources import Recall, context_precision, recall_musts, source_recall
from raggate_action.core.judging.facts_and_criteria import AnswerItem, judged_items
from raggate_action.core.judging.undecided_claims import open_points, with_panel_decline, with_points
from raggate_action.core.text.languages.common_words import language_read
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import Claim, Hallucination, LabelPassage, Musts
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.later import AnswerVotes, AskedJudge, ByRules
from raggate_action.schema.outcome import (
    GATES_OF_ALL,
    Failed,
    GateName,
    NotApplicable,
    Outcome,
    Passed,
    Problem,
    StageName,
    Unmeasured,
)
from raggate_action.schema.policy import Gates, Texts
from raggate_action.schema.reply_limits import claims_problem, reply_problem
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.trace import Answered, Trace, without_labels
from raggate_action.schema.verdicts import CheckIssues, Verdicts

_AFTER_FAILURE = NotApplicable(why="nothing is judged after a target or admissibility failure")
_PASSED = Passed()
_IS_JUDGED, _IS_ARMED = attrgetter("judged"), attrgetter("armed")
_NOT_REPORTED = NotApplicable(why="the pipeline does not report candidates")
_NOT_ASKED = NotApplicable(why="the trace is written in the suite")
# They hold an answer against evidence, or evidence against what the suite asks of it.
_ON_EVIDENCE: tuple[GateName, ...] = (
    "candidate_recall",
    "context_recall",
    "context_precision",
    "faithfulness",
    "citation_support",
    "citation_coverage",
    "point_coverage",
)
_EMPTY = "context-empty"
# Chunks that tell the language of a short answer.
_TELLING = 3
DECLINED_OVER_NOTHING = "declined-over-nothing"
_DECLINED = "it declined, with no evidence found: if that is right, write expect: abstain"
_NO_CONTEXT = NotApplicable(why="the app reports no context")


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
        baseline: What of a baseline each answer is held against; None without one.
        has_judges: The suite names judges.
        keeps_drafts: What is evaluated keeps its draft, for judges who compare answers whole.
        common: Keys of values that many answers of the run give, whatever was asked.
        of_stored: The answers are those of a stored run, whose rows alone are wanted.
        own_evidence: They are judged with the chunks of their own traces, as they were then.
    """

    gates: Gates
    pipeline: Pipeline
    store: EvidenceStore | None
    restricted: RestrictedText
    reading: Reading
    as_of: datetime
    slices_by: tuple[str, ...] = ()
    texts: Texts = "quotes"
    baseline: BaselineRules | None = None
    has_judges: bool = False
    keeps_drafts: bool = False
    common: frozenset[str] = frozenset()
    of_stored: bool = False
    own_evidence: bool = False

    def read_in(self, language: str) -> Rulebook:
        """The same, with answers read in this language."""
        if language == self.reading.language:
            return self
        return self._replace(reading=self.reading._replace(language=language))

    def passages_before(self, case: Case) -> Mapping[str, LabelPassage]:
        """Where the labels of a case stood on the baseline, by their names."""
        past = self.baseline.cases.get(case.case_id) if self.baseline is not None else None
        return {each.label: each for each in past.passages} if past is not None else {}


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
        judges: Who was to be asked about it.
        answer_votes: What judges said beside facts, criteria and relevance; None where nobody was asked.
        recalled: See `CaseRun`.
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
    judges: tuple[AskedJudge, ...] = ()
    answer_votes: AnswerVotes | None = None
    recalled: Musts | None = None


class Drafted(NamedTuple):
    """An answer that may be judged, before its gates.

    Attributes:
        case: The case.
        answered: The answer as it came; it holds nothing that its asker may not read.
        traced: Its trace, read; labels count in it only when it came labelled.
        context: What the model was shown.
        admitted: The outcome of admissibility, which is not a failure.
        drafts: The answer, itemised.
        claims: Its claims with the verdicts that labels, quotation and rules give; open are those `unverified`.
        outdated: Tells which of the case's labels are out of date.
        items: What people wrote of a right answer, that judges alone can hold it against.
    """

    case: Case
    answered: Answered
    traced: Traced
    context: ShownContext
    admitted: Outcome
    drafts: Drafts
    claims: tuple[Claim, ...]
    outdated: OutdatedLabels
    items: tuple[AnswerItem, ...] = ()


def draft(case: Case, answered: Answered, rules: Rulebook, *, repeated: tuple[str, ...] = ()) -> Drafted | Diagnosis:
    """Read a trace into claims, by rules alone.

    Args:
        case: The case.
        answered: Its trace; labels in it count only when it came labelled.
        rules: What the run judges by.
        repeated: Forbidden chunks that the answer is known to repeat, by id.

    Returns:
        The diagnosis itself where nothing is left to judge: after an admissibility failure no score rescues it, and an
        answer that is too much to be judged fails at its target.
    """
    if problem := reply_problem(answered.trace):
        return _not_judged(answered.trace, problem, rules)
    trace = answered.trace if answered.labelled else without_labels(answered.trace)
    trace, leak = kept_of(trace, case, rules.restricted, pipeline=rules.pipeline, repeated=repeated)
    traced = read_trace(trace)
    rules, gone = _own_rules(case, traced, rules)
    declared = rules.reading.language
    said = traced.reply.text or " ".join([claim.text for claim in traced.reply.claims or ()])
    rules = rules.read_in(language_read(declared, said, _beside(case, traced, rules.store)))
    reading = rules.reading
    context = context_of(
        traced.chunks,
        rules.store,
        language=reading.language,
        beside=Beside(reading.own_addresses, case, trace, rules.common),
    )
    if gone:
        to_renew = Unmeasured(reason="trace", detail=f"the text of {', '.join(gone)} is not at hand any more")
        return _inadmissible({"target": to_renew}, rules, context, trace, withheld=not leak.is_none)
    as_of = case.as_of or rules.as_of
    admitted = admissibility(case, traced, rules.pipeline, rules.store, as_of=as_of, leak=leak)
    if isinstance(admitted, Failed):
        outcomes = _before_judging(case, _unless_declined(admitted, case, traced, context, rules))
        return _inadmissible(outcomes, rules, context, trace, withheld=not leak.is_none)
    drafts = _drafts(case, traced, context, rules)
    if problem := claims_problem(len(drafts.claims)):
        return _not_judged(trace, problem, rules)
    # What only its reading into claims brings to light counts like what the trace says itself.
    read = (claim.text for claim in drafts.claims)
    if not repeated and (found := repeated_by_claims(read, case, rules.restricted, context.ids)):
        return draft(case, answered, rules, repeated=found)
    stood = rules.passages_before(case)
    outdated = OutdatedLabels(case, context, stood, rules.store, reading.language, as_of)
    claims = adjudicate(drafts, case.points, context, question=case.asked)
    if stood and any(claim.labelled and claim.verdict == "unsupported" for claim in claims):
        points = outdated.without_outdated_support()
        claims = adjudicate(drafts, points, context, question=case.asked)
    items = judged_items(case, language=declared, has_judges=rules.has_judges, repeated_in=rules.restricted.repeated_in)
    return Drafted(case, answered, traced, context, admitted, drafts, claims, outdated, items)


def gate(drafted: Drafted, verdicts: Verdicts, rules: Rulebook) -> Diagnosis:
    """Put a drafted answer through every gate.

    Args:
        drafted: The answer.
        verdicts: On its claims, and what its custom check says.
        rules: What the run judges by.
    """
    case, traced = drafted.case, drafted.traced
    rules, _gone = _own_rules(case, traced, rules)
    text = traced.reply.text or " ".join(each.text for each in drafted.drafts.claims)
    judged = _judged(drafted, verdicts, text)
    outcomes = _before_judging(case, drafted.admitted)
    candidates, context = _recall(judged, traced, rules)
    outcomes |= _answer_outcomes(judged, traced, rules, candidates.outcome, context.outcome)
    latency = traced.trace.latency_ms if traced.trace.latency_ms is not None else drafted.answered.latency_ms
    observed = Observation(text, traced.trace.tool_names, latency, verdicts.check, judged.outdated.of_label)
    behaved = behaviour(case, observed, rules.gates.behaviour)
    behaved = of_no_answer(behaved, case) if judged.says_nothing else behaved
    outcomes["behaviour"] = behaved.outcome
    outcomes["slow"] = slow(case, latency)
    outcomes |= judged_outcomes(judged, drafted.items, verdicts.answer_votes, rules.gates)
    return Diagnosis(
        outcomes,
        first_failed_stage(outcomes, rules.gates),
        judged.claims,
        hallucinations_of(judged, behaved.phrases),
        behaved,
        abstained=judged.drafts.declined is True,
        context=drafted.context,
        trace=traced.trace,
        withheld=False,
        judges=judged.judges,
        answer_votes=verdicts.answer_votes,
        recalled=recall_musts(candidates, context),
    )


def _judged(drafted: Drafted, verdicts: Verdicts, text: str) -> gates_on.JudgedAnswer:
    """The answer with the panel's word where rules left something open, and with no other word of it."""
    drafts = with_panel_decline(drafted.drafts, verdicts.claims, declines=verdicts.declines)
    claims, names = verdicts.claims, frozenset[str]()
    if verdicts.points:
        left = {point.id for point in open_points(drafted.case, drafts, claims)}
        names = frozenset([each.point for each in verdicts.points if each.point in left])
        claims = with_points(claims, verdicts.points, names)
    case, context, outdated = drafted.case, drafted.context, drafted.outdated
    is_silent = drafts.declined is True or not claims
    return gates_on.JudgedAnswer(
        case,
        text,
        drafts,
        claims,
        context,
        outdated,
        verdicts.judges,
        names,
        abstained_as_expected=case.expect == "abstain" and is_silent,
        says_nothing=case.expect == "answer" and is_silent,
    )


def rule_verdicts(drafted: Drafted, check: CheckIssues | None = None) -> Verdicts:
    """The verdicts of rules alone: what is open stays `unverified`."""
    return Verdicts(claims=drafted.claims, check=check)


def keyless_outcomes(found: Diagnosis, drafted: Drafted, verdicts: Verdicts, rules: Rulebook) -> ByRules | None:
    """How an answer comes out without its panel; None where that is the same, or no judge counted.

    Args:
        found: As it comes out with the panel.
        drafted: The answer.
        verdicts: On its claims, and what its custom check says.
        rules: What it is judged by.
    """
    judges = (*verdicts.judges, *(verdicts.answer_votes.judges if verdicts.answer_votes is not None else ()))
    if not (any(map(_IS_ARMED, judges)) or any(map(_IS_JUDGED, verdicts.claims))):
        return None
    alone = gate(drafted, rule_verdicts(drafted, verdicts.check), rules)
    outcomes = {name: outcome for name, outcome in alone.outcomes.items() if outcome != found.outcomes[name]}
    musts = alone.behaviour.musts if alone.behaviour is not None else None
    behaved = found.behaviour.musts if found.behaviour is not None else None
    if not outcomes and (alone.hallucinations, musts) == (found.hallucinations, behaved):
        return None
    from raggate_action.schema.answer_votes import ByRules

    return ByRules(outcomes=outcomes, hallucinations=alone.hallucinations, musts=musts)


def diagnose(case: Case, answered: Answered, rules: Rulebook) -> Diagnosis:
    """Put one trace through every gate by rules alone."""
    drafted = draft(case, answered, rules)
    return gate(drafted, rule_verdicts(drafted), rules) if isinstance(drafted, Drafted) else drafted


def _own_rules(case: Case, traced: Traced, rules: Rulebook) -> tuple[Rulebook, tuple[str, ...]]:
    """The rules for a case; where its trace is an old one with the evidence of that, and what of it is not at hand.

    A known-bad case that must be blocked at admissibility is judged by the store of today.
    """
    is_old = rules.own_evidence or case.blocked_at not in {None, "admissibility"}
    if rules.store is None or not is_old:
        return rules, ()
    store, gone = own_evidence(case, traced, rules.store)
    return rules._replace(store=store), gone


def _beside(case: Case, traced: Traced, store: EvidenceStore | None) -> Iterator[str]:
    """Question and first chunks of an answer, which are in its language where it is too short to tell."""
    yield case.asked
    for chunk in traced.chunks[:_TELLING]:
        known = store.get(chunk.chunk_id) if store is not None else None
        yield known.text if known is not None else chunk.text or ""


def _unless_declined(admitted: Failed, case: Case, traced: Traced, context: ShownContext, rules: Rulebook) -> Failed:
    """Of an answer that was given nothing and declines nothing is wrong, unless its question has an answer."""
    if [each.code for each in admitted.problems] != [_EMPTY] or not _drafts(case, traced, context, rules).declined:
        return admitted
    return Failed(problems=(Problem(code=DECLINED_OVER_NOTHING, detail=_DECLINED),))


def _before_judging(case: Case, admitted: Outcome) -> dict[GateName, Outcome]:
    return {"target": _PASSED if case.trace is None else _NOT_ASKED, "admissibility": admitted}


def _inadmissible(
    outcomes: dict[GateName, Outcome], rules: Rulebook, context: ShownContext, trace: Trace, *, withheld: bool
) -> Diagnosis:
    outcomes |= dict.fromkeys((gate for gate in GATES_OF_ALL if gate not in outcomes), _AFTER_FAILURE)
    stage = first_failed_stage(outcomes, rules.gates)
    return Diagnosis(outcomes, stage, (), (), None, abstained=False, context=context, trace=trace, withheld=withheld)


def _not_judged(trace: Trace, problem: str, rules: Rulebook) -> Diagnosis:
    failed = Failed(problems=(Problem(code="target-error", detail=f"off schema: {problem}"),))
    return _inadmissible({"target": failed}, rules, ShownContext(()), trace, withheld=False)


def _drafts(case: Case, traced: Traced, context: ShownContext, rules: Rulebook) -> Drafts:
    known = rules.store if rules.store is not None else frozenset().union(*traced.stages.values())
    return itemise(traced.reply, context, known=known, reading=rules.reading, case=case)


def _recall(judged: gates_on.JudgedAnswer, traced: Traced, rules: Rulebook) -> tuple[Recall, Recall]:
    """Gates 2 and 3; an expected decline requires no source."""
    case, gates, outdated = judged.case, rules.gates, judged.outdated
    if judged.abstained_as_expected:
        return Recall(gates_on.DECLINED), Recall(gates_on.DECLINED)
    candidates = Recall(_NOT_REPORTED)
    if "candidates" in traced.stages:
        candidates = source_recall(case, traced, "candidates", outdated, per_case=gates.candidate_recall.per_case)
    return candidates, source_recall(case, traced, "context", outdated, per_case=gates.context_recall.per_case)


def _answer_outcomes(
    judged: gates_on.JudgedAnswer, traced: Traced, rules: Rulebook, candidates: Outcome, context: Outcome
) -> dict[GateName, Outcome]:
    case, gates = judged.case, rules.gates
    outcomes: dict[GateName, Outcome] = {"candidate_recall": candidates, "context_recall": context}
    outcomes["context_precision"] = (
        gates_on.DECLINED
        if judged.abstained_as_expected
        else context_precision(case, traced, judged.outdated, per_case=gates.context_precision.per_case)
    )
    outcomes["answered"] = gates_on.answered(judged)
    on_values = gates.new_suspects.level == "block"
    per_case = gates.faithfulness.per_case
    outcomes["faithfulness"] = gates_on.faithfulness(judged, per_case=per_case, on_values=on_values)
    if rules.pipeline.citations:
        outcomes["citation_support"] = gates_on.citation_support(judged, per_case=gates.citation_support.per_case)
        outcomes["citation_coverage"] = gates_on.citation_coverage(judged, per_case=gates.citation_coverage.per_case)
    else:
        outcomes["citation_support"] = outcomes["citation_coverage"] = gates_on.CITATIONS_UNDECLARED
    outcomes["point_coverage"] = gates_on.point_coverage(judged, per_case=gates.point_coverage.per_case)
    if rules.pipeline.has_no_context and "context" not in traced.stages:
        # That an answer was given where none was possible needs no evidence to be seen.
        left = {"faithfulness"} if case.expect == "abstain" else set()
        outcomes |= {gate: _NO_CONTEXT for gate in _ON_EVIDENCE if gate in outcomes and gate not in left}
    if case.expect == "abstain" and (undecided := judged.undecided):
        # None of them applies if it declined.
        return {gate: undecided if outcome.kind == "failed" else outcome for gate, outcome in outcomes.items()}
    return outcomes
