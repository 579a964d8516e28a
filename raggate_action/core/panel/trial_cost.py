"""What putting judges on trial cost a run: calls about labels are paid for like any other."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from raggate_action.schema.judgement import Judgement, Usage
from raggate_action.schema.panel import JudgingCounts, Panel, TrialCost


def trial_cost(judgements: Iterable[Judgement]) -> TrialCost:
    """What the judgements of labels and planted instructions among these took."""
    asked = [each for each in judgements if each.about == "label" and each.calls]
    return TrialCost(
        calls=sum(each.calls for each in asked),
        usage=_sum([each.usage for each in asked]),
        cost_usd=fsum(each.cost_usd for each in asked if each.cost_usd is not None),
        unpriced=tuple(sorted({each.judge for each in asked if each.cost_usd is None})),
    )


def with_trial(counts: JudgingCounts, panel: Panel | None) -> JudgingCounts:
    """What judging came to, with what the trial took: a bar on cost holds all that was paid."""
    if panel is None or not panel.trial.calls:
        return counts
    trial = panel.trial
    return counts.model_copy(
        update={
            "calls": counts.calls + trial.calls,
            "usage": _sum([counts.usage, trial.usage]),
            "cost_usd": fsum((counts.cost_usd, trial.cost_usd)),
            "unpriced": tuple(sorted({*counts.unpriced, *trial.unpriced})),
        }
    )


def _sum(parts: Iterable[Usage]) -> Usage:
    found = list(parts)
    return Usage(
        input=sum(each.input for each in found),
        cached=sum(each.cached for each in found),
        output=sum(each.output for each in found),
    )
