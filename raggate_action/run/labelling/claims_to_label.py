"""The claims of a stored run that a person can label, and how their labels stand in the file.

They are those whose answer and chunks are at hand, whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial, claim_key
from raggate_action.core.judging.label_sampling import Lesson, lesson_of_claim
from raggate_action.core.judging.synthetic_faults import synthetic_faults
from raggate_action.run.labelling.label_session import GivenBy, LabelLedger, LabelSession
from raggate_action.run.stored_runs import counted_rows, found_suite
from raggate_action.run_store import read_run, read_traces
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import Drawn, LabelledAnswer, LabelledChunk, LabelledClaim, TrialJob
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.evidence import EvidenceStore
from raggate_action.schema.judgement import JudgedVerdict
from raggate_action.schema.judges import Arming
from raggate_action.schema.run import Run
from raggate_action.schema.trace import Trace
from raggate_action.suite_files import LoadedSuite
from raggate_action.suite_files.calibration_file import Labels


class LabelableClaim(NamedTuple):
    """A claim beside all that a person needs to judge it.

    Attributes:
        question: What was asked.
        answer: The answer, whole.
        chunks: What it was made from, in context order.
        text: The claim.
        claim_id: Unique in its answer.
        case_id: The case it answered; None where that is not known.
        run: Digest of the answer, as the run's row has it; None of a fault that was made.
        claim: As its run has it, with all that rules and judges said of it; None of a fault that was made.
        verified: Its case passed, and a label or a quotation says that the claim is supported.
        changed_from: Of a fault that was made, the right claim that it was.
    """

    question: str
    answer: str
    chunks: tuple[LabelledChunk, ...]
    text: str
    claim_id: str
    case_id: str | None
    run: str | None = None
    claim: Claim | None = None
    verified: bool = False
    changed_from: str | None = None

    @property
    def key(self) -> str:
        """What a label belongs to."""
        return claim_key(self.question, self.answer, self.text, self.chunks)

    @property
    def lesson(self) -> Lesson | None:
        """What it teaches by what judges and rules said of it."""
        return None if self.claim is None else lesson_of_claim(self.claim)

    @property
    def span(self) -> tuple[int, int] | None:
        """Where the claim stands in the answer; None where its words are not there."""
        claim = self.claim
        if claim is not None and claim.start is not None and claim.end is not None:
            return claim.start, claim.end
        at = self.answer.find(self.text)
        return None if at < 0 else (at, at + len(self.text))


class ClaimForm:
    """How labels of claims stand in the file; a `LabelForm`."""

    job: TrialJob = "claims"

    def __init__(self, arming: Arming) -> None:
        self._arming = arming

    def on_trial(self, file: Labels) -> OnTrial[LabelledAnswer]:
        """The answers whose claims are labelled."""
        return OnTrial(LABELLED[self.job], tuple(file.answers), self._arming)

    def keys(self, file: Labels) -> Iterator[str]:
        """Of all labelled claims."""
        for answer in file.answers:
            for claim in answer.claims:
                yield claim_key(answer.question, answer.answer, claim.text, answer.chunks)

    def made_faults(self, file: Labels, drawn: Sequence[LabelableClaim]) -> Iterator[LabelableClaim]:
        """Faults put into what people call right, then into what rules have verified."""
        right: dict[str, LabelableClaim] = {}
        faulty = set()
        for answer in file.answers:
            for claim in answer.claims:
                each = LabelableClaim(
                    answer.question, answer.answer, answer.chunks, claim.text, claim.claim_id, answer.case_id
                )
                if claim.said != "supported":
                    faulty.add(each.key)
                elif claim.drawn != "made":
                    right[each.key] = each
        right |= {each.key: each for each in drawn if each.verified}
        for fault in synthetic_faults(each for key, each in right.items() if key not in faulty):
            was = fault.origin._replace(run=None, claim=None, verified=False)
            yield was._replace(answer=fault.answer, text=fault.text, changed_from=was.text)

    def with_label(
        self, file: Labels, of: LabelableClaim, verdict: JudgedVerdict, drawn: Drawn, given: GivenBy
    ) -> Labels:
        """In the line of the claim's answer and chunks; the id of a new one is the file's to give."""
        label = LabelledClaim(claim_id=of.claim_id, text=of.text, verdict=verdict, drawn=drawn, **given._asdict())
        answer = LabelledAnswer(
            id="new",
            question=of.question,
            chunks=of.chunks,
            answer=of.answer,
            claims=(label,),
            case_id=of.case_id,
            run=of.run,
        )
        return file.with_claim_label(answer)

    def with_drawn(self, file: Labels, things: Iterable[LabelableClaim]) -> Labels:
        """With the labels of these counted as drawn at random."""
        drawn = {each.key for each in things}
        return file.with_drawn(
            lambda answer, label: (
                isinstance(answer, LabelledAnswer)
                and claim_key(answer.question, answer.answer, label.text, answer.chunks) in drawn
            )
        )


class ClaimsOfRun(NamedTuple):
    """What a run offers to people who label.

    Attributes:
        loaded: Its suite, as it is today.
        claims: By key, in the run's order; of two with one key the first.
        without_texts: Claims left out because a chunk's text is not at hand.
        ids_alone: The run, or its suite by now, keeps no text at all.
        for_some: Chunks among those at hand that only some may read.
    """

    loaded: LoadedSuite
    claims: dict[str, LabelableClaim]
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
    loaded = found_suite(stored, directory, suite, command="label")
    traces = {each.case_id: each.trace for each in read_traces(directory) if not each.withheld}
    texts = _Texts(stored, loaded)
    claims: dict[str, LabelableClaim] = {}
    without_texts = 0
    for row in counted_rows(directory, stored):
        trace = traces.pop(row.case_id, None)
        if row.kind == "known_bad" or row.abstained or not row.context or trace is None:
            continue
        chunks = texts.of(row, trace)
        if chunks is None:
            without_texts += len(row.claims)
            continue
        for each in _claims_of(row, trace, chunks, texts.question(row)):
            claims.setdefault(each.key, each)
    return ClaimsOfRun(loaded, claims, without_texts, texts.ids_alone, frozenset(texts.for_some))


def claim_session(of_run: ClaimsOfRun, ledger: LabelLedger) -> LabelSession[LabelableClaim]:
    """A session over the claims of a run."""
    suite = of_run.loaded.suite
    arming = suite.judges.arming if suite.judges is not None else Arming()
    return LabelSession(ClaimForm(arming), of_run.claims, ledger, seed=suite.seed)


def _claims_of(
    row: CaseRun, trace: Trace, chunks: tuple[LabelledChunk, ...], question: str
) -> Iterator[LabelableClaim]:
    answer = stored_answer(row, trace)
    if answer is None:
        return
    for claim in row.claims:
        text = utf8_text(claim.text)
        if text.strip():
            verified = row.state == "passed" and claim.verdict == "supported" and not claim.judged
            known = claim if text == claim.text else claim.model_copy(update={"text": text})
            given = (question, answer, chunks, text, claim.claim_id, row.case_id, row.answer_digest)
            yield LabelableClaim(*given, known, verified)


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
