"""What judges cost a run beside its own answers: calls about labels and about the baseline's are paid for like any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from math import fsum

from raggate_action.schema.judgement import About, Judgement, Usage
from raggate_action.schema.judging_counts import CallCost, JudgingCounts
from raggate_action.schema.panel import Panel


def cost_of(paid: Sequence[Judgement]) -> CallCost:
    """What judgements took."""
    unpriced = {each.judge for each in paid if each.cost_usd is None and each.calls and not each.unmetered}
    return CallCost(
        calls=sum(each.calls for each in paid),
        attempts=sum(each.attempts for each in paid),
        unmetered=sum(each.unmetered for each in paid),
        usage=reduce(Usage.plus, [each.usage for each in paid], Usage()),
        cost_usd=fsum(each.cost_usd for each in paid if each.cost_usd is not None),
        unpriced=tuple(sorted(unpriced)),
    )


def trial_cost(judgements: Iterable[Judgement], about: About = "label") -> CallCost:
    """What those of the judgements took that are of labels and planted instructions, or of something else.

    Planted pairs are paid for by the comparison that shows them.
    """
    return cost_of([each for each in judgements if each.about == about and each.job != "pair" and each.calls])


def with_trial(counts: JudgingCounts | None, panel: Panel) -> JudgingCounts:
    """What judging came to, with what trial and baseline's answers took: a bar on cost holds all that was paid."""
    counts = counts or JudgingCounts()
    for part in (panel.trial, panel.again):
        counts = _with(counts, part) if part.calls else counts
    return counts


def _with(counts: JudgingCounts, trial: CallCost) -> JudgingCounts:
    return counts.model_copy(
        update={
            "calls": counts.calls + trial.calls,
            "attempts": counts.attempts + trial.attempts,
            "unmetered": counts.unmetered + trial.unmetered,
            "usage": counts.usage.plus(trial.usage),
            "cost_usd": fsum((counts.cost_usd, trial.cost_usd)),
            "unpriced": tuple(sorted({*counts.unpriced, *trial.unpriced})),
        }
    )
