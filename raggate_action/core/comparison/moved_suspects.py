"""Suspects of one case on two runs: what is new is a fact of the comparison, never of the trace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from raggate_action.core.comparison.baseline_index import PastCase
from raggate_action.core.counting.heaviest import Heaviest
from raggate_action.core.counting.row_suspects import suspects_in
from raggate_action.core.counting.waivers import Standing
from raggate_action.core.support.falsehood import MATCHED_AT_MOST, ClaimMeaning, is_same, statement_of, values_of
from raggate_action.schema.case_run import CaseRun, Claim, Finding
from raggate_action.schema.comparison import NewSuspect, NewSuspects
from raggate_action.schema.listed import LISTED_AT_MOST

_FALSE = frozenset(("unsupported", "contradicted"))


class MovedSuspects:
    """Counts cases with suspects that the baseline's answer to the same case did not have."""

    def __init__(self, protected: frozenset[str]) -> None:
        self._protected = protected
        self._conflicts: Heaviest[NewSuspect] = Heaviest(LISTED_AT_MOST)
        self._absences: Heaviest[NewSuspect] = Heaviest(LISTED_AT_MOST)
        self._conflict = self._absent = self._sharp = self._protected_cases = self._persisting = 0

    def add(self, row: CaseRun, standing: Standing, past: PastCase) -> None:
        """Compare one case of the head run with what the baseline found in it, in whatever words it stood there.

        A claim whose falsehood is waived is no suspect either.
        """
        found = suspects_of(row, standing)
        new = new_among(found, past)
        self._persisting += len(found) - len(new)
        if not new:
            return
        kinds = {finding.kind for _claim, finding in new}
        self._conflict += "conflict" in kinds
        self._absent += kinds == {"absent"}
        self._sharp += any(finding.sharp for _claim, finding in new)
        self._protected_cases += not self._protected.isdisjoint(row.slices)
        for claim, finding in new:
            suspect = NewSuspect(case_id=row.case_id, claim_id=claim.claim_id, text=claim.text, finding=finding)
            of_kind = self._conflicts if finding.kind == "conflict" else self._absences
            of_kind.offer(row.weight, row.position, suspect)

    @property
    def result(self) -> NewSuspects:
        """What was found."""
        return NewSuspects(
            conflict=self._conflict,
            absent=self._absent,
            sharp=self._sharp,
            protected=self._protected_cases,
            persisting=self._persisting,
            listed=(*self._conflicts.ranked, *self._absences.ranked)[:LISTED_AT_MOST],
            suspects=self._conflicts.offered + self._absences.offered,
        )


Suspect: TypeAlias = tuple[Claim, Finding]


def suspects_of(row: CaseRun, standing: Standing) -> list[Suspect]:
    """What makes claims of a case suspect, but for claims whose falsehood is waived."""
    return [pair for pair in suspects_in(row.claims) if not _is_waived(pair[0], row, standing)]


def new_among(found: Iterable[Suspect], past: PastCase) -> list[Suspect]:
    """Those that the baseline's answer to the same case did not have, in whatever words."""
    new = [(claim, finding) for claim, finding in found if finding.key not in past.suspects]
    if new and (before := [*past.doubtful, *(each.said for each in past.hallucinations)][:MATCHED_AT_MOST]):
        # Of an answer with more, the others count as new.
        looked_at, others = new[:MATCHED_AT_MOST], new[MATCHED_AT_MOST:]
        new = [pair for pair in looked_at if not _is_known(*pair, before)] + others
    return new


def _is_known(claim: Claim, finding: Finding, before: Sequence[ClaimMeaning]) -> bool:
    """Whether a finding is about what was found before on the same claim in other words."""
    said, values = statement_of(claim), values_of(finding, claim)
    return any(values <= each.values and is_same(each, said) for each in before)


def _is_waived(claim: Claim, row: CaseRun, standing: Standing) -> bool:
    if claim.verdict not in _FALSE:
        return False
    left = {hallucination.text for hallucination in standing.hallucinations}
    waived = {hallucination.text for hallucination in row.hallucinations} - left
    return "faithfulness" in standing.waived or (bool(claim.text) and claim.text in waived)
