"""Values that many answers of a run give though nothing shown holds them: the app's own words, whatever was asked."""

from __future__ import annotations

from collections import Counter

from raggate_action.core.counting.case_state import is_value
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import Failed

# So many answers that give one and the same value are boilerplate.
_MANY = 5


class CommonValues:
    """Counts the answers that give each value; no result depends on their order.

    Whether a value is the app's own shows when every first answer has come, so a case that fails for one waits until
    then.

    Attributes:
        waiting: Positions of those cases.
    """

    def __init__(self) -> None:
        self.waiting: list[int] = []
        self._answers: Counter[str] = Counter()
        self._keys: frozenset[str] | None = None

    def add(self, row: CaseRun) -> None:
        """Count a first answer."""
        for claim in row.claims:
            if claim.findings:
                self._answers.update({finding.key for finding in claim.findings if is_value(finding)})

    def holds(self, placed: PlacedCase, row: CaseRun) -> bool:
        """Count a first answer, and say whether its case waits. A trace in the suite is no answer of the app."""
        if self._keys is not None or placed.case.trace is not None:
            return False
        self.add(row)
        outcome = row.outcomes.get("faithfulness")
        fails = isinstance(outcome, Failed) and any(each.code == "value-not-shown" for each in outcome.problems)
        if fails:
            self.waiting.append(placed.position)
        return fails

    def keys(self) -> frozenset[str]:
        """Keys of the findings on what many answers give: every first answer has come."""
        self._keys = frozenset([key for key, answers in self._answers.items() if answers >= _MANY])
        return self._keys
