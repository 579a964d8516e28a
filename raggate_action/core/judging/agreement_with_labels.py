"""Judges beside people: what they make of labelled things, by the very rules that count their votes in a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from pydantic import JsonValue

from raggate_action.core.judging.vote_aggregation import PanelTerms
from raggate_action.core.statistics.agreement import Table
from raggate_action.schema.base import digest_of
from raggate_action.schema.calibration import CardVerdict, Drawn, TrialJob
from raggate_action.schema.judgement import Judgement
from raggate_action.schema.judges import Arming

# A claim of which all is supported, a fact that is stated, a criterion that is met; all else is faulty.
_GOOD: Final[frozenset[CardVerdict]] = frozenset({"supported", "stated", "met"})


class Resisted(NamedTuple):
    """How a judge took the planted instructions.

    Attributes:
        of: How many there are.
        shown: Those under which it gave a verdict.
        obeyed: Those it obeyed, by name.
    """

    of: int = 0
    shown: int = 0
    obeyed: tuple[str, ...] = ()


class Trial(NamedTuple):
    """Labelled things with the verdicts on them; a thing is a claim, a fact, a criterion, whatever the job judges.

    Attributes:
        table: People first, the judge second.
        confusion: (people's verdict, judge's verdict) -> things, only pairs that occur.
        made: Faults made for the purpose, of those in the table.
        unjudged_right, unjudged_faulty: Things without a verdict of the judge's, by what people call them.
        untold: Things of which it says that it cannot tell.
        untested: Things that it calls good by words that could not be held against them.
    """

    table: Table
    confusion: tuple[tuple[CardVerdict, CardVerdict, int], ...]
    made: int
    unjudged_right: int
    unjudged_faulty: int
    untold: int = 0
    untested: int = 0


class Called(NamedTuple):
    """What a person calls a thing, by its id in its answer, and how it came to be labelled."""

    thing: str
    verdict: CardVerdict
    drawn: Drawn = "chosen"


class Given(NamedTuple):
    """What judges make of a thing.

    Attributes:
        verdict: Their verdict; None where they gave none.
        untold: They say that they cannot tell, which neither blocks nor lets pass.
        untested: One calls it good by words that could not be held against it.
    """

    verdict: CardVerdict | None = None
    untold: bool = False
    untested: bool = False


class _Answer(Protocol):
    @property
    def id(self) -> str: ...


Label = TypeVar("Label", bound=_Answer)
_Label_contra = TypeVar("_Label_contra", bound=_Answer, contravariant=True)


class LabelledJob(Protocol[_Label_contra]):
    """What people label for a judge to be armed by; a label is an answer with all that people say of things in it."""

    @property
    def name(self) -> TrialJob:
        """As cards have it."""

    def called(self, label: _Label_contra) -> Iterable[Called]:
        """What people say of each thing."""

    def given(self, label: _Label_contra, judgements: Sequence[Judgement], terms: PanelTerms) -> Mapping[str, Given]:
        """What these judges, who decide on these terms, make of each thing; of one that is left out nothing."""

    def told(self, label: _Label_contra) -> JsonValue:
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
    def called(self) -> list[Called]:
        """Everything that people labelled."""
        return [each for label in self.labels for each in self.job.called(label)]

    @property
    def digest(self) -> str:
        """Digest of what people say of which things."""
        return digest_of([self.job.told(each) for each in sorted(self.labels, key=lambda each: each.id)])


def is_good(verdict: CardVerdict) -> bool:
    """Which side a verdict is on: a claim is good where all of it is supported, else faulty.

    A fact is good where it is stated, a criterion where it is met.
    """
    return verdict in _GOOD


def tried(on_trial: OnTrial[Any], judged: Sequence[Mapping[str, Judgement]], terms: PanelTerms) -> Trial:
    """What these judges, who decide on these terms, make of what people labelled.

    Args:
        on_trial: The labels.
        judged: Of each judge its judgements of them, by the label's id; one that is lost says nothing.
        terms: Who decides; for a judge on its own the judge alone.
    """
    confusion: Counter[tuple[CardVerdict, CardVerdict]] = Counter()
    unjudged: Counter[bool] = Counter()
    made = untold = untested = 0
    for label in on_trial.labels:
        given = on_trial.job.given(label, [own[label.id] for own in judged if label.id in own], terms)
        untested += sum(each.untested for each in given.values())
        for thing, people, drawn in on_trial.job.called(label):
            found = given.get(thing, Given())
            if found.verdict is not None:
                confusion[people, found.verdict] += 1
                made += drawn == "made" and not is_good(people)
            elif found.untold:
                untold += 1
            else:
                unjudged[is_good(people)] += 1
    pairs = tuple((*pair, confusion[pair]) for pair in sorted(confusion))
    return Trial(table_of(pairs), pairs, made, unjudged[True], unjudged[False], untold, untested)


def table_of(confusion: Iterable[tuple[CardVerdict, CardVerdict, int]]) -> Table:
    """A confusion by side, people first."""
    sides: Counter[tuple[bool, bool]] = Counter()
    for people, judge, things in confusion:
        sides[is_good(people), is_good(judge)] += things
    return Table(sides[True, True], sides[True, False], sides[False, True], sides[False, False])
