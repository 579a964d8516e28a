"""Answers that a run has stored, evaluated once more: by another suite, by other judges, or by other rules.

It is the road of recorded answers. Without a lane nobody is asked, and nothing is started.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import closing

from raggate_action.core.comparison.same_judges import why_missed
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Rulebook
from raggate_action.run.ask_and_judge import evaluate
from raggate_action.run.judging_steps import Evaluation, VerdictSource
from raggate_action.run_store import StoredTrace, WorkFile
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import NotJudgedAgain
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Failed, Unmeasured
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure
from raggate_action.suite_files.cases import Cases

_NOT_KEPT = NoTrace("trace", "the answer or what it was built from was not kept")


async def evaluate_again(
    stored: Iterable[tuple[PlacedCase, CaseRun, StoredTrace | None]],
    cases: Cases,
    rules: Rulebook,
    verdicts: VerdictSource,
    take: Callable[[CaseRun, CaseRun], None],
    *,
    evidence_digest: str | None,
    lanes: int = 0,
    deadline_s: float | None = None,
) -> None:
    """Evaluate stored answers by a suite's cases, gates and reading.

    Each is judged with the evidence that it was given: by the store where that is what it was, else by the passages
    that were kept and the chunks whose version is the store's.

    Args:
        stored: Cases of the suite, each with its stored row and trace; read once.
        cases: The suite's cases.
        rules: What they are judged by.
        verdicts: Who is asked for what rules leave open.
        take: Is given each stored row with the row of the same answer as it is evaluated now.
        evidence_digest: Digest of the evidence that the stored run was judged by; None without any.
        lanes: How many answers are asked about at once; without one those have no row of which somebody has to be.
        deadline_s: Longest time in seconds; None is without end.

    Raises:
        RunStoreError: The stored run cannot be read, or a judgement cannot be written down.
    """
    is_same = rules.store is not None and rules.store.digest == evidence_digest
    answers = _StoredAnswers(stored, rules.store, take, is_same_evidence=is_same)
    with closing(WorkFile()) as waiting:
        evaluation = Evaluation(
            target=answers,
            rules=rules._replace(of_stored=True, own_evidence=not is_same),
            verdicts=verdicts,
            now=lambda: "",
            cases_at=cases.at,
            waiting=waiting,
            lanes=lanes,
            deadline_s=deadline_s,
        )
        await evaluate(answers.cases(), evaluation, answers.take)


class _StoredAnswers:
    """A stored run in place of the app; a `Target`. In memory are the rows that wait for their verdicts."""

    def __init__(
        self,
        stored: Iterable[tuple[PlacedCase, CaseRun, StoredTrace | None]],
        store: EvidenceStore | None,
        take: Callable[[CaseRun, CaseRun], None],
        *,
        is_same_evidence: bool,
    ) -> None:
        self._stored, self._store, self._take = stored, store, take
        self._is_same_evidence = is_same_evidence
        self._rows: dict[int, CaseRun] = {}
        self._reply: Reply = _NOT_KEPT

    def cases(self) -> Iterator[PlacedCase]:
        """The cases, each before its reply is asked for."""
        for placed, row, stored in self._stored:
            self._rows[placed.position] = row
            is_at_hand = self._is_same_evidence or _is_at_hand(row, stored, self._store)
            self._reply = _reply_of(row, stored) if is_at_hand else _NOT_KEPT
            yield placed

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """Each case with the reply that is stored."""
        for placed in cases:
            yield placed, self._reply

    def take(self, done: Evaluated) -> None:
        """Give a row on, as of the moment when its answer was given."""
        row = self._rows.pop(done.row.position)
        self._take(row, done.row.model_copy(update={"finished_at": row.finished_at}))


def _reply_of(row: CaseRun, stored: StoredTrace | None) -> Reply:
    """What the app replied, as far as that was kept."""
    target = row.outcomes.get("target")
    if isinstance(target, Unmeasured):
        return NoTrace(target.reason, target.detail) if target.reason in {"trace", "cut", "fault"} else _NOT_KEPT
    if isinstance(target, Failed):
        return TargetFailure(row.error or "", row.latency_ms)
    if stored is None or stored.withheld or stored.trace.error is not None:
        return _NOT_KEPT
    # A stored trace has labels only where they counted.
    return Answered(stored.trace, row.latency_ms, labelled=True)


def _is_at_hand(row: CaseRun, stored: StoredTrace | None, store: EvidenceStore | None) -> bool:
    """Whether every text that an answer was built from was kept, or is in the store of today as it was then."""
    versions = dict(zip(row.context, row.context_versions, strict=False))

    def is_known(chunk_id: str) -> bool:
        known = store.get(chunk_id) if store is not None else None
        return known is not None and bool(known.version) and known.version == versions.get(chunk_id)

    chunks = stored.trace.context_chunks if stored is not None else ()
    return all(chunk.text is not None or is_known(chunk.chunk_id) for chunk in chunks)


def why_left(row: CaseRun, again: CaseRun) -> NotJudgedAgain | None:
    """Why an answer cannot be compared by its new row; None if it can."""
    target, before = again.outcomes.get("target"), row.outcomes.get("target")
    if isinstance(before, Unmeasured):
        return None
    if isinstance(target, Unmeasured):
        return "cut" if target.reason == "cut" else "text"
    was_inadmissible, is_inadmissible = (
        isinstance(each.outcomes.get("admissibility"), Failed) for each in (row, again)
    )
    if again.answer_digest != row.answer_digest or (was_inadmissible and not is_inadmissible):
        # What kept it out then is in no file.
        return "text"
    return why_missed(again)
