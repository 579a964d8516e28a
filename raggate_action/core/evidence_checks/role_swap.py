"""Who does what to whom: the words of a sentence with two parties, or two values, exchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from raggate_action.core.evidence_checks.sentence_diff import Edit
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import FILLERS, LEADING, MODALS, STOP_WORDS, SYMMETRIC

# Longest party, in words.
_LONGEST = 5
# Words of a verb with what it acts on, at least.
_ACT = 2
_JOINING = frozenset(("and", "or", "nor", "plus"))
_SAYING_NOTHING = MODALS | FILLERS


def swapped(claim: tuple[Token, ...], sentence: tuple[Token, ...], text: str) -> Edit | None:
    """Find `A verb B` where the sentence says `B verb A`, all else equal; None where the order makes no difference.

    Returns:
        A conflict in the slot `role`, or `neighbour` for exchanged values.
    """
    held = {token.key for token in sentence} | _SAYING_NOTHING
    if not held.issuperset([token.key for token in claim]):
        return None
    claim, sentence = (tuple([t for t in side if t.key not in _SAYING_NOTHING]) for side in (claim, sentence))
    if len(sentence) > len(claim):
        sentence = _same_words_window(claim, sentence)
    if len(claim) != len(sentence) or len(claim) < 3:
        return None
    ours, theirs = [token.key for token in claim], [token.key for token in sentence]
    if ours == theirs or Counter(ours) != Counter(theirs):
        return None
    head = next(i for i in range(len(ours)) if ours[i] != theirs[i])
    tail = next(i for i in range(len(ours)) if ours[-1 - i] != theirs[-1 - i])
    ours, theirs = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    sizes = _exchange(ours, theirs)
    if sizes is None:
        return None
    first, last = sizes
    whole = slice(head, len(claim) - tail)
    code = _slot(claim[whole], first, last, text)
    return Edit("conflict", claim[whole], sentence[whole], code) if code else None


def crossed(claim: Sequence[Token], stretches: Sequence[Edit]) -> tuple[Edit, ...]:
    """Two stretches that exchange their words, where the words between them tell the sides apart; else none."""
    for one, other in combinations(stretches, 2):
        ours, theirs = ([_meant(edit.claim), _meant(edit.sentence)] for edit in (one, other))
        if all(ours) and ours == theirs[::-1]:
            between = claim[one.place + len(one.claim) : other.place]
            return (one, other) if _makes_a_difference(between) else ()
    return ()


def _makes_a_difference(between: Sequence[Token]) -> bool:
    """Whether it matters on which side of these words two parties stand: not so for "and", "met", "borders"."""
    return not any(token.key in _JOINING for token in between) and not all(
        token.key in SYMMETRIC or token.key in STOP_WORDS for token in between
    )


def _meant(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple([token.key for token in tokens if token.key not in _SAYING_NOTHING])


def _same_words_window(claim: Sequence[Token], sentence: tuple[Token, ...]) -> tuple[Token, ...]:
    """The beginning or the end of a longer sentence, whichever has the claim's words."""
    wanted = Counter(token.key for token in claim)
    size = len(claim)
    for window in (sentence[:size], sentence[-size:]):
        if Counter(token.key for token in window) == wanted:
            return window
    return sentence


def _exchange(ours: Sequence[str], theirs: Sequence[str]) -> tuple[int, int] | None:
    """Lengths of A and B where one side reads `A V B`, the other `B V A`, V not empty."""
    size = len(ours)
    for first in range(1, min(_LONGEST, size - 2) + 1):
        if ours[:first] != theirs[size - first :]:
            continue
        for last in range(1, min(_LONGEST, size - first - 1) + 1):
            if ours[size - last :] == theirs[:last] and ours[first : size - last] == theirs[last : size - first]:
                return first, last
    return None


def _slot(stretch: Sequence[Token], first: int, last: int, text: str) -> str | None:
    ours, verb, theirs = stretch[:first], stretch[first : len(stretch) - last], stretch[len(stretch) - last :]
    values = all(any(token.kind in {"number", "date", "time"} for token in side) for side in (ours, theirs))
    if values:
        return "neighbour" if any(token.key not in STOP_WORDS for token in verb) else None
    if _each_acts(stretch, first, last, text):
        return "role"
    if any(token.key in _JOINING for token in verb):
        return "neighbour" if any(token.kind in {"number", "date", "time"} for token in verb) else None
    # The "on" of "on-call" leads nothing in.
    if any(side[0].key in LEADING and text[side[0].end : side[0].end + 1] != "-" for side in (ours, theirs)):
        return None
    return "role" if _makes_a_difference(verb) else None


def _each_acts(stretch: Sequence[Token], first: int, last: int, text: str) -> bool:
    """Whether two parties do a thing each: "A reviews the code and B signs the release", no list of either."""
    verb, behind = stretch[first : len(stretch) - last], text[stretch[-1].end :]
    if verb[-1].key not in _JOINING or "," in text[stretch[0].start : stretch[-1].start]:
        return False
    acts = [token for token in verb[:-1] if token.key not in STOP_WORDS and text[token.start].islower()]
    return len(acts) >= _ACT and len(re.split(r"[.;,]", behind)[0].split()) >= _ACT
