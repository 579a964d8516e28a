"""What a reference answer gives and an answer lacks: its numbers, dates, amounts and names. Advice, never a verdict.

A reference is one right answer of many, so only values count, in any spelling, and not those of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from raggate_action.core.evidence_checks.claim_check import DIGITS_KNOWN
from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex
from raggate_action.core.evidence_checks.missing_names import unknown_names
from raggate_action.core.text.evidence_values import Figures, is_conversion, is_held
from raggate_action.core.text.text import Text, read_question
from raggate_action.core.text.values import Value
from raggate_action.schema.outcome import Problem

_MOST = 10
# A reference so many times as long answers in its first sentence and explains in the others.
_EXPLAINS = 3
_STEP = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|[-*+])[ \t]+", re.MULTILINE)
_NAME_ALONE = re.compile(r"(?:[A-Z][\w'’.-]*\s?){2,4}")
_CAPITALISED = re.compile(r"[A-Z][\w'’-]*(?:\.?[ ]+(?:(?:of|the|for|and|de|van|von)[ ]+)*[A-Z][\w'’-]*)*")
_WORD = re.compile(r"[\w'’-]+")
# Halves and the like, which people write for shares of a hundred.
_PARTS = {"half": 50.0, "quarter": 25.0, "third": 33.3, "all": 100.0, "whole": 100.0, "double": 200.0}


def lacking_values(reference: str, answer: str, *, question: str, language: str) -> tuple[Problem, ...]:
    """The values of a reference answer that an answer does not give, in the order of the reference, at most ten.

    Args:
        reference: A right answer.
        answer: The answer; an empty one lacks nothing that would have to be said beside its being empty.
        question: What was asked.
        language: ISO 639-1 code of both; values are read in languages that write digits as English does, names in
            English alone.
    """
    if not answer.strip() or language not in {"en", *DIGITS_KNOWN}:
        return ()
    claim = ClaimText(Text(_what_answers(reference, answer), language), question)
    answered = EvidenceIndex(answer, language)
    found = [*_figures(claim, answered), *(_names(claim, answered) if language == "en" else ())]
    ordered = sorted(found, key=lambda each: claim.raw.find(each.detail))
    return tuple(dict.fromkeys(ordered))[:_MOST]


def _what_answers(reference: str, answer: str) -> str:
    text = _STEP.sub("", reference.strip())
    if len(text.split()) > _EXPLAINS * max(3, len(answer.split())):
        sentences = Text(text).sentences
        text = text[sentences[0].start : sentences[0].end] if sentences else text
    # A name alone is no sentence's first word.
    return f"It is {text}" if _NAME_ALONE.fullmatch(text) else text


def _figures(claim: ClaimText, answered: EvidenceIndex) -> Iterator[Problem]:
    of_question = read_question(claim.question, claim.language).figures
    for figure in claim.figures:
        if not is_held(_without_year(figure, answered), (of_question,)) and not is_given(figure, claim, answered):
            yield Problem(code=figure.kind, detail=" ".join(claim.raw[slice(*figure.span)].split()))


def is_given(figure: Value, claim: ClaimText, answered: EvidenceIndex) -> bool:
    """Whether an answer gives a number of another text, in any spelling, rounding or unit, either way round.

    Args:
        figure: The number.
        claim: The text it is of.
        answered: The answer.
    """
    wanted = _without_year(figure, answered)
    held = is_held(wanted, (answered.figures,)) or is_conversion(wanted, (answered.figures,))
    return held or _is_rounded(figure, answered, Text(claim.raw, claim.language).figures) or _is_part(figure, answered)


def _without_year(figure: Value, answered: EvidenceIndex) -> Value:
    """A date without its year where the answer names none: "1 May" is right enough."""
    token = figure.token
    if token.kind != "date" or any(1900 <= value < 2100 for value in answered.figures.values):
        return figure
    return figure._replace(token=token._replace(values=(0.0, *token.values[1:])))


def _is_rounded(figure: Value, answered: EvidenceIndex, given: Figures) -> bool:
    """Whether the answer rounds the number: its own number is one that the reference can be read to hold."""
    values = figure.token.values
    return any(
        abs(other.token.values[0] - values[0]) <= 0.1 * abs(values[0]) and is_held(other, (given,))
        for other in ClaimText(Text(answered.text, answered.language), "").figures
        if other.token.kind == "number" and figure.token.kind == "number" and values[0]
    )


def _is_part(figure: Value, answered: EvidenceIndex) -> bool:
    words = {word.casefold() for word in _WORD.findall(answered.text)}
    return figure.kind == "percent" and any(
        abs(figure.token.values[0] - share) < 1 for word, share in _PARTS.items() if word in words
    )


def _names(claim: ClaimText, answered: EvidenceIndex) -> Iterator[Problem]:
    """A name of several words is there with any of them: "Turing" for "Dr. Alan Turing"."""
    unknown = unknown_names(claim, (answered,))
    runs = [(found.start(), found.end()) for found in _CAPITALISED.finditer(claim.bare)]
    words = {word.casefold() for word in _WORD.findall(answered.text)}
    for token in unknown:
        start, end = next(((a, b) for a, b in runs if a <= token.start < b), (token.start, token.end))
        run = [word for word in _WORD.finditer(claim.bare, start, end) if word[0][0].isupper()]
        missing = {each.start for each in unknown}
        if any(word[0].casefold() in words for word in run if word.start() not in missing and len(word[0]) > 2):
            continue
        yield Problem(code="name", detail=claim.raw[start:end])
