"""The answers of a stored run whose claims a person can label: those whose words and chunks are at hand, whole."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from raggate_action.core.judging.label_sampling import Lesson, lesson_of_claims
from raggate_action.run.stored_runs import found_suite
from raggate_action.run_store import read_rows, read_run, read_traces
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import HeldAnswer, LabelledAnswer, LabelledChunk, LabelledClaim
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.run import Run
from raggate_action.schema.trace import Trace
from raggate_action.suite_files import LoadedSuite


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


class ClaimsOfRun(NamedTuple):
    """What a run offers to people who label claims.

    Attributes:
        loaded: Its suite, as it is today.
        answers: In the run's order.
        without_texts: Claims left out because a chunk's text is not at hand.
        ids_alone: The run, or its suite by now, keeps no text at all.
        for_some: Chunks among those at hand that only some may read.
    """

    loaded: LoadedSuite
    answers: list[LabelableAnswer]
    without_texts: int
    ids_alone: bool
    for_some: frozenset[str]


def claims_to_label(directory: Path, *, suite: Path | None) -> ClaimsOfRun:
    """Read a run for people who label.

    Known-bad answers are no answers of the app, a decline claims nothing, and an inadmissible trace has no claims: they
    are not among them.

    Args:
        directory: The run directory.
        suite: The suite file; None is the one the run was made of.

    Raises:
        RunStoreError: There is no complete run.
        SuiteError: Its suite is not at hand.
    """
    stored = read_run(directory)
    loaded = found_suite(stored, directory, suite, command="judges label")
    traces = {each.case_id: each.trace for each in read_traces(directory) if not each.withheld}
    texts = _Texts(stored, loaded)
    answers: list[LabelableAnswer] = []
    without_texts = 0
    for row in read_rows(directory):
        trace = traces.pop(row.case_id, None)
        if row.kind == "known_bad" or row.abstained or not row.context or trace is None:
            continue
        chunks = texts.of(row, trace)
        if chunks is None:
            without_texts += len(row.claims)
            continue
        answer = stored_answer(row, trace)
        claims = [claim for claim in row.claims if claim.text.strip()]
        if answer is None or not claims:
            continue
        label = LabelledAnswer(
            id="new",
            question=texts.question(row),
            chunks=chunks,
            answer=answer,
            claims=tuple([LabelledClaim(claim_id=each.claim_id, text=utf8_text(each.text)) for each in claims]),
            case_id=row.case_id,
        )
        verified = [each.claim_id for each in claims if each.verdict == "supported" and not each.judged]
        right = frozenset(verified if row.state == "passed" else ())
        answers.append(LabelableAnswer(label, lesson_of_claims(claims), right))
    return ClaimsOfRun(loaded, answers, without_texts, texts.ids_alone, frozenset(texts.for_some))


def stored_answer(row: CaseRun, trace: Trace) -> str | None:
    """The answer of a row, whole; None where the trace has another one: somebody has changed a file."""
    answer = trace.reply.text or "\n".join(claim.text for claim in trace.reply.claims or ())
    return utf8_text(answer) if digest_of_text(answer) == row.answer_digest else None


class _Texts:
    """Texts of chunks as the model was shown them, as far as whoever asked may read them."""

    def __init__(self, stored: Run, loaded: LoadedSuite) -> None:
        self.for_some: set[str] = set()
        self._store: EvidenceStore | None = loaded.evidence
        digest = loaded.evidence.digest if loaded.evidence is not None else None
        self._is_what_it_was = digest == stored.provenance.evidence_digest
        self.ids_alone = "ids" in {stored.policy.texts, loaded.suite.texts}
        self._cases = {(each.case.case_id, each.digest): each.case for each in loaded.cases}

    def question(self, row: CaseRun) -> str:
        """What was asked, whole where the case is what it was."""
        case = self._cases.get((row.case_id, row.digest))
        return utf8_text(case.asked if case is not None else row.question)

    def of(self, row: CaseRun, trace: Trace) -> tuple[LabelledChunk, ...] | None:
        """Every chunk of a context; None where the text of one is not at hand."""
        if self.ids_alone:
            return None
        traced = {chunk.chunk_id: chunk.text for chunk in trace.context_chunks}
        versions = dict(zip(row.context, row.context_versions, strict=False))
        found = []
        for chunk_id in dict.fromkeys(row.context):
            text = self._text(row, chunk_id, versions.get(chunk_id), traced.get(chunk_id))
            if text is None:
                return None
            found.append(LabelledChunk(chunk_id=chunk_id, text=utf8_text(text)))
        if self._store is not None:
            known = [self._store.get(chunk.chunk_id) for chunk in found]
            self.for_some.update(each.chunk_id for each in known if each is not None and each.principals)
        # Against chunks that say nothing, nothing can be supported.
        return tuple(found) if any(chunk.text.strip() for chunk in found) else None

    def _text(self, row: CaseRun, chunk_id: str, version: str | None, traced: str | None) -> str | None:
        """From the store where it is the text that was shown, else as the trace kept it."""
        known = self._store.get(chunk_id) if self._store is not None else None
        if known is None:
            return traced
        case = self._cases.get((row.case_id, row.digest))
        if not known.permitted_for(frozenset(case.principals if case is not None else ())):
            return None
        same = self._is_what_it_was or (bool(version) and known.version == version)
        return known.text if same else traced


def utf8_text(text: str) -> str:
    """The text as a file of UTF-8 can hold it: half a surrogate pair is `?`."""
    return text if text.isascii() else text.encode(errors="replace").decode()
