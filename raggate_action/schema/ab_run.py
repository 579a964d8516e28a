"""A comparison of two arms, or of a file of rows, as it is kept: all of `ab.json`, with what is said of it."""

from __future__ import annotations

from operator import not_
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.arm_names import ArmName
from raggate_action.schema.base import MomentText, Natural, Record, Total
from raggate_action.schema.case import NonEmpty
from raggate_action.schema.decision import RunGate
from raggate_action.schema.judge_rows import RowsRemark, Unasked
from raggate_action.schema.judgement import Judgement, LostCode
from raggate_action.schema.judging_counts import CallCost
from raggate_action.schema.panel import PanelMember
from raggate_action.schema.policy import Texts

RetrievedStage: TypeAlias = Literal["candidates", "context"]


# Of the treatment, beside the control. A note claims neither.
FindingKind: TypeAlias = Literal["better", "worse", "no_difference", "note"]

FindingCode: TypeAlias = Literal[
    "nothing",
    "compared",
    "few-questions",
    "ahead",
    "behind",
    "not-told-apart",
    "apart",
    "dimension-up",
    "dimension-down",
    "dimension-informational",
    "type-up",
    "type-down",
    "control-won",
    "protected-lost",
    "tied",
    "identical",
    "concern",
    "gates-unknown",
    "too-few-judges",
    "judge-obeyed",
    "judge-order",
    "judge-one-score",
    "plants-lost",
    "all-agreed",
    "one-run",
    "unreachable",
    "same-lab",
    "labs-unknown",
    "one-judge",
    "one-order",
    "position",
    "ceiling",
    "lost",
    "miscounts",
]


class PanelFinding(Record):
    """A finding that follows from the aggregate by rule; its words are a report's.

    Attributes:
        code: Which rule.
        kind: What it claims of the treatment.
        measure: What it is about, by the names of `core.ab.aggregate_measures`.
        names: Questions, judges or dimensions it names, in the aggregate's order.
        numbers: What it says beside the aggregate's own numbers, by name: a bar, what its test tells.
    """

    code: FindingCode
    kind: FindingKind = "note"
    measure: str
    names: tuple[str, ...] = ()
    numbers: dict[str, int | float] = {}


class Finding(Record):
    """A finding that a model has written from the aggregate's numbers.

    Attributes:
        kind: What it claims of the treatment.
        measure: What it is about.
        numbers: Those it rests on.
        text: One or two sentences.
    """

    kind: FindingKind
    measure: NonEmpty
    numbers: tuple[Annotated[float, Field(allow_inf_nan=False)], ...] = ()
    text: Annotated[str, Field(min_length=1, max_length=600)]


RejectionCode: TypeAlias = Literal["none", "too-many", "measure", "kind", "number", "unit", "no-reply"]


class Rejection(Record):
    """Why what a model has written was left out; one fault is enough for all of it.

    Attributes:
        code: There is no finding at all, or too many; a measure that the aggregate has not; a kind that the test does
            not bear out; a number that the measure has not, or of other things than it counts; no reply that could be
            read.
        place: Which finding, from 1; 0 where it is none's.
        found: What stood there, cut; empty where there is nothing to show.
    """

    code: RejectionCode
    place: int = 0
    found: str = ""


class Findings(Record):
    """What is said of an aggregate.

    Attributes:
        derived: By rule, in the order they are read.
        written: By a model, each of them held against the aggregate; empty where none was asked, or one was faulty.
        rejection: Why what a model has written is not there; None where it is, or none was asked.
    """

    derived: tuple[PanelFinding, ...] = ()
    written: tuple[Finding, ...] = ()
    rejection: Rejection | None = None


class AbDigests(Record):
    """What a comparison was made from.

    Attributes:
        suite, cases, evidence: As of a run; no evidence without a store.
        rubric: Of what pairs are scored by.
        prompt: Of the prompt's constant part and the reply's schema.
    """

    suite: str
    cases: str
    evidence: str | None = None
    rubric: str
    prompt: str


class ArmReport(Record):
    """One arm, as it was asked and what it answered.

    Attributes:
        model, lab: As in the suite; None where nobody says.
        target: Digest of its target's section.
        answered: Questions it gave an answer to that may be judged; a decline is one.
        no_answer: Questions without an answer: an error, a timeout, a reply off schema, an empty text.
        inadmissible: Questions whose answer was made from evidence that it must not be made from.
        passed, failed, unmeasured: Its answers by the suite's own gates, no judge among them.
        declined: Answers that decline.
        cost_usd: What it says that its answers cost; None where it does not.
        versions: What it says it is made of, each as on most of its answers.
        error: Why it has no answer to the first question that it has none to; empty where it has all.
    """

    model: str | None = None
    lab: str | None = None
    target: str
    answered: Natural = 0
    no_answer: Natural = 0
    inadmissible: Natural = 0
    passed: Natural = 0
    failed: Natural = 0
    unmeasured: Natural = 0
    declined: Natural = 0
    cost_usd: Total | None = None
    versions: dict[str, str] = {}
    error: str = ""


class RetrievedApart(Record):
    """A question for which the arms did not retrieve the same.

    Attributes:
        question_id: Which.
        stage: Where they part first.
        control_only, treatment_only: Chunks that one of them has alone; both empty where the order alone differs.
    """

    question_id: str
    stage: RetrievedStage
    control_only: tuple[str, ...] = ()
    treatment_only: tuple[str, ...] = ()


class VersionApart(Record):
    """A version that the arms name differently.

    Attributes:
        key: Of what: `tool`, `policy`.
        control, treatment: The versions; None where an arm does not name it.
    """

    key: str
    control: str | None = None
    treatment: str | None = None


class OneVariable(Record):
    """Whether the arms differ in one thing and in no other.

    Attributes:
        fields: What is written of the treatment otherwise than of the control, as dotted paths.
        same_model: They name one model; None where one of them names none.
        compared: Questions that both answered and said what they had retrieved for.
        apart: Those of them with another retrieval.
        unreported: Questions both answered of which an arm does not say what it retrieved.
        versions: Versions that differ.
    """

    fields: tuple[str, ...] = ()
    same_model: bool | None = None
    compared: Natural = 0
    apart: tuple[RetrievedApart, ...] = ()
    unreported: Natural = 0
    versions: tuple[VersionApart, ...] = ()

    @property
    def is_only_one(self) -> bool | None:
        """Whether one written field is all that differs; None where nothing speaks against it and not all is known."""
        # Another model may well be of another lab: that is one thing.
        fields = [each for each in self.fields if each != "lab" or self.same_model is not False]
        if len(fields) != 1 or self.apart or (self.same_model is False and fields != ["model"]):
            return False
        return None if self.unreported or self.same_model is None or not self.compared else True


class SharedLabs(Record):
    """A lab that more than one of those who compare, or are compared, come from.

    Attributes:
        lab: Its name.
        judges: Judges of it.
        arms: Arms whose model is of it.
    """

    lab: str
    judges: tuple[str, ...]
    arms: tuple[ArmName, ...] = ()


class UnaskedPair(Record):
    """A question of which no judge was asked, for an arm left nothing to be judged.

    Attributes:
        question_id: Which.
        arms: Whose.
        reason: Why.
        detail: The first arm's error, or what its evidence lacks; nothing that its asker may not read.
    """

    question_id: str
    arms: tuple[ArmName, ...]
    reason: Unasked
    detail: str = ""


class AbJudging(CallCost):
    """What judging pairs took, and having findings written.

    Attributes:
        pairs: Pairs that judges were to be asked about.
        judgements: Of all judges and orders together.
        reused: Of these, said before and not asked again.
        lost: Of these, lost, by reason, most first.
        planted, planted_reused, planted_lost: Judgements of planted pairs, by all judges; those of them said before,
            and those lost.
        calls, attempts, unmetered, usage, cost_usd, unpriced: As in `CallCost`, of all of these.
    """

    pairs: Natural = 0
    judgements: Natural = 0
    reused: Natural = 0
    lost: dict[LostCode, Natural] = {}
    planted: Natural = Field(default=0, exclude_if=not_)
    planted_reused: Natural = Field(default=0, exclude_if=not_)
    planted_lost: Natural = Field(default=0, exclude_if=not_)


class _Begun(Record):
    """What a comparison begins with. The keys stand first in `ab.json`: by them it is known."""

    kind: Literal["ab"] = "ab"
    schema_version: Literal[1] = 1
    complete: bool = True
    suite: str
    suite_file: str
    scope: str
    case_filter: tuple[str, ...] = ()
    run_id: str
    started_at: MomentText
    as_of: MomentText
    raggate_version: str
    digests: AbDigests


class StartedAb(_Begun):
    """A comparison that has begun: the content of `ab.json` until it is complete."""

    complete: Literal[False] = False


class AbRun(_Begun):
    """A comparison of two arms.

    Attributes:
        schema_version: Version of this format.
        complete: False until everything else is in its place.
        suite, suite_file, scope, case_filter: What was asked, as of a run.
        run_id: As in the rows.
        started_at, finished_at: Moments, ISO 8601 UTC.
        as_of: The moment currency of evidence was judged at, unless a case names its own.
        digests: What it was made from.
        texts: Which texts it may hold.
        seed: Of the order a judge sees first, and of intervals and tests.
        swap: Every pair was shown in both orders.
        question_type: The field of a case that is its type.
        dimensions: Of the rubric, in order.
        control, treatment: The arms.
        judges: In the suite's order.
        same_lab: Labs that meet.
        one_variable: What the arms differ in.
        unasked: Questions nobody was asked about, identical answers not among them.
        judging: What judging took.
        aggregate: What the rows come to.
        gate: The gate on it; None where it is off.
        enforced: A gate that fails fails the command.
        notes: What the arms' targets had to say at the end.
        findings: What is said of it.
        synthesis: What a model wrote of it, accepted or not, and what that took; None where none was asked.
    """

    finished_at: MomentText
    texts: Texts
    seed: int
    swap: bool
    question_type: str
    dimensions: tuple[str, ...]
    control: ArmReport
    treatment: ArmReport
    judges: tuple[PanelMember, ...]
    same_lab: tuple[SharedLabs, ...] = ()
    one_variable: OneVariable
    unasked: tuple[UnaskedPair, ...] = ()
    judging: AbJudging
    aggregate: Aggregate
    findings: Findings = Findings()
    synthesis: Judgement | None = None
    gate: RunGate | None = None
    enforced: bool = True
    notes: tuple[str, ...] = ()


class RowsReport(Record):
    """A file of judge rows, aggregated.

    Attributes:
        kind: By which it is told from a comparison that was made.
        dimensions: What is scored, in order.
        control_lab, treatment_lab: Who trained the arms' models; None where nobody says.
        aggregate: What the rows come to.
        findings: What is said of it.
        remarks: What was cleaned in the file, and what it lacks.
    """

    kind: Literal["ab-rows"] = "ab-rows"
    schema_version: Literal[1] = 1
    dimensions: tuple[str, ...]
    control_lab: str | None = None
    treatment_lab: str | None = None
    aggregate: Aggregate
    findings: Findings
    remarks: tuple[RowsRemark, ...] = ()
