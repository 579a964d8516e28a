"""What the cases of a baseline demanded, and its suite as a whole: kept small, beside how each case stood."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.base import digest_of
from raggate_action.schema.case_run import CaseKind, CaseRun
from raggate_action.schema.outcome import Failed, GateName, Outcome, StageName, Unmeasured
from raggate_action.schema.panel import Panel
from raggate_action.schema.permissions import RestrictedChunks
from raggate_action.schema.run import Policy, Provenance, Run
from raggate_action.strings.visible_text import cut

# Shown where the question changed.
_QUESTION_LENGTH = 200
_GONE = Unmeasured(reason="trace", detail="")


class FailedThen(NamedTuple):
    """How a case failed on the baseline: its outcomes, each with its first problem alone, and the stage."""

    outcomes: dict[GateName, Outcome]
    stage: StageName | None
    weight: float


class PastDemands(NamedTuple):
    """What a case demanded on the baseline.

    Attributes:
        demands: `Demands` as JSON; None where the run was made before they were kept.
        kind: Ordinary, must be released, or known bad.
        blocked_at: For a known-bad case, the stage that has to fail first.
        question: What was asked, cut for display.
        slices: The slices it belonged to.
        failed: How it failed, or got through where it had to be blocked; None where it stood as it should.
    """

    demands: bytes | None
    kind: CaseKind
    blocked_at: StageName | None
    question: str
    slices: tuple[str, ...]
    failed: FailedThen | None


class BaselineSuite(NamedTuple):
    """What a baseline's suite demanded as a whole.

    Attributes:
        policy: Gates, bars, slices and waivers.
        standard: Digest of suite, cases and evidence: equal for two runs of which each case demanded the same.
        evidence_digest: Digest of its evidence store; None without one.
        restricted: Chunks not everybody might be shown; None where that is not known.
        panel: Its judges.
        checks: Digests of the files of its cases' own checks.
    """

    policy: Policy
    standard: str
    evidence_digest: str | None
    restricted: tuple[RestrictedChunks, ...] | None
    panel: Panel | None = None
    checks: Mapping[str, str] = {}


def suite_of(run: Run) -> BaselineSuite:
    """What the suite of a finished run demanded."""
    provenance = run.provenance
    evidence = provenance.evidence_digest
    return BaselineSuite(run.policy, standard_of(provenance), evidence, run.restricted, run.panel, provenance.checks)


def standard_of(provenance: Provenance) -> str:
    """What a baseline's demands are known by on a run that was judged by them."""
    return digest_of([provenance.suite_digest, provenance.cases_digest, provenance.evidence_digest])


class DemandsOfRows:
    """What rows demand, with the names of slices shared between them."""

    def __init__(self, waivers: Waivers) -> None:
        self._waivers = waivers
        self._slices: dict[tuple[str, ...], tuple[str, ...]] = {}

    def of(self, row: CaseRun) -> PastDemands:
        """What the case of `row` demanded."""
        slices = self._slices.setdefault(row.slices, row.slices)
        demands = None if row.demands is None else row.demands.model_dump_json(exclude_none=True).encode()
        question = cut(row.question, _QUESTION_LENGTH)
        return PastDemands(demands, row.kind, row.blocked_at, question, slices, self._failed(row))

    def _failed(self, row: CaseRun) -> FailedThen | None:
        if row.blocked_as_named if row.kind == "known_bad" else self._waivers.standing(row).state != "failed":
            return None
        outcomes = {gate: _first_problem(outcome) for gate, outcome in row.outcomes.items()}
        return FailedThen(outcomes, row.first_failed_stage, row.weight)


def _first_problem(outcome: Outcome) -> Outcome:
    return outcome.model_copy(update={"problems": outcome.problems[:1]}) if isinstance(outcome, Failed) else outcome


def row_as_it_was(case_id: str, position: int, digest: str, demanded: PastDemands) -> CaseRun:
    """A row that counts as the case stood on the baseline where it failed, else as one that nobody measured."""
    failed = demanded.failed
    outcomes: dict[GateName, Outcome] = failed.outcomes if failed is not None else {"target": _GONE}
    return CaseRun(
        case_id=case_id,
        position=position,
        digest=digest,
        kind=demanded.kind,
        file="",
        line=1,
        question=demanded.question,
        weight=failed.weight if failed is not None else 1,
        slices=demanded.slices,
        state="failed" if failed is not None else "unmeasured",
        outcomes=outcomes,
        first_failed_stage=failed.stage if failed is not None else None,
        blocked_at=demanded.blocked_at,
    )
