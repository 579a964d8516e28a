"""Claims that follow one sentence of the evidence nearly word for word and differ in exactly one slot that matters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.alignment import Alignment, Difference, align
from raggate_action.core.evidence_checks.alignment_diff import Parting, read_difference
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import (
    LONGEST_STATEMENT,
    EvidenceIndex,
    ShownEvidence,
    Statement,
)
from raggate_action.core.evidence_checks.reversal import Reversal, reversal
from raggate_action.core.evidence_checks.role_swap import Swap, crossed, makes_a_difference, swapped
from raggate_action.core.evidence_checks.value_type import Around
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import DENYING, FILLERS, NEGATIONS, STOP_WORDS

# Sentences of a chunk that are laid beside a claim.
_CLOSEST = 3
# Share of the claim's meaning words that a sentence must hold in order to be followed.
_FOLLOWED = 0.6
_FEWEST_WORDS = 2
# Meaning words that a claim shares with the one sentence it is taken to repeat but for one slot.
_FEWEST_ALIGNED = 3
# A turned claim may add one word for so many it shares.
_FEW_AMONG = 3
# Words before what the claim repeats that still lead it in: "no owner may", "it is not true that".
_LEADS_WITHIN = 4
# Fillers that still say who does what.
_KEPT_FILLERS = frozenset(("is", "are", "was", "were", "be", "of", "as", "will", "shall", "has", "have", "had"))
_OR_MORE = re.compile(r"\d ?\+")
_LIGHT = FILLERS - _KEPT_FILLERS


class Conflict(NamedTuple):
    """A claim against one sentence.

    Attributes:
        chunk_id: The sentence's chunk.
        statement: The sentence or clause.
        code: The slot in which they differ.
        claim, sentence: The tokens that differ; one may be empty.
        sure: The alignment leaves no other reading.
        aligned: Claim and sentence share at least three meaning words and differ in nothing else.
    """

    chunk_id: str
    statement: Statement
    code: str
    claim: tuple[Token, ...]
    sentence: tuple[Token, ...]
    sure: bool
    aligned: bool


class Fit(NamedTuple):
    """How a claim lies on one statement.

    Attributes:
        chunk_id, statement: The statement.
        shared: Meaning words of the claim that it has, in order.
        partings: Where they part.
        swap: Parties or values exchanged: the slot and the stretch on either side.
        turned: Whether it turns the statement round.
    """

    chunk_id: str
    statement: Statement
    shared: int
    partings: tuple[Parting, ...]
    swap: Swap | None
    turned: Reversal

    @property
    def unknown(self) -> int:
        """Differences that may say anything."""
        return sum(parting.what == "unknown" for parting in self.partings)

    @property
    def conflicts(self) -> list[Parting]:
        """Values that are others."""
        return [parting for parting in self.partings if parting.what == "conflict"]

    @property
    def agrees(self) -> bool:
        """Nothing in the statement says otherwise."""
        return self.swap is None and not self.conflicts and self.turned.number == 0


def fits_of(claim: ClaimText, evidence: ShownEvidence) -> list[Fit]:
    """The statements of the evidence that the claim follows, by and large, in the order shown."""
    tokens = _laid_out(claim.tokens)
    if len(claim.content) < _FEWEST_WORDS or len(tokens) > LONGEST_STATEMENT:
        return []
    return [
        fit
        for chunk_id, index in evidence.chunks
        for statement in closest(claim, index)
        if (fit := _fit(claim, tokens, chunk_id, index, statement)) is not None
    ]


def conflict_among(fits: Sequence[Fit]) -> Conflict | None:
    """The one conflict of a claim with the evidence; None where some statement bears it out as well."""
    against = [conflict for fit in fits if (conflict := _conflict(fit)) is not None]
    if not against:
        return None
    fewest = min(unknown for unknown, _ in against)
    if any(fit.agrees and fit.unknown <= fewest for fit in fits):
        return None
    return max((found for unknown, found in against if unknown == fewest), key=lambda found: found.sure)


def closest(claim: ClaimText, index: EvidenceIndex) -> list[Statement]:
    """The statements of a chunk that hold most of a claim's words, at least half of them."""
    if not claim.wanted.may_be_in(index.spelled):
        return []
    ranked = sorted(index.closest(claim.wanted), key=lambda each: (-each[0], len(each[1].content)))
    return [statement for _, statement in ranked[:_CLOSEST]]


def _laid_out(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens that are laid side by side; the "No," that answers a question denies nothing that follows."""
    answers = len(tokens) > 1 and tokens[0].key in NEGATIONS and tokens[1].kind == "mark"
    return tuple([token for token in tokens[answers:] if token.kind != "mark" and token.key not in _LIGHT])


def _fit(
    claim: ClaimText, tokens: tuple[Token, ...], chunk_id: str, index: EvidenceIndex, statement: Statement
) -> Fit | None:
    sentence = _laid_out(statement.tokens)
    # Where the order of words says who does what.
    orders = claim.language == "en"
    if orders and (swap := swapped(tokens, sentence, claim.bare)) is not None:
        return Fit(chunk_id, statement, len(tokens), (), swap, Reversal(0, sure=True))
    alignment = align(tokens, sentence)
    if alignment is None:
        return None
    crossing = _crossing(alignment) if orders else None
    differences = [d for d in alignment.differences if crossing is None or d not in crossing]
    shared = sum(token.key not in STOP_WORDS for token in tokens) - sum(
        token.key not in STOP_WORDS for difference in differences for token in difference.claim
    )
    if shared < max(_FOLLOWED * len(claim.content), 2):
        return None
    partings = tuple([_parting(d, alignment, claim, index) for d in differences])
    swap = ("role", crossing[0].claim, crossing[0].sentence) if crossing is not None else None
    turned = reversal(tokens, *_covered(alignment, sentence), partings)
    texts = (claim.bare, index.compared[statement.start : statement.end])
    if turned.number and (claim.is_compound or any(map(_OR_MORE.search, texts))):
        turned = Reversal(None)
    return Fit(chunk_id, statement, shared, partings, swap, turned)


def _parting(difference: Difference, alignment: Alignment, claim: ClaimText, index: EvidenceIndex) -> Parting:
    """A difference, read: "15 %" is not "15", unless the other speaks of percent as well."""
    around = _around(claim.compared, index.compared, alignment, difference)
    number = around.before if around.before is not None and around.before.kind == "number" else None
    is_share = [token.key for token in (*difference.claim, *difference.sentence)] == ["unit %"]
    if is_share and number is not None and claim.compared[number.start : number.end][-1].isdecimal():
        others = index.words if difference.claim else claim.content | claim.asked
        if "unit %" not in others:
            return Parting("conflict", "percent", claim=difference.claim, sentence=difference.sentence)
    return read_difference(difference, around)


def _covered(alignment: Alignment, sentence: tuple[Token, ...]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The stretch of the sentence that the claim repeats with the words right before it, and all the rest."""
    first, last = 0, len(alignment.sentence)
    for difference in alignment.differences:
        if difference.is_edge and not difference.claim:
            if difference.at_claim:
                last = difference.at_sentence
            else:
                first = max(0, len(difference.sentence) - _LEADS_WITHIN)
    covered = alignment.sentence[first:last]
    held = {token.start for token in covered}
    return covered, tuple([token for token in sentence if token.start not in held])


def _crossing(alignment: Alignment) -> tuple[Difference, Difference] | None:
    pair = crossed(alignment.differences)
    if pair is None:
        return None
    between = alignment.claim[pair[0].at_claim + len(pair[0].claim) : pair[1].at_claim]
    return pair if makes_a_difference(between) else None


def _around(claim: str, chunk: str, alignment: Alignment, difference: Difference) -> Around:
    ahead = difference.at_claim + len(difference.claim)
    return Around(
        claim,
        chunk,
        alignment.claim[difference.at_claim - 1] if difference.at_claim else None,
        alignment.claim[ahead] if ahead < len(alignment.claim) else None,
    )


def _conflict(fit: Fit) -> tuple[int, Conflict] | None:
    """The conflict of a fit with the number of its unknown differences; None where it has none or several."""
    conflicts, turned = fit.conflicts, fit.turned
    whole = fit.unknown == 0 and not any(parting.what == "dropped" for parting in fit.partings)
    aligned = whole and fit.shared >= _FEWEST_ALIGNED
    if fit.unknown > 1 or turned.number is None or len(conflicts) + (fit.swap is not None) + turned.number != 1:
        return None
    if fit.swap is not None:
        code, ours, theirs = fit.swap
        return fit.unknown, Conflict(fit.chunk_id, fit.statement, code, ours, theirs, sure=whole, aligned=aligned)
    if turned.number:
        if fit.unknown and not (turned.plain and _is_plain(fit)):
            return None
        sure = whole and turned.sure
        slot = ("polarity", turned.claim, turned.sentence)
        aligned = aligned and not turned.lone
        return fit.unknown, Conflict(fit.chunk_id, fit.statement, *slot, sure=sure, aligned=aligned)
    (one,) = conflicts
    if fit.unknown and one.code == "name":
        return None
    sure = one.sure and whole and turned.sure
    slot = (one.code, one.claim, one.sentence)
    return fit.unknown, Conflict(fit.chunk_id, fit.statement, *slot, sure=sure, aligned=aligned)


def _is_plain(fit: Fit) -> bool:
    """Whether what the claim adds is a word or two among many shared, and denies nothing by its meaning."""
    added = [token.key for parting in fit.partings if parting.what == "unknown" for token in parting.claim]
    return DENYING.isdisjoint(added) and sum(key not in STOP_WORDS for key in added) * _FEW_AMONG <= fit.shared
