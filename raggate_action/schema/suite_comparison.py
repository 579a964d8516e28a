"""How a head's suite differs from its baseline's, and what the baseline's suite decides of the head's answers."""

from typing import Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Natural, Record
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import DecisionKind, RunGate
from raggate_action.schema.later import Waiver
from raggate_action.schema.listed_cases import LISTED_AT_MOST
from raggate_action.schema.outcome import Level, Problem

Unknown: TypeAlias = Literal["target.kind", "evidence"]
# Whole rows, of which the comment shows two or three.
FAILING_AT_MOST = 20


class SuiteChange(Record):
    """A key of the suite with another value.

    Attributes:
        key: The way to it, `gates.behaviour.min` or `target.function`; of a case without its id.
        case_id: The case; None of another key. Without a key the case itself is new or gone.
        before, after: Its values, of a list what is gone and what has come; None where there is none.
    """

    key: str
    case_id: str | None = None
    before: str | None = None
    after: str | None = None


class RemovedCase(Record):
    """A case that only the baseline's suite has, and that passed there.

    Attributes:
        case_id: The case.
        asked: The app was asked it once more.
        fails: The first problem of its answer of today; None where that is in order, or nobody asked.
    """

    case_id: str
    asked: bool
    fails: Problem | None = None


class SuiteComparison(Record):
    """The two suites, and what is decided by the baseline's.

    Attributes:
        level: What it means that only the head's suite releases: the level of `policy_weakened` in the baseline's.
        changes, changed: What differs, the first of it, and how much there is.
        waivers: Waivers that the baseline did not have.
        waiver: The one that answers for the changed suite as a whole.
        removed: Cases that were asked once more, or could not be.
        unknown: What the head's suite no longer has, so that nobody can tell what the baseline's would decide: the live
            app, in whose place are recorded answers, or the evidence, which says who may read what.
        decision: What the baseline's suite decides; None where the answers were not evaluated by it.
        blocking: Its gates that block or leave it open.
        failing: The first cases that fail by it and not by the head's, as they count by it.
        red_slices: Slices that fail by it.
        still_enforced: Its decisions are enforced, and the head's suite would only advise.
    """

    level: Level
    changes: tuple[SuiteChange, ...] = Field(default=(), max_length=LISTED_AT_MOST)
    changed: Natural = 0
    waivers: tuple[Waiver, ...] = ()
    waiver: Waiver | None = None
    removed: tuple[RemovedCase, ...] = Field(default=(), max_length=LISTED_AT_MOST)
    unknown: Unknown | None = None
    decision: DecisionKind | None = None
    blocking: tuple[RunGate, ...] = ()
    failing: tuple[CaseRun, ...] = Field(default=(), max_length=FAILING_AT_MOST)
    red_slices: tuple[SliceResult, ...] = ()
    still_enforced: bool = False

    @property
    def failing_removed(self) -> tuple[RemovedCase, ...]:
        """The cases taken out that fail today; what answers for the suite as a whole lets none of them go."""
        return tuple([each for each in self.removed if each.fails is not None])
