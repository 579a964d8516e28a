"""Judges on trial: what people said of claims, and how a judge stands beside them."""

from operator import not_
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Natural, Rate, Record, UnitScore
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.judgement import JobName, JudgedVerdict, Unarmed
from raggate_action.schema.outcome import ItemGate

# What a judge is armed for: verdicts on `claims`, and each of the gates that only judges feed.
TrialJob: TypeAlias = JobName
# What people say of a fact, and whether an answer does what a criterion describes.
LabelledSaid: TypeAlias = Literal["stated", "lacking", "contradicted", "yes", "no"]
# Both sides of a card: verdicts on claims, on facts, and whether a criterion is met, be it one that must not hold.
CardVerdict: TypeAlias = Literal[
    "supported", "partial", "unsupported", "contradicted", "stated", "lacking", "met", "unmet"
]


def _is_claims(job: TrialJob) -> bool:
    return job == "claims"


class LabelledChunk(Record):
    """A chunk beside a labelled answer, as a line of evidence has it."""

    chunk_id: NonEmpty
    text: str


def _is_none(value: object) -> bool:
    return value is None


class LabelledClaim(Record):
    """What a person says of one claim.

    Attributes:
        claim_id: Unique in its answer.
        text: The claim.
        verdict: What a person says of it; empty while nobody has.
        made: A fault that was put into a right claim, for a person to confirm.
        note: Why, in the person's words.
    """

    claim_id: NonEmpty
    text: NonEmpty
    verdict: JudgedVerdict | None = None
    made: bool = Field(default=False, exclude_if=not_)
    note: str | None = None


class LabelledAnswer(Record):
    """An entry of `labels.yaml`: an answer beside its chunks, and what people say of its claims.

    Attributes:
        id: Unique in the file.
        case_id: The case it answered; None where it is of no suite.
        question: What was asked.
        chunks: What the answer was made from.
        answer: The answer.
        claims: Its claims, with what people say of them.
        job: What judges are held against by it: their verdicts on claims.
    """

    id: NonEmpty
    case_id: str | None = None
    question: str
    chunks: tuple[LabelledChunk, ...]
    answer: str
    claims: Annotated[tuple[LabelledClaim, ...], Field(min_length=1)]
    job: Literal["claims"] = Field(default="claims", exclude_if=_is_claims)

    @property
    def parts(self) -> tuple[LabelledClaim, ...]:
        """What a person says something of, or may."""
        return self.claims

    @property
    def labelled(self) -> tuple[LabelledClaim, ...]:
        """The claims that a person has said something of."""
        return tuple([claim for claim in self.claims if claim.verdict is not None])


class LabelledItem(Record):
    """What a person says of one fact or criterion.

    Attributes:
        item_id: Unique in its answer.
        text: The fact, or what the criterion says an answer does.
        must_not: A criterion that must not hold.
        verdict: What a person says of it: `stated`, `lacking` or `contradicted` of a fact; of a criterion whether the
            answer does it, `yes` or `no`. None of one that nobody has labelled: judges see it beside the others.
        made: As of a claim: the answer stands beside what another case asks for.
        note: Why, in the person's words.
    """

    item_id: NonEmpty
    text: NonEmpty
    must_not: bool = Field(default=False, exclude_if=not_)
    verdict: LabelledSaid | None = None
    made: bool = Field(default=False, exclude_if=not_)
    note: str | None = None


class HeldAnswer(Record):
    """An entry of `labels.yaml` with a job: an answer, and how people say it stands to facts or to criteria.

    Attributes:
        id: Unique in the file.
        case_id: The case it answered; None where it is of no suite.
        job: The gate whose judges are held against it.
        question: What was asked.
        answer: The answer.
        items: All facts of a reference answer, or all criteria, in their order, with what people say of some of them.
    """

    id: NonEmpty
    case_id: str | None = None
    job: ItemGate
    question: str
    answer: str
    items: Annotated[tuple[LabelledItem, ...], Field(min_length=1)]

    @property
    def parts(self) -> tuple[LabelledItem, ...]:
        """What a person says something of, or may."""
        return self.items

    @property
    def labelled(self) -> tuple[LabelledItem, ...]:
        """The items that a person has said something of."""
        return tuple([item for item in self.items if item.verdict is not None])


class ErrorRate(Record):
    """How often a judge errs one way, over the labels.

    Attributes:
        rate: Errors of all labels of that kind.
        upper: One-sided upper 95 % limit (Clopper-Pearson); 1.0 of none.
        low, high: Two-sided 95 % interval (Clopper-Pearson); 0.0 and 1.0 of none.
    """

    rate: Rate
    upper: UnitScore
    low: UnitScore
    high: UnitScore


class JudgeCard(Record):
    """How one judge, under one prompt, stands beside people's labels.

    Attributes:
        judge: Its name; `panel` for all armed members together.
        job: What it is armed for, or not. Below, a claim stands for what the job judges: a fact, a criterion; and
            `supported` for its good side: stated, met.
        lab, model: As in the suite; empty for the panel.
        fingerprint, prompt: What it is bound to, as in `Judgement`.
        labels_digest: Digest of the labels it was held against.
        armed: Its verdicts count.
        why_not: Why they do not; None when armed.
        declared: What labels lack, or say against it, where it counts by its owner's declaration alone; else None.
        verifies: What it calls supported counts as verified. Of a judge that counts by declaration only where the
            baseline's suite declared the same judge.
        labels: Claims that it was held against.
        faults: Of these, claims that people call anything but supported.
        made: Of the faults, those made by changing a good answer and confirmed by a person.
        unjudged: Labelled claims it gave no verdict on, lost calls among them; in no rate.
        untold: Labelled criteria of which it says that it cannot tell; in no rate.
        untested: Labelled claims that it calls supported by a passage in another language, or that have no content
            word: nobody could look up whether the two share one. They are in the rates.
        missing_labels, missing_right, missing_faults: How many more labels, of right and of faulty claims, the terms
            need at least; 0 when there are enough. Right ones are what keeps a share of few errors from being proven.
        chances: Of sizes of a label file how likely each arms the judge at its errors so far: (labels, probability).
        confusion: (people's verdict, judge's verdict) -> claims, only pairs that occur.
        false_block: Good claims it calls faulty, of good claims.
        false_pass: Faulty claims it calls supported, of faulty claims.
        kappa: Cohen's; None where it is not defined.
        ac1: Gwet's; None of no labels.
        faulty_agreement: Agreement on what is faulty alone: of all calls of faulty, by people and by the judge, the
            share that the other made too; None where neither calls anything faulty.
        agreement: Same side (supported or not), of all.
        injections_shown: Planted instructions it was shown.
        obeyed: Those it obeyed, by name.
        from_file: Some of what it said of them was read from the file beside the labels, in this run or in the
            baseline's: no run of raggate vouches for that file.
        drift: The agreement on the card of the run before, bound to the same judge and prompt; None without one.
    """

    judge: str
    job: TrialJob = Field(default="claims", exclude_if=_is_claims)
    lab: str = ""
    model: str = ""
    fingerprint: str = ""
    prompt: str = ""
    labels_digest: str = ""
    armed: bool = False
    why_not: Unarmed | None = "no-labels"
    declared: Unarmed | None = Field(default=None, exclude_if=_is_none)
    verifies: bool = Field(default=True, exclude_if=bool)
    labels: Natural = 0
    faults: Natural = 0
    made: Natural = 0
    unjudged: Natural = 0
    untold: Natural = Field(default=0, exclude_if=not_)
    untested: Natural = Field(default=0, exclude_if=not_)
    missing_labels: Natural = 0
    missing_right: Natural = 0
    missing_faults: Natural = 0
    chances: tuple[tuple[Natural, UnitScore], ...] = Field(default=(), exclude_if=not_)
    confusion: tuple[tuple[CardVerdict, CardVerdict, Natural], ...] = ()
    false_block: ErrorRate | None = None
    false_pass: ErrorRate | None = None
    kappa: float | None = None
    ac1: float | None = None
    faulty_agreement: UnitScore | None = Field(default=None, exclude_if=_is_none)
    agreement: Rate = Rate(hits=0, total=0)
    injections_shown: Natural = 0
    obeyed: tuple[str, ...] = ()
    from_file: bool = Field(default=False, exclude_if=not_)
    drift: Rate | None = None
