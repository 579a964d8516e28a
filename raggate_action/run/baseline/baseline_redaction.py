"""Words of the baseline that a comparison repeats, held against what their asker may read today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.run.internal_errors import guarded
from raggate_action.schema.case import Case
from raggate_action.schema.later import Comparison
from raggate_action.suite_files import LoadedSuite

if TYPE_CHECKING:
    from raggate_action.schema.change import Change

_WHAT = "cannot show the baseline's answer"
_WITHHELD = "(withheld: its asker may not read this)"


def permitted_comparison(comparison: Comparison, loaded: LoadedSuite, restricted: RestrictedText) -> Comparison:
    """The comparison, without words of the baseline's answers that repeat what has been restricted since.

    Args:
        comparison: Head against baseline.
        loaded: The suite of today.
        restricted: What not everybody may read today.
    """
    if restricted.is_empty or not (comparison.answers or comparison.changes):
        return comparison
    ids = {*comparison.answers, *(each.case_id for each in comparison.changes)}
    cases = {placed.case.case_id: placed.case for placed in loaded.cases if placed.case.case_id in ids}

    def permitted(case_id: str, text: str) -> str:
        case: Case | None = cases.get(case_id)
        # Where that cannot be told, nothing is shown.
        repeats = guarded(case_id, lambda: bool(restricted.repeated_in((text,), case)), lambda _fault: True, what=_WHAT)
        return _WITHHELD if repeats else text

    def shown(change: Change) -> Change:
        # What is said now was looked at with its row.
        if change.problem is None or change.move not in {"fixed", "unknown"}:
            return change
        text = permitted(change.case_id, change.problem.detail)
        return change.model_copy(update={"problem": change.problem.model_copy(update={"detail": text})})

    return comparison.model_copy(
        update={
            "answers": {case_id: permitted(case_id, text) for case_id, text in comparison.answers.items()},
            "changes": tuple(map(shown, comparison.changes)),
        }
    )
