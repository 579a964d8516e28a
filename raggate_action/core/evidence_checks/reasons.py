"""Findings with their place and a sentence for people."""

from __future__ import annotations

from collections.abc import Sequence

from raggate_action.core.evidence_checks.absent_figures import Figure
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.conditions import ConditionNote
from raggate_action.core.evidence_checks.conflict import Conflict, Fit
from raggate_action.core.evidence_checks.index import ShownEvidence
from raggate_action.core.evidence_checks.neighbour import Neighbour
from raggate_action.core.evidence_checks.spelling import Token
from raggate_action.core.text.addresses import Address
from raggate_action.schema.case_run import Finding
from raggate_action.visible_text import cut

# Characters of the answer or of a chunk in one reason.
_WORDS_SHOWN = 80
_NOUNS = {
    "money": "amount", "unit": "amount", "percent": "percentage", "url": "address", "email": "e-mail address",
    "phone": "phone number", "option": "command option",
}  # fmt: skip
# Kinds of addresses of which nine findings in ten are right on data that the rules were not written on.
PROVED = frozenset({"url", "email", "phone"})


def conflict_finding(
    conflict: Conflict, code: str, claim: ClaimText, offset: int, shown: ShownEvidence, *, alone: bool
) -> Finding:
    """A claim that a sentence of the evidence says otherwise.

    Args:
        conflict: What was found.
        code: Its slot.
        claim: The claim.
        offset: Where the claim begins in the answer.
        shown: The evidence.
        alone: The claim's value stands nowhere else in the evidence.
    """
    statement, text = conflict.statement, _text(shown, conflict.chunk_id)
    start, end = _span(conflict.claim) if conflict.claim else (0, len(claim.raw.rstrip()))
    says, said = _quoted(claim.raw, conflict.claim), _quoted(text, conflict.sentence)
    if code == "role":
        reason = f"{conflict.chunk_id} says this with the parties exchanged: {said}"
    elif not conflict.claim or not conflict.sentence:
        more = "leaves out" if not conflict.claim else "adds"
        reason = (
            f"the claim follows a sentence of {conflict.chunk_id} and {more} {said if not conflict.claim else says}"
        )
    else:
        reason = f"the claim says {says} where {conflict.chunk_id} says {said}"
    if code == "neighbour":
        reason += ", which it says of something else"
    return Finding(
        kind="conflict",
        code=code,
        start=offset + start,
        end=offset + end,
        chunk_id=conflict.chunk_id,
        chunk_start=statement.start,
        chunk_end=statement.end,
        reason=reason,
        certain=conflict.sure and alone,
    )


def condition_finding(note: ConditionNote, claim: ClaimText, offset: int, shown: ShownEvidence) -> Finding:
    """A condition, exception or scope that the claim adds or leaves out; it only warns."""
    start, end = _span(note.claim) if note.claim else (0, len(claim.raw.rstrip()))
    place = _span(note.sentence) if note.sentence else (note.statement.start, note.statement.end)
    if note.claim:
        reason = f"the claim adds {_quoted(claim.raw, note.claim)} to a sentence of {note.chunk_id}"
    else:
        left_out = _quoted(_text(shown, note.chunk_id), note.sentence)
        reason = f"the claim follows a sentence of {note.chunk_id} and leaves out {left_out}"
    return Finding(
        kind="conflict",
        code="condition",
        start=offset + start,
        end=offset + end,
        chunk_id=note.chunk_id,
        chunk_start=place[0],
        chunk_end=place[1],
        reason=reason,
        advisory=True,
    )


def neighbour_finding(found: Neighbour, offset: int, shown: ShownEvidence) -> Finding:
    """A claim that names one row and gives the value of another."""
    text = _text(shown, found.chunk_id)
    token = found.figure.token
    taken = cut(text[found.taken.start : found.taken.end], _WORDS_SHOWN)
    return Finding(
        kind="conflict",
        code="neighbour",
        start=offset + token.start,
        end=offset + token.end,
        chunk_id=found.chunk_id,
        chunk_start=found.named.start,
        chunk_end=found.named.end,
        reason=f"the value is another one's in {found.chunk_id}: “{taken}”",
    )


def citation_finding(source: Fit, claim: ClaimText, offset: int, cited: Sequence[str]) -> Finding:
    """A claim that follows a chunk it does not cite."""
    lead = len(claim.raw) - len(claim.raw.lstrip())
    names = ", ".join(cited)
    return Finding(
        kind="structure",
        code="citation",
        start=offset + lead,
        end=offset + len(claim.raw.rstrip()),
        chunk_id=source.chunk_id,
        chunk_start=source.statement.start,
        chunk_end=source.statement.end,
        reason=f"the claim cites {names} and follows {source.chunk_id}",
    )


def figure_finding(figure: Figure, claim: ClaimText, offset: int, *, sharp: bool) -> Finding:
    """A number that no evidence contains."""
    token = figure.token
    noun = _NOUNS.get(figure.code, figure.code)
    reason = f"the {noun} {_quoted(claim.raw, [token])} is in no shown chunk"
    return Finding(
        kind="absent",
        code=figure.code,
        start=offset + token.start,
        end=offset + token.end,
        reason=reason,
        sharp=sharp,
    )


def address_finding(address: Address, text: str, offset: int) -> Finding:
    """An address that nothing shown holds; of those that stand in prose alone it is known how often that is right."""
    written = cut(text[address.start : address.end], _WORDS_SHOWN)
    return Finding(
        kind="absent",
        code=address.kind,
        start=offset + address.start,
        end=offset + address.end,
        reason=f"the {_NOUNS.get(address.kind, address.kind)} “{written}” is in no shown chunk",
        advisory=address.kind not in PROVED,
    )


def names_finding(names: Sequence[Token], claim: ClaimText, offset: int) -> Finding:
    """Names that no evidence contains."""
    start, end = _span(names)
    said = ", ".join(dict.fromkeys(_quoted(claim.raw, [token]) for token in names[:4]))
    return Finding(
        kind="absent", code="name", start=offset + start, end=offset + end, reason=f"no shown chunk names {said}"
    )


def quotation_finding(
    span: tuple[int, int], claim: ClaimText, offset: int, cited: str | None, *, elsewhere: bool
) -> Finding:
    """Words in quotation marks that are not what the source says."""
    words = cut(claim.raw[slice(*span)], _WORDS_SHOWN)
    where = cited or "any shown chunk"
    reason = f"“{words}” is put in quotation marks and is not in {where}"
    return Finding(
        kind="absent",
        code="quotation",
        start=offset + span[0],
        end=offset + span[1],
        chunk_id=cited,
        reason=reason + (", though in another shown chunk" if elsewhere else ""),
    )


def _text(shown: ShownEvidence, chunk_id: str) -> str:
    index = shown.of(chunk_id)
    return index.text if index is not None else ""


def _span(tokens: Sequence[Token]) -> tuple[int, int]:
    return tokens[0].start, tokens[-1].end


def _quoted(text: str, tokens: Sequence[Token]) -> str:
    return f"“{cut(text[tokens[0].start : tokens[-1].end], _WORDS_SHOWN)}”" if tokens else ""
