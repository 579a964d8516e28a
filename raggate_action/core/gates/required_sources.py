"""Gates 2 and 3: required sources, by id or by quotation, looked up in the stages of a trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from raggate_action.core.claims.indexed_trace import Traced
from raggate_action.schema.base import maker_of, rate_of
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import Musts
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Failed, NotApplicable, Outcome, Problem, Unmeasured, passed_if
from raggate_action.schema.trace import Stage
from raggate_action.strings.changed_passage import changed_passage
from raggate_action.strings.passages import Text, holders
from raggate_action.strings.visible_text import cut

_MUSTS = maker_of(Musts)
_NOT_ASKED = NotApplicable(why="the suite asks for no sources")
_SHOWN = 80
# Of chunks without a text, named in a message.
_NAMED_AT_MOST = 5


class _Chunk(NamedTuple):
    """A chunk of a stage: its id, and what it says; None where neither store nor trace has it."""

    chunk_id: str
    text: Text | None


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


def source_recall(
    case: Case, traced: Traced, stage: Stage, store: EvidenceStore | None, *, per_case: Decimal
) -> Recall:
    """Recall = required sources and quotes within the stage / required sources and quotes, each of them one.

    A source is there with its chunk, or with any chunk of that document or parent section.

    Returns:
        Not applicable when nothing is required; unmeasured when the app does not report the stage, and when only
        chunks of which nobody has the text could hold a quote.
    """
    sources, quotes = tuple(dict.fromkeys(case.required_source_ids)), tuple(dict.fromkeys(case.required_quotes))
    if not sources and not quotes:
        return Recall(_NOT_ASKED)
    ids = traced.stages.get(stage)
    if ids is None:
        return Recall(Unmeasured(reason="trace", detail=f"the trace reports no {stage}"))
    missing = [source for source in sources if not chunks_of(source, ids, store)]
    chunks = _chunks(traced, ids, store) if quotes else []
    texts = [chunk.text for chunk in chunks if chunk.text is not None] if chunks else []
    unquoted = [quote for quote in quotes if not holders(quote, texts)] if quotes else []
    total = len(sources) + len(quotes)
    found = total - len(missing) - len(unquoted)
    passed = passed_if(found, total, per_case)
    if passed and found == total:
        return Recall(passed, range(total))
    silent = [chunk.chunk_id for chunk in chunks if chunk.text is None]
    are_there = [source not in missing for source in sources] + [quote not in unquoted for quote in quotes]
    # Where nobody has the text of a chunk, a quote may stand in it.
    known = len(sources) if silent else total
    met = [number for number, is_there in enumerate(are_there) if is_there]
    missed = [number for number, is_there in enumerate(are_there[:known]) if not is_there]
    if passed:
        return Recall(passed, met, missed)
    if silent and passed_if(found + len(unquoted), total, per_case):
        named = ", ".join(silent[:_NAMED_AT_MOST])
        why = f"neither trace nor evidence store has the text of {named}"
        return Recall(Unmeasured(reason="trace", detail=why), met, missed)
    problems = tuple(_problems(missing, unquoted, stage, texts, store))
    return Recall(Failed(problems=problems, share=rate_of(found, total)), met, missed)


def recall_musts(candidates: Recall, context: Recall) -> Musts | None:
    """What both stages have, under one row of numbers; None where nothing is required, or could be looked for."""
    met: list[int] = []
    missed: list[int] = []
    for offset, stage in enumerate((candidates, context)):
        for numbers, kept in ((stage.met, met), (stage.missed, missed)):
            if numbers:
                kept += [2 * number + offset for number in numbers]
    return _MUSTS(met=tuple(met), missed=tuple(missed)) if met or missed else None


def context_precision(case: Case, traced: Traced, store: EvidenceStore | None, *, per_case: Decimal) -> Outcome:
    """Precision = context chunks that are required, hold a required quote or are useful / context chunks.

    Returns:
        0.0 for an empty context; not applicable when nothing is required.
    """
    if not case.required_source_ids and not case.required_quotes:
        return _NOT_ASKED
    context = traced.stages.get("context")
    if context is None:
        return Unmeasured(reason="trace", detail="the trace reports no context")
    useful: set[str] = set()
    for source in (*case.required_source_ids, *case.useful_source_ids):
        useful.update(chunks_of(source, context, store))
    if case.required_quotes:
        chunks = [chunk for chunk in _chunks(traced, context, store) if chunk.text is not None]
        texts = [chunk.text for chunk in chunks if chunk.text is not None]
        useful.update(chunks[place].chunk_id for quote in case.required_quotes for place in holders(quote, texts))
    if passed := passed_if(len(useful), len(context), per_case):
        return passed
    noise = [chunk_id for chunk_id in dict.fromkeys(context) if chunk_id not in useful]
    detail = f"{', '.join(noise)} neither required nor useful" if noise else "the context is empty"
    return Failed(problems=(Problem(code="noise-in-context", detail=detail),), share=rate_of(len(useful), len(context)))


def chunks_of(source: str, ids: Sequence[str], store: EvidenceStore | None) -> tuple[str, ...]:
    """Which chunks are what a case means by `source`; with the store, also those of that document or parent."""
    if store is None or source not in store.origins:
        return (source,) if source in ids else ()
    return tuple([i for i in ids if i == source or ((chunk := store.get(i)) is not None and chunk.is_of(source))])


def _chunks(traced: Traced, ids: Sequence[str], store: EvidenceStore | None) -> list[_Chunk]:
    traced_texts: dict[str, str] = {}
    for stage in traced.stages:
        for chunk in getattr(traced.trace, stage):
            if not isinstance(chunk, str) and chunk.text is not None:
                traced_texts.setdefault(chunk.chunk_id, chunk.text)
    return [_Chunk(chunk_id, _text(chunk_id, traced_texts.get(chunk_id), store)) for chunk_id in dict.fromkeys(ids)]


def _text(chunk_id: str, traced: str | None, store: EvidenceStore | None) -> Text | None:
    """With a store its text is the evidence."""
    known = store.get(chunk_id) if store is not None else None
    if known is not None:
        return Text(known.text, known.origin[0])
    return Text(traced) if traced is not None else None


def _problems(
    missing: Sequence[str], unquoted: Sequence[str], stage: Stage, texts: Sequence[Text], store: EvidenceStore | None
) -> Iterator[Problem]:
    if missing:
        yield Problem(code="source-missing", detail=f"{', '.join(missing)} not in {stage}")
    for quote in unquoted:
        now = changed_passage(quote, [each.text for each in texts])
        # A document that still says it, and was not shown, has not changed: another one says nearly the same.
        if now and not (store is not None and any(holders(quote, [Text(each.text)]) for each in store)):
            yield Problem(code="quote-changed", detail=f"the document says otherwise now: “{now}”")
            continue
        yield Problem(code="quote-missing", detail=f"“{cut(' '.join(quote.split()), _SHOWN)}” not in {stage}")
