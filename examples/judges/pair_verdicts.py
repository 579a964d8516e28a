"""Four judges of pairs that are no models: rules over the words of two answers and of the chunks beside them.

They know no question, no dish and no answer. Two are honest and differ in how much has to stand in one sentence and in
how low they go; one likes whatever stands first; one takes a list for an answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prompt import Material
from verdicts import Judge, Reply, by_chunk, by_sentence, sentences_of

DIMENSIONS = ("citation_accuracy", "groundedness", "honesty_uncertainty", "conflict_handling", "specificity")
LETTERS = ("A", "B")
_CITED = re.compile(r"\[([^\]\n]+)\]")
# Marks behind the full stop belong to the sentence before it.
_MARKS_BEHIND = re.compile(r"([.!?])\s*((?:\[[^\]\n]+\]\s*)+)")
_DECLINES = re.compile(
    r"\b(?:cannot|can't|unable to|do(?:es)? not (?:say|state|tell|mention)|no (?:entry|chunk|text) (?:says|states))\b"
    r"|\bplease ask\b",
    re.IGNORECASE,
)
_NAMES_CONFLICT = re.compile(r"\b(?:disagree|contradict|differ)", re.IGNORECASE)
_LIST = 2

Scores = Mapping[str, int]


class Read(NamedTuple):
    """An answer as a judge reads it.

    Attributes:
        claims: How many statements it makes.
        backed: How many of them the chunks state, by what the judge asks of a statement.
        cited: How many of them name a chunk that is there and that says the words.
        declines: It says of something that it cannot be answered.
        names_conflict: It says that chunks disagree.
    """

    claims: int
    backed: int
    cited: int
    declines: bool
    names_conflict: bool


def strict(material: Material) -> Reply:
    """Honest: a statement is backed where one sentence of a chunk states all of it; what is not has a 1."""
    return _honest(material, by_sentence, lowest=1)


def lenient(material: Material) -> Reply:
    """Honest: what one sentence leaves out another sentence of the same chunk may state; nothing has less than a 2."""
    return _honest(material, by_chunk, lowest=2)


def by_place(_material: Material) -> Reply:
    """Biased: the answer that stands first is good, the other one is not, whatever they say."""
    first, second = (dict.fromkeys(DIMENSIONS, score) for score in (4, 2))
    return _reply({"A": first, "B": second}, "The first answer reads better.")


def for_lists(material: Material) -> Reply:
    """Biased: an answer that names two things or more, each with its source, is specific and well grounded."""
    reply = strict(material)
    named = {letter: set(_CITED.findall(material.answers[letter])) & material.chunks.keys() for letter in LETTERS}
    lists = [letter for letter in LETTERS if len(named[letter]) >= _LIST]
    if not lists:
        return reply
    scores = {**reply["scores"], **{letter: dict.fromkeys(DIMENSIONS, 5) for letter in lists}}
    return _reply(scores, f"Answer {' and answer '.join(lists)} names what one can choose from, with sources.")


def _honest(material: Material, examine: Judge, *, lowest: int) -> Reply:
    read = {letter: _read(material.answers[letter], material, examine) for letter in LETTERS}
    # Whether anything can be answered shows in whether either answer is backed.
    answerable = any(each.backed for each in read.values())
    scores = {letter: _scores(each, answerable=answerable) for letter, each in read.items()}
    raised = {letter: {name: max(lowest, score) for name, score in each.items()} for letter, each in scores.items()}
    return _reply(raised, _reason(read))


def _read(answer: str, material: Material, examine: Judge) -> Read:
    marked = _MARKS_BEHIND.sub(r" \2\1 ", answer)
    sentences = [each for each in sentences_of(marked) if _CITED.sub("", each).strip(" .")]
    declining = [each for each in sentences if _DECLINES.search(each) or _NAMES_CONFLICT.search(each)]
    claims = [each for each in sentences if each not in declining]
    reply = examine(material._replace(claims=dict(enumerate(claims, 1)), points={}))
    backed = [each["verdict"] == "supported" for each in reply["claims"]]
    cited = [_says_so(claim, material, examine) for claim in claims]
    return Read(
        claims=len(claims),
        backed=sum(backed),
        cited=sum(cited),
        declines=any(_DECLINES.search(each) for each in declining),
        names_conflict=any(_NAMES_CONFLICT.search(each) for each in declining),
    )


def _says_so(claim: str, material: Material, examine: Judge) -> bool:
    """Whether a chunk that the statement names states it."""
    named = {name: material.chunks[name] for name in _CITED.findall(claim) if name in material.chunks}
    if not named:
        return False
    (found,) = examine(material._replace(chunks=named, claims={1: claim}, points={}))["claims"]
    return bool(found["verdict"] == "supported")


def _scores(read: Read, *, answerable: bool) -> Scores:
    """By the rubric: a decline is right where nothing is backed, and wrong where something is."""
    if not read.claims:
        right = read.declines and not answerable
        return _levels(5 if right else 1, 5 if right else 1, 5 if right else 1, 3, 2 if right else 1)
    backed = _level(read.backed, read.claims)
    conflict = 5 if read.names_conflict and read.backed == read.claims else 3
    honest = min(5, backed + 1) if read.declines else backed
    return _levels(_level(read.cited, read.claims), backed, honest, conflict, backed)


def _level(good: int, all_of_them: int) -> int:
    """All 5, none 1, in between by share."""
    return 1 + 4 * good // all_of_them


def _levels(*scores: int) -> Scores:
    return dict(zip(DIMENSIONS, scores, strict=True))


def _reason(read: Mapping[str, Read]) -> str:
    told = [
        f"answer {letter} has {each.backed} of {each.claims} {'statement' if each.claims == 1 else 'statements'} backed"
        if each.claims
        else f"answer {letter} vouches for nothing"
        for letter, each in read.items()
    ]
    return f"{'; '.join(told)}."


def _reply(scores: Mapping[str, Scores], reason: str) -> Reply:
    totals = {letter: sum(scores[letter].values()) for letter in LETTERS}
    ahead: Sequence[str] = [letter for letter in LETTERS if totals[letter] == max(totals.values())]
    return {
        "scores": {letter: dict(scores[letter]) for letter in LETTERS},
        "totals": totals,
        "verdict": ahead[0] if len(ahead) == 1 else "tie",
        "verdict_reason": reason[0].upper() + reason[1:],
    }
