"""One keyless rule that guards labels: a claim that denies what its source affirms, or the other way round.

"The deploy may start without a linked rollback plan" holds every phrase of "requires a linked rollback plan".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from raggate_action.core.claims.model_context import ShownChunk
from raggate_action.core.text.case_folding import folded, folded_phrase
from raggate_action.core.text.idle_words import IdleWords
from raggate_action.schema.case_run import Finding

# English only: for a language these words do not know the rule finds nothing on either side and stays silent.
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|without|cannot|neither|nor|nobody|nothing|unnecessary|optional|skip(?:s|ped)?|"
    r"waive[sd]?|bypass(?:es)?|exempt|except|unless|instead of|rather than|lacks?|lacking|absent|"
    r"forbidden|prohibited)\b|n['’]t\b",
    re.IGNORECASE,
)
# Answers a question, and denies nothing that follows: "No, gift cards aren't refunded".
_ANSWERING = re.compile(r"^\W*no\s*[,.:;!–—]\s", re.IGNORECASE)
# A price or a bound that a negation tells denies nothing beside a text that tells the same without one: "at no cost"
# beside "free of charge". It does beside one that speaks of a cost, or has the bare comparative.
_TOLD_OTHERWISE = tuple(
    tuple([re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for words in row])
    for row in (
        (
            r"(?:(?:at|there(?: is|['’]s)) no|without(?: any)?) (?:\w+ )?(?:costs?|charges?|fees?)|nothing to pay",
            r"free(?! to)|complimentary|gratis",
            r"(?<!of )(?:costs?|charges?|fees?)|to pay",
        ),
        (
            r"(?:no|not) (?:later|more|longer) than",
            r"at most|latest|by|until|up to|maximum|max|before",
            r"(?:later|more|longer) than",
        ),
        (
            r"(?:no|not) (?:earlier|sooner|less|fewer) than",
            r"at least|earliest|from|minimum|min|after",
            r"(?:earlier|sooner|less|fewer) than",
        ),
    )
)
_NOT_ONLY = re.compile(r"\bnot (?:only|just|merely)\b(?=.*\bbut\b)", re.IGNORECASE)
# Without one of these letters in a row there is no negation: a quick look before the slow one.
_SIGNS = (
    " no", "not", "n't", "n’t", "never", "without", "neither", "nor", "unnecessary", "optional", "skip", "waive",
    "bypass", "exempt", "except", "unless", "instead of", "rather than", "lack", "absent", "forbidden", "prohibited",
)  # fmt: skip
# Nor without one of its words, "instead of" and "rather than" being two: quicker still, and "notice" is none.
_IDLE_WORDS = IdleWords(lambda word: "instead" in word or "rather" in word or _NEGATION.search(word))


def polarity_conflict(claim: str, phrases: Sequence[str], chunks: Sequence[ShownChunk]) -> Finding | None:
    """A finding when the claim denies and no supporting sentence does, or the supporting sentences do and it does not.

    Args:
        claim: The claim's text.
        phrases: The support phrases found in every one of `chunks`.
        chunks: Chunks that hold the phrases; one that agrees in polarity is enough for silence.
    """
    around = " ".join([near_in(phrase, chunks[0]) for phrase in phrases])
    if not _may_deny(f" {claim.lower()} {around}"):
        # Looked at together: hardly any claim denies, or rests on what does.
        return None
    denied = _denies(claim)
    for chunk in chunks:
        near_by = not denied and not any(_denies(near_in(phrase, chunk)) for phrase in phrases)
        if near_by or _both_deny_or_neither(claim, sentences_around(phrases, chunk)):
            return None
    reason = "the claim denies what the source says" if denied else "the source denies what the claim says"
    return Finding(
        kind="conflict", code="polarity", reason=f"{reason} about “{phrases[0]}”", chunk_id=chunks[0].chunk_id
    )


def _both_deny_or_neither(claim: str, source: str) -> bool:
    return _denies(claim, source) == _denies(source, claim)


def _denies(text: str, other: str = "") -> bool:
    """An odd number of negations: "no deploy starts without a plan" affirms.

    Args:
        text: What may deny.
        other: What it is held against; a negation that tells what this tells without one is none.
    """
    if not _may_deny(f" {text.lower()}"):
        return False
    text = _NOT_ONLY.sub("", _ANSWERING.sub("", text))
    for negated, plain, bare in _TOLD_OTHERWISE:
        if plain.search(other) and not bare.search(other):
            text = negated.sub("", text)
    return len(_NEGATION.findall(text)) % 2 == 1


def deny_alike(claim: str, source: str) -> bool:
    """Whether both deny or neither does."""
    # Looked at together, as above.
    return not _may_deny(f" {claim} {source}".lower()) or _both_deny_or_neither(claim, source)


@lru_cache(maxsize=64)
def _may_deny(lowered: str) -> bool:
    # Asked twice of every labelled claim, mostly in the same words.
    return not _IDLE_WORDS.are_all_of(lowered) and any(sign in lowered for sign in _SIGNS)


def near_in(phrase: str, chunk: ShownChunk) -> str:
    """What stands around a phrase between full stops: where nothing is denied there, nobody needs its sentence."""
    return near_at(chunk.folded.find(folded_phrase(phrase)), chunk)


def near_at(place: int, chunk: ShownChunk) -> str:
    """What stands around a place of the folded text between full stops."""
    text = chunk.folded
    return text[text.rfind(". ", 0, place) + 1 : (text.find(". ", place) + 1) or None]


def sentences_around(phrases: Sequence[str], chunk: ShownChunk) -> str:
    """The sentences of the chunk that hold a phrase; the whole text when a phrase runs over a sentence's end."""
    quotable = chunk.quotable
    sentences = [quotable.verbatim(sentence) for sentence in quotable.sentences]
    wanted = [folded_phrase(phrase) for phrase in phrases]
    holding = [s for s in sentences if any(phrase in folded(s) for phrase in wanted)]
    return " ".join(holding) if holding else quotable.raw
