"""Faults of the evidence path: what no answer, however good, may be released with. Each must be caught."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from raggate_action.core.mutants.mutation import (
    Edit,
    Fault,
    Mutation,
    Subject,
    TraceJson,
    cite_instead,
    say,
    show,
)
from raggate_action.schema.trace import STAGES, Stage

# Of two chunks that hold a quote together one has half of its pieces, but for those that run over the cut.
_ENOUGH = 0.3
_PIECE = 4
_UNKNOWN = "raggate-mutant-unknown"


def _foreign(fault: Fault, stage: Stage) -> Edit:
    """A chunk that may not be shown, in one stage and those before it, as if dropped later."""

    def edit(subject: Subject, mutant: TraceJson) -> None:
        stages = subject.stages
        chunk_id = subject.first_with(fault, subject.seen)
        if stage in stages and chunk_id is not None:
            for each in STAGES[: STAGES.index(stage) + 1]:
                if each in stages:
                    show(subject, mutant, each, (*stages[each], chunk_id))

    return edit


def _unknown(subject: Subject, mutant: TraceJson) -> None:
    for stage, ids in subject.stages.items() if subject.store is not None else ():
        show(subject, mutant, stage, (*ids, _UNKNOWN))


def _forbidden_text(subject: Subject, mutant: TraceJson) -> None:
    chunk_id = subject.first_with("restricted") or subject.first_with("of others")
    if chunk_id is not None and (text := subject.text_of(chunk_id)).strip():
        say(mutant, f"{subject.trace.reply.text} {text}".strip())


def _versioned(mutant: TraceJson) -> list[dict[str, Any]]:
    """The chunks of the context that carry a version."""
    return [chunk for chunk in mutant.get("context", ()) if isinstance(chunk, dict) and "version" in chunk]


def _stale(subject: Subject, mutant: TraceJson) -> None:
    for chunk in _versioned(mutant):
        if subject.known(chunk["chunk_id"]) is not None:
            chunk["version"] += "-superseded"
            return


def _without_chunk_version(subject: Subject, mutant: TraceJson) -> None:
    versioned = _versioned(mutant)
    if len(versioned) >= (1 if subject.pipeline.chunk_versions else 2):
        del versioned[0]["version"]


def _another_text(subject: Subject, mutant: TraceJson) -> None:
    for place, chunk in enumerate(mutant.get("context", ())):
        read = chunk if isinstance(chunk, dict) else {"chunk_id": chunk}
        if subject.known(read["chunk_id"]) is not None:
            mutant["context"][place] = {**read, "text": "raggate mutant: not what the store says"}
            return


def _without_stage(subject: Subject, mutant: TraceJson) -> None:
    for stage in [stage for stage in subject.pipeline.declared_stages if stage in subject.stages][:1]:
        del mutant[stage]


def _stranger_in_context(subject: Subject, mutant: TraceJson) -> None:
    stranger = next(iter(subject.showable(subject.seen)), None)
    if len(subject.stages) > 1 and "context" in subject.stages and stranger is not None:
        show(subject, mutant, "context", (*subject.context, stranger))


def _without_version_key(subject: Subject, mutant: TraceJson) -> None:
    gone = subject.pipeline.versions[:1]
    if gone:
        mutant["versions"] = [list(pair) for pair in subject.trace.version_pairs if pair[0] not in gone]


def _duplicate_version_key(subject: Subject, mutant: TraceJson) -> None:
    if pairs := subject.trace.version_pairs:
        mutant["versions"] = [*pairs, pairs[0]]


def _another_case(_subject: Subject, mutant: TraceJson) -> None:
    mutant["case_id"] = "raggate-mutant-case"


def _duplicate_id(subject: Subject, mutant: TraceJson) -> None:
    for stage, ids in [(stage, ids) for stage, ids in subject.stages.items() if ids][:1]:
        show(subject, mutant, stage, (*ids, ids[0]))


def _empty_context(subject: Subject, mutant: TraceJson) -> None:
    if subject.case.expect == "answer" and subject.context:
        mutant["context"] = []


def _broken_reranking(subject: Subject, mutant: TraceJson) -> None:
    reranked = subject.stages.get("reranked", ())
    if len(reranked) > 1 and "rerank_input" in subject.stages:
        # Not one of the context, so that only the set itself is broken.
        dropped = next((i for i in reversed(reranked) if i not in subject.context), reranked[-1])
        show(subject, mutant, "reranked", [i for i in reranked if i != dropped])


def _lost(required: Literal["source", "quote"], at: Literal["candidates", "context"]) -> Edit:
    """A required source or quote gone from a stage and those after it, unless the policy lets one be missing.

    In place of an empty stage, another fault, a chunk stands in: where earlier stages keep theirs, one that they have.
    """

    def edit(subject: Subject, mutant: TraceJson) -> None:
        stages = subject.stages
        sources = [partial(_is_of, subject, source) for source in dict.fromkeys(subject.case.required_source_ids)]
        quotes = [partial(_holds, subject, _pieces(quote)) for quote in dict.fromkeys(subject.case.required_quotes)]
        every = [*sources, *quotes]
        gate = subject.gates.candidate_recall if at == "candidates" else subject.gates.context_recall
        if at not in stages or len(every) - 1 >= len(every) * gate.per_case:
            return
        earlier = [ids for stage, ids in stages.items() if STAGES.index(stage) < STAGES.index(at)]
        pool = earlier[-1] if earlier else subject.showable()
        stand_in = [i for i in pool if not any(meets(i) for meets in every)][:1]
        for lost in sources if required == "source" else quotes:
            left = {stage: [i for i in stages[stage] if not lost(i)] for stage in list(stages)[len(earlier) :]}
            if not all(left.values()):
                left = {stage: list(dict.fromkeys((*ids, *stand_in))) for stage, ids in left.items()}
            if all(left.values()) and tuple(left["context"]) != subject.context:
                for stage, ids in left.items():
                    show(subject, mutant, stage, ids)
                return

    return edit


def _is_of(subject: Subject, source: str, chunk_id: str) -> bool:
    """Whether a chunk is a required source: itself, or cut from that document or parent."""
    chunk = subject.known(chunk_id)
    return chunk_id == source or (chunk is not None and chunk.is_of(source))


def _holds(subject: Subject, pieces: frozenset[str], chunk_id: str) -> bool:
    """Whether a chunk holds much of a required quote."""
    return len(pieces & _pieces(subject.text_of(chunk_id))) >= _ENOUGH * len(pieces)


def _pieces(text: str) -> frozenset[str]:
    """Runs of letters and digits, wherever words are parted: the same in any script and layout."""
    letters = "".join(filter(str.isalnum, text.casefold()))
    return frozenset(letters[at : at + _PIECE] for at in range(max(1, len(letters) - _PIECE + 1)))


def _never_retrieved(subject: Subject, mutant: TraceJson) -> None:
    """The first citation replaced by a chunk that no stage had; where prose cites, only itemised claims can say so."""
    if subject.gates.citation_support.per_case >= 1:
        cite_instead(mutant, lambda _cited: [next(iter(subject.showable(subject.seen)), _UNKNOWN)])


# In order of diagnosis.
EVIDENCE_MUTATIONS = (
    *(
        Mutation(f"restricted chunk in {stage.replace('_', ' ')}", "admissibility", _foreign("restricted", stage))
        for stage in STAGES
    ),
    Mutation("chunk of other principals", "admissibility", _foreign("of others", "context")),
    Mutation("superseded chunk", "admissibility", _foreign("superseded", "context")),
    Mutation("chunk past its validity", "admissibility", _foreign("expired", "context")),
    Mutation("chunk before its validity", "admissibility", _foreign("early", "context")),
    Mutation("unknown chunk", "admissibility", _unknown),
    Mutation("forbidden text in the answer", "admissibility", _forbidden_text),
    Mutation("stale version of a chunk", "admissibility", _stale),
    Mutation("version of a chunk left out", "admissibility", _without_chunk_version),
    Mutation("another text than the store's", "admissibility", _another_text),
    Mutation("declared stage left out", "admissibility", _without_stage),
    Mutation("chunk that the stage before had not", "admissibility", _stranger_in_context),
    Mutation("missing version key", "admissibility", _without_version_key),
    Mutation("duplicate version key", "admissibility", _duplicate_version_key),
    Mutation("wrong case id", "admissibility", _another_case),
    Mutation("duplicate id in a stage", "admissibility", _duplicate_id),
    Mutation("empty context", "admissibility", _empty_context),
    Mutation("reranked set broken", "admissibility", _broken_reranking),
    Mutation("required source lost at retrieval", "candidate_recall", _lost("source", "candidates")),
    Mutation("required source lost at selection", "context_recall", _lost("source", "context")),
    Mutation("required quote lost at retrieval", "candidate_recall", _lost("quote", "candidates")),
    Mutation("required quote lost at selection", "context_recall", _lost("quote", "context")),
    Mutation("citation never retrieved", "citation_support", _never_retrieved),
)
