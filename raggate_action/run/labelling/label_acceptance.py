"""A good run becomes labels: which of its cases are good, what their answers show, and whether they pass by it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pydantic import JsonValue

from raggate_action.core.claims.supporting_sentence import AlignedSentence, aligned_sentence, quotes_in
from raggate_action.core.counting.waivers import Waivers
from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.core.gates.diagnosis import DECLINED_OVER_NOTHING, Drafted, Rulebook, draft
from raggate_action.core.poorer.shared_values import GivenAnswer, SharedValue, shared_values
from raggate_action.errors import UsageError
from raggate_action.run.run_session import rulebook
from raggate_action.run.stored_runs import found_suite
from raggate_action.run_store import read_comparison, read_rows, read_run, read_trace_lines
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Failed, GateName, Unmeasured
from raggate_action.schema.policy import Texts
from raggate_action.schema.run import Run
from raggate_action.schema.trace import Answered, Grounds, Trace, TracedChunk, TraceLine
from raggate_action.suite_files import LoadedSuite

# The id that is made of a text: of the next text it is another.
_OF_A_TEXT = re.compile(r"[0-9a-f]{12}")
_MOST_POINTS = 5


def labels_of(
    answer: Drafted, claims: Iterable[Claim], values: Sequence[SharedValue], store: EvidenceStore | None, texts: Texts
) -> dict[str, JsonValue]:
    """The labels that the answer has and the case lacks, by field; empty where nothing is certain.

    A source is named by its document where the store has one, else by its chunk; by neither where the id is made of its
    text: there the sentence is quoted. Of a sentence with values of the answer only their parts are quoted: the rest
    may change. Of a chunk that not everybody may read, and under `texts: ids`, no word is repeated.

    Args:
        answer: The answer; it does not decline.
        claims: Its claims, with their verdicts.
        values: What it shares with the evidence and the case's other answers.
        store: The evidence store, where there is one.
        texts: How much text of chunks may be shown.
    """
    case, has, language = answer.case, answer.case.model_fields_set, answer.drafts.language
    found = [
        sentence
        for claim in claims
        if (sentence := aligned_sentence(claim, answer.context, question=case.asked, language=language))
    ]
    labels: dict[str, JsonValue] = {}
    if has.isdisjoint({"required_source_ids", "required_quotes"}):
        of_values = [AlignedSentence(each.chunk_id, each.sentence) for each in values if each.is_certain]
        sources = dict.fromkeys(name for each in (*found, *of_values) if (name := _source(each.chunk_id, store)))
        quoted = [*found, *(each for each in of_values if _source(each.chunk_id, store) is None)]
        stated = [each.text for each in values]
        public = [each.words for each in quoted if may_be_repeated(each.chunk_id, store, texts)]
        quotes = {quote: None for words in public for quote in quotes_in(words, stated, language)}
        labels |= {"required_source_ids": list(sources)} if sources else {}
        labels |= {"required_quotes": list(quotes)} if quotes else {}
    asked = [each for each in values if each.is_asked and may_be_repeated(each.chunk_id, store, texts)]
    if asked and "required_points" not in has:
        # A point for each value, named by it.
        points: dict[str, JsonValue] = {}
        for value in asked:
            name = "-".join(re.findall(r"\w+", value.text.casefold())) or value.text
            points.setdefault(name, {"id": name, "value": value.text})
        labels["required_points"] = list(points.values())
    return labels


def _source(chunk_id: str, store: EvidenceStore | None) -> str | None:
    chunk = store.get(chunk_id) if store is not None else None
    if chunk is not None:
        return chunk.origin[0] or chunk_id
    return None if _OF_A_TEXT.fullmatch(chunk_id) else chunk_id


def may_be_repeated(chunk_id: str, store: EvidenceStore | None, texts: Texts) -> bool:
    """Whether a case file, which has other readers than a chunk, may repeat words of the chunk."""
    chunk = store.get(chunk_id) if store is not None else None
    return texts != "ids" and (chunk is None or chunk.permitted_for(frozenset()))


def _points(values: Sequence[SharedValue]) -> list[JsonValue]:
    """A point for each value, named by it."""
    points: dict[str, JsonValue] = {}
    for value in values:
        name = "-".join(re.findall(r"\w+", value.text.casefold())) or value.text
        points.setdefault(name, {"id": name, "value": value.text})
    return list(points.values())


# Why a case gets no labels. The first are decided by the run and may be asked for by name, the others may not.
Reason: TypeAlias = Literal[
    "failed", "unmeasured", "flaky", "declined", "suspect", "lacking", "gate", "waived",
    "known-bad", "changed", "no-answer", "labelled", "outdated", "nothing", "no-text", "no-main", "would-fail",
]  # fmt: skip
_MAY_BE_ASKED: frozenset[Reason] = frozenset(
    ("failed", "unmeasured", "flaky", "declined", "suspect", "lacking", "gate", "waived")
)
# What labels decide.
_FED: tuple[GateName, ...] = (
    "candidate_recall", "context_recall", "context_precision", "answered", "faithfulness", "point_coverage",
)  # fmt: skip
# Labels that are given up where an answer would not pass by all of them, in this order.
_GIVEN_UP = (
    (), ("required_points",), ("required_quotes",), ("required_points", "required_quotes"),
    ("required_source_ids", "required_quotes"),
)  # fmt: skip


class ProposedLabels(NamedTuple):
    """What a run says of its cases.

    Attributes:
        loaded: The suite.
        labels: New labels by case id and field.
        left_out: The cases without new labels, by the reason.
        values_left_out: Values that became no point, by the case: more than are proposed, or not in every answer.
        if_named: What naming a case that is left out would come to, with the first such case: None is labels.
    """

    loaded: LoadedSuite
    labels: dict[str, dict[str, JsonValue]]
    left_out: dict[Reason, list[str]]
    values_left_out: dict[str, list[str]]
    if_named: dict[Reason | None, str]


def proposed_labels(
    directory: Path, *, suite: Path | None, named: Collection[str], from_main: bool = False
) -> ProposedLabels:
    """The labels that the cases of a run propose.

    Args:
        directory: The run directory.
        suite: The suite file; None is the one the run was made of.
        named: Cases that are asked for by id, whatever the run says of them; empty is every case that is good.
        from_main: Use the answers of the base branch that the run has kept, and those of the run itself only where it
            was compared with no other.

    Raises:
        RunStoreError: There is no complete run.
        SuiteError: The suite cannot be read.
        UsageError: The evidence is not what it was, or a named case is not in the run.
    """
    stored = read_run(directory)
    loaded = found_suite(stored, directory, suite, command="accept")
    if (loaded.evidence.digest if loaded.evidence is not None else None) != stored.provenance.evidence_digest:
        raise UsageError(
            "the evidence is not what it was when the run was made, so its sentences cannot be labels",
            hint="Make the run again: `raggate-action run`, then accept that one.",
        )
    cases = {placed.case.case_id: placed for placed in loaded.cases}
    rules = rulebook(loaded, parse_moment(stored.as_of))
    found = ProposedLabels(loaded, {}, {}, {}, {})
    lines = {line.case_id: line for line in read_trace_lines(directory) if not line.withheld}
    waivers = Waivers(stored.policy, decided_on=stored.decided_on)
    others_alone = from_main and read_comparison(directory) is not None
    seen: set[str] = set()
    for row in read_rows(directory):
        seen.add(row.case_id)
        if named and row.case_id not in named:
            continue
        placed, line = cases.get(row.case_id), lines.get(row.case_id)
        reason = _never(row, placed, line)
        if reason is None and placed is not None and line is not None:
            given = _stored_answers(row, line, earlier=from_main, own=not others_alone)
            good = _row(placed, given[0].trace, row, rules) if given and others_alone else row
            reason = "no-main" if not given else None
            if reason is None and row.case_id not in named:
                reason = _against(good, placed, waivers, rules)
            if reason in _MAY_BE_ASKED and None not in found.if_named:
                tried = ProposedLabels(loaded, {}, {}, {}, {})
                found.if_named.setdefault(_label(tried, placed, good, given, rules), row.case_id)
            reason = reason or _label(found, placed, good, given, rules)
        if reason is not None:
            found.left_out.setdefault(reason, []).append(row.case_id)
    if unknown := [case_id for case_id in named if case_id not in seen]:
        raise UsageError(
            f"case {unknown[0]!r} is not in {directory}", hint=f"The run holds {len(seen)} cases; `explain` lists them."
        )
    return found


def _suite(stored: Run, directory: Path, suite: Path | None) -> LoadedSuite:
    loaded = found_suite(stored, directory, suite, command="accept")
    evidence = loaded.evidence.digest if loaded.evidence is not None else None
    if evidence != stored.provenance.evidence_digest:
        raise UsageError(
            "the evidence is not what it was when the run was made, so its sentences cannot be labels",
            hint="Make the run again: `raggate-action run`, then accept that one.",
        )
    return loaded


def _against(row: CaseRun, placed: PlacedCase, waivers: Waivers, rules: Rulebook) -> Reason | None:
    """Why a case is no good example unless somebody asks for it; None where it is one."""
    if (row.abstained and row.expect == "answer") or declined_over_nothing(row):
        return "declined"
    is_outdated = _is_out_of_date(row)
    if row.state != "passed" and not is_outdated:
        return "waived" if waivers.standing(row).state == "waived" else row.state
    if row.hallucinations or any(claim.findings for claim in row.claims):
        return "suspect"
    if row.lacks:
        return "lacking"
    failed = (gate for gate, outcome in row.outcomes.items() if outcome.kind == "failed")
    if any(rules.gates.of(gate).level != "off" for gate in failed):
        return "gate"
    if placed.accepted is None:
        return "outdated" if is_outdated else None
    # Somebody may have edited what was accepted.
    return None if is_outdated else "labelled"


def _never(row: CaseRun, placed: PlacedCase | None, trace: TraceLine | None) -> Reason | None:
    """Why nobody can have labels made of it."""
    if row.kind == "known_bad":
        return "known-bad"
    if placed is None or placed.digest != row.digest:
        return "changed"
    admitted = row.outcomes.get("admissibility")
    if trace is None or trace.error is not None or admitted is None:
        return "no-answer"
    if admitted.kind in {"failed", "not_applicable"} and not declined_over_nothing(row):
        return "no-answer"
    return None


class _StoredAnswer(NamedTuple):
    """An answer as a run keeps it: its trace, and what its values stand on."""

    trace: Trace
    grounds: Grounds | None


def _stored_answers(row: CaseRun, line: TraceLine, *, earlier: bool, own: bool) -> list[_StoredAnswer]:
    """The answers that labels have to hold for, the one that counts first; those without a word left out."""
    given = zip_longest((line.trace, *line.asks), line.grounds[: 1 + len(line.asks)])
    kept = [_StoredAnswer(trace, grounds) for trace, grounds in given if trace is not None] if own else []
    if earlier:
        # It was given from evidence that is the same today.
        kept += [_StoredAnswer(line.trace.model_copy(update={"answer": e.text}), e.grounds) for e in line.earlier]
    return [each for each in kept if each.trace.error is None and (each.trace.reply.text.strip() or row.abstained)]


def _label(
    found: ProposedLabels, placed: PlacedCase, row: CaseRun, given: Sequence[_StoredAnswer], rules: Rulebook
) -> Reason | None:
    """Note the labels of a case besides its own; the reason where there are none, or where they are there already."""
    accepted = placed.case.model_dump(mode="json", include=set(placed.accepted or ()), exclude_unset=True)
    fields = placed.case.model_dump(mode="json", exclude=set(accepted), exclude_unset=True)
    case = Case.model_validate(fields, strict=False)
    placed, over_nothing = placed._replace(case=case), declined_over_nothing(row)
    if rules.store is None and not over_nothing:
        given = [each._replace(trace=_with_quotes(each.trace, row)) for each in given]
    drafts = [draft(case, Answered(each.trace, row.latency_ms, labelled=True), rules) for each in given]
    first = drafts[0] if drafts else None
    if not isinstance(first, Drafted) and not over_nothing:
        return "no-answer"
    questions = [
        (each.trace, row if over_nothing or (not place and not accepted) else _row(placed, each.trace, row, rules))
        for place, each in enumerate(given)
    ]

    passes = partial(_passes, placed, questions, rules)
    labels: dict[str, JsonValue] = {}
    if row.abstained or not isinstance(first, Drafted):
        labels = {} if "expect" in case.model_fields_set else {"expect": "abstain"}
    else:
        answers = [
            GivenAnswer(each.trace.reply.text, one.context, each.grounds)
            for each, one in zip(given, drafts, strict=True)
            if isinstance(one, Drafted)
        ]
        shared = shared_values(answers, case.asked, first.drafts.language)
        labels = labels_of(first, row.claims, shared.values, rules.store, rules.texts)
        if isinstance(points := labels.get("required_points"), list):
            alone = [each for each in points if passes({"required_points": [each]})]
            labels["required_points"] = alone[:_MOST_POINTS]
            if rules.texts != "ids":
                public = all(may_be_repeated(chunk_id, rules.store, rules.texts) for chunk_id in first.context.ids)
                left = [str(each["id"]) for each in alone[_MOST_POINTS:] if isinstance(each, dict)]
                left += shared.not_in_all if public else ()
                if left:
                    found.values_left_out[case.case_id] = left
    if not labels:
        if over_nothing or case.required_source_ids or case.required_quotes or case.expect == "abstain":
            return "labelled"
        texts = isinstance(first, Drafted) and any(chunk.text for chunk in first.context.chunks)
        return "nothing" if texts and rules.texts != "ids" else "no-text"
    for given_up in _GIVEN_UP:
        kept = {name: value for name, value in labels.items() if name not in given_up and value != []}
        if kept and passes(kept):
            if kept == accepted:
                return "outdated" if _is_out_of_date(row) else "labelled"
            found.labels[case.case_id] = kept
            return None
    return "would-fail"


def _is_out_of_date(row: CaseRun) -> bool:
    """Whether nothing but labels out of date keeps a case from being measured."""
    reasons = {each.reason for each in row.outcomes.values() if isinstance(each, Unmeasured)}
    return row.state == "unmeasured" and reasons - {"no-adjudicator"} == {"label"}


def declined_over_nothing(row: CaseRun) -> bool:
    """Whether it was given no evidence and declined, which is wrong only where the question has an answer."""
    admitted = row.outcomes.get("admissibility")
    return isinstance(admitted, Failed) and [each.code for each in admitted.problems] == [DECLINED_OVER_NOTHING]


def _with_quotes(trace: Trace, row: CaseRun) -> Trace:
    """The trace with as much of the chunks' texts as the row quotes, where it was stored without them."""
    by_chunk: dict[str, dict[str, None]] = {}
    for claim in row.claims:
        if claim.verdict == "supported" and claim.quote and claim.supported_by:
            by_chunk.setdefault(claim.supported_by[0], {})[claim.quote] = None

    def whole(chunk: TracedChunk) -> TracedChunk:
        quotes = by_chunk.get(chunk.chunk_id)
        if chunk.text is not None or quotes is None:
            return chunk
        return chunk.model_copy(update={"text": "\n\n".join(quotes)})

    if trace.context is None:
        return trace
    return trace.model_copy(update={"context": tuple(map(whole, trace.context_chunks))})


def _passes(
    placed: PlacedCase, answers: Iterable[tuple[Trace, CaseRun]], rules: Rulebook, labels: Mapping[str, JsonValue]
) -> bool:
    """Whether every answer passes the gates that the labels feed, as far as it did in its row without them."""
    fields = placed.case.model_dump(mode="json", exclude_unset=True)
    again = placed._replace(case=Case.model_validate({**fields, **labels}, strict=False))
    judged = [gate for gate in _FED if rules.gates.of(gate).level != "off"]
    for trace, row in answers:
        outcomes = _row(again, trace, row, rules).outcomes
        for gate in judged:
            before, now = row.outcomes.get(gate), outcomes[gate]
            if now.kind in {"failed", "unmeasured"} and (before is None or before.kind != now.kind):
                return False
    return True


def _row(placed: PlacedCase, trace: Trace, row: CaseRun, rules: Rulebook) -> CaseRun:
    """The row that rules alone give an answer of the case."""
    reply = Answered(trace, row.latency_ms, labelled=True)
    return evaluate_reply(placed, reply, rules, custom=None, finished_at=row.finished_at).row
