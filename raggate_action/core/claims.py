"""Claims and their verdicts: labels decide, exact quotation supports, everything else stays unverified.

The ways of reaching a verdict stand in one row (`adjudicate`); a further one, such as a judge, is one more
step there, taken only for what is still unverified.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from raggate_action.core.citations import resolve
from raggate_action.core.polarity import polarity_conflict
from raggate_action.core.quotation import ListItem, Sentence, find_item, find_quotation, quotable_words
from raggate_action.core.shown import ShownChunk, ShownContext
from raggate_action.core.spelling import folded
from raggate_action.schema.case import RequiredPoint
from raggate_action.schema.case_run import Claim, Finding, Verdict
from raggate_action.schema.trace import Answer


class Draft(NamedTuple):
    """A claim before its verdict.

    Attributes:
        claim_id, text, start, end, citations: As in `Claim`.
        phrases: The author's support phrases; empty is no label.
        point: The required point the author says it makes.
        lead, listed: For an item of a list, as in `prose.ProseClaim`.
    """

    claim_id: str
    text: str
    start: int | None
    end: int | None
    citations: tuple[str, ...]
    phrases: tuple[str, ...]
    point: str | None
    lead: str = ""
    listed: frozenset[str] = frozenset()


class Drafts(NamedTuple):
    """An answer, itemised.

    Attributes:
        claims: Its claims in order.
        declined: It declines: as the app reports, else as its sentences say; None where the app does not report it and
            nothing here can tell (see `abstention.recognises`).
        itemised: The app gave the claims itself; then a claim without a citation is the app's word, not our reading.
        language: ISO 639-1 code it was read in.
    """

    claims: tuple[Draft, ...]
    declined: bool | None
    itemised: bool
    language: str = "en"


class Reading(NamedTuple):
    """How answers are read.

    Attributes:
        patterns: Citation marker expressions.
        language: ISO 639-1 code of the answers.
    """

    patterns: tuple[re.Pattern[str], ...]
    language: str


class _Reached(NamedTuple):
    """A verdict and what it rests on; `against` is what keeps a label from deciding."""

    verdict: Verdict
    supported_by: tuple[str, ...] = ()
    quote: str | None = None
    labelled: bool = False
    note: str | None = None
    quoted: Mapping[str, Sentence] = MappingProxyType({})
    against: Finding | None = None


def itemise(answer: Answer, context: ShownContext, *, known: Container[str], reading: Reading) -> Drafts:
    """Turn an answer into claims: the app's own itemisation where it gives one, else its prose by sentence."""
    ids = context.ids
    if answer.claims:
        drafts = [
            Draft(
                claim.claim_id or f"claim-{number}",
                claim.text,
                None,
                None,
                tuple([token if token in known else resolve(token, ids, known) for token in claim.citations]),
                claim.support_phrases,
                claim.answer_point,
            )
            for number, claim in enumerate(answer.claims, 1)
        ]
        return Drafts(tuple(drafts), answer.abstained is True, itemised=True, language=reading.language)
    from raggate_action.core.abstention import recognises
    from raggate_action.core.prose import read_prose  # labelled runs never need its expressions

    prose = read_prose(answer.text, ids, patterns=reading.patterns, known=known, language=reading.language)
    drafts = [
        Draft(f"claim-{number}", c.text, c.start, c.end, c.citations, (), None, c.lead, c.listed)
        for number, c in enumerate(prose.claims, 1)
    ]
    untold = prose.declined if recognises(reading.language) or not drafts else None
    declined = untold if answer.abstained is None else answer.abstained
    return Drafts(tuple(drafts), declined, itemised=False, language=reading.language)


def adjudicate(
    drafts: Drafts, points: Sequence[RequiredPoint], context: ShownContext, *, question: str = ""
) -> tuple[Claim, ...]:
    """Give every claim its verdict over the context.

    In this order, the first that decides: the author's phrases on the claim; exact quotation of a context chunk;
    the support phrases of a required point whose answer phrases recognise the claim, unless a finding stands
    against it; a conflict with the evidence that leaves no other reading, which contradicts it. What none decides
    is `unverified`.

    Args:
        drafts: The answer, itemised.
        points: What the answer has to cover.
        context: What the model was shown.
        question: What was asked: its numbers and names are no inventions of the answer.

    Source: faithfulness by labels (seed 001); rules 6 and 7.
    """
    claims: list[Claim] = []
    before: Mapping[str, Sentence] = {}
    recognisable = [point for point in points if point.answer_phrases]
    for draft in drafts.claims:
        made = _recognised(draft, recognisable) if recognisable else ()
        findings: tuple[Finding, ...] = ()
        reached = _by_label(draft, context) or _by_quotation(draft, context, before)
        if reached is None:
            reached = _by_points(draft, made, context)
            reached, findings = _unless_suspect(reached, draft, context, question, drafts.language)
        findings += _cited_elsewhere(draft, context)
        before = reached.quoted
        named = (draft.point,) if draft.point else ()
        if made:
            named = tuple(dict.fromkeys((*named, *(point.id for point in made))))
        claims.append(_claim(draft, reached, named, findings))
    return tuple(claims)


def _cited_elsewhere(draft: Draft, context: ShownContext) -> tuple[Finding, ...]:
    """A finding for each citation that is not in the context, whatever the others support (rules 7)."""
    return tuple(
        Finding(kind="structure", code="citation", reason=f"{cited} is cited and not in the context", chunk_id=cited)
        for cited in draft.citations
        if cited not in context.by_id
    )


def _claim(draft: Draft, reached: _Reached, points: tuple[str, ...], findings: tuple[Finding, ...]) -> Claim:
    return Claim.trusted(
        {
            "claim_id": draft.claim_id,
            "text": draft.text,
            "start": draft.start,
            "end": draft.end,
            "citations": draft.citations,
            "verdict": reached.verdict,
            "supported_by": reached.supported_by,
            "quote": reached.quote,
            "points": points,
            "labelled": reached.labelled,
            "note": reached.note,
            "findings": findings,
        }
    )


def supporting(phrases: Sequence[str], chunks: Sequence[ShownChunk]) -> Sequence[ShownChunk]:
    """The chunks that say every phrase, in any case and spelling of accents."""
    found = chunks
    for phrase in phrases:
        wanted = folded(phrase)
        found = [chunk for chunk in found if wanted in chunk.folded]
    return found


def _recognised(draft: Draft, points: Sequence[RequiredPoint]) -> tuple[RequiredPoint, ...]:
    text = " ".join(folded(draft.text).split())
    return tuple(point for point in points if any(folded(phrase) in text for phrase in point.answer_phrases))


def _by_label(draft: Draft, context: ShownContext) -> _Reached | None:
    if not draft.phrases:
        return None
    by = supporting(draft.phrases, context.chunks)
    if not by:
        note = "no context chunk says " + " and ".join(f"“{phrase}”" for phrase in draft.phrases)
        return _Reached("unsupported", labelled=True, note=note)
    ids = (by[0].chunk_id,) if len(by) == 1 else tuple([chunk.chunk_id for chunk in by])
    return _Reached("supported", ids, _words(by[0], draft.phrases[0]), labelled=True)


def _by_quotation(draft: Draft, context: ShownContext, before: Mapping[str, Sentence]) -> _Reached | None:
    item = ListItem(draft.lead, draft.text[len(draft.lead) + 1 :], draft.listed) if draft.lead else None
    # "Refunds are possible:" and "within 30 days" may be one sentence of the chunk.
    words = quotable_words(f"{draft.lead[:-1]} {item.item}" if item else draft.text)
    found = {
        chunk.chunk_id: quotation
        for chunk in context.chunks
        if chunk.text
        and (
            (quotation := find_quotation(words, chunk.quotable, after=before.get(chunk.chunk_id)))
            or (item and (quotation := find_item(item, chunk.quotable)))
        )
    }
    if not found:
        return None
    quoted = {chunk_id: quotation.sentence for chunk_id, quotation in found.items()}
    return _Reached("supported", tuple(quoted), next(iter(found.values())).words, quoted=quoted)


def _unless_suspect(
    reached: _Reached, draft: Draft, context: ShownContext, question: str, language: str
) -> tuple[_Reached, tuple[Finding, ...]]:
    """What a required point's label says, unless a finding stands against the claim (rules 6)."""
    from raggate_action.core.suspects import suspects_of  # labelled runs never need its rules

    found = suspects_of(draft.text, draft.citations, context, question=question, language=language)
    if reached.against is not None and not any(each.kind == "conflict" for each in found):
        found = (reached.against, *found)
    certain = next((each for each in found if each.certain), None)
    if certain is not None:
        return _Reached("contradicted", note=certain.reason), found
    doubt = next((each for each in found if not each.advisory and each.kind != "structure"), None)
    if doubt is not None and reached.verdict in {"supported", "unverified"}:
        return _Reached("unverified", note=doubt.reason), found
    return reached, found


def _by_points(draft: Draft, made: Sequence[RequiredPoint], context: ShownContext) -> _Reached:
    labels = [point.support_phrases for point in made if point.support_phrases]
    if not labels:
        return _Reached("unverified")
    by = [supporting(phrases, context.chunks) for phrases in labels]
    if not all(by):
        missing = labels[next(i for i, chunks in enumerate(by) if not chunks)]
        note = "no context chunk says " + " and ".join(f"“{phrase}”" for phrase in missing)
        return _Reached("unsupported", labelled=True, note=note)
    for phrases, chunks in zip(labels, by, strict=True):
        if finding := polarity_conflict(draft.text, phrases, chunks):
            return _Reached("unverified", note=finding.reason, against=finding)
    ids = dict.fromkeys(chunk.chunk_id for chunks in by for chunk in chunks)
    in_order = tuple(chunk_id for chunk_id in context.ids if chunk_id in ids)
    return _Reached("supported", in_order, _words(by[0][0], labels[0][0]), labelled=True)


def _words(chunk: ShownChunk, phrase: str) -> str | None:
    """The phrase as the chunk spells it; None where the two differ in more than case."""
    if chunk.text is None:
        return None
    if len(chunk.text) == len(chunk.folded):
        start = chunk.folded.find(folded(phrase))
        return chunk.text[start : start + len(phrase)]
    spelled = re.search(re.escape(phrase), chunk.text, re.IGNORECASE)
    return spelled[0] if spelled else None
