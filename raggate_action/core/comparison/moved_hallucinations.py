"""Hallucinations of one case on two runs: new, fixed, persisting."""

from __future__ import annotations

from raggate_action.core.comparison.baseline_index import PastHallucination, was_answered
from raggate_action.core.counting.heaviest import Heaviest
from raggate_action.core.counting.waivers import HALLUCINATION_GATES, Standing
from raggate_action.schema.case_run import CaseRun, Hallucination
from raggate_action.schema.comparison import HallucinationMove, MovedHallucination
from raggate_action.schema.listed import LISTED_AT_MOST


class MovedHallucinations:
    """Counts moves by (case, key); a hallucination found twice in one answer counts once.

    Attributes:
        newly_hallucinating: Cases with a new one that is certain: false by label or by a conflict that leaves no other
            reading, or an answer where none was possible. Forbidden phrases have a rule of their own.
    """

    def __init__(self) -> None:
        self.newly_hallucinating: Heaviest[str] = Heaviest(LISTED_AT_MOST)
        self._new: Heaviest[MovedHallucination] = Heaviest(LISTED_AT_MOST)
        self._fixed: Heaviest[MovedHallucination] = Heaviest(LISTED_AT_MOST)
        self._persisting: Heaviest[MovedHallucination] = Heaviest(LISTED_AT_MOST)

    def add(self, row: CaseRun, standing: Standing, past: tuple[PastHallucination, ...]) -> None:
        """Compare one case of the head run with what the baseline found in it.

        A waived one is neither new nor persisting, and not fixed either. One that the head had no way to find
        (no answer, an inadmissible trace, its gate unmeasured) is not fixed either.
        """
        before = {h.key: h for h in past}
        now = {h.key: h for h in standing.hallucinations}
        for key, hallucination in now.items():
            if key in before:
                self._persisting.offer(row.weight, row.position, _moved(row, "persisting", hallucination))
            else:
                self._new.offer(row.weight, row.position, _moved(row, "new", hallucination))
        # Where the baseline's answer was false already, a rewording of it cannot be told from another falsehood.
        was_false = any(h.kind != "phrase" for h in past)
        if not was_false and any(hallucination.kind != "phrase" for hallucination in now.values()):
            self.newly_hallucinating.offer(row.weight, row.position, row.case_id)
        found = {h.key for h in row.hallucinations}
        for key, gone in before.items():
            if key not in found and _looked_for(row, gone):
                unquoted = Hallucination(kind=gone.kind, key=key, text=gone.text, chunk_id=gone.chunk_id)
                self._fixed.offer(row.weight, row.position, _moved(row, "fixed", unquoted))

    @property
    def new(self) -> int:
        """Whole count of new ones."""
        return self._new.offered

    @property
    def fixed(self) -> int:
        """Whole count of fixed ones."""
        return self._fixed.offered

    @property
    def persisting(self) -> int:
        """Whole count of those on both runs."""
        return self._persisting.offered

    @property
    def listed(self) -> tuple[MovedHallucination, ...]:
        """New, fixed, persisting, in this order, heaviest first within each; at most `LISTED_AT_MOST`."""
        return (*self._new.ranked, *self._fixed.ranked, *self._persisting.ranked)[:LISTED_AT_MOST]


def _moved(row: CaseRun, move: HallucinationMove, hallucination: Hallucination) -> MovedHallucination:
    return MovedHallucination(case_id=row.case_id, name=row.name, move=move, hallucination=hallucination)


def _looked_for(row: CaseRun, gone: PastHallucination) -> bool:
    if not was_answered(row):
        return False
    admissibility = row.outcomes.get("admissibility")
    gate = row.outcomes.get(HALLUCINATION_GATES[gone.kind])
    if admissibility is not None and admissibility.kind == "failed":
        return False
    return gate is None or gate.kind != "unmeasured"
