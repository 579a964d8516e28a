"""A good run becomes labels: which of its cases are good, what their answers show, and whether they pass by it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pydantic import JsonValue

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.claims.supporting_sentence import AlignedSentence, aligned_sentence
from raggate_action.core.counting.waivers import Waivers
from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, draft
from raggate_action.errors import UsageError
from raggate_action.run.run_session import rulebook
from raggate_action.run.stored_runs import counted_rows, found_suite
from raggate_action.run_store import read_run, read_traces
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import GateName
from raggate_action.schema.policy import Texts
from raggate_action.schema.run import Run
from raggate_action.schema.trace import Answered, Trace, TracedChunk
from raggate_action.strings.passages import SHORTEST_QUOTE, folded_quote
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.case_editing import fits_table

# The id that is made of a text: of the next text it is another.
_OF_A_TEXT = re.compile(r"[0-9a-f]{12}")
_LONGEST_QUOTE = 400
_MOST_POINTS = 5
# A number with what it counts, as written.
_VALUE = re.compile(r"(?<![\w.,])(?:[€$£¥]\s?\d+(?:[.,:]\d+)*|\d+(?:[.,:]\d+)*\s?(?:%|[€$£¥]|[^\W\d_]{2,}))(?!\w)")


class GoodAnswer(NamedTuple):
    """An answer that labels are made of.

    Attributes:
        case: Its case.
        claims: With their verdicts.
        abstained: It declined.
        context: What the model was shown.
        language: ISO 639-1 code it was read in.
    """

    case: Case
    claims: tuple[Claim, ...]
    abstained: bool
    context: ShownContext
    language: str


def labels_of(answer: GoodAnswer, store: EvidenceStore | None, texts: Texts) -> dict[str, JsonValue]:
    """The labels that the answer has and the case lacks, by field; empty where nothing is certain.

    A source is named by its document where the store has one, else by its chunk; by neither where the id is made of its
    text. Of a chunk that not everybody may read, and under `texts: ids`, no word is repeated.
    """
    case, has = answer.case, answer.case.model_fields_set
    if answer.abstained:
        return {} if "expect" in has else {"expect": "abstain"}
    found = [
        (claim, sentence)
        for claim in answer.claims
        if (sentence := aligned_sentence(claim, answer.context, question=case.asked, language=answer.language))
    ]
    labels: dict[str, JsonValue] = {}
    if has.isdisjoint({"required_source_ids", "required_quotes"}):
        sources = dict.fromkeys(name for _, sentence in found if (name := _source(sentence.chunk_id, store)))
        quotes = dict.fromkeys(
            quote for _, sentence in found if (quote := _quote(sentence)) and _may_be_said(sentence, store, texts)
        )
        labels |= {"required_source_ids": list(sources)} if sources else {}
        labels |= {"required_quotes": list(quotes)} if quotes else {}
    if "required_points" not in has:
        said = [(claim, sentence) for claim, sentence in found if _may_be_said(sentence, store, texts)]
        points = list(_points(said, case.asked))[:_MOST_POINTS]
        labels |= {"required_points": points} if points else {}
    return labels


def _source(chunk_id: str, store: EvidenceStore | None) -> str | None:
    chunk = store.get(chunk_id) if store is not None else None
    if chunk is not None:
        return chunk.origin[0] or chunk_id
    return None if _OF_A_TEXT.fullmatch(chunk_id) else chunk_id


def _quote(sentence: AlignedSentence) -> str | None:
    words = " ".join(sentence.words.split())
    return words if len(folded_quote(words)) >= SHORTEST_QUOTE and len(words) <= _LONGEST_QUOTE else None


def _may_be_said(sentence: AlignedSentence, store: EvidenceStore | None, texts: Texts) -> bool:
    chunk = store.get(sentence.chunk_id) if store is not None else None
    return texts != "ids" and (chunk is None or chunk.permitted_for(frozenset()))


def _points(found: Sequence[tuple[Claim, AlignedSentence]], question: str) -> Iterator[JsonValue]:
    """A point for each value that claim and sentence write alike and the question does not: no paraphrase loses it."""
    taken: set[str] = set()
    asked = " ".join(question.casefold().split())
    for claim, sentence in found:
        words = " ".join(sentence.words.split())
        for value in _VALUE.findall(" ".join(claim.text.split())):
            name = "-".join(re.findall(r"\w+", value.casefold()))
            stands = re.search(rf"(?<![\w.,]){re.escape(value)}(?!\w)", words)
            if name not in taken and value.casefold() not in asked and stands:
                taken.add(name)
                yield {"id": name, "answer_phrases": [value], "support_phrases": [value]}
                break


# Why a case gets no labels. The first are decided by the run and may be asked for by name, the others may not.
Reason: TypeAlias = Literal[
    "failed", "unmeasured", "flaky", "declined", "suspect", "lacking", "gate", "waived",
    "known-bad", "changed", "no-answer", "labelled", "nothing", "would-fail",
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
        files: The file that each of these cases stands in, as messages show it.
        left_out: The cases without new labels, by the reason.
    """

    loaded: LoadedSuite
    labels: dict[str, dict[str, JsonValue]]
    files: dict[str, str]
    left_out: dict[Reason, list[str]]


def proposed_labels(directory: Path, *, suite: Path | None, named: Collection[str]) -> ProposedLabels:
    """The labels that the cases of a run propose.

    Args:
        directory: The run directory.
        suite: The suite file; None is the one the run was made of.
        named: Cases that are asked for by id, whatever the run says of them; empty is every case that is good.

    Raises:
        RunStoreError: There is no complete run.
        SuiteError: The suite cannot be read.
        UsageError: The evidence is not what it was, or a named case is not in the run.
    """
    stored = read_run(directory)
    loaded = _suite(stored, directory, suite)
    cases = {placed.case.case_id: placed for placed in loaded.cases}
    rules = rulebook(loaded, parse_moment(stored.as_of))
    found = ProposedLabels(loaded, {}, {}, {})
    traces = {each.case_id: each.trace for each in read_traces(directory) if not each.withheld}
    waivers = Waivers(stored.policy, decided_on=stored.decided_on)
    seen: set[str] = set()
    for row in counted_rows(directory, stored):
        seen.add(row.case_id)
        if named and row.case_id not in named:
            continue
        placed, trace = cases.get(row.case_id), traces.get(row.case_id)
        reason = _against(row, waivers, rules) if row.case_id not in named else None
        reason = _never(row, placed, trace) or reason
        if reason is None and placed is not None and trace is not None:
            reason = _label(found, placed, row, trace, rules)
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


def _against(row: CaseRun, waivers: Waivers, rules: Rulebook) -> Reason | None:
    """Why a case is no good example unless somebody asks for it; None where it is one."""
    if row.abstained and row.expect == "answer":
        return "declined"
    if row.state != "passed":
        return "waived" if waivers.standing(row).state == "waived" else row.state
    if row.hallucinations or any(claim.findings for claim in row.claims):
        return "suspect"
    if row.lacks:
        return "lacking"
    failed = (gate for gate, outcome in row.outcomes.items() if outcome.kind == "failed")
    return "gate" if any(rules.gates.of(gate).level != "off" for gate in failed) else None


def _never(row: CaseRun, placed: PlacedCase | None, trace: Trace | None) -> Reason | None:
    """Why nobody can have labels made of it."""
    if row.kind == "known_bad":
        return "known-bad"
    if placed is None or placed.digest != row.digest:
        return "changed"
    admitted = row.outcomes.get("admissibility")
    if trace is None or trace.error is not None or admitted is None or admitted.kind in {"failed", "not_applicable"}:
        return "no-answer"
    return None


def _label(found: ProposedLabels, placed: PlacedCase, row: CaseRun, trace: Trace, rules: Rulebook) -> Reason | None:
    """Note the labels of a case; the reason where there are none."""
    case, trace = placed.case, _with_quotes(trace, row) if rules.store is None else trace
    drafted = draft(case, Answered(trace, row.latency_ms, labelled=True), rules)
    if not isinstance(drafted, Drafted):
        return "no-answer"
    answer = GoodAnswer(case, row.claims, row.abstained, drafted.context, drafted.drafts.language)
    labels = labels_of(answer, rules.store, rules.texts)
    if placed.file.lower().endswith(".csv"):
        labels = fits_table(labels)
    if not labels:
        return "labelled" if case.required_source_ids or case.required_quotes or case.expect == "abstain" else "nothing"
    for given_up in _GIVEN_UP:
        kept = {name: value for name, value in labels.items() if name not in given_up}
        if kept and _passes(placed, kept, row, trace, rules):
            found.labels[case.case_id], found.files[case.case_id] = kept, placed.file
            return None
    return "would-fail"


def _with_quotes(trace: Trace, row: CaseRun) -> Trace:
    """The trace with as much of the chunks' texts as the row quotes, where it was stored without them."""
    said: dict[str, dict[str, None]] = {}
    for claim in row.claims:
        if claim.verdict == "supported" and claim.quote and claim.supported_by:
            said.setdefault(claim.supported_by[0], {})[claim.quote] = None

    def whole(chunk: TracedChunk) -> TracedChunk:
        quotes = said.get(chunk.chunk_id)
        if chunk.text is not None or quotes is None:
            return chunk
        return chunk.model_copy(update={"text": "\n\n".join(quotes)})

    if trace.context is None:
        return trace
    return trace.model_copy(update={"context": tuple(map(whole, trace.context_chunks))})


def _passes(placed: PlacedCase, labels: Mapping[str, JsonValue], row: CaseRun, trace: Trace, rules: Rulebook) -> bool:
    """Whether the answer passes the gates that the labels feed."""
    fields = placed.case.model_dump(mode="json", exclude_unset=True)
    case = Case.model_validate({**fields, **labels}, strict=False)
    again = placed._replace(case=case)
    reply = Answered(trace, row.latency_ms, labelled=True)
    outcomes = evaluate_reply(again, reply, rules, custom=None, finished_at=row.finished_at).row.outcomes
    judged = [gate for gate in _FED if rules.gates.of(gate).level != "off"]
    for gate in judged:
        before, now = row.outcomes.get(gate), outcomes[gate]
        if now.kind in {"failed", "unmeasured"} and (before is None or before.kind != now.kind):
            return False
    return True


def acceptable_by_name(left_out: Mapping[Reason, list[str]]) -> Iterator[str]:
    """The cases that would be accepted if they were named."""
    for reason, ids in left_out.items():
        if reason in _MAY_BE_ASKED:
            yield from ids
