"""Claims and their verdicts: labels decide, exact quotation supports, everything else stays unverified.

The ways of reaching a verdict stand in one row (`adjudicate`); a further one, such as a judge, is one more
step there, taken only for what is still unverified.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.claims.claim_extraction import Draft, Drafts
from raggate_action.core.claims.model_context import ShownChunk, ShownContext
from raggate_action.core.claims.polarity import deny_alike, near_at, near_in, polarity_conflict, sentences_around
from raggate_action.core.text.case_folding import folded, folded_phrase
from raggate_action.core.text.identifiers import ADDRESSES
from raggate_action.core.text.quotation import (
    ListItem,
    Quotation,
    find_item,
    find_quotation,
)
from raggate_action.core.text.text import Sentence, Text
from raggate_action.schema.case import RequiredPoint
from raggate_action.schema.case_run import Claim, Finding, Verdict

if TYPE_CHECKING:
    from raggate_action.core.text.prose import ProseClaim

# From here on chunks are split at once: looking through their texts for every claim would take longer.
_MANY_CLAIMS = 32
# Shorter words tell nothing of what a claim follows.
_LONG_WORD = 4
# Of what a claim adds to its label, so much is named.
_NAMED = 3
# Words before what a labelled claim repeats: "as the source has it,".
_LONGEST_LEAD = 8
# Between two of them words are not said, over full stops too.
_OPENS_CODE = ("`", "【")
_LEFT_OUT = "it stands word for word in a chunk, behind a sentence or a heading that the answer leaves out"


class _Reached(NamedTuple):
    """A verdict and what it rests on; `against` is what keeps a label from deciding."""

    verdict: Verdict
    supported_by: tuple[str, ...] = ()
    quote: str | None = None
    quote_start: int | None = None
    labelled: bool = False
    note: str | None = None
    quoted: Mapping[str, Sentence] = MappingProxyType({})
    against: Finding | None = None


def adjudicate(
    drafts: Drafts, points: Sequence[RequiredPoint], context: ShownContext, *, question: str = ""
) -> tuple[Claim, ...]:
    """Give every claim its verdict over the context.

    In this order, the first that decides: the author's phrases on the claim, unless it denies what they say; exact
    quotation of a context chunk; the support phrases of a required point whose answer phrases recognise the claim,
    unless a finding stands against it or it says more than they do; a conflict with the evidence that leaves no other
    reading, which contradicts it whatever label it has. What none decides is `unverified`.

    Args:
        drafts: The answer, itemised.
        points: What the answer has to cover.
        context: What the model was shown.
        question: What was asked: its numbers and names are no inventions of the answer.
    """
    claims: list[Claim] = []
    before: Mapping[str, Sentence] = {}
    opened = before
    recognisable = [(point, [*map(folded, point.answer_phrases)]) for point in points if point.is_recognisable]
    _split_for_many(drafts, context)
    for draft in drafts.claims:
        made = _recognised(draft, recognisable, drafts.language) if recognisable else ()
        findings: tuple[Finding, ...] = ()
        joined = draft.prose.joined if draft.prose is not None else None
        if joined is None or draft.text == joined.parts[0]:  # it does not go on with the sentence before
            opened = before
        reached = _by_label(draft, context) or _by_quotation(draft, context, before, opened)
        if reached is None:
            reached = _by_points(draft, made, context, language=drafts.language)
            reached, findings = _unless_suspect(reached, draft, context, question, drafts.language)
        elif reached.labelled:
            reached, findings = _unless_certain(reached, draft, context, question, drafts.language)
        if not context.by_id.keys() >= {*draft.citations}:
            findings += _cited_elsewhere(draft, context)
        if reached.verdict == "unverified" and reached.note is None and _stands_word_for_word(draft, context):
            reached = reached._replace(note=_LEFT_OUT)
        before = reached.quoted
        named = (draft.point,) if draft.point else ()
        if made:
            named = tuple(dict.fromkeys((*named, *(point.id for point in made))))
        claims.append(_claim(draft, reached, named, findings))
    if claims and drafts.referrals:
        claims += _invented_addresses(drafts, context, question)
    return tuple(claims)


def _split_for_many(drafts: Drafts, context: ShownContext) -> None:
    if len(drafts.claims) > _MANY_CLAIMS:
        for chunk in context.chunks:
            chunk.quotable.split()


def _invented_addresses(drafts: Drafts, context: ShownContext, question: str) -> Iterator[Claim]:
    """The referrals to an address that nothing shown holds: only these state something."""
    from raggate_action.core.claims.suspect_claims import suspects_of

    for draft in drafts.referrals:
        found = suspects_of(draft.read, draft.citations, context, question=question, language=drafts.language)
        absent = tuple([finding for finding in found if finding.code in ADDRESSES and not finding.advisory])
        if absent:
            yield _claim(draft, _Reached("unverified", note=absent[0].reason), (), absent)


def _cited_elsewhere(draft: Draft, context: ShownContext) -> tuple[Finding, ...]:
    """A finding for each citation that is not in the context, whatever the others support."""
    return tuple(
        Finding(kind="structure", code="citation", reason=f"{cited} is cited and not in the context", chunk_id=cited)
        for cited in draft.citations
        if cited not in context.by_id
    )


def _claim(draft: Draft, reached: _Reached, points: tuple[str, ...], findings: tuple[Finding, ...]) -> Claim:
    return Claim(
        claim_id=draft.claim_id,
        text=draft.text,
        start=draft.start,
        end=draft.end,
        citations=draft.citations,
        verdict=reached.verdict,
        supported_by=reached.supported_by,
        quote=reached.quote,
        quote_start=reached.quote_start,
        points=points,
        labelled=reached.labelled,
        note=reached.note,
        findings=findings,
    )


def supporting(phrases: Sequence[str], chunks: Sequence[ShownChunk]) -> Sequence[ShownChunk]:
    """The chunks that say every phrase, in any case and spelling of accents."""
    found = chunks
    for phrase in phrases:
        wanted = folded_phrase(phrase)
        found = [chunk for chunk in found if wanted in chunk.folded]
    return found


def _recognised(
    draft: Draft, recognisable: Sequence[tuple[RequiredPoint, Sequence[str]]], language: str
) -> tuple[RequiredPoint, ...]:
    """The points that a claim makes, of points with their folded answer phrases."""
    return tuple([
        point
        for point, phrases in recognisable
        if any(_says(draft, partial(_stands_in, phrase)) for phrase in phrases)
        or (point.value is not None and _says(draft, partial(_is_stated, point.value, language)))
    ])  # fmt: skip


def _says(draft: Draft, is_in: Callable[[Text], bool]) -> bool:
    """Whether a claim says a phrase or value; one over the joint of a sentence is said by both its sides."""
    if is_in(draft.read):
        return True
    joined = draft.prose.joined if draft.prose is not None else None
    return joined is not None and is_in(joined.whole) and not any(is_in(Text(part)) for part in joined.parts)


def _is_stated(value: str, language: str, text: Text) -> bool:
    from raggate_action.core.evidence_checks.stated_values import states_value  # few labels are values

    return states_value(text.raw, value, language)


def _stands_in(phrase: str, text: Text) -> bool:
    """Whether a text has a phrase, and somewhere no longer number begins or ends in it: "5 eur" is not in "15 eur"."""
    words = text.words
    if phrase not in words or not phrase:
        return phrase in words
    before = r"(?<!\d)(?<!\d[.,])" if phrase[0].isdecimal() else ""
    behind = r"(?!\d)(?![.,]\d)" if phrase[-1].isdecimal() else ""
    return not (before or behind) or re.search(before + re.escape(phrase) + behind, words) is not None


def _by_label(draft: Draft, context: ShownContext) -> _Reached | None:
    if not draft.phrases:
        return None
    by = supporting(draft.phrases, context.chunks)
    if not by:
        note = "no context chunk says " + " and ".join(f"“{phrase}”" for phrase in draft.phrases)
        return _Reached("unsupported", labelled=True, note=note)
    if finding := polarity_conflict(draft.text, draft.phrases, by):
        return _Reached("unverified", labelled=True, note=finding.reason, against=finding)
    ids = (by[0].chunk_id,) if len(by) == 1 else tuple([chunk.chunk_id for chunk in by])
    return _Reached("supported", ids, *_words(by[0], draft.phrases[0]), labelled=True)


def _by_quotation(
    draft: Draft, context: ShownContext, before: Mapping[str, Sentence], opened: Mapping[str, Sentence]
) -> _Reached | None:
    """Exact quotation: of the whole sentence a claim is a part of, else of the claim.

    Args:
        draft: The claim.
        context: The chunks.
        before: What the claim before it quotes, by chunk.
        opened: What the claim before its sentence quotes.
    """
    prose = draft.prose
    found: dict[str, Quotation] = {}
    if prose is not None and prose.joined is not None:
        found = _quotations(prose.joined.whole, prose, context, opened)
    found = found or _quotations(draft.read, prose, context, before)
    if not found:
        return None
    quoted = {chunk_id: quotation.sentence for chunk_id, quotation in found.items()}
    first = next(iter(found.values()))
    return _Reached("supported", tuple(quoted), first.words, first.sentence.start, quoted=quoted)


def _quotations(
    text: Text, prose: ProseClaim | None, context: ShownContext, before: Mapping[str, Sentence]
) -> dict[str, Quotation]:
    lead, heading = (prose.lead, prose.heading) if prose is not None else ("", "")
    item = ListItem(lead, text.raw[len(lead) + 1 :], prose.listed, heading) if prose is not None and lead else None
    # "Refunds are possible:" and "within 30 days" may be one sentence of the chunk.
    wanted = Text(f"{lead[:-1]} {item.item}") if item else text
    return {
        chunk.chunk_id: quotation
        for chunk in context.chunks
        if chunk.text
        and (
            (quotation := find_quotation(wanted, chunk.quotable, after=before.get(chunk.chunk_id), heading=heading))
            or (item and (quotation := find_item(item, chunk.quotable)))
            # "Here is what I found:" may introduce whole sentences.
            or (item and (quotation := find_quotation(text, chunk.quotable, after=None, heading=heading)))
        )
    }


def _stands_word_for_word(draft: Draft, context: ShownContext) -> bool:
    """Whether a claim is a sentence of a chunk, though what it leans on or stands under keeps it from being quoted."""
    words = draft.read.quotable
    texts = [chunk.quotable for chunk in context.chunks if chunk.text]
    return any((text.may_hold(words) or text.marked_up) and words in text.by_words for text in texts)


def _unless_suspect(
    reached: _Reached, draft: Draft, context: ShownContext, question: str, language: str
) -> tuple[_Reached, tuple[Finding, ...]]:
    """What a required point's label says, unless a finding stands against the claim."""
    from raggate_action.core.claims.suspect_claims import suspects_of  # labelled runs never need its rules

    found = suspects_of(draft.read, draft.citations, context, question=question, language=language)
    if reached.against is not None and not any(each.kind == "conflict" and not each.advisory for each in found):
        found = (reached.against, *found)
    certain = next((each for each in found if each.certain), None)
    if certain is not None:
        return _contradicted(certain, context), found
    doubt = next((each for each in found if not each.advisory and each.kind != "structure"), None)
    if doubt is None and reached.verdict == "supported":  # "within 14 days" without its "if the seal is intact"
        doubt = next((each for each in found if each.code == "condition"), None)
    if doubt is not None and reached.verdict in {"supported", "unverified"}:
        return _Reached("unverified", note=doubt.reason), found
    return reached, found


def _unless_certain(
    reached: _Reached, draft: Draft, context: ShownContext, question: str, language: str
) -> tuple[_Reached, tuple[Finding, ...]]:
    """What an author's label says, unless a conflict with the evidence leaves the claim no other reading."""
    findings = (reached.against,) if reached.against is not None else ()
    if reached.verdict == "unsupported" or not _may_be_followed(draft.text, reached.supported_by, context):
        return reached, findings
    from raggate_action.core.claims.suspect_claims import suspects_of

    found = suspects_of(draft.read, draft.citations, context, question=question, language=language)
    certain = next((each for each in found if each.certain), None)
    return (_contradicted(certain, context), (certain,)) if certain is not None else (reached, findings)


def _may_be_followed(text: str, supporting: Sequence[str], context: ShownContext) -> bool:
    """A quick look before the rules: whether a claim may say what a chunk says but for one thing.

    Args:
        text: The claim.
        supporting: Ids of chunks that say its label. They are looked at first, for most claims repeat one of them.
        context: The chunks.
    """
    words = folded(text).split()
    longest_lead = min(len(words) // 2, _LONGEST_LEAD)
    lead, rest = words[:longest_lead], " ".join(words[longest_lead:])
    for chunk in (*map(context.by_id.__getitem__, supporting), *context.chunks):
        at = _repeated_at(lead, rest, chunk.folded)
        if at >= 0 and deny_alike(" ".join(words), near_at(at, chunk)):
            return False
    telling = [word for word in words if len(word) >= _LONG_WORD]
    return any(2 * sum([word in chunk.folded for word in telling]) >= len(telling) for chunk in context.chunks)


def _repeated_at(lead: Sequence[str], rest: str, text: str) -> int:
    """Where a text first has `rest` behind the most of the words before it; -1 where it does not have `rest`."""
    found, most = -1, -1
    at = text.find(rest)
    while at >= 0:
        begins, repeated = at, 0
        for word in reversed(lead):
            before = begins - len(word) - 1
            if before < 0 or not text.startswith(f"{word} ", before):
                break
            begins, repeated = before, repeated + 1
        if repeated > most:
            found, most = begins, repeated
        at = text.find(rest, at + 1)
    return found


def _contradicted(certain: Finding, context: ShownContext) -> _Reached:
    quote, start = _source_of(certain, context)
    return _Reached("contradicted", quote=quote, quote_start=start, note=certain.reason)


def _source_of(finding: Finding, context: ShownContext) -> tuple[str | None, int | None]:
    """The sentence a finding was held against, and where it begins; None without one."""
    chunk = context.by_id.get(finding.chunk_id or "")
    if chunk is None or chunk.text is None or finding.chunk_start is None:
        return None, None
    return chunk.text[finding.chunk_start : finding.chunk_end], finding.chunk_start


def _by_points(draft: Draft, made: Sequence[RequiredPoint], context: ShownContext, *, language: str) -> _Reached:
    labels = [phrases for point in made if (phrases := _support(point, draft, context, language))]
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
    if beyond := _excess_words(draft.read, made, labels, by, language=language):
        return _Reached("unverified", note=beyond)
    ids = dict.fromkeys(chunk.chunk_id for chunks in by for chunk in chunks)
    in_order = tuple(chunk_id for chunk_id in context.ids if chunk_id in ids)
    return _Reached("supported", in_order, *_words(by[0][0], labels[0][0]), labelled=True)


def _support(point: RequiredPoint, draft: Draft, context: ShownContext, language: str) -> Sequence[str]:
    """What a source must say for a point: of a value, the sentence that states it and has most words of the claim."""
    if point.value is None or point.support_phrases:
        return point.support_phrases
    from raggate_action.core.evidence_checks.stated_values import stating_sentences

    words = set(draft.read.words.split())
    stating = [each for chunk in context.chunks for each in stating_sentences(chunk.text or "", point.value, language)]
    return [max(stating, key=lambda each: len(words.intersection(folded(each).split())))] if stating else ()


def _excess_words(
    text: Text,
    made: Sequence[RequiredPoint],
    labels: Sequence[Sequence[str]],
    by: Sequence[Sequence[ShownChunk]],
    *,
    language: str,
) -> str:
    """What a claim says that no source of its points says, in a sentence; empty where some chunk has it all."""
    from raggate_action.core.claims.word_overlap import is_plainly_within, words_beyond

    phrases = [phrase for point in made for phrase in point.said]
    if any(is_plainly_within(text.raw, [*phrases, *_around(labels[0], chunk)]) for chunk in by[0]):
        return ""
    rest = zip(labels[1:], by[1:], strict=True)
    others = [sentences_around(phrases, chunk) for phrases, chunks in rest for chunk in chunks]
    known = [*others, *phrases]
    label = " ".join(phrase for phrases in labels for phrase in phrases)
    sources = [[sentences_around(labels[0], chunk), *known] for chunk in by[0]]
    found = [words_beyond(text, each, language=language, label=label) for each in sources]
    fewest = min(found, key=len)
    if not fewest:
        return ""
    extra = " and ".join(f"“{words}”" for words in fewest[:_NAMED])
    held = folded(" ".join(sources[found.index(fewest)]))
    if all(folded(words) in held for words in fewest):
        return f"it says {extra}, which its source says of something else than the point “{made[0].id}”"
    return f"its words {extra} stand in no source of the point “{made[0].id}”, nor in its answer phrases"


def _around(phrases: Sequence[str], chunk: ShownChunk) -> Iterator[str]:
    """What stands around each phrase between full stops, where the phrase is within; nothing where code may be."""
    if not any(mark in chunk.folded for mark in _OPENS_CODE):
        for phrase in phrases:
            near = near_in(phrase, chunk)
            if folded_phrase(phrase) in near:
                yield near.strip()


def _words(chunk: ShownChunk, phrase: str) -> tuple[str | None, int | None]:
    """The phrase as the chunk spells it and where; None where the two differ in more than case."""
    if chunk.text is None:
        return None, None
    if len(chunk.text) == len(chunk.folded):
        start = chunk.folded.find(folded_phrase(phrase))
        return chunk.text[start : start + len(phrase)], start
    spelled = re.search(re.escape(phrase), chunk.text, re.IGNORECASE)
    return (spelled[0], spelled.start()) if spelled else (None, None)
