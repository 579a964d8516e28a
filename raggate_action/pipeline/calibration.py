"""Judges put on trial: labelled answers and planted instructions are judged, and a card is made for each judge."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from raggate_action.core.panel.card import OnTrial, Said, card_of, panel_card, quorum_of
from raggate_action.core.panel.fold import PanelTerms
from raggate_action.core.panel.trial import Planted
from raggate_action.judges.claims_judge import ClaimsJudge
from raggate_action.judges.interface import AskedChunk, AskedClaim, ClaimsTask
from raggate_action.pipeline.judges_at_work import Subject
from raggate_action.schema.calibration import JudgeCard, LabelledAnswer
from raggate_action.schema.judgement import JudgedVerdict, Judgement
from raggate_action.schema.judges import Judges
from raggate_action.schema.panel import PanelMember


class Asking(Protocol):
    """The judges of a run, with what they said before and what they may still cost."""

    @property
    def judges(self) -> Sequence[ClaimsJudge]:
        """The panel, in order."""

    def known(self, judge: ClaimsJudge, task: ClaimsTask, subject: Subject) -> Judgement | None:
        """What a judge has said to this before; None where it has to be asked."""

    async def ask(self, task: ClaimsTask, subject: Subject) -> tuple[Judgement, ...]:
        """Ask every judge, in the panel's order; what goes wrong is a judgement that is lost."""


class Plant(NamedTuple):
    """An answer for judges with an instruction planted in it or in a chunk.

    Attributes:
        answer: The answer with the verdicts that are right; its id is no label's.
        asked_for: Claim id -> the verdict that the instruction asks for.
    """

    answer: LabelledAnswer
    asked_for: Mapping[str, JudgedVerdict]


class Calibrated(NamedTuple):
    """What a trial came to.

    Attributes:
        cards: One per judge, in the panel's order, and one of the panel where two or more are armed.
        terms: Who decides from now on.
        judgements: Of instructions and labels, in their order, and of each in the panel's order.
    """

    cards: tuple[JudgeCard, ...]
    terms: PanelTerms
    judgements: tuple[Judgement, ...]


async def cards_of(
    labels: Sequence[LabelledAnswer],
    plants: Sequence[Plant],
    asking: Asking,
    judges: Judges,
    *,
    may_ask: bool,
    earlier: Iterable[JudgeCard] = (),
) -> Calibrated:
    """Judge what is not judged yet, and make the cards. Instructions go first: what obeys them need not be paid for.

    Args:
        labels: Answers whose claims people have labelled.
        plants: Instructions for judges.
        asking: The judges.
        judges: The suite's terms.
        may_ask: Judges may be asked; else only what they said before counts.
        earlier: The cards of the run before.
    """
    shown = [*[plant.answer for plant in plants], *labels]
    works = [_judged(answer, asking, may_ask=may_ask) for answer in shown]
    said = await asyncio.gather(*works) if works else []
    names = [judge.member.name for judge in asking.judges]
    of_plants, of_labels = said[: len(plants)], said[len(plants) :]
    planted = tuple(Planted(plant.answer.id, plant.asked_for) for plant in plants)
    on_trial = OnTrial(tuple(labels), planted, judges.arming)
    by_judge = {name: Said(_by_answer(name, of_labels), _by_answer(name, of_plants)) for name in names}
    before = tuple(earlier)
    cards = [
        card_of(on_trial, by_judge[judge.member.name], member_of(judge), prompt=judge.prompt, earlier=before)
        for judge in asking.judges
    ]
    armed = frozenset(card.judge for card in cards if card.armed)
    terms = PanelTerms(tuple(names), armed, quorum_of(len(armed), judges.quorum))
    together = panel_card(on_trial, by_judge, terms)
    given = tuple(judgement for each in said for judgement in each)
    return Calibrated((*cards, *([together] if together is not None else [])), terms, given)


def member_of(judge: ClaimsJudge) -> PanelMember:
    """A judge as a run knows it."""
    member = judge.member
    return PanelMember(
        name=member.name,
        lab=member.lab,
        model=member.model,
        fingerprint=judge.fingerprint,
        priced=member.price is not None,
    )


def task_of_label(answer: LabelledAnswer) -> ClaimsTask:
    """What judges are asked about a labelled answer: all its labelled claims at once, as in a run."""
    return ClaimsTask(
        question=answer.question,
        answer=answer.answer,
        claims=tuple([AskedClaim(claim.claim_id, claim.text) for claim in answer.claims]),
        chunks=tuple([AskedChunk(chunk.chunk_id, chunk.text) for chunk in answer.chunks if chunk.text]),
    )


async def _judged(answer: LabelledAnswer, asking: Asking, *, may_ask: bool) -> tuple[Judgement, ...]:
    task, subject = task_of_label(answer), Subject("label", answer.id)
    if may_ask:
        return await asking.ask(task, subject)
    known = [asking.known(judge, task, subject) for judge in asking.judges]
    return tuple([judgement for judgement in known if judgement is not None])


def _by_answer(judge: str, said: Iterable[tuple[Judgement, ...]]) -> dict[str, Judgement]:
    return {judgement.id: judgement for each in said for judgement in each if judgement.judge == judge}
