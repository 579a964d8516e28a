"""An answer itemised: the claims it makes, before any verdict."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.claims.model_context import ShownContext
from raggate_action.core.text.case_folding import folded
from raggate_action.core.text.citations import MarkerPattern, resolve
from raggate_action.core.text.computed_once import computed_once
from raggate_action.core.text.text import Text
from raggate_action.schema.case import Case
from raggate_action.schema.trace import Answer, TraceClaim

if TYPE_CHECKING:
    from raggate_action.core.text.prose import Expected, ProseClaim


@dataclass(frozen=True)
class Draft:
    """A claim before its verdict.

    Attributes:
        claim_id, text, start, end, citations: As in `Claim`.
        phrases: The author's support phrases; empty is no label.
        point: The required point the author says it makes.
        prose: The claim as it stands in the answer; None for a claim the app itemised.
        language: ISO 639-1 code it is read in.
    """

    claim_id: str
    text: str
    start: int | None
    end: int | None
    citations: tuple[str, ...]
    phrases: tuple[str, ...]
    point: str | None
    prose: ProseClaim | None = None
    language: str = "en"

    @computed_once
    def read(self) -> Text:
        """The claim's text with its readings, each made once for all that decide on it."""
        return Text(self.text, self.language)


class Drafts(NamedTuple):
    """An answer, itemised.

    Attributes:
        claims: Its claims in order.
        declined: It declines: as the app reports, else as its sentences say; None where the app does not report it and
            nothing here can tell, because the suite's language has no rules for it.
        itemised: The app gave the claims itself; then a claim without a citation is the app's word, not our reading.
        language: ISO 639-1 code it was read in.
        may_decline: A decline is expected, the app does not report it, and its sentences can be read either way.
        referrals: Sentences that send the reader to an address and assert nothing else.
    """

    claims: tuple[Draft, ...]
    declined: bool | None
    itemised: bool
    language: str = "en"
    may_decline: bool = False
    referrals: tuple[Draft, ...] = ()


class Reading(NamedTuple):
    """How answers are read.

    Attributes:
        patterns: Citation marker expressions.
        language: ISO 639-1 code of the answers.
        own_addresses: Addresses that answers may name without a chunk.
    """

    patterns: tuple[MarkerPattern, ...]
    language: str
    own_addresses: tuple[str, ...] = ()


def itemise(
    answer: Answer, context: ShownContext, *, known: Container[str], reading: Reading, case: Case | None = None
) -> Drafts:
    """Turn an answer into claims: the app's own itemisation where it gives one, else its prose.

    Args:
        answer: What the app said.
        context: What the model was shown.
        known: Chunk ids.
        reading: How answers are read.
        case: What was asked and is expected; None for an answer by itself.
    """
    if answer.claims:
        drafts = tuple(_as_itemised(answer.claims, context, known, reading.language))
        return Drafts(drafts, answer.abstained is True, itemised=True, language=reading.language)
    if not answer.text.strip():
        return Drafts((), answer.abstained is True, itemised=False, language=reading.language)
    from raggate_action.core.text.languages.language_rules import KNOWN
    from raggate_action.core.text.prose import Expected, read_prose  # labelled runs never need its expressions

    prose = read_prose(
        answer.text,
        context.ids,
        patterns=reading.patterns,
        known=known,
        language=reading.language,
        expected=_expected(case, context) if case is not None else Expected(is_said=_said_in(context, "")),
    )
    recognised = prose.declined if prose.declined or reading.language in KNOWN or not prose.claims else None
    return Drafts(
        _drafts_of("claim", prose.claims, reading.language),
        recognised if answer.abstained is None else answer.abstained,
        itemised=False,
        language=reading.language,
        may_decline=prose.may_decline and answer.abstained is None,
        referrals=_drafts_of("referral", prose.referrals, reading.language),
    )


def _as_itemised(
    claims: Sequence[TraceClaim], context: ShownContext, known: Container[str], language: str
) -> Iterator[Draft]:
    for number, claim in enumerate(claims, 1):
        cited = tuple(filter(None, [resolve(token, context.ids, known) for token in claim.citations]))
        claim_id = claim.claim_id or f"claim-{number}"
        phrases, point = claim.support_phrases, claim.answer_point
        yield Draft(claim_id, claim.text, None, None, cited, phrases, point, language=language)


def _drafts_of(what: str, claims: Sequence[ProseClaim], language: str) -> tuple[Draft, ...]:
    return tuple(
        [
            Draft(f"{what}-{number}", c.text, c.start, c.end, c.citations, (), None, c, language)
            for number, c in enumerate(claims, 1)
        ]
    )


def _expected(case: Case, context: ShownContext) -> Expected:
    from raggate_action.core.text.prose import Expected
    from raggate_action.core.text.quotation import find_quotation

    is_said = _said_in(context, case.user_question)
    if case.expect == "abstain":
        return Expected(case.asked, _phrases(case), is_said=is_said)
    return Expected(
        phrases=_phrases(case),
        question=case.asked,
        is_quotation=lambda text: any(find_quotation(text, chunk.quotable, after=None) for chunk in context.chunks),
        is_said=is_said,
    )


def _said_in(context: ShownContext, question: str) -> Callable[[str], bool]:
    return lambda word: word in question.lower() or any(word in chunk.folded for chunk in context.chunks)


def _phrases(case: Case) -> tuple[str, ...]:
    return tuple([folded(phrase) for point in case.points for phrase in point.said])
