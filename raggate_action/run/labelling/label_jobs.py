"""All that a person can label of a run, job by job: one at a time until it is enough to arm a judge, then the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from raggate_action.run.labelling.label_ledger import LabelLedger
from raggate_action.run.labelling.label_session import LabelSession, Offer, Progress
from raggate_action.schema.calibration import LabelledSaid
from raggate_action.schema.judgement import JudgedVerdict


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

    def offer(self) -> Offer[Any] | None:
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

    def label(self, offer: Offer[Any], said: JudgedVerdict | LabelledSaid, note: str | None) -> Progress:
        """Write down what a person says; how much the job has then.

        Raises:
            UsageError: The file cannot be written, or somebody else has changed it.
        """
        place, session = next((n, each) for n, each in enumerate(self.sessions) if each.job == offer.job)
        session.label(offer, said, note)
        self._steps.append(place)
        return session.progress

    def skip(self, offer: Offer[Any]) -> None:
        """Offer it no more in this session."""
        self._ledger.skip(offer.turn.key)
        self._steps.append(self._at)

    def back(self) -> bool:
        """Undo the last label or skip, of whatever job, so that it is offered again; False where there is none.

        Raises:
            UsageError: As `judges label`.
        """
        if not self._ledger.back():
            return False
        self._at, self._stays = self._steps.pop(), True
        return True

    def _others(self) -> list[LabelSession[Any]]:
        return [*self.sessions[self._at + 1 :], *self.sessions[: self._at]]
