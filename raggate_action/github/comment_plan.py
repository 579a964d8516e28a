"""What becomes of the comment, decided from the comments that are there before anything is written.

One comment per suite, ours alone, oldest first: it is edited in place, so that links to it live on. What another
run has written stays when that run is newer, and a comment that somebody has hidden stays as it is: it is neither
edited, for nobody would see it, nor deleted, for hiding it was somebody's wish. In its stead a new one is made.

Jobs of one run share the comment: a line for each, and the report of the worst that is at hand. So none of them hides
what another one has found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from raggate_action.github.action_inputs import CommentMode
from raggate_action.schema.comment_marker import CommentMarker, JobResult, jobs_line, read_marker, read_page
from raggate_action.schema.comparison import Comparison
from raggate_action.schema.decision import RunGateStatus
from raggate_action.schema.run import Run

_SHORT = 7
# GitHub refuses a comment above 65,536 characters or 262,144 bytes: four bytes a character at most.
_LONGEST = 65_000
# How many results of jobs are kept: the first of these with which the comment is short enough.
_KEPT_JOBS = (256, 100, 50, 20, 8, 3, 1)

# Results of jobs, the one whose report stands below them, and how many are left out -> what is shown of them.
JobsBox = Callable[[Sequence[JobResult], JobResult | None, int], str]


class Comment(NamedTuple):
    """A comment of a pull request.

    Attributes:
        comment_id: Rises with time.
        body: What it says; a stranger's, unless `own`.
        own: Our token's account wrote it.
        minimized: Somebody has hidden it.
        url: Its page.
    """

    comment_id: int
    body: str
    own: bool
    minimized: bool
    url: str


class PullComments(NamedTuple):
    """The pull request as it is now: its own last commit, and every comment of it."""

    head_sha: str
    comments: tuple[Comment, ...]

    def without(self, comment_ids: Iterable[int]) -> PullComments:
        """The same without comments that turned out to be gone."""
        gone = frozenset(comment_ids)
        return self._replace(comments=tuple([each for each in self.comments if each.comment_id not in gone]))


class News(NamedTuple):
    """Whether there is something to tell, and in a few words why or why not."""

    worth: bool
    why: str


class ProposedComment(NamedTuple):
    """The comment a run would like to have.

    Attributes:
        body: Begins with `marker`.
        marker: Whose it is.
        head_sha: The commit it is about, which must still be the pull request's last.
        news: Whether it is worth a comment where there is none yet.
        job: What the run came to, for those of its jobs that have the same suite.
        jobs_box: Writes what several jobs came to.
    """

    body: str
    marker: CommentMarker
    head_sha: str
    news: News
    job: JobResult
    jobs_box: JobsBox


class Create(NamedTuple):
    """Write a new comment."""

    body: str


class Update(NamedTuple):
    """Edit this one."""

    comment: Comment
    body: str


class Leave(NamedTuple):
    """Write nothing; `why` is a clause for the log, `url` the comment that stands, where it is this run's own."""

    why: str
    url: str | None = None


class CommentPlan(NamedTuple):
    """What to do.

    Attributes:
        write: First this.
        delete: Then delete these, all of them our own.
        beside: What another job of this run has decided otherwise, a clause for the log; empty for nothing.
    """

    write: Create | Update | Leave
    delete: tuple[int, ...] = ()
    beside: str = ""


def plan_comment(there: PullComments, proposed: ProposedComment) -> CommentPlan:
    """Decide, from what is there now, what becomes of the comment.

    A comment once posted is always kept current, whatever the mode: a stale red one would be worse than none.
    """
    ours = [(each, marker) for each, marker in _ours(there.comments) if marker.suite == proposed.marker.suite]
    visible = [pair for pair in ours if not pair[0].minimized]
    if there.head_sha != proposed.head_sha:
        now = f"the pull request is at {there.head_sha[:_SHORT]}"
        return CommentPlan(Leave(f"this run is of {proposed.head_sha[:_SHORT]}, and {now}"))
    # What a newer run says of another commit is no news of this one.
    newest = max(
        (_age(each, marker, proposed) for each, marker in ours if marker.head_sha == there.head_sha), default=(0, 0)
    )
    if newest > proposed.marker.age:
        kept = visible[0][0] if visible else None
        # Two runs at once: one comment stays, and each run takes back only its own.
        spare = [
            each
            for each, marker in visible
            if each != kept and marker.age <= proposed.marker.age and _is_to_spare(each, newest[0], proposed)
        ]
        which = f"attempt {newest[1]} of " if newest[0] == proposed.marker.run_id else ""
        return CommentPlan(Leave(f"{which}workflow run {newest[0]} is newer and has commented"), _ids(spare))
    body, beside = _together(visible, proposed)
    if not visible:
        return CommentPlan(Create(body) if proposed.news.worth else Leave(proposed.news.why))
    kept, *others = [each for each, _marker in visible]
    write = Leave("the comment says so already", kept.url) if _says(kept, body) else Update(kept, body)
    return CommentPlan(write, _ids(others), beside)


def _is_to_spare(comment: Comment, newest_run: int, proposed: ProposedComment) -> bool:
    """Whether no other job of the newest run has a result in it."""
    jobs = read_page(comment.body).jobs
    return newest_run != proposed.marker.run_id or all(job.instance == proposed.marker.instance for job in jobs)


def _age(comment: Comment, marker: CommentMarker, proposed: ProposedComment) -> tuple[int, int]:
    """How new a comment is to this job: of its own run, the attempt that this very job has there."""
    if marker.run_id != proposed.marker.run_id:
        return marker.age
    attempts = [job.attempt for job in read_page(comment.body).jobs if job.instance == proposed.marker.instance]
    own = [marker.attempt] if marker.instance == proposed.marker.instance else []
    return marker.run_id, max([*attempts, *own], default=0)


def _together(visible: Iterable[tuple[Comment, CommentMarker]], proposed: ProposedComment) -> tuple[str, str]:
    """The comment that says what all jobs of the run have come to, and what of it differs, for the log.

    Whatever is read from comments counts alike in every order, so that jobs that write at once come to the same text.
    """
    mine = proposed.marker
    reports: dict[JobResult, str] = {}
    found: list[JobResult] = []
    for comment, marker in visible:
        if mine.run_id and (marker.run_id, marker.head_sha) == (mine.run_id, mine.head_sha):
            page = read_page(comment.body)
            found += page.jobs
            if page.reported is not None:
                reports[page.reported] = page.report
    reports[proposed.job] = read_page(proposed.body).report
    jobs: dict[str, JobResult] = {}
    # Of one job the later attempt counts; what writes twice in one attempt cannot take back the worse.
    for job in [*found, proposed.job]:
        known = jobs.get(job.instance)
        if known is None or (job.attempt, job.badness) >= (known.attempt, known.badness):
            jobs[job.instance] = job
    ordered = sorted(jobs.values(), key=lambda job: ([-each for each in job.badness], job.instance))
    first = next((job for job in ordered if job in reports), proposed.job)
    return _page(ordered, first, reports[first], proposed), _other_jobs(found, ordered, proposed.job)


def _page(jobs: list[JobResult], first: JobResult, report: str, proposed: ProposedComment) -> str:
    marker = proposed.marker._replace(attempt=first.attempt, instance=first.instance)
    if not proposed.marker.run_id:
        return proposed.body
    if [job.instance for job in jobs] == [""]:
        return f"{marker.line}\n{report}"
    text = ""
    for most in _KEPT_JOBS:
        kept = jobs[:most]
        box = proposed.jobs_box(kept, first if first in kept else None, len(jobs) - len(kept))
        text = f"{marker.line}\n{box}{jobs_line(kept)}\n{report}"
        if len(text) <= _LONGEST:
            break
    return text


def _other_jobs(found: list[JobResult], jobs: list[JobResult], mine: JobResult) -> str:
    """What the log says of another job's decision on the same comment."""
    clauses = []
    for job in found:
        if (job.instance, job.attempt) == (mine.instance, mine.attempt) and job.decision != mine.decision:
            stays = "stays there" if mine not in jobs else "is replaced"
            clauses.append(
                f"another job of this run has decided {job.decision}, which {stays}: give each an `instance`"
            )
    others = [job for job in jobs if job.instance != mine.instance and job.decision != mine.decision]
    clauses += [f"job {job.name} of this run has decided {job.decision}" for job in others[:1]]
    clauses += [f"and {len(others) - 1} more have decided otherwise"] if len(others) > 1 else []
    return ", ".join(dict.fromkeys(clauses))


def _ours(comments: Iterable[Comment]) -> Iterator[tuple[Comment, CommentMarker]]:
    """Our own comments, oldest first; whoever else writes our marker is not us."""
    for each in sorted(comments):
        marker = read_marker(each.body) if each.own else None
        if marker is not None:
            yield each, marker


# A report links to the workflow run that made it; no foreign text has a bare bracket.
_RUN_LINK = re.compile(r"\[workflow run \d+(?:, attempt \d+)?\]\([^)\s]*\)")


def _says(comment: Comment, body: str) -> bool:
    """Whether it says this already; GitHub keeps other line ends, and no space at the ends.

    A report of one job says the same whichever run of the commit made it.
    """
    there, new = comment.body.replace("\r\n", "\n").strip(), body.replace("\r\n", "\n").strip()
    if there == new or read_page(there).jobs[1:] or not _RUN_LINK.search(new):
        return there == new
    return _without_run(there) == _without_run(new)


def _without_run(body: str) -> tuple[CommentMarker | None, str]:
    """A comment without the number of its workflow run and of its attempt."""
    marker = read_marker(body)
    _first, _break, rest = body.partition("\n")
    return (marker._replace(run_id=0, attempt=0) if marker is not None else None), _RUN_LINK.sub("", rest)


def _ids(comments: Iterable[Comment]) -> tuple[int, ...]:
    return tuple([each.comment_id for each in comments])


def written_by(there: PullComments, marker: CommentMarker) -> Comment | None:
    """The comment that carries exactly this marker, and so was written by this very run; None without one."""
    return next((each for each, found in _ours(there.comments) if found == marker and not each.minimized), None)


def news_of(run: Run, comparison: Comparison | None, mode: CommentMode) -> News:
    """Whether a run is worth a comment where there is none yet; `off` never is."""
    kind = run.decision.kind
    match mode:
        case "always":
            return News(worth=True, why=f"the decision is {kind}")
        case "failures":
            why = f"the decision is {kind}"
            return News(worth=True, why=why) if kind != "release" else News(worth=False, why=f"{why}: `{mode}`")
        case "changes":
            moved = list(_changes(run, comparison))
            if not moved:
                return News(worth=False, why=f"nothing changed against the baseline: `{mode}`")
            return News(worth=True, why=", ".join(moved))
        case "off":
            return News(worth=False, why="comments are off")


def _changes(run: Run, comparison: Comparison | None) -> Iterator[str]:
    """What a reviewer would call a change, in words; without a baseline everything is one."""
    if comparison is None:
        yield "there is no baseline"
        return
    for number, noun in (
        (comparison.regressed, "regressed cases"),
        (comparison.total("fixed"), "fixed cases"),
        (comparison.of("hallucination_rate").new, "new hallucinations"),
        (comparison.of("hallucination_rate").fixed, "fixed hallucinations"),
        (_changed_count(((gate.gate, gate.status) for gate in run.gates), comparison), "gates with another outcome"),
        (_changed_count(((part.name, part.status) for part in run.slices), comparison), "slices with another outcome"),
    ):
        if number:
            yield f"{noun}: {number}"
    if comparison.baseline_decision != run.decision.kind:
        yield f"the decision was {comparison.baseline_decision} and is {run.decision.kind}"


def _changed_count(now: Iterable[tuple[str, RunGateStatus]], comparison: Comparison) -> int:
    """How many stand otherwise than on the baseline.

    What only one run has is no change of it, and too few cases to judge are mostly a smaller scope.
    """
    pairs = [(comparison.statuses.get(name, status), status) for name, status in now]
    return sum(then != status and "insufficient" not in (then, status) for then, status in pairs)
