"""The summaries a run carries: the agent suite's (seed 004) and the release report (seed 001)."""

from raggate_action.schema.base import Rate, Record


class ToolCount(Record):
    """How often an expected tool was called, over the cases that expect it."""

    tool: str
    called: int
    expected: int


class Summary(Record):
    """The agent suite's summary (seed 004).

    Attributes:
        mean_score: Unweighted mean of the cases' scores; None when no case has one.
        mean_latency_ms, p50_latency_ms, p95_latency_ms: Over cases with a latency; nearest rank.
        hallucination_rate: Percent of cases run with a hallucination, one decimal, rounded up.
        flag_rate: The same counting must_not_contain hits only.
        tool_use: Cases with every expected tool called, over cases that expect tools.
        tools: The same by tool.
        failing: Every failing case by id, heaviest first, at most 1,000; `failed` counts them all.
        cost_usd: Sum the app reports; None when it reports none.
    """

    cases: int
    passed: int
    failed: int
    mean_score: float | None
    mean_latency_ms: float | None
    p50_latency_ms: float | None
    p95_latency_ms: float | None
    hallucination_rate: float
    flag_rate: float
    tool_use: Rate | None
    tools: tuple[ToolCount, ...] = ()
    failing: tuple[str, ...] = ()
    cost_usd: float | None = None


class ReleaseChecks(Record):
    """The four checks of the release report (seed 001); None where the suite gives nothing to check."""

    admissible_evidence_path: bool | None
    supported_answer_released: bool | None
    known_bad_answers_blocked: bool | None
    slice_regression_clear: bool | None


class ReleaseReport(Record):
    """The release report (seed 001).

    Attributes:
        service_version: Suite, else trace, else `AGENT_VERSION`, else `unknown`.
        source_traces: Cases that must be released (else the first ordinary ones), at most 20.
        required_policy_versions: Versions of the evidence those cases require.
        checks: The four checks.
    """

    service_version: str
    source_traces: tuple[str, ...]
    required_policy_versions: tuple[str, ...]
    checks: ReleaseChecks
