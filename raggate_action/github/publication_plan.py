"""What a run publishes, as values in the order they are published: planned here, carried out by the publisher."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from raggate_action.github.action_inputs import ActionInputs, CommentStyle
from raggate_action.github.comment_plan import JobsBox, News, ProposedComment, news_of
from raggate_action.github.workflow_commands import MOST_ANNOTATIONS, Annotation
from raggate_action.schema.comment_marker import JobResult, instance_digest, instance_name, marker_of
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.run import Run

# What a check run takes: annotations in one request, characters of a summary.
MOST_IN_CHECK_RUN = 50
LONGEST_CHECK_SUMMARY = 65_535

Conclusion = Literal["success", "failure", "neutral", "cancelled"]


class WriteSummary(NamedTuple):
    """Append to the job summary."""

    text: str


class PostComment(NamedTuple):
    """Bring the comment of a pull request up to date; `fork` says that the token may well not be allowed to."""

    pull_request: int
    proposal: ProposedComment
    fork: bool


class Annotate(NamedTuple):
    """Show these at their files and lines; at most ten, all of which a runner keeps of a step."""

    annotations: tuple[Annotation, ...]


class PostCheckRun(NamedTuple):
    """Create a check run, completed.

    Attributes:
        name: Of the check; the same for every run of a suite, or of one job of its matrix.
        head_sha: The commit it is shown at.
        conclusion, title, summary: What it says.
        details_url: Where it leads; empty for nowhere.
        annotations: Each with its file, at most fifty.
        fork: As in `PostComment`.
    """

    name: str
    head_sha: str
    conclusion: Conclusion
    title: str
    summary: str
    details_url: str
    annotations: tuple[Annotation, ...]
    fork: bool


Effect = WriteSummary | PostComment | Annotate | PostCheckRun


class Report(NamedTuple):
    """A decided run with its texts.

    Attributes:
        run, comparison: What was decided, and against what.
        comment, summary: Its texts, rendered.
        jobs_box: Writes what several jobs of a workflow run have come to.
        annotations: Worst first, as many as there are.
        blocks: The gate that blocks where no failing case does; empty for any other run.
    """

    run: Run
    comparison: Comparison | None
    comment: str
    summary: str
    jobs_box: JobsBox
    annotations: tuple[Annotation, ...] = ()
    blocks: str = ""


class Audience(NamedTuple):
    """Who there is to tell.

    Attributes:
        event: The event's name.
        pull_request: Its number; None when there is none.
        head_sha: The commit under review.
        fork: The run is a fork's, or treated like one.
    """

    event: str
    pull_request: int | None
    head_sha: str
    fork: bool = False


def plan_effects(report: Report, audience: Audience, inputs: ActionInputs) -> tuple[Effect, ...]:
    """Everything to publish, in order; the job summary always, and before anything that may be refused.

    `comment: off` leaves the pull request alone altogether. A merge queue's run, like every run without a pull
    request, writes the summary only. A run that publishes for another one has no files to annotate.
    """
    return tuple(_effects(report, audience, inputs))


def _effects(report: Report, audience: Audience, inputs: ActionInputs) -> Iterator[Effect]:
    yield WriteSummary(report.summary)
    if inputs.comment != "off" and audience.pull_request is not None and audience.event != "merge_group":
        news = news_of(report.run, report.comparison, inputs.comment)
        yield PostComment(audience.pull_request, _proposal(report, audience, news, inputs.comment_style), audience.fork)
    if inputs.annotations and audience.event != "workflow_run" and report.annotations:
        yield Annotate(_within(report))
    if inputs.check_run and audience.head_sha:
        yield _check_run(report, audience)


def _proposal(report: Report, audience: Audience, news: News, style: CommentStyle) -> ProposedComment:
    run, origin = report.run, report.run.origin
    job = JobResult(
        instance=instance_digest(origin.instance) if origin is not None else "",
        name=instance_name(origin.instance) if origin is not None else "",
        attempt=origin.run_attempt if origin is not None else 1,
        decision=run.decision.kind,
        passed=run.counts.passed,
        failed=run.counts.failed,
        unmeasured=run.unmeasured,
    )
    marker = marker_of(run.suite, origin)
    return ProposedComment(report.comment, marker, audience.head_sha, news, style, job, report.jobs_box)


def _within(report: Report) -> tuple[Annotation, ...]:
    """The first ones, as many as the runner keeps; where there are more, the last one says how many there are."""
    kept, run = report.annotations[:MOST_ANNOTATIONS], report.run
    # Beside the cases that are listed there may be more.
    total = max(len(report.annotations), run.counts.failed + run.counts.unmeasured)
    if total == len(kept):
        return kept
    rest = f"({len(kept)} of {total:,} marked; the job summary lists more.)"
    return (*kept[:-1], kept[-1]._replace(message=f"{kept[-1].message} {rest}".strip()))


def _check_run(report: Report, audience: Audience) -> PostCheckRun:
    run, origin = report.run, report.run.origin
    counts, blocks = run.counts, f"{report.blocks}, " if report.blocks else ""
    marker, job = marker_of(run.suite, origin), instance_name(origin.instance) if origin is not None else ""
    placed = [each for each in report.annotations if each.file][:MOST_IN_CHECK_RUN]
    return PostCheckRun(
        name=f"raggate ({', '.join(filter(None, [marker.suite, job]))})",
        head_sha=audience.head_sha,
        conclusion=_conclusion(run, by_fork=audience.event == "workflow_run"),
        title=f"{run.decision.kind.capitalize()}: {blocks}{counts.passed - counts.to_look_at:,} passed,"
        f" {counts.failed:,} failed, {run.unmeasured:,} unmeasured",
        summary=report.comment.removeprefix(f"{marker.line}\n")[:LONGEST_CHECK_SUMMARY],
        details_url=f"{origin.server_url}/{origin.repository}/actions/runs/{origin.workflow_run_id}" if origin else "",
        annotations=tuple(placed) if audience.event != "workflow_run" else (),
        fork=audience.fork,
    )


def _conclusion(run: Run, *, by_fork: bool) -> Conclusion:
    """As the job's exit code has it: inconclusive fails too, and what only advises never does.

    What is published for another run was measured by a fork: its word makes no check green.
    """
    if run.cancelled:
        return "cancelled"
    if run.decision.kind == "release":
        return "neutral" if by_fork else "success"
    return "failure" if run.decision.enforced else "neutral"
