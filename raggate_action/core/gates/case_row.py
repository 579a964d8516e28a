"""The row of `cases.jsonl`: what is kept of one case, and what must not be."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from raggate_action.core.counting.case_state import case_state, first_failed_stage, with_state
from raggate_action.core.counting.chunk_sources import documents_of
from raggate_action.core.disclosure.withholding import (
    ids_only,
    permitted_error,
    permitted_issues,
    without_forbidden,
)
from raggate_action.core.gates.baseline_suite import BaselineRules, BaselineSuite, asks_the_same, check_by_baseline
from raggate_action.core.gates.diagnosis import (
    Diagnosis,
    Drafted,
    Rulebook,
    draft,
    gate,
    keyless_outcomes,
    rule_verdicts,
)
from raggate_action.core.gates.outdated_labels import passages_of
from raggate_action.core.text.idle_words import IdleWords
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case import Case, PlacedCase, phrase_in_words
from raggate_action.schema.case_run import Ask, CaseRun, CaseState, Tools
from raggate_action.schema.later import AnswerAlone, BesideMain, MainAnswer, OwnRate
from raggate_action.schema.outcome import (
    GATES_OF_ALL,
    Failed,
    GateName,
    NotApplicable,
    Outcome,
    Problem,
    Unmeasured,
)
from raggate_action.schema.slices import slice_names
from raggate_action.schema.trace import STAGES, Answered, Grounds, NoTrace, Reply, TargetFailure, Trace
from raggate_action.schema.verdicts import CheckIssues, Verdicts

if TYPE_CHECKING:
    from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex
    from raggate_action.core.poorer.poorer_case import MainAnswersNow

# What fits a screen; the whole answer is in `traces.jsonl`, by digest.
_ANSWER_LENGTH = 2000
_QUESTION_LENGTH = 500
_ERROR_LENGTH = 500
# Of main.
_RUNS_KEPT, _ANSWERS_KEPT = 4, 7
# What surely ends: with a stop, and without anything that could be left open, citation marks aside.
_CLOSED = re.compile(r"""[^(\[{“„"`~]*(?:\[[^()\[\]{}“„"`~]*\][^(\[{“„"`~]*)*[.!?]\s*""")
# Without any of them an answer gives no value.
_DIGIT_OR_ADDRESS = re.compile(r"[0-9@/]|--|`|www\.")
_NO_ANSWER = NotApplicable(why="there is no answer to judge")
_FAULT = NotApplicable(why="raggate failed at this case")
# What of a row is the suite's: whatever it was answered, it stays.
_OF_THE_CASE = (
    "case_id", "position", "digest", "kind", "name", "file", "line", "question", "workflow", "category", "tags",
    "weight", "expect", "slices", "blocked_at", "finished_at",
)  # fmt: skip


class Evaluated(NamedTuple):
    """A case, evaluated.

    Attributes:
        case: The case.
        row: What is kept of it.
        trace: Its trace as far as it may be written; None when there is none.
        labelled: Whether the trace's labels counted.
        withheld: The answer may repeat forbidden text and must be written nowhere.
        others: The traces of its other answers, of a case that was asked again, as far as they may be written.
        drafted: Its answer, itemised, where drafts are kept; None where it went no further than its evidence.
        grounds: What the values of its answer, and of the others, stand on, in this order.
        earlier: Answers of main's earlier runs that are still a measure.
        by_baseline: Its row by the baseline's suite; None where that is no other.
    """

    case: Case
    row: CaseRun
    trace: Trace | None
    labelled: bool
    withheld: bool
    others: tuple[Trace, ...] = ()
    drafted: Drafted | None = None
    grounds: tuple[Grounds | None, ...] = ()
    earlier: tuple[MainAnswer, ...] = ()
    by_baseline: CaseRun | None = None


def evaluate_reply(
    placed: PlacedCase, reply: Reply, rules: Rulebook, *, custom: CheckIssues | None, finished_at: str
) -> Evaluated:
    """Judge one reply by rules alone and write its row, all steps in one.

    Args:
        placed: The case and where it stands.
        reply: What the target gave.
        rules: What the run judges by.
        custom: What the case's custom check said.
        finished_at: The moment, ISO 8601 UTC.
    """
    if not isinstance(reply, Answered):
        return evaluate_no_answer(placed, reply, rules, finished_at=finished_at)
    drafted = draft(placed.case, reply, rules)
    if isinstance(drafted, Drafted):
        return evaluate_drafted(placed, drafted, rule_verdicts(drafted, custom), rules, finished_at=finished_at)
    return evaluate_diagnosis(placed, reply, drafted, rules, finished_at=finished_at)


def by_baseline_too(
    done: Evaluated, placed: PlacedCase, rules: Rulebook, again: Callable[[PlacedCase, BaselineSuite], Evaluated]
) -> Evaluated:
    """The case evaluated by the baseline's suite as well, where that is another; never a known-bad one.

    Args:
        done: The case by the head's suite.
        placed: The case.
        rules: What the run judges by.
        again: Evaluates the same answer by the baseline's case and suite.
    """
    suite = rules.baseline.suite if rules.baseline is not None else None
    if suite is None or placed.case.known_bad:
        return done
    before = suite.placed(placed)
    if suite.same_rules and before.digest == placed.digest:
        row = with_state(done.row, suite.suite.gates)
        return done._replace(by_baseline=row) if row is not done.row else done
    second = again(before, suite)
    row = _permitted(suite.row(done.row, second.row), placed.case, rules)
    if done.withheld or second.withheld:
        wordless = tuple([each.model_copy(update={"text": "", "quote": None}) for each in row.hallucinations])
        row = row.model_copy(update={"answer": None, "claims": (), "hallucinations": wordless})
    return done._replace(by_baseline=row) if row != done.row else done


def evaluate_drafted(
    placed: PlacedCase, drafted: Drafted, verdicts: Verdicts, rules: Rulebook, *, finished_at: str
) -> Evaluated:
    """Gate a drafted answer and write its row; what its check says is kept from saying what its asker may not read."""
    rules = rules.read_in(drafted.drafts.language)
    check = permitted_issues(verdicts.check, drafted.case, rules.restricted)
    if check is not verdicts.check:
        verdicts = verdicts._replace(check=check)
    found = gate(drafted, verdicts, rules)
    done = evaluate_diagnosis(placed, drafted.answered, found, rules, finished_at=finished_at)
    row = done.row
    if (keyless := keyless_outcomes(found, drafted, verdicts, rules)) is not None:
        row = _permitted(row.model_copy(update={"by_rules": keyless}), drafted.case, rules)
    grounds = None if rules.of_stored else grounds_of_answer(drafted, rules)
    main = _main_answers(placed, drafted, rules)
    if main is not None and not found.withheld:
        held = _beside_main(drafted, main, found, rules)
        row = _permitted(row.model_copy(update={"beside_main": held}), drafted.case, rules)
    if rules.baseline is None and not rules.of_stored and (alone := _alone(drafted, found, rules)) is not None:
        row = row.model_copy(update={"alone": alone})
    done = done._replace(
        row=row,
        drafted=drafted if rules.keeps_drafts else None,
        grounds=(grounds,),
        earlier=main.same_evidence if main is not None else (),
    )

    def again(before: PlacedCase, suite: BaselineSuite) -> Evaluated:
        from raggate_action.core.judging.rescored_answer import rescored_verdicts

        then, labels_count = suite.rules(rules), suite.suite.labelled or placed.case.trace is not None
        answered = drafted.answered._replace(labelled=drafted.answered.labelled and labels_count)
        is_read_alike = suite.same_reading and before.digest == placed.digest
        second = drafted if is_read_alike else draft(before.case, answered, then)
        if not isinstance(second, Drafted):
            return evaluate_diagnosis(before, answered, second, then, finished_at=finished_at)
        check = check_by_baseline(before.case, placed.case, verdicts.check)
        # Verdicts on claims of the same words hold.
        held = rescored_verdicts(second.claims, verdicts.by_baseline or verdicts, check)
        return evaluate_drafted(before, second, held, then, finished_at=finished_at)

    return by_baseline_too(done, placed, rules, again)


def grounds_of_answer(drafted: Drafted, rules: Rulebook) -> Grounds | None:
    """What the values of an answer stand on, to be kept for later runs; None where nothing of it is compared."""
    case, text = drafted.case, drafted.traced.reply.text
    language = rules.reading.language
    if case.known_bad or case.trace is not None:
        return None
    # Each value has a digit, an address or a number in words, which is within one word.
    if _words_without_value(language).are_all_of(text) or not _has_value(text, language):
        return None
    from raggate_action.core.poorer.grounds import grounds_of

    return grounds_of(text, case.asked, drafted.context, language)


@lru_cache(maxsize=8)
def _words_without_value(language: str) -> IdleWords:
    return IdleWords(partial(_has_value, language=language))


def _has_value(text: str, language: str) -> bool:
    if _DIGIT_OR_ADDRESS.search(text):
        return True
    from raggate_action.core.text.languages.language_rules import KNOWN, expressions

    return language in KNOWN and expressions(language).numbers.search(text) is not None


def _main_answers(placed: PlacedCase, drafted: Drafted, rules: Rulebook) -> MainAnswersNow | None:
    """What main answered to the same question, as far as the asker may read it; None where nothing is at hand."""
    baseline, case, context = rules.baseline, drafted.case, drafted.context
    if baseline is None or case.known_bad or case.trace is not None or not drafted.traced.reply.text.strip():
        return None
    main = baseline.main(case.case_id)
    if main is None or not _asks_the_same(placed, baseline):
        return None
    from raggate_action.core.poorer.grounds import has_changed
    from raggate_action.core.poorer.poorer_case import MainAnswersNow

    restricted = rules.restricted
    kept = [each for each in main.answers if restricted.is_empty or not restricted.repeated_in((each.text,), case)]
    language = rules.reading.language
    same = [each for each in kept if not has_changed(each, case.asked, context, rules.store, language)]
    if not kept:
        return None
    return MainAnswersNow(tuple(kept), tuple(same), baseline.decided_at, baseline.is_recorded)


def _beside_main(drafted: Drafted, main: MainAnswersNow, found: Diagnosis, rules: Rulebook) -> BesideMain:
    """How the answer stands beside main's to the same question."""
    from raggate_action.core.poorer.poorer_case import AnswerToHold, beside_main

    case = drafted.case

    def labels() -> list[str]:
        phrases = [phrase_in_words(each) for each in (*case.must_contain, *case.must_not_contain)]
        return phrases + [phrase for point in case.points for phrase in (*point.said, *point.support_phrases)]

    def evidence() -> list[EvidenceIndex]:
        from raggate_action.core.claims.suspect_claims import evidence_of

        return [index for _chunk_id, index in evidence_of(drafted.context, rules.reading.language).chunks]

    answer = AnswerToHold(
        drafted.traced.reply.text,
        case.asked,
        evidence,
        found.abstained,
        rules.reading,
        labels,
        may_decline=case.expect == "abstain",
    )
    return beside_main(answer, main)


def _alone(drafted: Drafted, found: Diagnosis, rules: Rulebook) -> AnswerAlone | None:
    """What the answer tells without one of main's; None of a case that brings its own, and where nobody asks for it."""
    case, text = drafted.case, drafted.traced.reply.text
    if rules.gates.poorer.level == "off" or found.withheld or case.known_bad or case.trace is not None or not text:
        return None
    # One that declines, that the evidence bears out in part, or that somebody labelled.
    fits = found.abstained or any(claim.verdict == "supported" or claim.labelled for claim in found.claims)
    if fits and _CLOSED.fullmatch(text):
        # As most answers: nothing is loaded for them.
        return None
    from raggate_action.core.claims.suspect_claims import evidence_of
    from raggate_action.core.poorer.answers_alone import answer_alone

    evidence = [index for _chunk_id, index in evidence_of(drafted.context, rules.reading.language).chunks]
    return answer_alone(text, evidence, rules.reading.language, fits=fits)


def earlier_answers(main: Sequence[MainAnswer], held: BesideMain | None) -> tuple[MainAnswer, ...]:
    """Main's answers that a run keeps beside its own, for the run that has it as its baseline: of the four latest runs.

    None of a case whose answer is poorer than they are: from the merge on the new answer is the measure.
    """
    if held is None or held.counting:
        return ()
    runs = list(dict.fromkeys([each.run for each in main]))[:_RUNS_KEPT]
    return tuple([each for each in main if each.run in runs][:_ANSWERS_KEPT])


def _asks_the_same(placed: PlacedCase, baseline: BaselineRules) -> bool:
    """Whether question, turns and input are the baseline's, whatever the case demands."""
    past = baseline.cases.get(placed.case.case_id)
    if past is not None and past.digest == placed.digest:
        return True
    before = baseline.suite.cases.get(placed.case.case_id) if baseline.suite is not None else None
    return before is not None and asks_the_same(before, placed.case)


def evaluate_diagnosis(
    placed: PlacedCase, reply: Answered, diagnosis: Diagnosis, rules: Rulebook, *, finished_at: str
) -> Evaluated:
    """Write the row of an answer that has been through its gates."""
    case = placed.case
    if isinstance(unfit := diagnosis.outcomes["target"], Failed):
        failure = TargetFailure(f"reply is {unfit.problems[0].detail}", reply.latency_ms)
        return evaluate_no_answer(placed, failure, rules, finished_at=finished_at)
    row = _permitted(_answered_row(placed, reply, diagnosis, rules, finished_at), case, rules)
    return Evaluated(case, row, diagnosis.trace, reply.labelled, diagnosis.withheld)


def _permitted(row: CaseRun, case: Case, rules: Rulebook) -> CaseRun:
    """The row as far as it may be written."""
    row = without_forbidden(row, case, rules.restricted)
    return ids_only(row) if rules.texts == "ids" else row


def evaluate_no_answer(
    placed: PlacedCase, reply: TargetFailure | NoTrace, rules: Rulebook, *, finished_at: str
) -> Evaluated:
    """Write the row of a case that has no answer."""
    case = placed.case
    identity = _named(placed, rules, finished_at)
    if isinstance(reply, NoTrace):
        others = _FAULT if reply.reason == "fault" else _NO_ANSWER
        outcomes = _unanswered(Unmeasured(reason=reply.reason, detail=reply.detail), others)
        row = CaseRun(**identity, state="unmeasured", outcomes=outcomes)
        return Evaluated(case, row, None, labelled=False, withheld=False)
    # Score 0, no hallucination flag, tools not correct.
    error = permitted_error(reply, case, rules.restricted)[:_ERROR_LENGTH]
    code = "off-schema" if "off schema: " in error else "target-error"
    if rules.texts == "ids":
        error = "the app's message is withheld"
    outcomes = _unanswered(Failed(problems=(Problem(code=code, detail=error),)))
    row = CaseRun(
        **identity,
        state="failed",
        outcomes=outcomes,
        first_failed_stage=first_failed_stage(outcomes, rules.gates),
        score=0.0,
        issues=(f"Error: {error}",),
        tools=Tools(expected=case.expected_tools, missing=case.expected_tools) if case.expected_tools else None,
        latency_ms=reply.latency_ms,
        error=error,
    )
    return Evaluated(case, row, None, labelled=False, withheld=False)


def evaluate_fault(placed: PlacedCase, detail: str, rules: Rulebook, *, finished_at: str) -> Evaluated:
    """The row of a case that a fault of ours kept from being judged: no word of its answer, and no trace.

    What failed may be what keeps restricted words out, so nothing that was answered is looked at again. Where the case
    itself cannot be read without the fault, the row holds no text of it either.

    Args:
        placed: The case and where it stands.
        detail: What failed, without a word of the answer.
        rules: What the run judges by.
        finished_at: The moment, ISO 8601 UTC.
    """
    try:
        return evaluate_no_answer(placed, NoTrace("fault", detail), rules, finished_at=finished_at)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - the same fault, met again
        named = {**_named(placed, rules, finished_at), "question": ""}
        row = CaseRun(**named, state="unmeasured", outcomes=_fault_outcomes(detail))
        return Evaluated(placed.case, row, None, labelled=False, withheld=False)


def without_answer(row: CaseRun, detail: str) -> CaseRun:
    """The row of a case that a fault of ours kept from being counted, as `faulted` writes it."""
    kept = {name: getattr(row, name) for name in _OF_THE_CASE}
    return CaseRun(**kept, state="unmeasured", outcomes=_fault_outcomes(detail))


def _fault_outcomes(detail: str) -> dict[GateName, Outcome]:
    return _unanswered(Unmeasured(reason="fault", detail=detail), _FAULT)


def _named(placed: PlacedCase, rules: Rulebook, finished_at: str) -> dict[str, Any]:
    case = placed.case
    kind = "known_bad" if case.known_bad else "must_release" if case.released else "ordinary"
    return {
        "case_id": case.case_id,
        "position": placed.position,
        "digest": placed.digest,
        "kind": kind,
        "name": case.name,
        "file": placed.file,
        "line": placed.line,
        "question": case.asked[:_QUESTION_LENGTH],
        "workflow": case.workflow,
        "category": case.category,
        "tags": case.tags,
        "weight": case.weight,
        "expect": case.expect,
        "slices": slice_names(case, rules.slices_by),
        "blocked_at": case.blocked_at,
        "finished_at": finished_at,
    }


def _answered_row(
    placed: PlacedCase, reply: Answered, diagnosis: Diagnosis, rules: Rulebook, finished_at: str
) -> CaseRun:
    case, trace, answer = placed.case, diagnosis.trace, reply.trace.reply
    text = answer.text or "\n".join(claim.text for claim in answer.claims or ())
    behaved = diagnosis.behaviour
    ids = {chunk_id for stage in STAGES for chunk_id in reply.trace.ids(stage) or ()} if rules.store is not None else ()
    known = len([chunk_id for chunk_id in ids if rules.store is not None and chunk_id in rules.store])
    passages = rules.passages_before(case)
    if behaved is not None and not case.known_bad:
        found = passages_of(case, diagnosis.context, text, passages, rules.reading.language)
        passages = {each.label: each for each in found}
    expects_tools = bool(case.expected_tools) and behaved is not None and trace.tool_names is not None
    return CaseRun(
        **_named(placed, rules, finished_at),
        state=case_state(diagnosis.outcomes, diagnosis.first_failed_stage, rules.gates),
        outcomes=diagnosis.outcomes,
        first_failed_stage=diagnosis.first_failed_stage,
        claims=diagnosis.claims,
        hallucinations=diagnosis.hallucinations,
        score=behaved.score if behaved else None,
        flagged=behaved.flagged if behaved else False,
        issues=behaved.issues if behaved else (),
        lacks=_lacks(case, diagnosis, text, rules.reading.language),
        tools=Tools(expected=case.expected_tools, missing=behaved.missing_tools) if behaved and expects_tools else None,
        musts=behaved.musts if behaved else None,
        recalled=diagnosis.recalled,
        forbids=behaved is not None and bool(case.must_not_contain),
        latency_ms=trace.latency_ms if trace.latency_ms is not None else reply.latency_ms,
        cost_usd=trace.usage.cost_usd if trace.usage else None,
        answer=None if diagnosis.withheld else text[:_ANSWER_LENGTH],
        answer_length=len(text),
        answer_digest=digest_of_text(text),
        abstained=diagnosis.abstained,
        context=diagnosis.context.ids,
        context_versions=tuple([chunk.version or "" for chunk in diagnosis.context.chunks]),
        passages=tuple(passages.values()),
        documents=documents_of([(chunk.chunk_id, chunk.origin[0]) for chunk in diagnosis.context.chunks]),
        known_ids=known,
        unknown_ids=len(ids) - known,
        versions=() if diagnosis.withheld else trace.version_pairs,
        judges=diagnosis.judges,
        answer_votes=diagnosis.answer_votes,
    )


def _lacks(case: Case, diagnosis: Diagnosis, text: str, language: str) -> tuple[Problem, ...]:
    """What the answer lacks of the case's reference answer; nothing of one that was not judged, or that declined."""
    if case.reference_answer is None or diagnosis.behaviour is None or diagnosis.abstained or diagnosis.withheld:
        return ()
    from raggate_action.core.claims.reference_answer import lacking_values  # few suites need its rules

    return lacking_values(case.reference_answer, text, question=case.asked, language=language)


def _unanswered(target: Outcome, others: Outcome = _NO_ANSWER) -> dict[GateName, Outcome]:
    outcomes: dict[GateName, Outcome] = {"target": target}
    return outcomes | dict.fromkeys((gate for gate in GATES_OF_ALL if gate != "target"), others)


def together(
    answers: Sequence[Evaluated], stands: int, *, unconfirmed: bool = False, own_rate: OwnRate | None = None
) -> Evaluated:
    """The one row of a case that was retried because its first answer was in doubt.

    Args:
        answers: Each answer, evaluated, in the order given.
        stands: Which of them stands for the case: where it passes and is not the first, the case is flaky.
        unconfirmed: It was to be asked more often.
        own_rate: Why the certain hallucination of one of them is chance; it is none of the answer that stands.
    """
    main = answers[stands]
    others = [answer for number, answer in enumerate(answers) if number != stands]
    asks = tuple([Ask(**{name: getattr(each.row, name) for name in Ask.model_fields}) for each in others])
    is_flaky = main.row.state == "passed" and (stands > 0 or own_rate is not None)
    state: CaseState = "flaky" if is_flaky else main.row.state
    update: dict[str, Any] = {"state": state, "asks": asks, "unconfirmed": unconfirmed, "own_rate": own_rate}
    if any(each.row.beside_main is not None for each in answers):
        from raggate_action.core.poorer.poorer_case import beside_main_in_all

        update["beside_main"] = beside_main_in_all([each.row.beside_main for each in answers])
    row = main.row.model_copy(update=update)
    by_baseline = main.by_baseline
    if by_baseline is not None:
        was_flaky = is_flaky and by_baseline.state == "passed"
        by_baseline = by_baseline.model_copy(update=update | {"state": "flaky" if was_flaky else by_baseline.state})
    grounds = [each.grounds[0] if each.grounds else None for each in (main, *others)]
    traces = []
    for each in others:
        # Of one that failed its error is all there is to tell.
        trace = each.trace if each.trace is not None else Trace(error=each.row.error)
        took = trace.latency_ms if trace.latency_ms is not None else each.row.latency_ms
        traces.append(trace.model_copy(update={"latency_ms": took}))
    return main._replace(row=row, by_baseline=by_baseline, others=tuple(traces), grounds=tuple(grounds))
