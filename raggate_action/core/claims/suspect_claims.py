"""Findings of the evidence checks on a claim, each with the key that finds it again on another run."""

from __future__ import annotations

from functools import cache, lru_cache

from raggate_action.core.claims.false_claim_identity import values_of
from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.counting.case_state import is_value
from raggate_action.core.evidence_checks.claim_check import findings_on
from raggate_action.core.evidence_checks.evidence_index import IndexCache, ShownEvidence
from raggate_action.core.text.text import Text, normal_words
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case_run import Finding


def suspects_of(
    text: Text, citations: tuple[str, ...], context: ShownContext, *, question: str, language: str
) -> tuple[Finding, ...]:
    """What the evidence checks find on a claim; spans are places in `text`.

    No value is sharp that may stand in what is not at hand, or that many answers of the run give.

    Args:
        text: The claim.
        citations: Chunks it cites.
        context: What the model was shown; chunks without a text are no evidence.
        question: What was asked: its numbers and names are no inventions.
        language: ISO 639-1 code of the answers.
    """
    evidence = evidence_of(context, language)
    found = findings_on(text, evidence, citations=citations, question=question, case=context.beside.case)
    return tuple([_keyed(finding, text.raw, context) for finding in without_repeats(found)])


def without_repeats(found: tuple[Finding, ...]) -> list[Finding]:
    """The findings, each fault once: a conflict stands for the value of its own that is absent, and is as sharp."""
    conflicts = [each for each in found if each.kind == "conflict" and not each.advisory]
    absent = {each: [one for one in conflicts if _covers(one, each)] for each in found if each.kind == "absent"}
    sharp = [conflict for each, covering in absent.items() if each.sharp for conflict in covering]
    return [
        each.model_copy(update={"sharp": True}) if each in sharp else each for each in found if not absent.get(each)
    ]


def _covers(conflict: Finding, each: Finding) -> bool:
    return (conflict.start or 0) <= (each.start or 0) and (each.end or 0) <= (conflict.end or 0)


def _keyed(finding: Finding, text: str, context: ShownContext) -> Finding:
    """The finding with a key, equal for the same value or, of other kinds, the same words in whichever sentence."""
    values = sorted(values_of(finding, text)) if is_value(finding) else []
    words = normal_words(text[finding.start : finding.end])
    about = "|".join(values) if values else f"{finding.kind}:{finding.code}:{finding.chunk_id}:{words}"
    key = digest_of_text(about)[:16]
    may_be_right = is_value(finding) and (key in context.beside.common or not context.is_whole)
    sharp = finding.sharp and (finding.certain or not may_be_right)
    return finding.model_copy(update={"key": key, "sharp": sharp})


@lru_cache(maxsize=1)
def evidence_of(context: ShownContext, language: str) -> ShownEvidence:
    """The chunks of one answer's context, put together once for all of its claims."""
    texts = [(chunk.chunk_id, chunk.text) for chunk in context.chunks if chunk.text]
    metadata = [chunk.metadata for chunk in context.chunks if chunk.metadata]
    return _indexes(language).shown(texts, metadata=(*metadata, *context.beside.own_addresses))


@cache
def _indexes(language: str) -> IndexCache:
    """Chunks are read once for all cases of a run."""
    return IndexCache(language)
