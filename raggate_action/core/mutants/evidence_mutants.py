"""Faults of the evidence path: what no answer, however good, may be released with. Each must be caught."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import TypeAlias

from raggate_action.core.mutants.mutation import (
    Fault,
    Make,
    Mutation,
    Subject,
    TraceJson,
    claims_json,
    trace_json,
    with_answer,
    with_stages,
)
from raggate_action.schema.outcome import GateName
from raggate_action.schema.trace import STAGES, Stage

# Of two chunks that hold a quote together one has half of its pieces, but for those that run over the cut.
_ENOUGH = 0.3
_PIECE = 4


# For each thing that a case requires, the chunks of the trace without which it is not there.
Lost: TypeAlias = Callable[[Subject], tuple[frozenset[str], ...]]


def required_sources(subject: Subject) -> tuple[frozenset[str], ...]:
    """The chunks behind each required source: itself, or those of that document or parent."""
    ids = frozenset().union(*subject.stages.values())
    return tuple(
        frozenset(i for i in ids if i == source or source in _origin(subject, i))
        for source in dict.fromkeys(subject.case.required_source_ids)
    )


def required_quotes(subject: Subject) -> tuple[frozenset[str], ...]:
    """The chunks behind each required quote: those that hold much of it."""
    quotes = dict.fromkeys(subject.case.required_quotes)
    texts = _texts(subject) if quotes else {}
    return tuple(_chunks_with(quote, texts) for quote in quotes)


def is_required(subject: Subject, chunk_id: str) -> bool:
    """Whether a chunk of the store may be one that the case requires."""
    case = subject.case
    chunk = subject.store.get(chunk_id) if subject.store is not None else None
    texts = {chunk_id: chunk.text if chunk is not None else ""}
    named = {chunk_id, *_origin(subject, chunk_id)}.intersection(case.required_source_ids)
    return bool(named) or any(_chunks_with(quote, texts) for quote in case.required_quotes)


def _origin(subject: Subject, chunk_id: str) -> tuple[str | None, ...]:
    chunk = subject.store.get(chunk_id) if subject.store is not None else None
    return chunk.origin if chunk is not None else ()


def _texts(subject: Subject) -> dict[str, str]:
    """What every chunk of the trace says."""
    texts: dict[str, str] = {}
    for stage in subject.stages:
        for each in getattr(subject.trace, stage):
            chunk_id, text = (each, None) if isinstance(each, str) else (each.chunk_id, each.text)
            known = subject.store.get(chunk_id) if subject.store is not None else None
            texts[chunk_id] = known.text if known is not None else text or texts.get(chunk_id, "")
    return texts


def _chunks_with(quote: str, texts: Mapping[str, str]) -> frozenset[str]:
    pieces = _pieces(quote)
    return frozenset(i for i, text in texts.items() if len(pieces & _pieces(text)) >= _ENOUGH * len(pieces))


def _pieces(text: str) -> frozenset[str]:
    """Runs of letters and digits, wherever words are parted: the same in any script and layout."""
    letters = "".join(filter(str.isalnum, text.casefold()))
    return frozenset(letters[at : at + _PIECE] for at in range(max(1, len(letters) - _PIECE + 1)))


_UNKNOWN = "raggate-mutant-unknown"
_OTHER_CASE = "raggate-mutant-case"


def integrity_mutations() -> Iterator[Mutation]:
    """Every fault of the evidence path, in order of diagnosis."""
    for stage in STAGES:
        name = f"restricted chunk in {stage.replace('_', ' ')}"
        yield Mutation(name, "admissibility", partial(_with_foreign, stage=stage, fault="restricted"))
    for name, fault in _NOT_SHOWABLE.items():
        yield Mutation(name, "admissibility", partial(_with_foreign, stage="context", fault=fault))
    for name, gate, make in _ON_THE_PATH:
        yield Mutation(name, gate, make)


def _with_foreign(subject: Subject, *, stage: Stage, fault: Fault) -> TraceJson | None:
    """A chunk that may not be shown, in one stage and those before it, as if dropped later."""
    stages = subject.stages
    if stage not in stages:
        return None
    chunk_id = subject.first_chunk(fault, excluded=[chunk_id for ids in stages.values() for chunk_id in ids])
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
    chunk_id = _forbidden(subject)
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
    declared = [stage for stage in subject.pipeline.declared_stages if stage in subject.stages]
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


def _lost_at_retrieval(subject: Subject, lost: Lost = required_sources) -> TraceJson | None:
    if "candidates" not in subject.stages:
        return None
    return _without_source(subject, lost, tuple(subject.stages), subject.gates.candidate_recall.per_case)


def _lost_at_selection(subject: Subject, lost: Lost = required_sources) -> TraceJson | None:
    if "context" not in subject.stages:
        return None
    return _without_source(subject, lost, ("context",), subject.gates.context_recall.per_case)


def _without_source(subject: Subject, lost: Lost, lost_in: tuple[Stage, ...], per_case: Decimal) -> TraceJson | None:
    """A required source or quote gone from some stages; in place of an empty one, another fault, a chunk stands in.

    None where the policy lets one of them be missing.
    """
    stages = subject.stages
    required = len(set(subject.case.required_source_ids)) + len(set(subject.case.required_quotes))
    if required - 1 >= required * per_case:
        return None
    for chunks in lost(subject):
        left = {stage: tuple(i for i in stages[stage] if i not in chunks) for stage in lost_in}
        if not all(left.values()):
            other = _stand_in(subject, lost_in)
            if other is None:
                continue
            left = {stage: (*ids, other) if other not in ids else ids for stage, ids in left.items()}
        if left["context"] != stages["context"]:
            return with_stages(subject, left)
    return None


def _stand_in(subject: Subject, lost_in: tuple[Stage, ...]) -> str | None:
    """A chunk that may be shown and is not required; where earlier stages keep theirs, one that they have."""
    required = set[str]().union(*required_sources(subject), *required_quotes(subject))
    earlier = [ids for stage, ids in subject.stages.items() if stage not in lost_in]
    if earlier:
        return next((chunk_id for chunk_id in earlier[-1] if chunk_id not in required), None)
    while (other := subject.first_chunk(excluded=required)) is not None and is_required(subject, other):
        required.add(other)
    return other


def _citing_what_was_never_retrieved(subject: Subject) -> TraceJson | None:
    """The first citation replaced by a chunk that no stage had; where prose cites, only itemised claims can say so."""
    claims = claims_json(subject)
    if claims is None or subject.gates.citation_support.per_case < 1:
        return None
    for claim in claims:
        if claim.get("citation_ids") or claim.get("citation_id"):
            seen = [chunk_id for ids in subject.stages.values() for chunk_id in ids]
            claim.pop("citation_id", None)
            claim["citation_ids"] = [subject.first_chunk(excluded=seen) or _UNKNOWN]
            return with_answer(subject, subject.trace.reply.text, claims)
    return None


def _forbidden(subject: Subject) -> str | None:
    """A chunk whose text the asker may not read."""
    return subject.first_chunk("restricted") or subject.first_chunk("of others")


_NOT_SHOWABLE: dict[str, Fault] = {
    "chunk of other principals": "of others",
    "superseded chunk": "superseded",
    "chunk past its validity": "expired",
    "chunk before its validity": "early",
}
# In order of diagnosis: name, gate, how it is put in.
_ON_THE_PATH: tuple[tuple[str, GateName, Make], ...] = (
    ("unknown chunk", "admissibility", _with_unknown),
    ("forbidden text in the answer", "admissibility", _repeating_forbidden_text),
    ("stale version of a chunk", "admissibility", _with_stale_version),
    ("version of a chunk left out", "admissibility", _without_chunk_version),
    ("another text than the store's", "admissibility", _with_another_text),
    ("declared stage left out", "admissibility", _without_stage),
    ("chunk that the stage before had not", "admissibility", _with_stranger_in_context),
    ("missing version key", "admissibility", _without_version_key),
    ("duplicate version key", "admissibility", _with_duplicate_key),
    ("wrong case id", "admissibility", _of_another_case),
    ("duplicate id in a stage", "admissibility", _with_duplicate_id),
    ("empty context", "admissibility", _without_context),
    ("reranked set broken", "admissibility", _with_broken_reranking),
    ("required source lost at retrieval", "candidate_recall", _lost_at_retrieval),
    ("required source lost at selection", "context_recall", _lost_at_selection),
    ("required quote lost at retrieval", "candidate_recall", partial(_lost_at_retrieval, lost=required_quotes)),
    ("required quote lost at selection", "context_recall", partial(_lost_at_selection, lost=required_quotes)),
    ("citation never retrieved", "citation_support", _citing_what_was_never_retrieved),
)
