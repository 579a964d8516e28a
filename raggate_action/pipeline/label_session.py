"""One person labelling the claims of a run: whose turn it is, what is written, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from raggate_action.core.panel.label_sampling import Sample, Turn, claim_key
from raggate_action.core.panel.labels_missing import Missing, missing_labels
from raggate_action.core.panel.synthetic_faults import MadeFault, RightClaim, made_faults
from raggate_action.core.statistics.agreement import Table
from raggate_action.pipeline.claims_to_label import ClaimsOfRun, LabelableClaim
from raggate_action.pipeline.label_ledger import LabelLedger
from raggate_action.schema.calibration import LabelledAnswer, LabelledChunk, LabelledClaim
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import JudgedVerdict
from raggate_action.schema.judges import Arming
from raggate_action.suite_files.calibration_writing import Labels


class Offer(NamedTuple):
    """A claim to be labelled.

    Attributes:
        turn: Its key, and how it came to be offered.
        question, answer, chunks: What it is to be judged by.
        text: The claim.
        span: Where it stands in the answer; None where its words are not there.
        case_id: The case it answered; None where that is not known.
        claim_id: Unique in its answer.
        run: Digest of the answer, as the run's row has it; None of a fault that was made.
        claim: As its run has it, with what rules and judges say; None of a fault that was made.
        made: The fault that was made; None of a claim of the run.
    """

    turn: Turn
    question: str
    answer: str
    chunks: tuple[LabelledChunk, ...]
    text: str
    span: tuple[int, int] | None
    case_id: str | None
    claim_id: str
    run: str | None = None
    claim: Claim | None = None
    made: MadeFault | None = None

    def labelled(self, verdict: JudgedVerdict, note: str | None) -> LabelledAnswer:
        """A line of the file with this one claim; the id is the file's to give."""
        label = LabelledClaim(claim_id=self.claim_id, text=self.text, verdict=verdict, drawn=self.turn.drawn, note=note)
        return LabelledAnswer(
            id="new",
            question=self.question,
            chunks=self.chunks,
            answer=self.answer,
            claims=(label,),
            case_id=self.case_id,
            run=self.run,
        )


class Progress(NamedTuple):
    """What the file holds, beside what a judge needs to be armed.

    Attributes:
        right, faulty: Labelled claims, by what people say of them.
        made: Of the faulty ones, those made by changing a right claim.
        missing: How many labels a judge would need beyond these that does not err once.
    """

    right: int
    faulty: int
    made: int
    missing: Missing


class LabelSession:
    """Offers claims one at a time, and writes each label as soon as it is given."""

    def __init__(self, of_run: ClaimsOfRun, file: Path | LabelLedger) -> None:
        """Begin, or go on: what the file holds already is not offered.

        Args:
            of_run: The run.
            file: The file of labels.

        Raises:
            SuiteError: A line of the file is not a labelled answer.
        """
        judges = of_run.loaded.suite.judges
        self.sample = Sample(((key, each.claim) for key, each in of_run.claims.items()), seed=of_run.loaded.suite.seed)
        self._claims = of_run.claims
        self._terms = judges.arming if judges is not None else Arming()
        self._ledger = LabelLedger(file) if isinstance(file, Path) else file

    @property
    def total(self) -> int:
        """Claims of the run."""
        return len(self._claims)

    @property
    def left(self) -> int:
        """How many claims of the run have no label."""
        labelled = self._labelled()
        return sum(key not in labelled for key in self._claims)

    @property
    def steps(self) -> int:
        """Labels and skips of this session that stand."""
        return self._ledger.steps

    @property
    def given(self) -> int:
        """Labels of this session that stand."""
        return self._ledger.given

    @property
    def progress(self) -> Progress:
        """What the file holds now."""
        return progress_of(self._ledger.labels.answers, self._terms)

    def offer(self) -> Offer | None:
        """The next claim; None where nothing is left.

        A fault is made where faults are missing and right claims are not, or where the run has no other claim left.
        """
        labelled = self._labelled()
        turn = self.sample.turn(labelled, self._ledger.passed)
        now = self.progress
        if now.missing.faulty and (turn is None or now.missing.labels <= now.missing.faulty):
            made = next((each for each in self._made() if self._is_new(each, labelled)), None)
            if made is not None:
                return _offer_of_fault(made)
        return _offer_of_claim(turn, self._claims[turn.key]) if turn is not None else None

    def label(self, offer: Offer, verdict: JudgedVerdict, note: str | None) -> None:
        """Write down what a person says.

        Raises:
            UsageError: The file cannot be written, or somebody else has changed it.
        """
        labels = self._ledger.labels.labelled(offer.labelled(verdict, note))
        after = self._labelled() | {offer.turn.key}
        reached = self.sample.reached(after, offer.turn) if offer.made is None else ()
        by_chance = {(c.question, c.answer, c.claim.text) for key in reached if (c := self._claims[key])}
        self._ledger.write(labels.drawn(by_chance))

    def skip(self, offer: Offer) -> None:
        """Offer it no more in this session."""
        self._ledger.skip(offer.turn.key)

    def back(self) -> bool:
        """Undo the last label or skip, so that its claim is offered again; False where there is none.

        Raises:
            UsageError: As `label`.
        """
        return self._ledger.back()

    def _labelled(self) -> frozenset[str]:
        return frozenset(
            claim_key(answer.question, answer.answer, claim.text)
            for answer in self._ledger.labels.answers
            for claim in answer.claims
        )

    def _is_new(self, made: MadeFault, labelled: frozenset[str]) -> bool:
        key = claim_key(made.origin.question, made.answer, made.text)
        return key not in labelled and key not in self._ledger.passed

    def _made(self) -> Iterator[MadeFault]:
        """Faults put into what people call right, then into what rules have verified, as drawn."""
        rules = (self._claims[key] for key in self.sample.drawn)
        known = {
            claim_key(each.question, each.answer, each.text): each
            for each in (*_called_right(self._ledger.labels), *(_right(each) for each in rules if each.verified))
        }
        called = self._called_faulty()
        return made_faults(each for key, each in known.items() if key not in called)

    def _called_faulty(self) -> frozenset[str]:
        return frozenset(
            claim_key(answer.question, answer.answer, claim.text)
            for answer in self._ledger.labels.answers
            for claim in answer.claims
            if claim.verdict != "supported"
        )


def progress_of(answers: Iterable[LabelledAnswer], terms: Arming) -> Progress:
    """Count labels beside the terms of arming."""
    right = faulty = made = 0
    for answer in answers:
        for claim in answer.claims:
            right += claim.verdict == "supported"
            faulty += claim.verdict != "supported"
            made += claim.verdict != "supported" and claim.drawn == "made"
    return Progress(right, faulty, made, missing_labels(Table(both_good=right, both_faulty=faulty), terms))


def _called_right(labels: Labels) -> Iterator[RightClaim]:
    for answer in labels.answers:
        for claim in answer.claims:
            if claim.verdict == "supported" and claim.drawn != "made":
                yield RightClaim(
                    answer.question, answer.chunks, answer.answer, claim.claim_id, claim.text, answer.case_id
                )


def _right(each: LabelableClaim) -> RightClaim:
    return RightClaim(each.question, each.chunks, each.answer, each.claim.claim_id, each.claim.text, each.case_id)


def _offer_of_claim(turn: Turn, each: LabelableClaim) -> Offer:
    claim = each.claim
    given = (turn, each.question, each.answer, each.chunks, claim.text, each.span, each.case_id, claim.claim_id)
    return Offer(*given, run=each.run, claim=claim)


def _offer_of_fault(made: MadeFault) -> Offer:
    origin = made.origin
    at = made.answer.find(made.text)
    return Offer(
        Turn(claim_key(origin.question, made.answer, made.text), "made"),
        origin.question,
        made.answer,
        origin.chunks,
        made.text,
        (at, at + len(made.text)) if at >= 0 else None,
        origin.case_id,
        origin.claim_id,
        made=made,
    )
