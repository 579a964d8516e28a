"""A claim laid beside a sentence of the evidence: which words they share in order, and where they part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import LEADING

# More differing words than this and the claim no longer follows the sentence.
MOST_DIFFERENCES = 14
# Words the window of the sentence reaches beyond the claim's own length, on either side.
_SLACK = 4
# Words that have moved together, at least.
_MOVED = 2
# Places of one word in a sentence that are looked at.
_PLACES = 4


class Difference(NamedTuple):
    """A stretch where claim and sentence part; one of the two may be empty.

    Attributes:
        claim, sentence: The words on either side.
        at_claim, at_sentence: Where the stretch begins, counted in tokens.
        is_edge: It lies before the first or after the last word that both share.
    """

    claim: tuple[Token, ...]
    sentence: tuple[Token, ...]
    at_claim: int
    at_sentence: int
    is_edge: bool


class Alignment(NamedTuple):
    """Claim and sentence, aligned.

    Attributes:
        claim, sentence: The tokens aligned; of a longer sentence the window that the claim follows.
        differences: In order.
    """

    claim: tuple[Token, ...]
    sentence: tuple[Token, ...]
    differences: tuple[Difference, ...]


def align(claim: tuple[Token, ...], sentence: tuple[Token, ...]) -> Alignment | None:
    """Align by the fewest inserted and deleted words; None where there are more than `MOST_DIFFERENCES`.

    Time grows with the length of the claim times the differences allowed, a constant.
    """
    window = _window(claim, sentence)
    path = _shared_pairs([token.key for token in claim], [token.key for token in window])
    if path is None:
        return None
    return Alignment(claim, window, tuple(_moved(_differences(claim, window, path))))


def _moved(differences: list[Difference]) -> Iterator[Difference]:
    """The differences, where adverbials that only stand elsewhere ("on Mondays, ...") are laid beside each other."""
    found = list(differences)
    for place, ours in enumerate(differences):
        for other in range(len(differences)):
            if other == place or len(ours.claim) < _MOVED:
                continue
            if run := _run(found[place].claim, found[other].sentence):
                found[place], found[other] = _cut(found[place], found[other], *run)
    for ours in [d for d in found if not d.sentence and _is_adverbial(d.claim)]:
        theirs = max((d for d in found if not d.claim), key=lambda d: _shared(ours, d), default=None)
        if theirs is not None and _shared(ours, theirs) >= max(_MOVED, len(ours.claim) / 2):
            found.remove(theirs)
            place = found.index(ours)
            found[place : place + 1] = _inner(ours, theirs)
    return iter([d for d in found if d.claim or d.sentence])


def _inner(ours: Difference, theirs: Difference) -> list[Difference]:
    """The differences inside two stretches that are one, moved."""
    pairs = _shared_pairs([token.key for token in ours.claim], [token.key for token in theirs.sentence]) or []
    return [
        inner._replace(
            at_claim=ours.at_claim + inner.at_claim,
            at_sentence=theirs.at_sentence + inner.at_sentence,
            is_edge=not inner.claim,
        )
        for inner in _differences(ours.claim, theirs.sentence, pairs)
    ]


def _is_adverbial(tokens: tuple[Token, ...]) -> bool:
    return len(tokens) >= _MOVED and tokens[0].key in LEADING


def _shared(one: Difference, other: Difference) -> int:
    return len({token.key for token in one.claim} & {token.key for token in other.sentence})


def _run(claim: tuple[Token, ...], sentence: tuple[Token, ...]) -> tuple[int, int, int] | None:
    """Where the longest adverbial stands that both hold: its place in either, and its length."""
    best: tuple[int, int, int] | None = None
    for x, token in enumerate(claim):
        if token.key not in LEADING:
            continue
        for y in range(len(sentence)):
            size = 0
            while x + size < len(claim) and y + size < len(sentence) and claim[x + size].key == sentence[y + size].key:
                size += 1
            # Whatever follows on both sides would be told apart from what it belongs to.
            ends = x + size == len(claim) or y + size == len(sentence)
            if size >= _MOVED and ends and (best is None or size > best[2]):
                best = (x, y, size)
    return best


def _cut(ours: Difference, theirs: Difference, x: int, y: int, size: int) -> tuple[Difference, Difference]:
    claim, sentence = ours.claim, theirs.sentence
    return (
        ours._replace(claim=claim[:x] + claim[x + size :]),
        theirs._replace(sentence=sentence[:y] + sentence[y + size :]),
    )


def _window(claim: tuple[Token, ...], sentence: tuple[Token, ...]) -> tuple[Token, ...]:
    """The part of a longer sentence in which most of the claim's words stand at the same distance."""
    if len(sentence) <= len(claim) + 2 * _SLACK:
        return sentence
    places: dict[str, list[int]] = {}
    for place, token in enumerate(sentence):
        known = places.setdefault(token.key, [])
        if len(known) < _PLACES:
            known.append(place)
    votes = Counter(at - place for place, token in enumerate(claim) for at in places.get(token.key, ()))
    if not votes:
        return sentence[: len(claim)]
    offset = max(votes, key=lambda shift: (votes[shift], -shift))
    return sentence[max(0, offset - _SLACK) : max(0, offset + len(claim) + _SLACK)]


def _shared_pairs(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]] | None:
    """Pairs of places that hold the same key, both ascending, as many as possible (Myers 1986)."""
    head = 0
    while head < len(one) and head < len(other) and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < min(len(one), len(other)) - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    middle = _greedy(one[head : len(one) - tail], other[head : len(other) - tail])
    if middle is None:
        return None
    pairs = [(place, place) for place in range(head)]
    pairs += [(x + head, y + head) for x, y in middle]
    return pairs + [(len(one) - place, len(other) - place) for place in range(tail, 0, -1)]


def _greedy(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]] | None:
    n, m = len(one), len(other)
    if not n or not m:
        return [] if n + m <= MOST_DIFFERENCES else None
    furthest = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(min(n + m, MOST_DIFFERENCES) + 1):
        trail.append(dict(furthest))
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (
                diagonal != edits and furthest.get(diagonal - 1, -1) < furthest.get(diagonal + 1, -1)
            )
            x = furthest[diagonal + 1] if down else furthest[diagonal - 1] + 1
            y = x - diagonal
            while x < n and y < m and one[x] == other[y]:
                x, y = x + 1, y + 1
            furthest[diagonal] = x
            if x >= n and y >= m:
                return _walk_back(trail, n, m)
    return None


def _walk_back(trail: list[dict[int, int]], x: int, y: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    for edits in range(len(trail) - 1, -1, -1):
        furthest = trail[edits]
        diagonal = x - y
        down = diagonal == -edits or (
            diagonal != edits and furthest.get(diagonal - 1, -1) < furthest.get(diagonal + 1, -1)
        )
        before = diagonal + 1 if down else diagonal - 1
        from_x = furthest[before] if edits else 0
        from_y = from_x - before if edits else 0
        while x > from_x and y > from_y and x > 0 and y > 0:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = from_x, from_y
    pairs.reverse()
    return pairs


def _differences(
    claim: tuple[Token, ...], sentence: tuple[Token, ...], pairs: list[tuple[int, int]]
) -> list[Difference]:
    found: list[Difference] = []
    at_claim = at_sentence = 0
    for number, (x, y) in enumerate([*pairs, (len(claim), len(sentence))]):
        if x > at_claim or y > at_sentence:
            edge = number in {0, len(pairs)}
            found.append(Difference(claim[at_claim:x], sentence[at_sentence:y], at_claim, at_sentence, edge))
        at_claim, at_sentence = x + 1, y + 1
    return found
