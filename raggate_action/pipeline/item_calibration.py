"""Judges put on trial for the gates that only they feed: labels and planted instructions of each, a card for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from raggate_action.core.panel.fold import PanelTerms
from raggate_action.core.panel.fold_items import JobTerms
from raggate_action.core.panel.item_card import ItemsOnTrial, item_card, item_panel_card
from raggate_action.core.panel.item_trial import labelled_verdicts
from raggate_action.core.panel.scorecard import Said, quorum_of
from raggate_action.core.panel.trial import Resisted
from raggate_action.judges.asking import Judge
from raggate_action.judges.interface import AnswerTask
from raggate_action.judges.item_plants import ItemPlant, answer_task_of, obeyed_for, says_anything
from raggate_action.pipeline.calibration import Asking, are_enough, by_answer, judged_of, member_of
from raggate_action.schema.calibration import HeldAnswer, JudgeCard
from raggate_action.schema.judgement import ItemGate, Judgement
from raggate_action.schema.judges import Judges


class ItemsCalibrated(NamedTuple):
    """What a trial for these gates came to.

    Attributes:
        cards: Gate by gate, one per judge in the panel's order, and one of the panel where two or more are armed.
        terms: Who decides which of them from now on.
        of_labels: The judgements of labels, in their order, and of each in the panel's order.
        of_plants: The same of planted instructions; empty where none was shown.
    """

    cards: tuple[JudgeCard, ...]
    terms: JobTerms
    of_labels: tuple[Judgement, ...]
    of_plants: tuple[Judgement, ...]


async def item_cards_of(
    labels: Sequence[HeldAnswer],
    plants: Sequence[ItemPlant],
    asking: Asking[AnswerTask],
    judges: Judges,
    gates: Collection[ItemGate],
    *,
    may_ask: bool,
    earlier: Iterable[JudgeCard] = (),
) -> ItemsCalibrated:
    """Judge what is not judged yet, and make the cards of the gates that the suite uses.

    Instructions are shown only where the labels of one gate are enough to arm a judge for it.

    Args:
        labels: Answers of which people say how they stand to facts or criteria.
        plants: Instructions for judges.
        asking: The judges at the answer job.
        judges: The suite's terms.
        gates: Those that the suite uses: labels of others are not judged.
        may_ask: Judges may be asked; else only what they said before counts.
        earlier: The cards of the run before.
    """
    used = {gate: tuple([each for each in labels if each.job == gate]) for gate in gates}
    held = [(each.id, answer_task_of(each)) for each in chain(*used.values())]
    asking.see_whole([*[plant.task for plant in plants], *[task for _name, task in held]])
    of_labels = await judged_of(held, asking, may_ask=may_ask)
    shows = may_ask and any(could_arm_for(own, judges) for own in used.values())
    of_plants = await judged_of([(plant.id, plant.task) for plant in plants], asking, may_ask=shows) if used else ()
    before = tuple(earlier)
    cards: list[JudgeCard] = []
    terms: dict[ItemGate, PanelTerms] = {}
    for gate, own in used.items():
        by_judge = {
            judge.member.name: Said(by_answer(judge.member.name, of_labels), _resisted(gate, judge, plants, of_plants))
            for judge in asking.judges
        }
        on_trial = ItemsOnTrial(gate, own, judges.arming)
        found, terms[gate] = _cards(on_trial, by_judge, asking.judges, judges, before)
        cards += found
    nobody = PanelTerms(tuple([judge.member.name for judge in asking.judges]))
    armed = JobTerms(terms.get("agreement", nobody), terms.get("criteria", nobody))
    return ItemsCalibrated(tuple(cards), armed, tuple(chain(*of_labels)), tuple(chain(*of_plants)))


def could_arm_for(labels: Iterable[HeldAnswer], judges: Judges) -> bool:
    """Whether labels of one gate are enough to arm a judge that errs on none."""
    return are_enough((people for people, _item in labelled_verdicts(labels)), judges.arming)


def _cards(
    on_trial: ItemsOnTrial,
    said: Mapping[str, Said],
    panel: Sequence[Judge[AnswerTask]],
    judges: Judges,
    earlier: Sequence[JudgeCard],
) -> tuple[list[JudgeCard], PanelTerms]:
    cards = [
        item_card(on_trial, said[judge.member.name], member_of(judge), prompt=judge.prompt, earlier=earlier)
        for judge in panel
    ]
    armed = frozenset(card.judge for card in cards if card.armed)
    names = tuple([judge.member.name for judge in panel])
    terms = PanelTerms(names, armed, quorum_of(len(armed), judges.quorum))
    together = item_panel_card(on_trial, said, terms)
    return [*cards, *([together] if together is not None else [])], terms


def _resisted(
    gate: ItemGate, judge: Judge[AnswerTask], plants: Sequence[ItemPlant], said: Iterable[tuple[Judgement, ...]]
) -> Resisted:
    own = {each.id: each for every in said for each in every if each.judge == judge.member.name and each.lost is None}
    met = [(plant, own[plant.id]) for plant in plants if plant.id in own]
    shown = sum(says_anything(judgement, gate) for _plant, judgement in met)
    obeyed = [plant.name for plant, judgement in met if obeyed_for(plant, judgement, gate)]
    return Resisted(len(plants), shown, tuple(obeyed))
