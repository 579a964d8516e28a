"""How a row came out, asked alike of the baseline's rows and of the head's."""

from __future__ import annotations

from raggate_action.schema.case_run import CaseRun


def was_answered(row: CaseRun) -> bool:
    """Whether the target gave an answer, or did not have to."""
    target = row.outcomes.get("target")
    return target is None or target.kind in {"passed", "not_applicable"}


def was_run(row: CaseRun) -> bool:
    """Whether the case was run: with an answer, or an error of the app."""
    target = row.outcomes.get("target")
    return target is None or target.kind != "unmeasured"


def hundredths(score: float | None) -> int | None:
    """A score as a whole number, so that sums are exact; None for None."""
    return None if score is None else round(score * 100)


def says_nothing(row: CaseRun) -> bool:
    """Whether the answer is known to be empty, or to decline where an answer was expected."""
    answer = row.outcomes.get("answered")
    return answer is not None and answer.kind == "failed"
