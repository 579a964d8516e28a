"""Whether traces and evidence store speak of the same chunks at all."""

from __future__ import annotations

from raggate_action.core.counting.run_totals import StrangeIds
from raggate_action.schema.case_run import CaseRun

# One trace alone may have made an id up.
_FEWEST_TRACES = 2


class IdTally:
    """Counts the chunk ids that the target's traces name."""

    def __init__(self) -> None:
        self._known = self._unknown = self._traces = 0
        self._first = ""
        self._place = -1

    def add(self, row: CaseRun) -> None:
        """Count one ordinary case; a trace written into the suite says nothing of the target's ids."""
        target = row.outcomes.get("target")
        if target is None or target.kind != "passed":
            return
        self._known += row.known_ids
        self._unknown += row.unknown_ids
        self._traces += bool(row.unknown_ids)
        if row.unknown_ids and row.context and (self._place < 0 or row.position < self._place):
            self._first, self._place = row.context[0], row.position

    @property
    def strange(self) -> StrangeIds | None:
        """The ids, where the store knows none of them."""
        if self._known or self._traces < _FEWEST_TRACES:
            return None
        return StrangeIds(self._unknown, self._traces, self._first)
