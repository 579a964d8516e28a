"""The rate of faulty claims of a run, as far as the errors of its panel on people's labels let it be known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import sqrt
from statistics import NormalDist

from raggate_action.core.counting.judged_claims import JudgedClaims
from raggate_action.core.judging.agreement_with_labels import confusion_table
from raggate_action.core.judging.scorecard_and_arming import PANEL
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.schema.base import Rate, digest_of_text, rate_of
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
    return None if card is None else rogan_gladen(claims.faulty, confusion_table(card.confusion))


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
    drawn = ConfusionTable(sides[False, False], sides[False, True], sides[True, False], sides[True, True])
    return ppi(drawn, rate_of(found.faulty_others, found.others))


# Sensitivity and specificity less one: a judge below it sees hardly more than one who guesses.
LEAST_YOUDEN = 0.3
# Of right and of faulty claims each, to know a judge's errors by.
LEAST_LABELS_EACH = 20
# Labels of a run's own claims, drawn at random, from which their interval holds roughly what it promises.
LEAST_DRAWN = 50
_Z = NormalDist().inv_cdf(0.975)


def rogan_gladen(observed: Rate, errors: ConfusionTable) -> Corrected | None:
    """The rate of faulty claims by what a judge says of many claims and by its errors on labelled ones.

    The interval holds the chance in the claims judged and in the labels: the delta method, on counts to which a few
    trials are added (Lang and Reiczigel). Without these a judge that never erred on twenty labels would pass for one
    that never errs.

    Args:
        observed: Claims the judge calls faulty, of all it judged.
        errors: People first, the judge second, over the labelled claims.

    Returns:
        None where it says nothing: no claim was judged, fewer than 20 labels of right or of faulty claims, or a
        judge that hardly tells them apart (sensitivity plus specificity below 1.3).
    """
    if not observed.total or min(errors.good, errors.faulty) < LEAST_LABELS_EACH:
        return None
    sensitivity, specificity = errors.both_faulty / errors.faulty, errors.both_good / errors.good
    if _youden(sensitivity, specificity) < LEAST_YOUDEN:
        return None
    value = _clipped(_true_rate(observed.value, sensitivity, specificity))
    low, high = _delta_interval(observed, errors)
    return Corrected(method="rogan-gladen", value=value, low=min(low, value), high=max(high, value), observed=observed)


def _youden(sensitivity: float, specificity: float) -> float:
    return sensitivity + specificity - 1


def _true_rate(observed: float, sensitivity: float, specificity: float) -> float:
    return (observed + specificity - 1) / _youden(sensitivity, specificity)


def _delta_interval(observed: Rate, errors: ConfusionTable) -> tuple[float, float]:
    n, right, faulty = observed.total + _Z**2, errors.good + 2, errors.faulty + 2
    p = (observed.hits + _Z**2 / 2) / n
    sensitivity, specificity = (errors.both_faulty + 1) / faulty, (errors.both_good + 1) / right
    value = _true_rate(p, sensitivity, specificity)
    of_specificity = specificity * (1 - specificity) / right
    of_sensitivity = sensitivity * (1 - sensitivity) / faulty
    shift = 2 * _Z**2 * (value * of_sensitivity - (1 - value) * of_specificity)
    variance = p * (1 - p) / n + (1 - value) ** 2 * of_specificity + value**2 * of_sensitivity
    half = _Z * sqrt(variance) / _youden(sensitivity, specificity)
    return _clipped(value + shift - half), _clipped(value + shift + half)


def ppi(drawn: ConfusionTable, others: Rate) -> Corrected | None:
    """The rate of faulty claims of one run, some of whose claims, drawn at random, people have labelled (PPI++).

    Unlike `rogan_gladen` it takes nothing for granted of a judge that changed meanwhile, or of claims of another kind.

    Args:
        drawn: People first, the judge second, over the claims drawn.
        others: Claims the judge calls faulty, of all others of the run.

    Returns:
        None where it says nothing: fewer than 50 labels, no other claim, or labels without a single fault, or without
        a single right claim.
    """
    n, unlabelled = drawn.total, others.total
    if n < LEAST_DRAWN or not unlabelled or not (drawn.good and drawn.faulty):
        return None
    people, judge = drawn.faulty / n, drawn.second_says_faulty / n
    everywhere = (drawn.second_says_faulty + others.hits) / (n + unlabelled)
    together = drawn.both_faulty / n - people * judge
    spread = everywhere * (1 - everywhere) * (n + unlabelled) / (n + unlabelled - 1)
    weight = _clipped(together / ((1 + n / unlabelled) * spread)) if spread else 0.0
    value = people + weight * (others.value - judge)
    # Of people's word less the judge's weighted one, over the claims drawn.
    remaining = people * (1 - people) + weight**2 * judge * (1 - judge) - 2 * weight * together
    variance = remaining / n + weight**2 * others.value * (1 - others.value) / unlabelled
    half = _Z * sqrt(max(0.0, variance))
    observed = Rate(hits=drawn.second_says_faulty + others.hits, total=n + unlabelled)
    return Corrected(
        method="ppi", value=_clipped(value), low=_clipped(value - half), high=_clipped(value + half), observed=observed
    )


def _clipped(share: float) -> float:
    return min(1.0, max(0.0, share))
