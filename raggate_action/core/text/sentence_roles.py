"""The roles a sentence, or a clause of it, may have in an answer."""

from __future__ import annotations

from enum import IntEnum


class Stance(IntEnum):
    """What a sentence does, from what asserts least to what asserts most.

    DECLINES says that it cannot answer, and nothing else of substance. EMPTY is a courtesy, an offer or a bare
    referral. BESIDE tells what the sources say or what was looked at: no claim beside a decline. ABOUT tells what the
    sources or the speaker are for: the same, and alone it may decline. REFERS sends elsewhere in other words than a
    bare referral, or tells nothing that the question does not say: the same. DOUBTFUL may be a decline. SOFT has words
    of referrals and offers, or a number beside words of sources: beside a decline it may be one. ASSERTS is a claim.
    """

    DECLINES = 0
    EMPTY = 1
    BESIDE = 2
    ABOUT = 3
    REFERS = 4
    DOUBTFUL = 5
    SOFT = 6
    ASSERTS = 7


MAY_DENY = frozenset((Stance.DECLINES, Stance.REFERS, Stance.DOUBTFUL))
MAY_BE_WHY = frozenset((Stance.DOUBTFUL, Stance.SOFT, Stance.ASSERTS))
ON_SOURCES = frozenset((Stance.BESIDE, Stance.ABOUT, Stance.SOFT))
DENYING = MAY_DENY | {Stance.ABOUT}
