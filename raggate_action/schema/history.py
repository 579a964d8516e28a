"""The runs of a branch one after the other: a line each, and the levels that moved. The content of `history.jsonl`."""

from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Amount, MomentText, Natural, Percent, Rate, Record, Total, UnitScore
from raggate_action.schema.counts import PipelineVersion
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.summary import ToolCount

HISTORY_AT_MOST: Final = 200
NAMED_AT_MOST: Final = 20

Level: TypeAlias = Literal["passed", "hallucinating"]


class HistoryLine(Record):
    """A run in the history of its branch.

    Attributes:
        date: When it was decided; with the commit it tells runs apart.
        git_sha: The commit.
        version: By suite or `AGENT_VERSION`, else the beginning of the commit, else by traces, else `unknown`.
        decision: What was decided.
        measured_by: Digest of cases, scope, rules and judges: levels of two runs compare where it is the same.
        score, hallucination_rate, latency_ms, p50_latency_ms, p95_latency_ms, cost_usd: As in its summary; the first
            latency is the mean.
        cases: Cases run.
        passed: Of those that passed, failed or were flaky.
        hallucinating: Of those with a usable answer.
        verified: Of all that passed.
        tools: How often each expected tool was called; the first of many.
        pipeline_versions: Likewise.
    """

    date: MomentText
    git_sha: str | None = None
    version: str
    decision: DecisionKind
    measured_by: str
    score: UnitScore | None = None
    hallucination_rate: Percent
    latency_ms: Amount | None = None
    p50_latency_ms: Amount | None = None
    p95_latency_ms: Amount | None = None
    cost_usd: Total | None = None
    cases: Natural
    passed: Rate
    hallucinating: Rate
    verified: Rate
    tools: Annotated[tuple[ToolCount, ...], Field(max_length=NAMED_AT_MOST)] = ()
    pipeline_versions: Annotated[tuple[PipelineVersion, ...], Field(max_length=NAMED_AT_MOST)] = ()


class LevelMove(NamedTuple):
    """A level that moved by more than chance: the later half of the runs of the same cases against the earlier half.

    Attributes:
        level: Which.
        earlier_runs, later_runs: How many runs each half has.
        before, after: Cases of all runs of a half, summed up.
    """

    level: Level
    earlier_runs: int
    later_runs: int
    before: Rate
    after: Rate


class Trend(NamedTuple):
    """A run at the end of the history of its branch.

    Attributes:
        lines: The runs, the oldest first, this one last; empty where nothing is to be told.
        moves: What moved.
    """

    lines: tuple[HistoryLine, ...] = ()
    moves: tuple[LevelMove, ...] = ()
