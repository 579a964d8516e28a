"""How a head's suite demands less than its baseline's, or more: settings at once, cases while rows stream by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from raggate_action.core.comparison.baseline_index import BaselineIndex, PastCase
from raggate_action.core.comparison.case_changes import (
    CaseChange,
    PastDemands,
    SuiteDemands,
    baseline_row,
    case_change,
    content_of,
)
from raggate_action.core.comparison.panel_changes import panel_changes
from raggate_action.core.comparison.setting_changes import SettingChanges, decides_single_cases, setting_changes
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.chunk_permissions import HeldAgainst
from raggate_action.schema.demands import Demands
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.outcome import Problem
from raggate_action.schema.policy import POLICY_WEAKENED, REMOVED, Waiver
from raggate_action.schema.policy_change import (
    ChangedCase,
    LeftSlice,
    LoosenedChunk,
    LostCase,
    PolicyComparison,
    RelievedCase,
    Weakening,
)
from raggate_action.schema.run import SuiteCase
from raggate_action.strings.visible_text import cut

_QUESTION_LENGTH = 200
# Mostly of nothing, and then thrown away. What stands in it was checked as it was made or read.


class BaselineCase(NamedTuple):
    """The baseline's case of a row.

    Attributes:
        past: The case on the baseline; None for one that it did not have.
        before: What it demanded there, where its answer was judged by that as well; None otherwise.
        excused: Somebody answers for its demanding less.
    """

    past: PastCase | None = None
    before: Demands | None = None
    excused: bool = False


class DemandChanges:
    """Holds a head's suite against its baseline's; keeps counts and the heaviest cases by name.

    Attributes:
        judged_by_both: The head's answers were judged by this baseline's demands as well.
        may_matter: Something may demand less, so that a decision by the baseline's demands may differ.
        waiver: Answers for the weaker suite as a whole.
    """

    def __init__(
        self,
        baseline: BaselineIndex,
        head: SuiteDemands,
        cases: Iterable[SuiteCase],
        *,
        held_against: HeldAgainst | None,
        decided_on: date,
    ) -> None:
        """Compare the settings, and find the removed cases.

        Args:
            baseline: The baseline run.
            head: What the head demands.
            cases: Every case of the head's suite.
            held_against: The baseline whose demands the head's answers were judged by as well.
            decided_on: The day that decides which waivers hold.
        """
        self._baseline = baseline
        self._head, self._decided_on = head, decided_on
        self._panel = panel_changes(baseline.suite.panel, head.panel)
        settings = setting_changes(baseline.suite.policy, head.policy)
        self._settings = SettingChanges(
            (*settings.weaker, *self._panel.weaker), (*settings.stricter, *self._panel.stricter)
        )
        self.judged_by_both = held_against is not None and held_against.standard == baseline.suite.standard
        self._loosened = held_against if self.judged_by_both else None
        self._answered_for = {
            waiver.case: waiver
            for waiver in head.policy.waivers
            if waiver.gate == POLICY_WEAKENED and waiver.holds_on(decided_on)
        }
        self.waiver = self._answered_for.get("")
        present, changed = set(), False
        for case_id, digest, _in_scope in cases:
            present.add(case_id)
            past = baseline.cases.get(case_id)
            changed = changed or (past is not None and past.digest != digest)
        self._gone = [case_id for case_id in baseline.cases if case_id not in present]
        # A case of the same demands is the same under another id.
        known = [(case_id, _demands(baseline.cases[case_id].demanded)) for case_id in self._gone]
        self._contents = {content_of(demands): case_id for case_id, demands in known if demands is not None}
        self._renamed: dict[str, str] = {}
        self._protected = baseline.suite.policy.slices.protected_names
        by_tags = "tags" in baseline.suite.policy.slices.protected
        loosened = self._loosened is not None and self._loosened.loosenings > 0
        self.may_matter = bool(self._settings.weaker or self._gone or changed or loosened or by_tags)
        self._known_bad: list[str] = []
        self._answered: tuple[CaseRun, ...] = ()
        self._cases: TopN[Weakening] = TopN(LISTED_AT_MOST)
        self._changed: TopN[ChangedCase] = TopN(LISTED_AT_MOST)
        self._unjudged = 0

    def add(self, row: CaseRun) -> BaselineCase:
        """Compare one case of the head run with the baseline's."""
        past = self._baseline.cases.get(row.case_id)
        if past is None:
            if self._contents and row.demands is not None and (old := self._contents.get(content_of(row.demands))):
                self._renamed.setdefault(old, row.case_id)
            return BaselineCase()
        excused = row.case_id in self._answered_for
        if past.demanded is None:
            self._unjudged += past.digest != row.digest
            return BaselineCase(past, excused=excused)
        if row.kind == "known_bad":
            if past.demanded.kind != "known_bad":
                self._known_bad.append(row.case_id)
            return BaselineCase(past, excused=excused)
        self._see_slices(row, past.demanded)
        if past.digest == row.digest:
            return BaselineCase(past, excused=excused)
        return BaselineCase(past, self._see_demands(row, past), excused)

    def _see_slices(self, row: CaseRun, demanded: PastDemands) -> None:
        if self._protected.isdisjoint(demanded.slices):
            return
        now = self._head.policy.slices
        left = [name for name in demanded.slices if name in self._protected and name not in row.slices]
        if left := [name for name in left if name.partition("=")[0] in {*now.by, *now.protected}]:
            self._cases.offer(row.weight, row.position, LeftSlice(case_id=row.case_id, slices=tuple(left)))

    def _see_demands(self, row: CaseRun, past: PastCase) -> Demands | None:
        before = _demands(past.demanded)
        if before is None or row.demands is None or past.demanded is None:
            self._unjudged += 1
            return None
        if before.released is False:
            lost = LostCase(case_id=row.case_id, now="ordinary", failed=_had_failed(past))
            self._cases.offer(row.weight, row.position, lost)
            return None
        change = case_change(before, row.demands)
        if not change.reliefs:
            return None
        if change.asks_otherwise:
            self._changed.offer(row.weight, row.position, _changed(row, past.demanded, change))
            return None
        judged = self._is_judged(row, change)
        fails = judged and self._fails_by_baseline(row)
        relieved = RelievedCase(case_id=row.case_id, reliefs=change.reliefs, judged=judged, fails=fails)
        self._cases.offer(row.weight, row.position, relieved)
        self._unjudged += not judged
        return before if judged else None

    def _fails_by_baseline(self, row: CaseRun) -> bool:
        gates = self._baseline.suite.policy.gates
        again = row.by_baseline.outcomes if row.by_baseline is not None else None
        outcomes = again or row.outcomes
        return any(each.kind == "failed" and gates.of(gate).level == "block" for gate, each in outcomes.items())

    def _is_judged(self, row: CaseRun, change: CaseChange) -> bool:
        """Whether its answer was judged by the old demands, or there was none that could have been."""
        if not self.judged_by_both or change.unknown:
            return False
        admitted = row.outcomes.get("admissibility")
        return row.by_baseline is not None or admitted is None or admitted.kind in {"failed", "not_applicable"}

    def cases_to_ask(self) -> list[str]:
        """The cases that passed on the baseline, and are removed or known bad now without a waiver.

        They are asked once more.
        """
        cases, excused = self._baseline.cases, self._excused
        gone = [case_id for case_id in (*self._gone, *self._known_bad) if case_id not in excused]
        return [case_id for case_id in gone if (then := cases[case_id].then) and then.state in {"passed", "flaky"}]

    def add_answers(self, rows: Iterable[CaseRun]) -> None:
        """Take in how cases that were taken out come out today, by its demands of then; not what is open."""
        self._answered = tuple([row for row in rows if row.state != "unmeasured"])

    @property
    def _answers_of_removed(self) -> dict[str, CaseRun]:
        """Of a stored run they come before its rows, which tell what was made known bad."""
        wanted = frozenset(self.cases_to_ask())
        return {row.case_id: row for row in self._answered if row.case_id in wanted}

    @property
    def _excused(self) -> set[str]:
        holding = Waivers(self._head.policy, decided_on=self._decided_on)
        return {*holding.removed, *self._answered_for, *self._renamed}

    def carried(self) -> Iterator[CaseRun]:
        """Rows for the cases that no longer test the app: as they come out today, as they failed, or unmeasured.

        None for a known-bad case that was blocked as it had to be, for what is under another id or answered for.
        """
        excused, answers = self._excused, self._answers_of_removed
        position = len(self._baseline.cases)
        for case_id in (*self._gone, *self._known_bad):
            past = self._baseline.cases[case_id]
            if case_id in excused or past.demanded is None:
                continue
            if past.demanded.kind == "known_bad" and past.demanded.failed is None:
                continue
            position += 1
            if (row := answers.get(case_id)) is not None:
                yield row.model_copy(update={"position": position, "digest": past.digest})
            else:
                yield baseline_row(case_id, position, past.digest, past.demanded)

    @property
    def renamed(self) -> Mapping[str, str]:
        """Cases that ask and demand the same under another id now: old and new."""
        return self._renamed

    def result(self) -> PolicyComparison:
        """Everything that demands less or more; nothing decided yet."""
        policy, suite = self._head.policy, self._baseline.suite
        readers = self._loosened.loosened if self._loosened is not None else ()
        loosened = [LoosenedChunk(chunk_id=chunk_id, before=before) for chunk_id, before in readers]
        weaker: list[Weakening] = [*self._settings.weaker, *loosened, *self._lost(), *self._cases.ranked]
        counted = len(weaker) + self._cases.dropped
        if self._loosened is not None:
            counted += self._loosened.loosenings - len(self._loosened.loosened)
        return PolicyComparison(
            level=suite.policy.gates.policy_weakened.level,
            waivers=self._added_waivers()[:LISTED_AT_MOST],
            waiver=self.waiver,
            weaker=tuple(weaker[:LISTED_AT_MOST]),
            weakenings=counted,
            changed=self._changed.ranked,
            other_cases=self._changed.offered,
            stricter=self._settings.stricter,
            renamed=tuple(self._renamed.items())[:LISTED_AT_MOST],
            unjudged=self._unjudged,
            unjudged_settings=not self.judged_by_both and any(map(decides_single_cases, self._settings.weaker)),
            unknown_permissions=self._permissions_unknown(),
            judges_changed=self._panel.changed,
            checks=self._other_checks(),
            still_enforced=suite.policy.enforce and not policy.enforce,
        )

    def _other_checks(self) -> tuple[str, ...]:
        before = self._baseline.suite.checks
        changed = [file for file, digest in self._head.checks.items() if before.get(file, digest) != digest]
        return tuple(changed[:LISTED_AT_MOST])

    def _answered_wrong(self) -> dict[str, Problem | None]:
        """The cases taken out that fail today, each with its first problem."""
        waivers = Waivers(self._baseline.suite.policy, decided_on=self._decided_on)
        answers = self._answers_of_removed
        standing = {case_id: waivers.standing(row) for case_id, row in answers.items()}
        return {
            case_id: waivers.first_failure(row, standing[case_id])[1]
            for case_id, row in answers.items()
            if standing[case_id].state == "failed"
        }

    def _permissions_unknown(self) -> bool:
        before, now = self._baseline.suite, self._head
        if before.evidence_digest is None or before.evidence_digest == now.evidence_digest:
            return False
        return before.restricted is None or (not self.judged_by_both and before.restricted != now.restricted)

    def _added_waivers(self) -> tuple[Waiver, ...]:
        day = self._decided_on
        had = {(each.case, each.gate) for each in self._baseline.suite.policy.waivers if each.holds_on(day)}
        added = [each for each in self._head.policy.waivers if each.holds_on(day)]
        return tuple([each for each in added if (each.case, each.gate) not in had])

    def _lost(self) -> Iterator[LostCase]:
        waivers = {each.case: each for each in self._head.policy.waivers if each.gate == REMOVED}
        holding = Waivers(self._head.policy, decided_on=self._decided_on).removed
        wanted, answers = frozenset(self.cases_to_ask()), self._answers_of_removed
        fails = self._answered_wrong()
        gone = [case_id for case_id in self._gone if case_id not in self._renamed]
        # What holds the release up must be among those that are listed.
        for case_id in sorted([*gone, *self._known_bad], key=lambda each: each not in fails):
            past = self._baseline.cases[case_id]
            waiver = waivers.get(case_id) if case_id in holding else None
            last = past.answer if case_id in wanted and case_id not in answers else None
            yield LostCase(
                case_id=case_id,
                now="known-bad" if case_id in self._known_bad else "removed",
                failed=_had_failed(past),
                waiver=waiver,
                asked=case_id in answers,
                unasked=case_id in wanted and case_id not in answers,
                fails=fails.get(case_id),
                answer=last if self._head.policy.texts != "ids" else None,
            )


def _had_failed(past: PastCase) -> bool:
    return past.demanded is not None and past.demanded.failed is not None


def _demands(demanded: PastDemands | None) -> Demands | None:
    if demanded is None or demanded.demands is None:
        return None
    return Demands.model_validate_json(demanded.demands)


def _changed(row: CaseRun, demanded: PastDemands, change: CaseChange) -> ChangedCase:
    return ChangedCase(
        case_id=row.case_id,
        reliefs=change.reliefs,
        question_before=demanded.question,
        question_after=cut(row.question, _QUESTION_LENGTH),
    )
