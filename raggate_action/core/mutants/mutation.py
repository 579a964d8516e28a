"""A passing case as raw material for mutants; a mutation: one fault, how it is put in, which gate catches it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Literal, NamedTuple, TypeAlias

from raggate_action.schema.case import Case
from raggate_action.schema.evidence import EvidenceChunk, EvidenceStore
from raggate_action.schema.outcome import GATES, GateName, StageName
from raggate_action.schema.policy import Gates
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.trace import STAGES, Stage, Trace

TraceJson = dict[str, Any]
# Why a chunk may not be shown: nobody may read it, or not these principals; replaced, past its date, before it.
Fault: TypeAlias = Literal["restricted", "of others", "superseded", "expired", "early"]
_OF_ONE_KIND = 64
_LARGEST_SAMPLE = 10_000


class Subject(NamedTuple):
    """A case that passed, with the trace it passed by.

    Attributes:
        case: The case.
        trace: Its trace as a recorded target would read it.
        store: The evidence store; None when the suite has none.
        pipeline: What the app is declared to report.
        gates: Levels and bars.
        as_of: The moment currency is judged at.
        chunks: See `sample_of`.
        language: Of the answers.
    """

    case: Case
    trace: Trace
    store: EvidenceStore | None
    pipeline: Pipeline
    gates: Gates
    as_of: datetime
    chunks: tuple[EvidenceChunk, ...] = ()
    language: str = "en"

    @property
    def stages(self) -> dict[Stage, tuple[str, ...]]:
        """Chunk ids of the stages the trace reports, in pipeline order."""
        return {stage: ids for stage in STAGES if (ids := self.trace.ids(stage)) is not None}

    @property
    def context(self) -> tuple[str, ...]:
        """Chunk ids of the context; empty when it is not reported."""
        return self.stages.get("context", ())

    def against(self, chunk: EvidenceChunk) -> frozenset[Fault]:
        """Why the chunk may not be shown for the case: read from its own fields, not asked of the gate under test."""
        moment = self.case.as_of or self.as_of
        found: set[Fault] = set()
        if not chunk.permitted:
            found.add("restricted")
        if chunk.principals and not set(chunk.principals) & set(self.case.principals):
            found.add("of others")
        if not chunk.current:
            found.add("superseded")
        if chunk.valid_until is not None and chunk.valid_until <= moment:
            found.add("expired")
        if chunk.valid_from is not None and chunk.valid_from > moment:
            found.add("early")
        return frozenset(found)

    def first_chunk(self, fault: Fault | None = None, excluded: Iterable[str] = ()) -> str | None:
        """The first chunk with this fault, if possible with no other; without a fault, one that may be shown."""
        without = frozenset(excluded)
        left = [(chunk, self.against(chunk)) for chunk in self.chunks if chunk.chunk_id not in without]
        alone: frozenset[Fault] = frozenset() if fault is None else frozenset({fault})
        exact = next((chunk.chunk_id for chunk, faults in left if faults == alone), None)
        if exact is not None or fault is None:
            return exact
        return next((chunk.chunk_id for chunk, faults in left if fault in faults), None)


def sample_of(store: EvidenceStore | None) -> tuple[EvidenceChunk, ...]:
    """Some chunks of every combination of flags, principals and dates, in the order of the store."""
    taken: dict[tuple[object, ...], int] = {}
    found: list[EvidenceChunk] = []
    for chunk in store or ():
        facts = (chunk.permitted, chunk.current, chunk.principals, chunk.valid_from, chunk.valid_until)
        if taken.setdefault(facts, 0) < _OF_ONE_KIND and len(found) < _LARGEST_SAMPLE:
            taken[facts] += 1
            found.append(chunk)
    return tuple(found)


def trace_json(trace: Trace) -> TraceJson:
    """The trace as JSON, what was not reported left out; a fresh copy each time."""
    return trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True)


def with_stages(subject: Subject, change: dict[Stage, tuple[str, ...]]) -> TraceJson:
    """The trace with the ids of some stages replaced; chunks that stay keep their versions and texts."""
    mutant = trace_json(subject.trace)
    for stage, ids in change.items():
        known: dict[str, Any] = {}
        for chunk in mutant.get(stage, ()):
            known.setdefault(_id_of(chunk), chunk)
        mutant[stage] = [known.get(chunk_id, _like(mutant.get(stage, ()), chunk_id, subject)) for chunk_id in ids]
    return mutant


def with_answer(subject: Subject, text: str, claims: list[dict[str, Any]] | None) -> TraceJson:
    """The trace with another answer; without claims the answer is prose."""
    mutant = trace_json(subject.trace)
    before = mutant.get("answer", "")
    answer = {"text": before} if isinstance(before, str) else dict(before)
    answer["text"] = text
    if claims is None:
        answer.pop("claims", None)
    else:
        answer["claims"] = claims
    mutant["answer"] = answer
    return mutant


def claims_json(subject: Subject) -> list[dict[str, Any]] | None:
    """The answer's claims as JSON; None for prose."""
    answer = trace_json(subject.trace).get("answer")
    claims = answer.get("claims") if isinstance(answer, dict) else None
    return claims or None


def _id_of(chunk: Any) -> str:
    return chunk if isinstance(chunk, str) else str(chunk["chunk_id"])


def _like(neighbours: Any, chunk_id: str, subject: Subject) -> Any:
    """A new chunk in the form its neighbours have: with its own version, or theirs, where they carry versions."""
    versions = [chunk["version"] for chunk in neighbours if isinstance(chunk, dict) and "version" in chunk]
    if not versions:
        return chunk_id
    chunk = subject.store.get(chunk_id) if subject.store is not None else None
    version = chunk.version if chunk is not None else versions[0]
    return {"chunk_id": chunk_id, "version": version} if version is not None else {"chunk_id": chunk_id}


# Returns the mutated trace, or None where the case has nothing to put the fault into.
Make = Callable[[Subject], TraceJson | None]


class Mutation(NamedTuple):
    """One kind of fault.

    Attributes:
        name: As people read it.
        gate: The gate that has to catch it.
        make: Puts it in.
        closes: What a user can write so that it is caught, for faults that depend on the case's labels.
    """

    name: str
    gate: GateName
    make: Make
    closes: str = ""

    @property
    def stage(self) -> StageName:
        """The stage a mutant must fail at first."""
        return GATES[self.gate]
