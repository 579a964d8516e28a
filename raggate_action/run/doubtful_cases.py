"""The cases of one run whose first answer is in doubt, until they have been asked again."""

from __future__ import annotations

from collections.abc import Callable

from raggate_action.core.comparison.confirmation_asks import Confirmation, Severity
from raggate_action.core.comparison.scope_selection import draw
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun


class DoubtfulCases:
    """Says which cases have to wait, and which of those are asked again. Of each it keeps its place and how bad it is.

    Attributes:
        confirmation: What an answer is held against.
        times: How often a case is asked again at most.
        tell: Shows a line while the run goes on.
    """

    def __init__(
        self, confirmation: Confirmation, *, times: int, most: int, tell: Callable[[str], object], seed: int = 0
    ) -> None:
        """Nothing has been answered yet.

        Args:
            confirmation: What an answer is held against.
            times: How often a case is asked again at most.
            most: How many cases are.
            tell: Shows a line while the run goes on.
            seed: Draws those that stand for others which are not asked.
        """
        self.confirmation = confirmation
        self.times = times
        self.tell = tell
        self._most = most
        self._seed = seed
        # The lots of the cases that lost a source: what a few of these show stands for the rest.
        self._drawn: dict[int, int] = {}
        self._held: dict[int, Severity] = {}
        self._app_answers = False

    def finished(self, row: CaseRun) -> None:
        """A case had its row when the run was resumed; what was asked again then counts."""
        self._note(row)
        self._most -= bool(row.asks)

    def holds(self, placed: PlacedCase, row: CaseRun) -> bool:
        """Whether a case waits to be asked again; asked once of every first answer. A trace in the suite never does."""
        self._note(row)
        if placed.case.trace is not None or not self.confirmation.is_doubtful(row):
            return False
        self._held[placed.position] = self.confirmation.severity(row)
        if self.confirmation.loses_source(row):
            self._drawn[placed.position] = draw(self._seed, row.case_id)
        return True

    def positions(self) -> tuple[int, ...]:
        """The cases that wait, in suite order."""
        return tuple(sorted(self._held))

    def worst(self, begun: frozenset[int]) -> tuple[int, ...]:
        """Those that are asked again: what an earlier process began with, then the worst; none of a silent app.

        Of those that lost a source as many are drawn as would be among the worst.

        Args:
            begun: Cases that have been asked again before the run was resumed.
        """
        if not self._app_answers:
            return ()
        ranked = sorted(self._held, key=lambda position: (position not in begun, self._held[position]))
        chosen = ranked[: max(0, self._most)]
        drawn = iter(sorted(self._drawn, key=lambda position: (position not in begun, self._drawn[position])))
        return tuple([next(drawn) if position in self._drawn else position for position in chosen])

    def release(self, position: int) -> None:
        """A case waits no more; nothing happens where it did not."""
        self._held.pop(position, None)
        self._drawn.pop(position, None)

    def _note(self, row: CaseRun) -> None:
        target = row.outcomes.get("target")
        self._app_answers = self._app_answers or (target is not None and target.kind == "passed")
