"""All that a person can label of a run, job by job: one at a time until it is enough to arm a judge, then the next."""

from __future__ import annotations

from collections.abc import Sequence

from raggate_action.pipeline.item_label_session import ItemOffer, ItemSession
from raggate_action.pipeline.label_ledger import LabelLedger
from raggate_action.pipeline.label_session import LabelSession, Offer
from raggate_action.schema.calibration import LabelledSaid
from raggate_action.schema.judgement import JudgedVerdict


class LabelJobs:
    """The sessions of a run's jobs, over one file.

    Attributes:
        claims: Of claims.
        items: Of the gates that only judges feed, as far as the run asked them.
    """

    def __init__(self, claims: LabelSession, items: Sequence[ItemSession], ledger: LabelLedger) -> None:
        """Begin with claims.

        Args:
            claims: Of claims.
            items: Of facts and criteria, those there are.
            ledger: The file.
        """
        self.claims = claims
        self.items = tuple(items)
        self._ledger = ledger
        self._all: list[LabelSession | ItemSession] = [claims, *items]
        self._at = 0
        # Whoever went over to a job by hand stays there.
        self._stays = False
        # The job of each step that stands.
        self._steps: list[int] = []

    @property
    def total(self) -> int:
        """All that the run has to label."""
        return self.claims.total + sum(session.total for session in self.items)

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

    def offer(self) -> Offer | ItemOffer | None:
        """The next thing to label; None where nothing is left of any job.

        A job that has labels enough waits until the others have.
        """
        here = self._all[self._at]
        found = here.offer()
        if found is not None and (self._stays or here.progress.missing.labels):
            return found
        lacking = [each for each in self._others() if each.progress.missing.labels and each.offer() is not None]
        if not lacking and found is not None:
            return found
        following = next(iter(lacking or [each for each in self._others() if each.offer() is not None]), None)
        if following is None:
            return None
        self._at, self._stays = self._all.index(following), False
        return following.offer()

    def go_over(self) -> bool:
        """Go to the next job that has something to label; False where none has."""
        following = next((each for each in self._others() if each.offer() is not None), None)
        if following is None:
            return False
        self._at, self._stays = self._all.index(following), True
        return True

    def label_claim(self, offer: Offer, verdict: JudgedVerdict, note: str | None) -> LabelSession:
        """Write down what a person says of a claim; the session it belongs to.

        Raises:
            UsageError: The file cannot be written, or somebody else has changed it.
        """
        self.claims.label(offer, verdict, note)
        self._steps.append(0)
        return self.claims

    def label_item(self, offer: ItemOffer, said: LabelledSaid, note: str | None) -> ItemSession:
        """The same of a fact or criterion.

        Raises:
            UsageError: As `label_claim`.
        """
        session = next(each for each in self.items if each.gate == offer.of.gate)
        session.label(offer, said, note)
        self._steps.append(self._all.index(session))
        return session

    def skip(self, offer: Offer | ItemOffer) -> None:
        """Offer it no more in this session."""
        self._ledger.skip(offer.turn.key)
        self._steps.append(self._at)

    def back(self) -> bool:
        """Undo the last label or skip, of whatever job, so that it is offered again; False where there is none.

        Raises:
            UsageError: As `label_claim`.
        """
        if not self._ledger.back():
            return False
        self._at, self._stays = self._steps.pop(), True
        return True

    def _others(self) -> list[LabelSession | ItemSession]:
        return [*self._all[self._at + 1 :], *self._all[: self._at]]
