"""What a gate says of one case, and the table of gates: their order, the stage people read."""

from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Rate, Record, meets, rate_of

GateName: TypeAlias = Literal[
    "target",
    "admissibility",
    "candidate_recall",
    "context_recall",
    "context_precision",
    "answered",
    "faithfulness",
    "citation_support",
    "citation_coverage",
    "point_coverage",
    "behaviour",
    "slow",
    "agreement",
    "criteria",
]
# Gates on the run: one for each on cases, and those that only the whole of a run can pass.
RunGateName: TypeAlias = Literal[
    GateName,
    "slices",
    "known_bad_blocked",
    "must_release",
    "forbidden_phrases",
    "newly_inadmissible",
    "newly_unanswered",
    "newly_missed",
    "newly_miscited",
    "new_hallucinations",
    "score_drop",
    "hallucination_rise",
    "judges_lost",
    "policy_weakened",
    "hallucination_rate",
    "unmeasured",
    "new_suspects",
    "p95_latency_ms",
    "cost_usd",
    "judge_cost_usd",
    "flaky",
    "verified",
    "poorer",
    "ab",
]
StageName: TypeAlias = Literal[
    "target",
    "admissibility",
    "candidate retrieval",
    "context selection",
    "answer completeness",
    "answer faithfulness",
    "citation support",
    "behaviour",
]
Level: TypeAlias = Literal["block", "warn", "off"]
UnmeasuredReason: TypeAlias = Literal["trace", "judge", "budget", "cut", "label", "fault", "no-adjudicator"]


# The stage that people read, in order of diagnosis: the first failed gate owns the repair.
GATES: dict[GateName, StageName] = {
    "target": "target",
    "admissibility": "admissibility",
    "candidate_recall": "candidate retrieval",
    "context_recall": "context selection",
    "context_precision": "context selection",
    "answered": "answer completeness",
    "faithfulness": "answer faithfulness",
    "citation_support": "citation support",
    "citation_coverage": "citation support",
    "point_coverage": "answer completeness",
    "behaviour": "behaviour",
    "slow": "behaviour",
    "agreement": "answer completeness",
    "criteria": "behaviour",
}
# A fact of the reference answer is stated, lacking or contradicted; a criterion holds, fails or cannot be told; the
# answer or a chunk is relevant or not.
ItemKind: TypeAlias = Literal["fact", "criterion", "answer", "chunk"]
# Gates that only judges can feed.
ItemGate: TypeAlias = Literal["agreement", "criteria"]
# The gate that votes on each kind feed; on what is relevant nothing is decided.
GATE_OF: dict[ItemKind, ItemGate | None] = {
    "fact": "agreement",
    "criterion": "criteria",
    "answer": None,
    "chunk": None,
}
# They say something only of cases that ask for it: judges alone can feed them, and most suites have none.
JUDGED_GATES: frozenset[GateName] = frozenset({"agreement", "criteria"})
# The others have an outcome in every row.
GATES_OF_ALL: tuple[GateName, ...] = tuple([gate for gate in GATES if gate not in JUDGED_GATES])


class Problem(Record):
    """Why a gate failed: a stable code and the offenders by name.

    Attributes:
        code: Kebab-case, stable, for machines and docs: `restricted-chunk`.
        detail: Names the offenders: `restricted-breakglass-note in candidates`.
    """

    code: str
    detail: str

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class Passed(Record, defer_build=False):
    """The gate's criterion holds. `share` is there for gates that count."""

    kind: Literal["passed"] = "passed"
    share: Rate | None = None


@lru_cache(maxsize=4096)
def passed_if(hits: int, total: int, bar: Decimal) -> Passed | None:
    """Passed with these counts, one record for equal ones, of which a run has many; None where they miss the bar."""
    rate = rate_of(hits, total)
    return Passed(share=rate) if meets(rate, bar) else None


class Failed(Record, defer_build=False):
    """The gate's criterion does not hold; `problems` names every offender found, worst first, never empty."""

    kind: Literal["failed"] = "failed"
    problems: Annotated[tuple[Problem, ...], Field(min_length=1)]
    share: Rate | None = None


class NotApplicable(Record, defer_build=False):
    """The suite did not ask, the pipeline does not report it, or there is nothing to judge.

    Attributes:
        why: In a few words.
        share: What the gate's arithmetic comes to all the same; None where nothing was counted.
    """

    kind: Literal["not_applicable"] = "not_applicable"
    why: str
    share: Rate | None = None


class Unmeasured(Record, defer_build=False):
    """Asked, and could not be measured; says nothing about quality."""

    kind: Literal["unmeasured"] = "unmeasured"
    reason: UnmeasuredReason
    detail: str
    share: Rate | None = None


Outcome: TypeAlias = Annotated[Passed | Failed | NotApplicable | Unmeasured, Field(discriminator="kind")]


def is_out_of_date(outcome: Outcome) -> bool:
    """Whether a gate went unmeasured because a label of the case is out of date."""
    return isinstance(outcome, Unmeasured) and outcome.reason == "label"
