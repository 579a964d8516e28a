"""Judges put on trial: labelled answers and planted instructions are judged, and a card is made for each judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from raggate_action.core.panel.card import OnTrial, Said, card_of, panel_card, quorum_of
from raggate_action.core.panel.fold import PanelTerms
from raggate_action.core.panel.labels_missing import missing_labels
from raggate_action.core.panel.trial import Resisted, is_good
from raggate_action.core.statistics.agreement import Table
from raggate_action.judges.asking import Judge, Task
from raggate_action.judges.interface import ClaimsTask
from raggate_action.judges.plants import Plant, obeyed, task_of
from raggate_action.pipeline.gather import side_by_side
from raggate_action.pipeline.judgement_reuse import Subject
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import CardVerdict, JudgeCard, LabelledAnswer
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Arming, Judges
from raggate_action.schema.panel import DrawnLabel, PanelMember


class Asking(Protocol[Task]):
    """The judges of a run at one job, with what they said before and what they may still cost."""

    @property
    def judges(self) -> Sequence[Judge[Task]]:
        """The panel, in order."""

    def known(self, judge: Judge[Task], task: Task, subject: Subject) -> Judgement | None:
        """What a judge has said to this before; None where it has to be asked."""

    def see_whole(self, tasks: Sequence[Task]) -> None:
        """Use what is kept beside the labels only where it is of all of these."""

    async def ask(self, task: Task, subject: Subject) -> tuple[Judgement, ...]:
        """Ask every judge, in the panel's order; what goes wrong is a judgement that is lost."""


class Calibrated(NamedTuple):
    """What a trial came to.

    Attributes:
        cards: One per judge, in the panel's order, and one of the panel where two or more are armed.
        terms: Who decides from now on.
        sample: Labels drawn at random from the claims of a run.
        of_labels: The judgements of labels, in their order, and of each in the panel's order.
    """

    cards: tuple[JudgeCard, ...]
    terms: PanelTerms
    sample: tuple[DrawnLabel, ...]
    of_labels: tuple[Judgement, ...]


async def cards_of(
    labels: Sequence[LabelledAnswer],
    plants: Sequence[Plant],
    asking: Asking[ClaimsTask],
    judges: Judges,
    *,
    may_ask: bool,
    earlier: Iterable[JudgeCard] = (),
) -> Calibrated:
    """Judge what is not judged yet, and make the cards.

    Instructions are shown only where there are labels enough to arm a judge that withstands them: nothing else hangs on
    them, and they cost.

    Args:
        labels: Answers whose claims people have labelled.
        plants: Instructions for judges.
        asking: The judges.
        judges: The suite's terms.
        may_ask: Judges may be asked; else only what they said before counts.
        earlier: The cards of the run before.
    """
    trial = claims_asked([*[plant.answer for plant in plants], *labels])
    asking.see_whole([task for _name, task in trial])
    shows = may_ask and could_arm(labels, judges.arming)
    of_plants = await judged_of(claims_asked([plant.answer for plant in plants]), asking, may_ask=shows)
    of_labels = await judged_of(claims_asked(labels), asking, may_ask=may_ask)
    names = [judge.member.name for judge in asking.judges]
    on_trial = OnTrial(tuple(labels), judges.arming)
    by_judge = {name: Said(by_answer(name, of_labels), _resisted(name, plants, of_plants)) for name in names}
    before = tuple(earlier)
    cards = [
        card_of(on_trial, by_judge[judge.member.name], member_of(judge), prompt=judge.prompt, earlier=before)
        for judge in asking.judges
    ]
    armed = frozenset(card.judge for card in cards if card.armed)
    terms = PanelTerms(tuple(names), armed, quorum_of(len(armed), judges.quorum))
    together = panel_card(on_trial, by_judge, terms)
    shown = (*cards, *([together] if together is not None else []))
    return Calibrated(shown, terms, tuple(_sample(labels)), tuple(chain(*of_labels)))


def could_arm(labels: Iterable[LabelledAnswer], arming: Arming) -> bool:
    """Whether there are labels enough to arm a judge that errs on none."""
    return are_enough((claim.verdict for answer in labels for claim in answer.claims), arming)


def are_enough(verdicts: Iterable[CardVerdict], arming: Arming) -> bool:
    """The same of what people say of each thing that they labelled."""
    sides = Counter(map(is_good, verdicts))
    return not any(missing_labels(Table(both_good=sides[True], both_faulty=sides[False]), arming))


def member_of(judge: Judge[Task]) -> PanelMember:
    """A judge as a run knows it."""
    member = judge.member
    return PanelMember(
        name=member.name,
        lab=member.lab,
        model=member.model,
        fingerprint=judge.fingerprint,
        priced=member.price is not None,
    )


def _sample(labels: Iterable[LabelledAnswer]) -> Iterator[DrawnLabel]:
    for answer in labels:
        if answer.case_id is None or answer.run is None:
            continue
        for claim in answer.claims:
            if claim.drawn == "random":
                faulty = not is_good(claim.verdict)
                text = digest_of_text(claim.text)
                yield DrawnLabel(case_id=answer.case_id, answer=answer.run, claim=text, faulty=faulty)


def claims_asked(answers: Iterable[LabelledAnswer]) -> list[tuple[str, ClaimsTask]]:
    """What is asked of labelled answers, by their ids."""
    return [(answer.id, task_of(answer)) for answer in answers]


async def judged_of(
    asked: Iterable[tuple[str, Task]], asking: Asking[Task], *, may_ask: bool
) -> tuple[tuple[Judgement, ...], ...]:
    """What the judges say of labelled answers, asked side by side; where nobody may be asked, what they said before."""
    return await side_by_side([_judged(name, task, asking, may_ask=may_ask) for name, task in asked])


async def _judged(name: str, task: Task, asking: Asking[Task], *, may_ask: bool) -> tuple[Judgement, ...]:
    subject = Subject("label", name)
    if may_ask:
        return await asking.ask(task, subject)
    known = [asking.known(judge, task, subject) for judge in asking.judges]
    return tuple([judgement for judgement in known if judgement is not None])


def by_answer(judge: str, said: Iterable[tuple[Judgement, ...]]) -> dict[str, Judgement]:
    """One judge's judgements, by the answer's id."""
    return {judgement.id: judgement for each in said for judgement in each if judgement.judge == judge}


def _resisted(judge: str, plants: Sequence[Plant], said: Sequence[tuple[Judgement, ...]]) -> Resisted:
    shown, obeyed_ones = 0, []
    for plant, judgements in zip(plants, said, strict=True):
        own = next((judgement for judgement in judgements if judgement.judge == judge), None)
        if own is None or own.lost is not None:
            continue
        shown += own.declines is not None if plant.wanted_declines is not None else bool(own.votes)
        if obeyed(plant, own):
            obeyed_ones.append(plant.name)
    return Resisted(len(plants), shown, tuple(obeyed_ones))
