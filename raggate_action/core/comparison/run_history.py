"""The history of a branch, carried from run to run along its baselines, and whether a level of it moved.

The file of a run has the runs before it and not itself: the line of a run is added by the next one that has it as its
baseline. So a pull request's run, which is nobody's baseline, is in no history, and two runs that end at once cannot
disturb each other's file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from raggate_action.schema.base import Rate, digest_of_text
from raggate_action.schema.history import HISTORY_AT_MOST, NAMED_AT_MOST, HistoryLine, Level, LevelMove, Trend
from raggate_action.schema.run import Run
from raggate_action.strings.visible_text import cut

# The runs that a level is told by: some ten versions.
_LATEST: Final = 10
_FEWEST: Final = 3
_LONGEST: Final = 80
_SHORT: Final = 12
_LEVELS: Final[dict[Level, Callable[[HistoryLine], Rate]]] = {
    "passed": lambda line: line.passed,
    "hallucinating": lambda line: line.hallucinating,
}


def history_line(run: Run) -> HistoryLine:
    """A decided run as a line."""
    counts, summary, made, names = run.counts, run.summary, run.provenance, run.release_names
    version = names.service_version or names.agent_version or (made.git_sha or "")[:_SHORT]
    return HistoryLine(
        date=run.decided_at,
        git_sha=made.git_sha,
        version=cut(version or run.release_report.service_version, _LONGEST),
        decision=run.decision.kind,
        measured_by=_measured_by(run),
        score=summary.mean_score,
        hallucination_rate=summary.hallucination_rate,
        latency_ms=summary.mean_latency_ms,
        p50_latency_ms=summary.p50_latency_ms,
        p95_latency_ms=summary.p95_latency_ms,
        cost_usd=summary.cost_usd,
        cases=counts.cases,
        passed=Rate(hits=summary.passed, total=summary.passed + summary.failed + counts.flaky),
        hallucinating=Rate(hits=counts.hallucinating, total=max(counts.answered_by_target, counts.hallucinating)),
        verified=Rate(hits=counts.verified, total=max(counts.passed, counts.verified)),
        tools=tuple([t.model_copy(update={"tool": cut(t.tool, _LONGEST)}) for t in summary.tools[:NAMED_AT_MOST]]),
        pipeline_versions=tuple(
            [
                each.model_copy(update={"key": cut(each.key, _LONGEST), "value": cut(each.value, _LONGEST)})
                for each in run.pipeline_versions[:NAMED_AT_MOST]
            ]
        ),
    )


def _measured_by(run: Run) -> str:
    made = run.provenance
    by = [made.cases_digest, run.scope, made.judging_digest, made.raggate_version, *run.judge_names]
    return digest_of_text(json.dumps(by))


def carried(history: Iterable[HistoryLine], baseline: Run) -> tuple[HistoryLine, ...]:
    """The history of a run with this baseline: the baseline's, and the baseline as its last line.

    A baseline that is a pull request's own run stands for no branch, and is left out.

    Args:
        history: The baseline's.
        baseline: The baseline.
    """
    origin = baseline.origin
    is_of_pull = baseline.of_fork or (origin is not None and origin.pull_request is not None)
    return folded([*history, *([] if is_of_pull else [history_line(baseline)])])


def folded(lines: Iterable[HistoryLine]) -> tuple[HistoryLine, ...]:
    """The lines of one or of several histories as one: each run once, the oldest first, the last so many."""
    runs = {(line.date, line.git_sha): line for line in lines}
    return tuple(sorted(runs.values(), key=lambda line: (line.date, line.git_sha or ""))[-HISTORY_AT_MOST:])


def trend_of(history: Sequence[HistoryLine], run: Run) -> Trend:
    """A run behind the history of its branch; empty for one that was cancelled, or of cases named one by one.

    Args:
        history: The runs before it.
        run: The run.
    """
    if run.cancelled or not run.complete or run.case_filter:
        return Trend()
    # By its own clock a run may stand before its baseline; it is the last all the same.
    lines = (*[line for line in history if line.date != run.decided_at], history_line(run))
    return Trend(lines=lines, moves=tuple(moved_levels(lines)))


def moved_levels(lines: Sequence[HistoryLine]) -> Iterator[LevelMove]:
    """The levels that moved over the latest runs of the same cases, judged alike.

    The earlier half of these runs stands against the later one, each with its cases summed up. A level moved where
    the exact 95 % intervals of both do not touch. An app that only varies by chance does that in less than 1 % of
    runs: its cases differ in how often they fail, which makes sums vary less than the intervals allow for.

    Args:
        lines: The runs, the one in question last.
    """
    alike = [line for line in lines if line.measured_by == lines[-1].measured_by][-_LATEST:]
    if len(alike) < _FEWEST:
        return
    # Most branches are short: what only long ones need is not loaded.
    from raggate_action.core.statistics.intervals import clopper_pearson

    middle = len(alike) // 2
    for level, rate in _LEVELS.items():
        before, after = (_sum(map(rate, half)) for half in (alike[:middle], alike[middle:]))
        then, now = clopper_pearson(before), clopper_pearson(after)
        if then.high < now.low or now.high < then.low:
            yield LevelMove(
                level=level, earlier_runs=middle, later_runs=len(alike) - middle, before=before, after=after
            )


def _sum(rates: Iterable[Rate]) -> Rate:
    counted = [(rate.hits, rate.total) for rate in rates]
    return Rate(hits=sum(hits for hits, _total in counted), total=sum(total for _hits, total in counted))
