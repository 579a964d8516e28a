"""One person labelling what a job judges of a run: whose turn it is, what is written, and how much is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from raggate_action.core.judging.agreement_with_labels import OnTrial, is_good
from raggate_action.core.judging.label_sampling import Lesson, Sample, Turn
from raggate_action.core.judging.labels_needed import Missing, missing_labels
from raggate_action.core.statistics.agreement import Table
from raggate_action.run.labelling.label_ledger import LabelLedger
from raggate_action.schema.calibration import Drawn, TrialJob
from raggate_action.suite_files.calibration_writing import Labels


class Labelable(Protocol):
    """A claim, a fact, a criterion: a thing of a run that a person can label."""

    @property
    def key(self) -> str:
        """What a label belongs to: a label of a thing with the same key is a label of this one."""

    @property
    def lesson(self) -> Lesson | None:
        """What it teaches by what judges and rules said of it."""


Thing = TypeVar("Thing", bound=Labelable)


class LabelForm(Protocol[Thing]):
    """How the labels of a job stand in the file."""

    @property
    def job(self) -> TrialJob:
        """What people label for."""

    def on_trial(self, file: Labels) -> OnTrial[Any]:
        """The file's labels of the job."""

    def keys(self, file: Labels) -> Iterable[str]:
        """Of what is labelled there."""

    def made(self, file: Labels, drawn: Sequence[Thing]) -> Iterator[Thing]:
        """Faults made for the purpose, for people to confirm; `drawn` are the things of the run, as drawn."""

    def with_label(self, file: Labels, of: Thing, said: Any, drawn: Drawn, note: str | None) -> Labels:
        """The file with what a person says of a thing."""

    def with_drawn(self, file: Labels, things: Iterable[Thing]) -> Labels:
        """The file with the labels of these counted as drawn at random; made faults never are."""


class Offer(NamedTuple, Generic[Thing]):
    """A thing to be labelled.

    Attributes:
        job: What people label it for.
        turn: Its key, and how it came to be offered.
        of: The thing.
    """

    job: TrialJob
    turn: Turn
    of: Thing


class Progress(NamedTuple):
    """What the file holds, beside what a judge needs to be armed.

    Attributes:
        right, faulty: Labelled things, by what people say of them.
        made: Of the faulty ones, those made by changing something right.
        missing: How many labels a judge would need beyond these that does not err once.
    """

    right: int
    faulty: int
    made: int
    missing: Missing


class LabelSession(Generic[Thing]):
    """Offers the things of one job one at a time, and writes each label as soon as it is given."""

    def __init__(self, form: LabelForm[Thing], things: Mapping[str, Thing], ledger: LabelLedger, *, seed: int) -> None:
        """Begin, or go on: what the file holds already is not offered.

        Args:
            form: The job.
            things: Those of the run, by key.
            ledger: The file.
            seed: The suite's.
        """
        self.job: TrialJob = form.job
        self.sample = Sample(((key, each.lesson) for key, each in things.items()), seed=seed)
        self._form, self._things, self._ledger = form, things, ledger

    @property
    def total(self) -> int:
        """Things of the run."""
        return len(self._things)

    @property
    def left(self) -> int:
        """How many of them have no label."""
        labelled = self._labelled()
        return sum(key not in labelled for key in self._things)

    @property
    def progress(self) -> Progress:
        """What the file holds now."""
        return progress_of(self._form.on_trial(self._ledger.labels))

    def offer(self) -> Offer[Thing] | None:
        """The next one; None where nothing is left.

        A fault is made where faults are missing and right things are not, or where the run has nothing else left.
        """
        labelled = self._labelled()
        turn = self.sample.turn(labelled, self._ledger.passed)
        missing = self.progress.missing
        if missing.faulty and (turn is None or missing.labels <= missing.faulty):
            gone = labelled | self._ledger.passed
            drawn = [self._things[key] for key in self.sample.drawn]
            made = next((each for each in self._form.made(self._ledger.labels, drawn) if each.key not in gone), None)
            if made is not None:
                return Offer(self.job, Turn(made.key, "made"), made)
        return None if turn is None else Offer(self.job, turn, self._things[turn.key])

    def label(self, offer: Offer[Thing], said: Any, note: str | None) -> None:
        """Write down what a person says.

        Raises:
            UsageError: The file cannot be written, or somebody else has changed it.
        """
        labels = self._form.with_label(self._ledger.labels, offer.of, said, offer.turn.drawn, note)
        if offer.turn.drawn != "made":
            reached = self.sample.reached(self._labelled() | {offer.turn.key}, offer.turn)
            labels = self._form.with_drawn(labels, [self._things[key] for key in reached])
        self._ledger.write(labels)

    def _labelled(self) -> frozenset[str]:
        return frozenset(self._form.keys(self._ledger.labels))


def progress_of(on_trial: OnTrial[Any]) -> Progress:
    """Count labels beside the terms of arming."""
    called = on_trial.called
    right = sum(is_good(each.verdict) for each in called)
    faulty = len(called) - right
    made = sum(each.drawn == "made" and not is_good(each.verdict) for each in called)
    return Progress(right, faulty, made, missing_labels(Table(both_good=right, both_faulty=faulty), on_trial.arming))
