"""A baseline that another version of raggate judged, judged again by our rules: an upgrade is no change of the app."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.core.gates.diagnose import Rulebook
from raggate_action.core.gates.row import evaluate_reply
from raggate_action.errors import RunStoreError
from raggate_action.pipeline.session import rulebook
from raggate_action.run_store import RunSource, StoredTrace, read_traces, rows_of
from raggate_action.schema.base import parse_moment
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import Failed, Passed
from raggate_action.schema.run import Run
from raggate_action.schema.trace import Answered
from raggate_action.suite_files import LoadedSuite
from raggate_action.time_limit import TimeLimitError, within

# As for the answers of a run.
_CASE_S = 10.0


class JudgedAgain:
    """The rows of a stored run as our rules judge its traces, the run's own gates in force.

    Attributes:
        judged: How many were judged again, once all have been read.
        left: Cases that could not be, by id: their rows are as they were stored, and are not to be compared.
    """

    def __init__(self, source: RunSource, run: Run, loaded: LoadedSuite | None) -> None:
        """Prepare.

        Args:
            source: Where the run is stored.
            run: The run.
            loaded: The suite of today; None where it is not at hand, so that nothing can be judged again.
        """
        self.judged = 0
        self.left: set[str] = set()
        self._source, self._run, self._loaded = source, run, loaded

    def rows(self) -> Iterator[CaseRun]:
        """Every row, in the stored order; read once.

        Raises:
            RunStoreError: As `rows_of`.
        """
        traces = self._traces()
        trace = next(traces, None)
        cases = {placed.case.case_id: placed for placed in self._loaded.cases} if self._loaded is not None else {}
        rules = self._rules() if self._loaded is not None else None
        for row in rows_of(self._source, self._run):
            own = trace
            if own is not None and own.case_id == row.case_id:
                trace = next(traces, None)
            else:
                own = None
            yield self._row(row, cases.get(row.case_id), own, rules)

    def _row(
        self, row: CaseRun, placed: PlacedCase | None, stored: StoredTrace | None, rules: Rulebook | None
    ) -> CaseRun:
        if _needs_no_rules(row):
            return row
        if placed is not None and placed.digest != row.digest:
            # The case itself has changed, so it is not compared anyway.
            return row
        again = None
        if placed is not None and stored is not None and rules is not None and self._is_at_hand(row, stored, rules):
            again = _judged(placed, row, stored, rules)
        if again is None or (_inadmissible(row) and not _inadmissible(again)):
            self.left.add(row.case_id)
            return row
        self.judged += 1
        return again

    def _traces(self) -> Iterator[StoredTrace]:
        """The stored traces as far as they can be read: without them nothing is judged again."""
        try:
            yield from read_traces(self._source)
        except RunStoreError:
            return

    def _rules(self) -> Rulebook | None:
        if self._loaded is None:
            return None
        policy = self._run.policy
        rules = rulebook(self._loaded, parse_moment(self._run.as_of))
        return rules._replace(gates=policy.gates, slices_by=policy.slices.cut_by)

    def _is_at_hand(self, row: CaseRun, stored: StoredTrace, rules: Rulebook) -> bool:
        """Whether the answer and every text it was built from are there as they were then."""
        if stored.withheld or stored.trace.error is not None:
            return False
        then = self._run.provenance.evidence_digest
        store = rules.store
        if store is not None and then == store.digest:
            return True
        chunks = stored.trace.context_chunks
        if store is None or then is None:
            return store is None and then is None and all(chunk.text is not None for chunk in chunks)
        versions = dict(zip(row.context, row.context_versions, strict=False))
        return all(
            bool(version := versions.get(chunk.chunk_id))
            and (known := store.get(chunk.chunk_id)) is not None
            and known.version == version
            for chunk in chunks
        )


def _needs_no_rules(row: CaseRun) -> bool:
    """A case without an answer stands as it was; a known-bad one is not compared."""
    target = row.outcomes.get("target")
    return row.kind == "known_bad" or (target is not None and target.kind in {"failed", "unmeasured"})


def _inadmissible(row: CaseRun) -> bool:
    return isinstance(row.outcomes.get("admissibility"), Failed)


def _judged(placed: PlacedCase, row: CaseRun, stored: StoredTrace, rules: Rulebook) -> CaseRun | None:
    """The row by our rules; None where somebody else's word is needed, or it takes too long.

    A stored trace has labels only where they counted.
    """
    if placed.case.custom_check is not None:
        return None
    reply = Answered(stored.trace, row.latency_ms, labelled=True)
    try:
        evaluated = within(
            _CASE_S, lambda: evaluate_reply(placed, reply, rules, custom=None, finished_at=row.finished_at)
        )
    except TimeLimitError:
        return None
    found = evaluated.row
    answered = found.outcomes.get("target")
    return found if answered is None or isinstance(answered, Passed) or placed.case.trace is not None else None
