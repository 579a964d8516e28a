"""Values that main's answers give and an answer does not, or gives otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.derived_values import at_hand, works_out
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, ShownEvidence
from raggate_action.core.evidence_checks.missing_values import is_conversion, is_held
from raggate_action.core.evidence_checks.nearest_evidence import nearest_statements
from raggate_action.core.poorer.main_values import (
    CODE,
    SAME_STATEMENT,
    ReadAnswer,
    Value,
    is_written,
    read_answer,
    statement_words,
)
from raggate_action.core.text.evidence_values import Figures
from raggate_action.core.text.text import Text
from raggate_action.schema.main_answers import MainAnswer, PoorerReason

# From so many answers on one of them may lack a value that the others give.
_SEVERAL = 3
# Values of these kinds are shown, and count nowhere.
_SHOWN = frozenset(("identifier",))
# They may be counted from the day of the run.
_OF_TODAY = frozenset(("date", "time", "unit time"))
_EXAMPLE = re.compile(
    r"\b(?:for (?:instance|example)|e\.g\.|such as|z\.\s?b\.|zum beispiel|par exemple|por ejemplo|bijvoorbeeld)",
    re.IGNORECASE,
)
_MOST = 10
# Statements of the evidence that a value may be worked out from.
_NEAR = 3


class Asked(NamedTuple):
    """What an answer is held against, its own case aside.

    Attributes:
        question: What was asked.
        language: ISO 639-1 code.
        labels: Texts of the case's own that decide about the values in them.
        evidence: What the app was shown for this answer.
    """

    question: str
    language: str
    labels: Sequence[str] = ()
    evidence: Sequence[EvidenceIndex] = ()


class Watched(NamedTuple):
    """A value of main's.

    Attributes:
        value: The value.
        of: The answer that gives it.
        is_held: That answer's evidence holds it.
        by_all: Every one of main's answers gives it; else all but one do.
    """

    value: Value
    of: ReadAnswer
    is_held: bool
    by_all: bool


def watched_values(mains: Sequence[MainAnswer], asked: Asked) -> tuple[Watched, ...]:
    """The values that main's answers agree on: all of them, or of several all but one, and one of the latest run.

    Without those that a label of the case decides about.

    Args:
        mains: What main's app answered, the latest run's first.
        asked: The question.
    """
    found: dict[str, Watched] = {}
    read = [read_answer(main.text, asked.question, asked.language) for main in mains]
    for place, main in enumerate(mains):
        if main.run != mains[0].run:
            break
        held = {start for start, _chunk in main.grounds.held} if main.grounds is not None else set()
        for value in read[place].values:
            if value.key in found or _is_labelled(value, read[place], asked.labels):
                continue
            lacking = sum(not other.gives(value, read[place]) for other in read if other is not read[place])
            if not lacking or (lacking == 1 and len(mains) >= _SEVERAL):
                found[value.key] = Watched(value, read[place], value.start in held, not lacking)
    return tuple(found.values())[:_MOST]


def lost_values(answer: ReadAnswer, watched: Sequence[Watched]) -> Iterator[PoorerReason]:
    """The values that an answer gives in no way, though main's evidence holds them.

    One of which another value of its kind is left is only shown, and so is a small count: the things may be listed.
    """
    if answer.may_spell_numbers:
        return
    for each in watched:
        value = each.value
        if not each.is_held or answer.gives(value, each.of):
            continue
        counted = value.kind in answer.kinds or value.kind in _SHOWN or value.may_go_uncounted
        yield PoorerReason(
            state="lost-value",
            key=value.key,
            value=value.text,
            here=" ".join(answer.text.split())[:200],
            main=" ".join(value.sentence.split())[:200],
            shown=counted,
            by_all=each.by_all,
        )


def changed_values(
    answer: ReadAnswer, watched: Sequence[Watched], mains: Sequence[MainAnswer], asked: Asked
) -> Iterator[PoorerReason]:
    """Statements of main's that an answer makes with another value of its kind, which its evidence does not bear out.

    Where nobody sees evidence, main's answers of two runs have to agree, else it is only shown; what may be counted
    from the day, of two days.
    """
    days, runs = {main.run[:10] for main in mains}, {main.run for main in mains}
    for each in watched:
        value = each.value
        if (value.figure is None and value.kind != CODE) or not each.by_all or answer.gives(value, each.of):
            continue
        if asked.evidence and not each.is_held:
            continue
        other = _stated_otherwise(answer, each, mains, asked)
        if other is None:
            continue
        is_sure = bool(asked.evidence) or len(runs) > 1
        if value.kind in _OF_TODAY and not asked.evidence:
            is_sure = len(days) > 1
        yield PoorerReason(
            state="changed-value",
            key=f"{value.key} > {other.key}",
            value=f"{value.text} → {other.text}",
            here=" ".join(other.sentence.split())[:200],
            main=" ".join(value.sentence.split())[:200],
            shown=not is_sure,
            sharp=bool(asked.evidence),
            by_all=True,
        )


def _stated_otherwise(answer: ReadAnswer, watched: Watched, mains: Sequence[MainAnswer], asked: Asked) -> Value | None:
    """The value that an answer gives in the same statement in place of main's."""
    figures = [read_answer(main.text, asked.question, asked.language).index.figures for main in mains]
    wanted = statement_words(watched.value.sentence)
    for other in answer.values:
        if other.kind != watched.value.kind or not _same_unit(other, watched.value):
            continue
        if _is_said(other, answer, mains, figures) or _EXAMPLE.search(other.sentence):
            continue
        words = statement_words(other.sentence)
        if not wanted or len(wanted & words) < SAME_STATEMENT * len(wanted):
            continue
        if not _is_borne_out(other, answer, asked.evidence):
            return other
    return None


def _is_said(value: Value, answer: ReadAnswer, mains: Sequence[MainAnswer], said: Sequence[Figures]) -> bool:
    """Whether one of main's answers gives it as well."""
    if value.figure is None:
        return is_written(value, answer.text, [main.text for main in mains])
    return is_held(value.figure, said)


def _same_unit(one: Value, other: Value) -> bool:
    if one.figure is None or other.figure is None:
        return one.kind == other.kind == CODE
    return one.figure.unit == other.figure.unit and one.figure.noun == other.figure.noun


def _is_borne_out(value: Value, answer: ReadAnswer, evidence: Sequence[EvidenceIndex]) -> bool:
    """Whether the evidence holds a value, or lets one round, convert or work it out."""
    if not evidence:
        return False
    if value.figure is None:
        return is_written(value, answer.text, [index.text for index in evidence])
    figures = [index.figures for index in evidence]
    if is_held(value.figure, figures) or is_conversion(value.figure, figures):
        return True
    chunks = ShownEvidence(tuple([(str(number), index) for number, index in enumerate(evidence)]))
    near = nearest_statements(ClaimText(Text(value.sentence, chunks.language), ""), chunks, most=_NEAR)
    tokens = [statement.tokens for _chunk_id, statement, _score in near]
    around = frozenset([token.key for each in tokens for token in each])
    return works_out(value.figure, at_hand(answer.claim, tokens, around, widely=True))


def _is_labelled(value: Value, of: ReadAnswer, labels: Sequence[str]) -> bool:
    if value.figure is not None:
        return any(is_held(value.figure, (Text(label).values,)) for label in labels)
    return bool(labels) and is_written(value, of.text, labels)
