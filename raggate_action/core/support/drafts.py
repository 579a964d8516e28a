"""An answer itemised: the claims it makes, before any verdict."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.support.shown import ShownContext
from raggate_action.core.text.citations import resolve
from raggate_action.schema.trace import Answer

if TYPE_CHECKING:
    from raggate_action.core.text.prose import ProseClaim


class Draft(NamedTuple):
    """A claim before its verdict.

    Attributes:
        claim_id, text, start, end, citations: As in `Claim`.
        phrases: The author's support phrases; empty is no label.
        point: The required point the author says it makes.
        prose: The claim as it stands in the answer; None for a claim the app itemised.
    """

    claim_id: str
    text: str
    start: int | None
    end: int | None
    citations: tuple[str, ...]
    phrases: tuple[str, ...]
    point: str | None
    prose: ProseClaim | None = None


class Drafts(NamedTuple):
    """An answer, itemised.

    Attributes:
        claims: Its claims in order.
        declined: It declines: as the app reports, else as its sentences say; None where the app does not report it and
            nothing here can tell (see `abstention.recognises`).
        itemised: The app gave the claims itself; then a claim without a citation is the app's word, not our reading.
        language: ISO 639-1 code it was read in.
        referrals: Sentences that send the reader to an address and assert nothing else.
    """

    claims: tuple[Draft, ...]
    declined: bool | None
    itemised: bool
    language: str = "en"
    referrals: tuple[Draft, ...] = ()


class Reading(NamedTuple):
    """How answers are read.

    Attributes:
        patterns: Citation marker expressions.
        language: ISO 639-1 code of the answers.
        own_addresses: Addresses that answers may name without a chunk.
    """

    patterns: tuple[re.Pattern[str], ...]
    language: str
    own_addresses: tuple[str, ...] = ()


def itemise(answer: Answer, context: ShownContext, *, known: Container[str], reading: Reading) -> Drafts:
    """Turn an answer into claims: the app's own itemisation where it gives one, else its prose."""
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
    if not answer.text.strip():
        return Drafts((), answer.abstained is True, itemised=False, language=reading.language)
    from raggate_action.core.text.abstention import recognises
    from raggate_action.core.text.prose import read_prose  # labelled runs never need its expressions

    prose = read_prose(answer.text, ids, patterns=reading.patterns, known=known, language=reading.language)
    drafts = [
        Draft(f"claim-{number}", c.text, c.start, c.end, c.citations, (), None, c)
        for number, c in enumerate(prose.claims, 1)
    ]
    untold = prose.declined if recognises(reading.language) or not drafts else None
    declined = untold if answer.abstained is None else answer.abstained
    referrals = [
        Draft(f"referral-{number}", c.text, c.start, c.end, c.citations, (), None, c)
        for number, c in enumerate(prose.referrals, 1)
    ]
    return Drafts(tuple(drafts), declined, itemised=False, language=reading.language, referrals=tuple(referrals))
