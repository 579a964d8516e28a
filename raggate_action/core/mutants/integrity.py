"""Faults of the evidence path: what no answer, however good, may be released with. Each must be caught."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from raggate_action.core.mutants.mutation import Mutation
from raggate_action.core.mutants.subject import Subject, TraceJson, claims_json, trace_json, with_answer, with_stages
from raggate_action.schema.trace import STAGES, Stage

_UNKNOWN = "raggate-mutant-unknown"
_OTHER_CASE = "raggate-mutant-case"


def integrity_mutations() -> Iterator[Mutation]:
    """Every fault of the evidence path, in order of diagnosis."""
    for stage in STAGES:
        make = partial(_with_foreign, stage=stage, permitted=False)
        yield Mutation(f"restricted chunk in {stage.replace('_', ' ')}", "admissibility", make)
    yield Mutation("superseded chunk", "admissibility", partial(_with_foreign, stage="context", permitted=True))
    yield Mutation("unknown chunk", "admissibility", _with_unknown)
    yield Mutation("forbidden text in the answer", "admissibility", _repeating_forbidden_text)
    yield Mutation("stale version of a chunk", "admissibility", _with_stale_version)
    yield Mutation("version of a chunk left out", "admissibility", _without_chunk_version)
    yield Mutation("another text than the store's", "admissibility", _with_another_text)
    yield Mutation("declared stage left out", "admissibility", _without_stage)
    yield Mutation("chunk that the stage before had not", "admissibility", _with_stranger_in_context)
    yield Mutation("missing version key", "admissibility", _without_version_key)
    yield Mutation("duplicate version key", "admissibility", _with_duplicate_key)
    yield Mutation("wrong case id", "admissibility", _of_another_case)
    yield Mutation("duplicate id in a stage", "admissibility", _with_duplicate_id)
    yield Mutation("empty context", "admissibility", _without_context)
    yield Mutation("reranked set broken", "admissibility", _with_broken_reranking)
    yield Mutation("required source lost at retrieval", "candidate_recall", _lost_at_retrieval)
    yield Mutation("required source lost at selection", "context_recall", _lost_at_selection)
    yield Mutation("citation never retrieved", "citation_support", _citing_what_was_never_retrieved)


def _with_foreign(subject: Subject, *, stage: Stage, permitted: bool) -> TraceJson | None:
    """A chunk that is restricted, or else superseded, in one stage and those before it, as if dropped later."""
    stages = subject.stages
    if stage not in stages:
        return None
    seen = [chunk_id for ids in stages.values() for chunk_id in ids]
    chunk_id = subject.first_chunk(permitted=permitted, current=not permitted, excluded=seen)
    if chunk_id is None and not permitted:
        chunk_id = subject.first_chunk(permitted=False, current=False, excluded=seen)
    if chunk_id is None:
        return None
    upto = STAGES[: STAGES.index(stage) + 1]
    return with_stages(subject, {name: (*ids, chunk_id) for name, ids in stages.items() if name in upto})


def _with_unknown(subject: Subject) -> TraceJson | None:
    if subject.store is None or not subject.stages:
        return None
    return with_stages(subject, {stage: (*ids, _UNKNOWN) for stage, ids in subject.stages.items()})


def _with_stale_version(subject: Subject) -> TraceJson | None:
    if subject.store is None:
        return None
    mutant = trace_json(subject.trace)
    for chunk in mutant.get("context", ()):
        if isinstance(chunk, dict) and "version" in chunk and chunk["chunk_id"] in subject.store:
            chunk["version"] += "-superseded"
            return mutant
    return None


def _repeating_forbidden_text(subject: Subject) -> TraceJson | None:
    chunk_id = subject.first_chunk(permitted=False) or subject.first_chunk(permitted=False, current=False)
    chunk = subject.store.get(chunk_id) if subject.store is not None and chunk_id is not None else None
    if chunk is None or not chunk.text.strip():
        return None
    return with_answer(subject, f"{subject.trace.reply.text} {chunk.text}".strip(), claims_json(subject))


def _without_chunk_version(subject: Subject) -> TraceJson | None:
    mutant = trace_json(subject.trace)
    versioned = [chunk for chunk in mutant.get("context", ()) if isinstance(chunk, dict) and "version" in chunk]
    if not versioned or (len(versioned) < 2 and not subject.pipeline.chunk_versions):
        return None
    del versioned[0]["version"]
    return mutant


def _with_another_text(subject: Subject) -> TraceJson | None:
    mutant = trace_json(subject.trace)
    for place, chunk in enumerate(mutant.get("context", ())):
        read = chunk if isinstance(chunk, dict) else {"chunk_id": chunk}
        if subject.store is not None and read["chunk_id"] in subject.store:
            mutant["context"][place] = {**read, "text": "raggate mutant: not what the store says"}
            return mutant
    return None


def _without_stage(subject: Subject) -> TraceJson | None:
    declared = [stage for stage in subject.pipeline.stages if stage in subject.stages]
    if not declared:
        return None
    mutant = trace_json(subject.trace)
    del mutant[declared[0]]
    return mutant


def _with_stranger_in_context(subject: Subject) -> TraceJson | None:
    stages = subject.stages
    if len(stages) < 2 or "context" not in stages:
        return None
    seen = [chunk_id for ids in stages.values() for chunk_id in ids]
    stranger = subject.first_chunk(excluded=seen)
    return with_stages(subject, {"context": (*stages["context"], stranger)}) if stranger is not None else None


def _without_version_key(subject: Subject) -> TraceJson | None:
    if not subject.pipeline.versions:
        return None
    gone = subject.pipeline.versions[0]
    return trace_json(subject.trace) | {"versions": [pair for pair in subject.trace.version_pairs if pair[0] != gone]}


def _with_duplicate_key(subject: Subject) -> TraceJson | None:
    pairs = subject.trace.version_pairs
    return trace_json(subject.trace) | {"versions": [*pairs, pairs[0]]} if pairs else None


def _of_another_case(subject: Subject) -> TraceJson:
    return trace_json(subject.trace) | {"case_id": _OTHER_CASE}


def _with_duplicate_id(subject: Subject) -> TraceJson | None:
    for stage, ids in subject.stages.items():
        if ids:
            return with_stages(subject, {stage: (*ids, ids[0])})
    return None


def _without_context(subject: Subject) -> TraceJson | None:
    if subject.case.expect != "answer" or not subject.context:
        return None
    return with_stages(subject, {"context": ()})


def _with_broken_reranking(subject: Subject) -> TraceJson | None:
    stages = subject.stages
    if len(stages.get("reranked", ())) < 2 or "rerank_input" not in stages:
        return None
    # Not one of the context, so that only the set itself is broken.
    dropped = next((i for i in reversed(stages["reranked"]) if i not in subject.context), stages["reranked"][-1])
    return with_stages(subject, {"reranked": tuple(i for i in stages["reranked"] if i != dropped)})


def _lost_at_retrieval(subject: Subject) -> TraceJson | None:
    if "candidates" not in subject.stages:
        return None
    return _without_source(subject, tuple(subject.stages))


def _lost_at_selection(subject: Subject) -> TraceJson | None:
    return _without_source(subject, ("context",)) if "context" in subject.stages else None


def _without_source(subject: Subject, lost_in: tuple[Stage, ...]) -> TraceJson | None:
    """A required source gone from some stages; None where that would leave a stage empty, which is another fault."""
    stages = subject.stages
    for source in subject.case.required_source_ids:
        left = {stage: tuple(i for i in stages[stage] if i != source) for stage in lost_in}
        if all(left.values()) and left["context"] != stages["context"]:
            return with_stages(subject, left)
    return None


def _citing_what_was_never_retrieved(subject: Subject) -> TraceJson | None:
    """The first citation replaced by a chunk that no stage had; where prose cites, only itemised claims can say so."""
    claims = claims_json(subject)
    if claims is None:
        return None
    for claim in claims:
        if claim.get("citation_ids") or claim.get("citation_id"):
            seen = [chunk_id for ids in subject.stages.values() for chunk_id in ids]
            claim.pop("citation_id", None)
            claim["citation_ids"] = [subject.first_chunk(excluded=seen) or _UNKNOWN]
            return with_answer(subject, subject.trace.reply.text, claims)
    return None
