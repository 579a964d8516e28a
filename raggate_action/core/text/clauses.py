"""A sentence of an answer parted into the clauses that may each do something else."""

from __future__ import annotations

import re
from collections.abc import Iterator

from raggate_action.core.text.languages.rules import Expressions

_ASIDE = re.compile(r"\(([^()]{1,200})\)")
_COMMA = re.compile(r",\s*")
_LONGEST_COURTESY = 60


def bare(text: str) -> str:
    """The text without what stands around its words: stops, emphasis, pictures."""
    start, end = 0, len(text)
    while end and not (text[end - 1].isalnum() or text[end - 1] == ")"):
        end -= 1
    while start < end and not (text[start].isalnum() or text[start] == "("):
        start += 1
    return text[start:end]


def clauses(sentence: str, rules: Expressions) -> Iterator[str]:
    """The clauses of a sentence that have to be read one by one, those in brackets last."""
    asides = [aside[1] for aside in _ASIDE.finditer(sentence)]
    sentence = _ASIDE.sub(" ", sentence)
    opening = rules.subordinates.match(sentence)
    if opening is not None:
        first, _comma, sentence = sentence[opening.end() :].partition(",")
        yield from _parted(first, rules)
    yield from _parted(sentence, rules)
    for aside in asides:
        # What is put in brackets is often a place or a spelling; a sentence in them is read like any other.
        if rules.hint.search(aside) or rules.guesses.search(aside) or rules.fact.search(aside):
            yield bare(aside)


def _parted(text: str, rules: Expressions) -> Iterator[str]:
    at = 0
    for turn in rules.turns.finditer(text):
        yield from _at_commas(text[at : turn.start()], rules)
        at = turn.end()
    yield from _at_commas(text[at:], rules)


def _at_commas(text: str, rules: Expressions) -> Iterator[str]:
    """The text parted at commas: behind a courtesy, and before a guess ("not stated, probably 12")."""
    at = 0
    for comma in _COMMA.finditer(text):
        courtesy = at == 0 and comma.start() <= _LONGEST_COURTESY and rules.courtesy.fullmatch(text, 0, comma.start())
        if courtesy or rules.guesses.match(text, comma.end()):
            yield bare(text[at : comma.start()])
            at = comma.end()
    yield bare(text[at:])
