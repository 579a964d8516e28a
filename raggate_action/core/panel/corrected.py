"""The rate of faulty claims in a run, by what the panel says and by how it errs on labelled claims."""

from __future__ import annotations

from collections import Counter

from raggate_action.core.counting.judged_claims import JudgedClaims
from raggate_action.core.panel.card import PANEL
from raggate_action.core.statistics.agreement import Table
from raggate_action.core.statistics.corrected import ppi, rogan_gladen
from raggate_action.schema.base import Rate, rate_of
from raggate_action.schema.calibration import Corrected, JudgeCard
from raggate_action.schema.panel import JudgingCounts, Panel


def with_corrected(counts: JudgingCounts, claims: JudgedClaims, panel: Panel) -> JudgingCounts:
    """The counts with the corrected rate of the claims that the panel decided, where it can be known.

    Labels drawn from this very run say most, for they take nothing for granted of claims of another run; else the
    panel's errors on the standing labels correct what it says.
    """
    return counts.model_copy(update={"corrected": _by_sample(claims, panel) or _by_card(counts.faulty, panel)})


def _by_sample(claims: JudgedClaims, panel: Panel) -> Corrected | None:
    found = claims.matched(panel.sample)
    if found.is_stale:
        return None
    sides = Counter(found.pairs)
    drawn = Table(sides[False, False], sides[False, True], sides[True, False], sides[True, True])
    return ppi(drawn, rate_of(found.faulty_others, found.others))


def _by_card(observed: Rate, panel: Panel) -> Corrected | None:
    card = _deciding(panel)
    errors = table_of(card) if card is not None else None
    return rogan_gladen(observed, errors) if errors is not None else None


def _deciding(panel: Panel) -> JudgeCard | None:
    """The card of whoever decides: of the armed judges together, or of the one that is."""
    armed = panel.armed
    name = PANEL if len(armed) > 1 else next(iter(armed), None)
    return next((card for card in panel.cards if card.judge == name), None)


def table_of(card: JudgeCard) -> Table | None:
    """What a card says of right and faulty claims, people first; None where it was held against none."""
    if card.false_block is None or card.false_pass is None:
        return None
    block, passed = card.false_block.rate, card.false_pass.rate
    return Table(block.total - block.hits, block.hits, passed.hits, passed.total - passed.hits)
