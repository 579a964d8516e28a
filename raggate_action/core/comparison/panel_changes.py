"""Two panels compared: weaker terms, removed judges, and what is no longer measured without them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final, Literal, NamedTuple

from raggate_action.core.comparison.case_changes import PastDemands, SuiteDemands
from raggate_action.core.comparison.same_judges import FED, PanelOf, judges_of
from raggate_action.core.comparison.setting_changes import QUORUM, SettingChanges, changes_between
from raggate_action.core.counting.judge_only_findings import unblocked_reason, would_be_asked
from raggate_action.core.counting.run_totals import NAMED_AT_MOST
from raggate_action.core.counting.top_n import TopN
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import JudgesLost
from raggate_action.schema.decision import LostJudge, LostWhy
from raggate_action.schema.outcome import GateName
from raggate_action.schema.panel import Panel, PanelMember, PanelRules
from raggate_action.schema.policy import POLICY_WEAKENED
from raggate_action.schema.policy_change import JudgeChange, SettingChange
from raggate_action.schema.run import Policy


class PanelChanges(NamedTuple):
    """What of a panel demands less, and what more.

    Attributes:
        weaker, stricter: Terms with another value.
        changed: Judges with another in their place, where the baseline's panel counted.
        out: Judges that counted on the baseline and are gone, with nobody in their place; by name.
        gone: The suite has no judges any more.
    """

    weaker: tuple[SettingChange, ...] = ()
    stricter: tuple[SettingChange, ...] = ()
    changed: tuple[JudgeChange, ...] = ()
    out: tuple[str, ...] = ()
    gone: bool = False


def panel_changes(before: Panel | None, after: Panel | None) -> PanelChanges:
    """Compare the panels of two suites; nothing if the baseline had none or did not keep its terms.

    A judge whose model is another, or that another stands in for, is not gone: people's labels say whether it counts.

    Args:
        before: The baseline's.
        after: The head's, asked or not.
    """
    if before is None:
        return PanelChanges()
    out = _out(before, after)
    if after is None:
        reviewed = before.rules is not None and before.rules.counts == "review"
        dropped = (SettingChange(setting="judges.counts", before="review", after=None),) if reviewed else ()
        return PanelChanges(dropped, out=out, gone=bool(out))
    changed = tuple(_changed(before, after))
    if before.rules is None or after.rules is None:
        return PanelChanges(changed=changed, out=out)
    return PanelChanges(*_terms(before.rules, after.rules, len(before.members)), changed, out)


def _changed(before: Panel, after: Panel) -> Iterator[JudgeChange]:
    """Judges of another fingerprint under the same name, then removed judges paired with new ones.

    In order, those that counted first. A judge under another name alone is the same. Nothing is changed of a panel that
    only advised.
    """
    if not (before.quorum or any(card.armed for card in before.item_cards)):
        return
    known, now = {each.fingerprint for each in before.members}, {each.fingerprint for each in after.members}
    names = {each.name: each for each in after.members}
    left = [each for each in before.members if each.fingerprint not in now]
    came = [each for each in after.members if each.fingerprint not in known]
    same = [(each, names[each.name]) for each in left if each.name in names and names[each.name] in came]
    counted = {card.judge for card in (*before.cards, *before.item_cards) if card.armed}
    left = [each for each in left if each not in [one for one, _other in same]]
    left.sort(key=lambda each: each.name not in counted)
    came = [each for each in came if each not in [other for _one, other in same]]
    armed = {card.judge for card in (*after.cards, *after.item_cards) if card.armed}
    for one, other in (*same, *zip(left, came, strict=False)):
        models = (one.model, other.model)
        yield JudgeChange(before=one.name, after=other.name, models=models, armed=other.name in armed)


def _out(before: Panel, after: Panel | None) -> tuple[str, ...]:
    """Those that counted and are not on the panel, where it has not as many members as it had without them."""
    for_gates = {card.judge for card in before.item_cards if card.armed}
    if not before.quorum and not for_gates:
        return ()
    now = after.members if after is not None else ()
    names = {each.name for each in now} | {each.fingerprint for each in now}
    out = [each for each in before.members if each.name not in names and each.fingerprint not in names]
    counts = for_gates | set(before.armed if before.quorum else ())
    counted = tuple([each.name for each in out if each.name in counts])
    stayed = len(before.members) - len(out)
    return counted if len(now) < stayed + len(counted) else ()


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


# A judge that was asked nothing about labels since its prompt changed.
_UNTRIED: Final = frozenset({"too-dear", "not-judged"})
# Calls lost for what a suite or a workflow says; a call that fails on its way is within the budget of unmeasured cases.
_OURS: Final[dict[str, LostWhy]] = {"judge-key": "key", "budget": "budget"}


def _has_too_few(before: Panel, now: Panel | None, gate: GateName) -> bool:
    return now is None or len(now.armed_for(gate)) < before.votes_for(gate)


class LostMeasurements:
    """Collects what the baseline's judges measured and no judge measures now."""

    def __init__(self, suite: SuiteDemands, now: Panel | None, policy: Policy, *, decided_on: date) -> None:
        """Start from nothing.

        Args:
            suite: The baseline's, with its judges.
            now: The head's judges; None of a suite without any.
            policy: What the head's rows are counted by; its waivers are considered.
            decided_on: The day that decides which waivers hold.
        """
        self._before, self._now, self._gates = suite.panel, now, policy.gates
        self._level = suite.policy.gates.policy_weakened.level
        holding = [each for each in policy.waivers if each.gate == POLICY_WEAKENED and each.expires >= decided_on]
        self._waived = frozenset([each.case for each in holding])
        before = self._before
        self._counted = frozenset([gate for gate in FED if before is not None and before.counts_for(gate)])
        self._counts = frozenset([gate for gate in FED if now is not None and now.counts_for(gate)])
        # Those of them for which a judge's good word verifies: without one what was verified is open.
        self._verified = frozenset([gate for gate in self._counts if now is not None and now.verifies_for(gate)])
        # All judges that count now are fewer than the votes that a verdict took on the baseline.
        self._too_few = frozenset(
            [gate for gate in self._counted if before is not None and _has_too_few(before, now, gate)]
        )
        self._cases: TopN[str] = TopN(NAMED_AT_MOST)
        self._lost_gates: set[GateName] = set()
        # Judges whose calls were lost for what is ours to mend, with the first reason.
        self._unheard: dict[str, tuple[LostWhy, str]] = {}

    def add(self, row: CaseRun, panel: PanelOf, demanded: PastDemands | None) -> None:
        """A case that is the same on both runs.

        Args:
            row: The head's.
            panel: Who judged the baseline's answer, and which gates were measured.
            demanded: What the case demanded on the baseline, and how a known-bad one stood.
        """
        if not self._counted or row.case_id in self._waived:
            return
        lost = self._known_bad_open(row, demanded) if row.kind == "known_bad" else self._open_now(row, panel)
        if not lost:
            return
        self._cases.offer(row.weight, row.position, row.case_id)
        self._lost_gates.update(lost)
        for judge in judges_of(row):
            if judge.lost is not None and judge.lost.code in _OURS:
                self._unheard.setdefault(judge.judge, (_OURS[judge.lost.code], judge.lost.detail))

    def add_not_run(self, case_id: str, panel: PanelOf, place: int) -> None:
        """A case out of scope that judges decided on the baseline: a run of the whole suite would lose it as well.

        Where nobody could be asked that is not known, and nothing is lost.
        """
        if not self._counted or case_id in self._waived or (self._now is not None and self._now.unavailable):
            return
        gone = [
            gate for gate in sorted(panel.measured) if gate in self._counted and self._gates.of(gate).level == "block"
        ]
        lost = [gate for gate in gone if gate not in self._counts or gate in self._too_few]
        if panel.matters and lost:
            # Behind the cases that were run.
            self._cases.offer(0, place, case_id)
            self._lost_gates.update(lost)

    def _open_now(self, row: CaseRun, panel: PanelOf) -> list[GateName]:
        """Blocking gates that were measured on the baseline, where its judges counted, and are open for want of one."""
        return [gate for gate in sorted(panel.measured) if gate in self._counted and self._is_open(row, gate)]

    def _is_open(self, row: CaseRun, gate: GateName) -> bool:
        outcome = row.outcomes.get(gate)
        if outcome is None or self._gates.of(gate).level != "block":
            return False
        if outcome.kind == "passed" and gate in self._too_few:
            alone = row.by_rules.outcomes.get(gate) if row.by_rules is not None else None
            return alone is not None and alone.kind == "unmeasured"
        if outcome.kind != "unmeasured":
            return False
        if outcome.reason == "no-adjudicator":
            return gate not in self._verified and would_be_asked(gate, row)
        lost = {judge.lost.code for judge in judges_of(row) if judge.armed and judge.lost is not None}
        return outcome.reason == "budget" or (outcome.reason == "judge" and "judge-key" in lost)

    def _known_bad_open(self, row: CaseRun, demanded: PastDemands | None) -> list[GateName]:
        if demanded is None or demanded.kind != "known_bad" or demanded.failed is not None:
            return []
        advises = self._now is not None and self._now.only_advises
        if unblocked_reason(row, self._gates, panel_advises=advises) != "no-adjudicator":
            return []
        return [
            gate for gate, outcome in row.outcomes.items() if outcome.kind == "unmeasured" and gate in self._counted
        ]

    def result(self) -> JudgesLost | None:
        """What was lost, and for which judge; None where nothing is."""
        if not self._cases.offered:
            return None
        return JudgesLost(
            level=self._level,
            cases=self._cases.offered,
            named=self._cases.ranked,
            judges=(judges := tuple(self._judges())),
            excused=self._excused(judges),
        )

    def _excused(self, judges: Sequence[LostJudge]) -> Literal["waived", "upgrade", "no-secrets", "laptop"] | None:
        if "" in self._waived:
            return "waived"
        if self._now is not None and self._now.upgraded and judges and all(each.why in _UNTRIED for each in judges):
            return "upgrade"
        if self._now is None or self._now.demanded or any(judge.why == "taken-out" for judge in judges):
            # Who takes judges out does so wherever the run is made.
            return None
        return "no-secrets" if self._now.unavailable is not None else "laptop"

    def _judges(self) -> Iterator[LostJudge]:
        """The judges that counted for what is lost and do not now, or were not heard."""
        before = self._before
        for member in before.members if before is not None else ():
            gates = [gate for gate in sorted(self._lost_gates) if before and member.name in before.armed_for(gate)]
            if gates and (lost := self._why(member, gates[0])) is not None:
                yield lost

    def _why(self, member: PanelMember, gate: GateName) -> LostJudge | None:
        before, now = self._before, self._now
        if before is None or now is None:
            return LostJudge(judge=member.name, why="taken-out")
        names = {each.fingerprint: each.name for each in now.members}
        place = {change.before: change.after for change in _changed(before, now)}
        name = names.get(member.fingerprint) or place.get(member.name)
        if name is None:
            return LostJudge(judge=member.name, why="taken-out")
        if now.unavailable is not None:
            return LostJudge(judge=name, why="key", detail=now.unavailable)
        cards = now.item_cards if any(card.job == gate for card in now.item_cards) else now.cards
        card = next((each for each in cards if each.judge == name and each.job in {gate, "claims"}), None)
        if name in self._unheard and (card is None or card.armed or card.why_not == "not-judged"):
            why, detail = self._unheard[name]
            return LostJudge(judge=name, why=why, detail=detail)
        if card is None or card.armed:
            return None if gate in self._verified else LostJudge(judge=name, why="quorum")
        if card.why_not == "not-judged" and now.labels_usd is not None:
            return LostJudge(judge=name, why="too-dear", usd=now.labels_usd)
        return LostJudge(judge=name, why=card.why_not or "not-judged", card=card)
