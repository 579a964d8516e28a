"""The statements that a claim follows, and the one thing in which it differs from them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import (
    LONGEST_STATEMENT,
    EvidenceIndex,
    ShownEvidence,
    Statement,
)
from raggate_action.core.evidence_checks.reversal import turns_of
from raggate_action.core.evidence_checks.role_swap import crossed, swapped
from raggate_action.core.evidence_checks.sentence_diff import (
    FOLLOWED,
    Diff,
    Edit,
    Tokens,
    laid_out,
    read_stretch,
    stretches_of,
    window_of,
)
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import CONDITIONS, STOP_WORDS

# Sentences of a chunk that are laid beside a claim.
_CLOSEST = 3
_FEWEST_WORDS = 2
# Words before what the claim repeats that still lead it in: "no owner may", "it is not true that".
_LEADS_WITHIN = 4
_OR_MORE = re.compile(r"\d ?\+")


def diffs_of(claim: ClaimText, evidence: ShownEvidence) -> list[Diff]:
    """The statements of the evidence that the claim follows, by and large, in the order shown."""
    tokens = laid_out(claim.tokens)
    if len(claim.content) < _FEWEST_WORDS or len(tokens) > LONGEST_STATEMENT:
        return []
    return [
        diff
        for chunk_id, index in evidence.chunks
        for statement in closest(claim, index)
        if (diff := _diff(claim, tokens, chunk_id, index, statement)) is not None
    ]


def conflict_among(diffs: Sequence[Diff]) -> Diff | None:
    """The diff with the one conflict of a claim; None where some statement bears it out as well."""
    against = [diff for diff in diffs if diff.conflict is not None]
    if not against:
        return None
    fewest = min(len(diff.of("unknown")) for diff in against)
    if any(diff.agrees and len(diff.of("unknown")) <= fewest for diff in diffs):
        return None
    return max((diff for diff in against if len(diff.of("unknown")) == fewest), key=lambda diff: diff.is_certain)


def condition_among(diffs: Sequence[Diff]) -> Diff | None:
    """The diff with the condition that a claim adds or drops; None where some sentence it follows has the same ones."""
    agreeing = []
    for diff in diffs:
        added = diff.of("unknown")
        is_condition = all(not edit.sentence and any(t.key in CONDITIONS for t in edit.claim) for edit in added)
        if diff.agrees and len(added) <= 1 and is_condition:
            agreeing.append(diff)
    if not all(diff.of("condition") for diff in agreeing):
        return None
    return max(agreeing, key=lambda diff: diff.shared, default=None)


def closest(claim: ClaimText, index: EvidenceIndex) -> list[Statement]:
    """The statements of a chunk that hold most of a claim's words, at least half of them."""
    if not claim.wanted.may_be_in(index.spelled):
        return []
    ranked = sorted(index.closest(claim.wanted), key=lambda each: (-each[0], len(each[1].content)))
    return [statement for _, statement in ranked[:_CLOSEST]]


def _diff(claim: ClaimText, tokens: Tokens, chunk_id: str, index: EvidenceIndex, statement: Statement) -> Diff | None:
    sentence = laid_out(statement.tokens)
    # Where the order of words says who does what.
    orders = claim.language == "en"
    if orders and (swap := swapped(tokens, sentence, claim.bare)) is not None:
        return Diff(chunk_id, index, statement, len(tokens), (swap,))
    window = window_of(tokens, sentence)
    stretches = stretches_of(tokens, window)
    if stretches is None:
        return None
    crossing = crossed(tokens, stretches) if orders else ()
    plain = [stretch for stretch in stretches if stretch not in crossing]
    missing = [token for stretch in plain for token in stretch.claim]
    shared = sum(token.key not in STOP_WORDS for token in tokens) - sum(t.key not in STOP_WORDS for t in missing)
    if shared < max(FOLLOWED * len(claim.content), 2):
        return None
    edits = [edit for each in plain if (edit := read_stretch(each, claim, tokens, index)) is not None]
    turned = [edit for edit in edits if edit.code == "polarity"]
    edits = [edit for edit in edits if edit.code != "polarity"]
    edits += [stretch._replace(kind="conflict", code="role") for stretch in crossing[:1]]
    first, last = 0, len(window)
    for edge in plain:
        if not edge.claim and not edge.place:
            first = max(0, len(edge.sentence) - _LEADS_WITHIN)
        elif not edge.claim and edge.place == len(tokens):
            last = window.index(edge.sentence[0])
    covered = window[first:last]
    starts = {token.start for token in covered}
    turns = turns_of(tokens, covered, [token for token in sentence if token.start not in starts], turned)
    texts = (claim.bare, index.compared[statement.start : statement.end])
    if turns and (claim.is_compound or any(map(_OR_MORE.search, texts))):
        turns = [edit if edit.kind == "bound" else edit._replace(kind="unclear") for edit in turns]
    return Diff(chunk_id, index, statement, shared, (*edits, *turns, *_conditions(claim.tokens, statement.tokens)))


def _conditions(claim: Sequence[Token], sentence: Sequence[Token]) -> list[Edit]:
    """The first condition that one side lacks, to the end of its clause."""
    keys = [{token.key for token in side} & CONDITIONS for side in (claim, sentence)]
    for ours, side in ((keys[0] - keys[1], claim), (keys[1] - keys[0], sentence)):
        if ours:
            first = next(place for place, token in enumerate(side) if token.key in ours)
            stop = next((place for place in range(first + 1, len(side)) if side[place].kind == "mark"), len(side))
            stretch = tuple(side[first:stop])
            return [Edit("condition", stretch) if side is claim else Edit("condition", sentence=stretch)]
    return []
