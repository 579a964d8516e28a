"""What a run is judged by: gates with their levels and bars, waivers."""

from datetime import date
from decimal import Decimal
from operator import not_
from typing import Final, Literal, TypeAlias

from pydantic import ConfigDict, Field, model_validator

from raggate_action.schema.base import AmountLimit, Natural, Record, Share
from raggate_action.schema.outcome import GateName, Level

POLICY_WEAKENED: Final = "policy_weakened"
POORER: Final = "poorer"
NEW_SUSPECTS: Final = "new_suspects"
JUDGES_LOST: Final = "judges_lost"
REMOVED: Final = "removed"
# Waived without a case they are waived for the whole change.
OF_THE_CHANGE: Final = frozenset({POLICY_WEAKENED, JUDGES_LOST, POORER, NEW_SUSPECTS})


class PlainGate(Record):
    """A gate on cases that counts nothing within a case.

    Attributes:
        level: `block` fails the release, `warn` is shown, `off` is only reported.
        min: Share of scored cases that must pass.
    """

    level: Level = "block"
    min: Share = Decimal("0.95")


class CaseGate(PlainGate):
    """A gate on cases that counts within each.

    Attributes:
        level, min: As for every gate on cases.
        per_case: Share each case must reach within itself.
    """

    per_case: Share = Decimal(1)


class HardGate(PlainGate):
    """A gate on cases that cannot be softened: a case without an answer, or with an inadmissible one, has failed.

    Attributes:
        level: Always `block`.
        min: Share of scored cases that must pass.
    """

    level: Literal["block"] = "block"


class Penalties(Record):
    """What each kind of issue takes from a case's score of 1.0, in steps of 0.01."""

    must_contain: Share = Decimal("0.2")
    must_not_contain: Share = Decimal("0.3")
    expected_tool: Share = Decimal("0.2")
    forbidden_tool: Share = Decimal("0.3")
    latency: Share = Decimal("0.1")


Scoring: TypeAlias = Literal["strict", "lenient"]


class BehaviourGate(CaseGate):
    """The gate on phrases, tools and latency.

    Attributes:
        level, min: As for every gate on cases.
        scoring: `strict`: a phrase or tool that is missing fails the case; `lenient`: the score alone says so.
        per_case: Score a case must reach; a phrase or tool that is forbidden fails it at any score.
        penalties: What each kind of issue takes from the score of 1.0.
    """

    scoring: Scoring = "strict"
    per_case: Share = Decimal("0.7")
    penalties: Penalties = Penalties()


# What a suite leaves out of such a gate is as in the default of `Gates`.
_LEFT_OUT = ConfigDict(json_schema_extra={"required": []})


class LevelGate(Record):
    """A gate on the run without a bar to set.

    Attributes:
        level: `block`, `warn` or `off`.
    """

    level: Level = "block"


class CountGate(LevelGate):
    """A gate on the run with a highest count of cases that are new against the baseline.

    Attributes:
        level: `block`, `warn` or `off`.
        max: How many such cases pass.
    """

    max: Natural = 0


class CeilingGate(LevelGate):
    """A gate on the run with a highest share.

    Attributes:
        level: `block`, `warn` or `off`.
        max: The highest share that passes.
    """

    model_config = _LEFT_OUT

    max: Share


class AmountGate(LevelGate):
    """A gate on the run with a highest amount.

    Attributes:
        level: `block`, `warn` or `off`.
        max: The highest amount that passes, in the unit the gate's name says.
    """

    max: AmountLimit


class ShiftGate(AmountGate):
    """How far a figure may get worse than on the baseline.

    Attributes:
        level: `block`, `warn` or `off`.
        max: The largest change that passes, in the gate's unit.
    """

    model_config = _LEFT_OUT

    level: Level = "warn"


# At their defaults they are left out: a policy says the same then as before there was such a gate.
_POORER, _AB = CeilingGate(max=Decimal("0.1")), LevelGate(level="warn")


class Gates(Record):
    """Every gate and its bar; what is not written has the default shown.

    Attributes:
        agreement, criteria: Facts of a reference answer stated, criteria met; they only warn until a judge is armed.
        known_bad_blocked: Every known-bad case is blocked at the stage it names.
        must_release: Every case with `released: true` passes.
        forbidden_phrases: No must_not_contain hit that the baseline did not have.
        newly_missed: No phrase, tool, required source or quote missed, and no forbidden tool called, where the
            baseline was in order.
        newly_unanswered: Cases with an answer on the baseline and an error, an empty or a declining answer now.
        newly_miscited: Cases with a citation fault that the baseline's answer did not have.
        new_hallucinations: Cases with a certain hallucination that the baseline's answer did not have.
        new_suspects: What keyless rules find and the baseline's answer did not have. Its level is what a value that
            nothing shown holds means for its case, a new suspect of a sharp kind for the run, and new suspects of other
            kinds in more than that share of the compared cases (one always may), or in a protected slice; fewer warn.
        score_drop: How far the mean score, in [0, 1], may fall below the baseline's, over the cases of both runs.
        hallucination_rise: How many percentage points the hallucination rate may rise above the baseline's, over the
            cases of both runs.
        policy_weakened: What would not be released under the baseline's gates and expectations is not released under
            weaker ones; its level is the baseline's.
        hallucination_rate: Share of cases with a hallucination.
        unmeasured: Share of cases that may go unmeasured (at least one case may).
        p95_latency_ms: 95th percentile of the answer time, milliseconds; not gated when absent.
        cost_usd: Cost of the run as the app reports it, US dollars; not gated when absent.
        judge_cost_usd: Cost of the judges' calls, US dollars; not gated when absent.
        flaky: Share of cases that may fail once and pass when asked again; two always may, from 15 cases three.
        verified: Answered cases of which every claim is supported, or that declined as asked; not gated when absent.
        poorer: Share of the compared cases whose answer may be poorer than the base branch's; two always may, one where
            fewer than 20 are compared. More than half of it warns.
        ab: A blind panel does not prefer the control to the treatment, by the test, or by all judges on a protected
            question; the command `ab` alone has it.
    """

    target: HardGate = HardGate()
    admissibility: HardGate = HardGate(min=Decimal(1))
    candidate_recall: CaseGate = CaseGate()
    context_recall: CaseGate = CaseGate()
    context_precision: CaseGate = CaseGate(level="off")
    answered: PlainGate = PlainGate()
    faithfulness: CaseGate = CaseGate()
    citation_support: CaseGate = CaseGate()
    citation_coverage: CaseGate = CaseGate(level="off")
    point_coverage: CaseGate = CaseGate()
    behaviour: BehaviourGate = BehaviourGate()
    slow: PlainGate = PlainGate()
    agreement: CaseGate = Field(default=CaseGate(), exclude_if=CaseGate().__eq__)
    criteria: CaseGate = Field(default=CaseGate(), exclude_if=CaseGate().__eq__)
    known_bad_blocked: LevelGate = LevelGate()
    must_release: LevelGate = LevelGate()
    forbidden_phrases: LevelGate = LevelGate()
    newly_missed: CountGate = CountGate()
    newly_unanswered: CountGate = CountGate()
    newly_miscited: CountGate = CountGate()
    new_hallucinations: CountGate = CountGate()
    new_suspects: CeilingGate = CeilingGate(max=Decimal("0.05"))
    score_drop: ShiftGate = ShiftGate(max=0.05)
    hallucination_rise: ShiftGate = ShiftGate(max=2.0)
    policy_weakened: LevelGate = LevelGate()
    hallucination_rate: CeilingGate = CeilingGate(max=Decimal("0.02"))
    unmeasured: CeilingGate = CeilingGate(max=Decimal("0.02"))
    p95_latency_ms: AmountGate | None = None
    cost_usd: AmountGate | None = None
    judge_cost_usd: AmountGate | None = Field(default=None, exclude_if=not_)
    flaky: CeilingGate = CeilingGate(max=Decimal("0.1"))
    verified: PlainGate | None = Field(default=None, exclude_if=not_)
    poorer: CeilingGate = Field(default=_POORER, exclude_if=_POORER.__eq__)
    ab: LevelGate = Field(default=_AB, exclude_if=_AB.__eq__)

    @model_validator(mode="before")
    @classmethod
    def _with_defaults(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        rules = dict(given)
        for name, rule in given.items():
            default = cls.model_fields[name].default if name in cls.model_fields else None
            if isinstance(rule, dict) and isinstance(default, LevelGate):
                rules[name] = {**dict(default), **rule}
        return rules

    def of(self, gate: GateName) -> PlainGate:
        """The rule of a gate on cases. Every such gate is a field of its own name, which a test holds."""
        rule: PlainGate = getattr(self, gate)
        return rule


def is_past(last_day: date, day: date) -> bool:
    """Whether a waiver covers nothing any more: on its last day it still does."""
    return last_day < day


Texts: TypeAlias = Literal["full", "quotes", "ids"]
