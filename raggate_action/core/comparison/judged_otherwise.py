"""A baseline beside a run that other judges decide on: what they may have decided is not to be compared."""

from __future__ import annotations

from raggate_action.core.comparison.baseline_index import BaselineIndex, PastCase


def beside(index: BaselineIndex, judges: str) -> BaselineIndex:
    """The baseline as far as it can be compared with a run that these judges decide on.

    Judges of one run and rules alone of the other give two verdicts on one answer: neither a new fault nor a fixed one
    is told by them. A case that labels and rules decided alone stays comparable.

    Args:
        index: The baseline.
        judges: Who decides in the run, see `deciding`.
    """
    if index.judged_by is None or index.judged_by.judges == judges:
        return index
    cases = {case_id: _left(past) if past.is_judges else past for case_id, past in index.cases.items()}
    if not any(past.is_judges for past in index.cases.values()):
        return index._replace(cases=cases)
    return index._replace(cases=cases, gates=(), slices=(), statuses={})


def _left(past: PastCase) -> PastCase:
    return PastCase(past.digest, past.in_scope, is_comparable=False, flagged=past.flagged)
