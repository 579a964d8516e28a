"""A run's rows, counted and compared as they finish, both ways that citations may count until the last one tells."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.citation_faults import citation_faults
from raggate_action.core.comparison.comparer import Comparer
from raggate_action.core.comparison.moved_hallucinations import under_known_keys
from raggate_action.core.counting.citing import CitingTally
from raggate_action.core.counting.facts import NAMED_AT_MOST, Facts
from raggate_action.core.counting.heaviest import Heaviest
from raggate_action.core.counting.tally import Tally
from raggate_action.core.gates.held_to_citing import held_to_the_past, not_held, stopped_citing
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.run import CitationsCount, Citing, Policy, SuiteCase


class _Way:
    """One way to count: a tally, and a comparison where there is a baseline."""

    def __init__(self, policy: Policy, *, decided_on: date, baseline: BaselineIndex | None) -> None:
        self.tally = Tally(policy, decided_on=decided_on)
        self.comparer = Comparer(baseline, policy, decided_on=decided_on) if baseline is not None else None

    def add(self, row: CaseRun) -> None:
        self.tally.add(row)
        if self.comparer is not None:
            self.comparer.add(row)


class Count:
    """Counts a run's rows as they finish, and holds them against a baseline where there is one.

    Whether at least half of the answers cite is known at the end alone. Where they do, citations count as each row
    says. Where they do not, those given of an answer's own accord do not count; and where the baseline's answers did,
    an answer without a citation fails if the baseline's had one. So rows are counted both ways.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        decided_on: date,
        baseline: BaselineIndex | None,
        compared: Comparison | None = None,
        app_cites: bool | None = None,
    ) -> None:
        """Start from nothing.

        Args:
            policy: What the run is judged by.
            decided_on: The day that decides which waivers hold.
            baseline: What to compare with.
            compared: A comparison with a baseline that is not at hand any more.
            app_cites: Whether the app cites, where another run has found out.
        """
        self._gates = policy.gates
        self._baseline = baseline
        self._told = app_cites
        self._before = _cited_before(baseline, compared)
        self._stopped_then = frozenset(compared.stopped_citing) if compared is not None else frozenset()
        self._citing = CitingTally()
        self._as_judged = _Way(policy, decided_on=decided_on, baseline=baseline)
        # A suite that declares citations has one way.
        self._otherwise = None if policy.citations else _Way(policy, decided_on=decided_on, baseline=baseline)
        self._stopped: list[str] = []
        self._astray: Heaviest[str] = Heaviest(NAMED_AT_MOST)

    def known(self, row: CaseRun) -> CaseRun:
        """The row as it is counted and kept: what the baseline's answer had wrong too under the baseline's key."""
        return row if self._baseline is None else under_known_keys(row, self._baseline.cases.get(row.case_id))

    def add(self, row: CaseRun) -> None:
        """One more case."""
        row = self.known(row)
        self._citing.add(row)
        self._as_judged.add(row)
        if self._otherwise is not None:
            self._otherwise.add(self._counted_otherwise(row))

    def _counted_otherwise(self, row: CaseRun) -> CaseRun:
        if not (self._before if self._told is None else self._told):
            if row.kind != "known_bad" and citation_faults(row):
                self._astray.offer(row.weight, row.position, row.case_id)
            return not_held(row, self._gates)
        if stopped_citing(row) and self._cited(row):
            self._stopped.append(row.case_id)
            return held_to_the_past(row, self._gates)
        return row

    def _cited(self, row: CaseRun) -> bool:
        """Whether the baseline's answer to the same case cited."""
        past = self._baseline.cases.get(row.case_id) if self._baseline is not None else None
        return row.case_id in self._stopped_then or (past is not None and past.cites and past.digest == row.digest)

    def counted(self, suite_cases: Iterable[SuiteCase]) -> tuple[Facts, Comparison | None]:
        """What was counted, and what moved against the baseline."""
        cases = tuple(suite_cases)
        citing = self._found(partial=any(not in_scope for _id, _digest, in_scope in cases))
        way = self._as_judged if citing.counted == "as-judged" or self._otherwise is None else self._otherwise
        facts = way.tally.facts()._replace(citing=citing)
        if way.comparer is None:
            return facts, None
        comparison = way.comparer.comparison(cases, facts)
        stopped = tuple(sorted(self._stopped)) if citing.counted == "stopped" else ()
        return facts, comparison.model_copy(update={"stopped_citing": stopped, "baseline_cites": bool(self._before)})

    def _found(self, *, partial: bool) -> Citing:
        """Whether the app cites; a part of a suite takes what the whole was found to do."""
        own = self._citing.app_cites
        found = self._before if partial and self._told is None else self._told
        counted: CitationsCount = "as-judged"
        if self._otherwise is not None and not (own and found is not False):
            counted = "stopped" if (self._before if self._told is None else self._told) else "not-held"
        astray = self._astray if counted == "not-held" else Heaviest[str](0)
        return Citing(
            answers=self._citing.answers,
            citing=self._citing.citing,
            app_cites=own if found is None else found,
            baseline_cites=self._before,
            counted=counted,
            astray=astray.offered,
            named=astray.ranked,
        )


def _cited_before(baseline: BaselineIndex | None, compared: Comparison | None) -> bool | None:
    if baseline is not None:
        return baseline.app_cites
    return compared.baseline_cites if compared is not None else None
