"""A claim laid beside one statement of the evidence: what both share in order, and every stretch in which they differ.

Conflicts, reversals, exchanged parties, conditions and the source a claim follows are read from this one record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, Statement
from raggate_action.core.evidence_checks.value_type import QUANTITIES, Around, slot_of
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import (
    BOUNDS,
    DENYING,
    FILLERS,
    LEADING,
    MODALS,
    NEGATIONS,
    STOP_WORDS,
    opposites,
)

Tokens: TypeAlias = tuple[Token, ...]
Kind: TypeAlias = Literal["dropped", "unknown", "bound", "condition", "conflict", "unclear"]

# More differing words than this and the claim no longer follows the sentence.
_MOST_DIFFERENCES = 14
# Words the window of the sentence reaches beyond the claim's own length, on either side.
_SLACK = 4
# Words that have moved together, at least.
_MOVED = 2
# Places of one word in a sentence that are looked at.
_PLACES = 4
# Share of the claim's meaning words that a sentence must hold in order to be followed.
FOLLOWED = 0.6
# Meaning words that a claim shares with the one sentence it is taken to repeat but for one slot.
_FEWEST_ALIGNED = 3
# A turned claim may add one word for so many it shares.
_FEW_AMONG = 3
# More words of the sentence left out in the middle of what the claim repeats, and it says something else.
_DROPPED_AT_MOST = 2
_DROPPABLE = frozenset(("word", "date", "time"))
# Fillers that still say who does what.
_KEPT_FILLERS = frozenset(("is", "are", "was", "were", "be", "of", "as", "will", "shall", "has", "have", "had"))
_LIGHT = FILLERS - _KEPT_FILLERS
# They reverse each other, so that only all of them together say anything (see `reversal`).
_TURNING = FILLERS | NEGATIONS | BOUNDS | MODALS
_ENDINGS = re.compile(
    r"(?:e?s|e?d|ies|ied|ying|y|e|ing|ly|er|ers|ion|ions|ation|ations|al|ally|ment|ments|able|ise|ize|ised|ized|ising"
    r"|izing|isation|ization|[bdglmnprt](?:ed|ing)|en|n|t|ance|ence|ant|ent|ive|ity|ness)?"
)
_SHORTEST_STEM = 3


class Edit(NamedTuple):
    """A stretch in which claim and sentence differ.

    Attributes:
        kind: `dropped` leaves words of the sentence out, `unknown` may say anything, `bound` bounds it differently,
            `condition` stands on one side alone, `conflict` says otherwise, `unclear` turns the sentence round in a
            way that cannot be counted.
        claim, sentence: The words on either side; one may be empty.
        code: Of a conflict, what differs.
        sure: It leaves no second reading as far as this stretch shows.
        place: Where it begins among the tokens of the claim.
    """

    kind: Kind
    claim: Tokens = ()
    sentence: Tokens = ()
    code: str = ""
    sure: bool = True
    place: int = 0


class Diff(NamedTuple):
    """A claim laid beside a statement that it follows by and large.

    Attributes:
        chunk_id, chunk, statement: The statement, and its chunk.
        shared: Meaning words of the claim that it has, in order.
        edits: Where they differ; what only says the same in other words is left out.
    """

    chunk_id: str
    chunk: EvidenceIndex
    statement: Statement
    shared: int
    edits: tuple[Edit, ...]

    def of(self, *kinds: Kind) -> list[Edit]:
        """The edits of these kinds."""
        return [edit for edit in self.edits if edit.kind in kinds]

    @property
    def agrees(self) -> bool:
        """Nothing in the statement says otherwise."""
        return not self.of("conflict", "unclear")

    @property
    def is_aligned(self) -> bool:
        """Claim and sentence share at least three meaning words and differ in nothing but what conflicts."""
        return self.shared >= _FEWEST_ALIGNED and not self.of("dropped", "unknown")

    @property
    def is_certain(self) -> bool:
        """Its conflict leaves no other reading."""
        return not self.of("dropped", "unknown", "bound") and all(edit.sure for edit in self.of("conflict"))

    @property
    def conflict(self) -> Edit | None:
        """Its one conflict; None where it has several, or where what else differs may explain it."""
        against, unknown = self.of("conflict", "unclear"), self.of("unknown")
        if len(against) != 1 or len(unknown) > 1 or against[0].kind == "unclear":
            return None
        (edit,) = against
        if unknown and edit.code == "polarity":
            added = [token.key for token in unknown[0].claim if token.key not in _TURNING]
            few = sum(key not in STOP_WORDS for key in added) * _FEW_AMONG <= self.shared
            is_bound = any(token.key in BOUNDS or token.key in MODALS for token in (*edit.claim, *edit.sentence))
            return edit if few and DENYING.isdisjoint(added) and not is_bound else None
        return None if unknown and edit.code == "name" else edit


def laid_out(tokens: Sequence[Token]) -> Tokens:
    """The tokens that are laid side by side; the "No," that answers a question denies nothing that follows."""
    answers = len(tokens) > 1 and tokens[0].key in NEGATIONS and tokens[1].kind == "mark"
    return tuple([token for token in tokens[answers:] if token.kind != "mark" and token.key not in _LIGHT])


def window_of(claim: Tokens, sentence: Tokens) -> Tokens:
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


def stretches_of(claim: Tokens, sentence: Tokens) -> list[Edit] | None:
    """The stretches that differ when as many words as possible are shared in order, none of them read yet.

    Adverbials that only stand elsewhere ("on Mondays, ...") are shared. None where too many words differ.
    """
    ours, theirs = [token.key for token in claim], [token.key for token in sentence]
    fewest = len(ours) + len(theirs) - 2 * (Counter(ours) & Counter(theirs)).total()
    if fewest > _MOST_DIFFERENCES:
        return None
    longest = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for x in reversed(range(len(ours))):
        row, below = longest[x], longest[x + 1]
        for y in reversed(range(len(theirs))):
            row[y] = below[y + 1] + 1 if ours[x] == theirs[y] else max(below[y], row[y + 1])
    if len(ours) + len(theirs) - 2 * longest[0][0] > _MOST_DIFFERENCES:
        return None
    found: list[Edit] = []
    x = y = from_x = from_y = 0
    while x < len(ours) or y < len(theirs):
        if x < len(ours) and y < len(theirs) and ours[x] == theirs[y]:
            if x > from_x or y > from_y:
                found.append(Edit("unknown", claim[from_x:x], sentence[from_y:y], place=from_x))
            x, y = x + 1, y + 1
            from_x, from_y = x, y
        elif y == len(theirs) or (x < len(ours) and longest[x + 1][y] >= longest[x][y + 1]):
            x += 1
        else:
            y += 1
    if x > from_x or y > from_y:
        found.append(Edit("unknown", claim[from_x:], sentence[from_y:], place=from_x))
    return _without_moved(found)


def _without_moved(found: list[Edit]) -> list[Edit]:
    for one in range(len(found)):
        for other in range(len(found)):
            ours, theirs = found[one].claim, found[other].sentence
            best = (0, 0, 0)
            for x, token in enumerate(ours if one != other else ()):
                for y in range(len(theirs) if token.key in LEADING else 0):
                    size = 0
                    while (
                        x + size < len(ours) and y + size < len(theirs) and ours[x + size].key == theirs[y + size].key
                    ):
                        size += 1
                    # Whatever follows on both sides would be told apart from what it belongs to.
                    ends = x + size == len(ours) or y + size == len(theirs)
                    best = max(best, (size * ends, x, y), key=lambda run: run[0])
            size, x, y = best
            if size >= _MOVED:
                found[one] = found[one]._replace(claim=ours[:x] + ours[x + size :])
                found[other] = found[other]._replace(sentence=theirs[:y] + theirs[y + size :])
    return [edit for edit in found if edit.claim or edit.sentence]


def read_stretch(edit: Edit, claim: ClaimText, tokens: Tokens, index: EvidenceIndex) -> Edit | None:
    """A stretch, read apart from the words that turn a statement round; None where both sides say the same."""
    behind = edit.place + len(edit.claim)
    before = tokens[edit.place - 1] if edit.place else None
    around = Around(claim.compared, index.compared, before, tokens[behind] if behind < len(tokens) else None)
    # "15 %" is not "15", unless the other speaks of percent as well.
    is_share = [token.key for token in (*edit.claim, *edit.sentence)] == ["unit %"]
    if is_share and before and before.kind == "number" and claim.compared[before.end - 1].isdecimal():
        others = index.words if edit.claim else claim.content | claim.asked
        if "unit %" not in others:
            return edit._replace(kind="conflict", code="percent")
    ours, theirs = (
        tuple([token for token in side if token.key not in _TURNING]) for side in (edit.claim, edit.sentence)
    )
    if not ours:
        if not theirs or (edit.place and behind == len(tokens)):
            return None
        few = len(theirs) <= _DROPPED_AT_MOST and _DROPPABLE.issuperset(token.kind for token in theirs)
        is_edge = not edit.place or behind == len(tokens)
        return edit._replace(kind="dropped" if few or is_edge else "unknown", claim=(), sentence=tuple(theirs))
    edit = edit._replace(sentence=tuple(theirs))
    if not theirs:
        return None if STOP_WORDS.issuperset(token.key for token in ours) else edit
    if _are_same(ours, theirs):
        return None
    if pairs := [(a, b) for a in ours for b in theirs if opposites(a.key, b.key)]:
        (one, other), *more = pairs
        is_turned = not more and _are_same([t for t in ours if t != one], [t for t in theirs if t != other])
        return Edit("conflict", (one,), (other,), "polarity") if is_turned else edit
    said, stated = (tuple([t for t in side if t.kind != "word" or t.key not in STOP_WORDS]) for side in (ours, theirs))
    if not said or not stated:
        return edit if said or stated else None
    code = slot_of(said, stated, around)
    sure = (len(said), len(stated)) == (len(ours), len(theirs)) and code != "name"
    if code is None and min(len(said), len(stated)) == 1:
        # One value on either side, and on one of them words more: "26 days in total" for "26 weeks".
        said, stated = (
            tuple([t for t in side if t.kind in QUANTITIES or t.key.startswith("unit ")]) for side in (said, stated)
        )
        code, sure = (slot_of(said, stated, around) if len(said) == len(stated) == 1 else None) or None, False
    if code is None:
        return edit
    return Edit("conflict", said, stated, code, sure) if code else None


def same_word(one: str, other: str) -> bool:
    """Whether two keys are forms of one word: require, required, requirement."""
    if one == other:
        return True
    if opposites(one, other) or not (one.isalpha() and other.isalpha()):
        return False
    pairs = list(zip(one, other, strict=False))
    shared = next((place for place, (left, right) in enumerate(pairs) if left != right), len(pairs))
    return (
        shared >= _SHORTEST_STEM
        and _ENDINGS.fullmatch(one, shared) is not None
        and _ENDINGS.fullmatch(other, shared) is not None
        and {one[shared:], other[shared:]} not in ({"er", "ee"}, {"r", "e"})
    )


def _are_same(one: Sequence[Token], other: Sequence[Token]) -> bool:
    left = [token.key for token in other]
    for token in one:
        match = next((key for key in left if same_word(token.key, key)), None)
        if match is None:
            return False
        left.remove(match)
    return not left
