"""Answers that a run has stored, evaluated once more: by another suite, by other judges, or by other rules.

It is the road of recorded answers. Where no verdict is missing nobody is asked, and nothing is started.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import TypeAlias

from raggate_action.core.comparison.same_judges import why_missed
from raggate_action.core.gates.case_row import Evaluated
from raggate_action.core.gates.diagnosis import Drafted, Rulebook, rule_verdicts
from raggate_action.run.ask_and_judge import evaluate
from raggate_action.run.judging_steps import Evaluation, VerdictSource
from raggate_action.run_store import StoredTrace, WorkFile
from raggate_action.schema.baseline_answer import NotJudgedAgain
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.outcome import Failed, Unmeasured
from raggate_action.schema.trace import Answered, NoTrace, Reply, TargetFailure
from raggate_action.schema.verdicts import Verdicts
from raggate_action.suite_files.cases import Cases

# A stored row and its trace; None where there is none.
StoredAnswer: TypeAlias = tuple[CaseRun, StoredTrace | None]
# Is given each stored row with the row of the same answer as it is evaluated now, or with why there is none.
TakeAgain: TypeAlias = Callable[[CaseRun, CaseRun | NotJudgedAgain], None]


class SaidBefore(VerdictSource):
    """The verdicts that were given before, of checks and judges who are not asked.

    Attributes:
        missing: Cases of which somebody would have to be asked.
    """

    def __init__(self, judges: VerdictSource | None = None) -> None:
        """Prepare.

        Args:
            judges: Who knows what judges said before; None where there are none.
        """
        self.missing: set[str] = set()
        self._judges = judges

    def asks(self, drafted: Drafted) -> bool:
        """Whether the case names a check, or a judge could be asked."""
        return drafted.case.custom_check is not None or (self._judges is not None and self._judges.asks(drafted))

    async def of(self, drafted: Drafted, ask: int = 0) -> Verdicts:  # noqa: ARG002 - there is one answer
        """The verdicts of rules alone: what was not said before is missing."""
        self.missing.add(drafted.case.case_id)
        return rule_verdicts(drafted)

    def earlier_verdicts(self, drafted: Drafted, ask: int) -> Verdicts | None:
        """What judges said before of all of it; None where one was not asked."""
        return None if self._judges is None else self._judges.earlier_verdicts(drafted, ask)


async def evaluate_again(
    stored: Iterable[StoredAnswer],
    cases: Cases,
    rules: Rulebook,
    verdicts: VerdictSource,
    take: TakeAgain,
    *,
    evidence_digest: str | None,
    lanes: int = 1,
    deadline_s: float | None = None,
) -> None:
    """Evaluate stored answers by a suite's cases, gates and reading.

    Each is judged with the evidence that it was given: by the store where that is what it was, else by the passages
    that were kept and the chunks whose version is the store's.

    Args:
        stored: The stored rows with their traces; read once. A row whose case the suite does not have is left out.
        cases: The suite's cases.
        rules: What they are judged by.
        verdicts: Who is asked for what rules leave open.
        take: Is given each row as soon as it is final.
        evidence_digest: Digest of the evidence that the stored run was judged by; None without any.
        lanes: How many answers are asked about at once.
        deadline_s: Longest time in seconds; None is without end.

    Raises:
        RunStoreError: The stored run cannot be read, or a judgement cannot be written down.
    """
    answers = _StoredAnswers(stored, cases, rules.store, take, evidence_digest=evidence_digest)
    own_evidence = rules.store is None or rules.store.digest != evidence_digest
    rules = rules._replace(of_stored=True, own_evidence=own_evidence)
    with closing(WorkFile()) as waiting:
        evaluation = Evaluation(
            target=answers,
            rules=rules,
            verdicts=verdicts,
            now=lambda: "",
            cases_at=cases.at,
            waiting=waiting,
            lanes=lanes,
            deadline_s=deadline_s,
        )
        await evaluate(answers.at_hand(), evaluation, answers.take)


class _StoredAnswers:
    """A stored run in place of the app; a `Target`. In memory are the rows that wait for their verdicts."""

    def __init__(
        self,
        stored: Iterable[StoredAnswer],
        cases: Cases,
        store: EvidenceStore | None,
        take: TakeAgain,
        *,
        evidence_digest: str | None,
    ) -> None:
        self._stored, self._cases, self._take = stored, cases, take
        self._is_at_hand = partial(_is_at_hand, evidence_digest=evidence_digest, store=store)
        self._rows: dict[int, CaseRun] = {}
        self._reply: Reply | None = None

    def at_hand(self) -> Iterator[PlacedCase]:
        """The cases whose answer can be evaluated again, each before its reply is asked for."""
        positions = {case_id: position for position, (case_id, _digest) in enumerate(self._cases.index())}
        for row, stored in self._stored:
            position = positions.get(row.case_id)
            if position is None:
                continue
            placed = next(self._cases.at((position,)))
            self._reply = _reply_of(row, stored)
            # A case that brings its own trace is answered by that.
            if placed.case.trace is None and (self._reply is None or not self._is_at_hand(row, stored)):
                self._take(row, "text")
                continue
            self._rows[position] = row
            yield placed

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        """Each case with the reply that is stored."""
        for placed in cases:
            if self._reply is not None:
                yield placed, self._reply

    def take(self, done: Evaluated) -> None:
        """Give a row on, if it is of the same answer and lacks nothing that a judge was to say."""
        row = self._rows.pop(done.row.position)
        again = done.row.model_copy(update={"finished_at": row.finished_at})
        self._take(row, _why_lost(row, again) or again)


def _reply_of(row: CaseRun, stored: StoredTrace | None) -> Reply | None:
    """What the app replied; None where that was not kept."""
    target = row.outcomes.get("target")
    if isinstance(target, Unmeasured):
        return NoTrace(target.reason, target.detail) if target.reason in {"trace", "cut", "fault"} else None
    if isinstance(target, Failed):
        return TargetFailure(row.error or "", row.latency_ms)
    if stored is None or stored.withheld or stored.trace.error is not None:
        return None
    # A stored trace has labels only where they counted.
    return Answered(stored.trace, row.latency_ms, labelled=True)


def _is_at_hand(
    row: CaseRun, stored: StoredTrace | None, *, evidence_digest: str | None, store: EvidenceStore | None
) -> bool:
    """Whether every text that an answer was built from is there as it was then.

    Args:
        row: The stored row.
        stored: Its trace.
        evidence_digest: Digest of the evidence then; None without any.
        store: The evidence of today.
    """
    if stored is None or (store is not None and store.digest == evidence_digest):
        return True
    versions = dict(zip(row.context, row.context_versions, strict=False))

    def is_known(chunk_id: str) -> bool:
        known = store.get(chunk_id) if store is not None else None
        return known is not None and bool(known.version) and known.version == versions.get(chunk_id)

    return all(chunk.text is not None or is_known(chunk.chunk_id) for chunk in stored.trace.context_chunks)


def _why_lost(row: CaseRun, again: CaseRun) -> NotJudgedAgain | None:
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
