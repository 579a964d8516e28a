"""What judges said against the claims of a baseline's answer, kept so that the same is not new again."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.core.claims.false_claim_identity import MATCHED_AT_MOST, ClaimMeaning, is_same, statement_of
from raggate_action.schema.base import digest_of_text
from raggate_action.schema.case_run import CaseRun, Claim

_FALSE = frozenset(("unsupported", "contradicted"))


class CalledFaulty(NamedTuple):
    """The judges who were heard on an answer, and the claims that any of them calls unsupported or contradicted.

    Attributes:
        heard: The judges, each with its prompt, by digest; empty where none was heard.
        texts: Digests of those claims; of claims whose words are not kept, of none.
        said: What the first of them say.
    """

    heard: frozenset[str] = frozenset()
    texts: frozenset[str] = frozenset()
    said: tuple[ClaimMeaning, ...] = ()

    def has(self, claim: Claim) -> bool:
        """Whether a claim was called faulty, in these words or others; without its words, whether any was."""
        if digest_of_text(claim.text) in self.texts:
            return True
        said = statement_of(claim)
        return any(is_same(each, said) for each in self.said)


NOT_HEARD = CalledFaulty()


def heard_on(row: CaseRun) -> frozenset[str]:
    """The judges who were heard on the claims of an answer, each with its prompt, by digest."""
    return frozenset([judge.bound_to for judge in row.judges if judge.lost is None])


def called_faulty(row: CaseRun) -> CalledFaulty:
    """What judges said against the claims of an answer."""
    found = [claim for claim in row.claims if any(vote.verdict in _FALSE for vote in claim.votes)]
    texts = frozenset([digest_of_text(claim.text) for claim in found])
    return CalledFaulty(heard_on(row), texts, tuple([statement_of(claim) for claim in found[:MATCHED_AT_MOST]]))


def is_called_false_by_all(claim: Claim) -> bool:
    """Whether every judge heard on a claim calls it unsupported or contradicted."""
    return all(vote.verdict in _FALSE for vote in claim.votes)
