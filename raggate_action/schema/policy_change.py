"""What a head run demands less, or more, than its baseline did: gates, cases, permissions. No sentence stands here."""

from operator import not_
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Natural, Record
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.counts import SliceResult
from raggate_action.schema.decision import DecisionKind, RunGate
from raggate_action.schema.outcome import Level, Problem
from raggate_action.schema.policy import Waiver

# Whole rows, of which the comment shows two or three.
_FAILING_AT_MOST = 20
# What the answers are, or what vouches for them: by the baseline's nobody can judge the answers of today.
NOT_COMPARABLE = frozenset({"target.kind", "target.labelled", "pipeline.citations"})


class SettingChange(Record):
    """A setting of the suite with another value.

    Attributes:
        setting: `answered.min`, `slices.protected`, `enforce`.
        before, after: Its values as data (`0.95`, `block`); None is not set.
        share: The values are shares.
    """

    kind: Literal["setting"] = "setting"
    setting: str
    before: str | None
    after: str | None
    share: bool = False


class Relief(Record):
    """A demand that a case no longer makes.

    Attributes:
        field: Its field of the case.
        before: What was demanded and is not any more, item by item.
        after: What is demanded in its stead.
        withheld: Some of the former may not be written.
    """

    field: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    withheld: bool = False


class RelievedCase(Record):
    """A case that demands less of the same question.

    Attributes:
        case_id: The case.
        reliefs: What it no longer demands.
        judged: Its answer was judged by the old demands as well; False is not comparable.
        fails: The answer does not meet them.
    """

    kind: Literal["relieved"] = "relieved"
    case_id: str
    reliefs: tuple[Relief, ...]
    judged: bool = True
    fails: bool = False


class ChangedCase(Record):
    """A case that demands less, and asks something else: it is judged as a new case.

    Attributes:
        case_id: The case.
        reliefs: What it no longer demands.
        question_before, question_after: The question.
    """

    case_id: str
    reliefs: tuple[Relief, ...]
    question_before: str
    question_after: str


class LostCase(Record):
    """A case that no longer tests the app.

    Attributes:
        case_id: The case.
        now: Taken out of the suite; known bad; or, of a known-bad case, an ordinary one.
        failed: It failed on the baseline, or was a known-bad case that got through: so it counts by the baseline.
        waiver: Who answers for it.
        asked: It passed on the baseline, was asked once more, and judged by the baseline's demands.
        fails: The first problem of its answer of today; None where that is in order, or nobody asked.
        unasked: It passed on the baseline, and could not be asked once more.
        answer: The beginning of its last answer, where it could not.
    """

    kind: Literal["lost"] = "lost"
    case_id: str
    now: Literal["removed", "known-bad", "ordinary"]
    failed: bool = False
    waiver: Waiver | None = None
    asked: bool = Field(default=False, exclude_if=not_)
    fails: Problem | None = Field(default=None, exclude_if=lambda fails: fails is None)
    unasked: bool = Field(default=False, exclude_if=not_)
    answer: str | None = Field(default=None, exclude_if=not_)


class LeftSlice(Record):
    """A case that is no longer in a slice that the baseline protects."""

    kind: Literal["left-slice"] = "left-slice"
    case_id: str
    slices: tuple[str, ...]


class LoosenedChunk(Record):
    """A chunk that more people may be shown.

    Attributes:
        chunk_id: The chunk.
        before: Who might be shown it; empty is nobody.
    """

    kind: Literal["loosened"] = "loosened"
    chunk_id: str
    before: tuple[str, ...] = ()


Weakening: TypeAlias = Annotated[
    SettingChange | RelievedCase | LostCase | LeftSlice | LoosenedChunk, Field(discriminator="kind")
]


class JudgeChange(Record):
    """A judge that is gone or has another in its place; of the same name it is the same judge, changed.

    Attributes:
        before, after: Their names; `after` is None of one that has none in its place.
        models: Their models; empty of none.
        armed: The one there now counts as well.
    """

    before: str
    after: str | None
    models: tuple[str, str]
    armed: bool


class PolicyComparison(Record):
    """How the head's demands differ from the baseline's, and what is decided by the latter.

    Lists are cut to the first 200.

    Attributes:
        level: What it means that only weaker gates release: the level of `policy_weakened` on the baseline.
        waivers: Waivers that the baseline did not have.
        waiver: The one that answers for the weaker policy as a whole.
        weaker, weakenings: What demands less; and how many there are.
        changed, other_cases: Cases that became others; and how many there are.
        stricter: Settings that demand more.
        renamed: Cases under another id, old and new.
        unjudged: Changed cases of which nobody can tell what the baseline demanded, or that were not judged by it.
        unjudged_settings: No case was judged by weaker settings that decide how single cases come out.
        unknown_permissions: The evidence changed, and nobody can tell who might be shown what on the baseline.
        judges_changed: Where the baseline's panel counted, its judges that are gone or replaced, or have another
            model, endpoint, parameters or form of replies.
        checks: Files of custom checks with another content: what the former would say now, nobody knows.
        decision: What the baseline's policy decides on the head's rows; None where nothing is weaker.
        blocking: Its gates that block or leave it open.
        failing: The first cases that fail by the baseline's policy and not by the head's, as they count by it.
        red_slices: Slices that fail by it.
        still_enforced: The baseline's decisions are enforced, and the head's suite would only advise.
    """

    level: Level
    waivers: tuple[Waiver, ...] = ()
    waiver: Waiver | None = None
    weaker: tuple[Weakening, ...] = ()
    weakenings: Natural = 0
    changed: tuple[ChangedCase, ...] = ()
    other_cases: Natural = 0
    stricter: tuple[SettingChange, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    unjudged: Natural = 0
    unjudged_settings: bool = False
    unknown_permissions: bool = False
    judges_changed: tuple[JudgeChange, ...] = Field(default=(), exclude_if=not_)
    checks: tuple[str, ...] = Field(default=(), exclude_if=not_)
    decision: DecisionKind | None = None
    blocking: tuple[RunGate, ...] = ()
    failing: tuple[CaseRun, ...] = Field(default=(), max_length=_FAILING_AT_MOST, exclude_if=not_)
    red_slices: tuple[SliceResult, ...] = Field(default=(), exclude_if=not_)
    still_enforced: bool = False

    @property
    def lost_and_wrong(self) -> tuple[LostCase, ...]:
        """Cases taken out that fail today; that the whole suite is answered for lets none of them go."""
        return tuple([each for each in self.weaker if isinstance(each, LostCase) and each.fails is not None])

    @property
    def not_comparable(self) -> tuple[SettingChange, ...]:
        """Settings of which nobody knows what the baseline's would decide; they stand first among what is weaker."""
        settings = [each for each in self.weaker if isinstance(each, SettingChange)]
        return tuple([each for each in settings if each.setting in NOT_COMPARABLE])
