"""A baseline that another version of raggate judged, judged again by our rules: an upgrade is no change of the app."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from raggate_action.core.comparison.baseline_index import PastAnswers
from raggate_action.core.gates.case_row import Evaluated, evaluate_reply
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, draft
from raggate_action.isolation.time_limit import TimeLimitError, within
from raggate_action.run.internal_errors import guarded
from raggate_action.run.run_session import rulebook
from raggate_action.run_store import StoredTrace
from raggate_action.schema.base import digest_of_text, parse_moment
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Failed, Passed
from raggate_action.schema.run import Policy, Run
from raggate_action.schema.trace import Answered, NoTrace
from raggate_action.suite_files import LoadedSuite

# As for the answers of a run.
_CASE_S = 10.0
_LEFT = "could not be judged again as it was on the baseline"


class JudgedAgain:
    """The rows of a stored run as our rules judge its traces, the run's own gates in force.

    Attributes:
        judged: How many were judged again, once all have been read.
        left: Cases that could not be, by id: their rows are as they were stored, and are not to be compared.
    """

    def __init__(
        self,
        run: Run,
        stored: Iterable[tuple[CaseRun, StoredTrace | None]],
        loaded: LoadedSuite | None,
        by_panel: PastAnswers | None = None,
    ) -> None:
        """Prepare.

        Args:
            run: The run.
            stored: Its rows, each with its trace where there is one; read once.
            loaded: The suite of today; None where it is not at hand, so that nothing can be judged again.
            by_panel: What judges have judged again of it already.
        """
        self.judged = 0
        self.left: set[str] = set()
        self._run, self._stored, self._loaded = run, stored, loaded
        self._by_panel = by_panel or PastAnswers()

    def rows(self) -> Iterator[CaseRun]:
        """Every row, in the stored order; read once.

        Raises:
            RunStoreError: As `rows_of`.
        """
        cases = {placed.case.case_id: placed for placed in self._loaded.cases} if self._loaded is not None else {}
        rules = self._rules() if self._loaded is not None else None
        for row, own in self._stored:
            if (again := self._by_panel.rows.get(row.case_id)) is not None:
                self.judged += 1
                yield again
            else:
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
        then = self._run.provenance.evidence_digest
        if placed and stored and rules and is_at_hand(row, stored, then=then, store=rules.store):
            again = _judged(placed, row, stored, rules)
        if again is None or (_inadmissible(row) and not _inadmissible(again)):
            self.left.add(row.case_id)
            return row
        self.judged += 1
        return again

    def _rules(self) -> Rulebook | None:
        return rules_then(self._loaded, self._run.policy, self._run.as_of) if self._loaded is not None else None


def rules_then(loaded: LoadedSuite, policy: Policy, as_of: str) -> Rulebook:
    """What a stored run is judged by again: the rules of today, its own gates in force, at its own moment."""
    rules = rulebook(loaded, parse_moment(as_of))
    return rules._replace(gates=policy.gates, slices_by=policy.slices.cut_by)


def is_at_hand(row: CaseRun, stored: StoredTrace, *, then: str | None, store: EvidenceStore | None) -> bool:
    """Whether the answer and every text it was built from are there as they were then.

    Args:
        row: The stored row.
        stored: Its trace.
        then: Digest of the evidence then; None without any.
        store: The evidence of today.
    """
    if stored.withheld or stored.trace.error is not None:
        return False
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


def drafted_again(
    case: Case, row: CaseRun, stored: StoredTrace, rules: Rulebook, *, then: str | None
) -> Drafted | None:
    """A stored answer drafted as it was; None where it, or a text it was built from, is not at hand.

    Args:
        case: The case.
        row: The stored row.
        stored: Its trace.
        rules: What it is judged by today.
        then: Digest of the evidence then; None without any.
    """
    if not is_at_hand(row, stored, then=then, store=rules.store):
        return None
    # A stored trace has labels only where they counted.
    answered = Answered(stored.trace, row.latency_ms, labelled=True)
    try:
        drafted = guarded(
            row.case_id, lambda: within(_CASE_S, lambda: draft(case, answered, rules)), _not_again, what=_LEFT
        )
    except TimeLimitError:
        return None
    if not isinstance(drafted, Drafted):
        return None
    reply = drafted.traced.reply
    text = reply.text or "\n".join(claim.text for claim in reply.claims or ())
    return drafted if digest_of_text(text) == row.answer_digest else None


def _not_again(_fault: NoTrace) -> None:
    """The baseline's answer is not judged again, and so not compared."""


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

    def judged() -> Evaluated:
        return evaluate_reply(placed, reply, rules, custom=None, finished_at=row.finished_at)

    try:
        evaluated = guarded(row.case_id, lambda: within(_CASE_S, judged), _not_again, what=_LEFT)
    except TimeLimitError:
        return None
    if evaluated is None:
        return None
    found = evaluated.row
    answered = found.outcomes.get("target")
    return found if answered is None or isinstance(answered, Passed) or placed.case.trace is not None else None
