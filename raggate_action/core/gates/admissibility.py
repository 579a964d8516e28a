"""Gate 1: may this answer be judged at all? No score rescues a trace that fails here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from raggate_action.core.claims.indexed_trace import Traced
from raggate_action.core.disclosure.restricted_text import Leak
from raggate_action.schema.case import Case
from raggate_action.schema.evidence import ChunkFacts, EvidenceChunk, EvidenceStore
from raggate_action.schema.outcome import Failed, Outcome, Passed, Problem
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.trace import Stage, TracedChunk

_PASSED = Passed()
_NEW = ChunkFacts(version=None, permitted=True, current=True, principals=(), valid_from=None, valid_until=None)


def admissibility(
    case: Case, traced: Traced, pipeline: Pipeline, store: EvidenceStore | None, *, as_of: datetime, leak: Leak
) -> Outcome:
    """Check the evidence path of one trace; every defect is named, not only the first.

    Passes when the trace belongs to the case, has the declared stages and version keys (no key twice), a context
    that is not empty (a case that expects abstention may have none), no id twice in a stage, each stage within
    the one before, known ids, the store's versions and texts, and every traced chunk permitted and current.

    A chunk that is not permitted fails the trace even if a later stage drops it. Without a store permission, currency,
    versions and ids are not checked.

    Args:
        case: The case.
        traced: Its trace, read.
        pipeline: What the suite declares that the app reports.
        store: The evidence store.
        as_of: The moment currency is judged at.
        leak: What the trace, as it came, held that the asker may not read.
    """
    problems = [*_completeness(case, traced, pipeline), *_flow(traced.stages)]
    own = traced.trace.case_id
    if own is not None and own != case.case_id:
        problems.insert(0, Problem(code="wrong-case", detail=f"the trace says {own}, asked was {case.case_id}"))
    if store is not None:
        problems += _against_store(case, traced, store, as_of, leak)
    return Failed(problems=tuple(problems)) if problems else _PASSED


def own_evidence(case: Case, traced: Traced, store: EvidenceStore) -> tuple[EvidenceStore, tuple[str, ...]]:
    """The store with the chunks of an old trace in the versions that the trace names, as if still current.

    Returns:
        The store, and the chunks whose text is needed and not at hand: the trace holds none, and the store has another
        version of it, or none; or it has one that the case's principals may not be shown.
    """
    ids = dict.fromkeys([each for stage in traced.stages.values() for each in stage])
    needed = ids if case.required_quotes else traced.stages.get("context", ())
    told = [each for stage in traced.stages for each in getattr(traced.trace, stage)]
    shown = {each.chunk_id: each for each in told if isinstance(each, TracedChunk)}
    own, gone = [], []
    for chunk_id in ids:
        known, chunk = store.get(chunk_id), shown.get(chunk_id) or TracedChunk(chunk_id=chunk_id)
        facts, origin = (known.facts, known.origin) if known is not None else (_NEW, (chunk.document_id, None))
        version, text = chunk.version or facts.version, chunk.text
        if text is None and known is not None and version == known.version:
            text = known.text
        is_hidden = known is not None and not known.permitted_for(frozenset(case.principals))
        if is_hidden or (text is None and chunk_id in needed):
            gone.append(chunk_id)
        else:
            facts = facts._replace(version=version, current=True, valid_from=None, valid_until=None)
            own.append(EvidenceChunk(chunk_id, facts, text or "", origin))
    return store.with_chunks(own), tuple(gone)


# Without a `pipeline` section the context alone is asked for.
_NO_CONTEXT = (
    "the trace has no context; write where a reply has it (response: under target:), or pipeline: {context: none}"
)


def _completeness(case: Case, traced: Traced, pipeline: Pipeline) -> Iterator[Problem]:
    for stage in pipeline.declared_stages:
        if stage not in traced.stages:
            declared = "stages" in pipeline.model_fields_set
            detail = f"{stage} is declared in the suite, the trace has none" if declared else _NO_CONTEXT
            yield Problem(code="stage-missing", detail=detail)
    if not traced.stages.get("context", ("",)) and case.expect == "answer":
        yield Problem(code="context-empty", detail="the model was shown nothing")
    keys = [key for key, _value in traced.versions]
    for key in pipeline.versions:
        if key not in keys:
            yield Problem(code="version-missing", detail=f"{key} is declared in the suite, the trace has none")
    for key, times in _repeated(keys).items():
        yield Problem(code="version-duplicate", detail=f"{key} stands {times} times")
    chunks = [chunk for chunk in traced.chunks if not chunk.repeated]
    unversioned = [chunk.chunk_id for chunk in chunks if chunk.version is None]
    if unversioned and (pipeline.chunk_versions or len(unversioned) < len(chunks)):
        yield Problem(code="chunk-version-missing", detail=f"{_names(unversioned)} in context")


def _flow(stages: dict[Stage, tuple[str, ...]]) -> Iterator[Problem]:
    before: Stage | None = None
    earlier: set[str] = set()
    for stage, ids in stages.items():
        unique = set(ids)
        if len(unique) < len(ids):
            yield Problem(code="duplicate-chunk", detail=f"{_names(_repeated(ids))} in {stage}")
        if before is not None and not unique <= earlier:
            strangers = [chunk_id for chunk_id in dict.fromkeys(ids) if chunk_id not in earlier]
            yield Problem(code=f"not-in-{before.replace('_', '-')}", detail=f"{_names(strangers)} in {stage}")
        if stage == "reranked" and before == "rerank_input" and not earlier <= unique:
            lost = [chunk_id for chunk_id in stages[before] if chunk_id not in unique]
            yield Problem(code="lost-in-reranking", detail=f"{_names(lost)} of rerank_input not in reranked")
        before, earlier = stage, unique


def _against_store(case: Case, traced: Traced, store: EvidenceStore, as_of: datetime, leak: Leak) -> Iterator[Problem]:
    principals = frozenset(case.principals)
    where: dict[str, list[str]] = {}
    for stage, ids in traced.stages.items():
        for chunk_id in dict.fromkeys(ids):
            where.setdefault(chunk_id, []).append(stage)
    for chunk_id, seen in where.items():
        chunk = store.get(chunk_id)
        place = f"{chunk_id} in {', '.join(seen)}"
        if chunk is None:
            yield Problem(code="unknown-chunk", detail=place)
            continue
        if not chunk.permitted_for(principals):
            yield Problem(code="restricted-chunk", detail=place)
        if not chunk.current_at(as_of):
            yield Problem(code="superseded-chunk", detail=place)
    yield from _versions_and_texts(traced.chunks, store)
    for chunk_id in leak.repeated:
        yield Problem(code="restricted-text", detail=f"the trace repeats {chunk_id}")


def _versions_and_texts(chunks: Iterable[TracedChunk], store: EvidenceStore) -> Iterator[Problem]:
    others: list[str] = []
    for traced in chunks:
        chunk = store.get(traced.chunk_id)
        if chunk is None:
            continue
        if traced.version is not None and traced.version != chunk.version:
            detail = f"{traced.chunk_id} was read as {traced.version}, the store has {chunk.version or 'no version'}"
            yield Problem(code="version-differs", detail=detail)
        if traced.text is not None and traced.text != chunk.text and traced.text.split() != chunk.text.split():
            others.append(traced.chunk_id)
    if others:
        # One for all: an evidence file that is older than the index differs in every chunk.
        detail = f"{_names(others)} {'was' if len(others) == 1 else 'were'} read with another text than the store's"
        advice = "if the app's index was built anew, export the evidence again"
        yield Problem(code="text-differs", detail=f"{detail}: {advice}")


def _repeated(names: Sequence[str]) -> dict[str, int]:
    """Names that stand more than once, and how often."""
    if len(set(names)) == len(names):
        return {}
    return {name: times for name, times in Counter(names).items() if times > 1}


def _names(ids: Iterable[str]) -> str:
    """Offenders by name, the first five."""
    names = list(ids)
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
