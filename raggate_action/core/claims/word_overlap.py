"""What one text says beyond another: whether a claim says more than its label.

Words are compared by their root, so that "returned" is "return"; values with their unit; negations and bounds
as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.text.canonical_form import Token, root
from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.core.text.languages.en_words import BOUNDS, CONDITIONS, FILLERS, NEGATIONS, STOP_WORDS, opposites
from raggate_action.core.text.number_words import SHORT_SCALES, WORDS
from raggate_action.core.text.question_words import DIGITS, repeats
from raggate_action.core.text.stated_words import OPENING
from raggate_action.core.text.text import Text
from raggate_action.core.text.units import CURRENCIES, MONTHS, UNITS, WEEKDAYS

# Stop words that limit nothing: whoever is concerned, and how a sentence is put together.
_JOINTS = frozenset(
    [
        "and", "or", "but", "in", "on", "at", "to", "for", "from", "by", "with", "into", "he", "she", "they",
        "we", "you", "i", "me", "him", "them", "us", "can", "could", "may", "what", "how", "why", "here",
        "where", "when", "about",
    ]
)  # fmt: skip
_LIGHT = frozenset(
    map(
        root,
        [
            "get", "got", "give", "given", "take", "let", "make", "come", "go", "please", "note", "yes", "sure",
            "one", "possible", "able",
        ],
    )
)  # fmt: skip
# Bounds that say the same.
_SAME_BOUND = (
    frozenset(("most", "maximum", "max", "up", "within")),
    frozenset(("least", "minimum", "min")),
    frozenset(("only", "solely")),
    frozenset(("until", "till")),
    frozenset(("except", "excluding", "exception", "apart", "besides")),
)
_UPWARD = frozenset(("least", "minimum", "min", "more", "over", "after", "beyond", "exceeding", "above"))
# Right before a value these bound it; elsewhere they say how and where.
_BOUNDING = frozenset(("from", "by", "about"))
_VALUES = frozenset(("number", "date", "time", "code"))
# Of languages whose words are not known, those of the commonest that deny or limit.
_DENYING = frozenset(
    [
        "no", "not", "only", "any", "nicht", "keine", "keinen", "kein", "nur", "nach", "ob", "wenn", "ne", "pas",
        "aucune", "aucun", "rien", "non", "mais", "sin", "ni", "nada", "pero", "más", "hasta", "niet", "geen",
        "niets", "nee", "maar", "não", "mas", "nie", "inte", "ikke", "ikkje", "ma", "anche",
    ]
)  # fmt: skip
_ANY_WORD = re.compile(r"[^\W\d_]+")
# Sentences that are read as they are written: words of English letters with blanks and commas between them.
_PLAIN = re.compile(r"[A-Za-z]+(?:,? [A-Za-z]+)*[.?]?")
_WORD = re.compile(r"[a-z]+")
# Words that are no words only, or make others none.
_READ_OTHERWISE = frozenset((*UNITS, *CURRENCIES, *MONTHS, *WEEKDAYS, *WORDS, *SHORT_SCALES, "cannot", "noon", "per"))
_SHORTEST = 3


def _bare(token: Token) -> str:
    """The key of a word without what is drawn together with it: "you've"."""
    return token.key.partition("'")[0] if token.kind == "word" else token.key


def words_beyond(claim: Text, sources: Sequence[str], *, language: str, label: str = "") -> tuple[str, ...]:
    """What a claim says that none of its sources says: values, negations, bounds and content words, as it writes them.

    Args:
        claim: The claim.
        sources: The sentences of the evidence that support it, and the phrases it was recognised by.
        language: ISO 639-1 code of the answer; in another than English every word counts but the commonest.
        label: The author's phrases. Where they hold values of a kind and the claim none of these, its own of that kind
            are another one's of the same sentence: "glass on Wednesdays" for "paper on Wednesdays, glass on Fridays".
    """
    claimed = ClaimText(claim, "")
    if language != "en" or claimed.is_foreign:
        return tuple(_beyond_in_any_language(claimed.bare, " ".join(sources)))
    given = [token for source in sources for token in Text(source).stated.said]
    written = {_bare(token) for token in given}
    values = {value for _token, value in _values(given)} | {token.key for token in given if token.kind in _VALUES}
    extra = {token.start for token, value in _values(claimed.said) if value not in values}
    if of_label := [*_values(Text(label).stated.said)]:
        stated = {value for _token, value in _values(claimed.said)}
        lacking = {_kind(*each) for each in of_label} - {_kind(*each) for each in of_label if each[1] in stated}
        extra |= {token.start for token, value in _values(claimed.said) if _kind(token, value) in lacking}
    extra |= {token.start for token in claimed.said if _is_beyond(token, written)}
    extra |= {token.start for token in _bounding(claimed.said) if token.key not in written}
    return tuple(_runs(claimed, extra))


def is_plainly_within(claim: str, sources: Iterable[str]) -> bool:
    """A quick look before `words_beyond`: whether all words of a claim stand in its sources, letter by letter.

    What has a digit, a mark within or a word that may be read as a value is left to the reading, in claim and sources.

    Args:
        claim: The claim.
        sources: Some of what it may rest on.
    """
    if _PLAIN.fullmatch(claim) is None:
        return False
    left = set(_WORD.findall(claim.lower()))
    for source in sources:
        if _PLAIN.fullmatch(source) is not None and OPENING.match(source) is None:
            words = _WORD.findall(source.lower())
            if _READ_OTHERWISE.isdisjoint(words):
                left.difference_update(words)
    return not left


def _values(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Each value with its unit, where one stands beside it."""
    for before, token, behind in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        if token.kind in _VALUES:
            units = (each.key for each in (behind, before) if each is not None and each.kind in {"unit", "money"})
            yield token, f"{token.key} {next(units, '')}".rstrip()


def _kind(token: Token, value: str) -> tuple[str, str]:
    return token.kind, value.removeprefix(token.key)


def _bounding(tokens: Sequence[Token]) -> Iterator[Token]:
    for place, (one, value) in enumerate(pairwise(tokens)):
        is_range = one.key == "from" and any(each.key == "to" for each in tokens[place : place + 5])
        if one.key in _BOUNDING and value.kind in _VALUES and not is_range:
            yield one


def _is_beyond(token: Token, written: AbstractSet[str]) -> bool:
    key = _bare(token)
    if token.kind in _VALUES or key in written or key in _JOINTS:
        return False
    if key in NEGATIONS or key in BOUNDS or key in CONDITIONS or (key in STOP_WORDS and key not in FILLERS):
        return not _is_said_otherwise(key, written)
    if key in STOP_WORDS or root(key) in _LIGHT:
        return False
    akin = [other for other in written if root(other) == root(key)]
    return all(opposites(key, other) for other in akin)


def _is_said_otherwise(bound: str, written: AbstractSet[str]) -> bool:
    if bound == "within" and _UPWARD.isdisjoint(written):
        # "The period is 30 days": so it is within 30 days.
        return True
    return any(bound in same and not same.isdisjoint(written) for same in _SAME_BOUND)


def _runs(claimed: ClaimText, extra: AbstractSet[int]) -> Iterator[str]:
    """The words at these places, those that stand side by side together."""
    run: list[Token] = []
    for token in claimed.said:
        if token.start in extra:
            run.append(token)
        elif run:
            yield claimed.raw[run[0].start : run[-1].end]
            run = []
    if run:
        yield claimed.raw[run[0].start : run[-1].end]


def _beyond_in_any_language(claim: str, sources: str) -> Iterator[str]:
    lowered = sources.lower()
    given, digits = tuple(_ANY_WORD.findall(lowered)), set(DIGITS.findall(sources))
    for word in _ANY_WORD.findall(claim):
        key = word.lower()
        is_common = key in COMMON_WORDS or len(key) < _SHORTEST
        if key not in given and (key in _DENYING or not (is_common or repeats(key, given))):
            yield word
    yield from (number for number in DIGITS.findall(claim) if number not in digits)
