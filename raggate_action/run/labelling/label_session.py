"""One person labelling a run, job by job: whose turn it is, what is written and undone, how much is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from raggate_action.core.judging.agreement_with_labels import OnTrial, is_good
from raggate_action.core.judging.label_sampling import Lesson, Sample, Turn
from raggate_action.core.judging.scorecard_and_arming import MissingLabels, missing_labels
from raggate_action.core.statistics.agreement import ConfusionTable
from raggate_action.schema.calibration import Drawn, LabelledSaid, TrialJob
from raggate_action.schema.judgement import JudgedVerdict
from raggate_action.suite_files.calibration_file import Labels, read_labels, write_labels


class _State(NamedTuple):
    labels: Labels
    passed: frozenset[str] = frozenset()


class LabelLedger:
    """What a file holds, and what was done in this session; of all jobs together."""

    def __init__(self, path: Path, *, labeller: str | None = None) -> None:
        """Begin, or go on.

        Args:
            path: The file of labels.
            labeller: Who labels, as the file keeps it; None where nobody knows.

        Raises:
            SuiteError: A line of the file is not a labelled answer.
        """
        self.labeller = labeller
        self._path = path
        self._state = _State(read_labels(path))
        self._history: list[_State] = []

    @property
    def labels(self) -> Labels:
        """The file as it is now."""
        return self._state.labels

    @property
    def skipped_keys(self) -> frozenset[str]:
        """Keys of what somebody has skipped."""
        return self._state.passed

    @property
    def steps(self) -> int:
        """Labels and skips of this session that stand."""
        return len(self._history)

    @property
    def given(self) -> int:
        """Labels of this session that stand."""
        return sum(after.labels is not before.labels for before, after in pairwise([*self._history, self._state]))

    def write(self, labels: Labels) -> None:
        """Write the file anew.

        Raises:
            UsageError: It cannot be written, or somebody else has changed it.
        """
        before = self._state
        write_labels(self._path, labels, before=before.labels)
        self._history.append(before)
        self._state = before._replace(labels=labels)

    def skip(self, key: str) -> None:
        """Offer something no more in this session."""
        self._history.append(self._state)
        self._state = self._state._replace(passed=self._state.passed | {key})

    def back(self) -> bool:
        """Undo the last label or skip; False where there is none.

        Raises:
            UsageError: As `write`.
        """
        if not self._history:
            return False
        earlier = self._history[-1]
        if earlier.labels.raw != self._state.labels.raw:
            write_labels(self._path, earlier.labels, before=self._state.labels)
        self._state = self._history.pop()
        return True


class GivenBy(NamedTuple):
    """What a person says beside a verdict, and who says it."""

    note: str | None = None
    labeller: str | None = None


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

    def made_faults(self, file: Labels, drawn: Sequence[Thing]) -> Iterator[Thing]:
        """Faults made for the purpose, for people to confirm; `drawn` are the things of the run, as drawn."""

    def with_label(self, file: Labels, of: Thing, verdict: Any, drawn: Drawn, given: GivenBy) -> Labels:
        """The file with what a person says of a thing."""

    def with_drawn(self, file: Labels, things: Iterable[Thing]) -> Labels:
        """The file with the labels of these counted as drawn at random; made faults never are."""


class LabelOffer(NamedTuple, Generic[Thing]):
    """A thing to be labelled.

    Attributes:
        job: What people label it for.
        turn: Its key, and how it came to be offered.
        of: The thing.
    """

    job: TrialJob
    turn: Turn
    of: Thing


class LabelProgress(NamedTuple):
    """What the file holds, beside what a judge needs to be armed.

    Attributes:
        right, faulty: Labelled things, by what people say of them.
        made: Of the faulty ones, those made by changing something right.
        missing: How many labels a judge would need beyond these that does not err once.
    """

    right: int
    faulty: int
    made: int
    missing: MissingLabels


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
    def unlabelled_count(self) -> int:
        """How many of them have no label."""
        labelled = self._labelled_keys()
        return sum(key not in labelled for key in self._things)

    @property
    def progress(self) -> LabelProgress:
        """What the file holds now."""
        return progress_of(self._form.on_trial(self._ledger.labels))

    def offer(self) -> LabelOffer[Thing] | None:
        """The next one; None where nothing is left.

        A fault is made where faults are missing and right things are not, or where the run has nothing else left.
        """
        labelled = self._labelled_keys()
        turn = self.sample.turn(labelled, self._ledger.skipped_keys)
        missing = self.progress.missing
        if missing.faulty and (turn is None or missing.labels <= missing.faulty):
            gone = labelled | self._ledger.skipped_keys
            drawn = [self._things[key] for key in self.sample.drawn]
            made = next(
                (each for each in self._form.made_faults(self._ledger.labels, drawn) if each.key not in gone), None
            )
            if made is not None:
                return LabelOffer(self.job, Turn(made.key, "made"), made)
        return None if turn is None else LabelOffer(self.job, turn, self._things[turn.key])

    def label(self, offer: LabelOffer[Thing], verdict: Any, note: str | None) -> None:
        """Write down what a person says.

        Raises:
            UsageError: The file cannot be written, or somebody else has changed it.
        """
        labels = self._form.with_label(
            self._ledger.labels, offer.of, verdict, offer.turn.drawn, GivenBy(note, self._ledger.labeller)
        )
        if offer.turn.drawn != "made":
            reached = self.sample.drawn_so_far(self._labelled_keys() | {offer.turn.key}, offer.turn)
            labels = self._form.with_drawn(labels, [self._things[key] for key in reached])
        self._ledger.write(labels)

    def _labelled_keys(self) -> frozenset[str]:
        return frozenset(self._form.keys(self._ledger.labels))


def progress_of(on_trial: OnTrial[Any]) -> LabelProgress:
    """Count labels beside the terms of arming."""
    called = on_trial.human_verdicts
    right = sum(is_good(each.verdict) for each in called)
    faulty = len(called) - right
    made = sum(each.drawn == "made" and not is_good(each.verdict) for each in called)
    return LabelProgress(
        right, faulty, made, missing_labels(ConfusionTable(both_good=right, both_faulty=faulty), on_trial.arming)
    )


class LabelJobs:
    """The sessions of a run's jobs, over one file.

    Attributes:
        sessions: Of each job that has something to label, those of claims first.
    """

    def __init__(self, sessions: Sequence[LabelSession[Any]], ledger: LabelLedger) -> None:
        """Begin with the first.

        Args:
            sessions: See the attribute.
            ledger: The file.
        """
        self.sessions = tuple(sessions)
        self._ledger = ledger
        self._at = 0
        # Whoever went over to a job by hand stays there.
        self._stays = False
        # The job of each step that stands.
        self._steps: list[int] = []

    @property
    def total(self) -> int:
        """All that the run has to label."""
        return sum(session.total for session in self.sessions)

    @property
    def steps(self) -> int:
        """Labels and skips of this session that stand."""
        return self._ledger.steps

    @property
    def given(self) -> int:
        """Labels of this session that stand."""
        return self._ledger.given

    @property
    def has_others(self) -> bool:
        """Whether another job has something to label."""
        return any(session.offer() is not None for session in self._others())

    def offer(self) -> LabelOffer[Any] | None:
        """The next thing to label; None where nothing is left of any job.

        A job that has labels enough waits until the others have.
        """
        here = self.sessions[self._at]
        found = here.offer()
        if found is not None and (self._stays or here.progress.missing.labels):
            return found
        lacking = [each for each in self._others() if each.progress.missing.labels and each.offer() is not None]
        if not lacking and found is not None:
            return found
        following = next(iter(lacking or [each for each in self._others() if each.offer() is not None]), None)
        if following is None:
            return None
        self._at, self._stays = self.sessions.index(following), False
        return following.offer()

    def go_over(self) -> bool:
        """Go to the next job that has something to label; False where none has."""
        following = next((each for each in self._others() if each.offer() is not None), None)
        if following is None:
            return False
        self._at, self._stays = self.sessions.index(following), True
        return True

    def label(self, offer: LabelOffer[Any], verdict: JudgedVerdict | LabelledSaid, note: str | None) -> LabelProgress:
        """Write down what a person says; how much the job has then.

        Raises:
            UsageError: The file cannot be written, or somebody else has changed it.
        """
        place, session = next((n, each) for n, each in enumerate(self.sessions) if each.job == offer.job)
        session.label(offer, verdict, note)
        self._steps.append(place)
        return session.progress

    def skip(self, offer: LabelOffer[Any]) -> None:
        """Offer it no more in this session."""
        self._ledger.skip(offer.turn.key)
        self._steps.append(self._at)

    def back(self) -> bool:
        """Undo the last label or skip, of whatever job, so that it is offered again; False where there is none.

        Raises:
            UsageError: As `label`.
        """
        if not self._ledger.back():
            return False
        self._at, self._stays = self._steps.pop(), True
        return True

    def _others(self) -> list[LabelSession[Any]]:
        return [*self.sessions[self._at + 1 :], *self.sessions[: self._at]]
