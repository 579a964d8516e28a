"""A passing case as raw material for mutants; a mutation: one fault, how it is put in, which gate catches it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from copy import deepcopy
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

    @property
    def seen(self) -> list[str]:
        """Chunk ids of all stages."""
        return [chunk_id for ids in self.stages.values() for chunk_id in ids]

    def known(self, chunk_id: str) -> EvidenceChunk | None:
        """A chunk of the store."""
        return self.store.get(chunk_id) if self.store is not None else None

    def text_of(self, chunk_id: str) -> str:
        """What a chunk says: by the store, else by the trace."""
        if (known := self.known(chunk_id)) is not None:
            return known.text
        traced = [chunk for stage in STAGES for chunk in getattr(self.trace, stage) or () if not isinstance(chunk, str)]
        return next((chunk.text for chunk in reversed(traced) if chunk.chunk_id == chunk_id and chunk.text), "")

    def against(self, chunk: EvidenceChunk) -> frozenset[Fault]:
        """Why the chunk may not be shown for the case: read from its own fields, not asked of the gate under test."""
        moment = self.case.as_of or self.as_of
        facts: dict[Fault, bool] = {
            "restricted": not chunk.permitted,
            "of others": bool(chunk.principals) and not set(chunk.principals) & set(self.case.principals),
            "superseded": not chunk.current,
            "expired": chunk.valid_until is not None and chunk.valid_until <= moment,
            "early": chunk.valid_from is not None and chunk.valid_from > moment,
        }
        return frozenset(fault for fault, holds in facts.items() if holds)

    def showable(self, excluded: Collection[str] = ()) -> Iterable[str]:
        """Chunks of the sample that may be shown, by id."""
        return (c.chunk_id for c in self.chunks if c.chunk_id not in excluded and not self.against(c))

    def first_with(self, fault: Fault, excluded: Collection[str] = ()) -> str | None:
        """The first chunk of the sample with this fault and as few others as possible, by id."""
        having = [(c, self.against(c)) for c in self.chunks if c.chunk_id not in excluded]
        found = [(len(faults), c.chunk_id) for c, faults in having if fault in faults]
        return min(found, key=lambda each: each[0])[1] if found else None


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


def claims_of(mutant: TraceJson) -> list[dict[str, Any]]:
    """The claims that the app itemised, to be edited in place; empty for prose."""
    answer = mutant.get("answer")
    return (answer.get("claims") or []) if isinstance(answer, dict) else []


def show(subject: Subject, mutant: TraceJson, stage: Stage, ids: Iterable[str]) -> None:
    """Give a stage other ids: chunks that stay keep version and text, a new one has the form of its neighbours."""
    before = mutant.get(stage, ())
    versions = [chunk["version"] for chunk in before if isinstance(chunk, dict) and "version" in chunk]
    known: dict[str, Any] = {}
    for chunk in before:
        known.setdefault(chunk if isinstance(chunk, str) else chunk["chunk_id"], chunk)
    mutant[stage] = shown = []
    for chunk_id in ids:
        chunk = subject.known(chunk_id)
        version = chunk.version if chunk is not None else next(iter(versions), None)
        new = {"chunk_id": chunk_id} if version is None else {"chunk_id": chunk_id, "version": version}
        shown.append(known.get(chunk_id, new if versions else chunk_id))


def say(mutant: TraceJson, text: str) -> None:
    """Give the answer another text; its claims stay."""
    before = mutant.get("answer")
    mutant["answer"] = {**(before if isinstance(before, dict) else {}), "text": text}


def cite_instead(mutant: TraceJson, instead: Callable[[set[str]], list[str] | None]) -> None:
    """Let the first itemised claim that cites cite something else; None leaves it, and the next one is asked."""
    for claim in claims_of(mutant):
        cited = {*claim.get("citation_ids", ()), claim.get("citation_id")} - {None}
        if cited and (other := instead(cited)) is not None:
            claim.pop("citation_id", None)
            claim["citation_ids"] = other
            return


# Puts the fault into the trace, in place; leaves it as it is where the case has nothing to put the fault into.
Edit = Callable[[Subject, TraceJson], None]


class Mutation(NamedTuple):
    """One kind of fault.

    Attributes:
        name: As people read it.
        gate: The gate that has to catch it.
        edit: Puts it in.
        closes: What a user can write so that it is caught, for faults that depend on the case's labels.
    """

    name: str
    gate: GateName
    edit: Edit
    closes: str = ""

    @property
    def stage(self) -> StageName:
        """The stage a mutant must fail at first."""
        return GATES[self.gate]

    def mutant_of(self, subject: Subject) -> TraceJson | None:
        """The subject's trace as JSON with the fault in it; None where there is nothing to put it into."""
        plain = subject.trace.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        mutant = deepcopy(plain)
        self.edit(subject, mutant)
        return mutant if mutant != plain else None
