"""The rate of faulty claims of a run, as far as the errors of its panel on people's labels let it be known."""

from __future__ import annotations

from raggate_action.core.statistics.agreement import Table
from raggate_action.core.statistics.corrected import rogan_gladen
from raggate_action.schema.base import rate_of
from raggate_action.schema.calibration import Corrected, JudgeCard
from raggate_action.schema.panel import JudgingCounts, Panel


def believed(panel: Panel, judging: JudgingCounts) -> Corrected | None:
    """The corrected rate over the claims that the panel decided; None where nothing can be said of it.

    Args:
        panel: The panel, with how it stood beside people's labels.
        judging: What judging came to.
    """
    card = _deciding_card(panel)
    return None if card is None else rogan_gladen(rate_of(judging.faulty, judging.decided), _errors(card))


def _deciding_card(panel: Panel) -> JudgeCard | None:
    """The card of all armed judges together, or of the one that is armed."""
    armed = panel.armed
    if len(armed) == 1:
        return next((card for card in panel.cards if card.judge == armed[0]), None)
    members = {member.name for member in panel.members}
    return next((card for card in panel.cards if card.judge not in members), None) if armed else None


def _errors(card: JudgeCard) -> Table:
    """Its labels by side, people first."""
    sides = [(people == "supported", judge == "supported", claims) for people, judge, claims in card.confusion]

    def claims(*, good: bool, called_good: bool) -> int:
        return sum(number for people, judge, number in sides if (people, judge) == (good, called_good))

    return Table(
        both_good=claims(good=True, called_good=True),
        second_faulty=claims(good=True, called_good=False),
        second_good=claims(good=False, called_good=True),
        both_faulty=claims(good=False, called_good=False),
    )
