"""Claims that people's labels call supported: what judges say of them who do not count needs no second look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from raggate_action.schema.base import digest_of_text
from raggate_action.schema.calibration import LabelledAnswer
from raggate_action.schema.case_run import Claim


class ClearedClaims(NamedTuple):
    """The claims of labelled answers that every label calls supported, by digest.

    A label speaks of a claim beside its question and its chunks. Of another question, or where one chunk says something
    else by now, it says nothing.
    """

    keys: frozenset[str] = frozenset()

    @classmethod
    def by(cls, labels: Iterable[LabelledAnswer]) -> ClearedClaims:
        """Those of some labels."""
        said: dict[bool, set[str]] = {True: set(), False: set()}
        for label in labels:
            chunks = [chunk.text for chunk in label.chunks]
            for claim in label.labelled:
                said[claim.verdict == "supported"].add(_key(claim.text, label.question, chunks))
        return cls(frozenset(said[True] - said[False]))

    def with_cleared(self, claims: tuple[Claim, ...], question: str, chunks: Iterable[str | None]) -> tuple[Claim, ...]:
        """The claims of an answer, those cleared marked; of a chunk whose text is not at hand nothing is known."""
        texts = list(chunks)
        if not self.keys or None in texts:
            return claims
        known = [text or "" for text in texts]
        return tuple(
            [
                claim.model_copy(update={"cleared": True})
                if claim.votes and _key(claim.text, question, known) in self.keys
                else claim
                for claim in claims
            ]
        )


def _key(claim: str, question: str, chunks: Iterable[str]) -> str:
    # Chunks in any order; a NUL stands in no text that people read.
    return digest_of_text("\0".join([claim, question, *sorted(chunks)]))
