"""The baseline's suite beside the head's: what the head's answers are evaluated by as well, and what that decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.core.claims.claim_extraction import Reading
from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.core.comparison.same_judges import JudgedBy
from raggate_action.core.counting.waivers import Waivers
from raggate_action.core.decision.decide import decide
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.gates.baseline_suite import BaselineSuite
from raggate_action.core.text.citations import MarkerPattern
from raggate_action.isolation.suite_patterns import marker_patterns
from raggate_action.run.row_counting import Count
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.evidence import EvidenceChunk, EvidenceStore
from raggate_action.schema.later import Comparison, RemovedCase, StoredSuite, Waiver
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.outcome import GateName, Outcome, Unmeasured
from raggate_action.schema.run import Policy, SuiteCase

if TYPE_CHECKING:
    from raggate_action.core.comparison.suite_difference import SuiteDifference
    from raggate_action.core.counting.run_totals import Facts
    from raggate_action.core.gates.diagnosis import Rulebook

# What an answer is read by into claims and their verdicts, beside its case.
_READ_BY = ("pipeline", "language", "citation_markers", "readers", "labelled", "judges")
_GONE = Unmeasured(reason="trace", detail="")


def difference_from(
    baseline: BaselineIndex | None, digest: str, suite: Callable[[], StoredSuite], *, decided_on: date
) -> SuiteDifference | None:
    """How the baseline's suite differs from the head's; None where it does not, or is not at hand.

    Args:
        baseline: The baseline.
        digest: Digest of the head's `suite.json`; where it is the baseline's, neither is read.
        suite: Reads the head's.
        decided_on: The day that decides which waivers hold.

    Raises:
        RunStoreError: The baseline's is none that raggate writes.
    """
    if (
        baseline is None
        or baseline.suite is None
        or "" in {digest, baseline.run.suite_digest}
        or baseline.run.suite_digest == digest
    ):
        return None
    from raggate_action.core.comparison.suite_difference import suite_difference

    found = suite_difference(baseline.suite(), suite(), decided_on=decided_on)
    return found if found.changes or found.waivers else None


def suite_to_evaluate_by(
    difference: SuiteDifference, baseline: BaselineIndex, rules: Rulebook, judging_digest: str
) -> BaselineSuite:
    """The baseline's suite, to evaluate answers by over the head's evidence and addresses.

    Args:
        difference: The two suites.
        baseline: The baseline.
        rules: What the head judges by.
        judging_digest: See `Provenance`; of the head.
    """
    before, after = difference.before, difference.after
    try:
        patterns: tuple[MarkerPattern, ...] = marker_patterns(before.citation_markers)
    except re.error:
        # Its file was changed behind its suite, which admits no such expression.
        patterns = rules.reading.patterns
    store, restricted = _as_permitted(rules.store, difference), rules.restricted
    if store is not rules.store:
        restricted = RestrictedText(store)
    is_read_alike = all(getattr(before, name) == getattr(after, name) for name in _READ_BY)
    return BaselineSuite(
        suite=before,
        cases={case.case_id: case for case in before.cases},
        digests={case_id: past.digest for case_id, past in baseline.cases.items()},
        reading=Reading(patterns, before.language, rules.reading.own_addresses),
        store=store,
        restricted=restricted,
        excused=frozenset(difference.answered_for),
        same_reading=is_read_alike,
        same_rules=is_read_alike and baseline.judged_by.policy == judging_digest,
    )


def _as_permitted(store: EvidenceStore | None, difference: SuiteDifference) -> EvidenceStore | None:
    """The head's evidence, each chunk for those who might be shown it on the baseline."""
    was, now = difference.before.readers, difference.after.readers
    if store is None or was is None or now is None:
        return store
    if was == now:
        return store

    def permitted(chunk: EvidenceChunk) -> EvidenceChunk:
        readers = was.get(chunk.chunk_id)
        facts = chunk.facts._replace(permitted=readers is None or bool(readers), principals=readers or ())
        return EvidenceChunk(chunk.chunk_id, facts, chunk.text, chunk.origin)

    return EvidenceStore(map(permitted, store), digest=store.digest)


def cases_to_ask(difference: SuiteDifference, baseline: BaselineIndex, first: int) -> list[PlacedCase]:
    """The cases that only the baseline's suite has and that passed there, without those that somebody answers for.

    Nobody asks a check that only the baseline's suite names, so a case with one is not asked either.

    Args:
        difference: The two suites.
        baseline: The baseline.
        first: The position of the first.
    """
    cases = {case.case_id: case for case in difference.before.cases}
    asked = [each for each in _passed_and_gone(difference, baseline) if cases[each].custom_check is None]
    return [
        PlacedCase(cases[case_id], first + number, baseline.cases[case_id].digest, "", 1)
        for number, case_id in enumerate(asked)
    ]


def _passed_and_gone(difference: SuiteDifference, baseline: BaselineIndex) -> list[str]:
    left = [case_id for case_id in difference.gone if case_id not in difference.let_go and case_id in baseline.cases]
    return [each for each in left if (then := baseline.cases[each].then) and then.state in {"passed", "flaky"}]


class ByBaselineSuite(NamedTuple):
    """The baseline's suite beside a run's own.

    Attributes:
        difference: How the two differ.
        rows: The run's rows by the baseline's suite, those of cases asked once more behind; None where its answers were
            not evaluated by that.
    """

    difference: SuiteDifference
    rows: Callable[[], Iterator[CaseRun]] | None


def with_baseline_suite(
    comparison: Comparison,
    by_suite: ByBaselineSuite,
    policy: Policy,
    judged_by: JudgedBy,
    facts: Facts,
    counted: Count,
    cases: tuple[SuiteCase, ...],
) -> Comparison:
    """The comparison, with the two suites compared and what the baseline's decides of the run's answers.

    Args:
        comparison: The run against its baseline.
        by_suite: The baseline's suite.
        policy: The run's.
        judged_by: What its cases were judged by.
        facts: What was counted of it, by its own suite.
        counted: The count, which knows what it was held against.
        cases: Every case of its suite.
    """
    from raggate_action.schema.suite_comparison import FAILING_AT_MOST, SuiteComparison

    difference, baseline = by_suite.difference, counted.baseline
    # By its own suite, whatever the run's made of its answers.
    baseline = baseline.own or baseline if baseline is not None else None
    found = SuiteComparison(
        level=difference.before.gates.policy_weakened.level,
        changes=difference.changes[:LISTED_AT_MOST],
        changed=len(difference.changes),
        waivers=difference.waivers[:LISTED_AT_MOST],
        waiver=difference.answered_for.get(""),
        unknown=difference.unknown,
        still_enforced=difference.still_enforced,
    )
    if by_suite.rows is None or baseline is None:
        return comparison.model_copy(update={"policy": found})
    before = difference.before
    update = {"gates": before.gates, "slices": before.slices, "waivers": _all_waivers(difference)}
    then = baseline.run.policy.model_copy(update={**update, "texts": policy.texts})
    asked, left, again, compared = _counted_again(
        difference, by_suite.rows, then, counted, _comparable(baseline, judged_by), cases
    )
    decided = decide(again, policy=then, comparison=compared)
    blocking = [gate for gate in decided.gates if gate.level == "block" and gate.status in {"failed", "unmeasured"}]
    told = {*asked, *left, *[row.case_id for row in facts.listed.failing]}
    failing = [row for row in again.listed.failing if row.case_id not in told][:FAILING_AT_MOST]
    found = found.model_copy(
        update={
            "decision": decided.decision.kind,
            "blocking": tuple([gate.model_copy(update={"offenders": gate.offenders[:1]}) for gate in blocking]),
            "failing": tuple(failing),
            "red_slices": tuple([part for part in decided.slices if part.status == "failed"]),
            "removed": tuple(_removed(_passed_and_gone(difference, baseline), asked, then, counted.decided_on)),
        }
    )
    past = [(row.case_id, baseline.cases.get(row.case_id)) for row in failing if policy.texts != "ids"]
    answers = {case_id: each.answer for case_id, each in past if each is not None and each.answer is not None}
    return comparison.model_copy(update={"policy": found, "answers": {**answers, **comparison.answers}})


def _comparable(baseline: BaselineIndex, judged_by: JudgedBy) -> BaselineIndex:
    """The baseline as far as its own rows compare: its answers are evaluated again by the head's suite alone."""
    before = baseline.judged_by
    if (judged_by.version, judged_by.judges) == (before.version, before.judges):
        return baseline
    cases = {case_id: past._replace(then=None) for case_id, past in baseline.cases.items()}
    return baseline._replace(cases=cases, left=dict.fromkeys(cases, "not-asked"))


def _counted_again(
    difference: SuiteDifference,
    rows: Callable[[], Iterator[CaseRun]],
    policy: Policy,
    counted: Count,
    baseline: BaselineIndex,
    cases: tuple[SuiteCase, ...],
) -> tuple[dict[str, CaseRun], list[str], Facts, Comparison | None]:
    """The run counted by the baseline's suite; the cases that only that has, asked once more and not, before it."""
    asked: dict[str, CaseRun] = {}
    carried: list[CaseRun] = []
    count = Count(
        policy,
        decided_on=counted.decided_on,
        baseline=baseline,
        panel=counted.panel,
        is_chosen=counted.is_chosen,
        renamed=difference.renamed,
        rows=lambda: chain(rows(), carried),
    )
    for row in rows():
        count.add(row)
        if row.position >= len(cases):
            asked[row.case_id] = row
    left = [each for each in difference.gone if each not in difference.let_go and each not in asked]
    carried += _carried(left, baseline, len(cases) + len(asked))
    for row in carried:
        count.add(row)
    return asked, left, *count.counted(_with_removed(cases, (*asked.values(), *carried)))


def _all_waivers(difference: SuiteDifference) -> tuple[Waiver, ...]:
    """The head's waivers, which count in both decisions, and what else the baseline has waived."""
    after = difference.after.waivers
    named = {(waiver.case, waiver.gate, waiver.hallucination) for waiver in after}
    before = difference.before.waivers
    return (*after, *[each for each in before if (each.case, each.gate, each.hallucination) not in named])


def _carried(gone: Iterable[str], baseline: BaselineIndex, first: int) -> Iterator[CaseRun]:
    """Rows of cases that only the baseline's suite has and nobody asked: as they failed there, else unmeasured."""
    wanted = frozenset(gone)
    rows = baseline.rows() if wanted and baseline.rows is not None else ()
    for number, row in enumerate([row for row in rows if row.case_id in wanted]):
        if row.state == "failed":
            yield row.model_copy(update={"position": first + number})
        else:
            named = {name: getattr(row, name) for name in ("case_id", "digest", "kind", "question", "slices")}
            outcomes: dict[GateName, Outcome] = {"target": _GONE}
            yield CaseRun(**named, position=first + number, file="", line=1, state="unmeasured", outcomes=outcomes)


def _with_removed(cases: Iterable[SuiteCase], removed: Iterable[CaseRun]) -> Iterator[SuiteCase]:
    """The head's cases and those taken out, which are then in the suite as they were."""
    again = {row.case_id: row.digest for row in removed}
    for case_id, digest, in_scope in cases:
        yield case_id, again.pop(case_id, digest), in_scope
    for case_id, digest in again.items():
        yield case_id, digest, True


def _removed(
    cases: Iterable[str], asked: dict[str, CaseRun], policy: Policy, decided_on: date
) -> Iterator[RemovedCase]:
    """The cases that were to be asked once more; those that fail first, for they hold the release up."""
    from raggate_action.schema.suite_comparison import RemovedCase

    waivers = Waivers(policy, decided_on=decided_on)
    found = []
    for case_id in cases:
        row = asked.get(case_id)
        standing = waivers.standing(row) if row is not None else None
        is_failed = row is not None and standing is not None and standing.state == "failed"
        fails = waivers.first_failure(row, standing)[1] if is_failed and row and standing else None
        found.append(RemovedCase(case_id=case_id, asked=row is not None, fails=fails))
    yield from sorted(found, key=lambda each: each.fails is None)[:LISTED_AT_MOST]
