"""Judges beside people: what they make of labelled things, by the very rules that count their votes in a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from pydantic import JsonValue

from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, fold, is_short_of_a_subject
from raggate_action.core.judging.facts_and_criteria import AnswerItem
from raggate_action.core.judging.item_vote_aggregation import fold_items
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.schema.answer_votes import worst_first
from raggate_action.schema.base import digest_of, digest_of_text
from raggate_action.schema.calibration import (
    CardVerdict,
    HeldAnswer,
    LabelledAnswer,
    LabelledChunk,
    LabelledClaim,
    LabelledItem,
    TrialJob,
)
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import ItemSaid, Judgement
from raggate_action.schema.judges import Arming
from raggate_action.schema.outcome import ItemGate, ItemKind

# A claim of which all is supported, a fact that is stated, a criterion that is met; all else is faulty.
_GOOD: Final[frozenset[CardVerdict]] = frozenset({"supported", "stated", "met"})


def claim_key(question: str, answer: str, claim: str, chunks: Iterable[LabelledChunk]) -> str:
    """What a label belongs to: a statement beside the evidence it is held against, whatever case it answered.

    Fifty copies of an answer under other case ids are one thing to label. A claim that says only by what stands around
    it what it speaks of ("It is free.") is another one in another answer.
    """
    beside = [question, answer] if is_short_of_a_subject(claim) else []
    return _key("claims", claim, sorted({chunk.text for chunk in chunks}), beside)


def item_key(answer: HeldAnswer, item: LabelledItem) -> str:
    """The same of a fact or criterion, beside an answer; one that must not hold is another label."""
    beside = [answer.question] if is_short_of_a_subject(answer.answer) else []
    return _key(answer.job, item.text, [answer.answer], [*beside, item.must_not])


def _key(job: str, statement: str, evidence: Sequence[str], beside: Sequence[str | bool]) -> str:
    return digest_of_text(json.dumps([job, " ".join(statement.split()).casefold(), evidence, beside]))


class PlantResults(NamedTuple):
    """How a judge took the planted instructions.

    Attributes:
        of: How many there are.
        judged: Those under which it gave a verdict.
        obeyed: Those it obeyed, by name.
    """

    of: int = 0
    judged: int = 0
    obeyed: tuple[str, ...] = ()


class Trial(NamedTuple):
    """Labelled things with the verdicts on them; a thing is a claim, a fact, a criterion, whatever the job judges.

    Attributes:
        table: People first, the judge second.
        confusion: (people's verdict, judge's verdict) -> things, only pairs that occur.
        made: Faults made for the purpose, of those in the table.
        unjudged_right, unjudged_faulty: Things without a verdict of the judge's, by what people call them.
        cannot_tell: Things of which it says that it cannot tell.
        untested: Things that it calls good by words that could not be held against them.
    """

    table: ConfusionTable
    confusion: tuple[tuple[CardVerdict, CardVerdict, int], ...]
    made: int
    unjudged_right: int
    unjudged_faulty: int
    cannot_tell: int = 0
    untested: int = 0


class HumanVerdict(NamedTuple):
    """What a person calls a thing.

    Attributes:
        thing: Its id in its answer.
        verdict: What it is called.
        made: It was made for the purpose.
        of: Digest of statement and evidence: two labels with one say the same of the same. Empty: a copy of no other.
        text: Its words.
    """

    thing: str
    verdict: CardVerdict
    made: bool = False
    of: str = ""
    text: str = ""


class JudgeVerdict(NamedTuple):
    """What judges make of a thing.

    Attributes:
        verdict: Their verdict; None where they gave none.
        cannot_tell: They say that they cannot tell, which neither blocks nor lets pass.
        untested: One calls it good by words that could not be held against it.
    """

    verdict: CardVerdict | None = None
    cannot_tell: bool = False
    untested: bool = False


class _Answer(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def parts(self) -> tuple[LabelledClaim | LabelledItem, ...]: ...
    @property
    def labelled(self) -> tuple[LabelledClaim | LabelledItem, ...]: ...


Label = TypeVar("Label", bound=_Answer)
_Label_contra = TypeVar("_Label_contra", bound=_Answer, contravariant=True)


class LabelledJob(Protocol[_Label_contra]):
    """What people label for a judge to be armed by; a label is an answer with all that people say of things in it."""

    @property
    def name(self) -> TrialJob:
        """As cards have it."""

    def human_verdicts(self, label: _Label_contra) -> Iterable[HumanVerdict]:
        """What people say of each thing."""

    def judge_verdicts(
        self, label: _Label_contra, judgements: Sequence[Judgement], terms: PanelTerms
    ) -> Mapping[str, JudgeVerdict]:
        """What these judges, who decide on these terms, make of each thing; of one that is left out nothing."""

    def digest_content(self, label: _Label_contra) -> JsonValue:
        """What people say of which things beside what, for the labels' digest; not who said it or why."""


class OnTrial(NamedTuple, Generic[Label]):
    """What judges are held against at one job.

    Attributes:
        job: What people label.
        labels: Their labels.
        arming: From when on a judge counts.
    """

    job: LabelledJob[Label]
    labels: tuple[Label, ...]
    arming: Arming = Arming()

    @property
    def counting_labels(self) -> list[tuple[Label, list[HumanVerdict]]]:
        """The labels that count, by answer: of those that say the same of the same the first.

        Who repeats one answer under fifty case ids has labelled once, and arms nobody by it.
        """
        found: list[tuple[Label, list[HumanVerdict]]] = []
        known: set[tuple[str, CardVerdict]] = set()
        for label in self.labels:
            own = []
            for each in self.job.human_verdicts(label):
                if not each.of or (each.of, each.verdict) not in known:
                    known.add((each.of, each.verdict))
                    own.append(each)
            if own:
                found.append((label, own))
        return found

    @property
    def human_verdicts(self) -> list[HumanVerdict]:
        """Everything that people labelled, copies once."""
        return [each for _label, own in self.counting_labels for each in own]

    @property
    def copies(self) -> int:
        """Labels that repeat another one, and count for nothing."""
        return sum(len([*self.job.human_verdicts(label)]) for label in self.labels) - len(self.human_verdicts)

    @property
    def empty(self) -> int:
        """Verdicts that nobody has filled in; they count for nothing."""
        return sum(len(label.parts) - len(label.labelled) for label in self.labels)

    @property
    def digest(self) -> str:
        """Digest of what people say of which things."""
        return digest_of([self.job.digest_content(each) for each in sorted(self.labels, key=lambda each: each.id)])


def is_good(verdict: CardVerdict) -> bool:
    """Which side a verdict is on: a claim is good where all of it is supported, else faulty.

    A fact is good where it is stated, a criterion where it is met.
    """
    return verdict in _GOOD


def trial_of(on_trial: OnTrial[Any], judged: Sequence[Mapping[str, Judgement]], terms: PanelTerms) -> Trial:
    """What these judges, who decide on these terms, make of what people labelled.

    Args:
        on_trial: The labels.
        judged: Of each judge its judgements of them, by the label's id; one that is lost says nothing.
        terms: Who decides; for a judge on its own the judge alone.
    """
    confusion: Counter[tuple[CardVerdict, CardVerdict]] = Counter()
    unjudged: Counter[bool] = Counter()
    made = cannot_tell = untested = 0
    for label, called in on_trial.counting_labels:
        given = on_trial.job.judge_verdicts(label, [own[label.id] for own in judged if label.id in own], terms)
        untested += sum(each.untested for each in given.values())
        for thing, people, is_made, *_how in called:
            found = given.get(thing, JudgeVerdict())
            if found.verdict is not None:
                confusion[people, found.verdict] += 1
                made += is_made and not is_good(people)
            elif found.cannot_tell:
                cannot_tell += 1
            else:
                unjudged[is_good(people)] += 1
    pairs = tuple((*pair, confusion[pair]) for pair in sorted(confusion))
    return Trial(confusion_table(pairs), pairs, made, unjudged[True], unjudged[False], cannot_tell, untested)


def confusion_table(confusion: Iterable[tuple[CardVerdict, CardVerdict, int]]) -> ConfusionTable:
    """A confusion by side, people first."""
    sides: Counter[tuple[bool, bool]] = Counter()
    for people, judge, things in confusion:
        sides[is_good(people), is_good(judge)] += things
    return ConfusionTable(sides[True, True], sides[True, False], sides[False, True], sides[False, False])


KIND_OF: Final[Mapping[TrialJob, ItemKind]] = {"agreement": "fact", "criteria": "criterion"}
_FACTS: Final[Mapping[ItemSaid, CardVerdict]] = {
    "stated": "stated",
    "lacking": "lacking",
    "contradicted": "contradicted",
}


class LabelledClaims:
    """Claims, and whether chunks support them; a `LabelledJob`."""

    name: TrialJob = "claims"

    def human_verdicts(self, label: LabelledAnswer) -> Iterable[HumanVerdict]:
        """What people say of each claim."""
        for claim in label.labelled:
            of = claim_key(label.question, label.answer, claim.text, label.chunks)
            yield _human(self.name, claim.claim_id, claim, of)

    def judge_verdicts(
        self, label: LabelledAnswer, judgements: Sequence[Judgement], terms: PanelTerms
    ) -> dict[str, JudgeVerdict]:
        """The panel's votes on each claim, folded as in a run."""
        claims = [Claim(claim_id=claim.claim_id, text=claim.text) for claim in label.labelled]
        chunks = {chunk.chunk_id: chunk.text for chunk in label.chunks if chunk.text}
        # People labelled what it asserts, so it does not decline.
        folded = fold(claims, judgements, terms, chunks=chunks, declined=False, question=label.question)
        return {
            claim.claim_id: JudgeVerdict(
                None if claim.verdict == "unverified" else claim.verdict,
                untested=any(vote.untested for vote in claim.votes),
            )
            for claim in folded.claims
        }

    def digest_content(self, label: LabelledAnswer) -> JsonValue:
        """Answer, chunks, and what people say of the claims."""
        return [
            label.id,
            label.question,
            [[chunk.chunk_id, chunk.text] for chunk in label.chunks],
            label.answer,
            [[claim.claim_id, claim.text, claim.verdict, claim.made] for claim in label.labelled],
        ]


class LabelledItems:
    """Facts of reference answers, or criteria, and how answers stand to them; a `LabelledJob`."""

    def __init__(self, gate: ItemGate) -> None:
        self.name: ItemGate = gate

    def human_verdicts(self, label: HeldAnswer) -> Iterable[HumanVerdict]:
        """What people say of each that they labelled."""
        for item in label.labelled:
            yield _human(self.name, item.item_id, item, item_key(label, item))

    def judge_verdicts(
        self, label: HeldAnswer, judgements: Sequence[Judgement], terms: PanelTerms
    ) -> dict[str, JudgeVerdict]:
        """The panel's votes on each, folded as in a run."""
        kind: ItemKind = KIND_OF[self.name]
        items = [AnswerItem(kind, item.item_id, item.text, item.must_not) for item in label.items]  # type: ignore[arg-type]
        votes = fold_items(items, judgements, {self.name: terms}, answer=label.answer)
        verdicts = {
            each.item: verdict_of(self.name, each.said, must_not=each.must_not)
            for each in votes.items
            if each.said is not None
        }
        return {item: JudgeVerdict(verdict, cannot_tell=verdict is None) for item, verdict in verdicts.items()}

    def digest_content(self, label: HeldAnswer) -> JsonValue:
        """Answer, and what people say of facts or criteria."""
        return [
            label.id,
            label.question,
            label.answer,
            [[item.item_id, item.text, item.must_not, item.verdict, item.made] for item in label.items],
        ]


def _human(job: TrialJob, thing: str, label: LabelledClaim | LabelledItem, of: str) -> HumanVerdict:
    """What people call a thing that they labelled."""
    must_not = isinstance(label, LabelledItem) and label.must_not
    verdict = label.verdict if job == "claims" else verdict_of(job, label.verdict, must_not=must_not)  # type: ignore[arg-type]
    if verdict is None:
        raise ValueError(label.verdict)
    return HumanVerdict(thing, verdict, label.made, of, label.text)  # type: ignore[arg-type]


def verdict_of(gate: ItemGate, answer: ItemSaid, *, must_not: bool) -> CardVerdict | None:
    """What is said of a fact or criterion, as a card has it; None where it cannot be told."""
    if gate == "agreement":
        return _FACTS.get(answer)
    if answer not in {"yes", "no"}:
        return None
    return "met" if answer == worst_first("criterion", must_not=must_not)[-1] else "unmet"


LABELLED: Final[Mapping[TrialJob, LabelledJob[Any]]] = {
    "claims": LabelledClaims(),
    "agreement": LabelledItems("agreement"),
    "criteria": LabelledItems("criteria"),
}
