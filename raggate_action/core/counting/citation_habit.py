"""Whether an app cites: how many of its answers do, and which of them are held to it whatever the others do."""

from __future__ import annotations

from raggate_action.schema.case_run import CaseRun


def cites(row: CaseRun) -> bool:
    """Whether an answer cites anything, rightly or not."""
    return any(claim.citations for claim in row.claims)


def is_answer(row: CaseRun) -> bool:
    """Whether an ordinary case has an answer that could cite: one with claims, which does not decline."""
    answered = row.outcomes.get("answered")
    return bool(row.claims) and row.kind != "known_bad" and (answered is None or answered.kind != "failed")


def is_itemised(row: CaseRun) -> bool:
    """Whether the app gave the claims itself; such claims are held to their citations in any run."""
    return any(claim.start is None for claim in row.claims)


class CitingTally:
    """Counts answers and those that cite; the app cites where at least half of them do.

    Attributes:
        answers: Answers that could cite.
        citing: Those that do.
    """

    def __init__(self) -> None:
        self.answers = self.citing = 0

    def add(self, row: CaseRun) -> None:
        """Count one case."""
        if is_answer(row):
            self.answers += 1
            self.citing += cites(row)

    @property
    def app_cites(self) -> bool:
        """At least half of the answers cite; without an answer nobody knows, which is no."""
        return 2 * self.citing >= self.answers > 0
