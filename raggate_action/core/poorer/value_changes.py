"""Values that main's answers give and an answer does not, or gives otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from raggate_action.core.evidence_checks.claim_text import ClaimText
from raggate_action.core.evidence_checks.derived_values import at_hand, works_out
from raggate_action.core.evidence_checks.evidence_index import EvidenceIndex, ShownEvidence
from raggate_action.core.evidence_checks.nearest_evidence import nearest_statements
from raggate_action.core.poorer.answer_values import GivenValue, ReadAnswer, read_answer
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN, expressions
from raggate_action.core.text.text import Text
from raggate_action.schema.main_answers import MainAnswer, PoorerReason

# From so many answers on one of them may lack a value that the others give.
_SEVERAL = 3
# They may be counted from the day of the run.
_OF_TODAY = frozenset(("date", "time", "unit time"))
_MOST = 10
# Statements of the evidence that a value may be worked out from.
_NEAR = 3


class Watched(NamedTuple):
    """A value of main's.

    Attributes:
        value: The value.
        is_held: The evidence of the answer that gives it holds it.
        by_all: Every one of main's answers gives it; else all but one do.
    """

    value: GivenValue
    is_held: bool
    by_all: bool


def watched_values(
    mains: Sequence[MainAnswer], question: str, language: str, labels: Sequence[str]
) -> tuple[Watched, ...]:
    """The values that main's answers agree on: all of them, or of several all but one, and one of the latest run.

    Args:
        mains: What main's app answered, the latest run's first.
        question: What was asked.
        language: ISO 639-1 code.
        labels: Texts of the case's own, which decide about the values in them.
    """
    found: dict[str, Watched] = {}
    read = [read_answer(main.text, question, language) for main in mains]
    decided = [EvidenceIndex(label, language) for label in labels]
    for main, its in zip(mains, read, strict=True):
        if main.run != mains[0].run:
            break
        held = {start for start, _chunk in main.grounds.held} if main.grounds is not None else set()
        for value in its.values:
            if value.key in found or any(map(value.is_given_by, decided)):
                continue
            lacking = sum(not value.is_given_by(other.index) for other in read if other is not its)
            if not lacking or (lacking == 1 and len(mains) >= _SEVERAL):
                found[value.key] = Watched(value, value.start in held, not lacking)
    return tuple(found.values())[:_MOST]


def lost_values(answer: ReadAnswer, watched: Sequence[Watched]) -> Iterator[PoorerReason]:
    """The values that an answer gives in no way, though main's evidence holds them.

    One of which another value of its kind is left is only shown, and so is a small count: the things may be listed.
    Nothing is told of an answer that may say a number in words that are not read.
    """
    text = answer.claim.raw
    languages = languages_of(text, KNOWN) or ()
    is_read = answer.claim.language in languages
    if not is_read and any(expressions(each).numbers.search(text) for each in languages):
        return
    for value, is_held, by_all in watched:
        if not is_held or value.is_given_by(answer.index):
            continue
        may_be_listed = value.figure is not None and value.figure.may_count
        yield PoorerReason(
            state="lost-value",
            key=value.key,
            value=value.text,
            here=" ".join(text.split())[:200],
            main=" ".join(value.sentence.split())[:200],
            shown=value.kind in answer.kinds or may_be_listed,
            by_all=by_all,
        )


def changed_values(
    answer: ReadAnswer, watched: Sequence[Watched], mains: Sequence[MainAnswer], evidence: Sequence[EvidenceIndex]
) -> Iterator[PoorerReason]:
    """Statements of main's that an answer makes with another value of its kind, which its evidence does not bear out.

    Where nobody sees evidence, main's answers of two runs have to agree, else it is only shown; what may be counted
    from the day, of two days.
    """
    days, runs = {main.run[:10] for main in mains}, {main.run for main in mains}
    told = [read_answer(main.text, answer.claim.question, answer.claim.language).index for main in mains]
    for value, is_held, by_all in watched:
        if value.figure is None or not by_all or (evidence and not is_held) or value.is_given_by(answer.index):
            continue
        for other in answer.values:
            if _may_replace(other, value) and not _is_borne_out(other, told, evidence):
                is_sure = len(days if value.kind in _OF_TODAY else runs) > 1
                yield PoorerReason(
                    state="changed-value",
                    key=f"{value.key} > {other.key}",
                    value=f"{value.text} → {other.text}",
                    here=" ".join(other.sentence.split())[:200],
                    main=" ".join(value.sentence.split())[:200],
                    shown=not (evidence or is_sure),
                    sharp=bool(evidence),
                    by_all=True,
                )
                break


def _may_replace(other: GivenValue, value: GivenValue) -> bool:
    """Whether a value stands in a statement of main's where another one stood: of the same thing, in the same unit."""
    one, two = other.figure, value.figure
    if one is None or two is None or other.kind != value.kind:
        return False
    is_same = value.kind == "code" or (one.unit, one.noun) == (two.unit, two.noun)
    return is_same and value.is_stated_in(other.sentence)


def _is_borne_out(value: GivenValue, mains: Sequence[EvidenceIndex], evidence: Sequence[EvidenceIndex]) -> bool:
    """Whether one of main's answers or the evidence holds a value, or the evidence lets one work it out."""
    if any(map(value.is_held_by, (*mains, *evidence))):
        return True
    if not evidence or value.figure is None:
        return False
    chunks = ShownEvidence(tuple([(str(number), index) for number, index in enumerate(evidence)]))
    near = nearest_statements(ClaimText(Text(value.sentence, chunks.language), ""), chunks, most=_NEAR)
    tokens = [statement.tokens for _chunk_id, _index, statement, _score in near]
    around = frozenset([token.key for each in tokens for token in each])
    return works_out(value.figure, at_hand(value.claim, tokens, around, widely=True))
