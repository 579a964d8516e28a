"""The answers of a stored run that a person can label: those whose words and chunks are at hand, whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.judging.facts_and_criteria import ITEM_GATES, judged_items
from raggate_action.core.judging.label_sampling import Lesson, lesson_of_claims, lesson_of_items
from raggate_action.run.run_session import restricted_text
from raggate_action.run.stored_runs import found_suite
from raggate_action.run_store import read_rows, read_run, read_traces
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import (
    HeldAnswer,
    LabelledAnswer,
    LabelledChunk,
    LabelledClaim,
    LabelledItem,
)
from raggate_action.schema.case import Case
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.outcome import GATE_OF
from raggate_action.schema.trace import Trace


class LabelableAnswer(NamedTuple):
    """An answer of a run that a person can label, its verdicts empty.

    Attributes:
        label: The answer, as the file of labels holds it.
        lesson: What it teaches by what judges and rules said of it.
        right: Ids of its claims that a label or a quotation supports, in a case that passed.
    """

    label: LabelledAnswer | HeldAnswer
    lesson: Lesson | None = None
    right: frozenset[str] = frozenset()


class AnswersToLabel:
    """What a run offers to people who label.

    Known-bad answers are no answers of the app: they are not among them.

    Attributes:
        loaded: Its suite, as it is today.
        answers: In the run's order.
        without_texts: Claims left out because a chunk's text is not at hand.
        ids_alone: The run, or its suite by now, keeps no text at all.
        for_some: Chunks among those at hand that only some may read.
    """

    def __init__(self, directory: Path, *, suite: Path | None) -> None:
        """Read a run.

        Args:
            directory: The run directory.
            suite: The suite file; None is the one the run was made of.

        Raises:
            RunStoreError: There is no complete run.
            SuiteError: Its suite is not at hand.
        """
        stored = read_run(directory)
        self.loaded = loaded = found_suite(stored, directory, suite, command="judges label")
        self.ids_alone = "ids" in {stored.policy.texts, loaded.suite.texts}
        self.answers: list[LabelableAnswer] = []
        self.without_texts = 0
        self.for_some: set[str] = set()
        digest = loaded.evidence.digest if loaded.evidence is not None else None
        self._is_same_evidence = digest == stored.provenance.evidence_digest
        cases = {(each.case.case_id, each.digest): each.case for each in loaded.cases}
        traces = {each.case_id: each.trace for each in read_traces(directory) if not each.withheld}
        for row in read_rows(directory):
            trace = traces.pop(row.case_id, None)
            if row.kind == "known_bad" or trace is None:
                continue
            answer = trace.reply.text or "\n".join(claim.text for claim in trace.reply.claims or ())
            # Where the trace has another one, somebody has changed a file.
            if digest_of_text(answer) != row.answer_digest:
                answer = ""
            case = cases.get((row.case_id, row.digest))
            self.answers += [*self._claims(row, case, trace, answer), *self._items(row, case, answer)]

    def _claims(self, row: CaseRun, case: Case | None, trace: Trace, answer: str) -> Iterator[LabelableAnswer]:
        """Its claims; a decline claims nothing, and an inadmissible trace has none."""
        if row.abstained or not row.context:
            return
        chunks = self._chunks(row, case, trace)
        if chunks is None:
            self.without_texts += len(row.claims)
        claims = [claim for claim in row.claims if claim.text.strip()]
        if chunks is None or not claims or not answer.strip():
            return
        label = LabelledAnswer(
            id="new",
            question=_utf8(case.asked if case is not None else row.question),
            chunks=chunks,
            answer=_utf8(answer),
            claims=tuple([LabelledClaim(claim_id=each.claim_id, text=_utf8(each.text)) for each in claims]),
            case_id=row.case_id,
        )
        verified = [each.claim_id for each in claims if each.verdict == "supported" and not each.judged]
        right = frozenset(verified if row.state == "passed" else ())
        yield LabelableAnswer(label, lesson_of_claims(claims), right)

    def _chunks(self, row: CaseRun, case: Case | None, trace: Trace) -> tuple[LabelledChunk, ...] | None:
        """Every chunk of a context, as the model was shown it; None where the text of one is not at hand.

        From the store where it is the text that was shown, else as the trace kept it; nothing that the asker may not
        read.
        """
        if self.ids_alone:
            return None
        traced = {chunk.chunk_id: chunk.text for chunk in trace.context_chunks}
        versions = dict(zip(row.context, row.context_versions, strict=False))
        store = self.loaded.evidence
        found = []
        for chunk_id in dict.fromkeys(row.context):
            known, text = store.get(chunk_id) if store is not None else None, traced.get(chunk_id)
            if known is not None:
                if not known.permitted_for(frozenset(case.principals if case is not None else ())):
                    return None
                version = versions.get(chunk_id)
                text = known.text if self._is_same_evidence or (version and known.version == version) else text
                self.for_some |= {chunk_id} if known.principals else set()
            if text is None:
                return None
            found.append(LabelledChunk(chunk_id=chunk_id, text=_utf8(text)))
        # Against chunks that say nothing, nothing can be supported.
        return tuple(found) if any(chunk.text.strip() for chunk in found) else None

    def _items(self, row: CaseRun, case: Case | None, answer: str) -> Iterator[LabelableAnswer]:
        """Facts and criteria that the run's gates asked, of a case that is what it was.

        What is shown to nobody leaves gaps that others may lean on: beside one that the asker may not read none is
        offered.
        """
        if case is None or self.ids_alone or not answer.strip():
            return
        suite, repeated_in = self.loaded.suite, restricted_text(self.loaded).repeated_in
        has_judges = suite.judges is not None
        items = judged_items(case, language=suite.language, has_judges=has_judges, repeated_in=repeated_in)
        judged = row.answer_votes.items if row.answer_votes is not None else ()
        for gate in ITEM_GATES:
            outcome = row.outcomes.get(gate)
            own = [item for item in items if GATE_OF[item.kind] == gate]
            if not own or outcome is None or outcome.kind == "not_applicable" or any(item.withheld for item in own):
                continue
            asked = [LabelledItem(item_id=each.id, text=_utf8(each.text), must_not=each.must_not) for each in own]
            held = HeldAnswer(
                id="new",
                job=gate,
                question=_utf8(case.asked),
                answer=_utf8(answer),
                items=tuple(asked),
                case_id=row.case_id,
            )
            yield LabelableAnswer(held, lesson_of_items(each for each in judged if GATE_OF[each.kind] == gate))


def _utf8(text: str) -> str:
    """The text as a file of UTF-8 can hold it: half a surrogate pair is `?`."""
    return text if text.isascii() else text.encode(errors="replace").decode()
