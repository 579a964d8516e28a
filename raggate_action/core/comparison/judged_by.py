"""What cases were judged by: outcomes of two runs are like and like where it is the same."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.schema.base import digest_of
from raggate_action.schema.panel import Panel
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
    judges: str = ""

    @classmethod
    def of(cls, made: Provenance, panel: Panel | None = None) -> JudgedBy:
        """What the cases of a run were judged by; judges who only advise decide nothing."""
        return cls(made.raggate_version, made.judging_digest, made.evidence_digest, deciding(panel))

    def differs_in(self, other: JudgedBy) -> NotCarried | None:
        """The first thing in which two runs differ; None where outcomes of the one hold for the other."""
        if self.version != other.version:
            return "version"
        if self.policy != other.policy:
            return "policy"
        if self.evidence != other.evidence:
            return "evidence"
        return "judges" if self.judges != other.judges else None


def deciding(panel: Panel | None) -> str:
    """Digest of the judges whose verdicts count, of their prompt and of how many make a verdict; empty without any."""
    armed = frozenset(panel.armed) if panel is not None and panel.unavailable is None else frozenset()
    if panel is None or not armed or len(armed) < panel.quorum:
        return ""
    fingerprints = sorted(member.fingerprint for member in panel.members if member.name in armed)
    return digest_of([panel.prompt, panel.quorum, fingerprints])
