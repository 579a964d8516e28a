"""A good run becomes labels: which of its cases are good, what their answers show, and whether they pass by it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pydantic import JsonValue

from raggate_action.core.counting.waivers import Waivers
from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, draft
from raggate_action.errors import UsageError
from raggate_action.run.labelling.proposed_labels import Answer, labels_of
from raggate_action.run.run_session import rulebook
from raggate_action.run.stored_runs import counted_rows, found_suite
from raggate_action.run_store import read_run, read_traces
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GateName, Outcome
from raggate_action.schema.run import Run
from raggate_action.schema.trace import Answered, Trace, TracedChunk
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.case_editing import fits_table

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


class Accepted(NamedTuple):
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


def accepted(directory: Path, *, suite: Path | None, named: Collection[str]) -> Accepted:
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
    found = Accepted(loaded, {}, {}, {})
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


def _label(found: Accepted, placed: PlacedCase, row: CaseRun, trace: Trace, rules: Rulebook) -> Reason | None:
    """Note the labels of a case; the reason where there are none."""
    case, trace = placed.case, _with_quotes(trace, row) if rules.store is None else trace
    drafted = draft(case, Answered(trace, row.latency_ms, labelled=True), rules)
    if not isinstance(drafted, Drafted):
        return "no-answer"
    answer = Answer(case, row.claims, row.abstained, drafted.context, drafted.drafts.language)
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
    return not any(_worse(row.outcomes.get(gate), outcomes[gate]) for gate in judged)


def _worse(before: Outcome | None, now: Outcome) -> bool:
    """Fails, or cannot be measured, where it did not so before."""
    return now.kind in {"failed", "unmeasured"} and (before is None or before.kind != now.kind)


def may_be_asked_for(left_out: Mapping[Reason, list[str]]) -> Iterator[str]:
    """The cases that would be accepted if they were named."""
    for reason, ids in left_out.items():
        if reason in _MAY_BE_ASKED:
            yield from ids
