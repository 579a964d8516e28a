"""The card of a judge at one of the gates that only judges feed: each is armed for each by labels of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from raggate_action.core.panel.fold import PanelTerms
from raggate_action.core.panel.fold_items import JobTerms
from raggate_action.core.panel.item_trial import digest_of_held, tried_items
from raggate_action.core.panel.items import ITEM_GATES
from raggate_action.core.panel.scorecard import PANEL, Said, bound_card, computed_card, terms_under
from raggate_action.core.panel.trial import Resisted
from raggate_action.schema.calibration import HeldAnswer, JudgeCard
from raggate_action.schema.judgement import ItemGate
from raggate_action.schema.judges import Arming
from raggate_action.schema.panel import PanelMember, PanelRules


class ItemsOnTrial(NamedTuple):
    """What judges are held against at one gate.

    Attributes:
        gate: The gate.
        labels: Answers of which people say how they stand to its facts or criteria, and to no others.
        arming: From when on a judge counts.
    """

    gate: ItemGate
    labels: tuple[HeldAnswer, ...]
    arming: Arming


def item_card(
    on_trial: ItemsOnTrial, said: Said, member: PanelMember, *, prompt: str, earlier: Iterable[JudgeCard] = ()
) -> JudgeCard:
    """The card of one judge at one gate.

    Args:
        on_trial: What it is held against.
        said: Its judgements, all of today's judge and prompt.
        member: Which judge.
        prompt: Digest of its prompt.
        earlier: Cards of the run before; the one of this judge at this gate with this prompt shows how far it drifted.
    """
    terms = PanelTerms(members=(member.name,), armed=frozenset({member.name}))
    return bound_card(_card(on_trial, [said], terms, said.planted), member, prompt=prompt, earlier=earlier)


def item_panel_card(on_trial: ItemsOnTrial, said: Mapping[str, Said], terms: PanelTerms) -> JudgeCard | None:
    """The card of all judges that are armed for a gate together; None where fewer than two are."""
    armed = [said[name] for name in terms.members if name in terms.deciding]
    if len(armed) < 2:
        return None
    return _card(on_trial, armed, terms, Resisted()).model_copy(update={"judge": PANEL})


def item_terms_under(rules: PanelRules, cards: Iterable[JudgeCard], terms: JobTerms) -> JobTerms | None:
    """The terms of both gates as another suite has them, see `terms_under`; None where both decide as they do."""
    own = tuple(cards)
    agreement, criteria = (
        terms_under(rules, [card for card in own if card.job == gate], terms.of(gate)) for gate in ITEM_GATES
    )
    if agreement is None and criteria is None:
        return None
    return JobTerms(agreement or terms.agreement, criteria or terms.criteria)


def _card(on_trial: ItemsOnTrial, said: Iterable[Said], terms: PanelTerms, planted: Resisted) -> JudgeCard:
    trial = tried_items(on_trial.labels, [each.labels for each in said], terms)
    card = computed_card(on_trial.arming, trial, planted, labels=digest_of_held(on_trial.labels))
    return card.model_copy(update={"job": on_trial.gate})
