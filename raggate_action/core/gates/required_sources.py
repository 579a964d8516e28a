"""Gates 2 and 3: required sources, by id or by quotation, looked up in the stages of a trace."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from raggate_action.core.claims.indexed_trace import Traced
from raggate_action.core.gates.outdated_labels import OutdatedLabels, Shown, out_of_date
from raggate_action.schema.base import rate_of
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import Musts
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Problem, Unmeasured, passed_if
from raggate_action.schema.trace import Stage
from raggate_action.strings.passages import Text, holders
from raggate_action.strings.visible_text import cut

_NOT_ASKED = NotApplicable(why="the suite asks for no sources")
_SHOWN = 80
# Of chunks without a text, named in a message.
_NAMED_AT_MOST = 5


class Recall(NamedTuple):
    """What a stage has of what a case requires.

    Attributes:
        outcome: Of the gate on the stage.
        met: Required sources by number, then required quotes, that are there.
        missed: Those that are not; one that nobody can look for is in neither.
    """

    outcome: Outcome
    met: Sequence[int] = ()
    missed: Sequence[int] = ()


def source_recall(case: Case, traced: Traced, stage: Stage, outdated: OutdatedLabels, *, per_case: Decimal) -> Recall:
    """Recall = required sources and quotes within the stage / required sources and quotes, each of them one.

    A source is there with its chunk, or with any chunk of that document or parent section.

    Returns:
        Not applicable when nothing is required; unmeasured when the app does not report the stage, when only chunks of
        which nobody has the text could hold a quote, and when only quotes that are out of date are missing.
    """
    store = outdated.store
    sources, quotes = tuple(dict.fromkeys(case.required_source_ids)), tuple(dict.fromkeys(case.required_quotes))
    if not sources and not quotes:
        return Recall(_NOT_ASKED)
    ids = traced.stages.get(stage)
    if ids is None:
        return Recall(Unmeasured(reason="trace", detail=f"the trace reports no {stage}"))
    missing = [source for source in sources if not chunks_of(source, ids, store)]
    chunks, silent = _chunks(traced, ids, store) if quotes else ([], [])
    texts = [Text(chunk.text, chunk.document) for chunk in chunks]
    unquoted = [quote for quote in quotes if not holders(quote, texts)] if quotes else []
    total = len(sources) + len(quotes)
    found = total - len(missing) - len(unquoted)
    passed = passed_if(found, total, per_case)
    if passed and found == total:
        return Recall(passed, range(total))
    now = outdated.of_quotes(unquoted, chunks)
    now |= {source: f"{source} is no longer in force" for source in missing if outdated.is_over(source)}
    are_there = [source not in missing for source in sources] + [quote not in unquoted for quote in quotes]
    # Where nobody has the text of a chunk, a quote may stand in it.
    known = [source not in now for source in sources] + [not silent and quote not in now for quote in quotes]
    met = [number for number, is_there in enumerate(are_there) if is_there]
    missed = [number for number, is_there in enumerate(are_there) if not is_there and known[number]]
    if passed:
        return Recall(passed, met, missed)
    if now and passed_if(found + len(now), total, per_case):
        return Recall(out_of_date(now), met, missed)
    if silent and passed_if(found + len(unquoted), total, per_case):
        named = ", ".join(silent[:_NAMED_AT_MOST])
        why = f"neither trace nor evidence store has the text of {named}"
        return Recall(Unmeasured(reason="trace", detail=why), met, missed)
    problems = []
    if lost := [source for source in missing if source not in now]:
        problems.append(Problem(code="source-missing", detail=f"{', '.join(lost)} not in {stage}"))
    for quote in [quote for quote in unquoted if quote not in now]:
        words = cut(" ".join(quote.split()), _SHOWN)
        problems.append(Problem(code="quote-missing", detail=f"“{words}” not in {stage}"))
    return Recall(Failed(problems=tuple(problems), share=rate_of(found, total)), met, missed)


def recall_musts(candidates: Recall, context: Recall) -> Musts | None:
    """What both stages have, under one row of numbers; None where nothing is required, or could be looked for."""
    met: list[int] = []
    missed: list[int] = []
    for offset, stage in enumerate((candidates, context)):
        for numbers, kept in ((stage.met, met), (stage.missed, missed)):
            if numbers:
                kept += [2 * number + offset for number in numbers]
    return Musts(met=tuple(met), missed=tuple(missed)) if met or missed else None


def context_precision(case: Case, traced: Traced, outdated: OutdatedLabels, *, per_case: Decimal) -> Outcome:
    """Precision = context chunks that are required, hold a required quote or are useful / context chunks.

    Returns:
        0.0 for an empty context; not applicable when nothing is required; unmeasured where a quote is out of date.
    """
    if not case.required_source_ids and not case.required_quotes:
        return _NOT_ASKED
    context = traced.stages.get("context")
    if context is None:
        return Unmeasured(reason="trace", detail="the trace reports no context")
    useful, store = set[str](), outdated.store
    chunks: list[Shown] = []
    for source in (*case.required_source_ids, *case.useful_source_ids):
        useful.update(chunks_of(source, context, store))
    if case.required_quotes:
        chunks, _silent = _chunks(traced, context, store)
        texts = [Text(chunk.text, chunk.document) for chunk in chunks]
        useful.update(chunks[place].chunk_id for quote in case.required_quotes for place in holders(quote, texts))
    if passed := passed_if(len(useful), len(context), per_case):
        return passed
    if now := outdated.of_quotes(case.required_quotes, chunks):
        return out_of_date(now)
    noise = [chunk_id for chunk_id in dict.fromkeys(context) if chunk_id not in useful]
    detail = f"{', '.join(noise)} neither required nor useful" if noise else "the context is empty"
    return Failed(problems=(Problem(code="noise-in-context", detail=detail),), share=rate_of(len(useful), len(context)))


def chunks_of(source: str, ids: Sequence[str], store: EvidenceStore | None) -> tuple[str, ...]:
    """Which chunks are what a case means by `source`; with the store, also those of that document or parent."""
    if store is None or source not in store.origins:
        return (source,) if source in ids else ()
    return tuple([i for i in ids if i == source or ((chunk := store.get(i)) is not None and chunk.is_of(source))])


def _chunks(traced: Traced, ids: Sequence[str], store: EvidenceStore | None) -> tuple[list[Shown], list[str]]:
    """The chunks of a stage, and the ids of those whose text neither store nor trace has; a store's is the evidence."""
    known: dict[str, Shown] = {}
    for stage in traced.stages:
        for chunk in getattr(traced.trace, stage):
            if not isinstance(chunk, str) and chunk.text is not None:
                shown = Shown(chunk.chunk_id, chunk.document_id, chunk.version, chunk.text)
                known.setdefault(chunk.chunk_id, shown)
    for chunk_id in ids:
        if store is not None and (own := store.get(chunk_id)) is not None:
            known[chunk_id] = Shown(chunk_id, own.origin[0], own.version, own.text)
    unique = dict.fromkeys(ids)
    return [known[each] for each in unique if each in known], [each for each in unique if each not in known]
