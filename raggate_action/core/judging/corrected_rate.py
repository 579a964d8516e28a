"""The rate of faulty claims of a run, as far as the errors of its panel on people's labels let it be known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from raggate_action.core.counting.judged_claims import JudgedClaims
from raggate_action.core.judging.agreement_with_labels import table_of
from raggate_action.core.judging.scorecard_and_arming import PANEL
from raggate_action.core.statistics.agreement import Table
from raggate_action.core.statistics.error_correction import ppi, rogan_gladen
from raggate_action.schema.base import digest_of_text, rate_of
from raggate_action.schema.calibration import Corrected, LabelledAnswer
from raggate_action.schema.panel import DrawnLabel, Panel


def corrected_rate(panel: Panel, claims: JudgedClaims) -> Corrected | None:
    """The corrected rate over the claims that the panel decided; None where nothing can be said of it.

    Labels drawn from this very run say most, for they take nothing for granted of claims of another run; else the
    panel's errors on the standing labels correct what it says.

    Args:
        panel: The panel, with how it stood beside people's labels.
        claims: The claims it decided.
    """
    by_sample = _by_sample(panel, claims)
    if by_sample is not None:
        return by_sample
    # The card of all armed judges together, or of the one that is armed.
    armed = panel.armed
    name = PANEL if len(armed) > 1 else next(iter(armed), None)
    card = next((card for card in panel.cards if card.judge == name), None)
    return None if card is None else rogan_gladen(claims.faulty, table_of(card.confusion))


def random_labels(labels: Iterable[LabelledAnswer]) -> Iterator[DrawnLabel]:
    """The labels that were drawn at random from the claims of a run."""
    for answer in labels:
        if answer.case_id is None or answer.run is None:
            continue
        for claim in answer.claims:
            if claim.drawn == "random" and claim.said is not None:
                faulty = claim.said != "supported"
                text = digest_of_text(claim.text)
                yield DrawnLabel(case_id=answer.case_id, answer=answer.run, claim=text, faulty=faulty)


def _by_sample(panel: Panel, claims: JudgedClaims) -> Corrected | None:
    found = claims.matches(panel.sample)
    if found.is_stale:
        return None
    sides = Counter(found.pairs)
    drawn = Table(sides[False, False], sides[False, True], sides[True, False], sides[True, True])
    return ppi(drawn, rate_of(found.faulty_others, found.others))
