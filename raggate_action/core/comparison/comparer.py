"""Head run against baseline run, case by case, while the head's rows stream by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from datetime import date
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import (
    HAD_PASSED,
    BaselineIndex,
    PastCase,
    Then,
    is_same_answer,
    passes,
    versions_moved,
)
from raggate_action.core.comparison.certain_regressions import add_certain, add_missed, add_phrase
from raggate_action.core.comparison.change_list import ChangeList
from raggate_action.core.comparison.hallucination_changes import add_hallucinations, add_new_phrases, add_suspects
from raggate_action.core.comparison.lost_measurements import LostMeasurements
from raggate_action.core.comparison.poorer_count import PoorerCount
from raggate_action.core.comparison.said_by_many import SaidByMany
from raggate_action.core.comparison.same_judges import why_missed
from raggate_action.core.counting.case_state import (
    NamedCases,
    hundredths,
    is_faulted,
    was_answered,
    was_run,
)
from raggate_action.core.counting.chunk_sources import LostSourcesCount, SourceChanges
from raggate_action.core.counting.judge_only_findings import advised_claims
from raggate_action.core.counting.run_totals import Facts
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import HALLUCINATION_GATES, Standing, Waivers
from raggate_action.core.statistics.mcnemar import mcnemar_mid_p
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.change import Change
from raggate_action.schema.comparison import (
    BaselineAmounts,
    CaseIds,
    Comparison,
    EvaluatedAgain,
    GateDelta,
    JudgesLost,
    LeftCount,
    NotJudgedAgain,
    SharedTotals,
    SlowerCases,
    VersionChange,
)
from raggate_action.schema.counts import PipelineVersion
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.outcome import GATES, GateName, Problem, StageName
from raggate_action.schema.panel import Panel
from raggate_action.schema.run import Policy, SuiteCase


class SuiteChanges(NamedTuple):
    """Case ids in suite order; known-bad cases are in the suite like any other.

    Attributes:
        changed: In both suites, with another digest: not compared.
        added: In the head's suite alone.
        removed: In the baseline's suite alone; those a waiver excuses stand first, so that cutting loses none of them.
        not_run: To be run on the baseline, in the head's suite, and out of its scope.
    """

    changed: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    not_run: int


def suite_changes(
    head_cases: Iterable[SuiteCase],
    past: Mapping[str, PastCase],
    *,
    excused: Collection[str],
    renamed: Collection[str] = (),
) -> SuiteChanges:
    """Compare the head's suite with the baseline's. A case that is only out of scope is not removed.

    Args:
        head_cases: Every case of the head's suite, in suite order.
        past: Every case of the baseline's suite.
        excused: Removed cases that a waiver names.
        renamed: See `Comparer`.
    """
    seen: set[str] = set()
    changed: list[str] = []
    added: list[str] = []
    not_run = 0
    for case_id, digest, in_scope in head_cases:
        seen.add(case_id)
        before = past.get(case_id)
        if before is None:
            added.append(case_id)
            continue
        if before.digest != digest:
            changed.append(case_id)
        not_run += before.in_scope and not in_scope
    removed = [case_id for case_id in past if case_id not in seen and case_id not in renamed]
    removed.sort(key=lambda case_id: case_id not in excused)
    return SuiteChanges(tuple(changed), tuple(added), tuple(removed), not_run)


class SlowerCount:
    """Counts the cases that take three times as long as on the baseline, and a second longer."""

    def __init__(self) -> None:
        self._timed = self._slower = self._faster = 0
        self._worst = SlowerCases(cases=0, timed=0, case_id="", before_ms=0, now_ms=0)

    def add(self, row: CaseRun, before_ms: float | None) -> None:
        """Count one case that was answered on both runs."""
        now_ms = row.latency_ms
        if before_ms is None or now_ms is None:
            return
        self._timed += 1
        self._faster += _is_far_longer(before_ms, now_ms)
        if _is_far_longer(now_ms, before_ms):
            self._slower += 1
            worst = self._worst
            if (now_ms - before_ms, row.case_id) > (worst.now_ms - worst.before_ms, worst.case_id):
                updated = {"case_id": row.case_id, "before_ms": before_ms, "now_ms": now_ms}
                self._worst = worst.model_copy(update=updated)

    @property
    def result(self) -> SlowerCases | None:
        """What was counted; None where as many cases took as much less time, as of an app that is slow by chance."""
        if not self._slower or mcnemar_mid_p(self._slower, self._faster) > _CHANCE_OF_SLOWER:
            return None
        return self._worst.model_copy(update={"cases": self._slower, "timed": self._timed})


def _is_far_longer(ms: float, than_ms: float) -> bool:
    """Small times vary by any factor."""
    return ms >= 3 * than_ms and ms - than_ms >= 1_000


# Of an unchanged app a case is as likely slower as faster: four cases and none the other way are below it.
_CHANCE_OF_SLOWER = 0.05
_TOLD_BESIDE_ANSWERS = frozenset({*GATES, "hallucination_rate"})
_MEASURED = frozenset({"passed", "failed", "flaky"})
_OF_HALLUCINATIONS = frozenset([GATES[gate] for gate in HALLUCINATION_GATES.values()])
# Of the baseline the stage alone is kept.
_FIRST_GATES: dict[StageName, GateName] = {stage: gate for gate, stage in reversed(GATES.items())}


class Comparer:
    """Holds a head run's rows against a baseline, in any order; keeps counts and the heaviest cases by name.

    Cases are compared when both runs ran them with the same digest; known-bad cases never are.
    """

    def __init__(
        self,
        baseline: BaselineIndex,
        policy: Policy,
        *,
        decided_on: date,
        panel: Panel | None = None,
        is_chosen: bool = False,
        renamed: Collection[str] = (),
    ) -> None:
        """Start from nothing.

        Args:
            baseline: The baseline run.
            policy: What the head run is judged by; its waivers are considered.
            decided_on: The day that decides which waivers hold.
            panel: The head's judges.
            is_chosen: Its cases were named one by one, so that nothing is asked of the suite.
            renamed: Cases that are only called otherwise than on the baseline: they are not removed.
        """
        self._baseline, self._renamed = baseline, renamed
        self._waivers = Waivers(policy, decided_on=decided_on)
        self._gates = policy.gates
        self._keeps_words = policy.texts != "ids"
        self._compared = 0
        self._rules_tell = policy.gates.new_suspects.level != "off"
        self._named = NamedCases(rules_tell=self._rules_tell)
        self._changes = ChangeList(policy.gates, self._named)
        self._protected = policy.slices.protected_names
        self._not_comparable: TopN[str] = TopN(LISTED_AT_MOST)
        self._why_left: Counter[NotJudgedAgain] = Counter()
        self._again = 0
        self._shared: Counter[str] = Counter()
        self._said = SaidByMany()
        self._slower = SlowerCount()
        self._advised: TopN[str] = TopN(LISTED_AT_MOST)
        self._is_chosen = is_chosen
        self._poorer = PoorerCount(self._named, self._waivers, baseline.run.decided_at)
        shown = baseline.run.sources
        recur = shown is not None and bool(shown.recur)
        self._sources = SourceChanges(frozenset(shown.names) if shown is not None else None, told=recur)
        self._gone = LostSourcesCount(recur=recur)
        self._lost = LostMeasurements(baseline.run.panel, panel, policy, self._waivers.judges_lost)

    def add(self, row: CaseRun) -> None:
        """Compare one case of the head run; a flaky one has neither kept what it had nor lost it."""
        past = self._baseline.cases.get(row.case_id)
        if is_faulted(row):
            # Whatever else of the case has changed: the baseline could tell how it stands, and this run cannot.
            then = past.then if past is not None else None
            if (past is not None and past.unread is not None) or (then is not None and then.state != "unmeasured"):
                self._changes.add(row, "unmeasured", "new", Problem(code="fault", detail=""))
            return
        if past is not None and past.unread is not None:
            raise past.unread
        standing = self._waivers.standing(row)
        self._named.see(row, standing)
        self._poorer.add(row)
        if past is not None and past.digest != row.digest:
            past = None
        if past is not None:
            self._lost.add(row, past.measured)
        if row.kind == "known_bad":
            return
        self._sources.add(row)
        if past is not None and was_answered(row):
            self._gone.add(row, past.sources)
            self._slower.add(row, past.latency_ms)
        if row.state == "flaky":
            if past is not None:
                add_missed(self._changes, row, standing, past, self._gates)
            return
        add_phrase(self._changes, row, standing, past)
        if past is None:
            add_new_phrases(self._changes, row, standing)
            return
        if not past.is_comparable:
            self._not_comparable.offer(row.weight, row.position, row.case_id)
            self._why_left[why_missed(row) or self._baseline.left.get(row.case_id, "text")] += 1
        self._again += row.case_id in self._baseline.again
        if (then := past.then) is None:
            return
        self._compared += 1
        if row.judges and advised_claims(row):
            self._advised.offer(row.weight, row.position, row.case_id)
        changes = self._changes
        is_settled = add_hallucinations(changes, row, standing, past)
        self._add_state(row, standing, past, then, is_settled=is_settled)
        add_certain(changes, row, standing, past, then)
        self._add_shared(row, standing, then)
        self._said.add(row, past)
        add_missed(changes, row, standing, past, self._gates)
        add_suspects(changes, row, standing, past, protected=self._protected, waived=self._waivers.suspects)

    def _add_shared(self, row: CaseRun, standing: Standing, then: Then) -> None:
        """Sum one case; it counts only where both runs have what is summed, so that like is held against like."""
        score = hundredths(row.score)
        if score is not None and then.score is not None:
            self._shared.update(scored=1, score_before=then.score, score_after=score)
        if was_run(row) and then.ran:
            self._shared.update(
                ran=1,
                hallucinating_before=int(then.hallucinating),
                hallucinating_after=int(bool(standing.hallucinations)),
                passed_before=int(then.passed),
                passed_after=int(passes(row, standing, rules_tell=self._rules_tell)),
            )

    def _add_state(self, row: CaseRun, standing: Standing, past: PastCase, then: Then, *, is_settled: bool) -> None:
        if then.state not in _MEASURED or standing.state not in _MEASURED:
            # An unmeasured or waived case has no first failed stage, and has not passed either.
            return
        if then.state in HAD_PASSED and standing.state == "failed" and standing.stage is not None:
            gate, problem = self._waivers.first_failure(row, standing)
            self._changes.add(row, gate, "new", problem)
            if is_same_answer(row, past):
                moved = [f"{name}: {before} → {now}" for name, before, now in versions_moved(row, past)]
                for each in moved or [""]:
                    self._changes.add(row, gate, "same", Problem(code="same-answer", detail=each))
        elif then.state == "failed" and standing.state == "passed" and then.stage is not None:
            # What failed the case may still be there, only seen by no gate any more.
            is_fixed = is_settled or then.stage not in _OF_HALLUCINATIONS
            self._changes.add(row, _FIRST_GATES[then.stage], "fixed" if is_fixed else "unknown")

    def comparison(self, head_cases: Iterable[SuiteCase], head_facts: Facts) -> Comparison:
        """Everything that moved.

        Args:
            head_cases: Every case of the head's suite: id, digest, whether it was in scope.
            head_facts: The head run's facts, for its pipeline versions.
        """
        baseline, head_cases = self._baseline, tuple(head_cases)
        suite = suite_changes(head_cases, baseline.cases, excused=self._waivers.removed, renamed=self._renamed)
        changes = self._changes.listed
        return Comparison(
            baseline_decided_at=baseline.run.decided_at,
            baseline_git_sha=baseline.run.provenance.git_sha,
            baseline_decision=baseline.run.decision.kind,
            compared=self._compared,
            changed=_case_ids(suite.changed),
            added=_case_ids(suite.added),
            removed=_case_ids(suite.removed),
            not_run=suite.not_run,
            gates=tuple(
                [
                    GateDelta(name=gate.gate, passed=gate.passed, scored=gate.scored)
                    for gate in baseline.counted.gates
                    if gate.passed is not None and gate.scored is not None
                ]
            ),
            slices=tuple(
                [GateDelta(name=part.name, passed=part.passed, scored=part.scored) for part in baseline.counted.slices]
            ),
            statuses={
                name: status
                for run in (baseline.run, baseline.counted)
                for name, status in (
                    *[(gate.gate, gate.status) for gate in run.gates],
                    *[(part.name, part.status) for part in run.slices],
                )
            },
            changes=changes,
            counts=self._changes.counts,
            shared=SharedTotals(**self._shared),
            said_by_many=self._said.result(baseline.cases.values()),
            versions=version_changes(baseline.run.pipeline_versions, head_facts.pipeline_versions),
            baseline=BaselineAmounts.model_validate(baseline.counted.summary, from_attributes=True),
            answers=self._answers(changes),
            again=self._evaluated_again(),
            judges_lost=self._judges_lost(head_cases),
            poorer=self._poorer.result(),
            named=self._named.result,
            new_sources=self._sources.result,
            gone_sources=self._gone.result,
            slower=self._slower.result,
        )

    def _judges_lost(self, head_cases: Iterable[SuiteCase]) -> JudgesLost | None:
        lost = deepcopy(self._lost)
        for place, (case_id, digest, in_scope) in enumerate(head_cases if not self._is_chosen else ()):
            past = self._baseline.cases.get(case_id)
            if not in_scope and past is not None and past.digest == digest:
                lost.add_not_run(case_id, past.measured, place)
        return lost.result()

    def _answers(self, changes: Iterable[Change]) -> dict[str, str]:
        """The baseline's answers to the cases that got worse, or that judges advise on, and are listed."""
        if not self._keeps_words:
            return {}
        worse = [each.case_id for each in changes if each.move == "new" and each.gate in _TOLD_BESIDE_ANSWERS]
        ids = dict.fromkeys([*worse, *self._advised.ranked])
        answers = {each: self._baseline.cases[each].answer for each in ids if each in self._baseline.cases}
        return {case_id: answer for case_id, answer in answers.items() if answer is not None}

    def _evaluated_again(self) -> EvaluatedAgain | None:
        left = self._not_comparable
        if not (left.offered or self._again):
            return None
        why = sorted(self._why_left.items(), key=lambda item: (-item[1], item[0]))
        return EvaluatedAgain(
            version=self._baseline.run.provenance.raggate_version,
            compared=self._again,
            not_comparable=left.ranked,
            cases=left.offered,
            why=tuple([LeftCount(why=each, cases=cases) for each, cases in why]),
        )


def _case_ids(case_ids: tuple[str, ...]) -> CaseIds:
    return CaseIds(cases=len(case_ids), named=case_ids[:LISTED_AT_MOST])


def version_changes(before: Iterable[PipelineVersion], after: Iterable[PipelineVersion]) -> tuple[VersionChange, ...]:
    """Pipeline version keys whose values differ between two runs, by key."""
    then, now = _values_by_key(before), _values_by_key(after)
    return tuple(
        [
            VersionChange(key=key, before=then.get(key, ()), after=now.get(key, ()))
            for key in sorted({*then, *now})
            if then.get(key) != now.get(key)
        ]
    )


def _values_by_key(versions: Iterable[PipelineVersion]) -> dict[str, tuple[str, ...]]:
    values: dict[str, set[str]] = {}
    for version in versions:
        values.setdefault(version.key, set()).add(version.value)
    return {key: tuple(sorted(found)) for key, found in values.items()}
