"""A sentence of an answer parted into the clauses that may each do something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.text.languages.common_words import COMMON_WORDS
from raggate_action.core.text.languages.language_rules import Expressions

_ASIDE = re.compile(r"\(([^()]{1,200})\)")
_COMMA = re.compile(r",\s*")
_COMMA_IN_PROSE = re.compile(r",\s+")
_LONGEST_COURTESY = 60
# English alone says so in a word of its own.
_BACK = re.compile(r"\b(in|on|of|from|among) (?:it|them|these)\b", re.IGNORECASE)


class Clause(NamedTuple):
    """A clause as it is read.

    Attributes:
        text: Its words.
        turn: What parts it from the one before; empty for the first.
    """

    text: str
    turn: str = ""

    def concludes(self, rules: Expressions) -> bool:
        """Whether it follows from what stands before."""
        return rules.concludes.search(self.turn) is not None


def bare(text: str) -> str:
    """The text without what stands around its words: stops, emphasis, pictures."""
    start, end = 0, len(text)
    while end and not (text[end - 1].isalnum() or text[end - 1] == ")"):
        end -= 1
    while start < end and not (text[start].isalnum() or text[start] == "("):
        start += 1
    return text[start:end]


def clauses(sentence: str, rules: Expressions) -> Iterator[Clause]:
    """The clauses of a sentence that have to be read one by one, those in brackets last."""
    asides = [aside[1] for aside in _ASIDE.finditer(sentence)]
    sentence = _without_courtesies(_ASIDE.sub(" ", sentence), rules)
    opening = rules.subordinates.match(sentence)
    if opening is not None:
        first, _comma, sentence = sentence[opening.end() :].partition(",")
        yield from _parted(first, rules)
    yield from _parted(sentence, rules)
    for aside in asides:
        # What is put in brackets is often a place or a spelling; a sentence in them is read like any other.
        if rules.hint.search(aside) or rules.guesses.search(aside) or rules.fact.search(aside):
            yield Clause(bare(aside), "(")


def with_subjects(found: Sequence[Clause], rules: Expressions, before: str, *, open_question: bool) -> list[Clause]:
    """The clauses, with its source named where one only goes on about it.

    "The minutes record the vote but give no reasons": it is the minutes that give none. "I read the list, but cats
    aren't on it": it is the list. So it is where a clause ends with what was not told or held ("but the outcome is not
    included"), unless yes or no was asked: "the list has three tours, but the lunch is not included" says no.
    """
    if not before and len(found) <= 1:
        return list(found)
    named: list[Clause] = []
    subject, source = _sources_of(before, rules)
    for clause in found:
        goes_on = rules.same_source.match(clause.text) if subject else None
        if goes_on is not None:
            named.append(clause._replace(text=f"{subject} {clause.text[goes_on.end() :]}"))
            continue
        text = _BACK.sub(rf"\1 {source}", clause.text) if source else clause.text
        if subject and open_question and _is_left_out(text, rules):
            text = f"{subject} {text}"
        named.append(clause._replace(text=text))
        if clause.text:
            subject, source = _sources_of(clause.text, rules)
    return named


def _is_left_out(text: str, rules: Expressions) -> bool:
    """Whether a clause ends with a word of telling or holding behind a denial, and tells nothing else."""
    last = text.rpartition(" ")[2]
    if rules.lacks.match(text):
        return rules.knowing.fullmatch(last) is not None
    # "Lunch is not included" says no; "the outcome is not included" speaks of what is told.
    definite = text.partition(" ")[0].lower() in COMMON_WORDS
    return definite and rules.hint.search(text) is not None and rules.telling.fullmatch(last) is not None


def _sources_of(text: str, rules: Expressions) -> tuple[str, str]:
    """The source that is its subject, and the first that it names; empty without one."""
    begins, holds = rules.subject.match(text), rules.subject.search(text)
    return begins[0] if begins else "", holds[0] if holds else ""


def _without_courtesies(sentence: str, rules: Expressions) -> str:
    """The sentence without courtesies between commas, at its beginning or its end."""
    parts = _COMMA_IN_PROSE.split(sentence)
    idle = [len(part) <= _LONGEST_COURTESY and rules.courtesy.fullmatch(bare(part)) is not None for part in parts]
    if not any(idle) or all(idle):
        return sentence
    kept = ""
    for at, part in enumerate(parts):
        if not idle[at]:
            kept += (" " if idle[at - 1] else ", ") * bool(kept) + part
    return kept


def _parted(text: str, rules: Expressions) -> Iterator[Clause]:
    at, turned = 0, ""
    for turn in rules.turns.finditer(text):
        yield from _at_commas(text[at : turn.start()], turned, rules)
        at, turned = turn.end(), turn[0]
    yield from _at_commas(text[at:], turned, rules)


def _at_commas(text: str, turn: str, rules: Expressions) -> Iterator[Clause]:
    """The text parted at commas before a guess ("not stated, probably 12")."""
    at = 0
    for comma in _COMMA.finditer(text):
        if rules.guesses.match(text, comma.end()):
            yield Clause(bare(text[at : comma.start()]), turn)
            at, turn = comma.end(), ","
    yield Clause(bare(text[at:]), turn)
