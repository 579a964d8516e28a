"""What cases were judged by: outcomes of two runs are like and like where it is the same."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.schema.partial_scope import NotCarried
from raggate_action.schema.run import Provenance


class OtherVersion(NamedTuple):
    """A version of raggate whose rules a baseline was judged by, and how many of its cases were judged again."""

    version: str
    judged_again: int


class JudgedBy(NamedTuple):
    """What decides, beside the trace, how a case comes out."""

    version: str
    policy: str
    evidence: str | None

    @classmethod
    def of(cls, made: Provenance) -> JudgedBy:
        """What the cases of a run were judged by."""
        return cls(made.raggate_version, made.judging_digest, made.evidence_digest)

    def differs_in(self, other: JudgedBy) -> NotCarried | None:
        """The first thing in which two runs differ; None where outcomes of the one hold for the other."""
        if self.version != other.version:
            return "version"
        return "policy" if self.policy != other.policy else "evidence" if self.evidence != other.evidence else None
