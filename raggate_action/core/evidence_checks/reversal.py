"""Whether a claim turns the sentence it follows round.

A negation, an opposite word, the other side of a bound ("over" for "up to"), "unless" for "if" and "may" for "must"
each reverse a statement, and two of them together leave it as it was: "bags over 32 kg are not accepted" and "bags up
to 32 kg are accepted" are complements, no contradiction. So the reversals are counted, and exactly one is a conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from raggate_action.core.evidence_checks.sentence_diff import Edit
from raggate_action.core.text.canonical_form import Token
from raggate_action.core.text.languages.en_words import (
    BINDING,
    BOUNDS,
    DOWNWARD,
    NEGATIONS,
    PERMITTING,
    ROUNDING,
    UPWARD,
)

# Without one of these on either side, nothing but opposite words turns a statement round; "up" begins "up to".
_TURNING = NEGATIONS | BOUNDS | BINDING | PERMITTING | {"up"}
_DIRECTIONS = UPWARD | DOWNWARD
# Right before a number they leave it out: "more than 180" is not "180".
_BEYOND = frozenset((
    "over", "above", "beyond", "exceeding", "exceed", "exceeded", "more", "greater", "larger", "longer", "higher",
    "older", "under", "below", "less", "fewer", "smaller", "shorter", "lower", "younger",
))  # fmt: skip
_CONDITIONS = frozenset(("if", "unless"))
_SAME = {"exception": "except", "excluding": "except", "till": "until"}
# What the sentence goes on to say of other cases, where the claim says nothing of them.
_OF_OTHER_CASES = NEGATIONS | {"if", "unless", "only", "when", "where", "provided", "otherwise"}


def turns_of(
    claim: Sequence[Token], sentence: Sequence[Token], beyond: Sequence[Token], turned: Sequence[Edit]
) -> list[Edit]:
    """What turns a claim round: a conflict, a bound that differs, or more than can be counted.

    Args:
        claim: The claim's tokens.
        sentence: The stretch of the sentence that the claim covers, with what leads it in.
        beyond: The rest of the sentence.
        turned: Words set against their reverse.
    """
    if not turned and _TURNING.isdisjoint([token.key for token in (*claim, *sentence)]):
        return []
    found = [(edit.claim, edit.sentence) for edit in turned]
    denials = [tuple([token for token in side if token.key in NEGATIONS]) for side in (claim, sentence)]
    if (len(denials[0]) + len(denials[1])) % 2:
        found.append((denials[0], denials[1]))
    bounds = [set(_bounds(side)) for side in (claim, sentence)]
    loose = bounds[0] ^ bounds[1]
    if (bounds[0] & _CONDITIONS, bounds[1] & _CONDITIONS) in (({"if"}, {"unless"}), ({"unless"}, {"if"})):
        loose -= _CONDITIONS
        found.append(_tokens(claim, sentence, _CONDITIONS))
    duty = _weaker(claim, sentence)
    if loose and loose <= _DIRECTIONS and (sides := _sides(*bounds)):
        loose = set()
        if sides == "opposed":
            found.append(_tokens(claim, sentence, _DIRECTIONS))
    elif loose <= _BEYOND and not (found or duty or all(bounds) or any(denials)):
        beside = (_beyond(claim, sentence), _beyond(sentence, claim))
        if any(beside):  # it may mean all the same
            return [Edit("conflict", *beside, "polarity", sure=False), Edit("dropped")]
    if duty and not any(denials):
        found.append(duty)
    if not found:
        return [Edit("bound")] if loose else []
    if len(found) > 1 or loose or not _OF_OTHER_CASES.isdisjoint(token.key for token in beyond):
        return [Edit("unclear")]
    return [Edit("conflict", *found[0], "polarity", sure=found[0] is not duty and not any(bounds))]


def _bounds(tokens: Sequence[Token]) -> Iterator[str]:
    """The words that bound a statement; the "longer" of "no longer" bounds nothing."""
    last = ""
    for token in tokens:
        if token.key in BOUNDS and not (last == "no" and token.key == "longer"):
            yield _SAME.get(token.key, token.key)
        if (last, token.key) == ("up", "to"):
            yield "most"
        last = token.key


def _sides(ours: set[str], theirs: set[str]) -> str:
    """Whether both bound from one side alone, or one from above and the other from below; else empty."""
    one, other = ours & _DIRECTIONS, theirs & _DIRECTIONS
    if not one or not other:
        return ""
    if (one <= UPWARD and other <= DOWNWARD) or (one <= DOWNWARD and other <= UPWARD):
        return "opposed"
    if not one - other or not other - one:
        return ""
    return "alike" if one | other <= UPWARD or one | other <= DOWNWARD else ""


def _beyond(side: Sequence[Token], other: Sequence[Token]) -> tuple[Token, ...]:
    """What sets a statement beyond a number that the other has as well, and not by and large."""
    numbers = {token.key for token, lead in _numbers(other) if ROUNDING.isdisjoint(lead)}
    for token, lead in _numbers(side):
        if token.key in numbers and lead and lead[-1] in _BEYOND:
            return tuple([each for each in side if each.key == lead[-1]])
    return ()


def _numbers(tokens: Sequence[Token]) -> Iterator[tuple[Token, list[str]]]:
    """The numbers, each with the words before it."""
    for place, token in enumerate(tokens):
        if token.kind == "number":
            lead = tokens[max(0, place - 3) : place]
            yield token, [each.key for each in lead if each.kind != "money" and each.key != "than"]


def _weaker(claim: Sequence[Token], sentence: Sequence[Token]) -> tuple[tuple[Token, ...], tuple[Token, ...]] | None:
    """A duty against a permission."""
    keys = [{token.key for token in side} for side in (claim, sentence)]
    if not any(one & BINDING and other & PERMITTING and not other & BINDING for one, other in (keys, keys[::-1])):
        return None
    return _tokens(claim, sentence, BINDING | PERMITTING)


def _tokens(
    claim: Sequence[Token], sentence: Sequence[Token], keys: frozenset[str]
) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    return tuple([t for t in claim if t.key in keys]), tuple([t for t in sentence if t.key in keys])
