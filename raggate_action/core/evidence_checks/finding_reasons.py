"""Every kind of finding: its sentence, and whether it blocks alone. Findings are made here and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import Statement
from raggate_action.core.evidence_checks.sentence_diff import Diff
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.identifiers import Address
from raggate_action.schema.case_run import Finding, FindingKind
from raggate_action.strings.visible_text import cut

# A `sharp` kind is one of which at most one right rewording in five hundred has a finding (docs/evidence-checks.md);
# an `aligned` one is sharp in a sentence that the claim repeats but for this. `advice` only warns.
Weight: TypeAlias = Literal["sharp", "aligned", "suspect", "advice"]
Placed: TypeAlias = Token | Statement | Address

# Characters of the answer or of a chunk in one reason.
_WORDS_SHOWN = 80
_CHANGED = "the claim says {ours} where {chunk} says {theirs}"
_ABSENT = "{ours} is in no shown chunk"
KINDS: dict[tuple[FindingKind, str], tuple[Weight, str]] = {
    ("conflict", "number"): ("aligned", _CHANGED),
    ("conflict", "percent"): ("aligned", _CHANGED),
    ("conflict", "polarity"): ("aligned", _CHANGED),
    ("conflict", "money"): ("sharp", _CHANGED),
    ("conflict", "unit"): ("sharp", _CHANGED),
    ("conflict", "date"): ("sharp", _CHANGED),
    ("conflict", "time"): ("sharp", _CHANGED),
    ("conflict", "name"): ("sharp", _CHANGED),
    ("conflict", "role"): ("sharp", "{chunk} says this with the parties exchanged: {theirs}"),
    ("conflict", "neighbour"): ("suspect", f"{_CHANGED}, and this of something else"),
    ("conflict", "condition"): ("advice", _CHANGED),
    ("structure", "citation"): ("suspect", "the claim does not cite {chunk}, which it follows"),
    ("absent", "money"): ("sharp", f"the amount {_ABSENT}"),
    ("absent", "unit"): ("sharp", f"the amount {_ABSENT}"),
    ("absent", "percent"): ("sharp", f"the percentage {_ABSENT}"),
    ("absent", "time"): ("sharp", f"the time {_ABSENT}"),
    ("absent", "number"): ("suspect", f"the number {_ABSENT}"),
    ("absent", "date"): ("suspect", f"the date {_ABSENT}"),
    ("absent", "name"): ("suspect", "no shown chunk names {ours}"),
    ("absent", "quotation"): ("suspect", "{ours} is put in quotation marks and is not in {chunk}"),
    ("absent", "url"): ("sharp", f"the address {_ABSENT}"),
    ("absent", "email"): ("sharp", f"the e-mail address {_ABSENT}"),
    ("absent", "phone"): ("sharp", f"the phone number {_ABSENT}"),
    ("absent", "option"): ("advice", f"the command option {_ABSENT}"),
    ("absent", "path"): ("advice", f"the path {_ABSENT}"),
    ("absent", "identifier"): ("advice", f"the identifier {_ABSENT}"),
}


def finding(
    kind: FindingKind,
    code: str,
    claim: ClaimText,
    ours: Sequence[Placed],
    *,
    chunk_id: str | None = None,
    diff: Diff | None = None,
    theirs: Sequence[Token] = (),
    note: str = "",
    certain: bool = False,
    weak: bool = False,
) -> Finding:
    """A finding of a kind.

    Args:
        kind: With `code`, a row of `KINDS`.
        code: What it is about.
        claim: The claim.
        ours: What of the claim it is about; empty for all of it.
        chunk_id: The chunk it was held against, where there is no diff.
        diff: The statement it was held against.
        theirs: What of that statement it is about.
        note: What else there is to say.
        certain: It leaves no other reading.
        weak: It is not sharp, whatever its kind.
    """
    weight, reason = KINDS[kind, code]
    place: tuple[int | None, int | None] = (None, None)
    stated = ""
    if diff is not None:
        chunk_id, place = diff.chunk_id, (diff.statement.start, diff.statement.end)
        stated = _quoted(diff.chunk.text, [theirs]) if theirs else ""
        if kind == "conflict" and not (ours and theirs):
            reason = "the claim follows a sentence of {chunk} and " + ("adds {ours}" if ours else "leaves out {theirs}")
    is_sharp = weight == "sharp" or (weight == "aligned" and diff is not None and diff.is_aligned)
    # Names are listed, all else stands in one place.
    shown = [[each] for each in ours[:4]] if (kind, code) == ("absent", "name") else [ours] if ours else []
    return Finding(
        kind=kind,
        code=code,
        start=ours[0].start if ours else 0,
        end=ours[-1].end if ours else len(claim.raw.rstrip()),
        chunk_id=chunk_id,
        chunk_start=place[0],
        chunk_end=place[1],
        reason=reason.format(ours=_quoted(claim.raw, shown), theirs=stated, chunk=chunk_id or "any shown chunk") + note,
        certain=certain,
        sharp=certain or (is_sharp and not weak),
        advisory=weight == "advice",
    )


def _quoted(text: str, stretches: Sequence[Sequence[Placed]]) -> str:
    return ", ".join(
        dict.fromkeys(f"“{cut(text[stretch[0].start : stretch[-1].end], _WORDS_SHOWN)}”" for stretch in stretches)
    )
