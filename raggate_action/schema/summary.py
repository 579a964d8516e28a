"""The summaries a run carries: scores, times and rates of its cases, and the release report."""

from typing import Literal, TypeAlias

from raggate_action.schema.base import Amount, Natural, Percent, Rate, Record, Total, UnitScore

CheckName: TypeAlias = Literal[
    "admissible_evidence_path", "supported_answer_released", "known_bad_answers_blocked", "slice_regression_clear"
]


class ToolCount(Record):
    """How often an expected tool was called, over the cases that expect it."""

    tool: str
    called: Natural
    expected: Natural


class Summary(Record):
    """Scores, times, rates and tool use over the cases run.

    Attributes:
        mean_score: Unweighted mean of the cases' scores; None when no case has one.
        mean_latency_ms, p50_latency_ms, p95_latency_ms: Over cases with a latency; nearest rank.
        hallucination_rate: Percent of cases run with a hallucination, one decimal, rounded half up.
        flag_rate: The same counting must_not_contain hits only.
        tool_use: Cases with every expected tool called, over cases that expect tools.
        tools: The same by tool.
        failing: Every failing case by id, heaviest first, at most 1,000; `failed` counts them all.
        cost_usd: Sum the app reports; None when it reports none.
    """

    cases: Natural
    passed: Natural
    failed: Natural
    mean_score: UnitScore | None
    mean_latency_ms: Amount | None
    p50_latency_ms: Amount | None
    p95_latency_ms: Amount | None
    hallucination_rate: Percent
    flag_rate: Percent
    tool_use: Rate | None
    tools: tuple[ToolCount, ...] = ()
    failing: tuple[str, ...] = ()
    cost_usd: Total | None = None


class ReleaseNames(Record):
    """What a release report names and no row holds.

    Attributes:
        service_version: The app's version as the suite names it; None takes it from the traces.
        agent_version: As the environment names it (`AGENT_VERSION`), asked last.
        required_policy_versions: Versions of the sources that the report's source traces require, as the evidence
            store has them; None, without a store, takes the versions those answers were built from.
    """

    service_version: str | None = None
    agent_version: str | None = None
    required_policy_versions: tuple[str, ...] | None = None


class ReleaseReport(Record):
    """What a release can be held to later: versions, the cases that stand for it, and four checks.

    Attributes:
        service_version: Suite, else trace, else `AGENT_VERSION`, else `unknown`.
        source_traces: Cases that must be released (else the first ordinary ones), at most 20.
        required_policy_versions: Versions of the evidence those cases require.
        checks: The four checks; None where the suite gives nothing to check.
    """

    service_version: str
    source_traces: tuple[str, ...]
    required_policy_versions: tuple[str, ...]
    checks: dict[CheckName, bool | None]
