"""What cases demanded on the baseline, what they no longer demand, and whether a case is still the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from raggate_action.core.comparison.setting_changes import OF_A_CASE, Demand, fewer, more
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.base import digest_of
from raggate_action.schema.case import Case, MustNot, Phrase, RequiredPoint, phrase_in_words
from raggate_action.schema.case_run import CaseKind, CaseRun
from raggate_action.schema.chunk_permissions import RestrictedChunks
from raggate_action.schema.demands import Demands
from raggate_action.schema.outcome import Failed, GateName, Outcome, StageName, Unmeasured
from raggate_action.schema.run import Policy, Provenance, Run, RunDescription, StartedRun
from raggate_action.strings.passages import folded_quote
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.panel import Panel
    from raggate_action.schema.policy_change import Relief

PHRASES = ("must_contain", "must_not_contain")
QUOTES = "required_quotes"


class CaseChange(NamedTuple):
    """What became of a case's demands.

    Attributes:
        reliefs: What it demands no more.
        asks_otherwise: Its question changed: then the old demands are not its own.
        unknown: Some of what it demanded may not be written, so no answer can be judged by it.
    """

    reliefs: tuple[Relief, ...]
    asks_otherwise: bool = False
    unknown: bool = False


def case_change(before: Demands, after: Demands) -> CaseChange:
    """Compare the demands of one case.

    Args:
        before: On the baseline.
        after: On the head.
    """
    lost = set(before.withheld or ()) - set(after.withheld or ())
    return CaseChange(tuple(_reliefs(before, after, lost)), before.asked != after.asked, bool(lost))


def content_of(demands: Demands) -> str:
    """Equal for two cases that ask and demand the same under different ids."""
    return demands.model_dump_json(exclude_none=True)


def _reliefs(before: Demands, after: Demands, lost: set[tuple[str, str]]) -> Iterator[Relief]:
    for demand in OF_A_CASE:
        if demand.weaker is fewer:
            relief = _dropped(demand.key, before, after, withheld=any(name == demand.key for name, _digest in lost))
        else:
            relief = _changed(demand, before, after)
        if relief is not None:
            yield relief


def _dropped(field: str, before: Demands, after: Demands, *, withheld: bool) -> Relief | None:
    """The items that are gone from a list of demands, and those that have come in their stead."""
    from raggate_action.schema.policy_change import Relief

    old, new = _items(before, field), _items(after, field)
    gone = [word for key, word in old.items() if key not in new]
    if not (gone or withheld):
        return None
    come = [word for key, word in new.items() if key not in old]
    return Relief(field=field, before=tuple(gone), after=tuple(come), withheld=withheld)


def _changed(demand: Demand, before: Demands, after: Demands) -> Relief | None:
    """A single demand with a weaker value; who asks is a list of which every entry that comes is one."""
    from raggate_action.schema.policy_change import Relief

    field = demand.key
    nothing = Case.model_fields[field].default
    was, now = (nothing if value is None else value for value in (getattr(before, field), getattr(after, field)))
    if was is None or was == now or not demand.weaker(was, now):
        return None
    if demand.weaker is more:
        return Relief(field=field, before=was, after=tuple([each for each in now if each not in was]))
    return Relief(field=field, before=(_word(was),), after=() if now is None else (_word(now),))


def _word(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value).lower() if value is True else str(value)


def _items(demands: Demands, field: str) -> dict[str, str]:
    """The items of a list of demands: a key that is equal on both runs, and the words that reports show."""
    found = cast("Sequence[Phrase | RequiredPoint | MustNot] | None", getattr(demands, field)) or ()
    if field in PHRASES:
        return {demand_digest(each): phrase_in_words(cast("Phrase", each)) for each in found}
    if field == QUOTES:
        return {demand_digest(each, field): str(each) for each in found}
    return {demand_digest(each): _item_text(each) for each in found}


def _item_text(item: Phrase | RequiredPoint | MustNot) -> str:
    if isinstance(item, MustNot):
        return f"must not: {item.must_not}"
    return item.id if isinstance(item, RequiredPoint) else str(item)


def demand_digest(item: Phrase | RequiredPoint | MustNot, field: str = "") -> str:
    """The key of an item of a list of demands; a point with a name alone has the key of its name.

    A quote is the same however its lines are broken.
    """
    if field == QUOTES and isinstance(item, str):
        item = folded_quote(item)
    if isinstance(item, RequiredPoint) and not (item.said or item.support_phrases):
        item = item.id
    return digest_of(item if isinstance(item, str) else item.model_dump(mode="json"))[:16]


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


class SuiteDemands(NamedTuple):
    """What a suite demands as a whole: of a baseline, or of the run compared with it.

    Attributes:
        policy: Gates, bars, slices and waivers.
        standard: Digest of suite, cases and evidence: equal for two runs of which each case demanded the same.
        evidence_digest: Digest of its evidence store; None without one.
        restricted: Chunks that not everybody may read; None if that is not known.
        panel: Its judges.
        checks: Digests of the files of its cases' own checks.
    """

    policy: Policy
    standard: str
    evidence_digest: str | None
    restricted: tuple[RestrictedChunks, ...] | None
    panel: Panel | None = None
    checks: Mapping[str, str] = {}


def demands_of_suite(run: Run | RunDescription | StartedRun, panel: Panel | None) -> SuiteDemands:
    """What the suite of a run demands, with the judges that it was given."""
    provenance = run.provenance
    evidence = provenance.evidence_digest
    return SuiteDemands(run.policy, standard_of(provenance), evidence, run.restricted, panel, provenance.checks)


def standard_of(provenance: Provenance) -> str:
    """What a baseline's demands are known by on a run that was judged by them."""
    return standard(provenance.suite_digest, provenance.cases_digest, provenance.evidence_digest)


def standard(suite: str, cases: str, evidence: str | None) -> str:
    """The same of digests; without an evidence store its digest is None."""
    return digest_of([suite, cases, evidence])


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
        if row.kind == "known_bad":
            if row.blocked_as_named:
                return None
        elif row.state != "failed" or self._waivers.standing(row).state != "failed":
            return None
        outcomes = {gate: _first_problem(outcome) for gate, outcome in row.outcomes.items()}
        return FailedThen(outcomes, row.first_failed_stage, row.weight)


def _first_problem(outcome: Outcome) -> Outcome:
    return outcome.model_copy(update={"problems": outcome.problems[:1]}) if isinstance(outcome, Failed) else outcome


def baseline_row(case_id: str, position: int, digest: str, demanded: PastDemands) -> CaseRun:
    """A removed case as a row: failed if it failed on the baseline, else unmeasured."""
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
