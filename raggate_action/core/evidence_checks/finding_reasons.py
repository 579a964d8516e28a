"""Findings with their place and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conditions import ConditionNote
from raggate_action.core.evidence_checks.conflict import Conflict, Fit
from raggate_action.core.evidence_checks.evidence_index import ShownEvidence, Statement
from raggate_action.core.evidence_checks.neighbour_value import Neighbour
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.identifiers import Address
from raggate_action.core.text.values import Value
from raggate_action.schema.case_run import Finding, FindingKind
from raggate_action.strings.visible_text import cut

# Characters of the answer or of a chunk in one reason.
_WORDS_SHOWN = 80
_NOUNS = {
    "money": "amount", "unit": "amount", "percent": "percentage", "url": "address", "email": "e-mail address",
    "phone": "phone number", "option": "command option",
}  # fmt: skip
# Kinds of addresses of which nine findings in ten are right on data that the rules were not written on.
PROVED = frozenset({"url", "email", "phone"})


def conflict_finding(
    conflict: Conflict,
    code: str,
    claim: ClaimText,
    offset: int,
    evidence: ShownEvidence,
    *,
    alone: bool,
    reckoned: bool,
) -> Finding:
    """A claim that a sentence of the evidence says otherwise.

    Args:
        conflict: What was found.
        code: Its slot.
        claim: The claim.
        offset: Where the claim begins in the answer.
        evidence: The evidence.
        alone: The claim's value stands nowhere else in the evidence.
        reckoned: The claim's value may be worked out from what stands around the sentence.
    """
    span = _span(conflict.claim) if conflict.claim else (0, len(claim.raw.rstrip()))
    says, stated = _quoted(claim.raw, conflict.claim), _quoted(_text(evidence, conflict.chunk_id), conflict.sentence)
    if code == "role":
        reason = f"{conflict.chunk_id} says this with the parties exchanged: {stated}"
    elif not conflict.claim or not conflict.sentence:
        more = "leaves out" if not conflict.claim else "adds"
        reason = (
            f"the claim follows a sentence of {conflict.chunk_id} and {more} {stated if not conflict.claim else says}"
        )
    else:
        reason = f"the claim says {says} where {conflict.chunk_id} says {stated}"
    if code == "neighbour":
        reason += ", which it says of something else"
    if reckoned:
        reason += ", from which it may be worked out"
    source = (conflict.chunk_id, conflict.statement.start, conflict.statement.end)
    mark = "certain" if conflict.sure and alone and not reckoned else ""
    return _finding(("conflict", code), span, offset, reason, source, mark)


def condition_finding(note: ConditionNote, claim: ClaimText, offset: int, evidence: ShownEvidence) -> Finding:
    """A condition, exception or scope that the claim adds or leaves out; it only warns."""
    span = _span(note.claim) if note.claim else (0, len(claim.raw.rstrip()))
    place = _span(note.sentence) if note.sentence else (note.statement.start, note.statement.end)
    if note.claim:
        reason = f"the claim adds {_quoted(claim.raw, note.claim)} to a sentence of {note.chunk_id}"
    else:
        left_out = _quoted(_text(evidence, note.chunk_id), note.sentence)
        reason = f"the claim follows a sentence of {note.chunk_id} and leaves out {left_out}"
    return _finding(("conflict", "condition"), span, offset, reason, (note.chunk_id, *place), "advisory")


def neighbour_finding(found: Neighbour, offset: int, evidence: ShownEvidence) -> Finding:
    """A claim that names one row and gives the value of another."""
    reason = (
        f"the value is another one's in {found.chunk_id}: {_quoted(_text(evidence, found.chunk_id), [found.taken])}"
    )
    source = (found.chunk_id, found.named.start, found.named.end)
    return _finding(("conflict", "neighbour"), _span([found.figure.token]), offset, reason, source)


def citation_finding(source: Fit, claim: ClaimText, offset: int, cited: Sequence[str]) -> Finding:
    """A claim that follows a chunk it does not cite."""
    span = len(claim.raw) - len(claim.raw.lstrip()), len(claim.raw.rstrip())
    reason = f"the claim cites {', '.join(cited)} and follows {source.chunk_id}"
    followed = (source.chunk_id, source.statement.start, source.statement.end)
    return _finding(("structure", "citation"), span, offset, reason, followed)


def figure_finding(figure: Value, claim: ClaimText, offset: int, *, sharp: bool) -> Finding:
    """A number that no evidence contains."""
    noun, place = _NOUNS.get(figure.kind, figure.kind), [figure.token]
    reason = f"the {noun} {_quoted(claim.raw, place)} is in no shown chunk"
    return _finding(("absent", figure.kind), _span(place), offset, reason, mark="sharp" if sharp else "")


def address_finding(address: Address, text: str, offset: int) -> Finding:
    """An address that nothing shown holds; of those that stand in prose alone it is known how often that is right."""
    reason = f"the {_NOUNS.get(address.kind, address.kind)} {_quoted(text, [address])} is in no shown chunk"
    mark = "" if address.kind in PROVED else "advisory"
    return _finding(("absent", address.kind), _span([address]), offset, reason, mark=mark)


def names_finding(names: Sequence[Token], claim: ClaimText, offset: int) -> Finding:
    """Names that no evidence contains."""
    listed = ", ".join(dict.fromkeys(_quoted(claim.raw, [token]) for token in names[:4]))
    return _finding(("absent", "name"), _span(names), offset, f"no shown chunk names {listed}")


def quotation_finding(
    span: tuple[int, int], claim: ClaimText, offset: int, cited: str | None, *, elsewhere: bool
) -> Finding:
    """Words in quotation marks that are not what the source says."""
    words = cut(claim.raw[slice(*span)], _WORDS_SHOWN)
    where = cited or "any shown chunk"
    reason = f"“{words}” is put in quotation marks and is not in {where}"
    reason += ", though in another shown chunk" if elsewhere else ""
    return _finding(("absent", "quotation"), span, offset, reason, (cited, None, None))


def _finding(
    what: tuple[FindingKind, str],
    span: tuple[int, int],
    offset: int,
    reason: str,
    source: tuple[str | None, int | None, int | None] = (None, None, None),
    mark: str = "",
) -> Finding:
    """A finding on this span of a claim at this offset, held against this span of a chunk; `mark` is a field to set."""
    at = dict(zip(("chunk_id", "chunk_start", "chunk_end"), source, strict=True))
    start, end = offset + span[0], offset + span[1]
    marked = {mark: True} if mark else {}
    fields = {"kind": what[0], "code": what[1], "start": start, "end": end, "reason": reason, **at, **marked}
    return Finding.model_validate(fields)


def _text(evidence: ShownEvidence, chunk_id: str) -> str:
    index = evidence.of(chunk_id)
    return index.text if index is not None else ""


def _span(tokens: Sequence[Token | Statement | Address]) -> tuple[int, int]:
    return tokens[0].start, tokens[-1].end


def _quoted(text: str, tokens: Sequence[Token | Statement | Address]) -> str:
    return f"“{cut(text[tokens[0].start : tokens[-1].end], _WORDS_SHOWN)}”" if tokens else ""
