"""Counts answers that are poorer than main's, while rows stream by; the same answer for all shows at the end alone."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import NamedTuple

from raggate_action.core.counting.case_state import NamedCases
from raggate_action.core.counting.top_n import TopN
from raggate_action.core.counting.waivers import Waivers
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.comparison import NamedCase
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.main_answers import (
    POORER_STATES,
    BesideMain,
    PoorerAnswers,
    PoorerCase,
    PoorerReason,
    PoorerState,
)
from raggate_action.strings.visible_text import cut

# The same answer to so many questions, to which main has as many answers, is one that says nothing of any.
_SAME_FOR = 3
_WORDS = 200


_OF_VALUES = frozenset(("lost-value", "changed-value"))


class _Seen(NamedTuple):
    """A case whose answer has nothing of its own: main's answer by its digest, and the state it is counted by."""

    case_id: str
    weight: float
    position: int
    main: str
    state: PoorerState | None
    is_unasked: bool
    is_told: bool
    named: NamedCase | None
    words: str


class PoorerCount:
    """Holds rows that say how they stand beside main's answers."""

    def __init__(self, named: NamedCases, waivers: Waivers, decided_at: str) -> None:
        """Start from nothing.

        Args:
            named: Keeps the cases that pass all the same.
            waivers: Those of the head's policy.
            decided_at: When the baseline was decided that is compared with.
        """
        self._named = named
        self._waived = waivers.poorer
        self._decided_at = decided_at
        self._compared = self._with_values = self._poorer = self._waived_cases = 0
        self._values = self._sharp = self._doubtful = self._recorded = self._unsure = self._own = 0
        self._unasked = self._asked = self._confirmed = 0
        self._states: Counter[PoorerState] = Counter()
        self._listed: TopN[PoorerCase] = TopN(LISTED_AT_MOST)
        self._same: dict[str, list[_Seen]] = {}

    def add(self, row: CaseRun) -> None:
        """One more case; nothing of one that was held against another baseline."""
        main = row.beside_main
        if main is None or main.baseline != self._decided_at:
            return
        self._compared += 1
        self._with_values += main.has_values
        if main.own is not None:
            self._own += 1000 * main.own[0] // main.own[1]
        counting = main.counting
        if main.was_poorer and not row.unconfirmed:
            self._asked += 1
            self._confirmed += bool(counting)
        if self._waived & {"", row.case_id}:
            self._waived_cases += bool(counting)
            return
        reasons = _told(main)
        if reasons:
            self._listed.offer(
                row.weight if counting else -1.0, row.position, PoorerCase(case_id=row.case_id, reasons=reasons)
            )
        if counting:
            self._named.name("poorer")
            self._count(row, main, counting)
        if main.same is not None:
            seen = self._same.setdefault(main.same, [])
            words = "" if seen else cut(row.answer or "", _WORDS)
            state = reasons[0].state if counting and not row.unconfirmed else None
            unasked, is_told = bool(counting) and row.unconfirmed, bool(reasons)
            place = row.case_id, row.weight, row.position
            seen.append(_Seen(*place, main.main, state, unasked, is_told, self._named.seen, words))

    def _count(self, row: CaseRun, main: BesideMain, counting: tuple[PoorerReason, ...]) -> None:
        if row.unconfirmed:
            self._unasked += 1
            return
        self._states[_told(main)[0].state] += 1
        of_values = [reason for reason in counting if reason.state in _OF_VALUES]
        if len(of_values) == len(counting) and not row.asks:
            # Nobody could be asked again.
            is_sure = main.answers > 1 and any(reason.by_all for reason in of_values)
            self._recorded += is_sure
            self._unsure += not is_sure
            return
        self._poorer += 1
        self._values += bool(of_values)
        self._sharp += bool(row.asks) and any(reason.sharp for reason in counting)
        self._doubtful += all(reason.doubtful for reason in counting)

    def result(self) -> PoorerAnswers | None:
        """What was counted; None where no case could be held against main's answers."""
        if not self._compared:
            return None
        groups = [seen for seen in self._same.values() if len({each.main for each in seen}) >= _SAME_FOR]
        same = [each for seen in groups for each in seen]
        listed = deepcopy(self._listed)
        for seen in groups:
            reason = PoorerReason(state="same-for-all", here=seen[0].words)
            for each in seen:
                if each.named is not None:
                    self._named.name("poorer", each.named)
                if not each.is_told:
                    listed.offer(each.weight, each.position, PoorerCase(case_id=each.case_id, reasons=(reason,)))
        states = Counter(self._states)
        states.subtract([each.state for each in same if each.state is not None])
        states["same-for-all"] += len(same)
        return PoorerAnswers(
            compared=self._compared,
            with_values=self._with_values,
            values=self._values,
            sharp=self._sharp,
            doubtful=self._doubtful,
            recorded=self._recorded,
            unsure=self._unsure,
            own_thousandths=self._own,
            poorer=self._poorer + sum(each.state is None for each in same),
            same_for_all=len(same),
            waived=self._waived_cases,
            unasked=self._unasked - sum(each.is_unasked for each in same),
            asked=self._asked,
            confirmed=self._confirmed,
            states={state: states[state] for state in POORER_STATES if states[state]},
            listed=listed.ranked,
        )


def _told(beside: BesideMain) -> tuple[PoorerReason, ...]:
    """The reasons, what counts first; by the first alone a case is counted.

    A value that is changed is not told as lost as well.
    """
    changed = {reason.key.partition(" > ")[0] for reason in beside.reasons if reason.state == "changed-value"}
    left = [each for each in beside.reasons if each.state != "lost-value" or each.key not in changed]
    return tuple(sorted(left, key=lambda each: (each.shown, POORER_STATES.index(each.state))))
