"""Two panels compared: weaker terms, other judges, and what judges or labels measured and neither measures now."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from itertools import zip_longest
from typing import Final, Literal, NamedTuple

from raggate_action.core.comparison.same_judges import judges_of, measured_gates
from raggate_action.core.comparison.setting_changes import QUORUM, SettingChanges, changes_between
from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.core.counting.top_n import TopN
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import JudgesLost
from raggate_action.schema.outcome import GateName, Unmeasured, is_out_of_date
from raggate_action.schema.panel import Panel, PanelRules
from raggate_action.schema.policy_change import JudgeChange, SettingChange
from raggate_action.schema.run import Policy


class PanelChanges(NamedTuple):
    """What of a panel demands less, and what more.

    Attributes:
        weaker, stricter: Terms with another value.
        changed: Judges that are gone or have another in their place, where the baseline's panel counted.
    """

    weaker: tuple[SettingChange, ...] = ()
    stricter: tuple[SettingChange, ...] = ()
    changed: tuple[JudgeChange, ...] = ()


def panel_changes(before: Panel | None, after: Panel | None) -> PanelChanges:
    """Compare the panels of two suites; nothing if the baseline had none or did not keep its terms.

    Args:
        before: The baseline's.
        after: The head's, asked or not.
    """
    if before is None:
        return PanelChanges()
    changed = tuple(_changed(before, after))
    if after is None or before.rules is None or after.rules is None:
        return PanelChanges(changed=changed)
    return PanelChanges(*_terms(before.rules, after.rules, len(before.members)), changed)


def _changed(before: Panel, after: Panel | None) -> Iterator[JudgeChange]:
    """Judges that are not there as they were: each with the one of its name, else with the next that is new.

    Those that counted come first. Nothing is changed of a panel that only advised, nor where none but its advisers go.
    """
    counted = {card.judge for card in before.cards if card.armed}
    if not (before.quorum or any(card.armed and card.job != "claims" for card in before.cards)):
        return
    members = after.members if after is not None else ()
    cards = after.cards if after is not None else ()
    known, now = {each.fingerprint for each in before.members}, {each.fingerprint for each in members}
    left = [each for each in before.members if each.fingerprint not in now]
    left.sort(key=lambda each: each.name not in counted)
    came = {each.name: each for each in members if each.fingerprint not in known}
    same = [(each, came.pop(each.name)) for each in left if each.name in came]
    others = [each for each in left if each not in [one for one, _other in same]]
    armed = {card.judge for card in cards if card.armed}
    for one, other in (*same, *zip_longest(others, list(came.values())[: len(others)])):
        if other is not None:
            models = (one.model, other.model)
            yield JudgeChange(before=one.name, after=other.name, models=models, armed=other.name in armed)
        elif one.name in counted:
            yield JudgeChange(before=one.name, after=None, models=(one.model, ""), armed=False)


def _terms(before: PanelRules, after: PanelRules, members: int) -> SettingChanges:
    """Whose votes count and from when on, then the quorum: without a number more than half of those who count."""
    was, now = (
        {"judges.counts": rules.counts} | {f"judges.arming.{field}": value for field, value in rules.arming}
        for rules in (before, after)
    )
    weaker, stricter = changes_between(was, now)
    votes = [rules.quorum if rules.quorum is not None else members // 2 + 1 for rules in (before, after)]
    if votes[0] == votes[1]:
        return SettingChanges(weaker, stricter)
    written = [str(rules.quorum) if rules.quorum is not None else None for rules in (before, after)]
    quorum = SettingChange(setting="judges.quorum", before=written[0], after=written[1])
    is_weaker = QUORUM.weaker(*votes)
    return SettingChanges((*weaker, quorum), stricter) if is_weaker else SettingChanges(weaker, (*stricter, quorum))


# Calls that were lost because the judge cannot be asked; one that timed out is within the budget of unmeasured cases.
_NOT_ASKED: Final = frozenset({"judge-key", "judge-not-accepted", "judge-unreachable"})


class LostMeasurements:
    """Collects what judges or labels measured on the baseline and neither measures now."""

    def __init__(self, before: Panel | None, now: Panel | None, policy: Policy, waived: Container[str]) -> None:
        """Start from nothing.

        Args:
            before: The baseline's judges; None of a suite without any.
            now: The head's, likewise.
            policy: What the head's rows are counted by.
            waived: Cases that may go without; the empty id is every case.
        """
        self._before, self._now, self._gates, self._waived = before, now, policy.gates, waived
        self._cases: TopN[str] = TopN(NAMED_AT_MOST)
        self._unheard: dict[str, str] = {}

    def add(self, row: CaseRun, measured: Collection[GateName]) -> None:
        """Compare a case that is the same on both runs.

        Args:
            row: The head's.
            measured: See `measured_gates`, of the baseline's.
        """
        if not measured or row.blocked_as_named or any(map(is_out_of_date, row.outcomes.values())):
            # A label that is out of date is within the budget of unmeasured cases.
            return
        somebody = measured_gates(row, labelled=True)
        if any(gate not in somebody and self._is_open(row, gate) for gate in measured):
            self._offer(row.weight, row.position, row.case_id)
            lost = [(judge.judge, judge.lost.detail) for judge in judges_of(row) if judge.lost is not None]
            self._unheard = {**dict(lost), **self._unheard}

    def add_not_run(self, case_id: str, measured: Collection[GateName], place: int) -> None:
        """Note a case out of scope whose judges count no more: a run of the whole suite would lose it as well."""
        before, now = self._before, self._now
        gates = [gate for gate in measured if before is not None and before.counts_for(gate) and self._blocks(gate)]
        if any(now is None or not now.counts_for(gate) for gate in gates):
            # Behind the cases that were run.
            self._offer(0, place, case_id)

    def _offer(self, weight: float, place: int, case_id: str) -> None:
        if case_id not in self._waived:
            self._cases.offer(weight, place, case_id)

    def _blocks(self, gate: GateName) -> bool:
        return self._gates.of(gate).level == "block"

    def _is_open(self, row: CaseRun, gate: GateName) -> bool:
        outcome = row.outcomes.get(gate)
        if not isinstance(outcome, Unmeasured) or not self._blocks(gate):
            return False
        codes = {judge.lost.code for judge in judges_of(row) if judge.armed and judge.lost is not None}
        return outcome.reason in {"no-adjudicator", "budget"} or (
            outcome.reason == "judge" and not _NOT_ASKED.isdisjoint(codes)
        )

    def result(self) -> JudgesLost | None:
        """What was lost; None where nothing is."""
        if not self._cases.offered:
            return None
        return JudgesLost(
            cases=self._cases.offered,
            named=self._cases.ranked,
            unheard=tuple(self._unheard.items()),
            excused=self._excused(),
        )

    def _excused(self) -> Literal["waived", "no-key"] | None:
        if "" in self._waived:
            return "waived"
        return "no-key" if self._now is not None and self._now.unavailable is not None else None
