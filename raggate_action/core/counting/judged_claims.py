"""The claims that a run's panel decided, eight bytes each, found by their labels."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.schema.base import Rate, digest_of_text, rate_of
from raggate_action.schema.case_run import CaseRun

if TYPE_CHECKING:
    from raggate_action.schema.panel import DrawnLabel

_KEY_BYTES = 8


class LabelMatches(NamedTuple):
    """Claims drawn at random and labelled by people, with the panel's verdicts on them and on all others.

    Attributes:
        pairs: (people call it faulty, the panel does), of each claim labelled that the panel decided.
        others: Claims that the panel decided and nobody labelled.
        faulty_others: Of these, claims it calls anything but supported.
        is_stale: A label is of another answer to a case that was judged: it was drawn from another run.
    """

    pairs: tuple[tuple[bool, bool], ...]
    others: int
    faulty_others: int
    is_stale: bool


def _keys() -> array[int]:
    return array("Q")


@dataclass
class JudgedClaims:
    """Eight bytes for each answer judged, twice, and for each claim decided; known-bad cases are left out."""

    _cases: array[int] = field(default_factory=_keys)
    _answers: array[int] = field(default_factory=_keys)
    _claims: array[int] = field(default_factory=_keys)
    _faulty: bytearray = field(default_factory=bytearray)

    def add(self, row: CaseRun) -> None:
        """See the claims of one case, as it counts."""
        if row.kind == "known_bad" or not row.judges:
            return
        answer = row.answer_digest or ""
        self._cases.append(_key(row.case_id))
        self._answers.append(_key(row.case_id, answer))
        for claim in row.claims:
            if claim.judged:
                self._claims.append(_key(row.case_id, answer, digest_of_text(claim.text)))
                self._faulty.append(claim.verdict != "supported")

    @property
    def faulty(self) -> Rate:
        """Claims that the panel calls anything but supported, of those it decided."""
        return rate_of(sum(self._faulty), len(self._claims))

    def matches(self, sample: Iterable[DrawnLabel]) -> LabelMatches:
        """A sample's labels with the panel's verdicts; a label of a claim that the panel did not decide is left out."""
        labels = {_key(label.case_id, label.answer, label.claim): label for label in sample}
        pairs, labelled = [], set[int]()
        for key, faulty in zip(self._claims, self._faulty, strict=True):
            if key in labels and key not in labelled:
                labelled.add(key)
                pairs.append((labels[key].faulty, bool(faulty)))
        return LabelMatches(
            tuple(pairs),
            len(self._claims) - len(pairs),
            sum(self._faulty) - sum(faulty for _people, faulty in pairs),
            any(self._stale(labels.values())),
        )

    def _stale(self, labels: Iterable[DrawnLabel]) -> Iterator[bool]:
        cases, answers = set(self._cases), set(self._answers)
        for label in labels:
            yield _key(label.case_id) in cases and _key(label.case_id, label.answer) not in answers


def _key(*parts: str) -> int:
    digest = blake2b(digest_size=_KEY_BYTES)
    for part in parts:
        digest.update(part.encode(errors="replace") + b"\0")
    return int.from_bytes(digest.digest())
