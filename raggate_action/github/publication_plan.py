"""What a run publishes, as values in the order they are published: planned here, carried out by the publisher."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.github.action_inputs import ActionInputs
from raggate_action.github.comment_plan import JobsBox, News, ProposedComment, news_of
from raggate_action.github.workflow_commands import MOST_ANNOTATIONS, Annotation
from raggate_action.schema.comment_marker import JobResult, instance_digest, instance_name, marker_of
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.run import Run


class PostComment(NamedTuple):
    """Bring the comment of a pull request up to date; `fork` says that the token may well not be allowed to."""

    pull_request: int
    proposal: ProposedComment
    fork: bool


class Publication(NamedTuple):
    """What is published, in this order.

    Attributes:
        summary: Appended to the job summary.
        comment: What becomes of the comment; None without a pull request to tell.
        annotations: Shown at their files and lines; at most ten, all of which a runner keeps of a step.
    """

    summary: str
    comment: PostComment | None = None
    annotations: tuple[Annotation, ...] = ()


class Report(NamedTuple):
    """A decided run with its texts.

    Attributes:
        run, comparison: What was decided, and against what.
        comment, summary: Its texts, rendered.
        jobs_box: Writes what several jobs of a workflow run have come to.
        annotations: Worst first, as many as there are.
    """

    run: Run
    comparison: Comparison | None
    comment: str
    summary: str
    jobs_box: JobsBox
    annotations: tuple[Annotation, ...] = ()


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


def plan_publication(report: Report, audience: Audience, inputs: ActionInputs) -> Publication:
    """Everything to publish; the job summary always, and before anything that may be refused.

    `comment: off` leaves the pull request alone altogether. A merge queue's run, like every run without a pull
    request, writes the summary only. A run that publishes for another one has no files to annotate.
    """
    comment = None
    if inputs.comment != "off" and audience.pull_request is not None and audience.event != "merge_group":
        news = news_of(report.run, report.comparison, inputs.comment)
        comment = PostComment(audience.pull_request, _proposal(report, audience, news), audience.fork)
    annotates = inputs.annotations and audience.event != "workflow_run"
    return Publication(report.summary, comment, _within(report) if annotates else ())


def _proposal(report: Report, audience: Audience, news: News) -> ProposedComment:
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
    return ProposedComment(report.comment, marker, audience.head_sha, news, job, report.jobs_box)


def _within(report: Report) -> tuple[Annotation, ...]:
    """The first ones, as many as the runner keeps; where there are more, the last one says how many there are."""
    kept, run = report.annotations[:MOST_ANNOTATIONS], report.run
    # Beside the cases that are listed there may be more.
    total = max(len(report.annotations), run.counts.failed + run.counts.unmeasured)
    if total == len(kept):
        return kept
    rest = f"({len(kept)} of {total:,} marked; the job summary lists more.)"
    return (*kept[:-1], kept[-1]._replace(message=f"{kept[-1].message} {rest}".strip()))
