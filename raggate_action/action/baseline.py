"""The run to compare with: the base branch's from the API, one given by path, or none with the reason.

Also what `pr-number` changes: the pull request it names has another base and another last commit than the event.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from raggate_action.action.workflow_job import WorkflowJob
from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.errors import PullRequestError, UsageError
from raggate_action.github.action_inputs import ActionInputs
from raggate_action.github.api import GitHubApi
from raggate_action.github.archive import Archive
from raggate_action.github.baseline_choice import BaselineSearch
from raggate_action.github.baseline_search import find_baseline
from raggate_action.github.checkout import checked_out_commit, checkout_of, parents_in
from raggate_action.github.event_and_fork_rules import BaselineCommit, Evaluate
from raggate_action.github.pygithub_client import GitHubFault
from raggate_action.github.workflow_context import ActionContext
from raggate_action.run.stored_runs import baseline_of, stored_baseline
from raggate_action.run_store import RunSource
from raggate_action.schema.comment_marker import instance_digest, suite_slug
from raggate_action.schema.origin import BaselineNote
from raggate_action.strings.visible_text import cut
from raggate_action.suite_files import LoadedSuite

if TYPE_CHECKING:
    from github.PullRequest import PullRequest
    from github.Repository import Repository


class JobBaseline(NamedTuple):
    """The baseline of a run and how it was found; without a baseline the note says why.

    Close it when the run is decided: outcomes are read from an artifact until then.
    """

    baseline: BaselineIndex | None
    note: BaselineNote | None
    archive: Archive | None = None

    def close(self) -> None:
        """Let go of the artifact."""
        if self.archive is not None:
            self.archive.close()


def artifact_name(inputs: ActionInputs, suite: str) -> str:
    """The name run directories of a suite are uploaded under; the jobs of a matrix have one each."""
    which = f"-{instance_digest(inputs.instance)}" if inputs.instance else ""
    return inputs.artifact_name or f"raggate-{suite_slug(suite)}{which}"


def github_api(inputs: ActionInputs, context: ActionContext) -> GitHubApi:
    """The repository we run in, read with the workflow's token or, without one, as anybody."""
    token = inputs.github_token.get_secret_value() if inputs.github_token is not None else None
    return GitHubApi(api_url=context.api_url, token=token, repository=context.repository)


def job_baseline(job: WorkflowJob, loaded: LoadedSuite) -> JobBaseline:
    """Find the baseline an input asks for; GitHub's trouble is a sentence, never an error.

    Raises:
        RunStoreError: The directory given holds no complete run.
        UsageError: Its run is of another suite.
    """
    inputs, commit = job.inputs, job.activity.baseline
    suite = loaded.suite.suite
    if inputs.baseline == "none":
        return JobBaseline(None, BaselineNote(missing="The workflow asks for no baseline."))
    if inputs.baseline != "auto":
        return JobBaseline(*baseline_of(Path(inputs.baseline), loaded, out=job.out))
    if commit is None:
        return JobBaseline(None, BaselineNote(missing="The event names no branch to compare with."))
    with github_api(inputs, job.context) as api:
        return find_by_api(
            api,
            BaselineSearch(
                artifact=artifact_name(inputs, suite),
                branch=commit.branch,
                sha=commit.sha,
                repository_id=job.context.repository_id,
                workflow=job.context.workflow,
                run_id=job.context.run_id,
            ),
            lambda source: stored_baseline(source, suite=suite),
        )


def find_by_api(api: GitHubApi, search: BaselineSearch, read: Callable[[RunSource], BaselineIndex]) -> JobBaseline:
    """Find the base branch's last run at or before a commit, and read it; the caller closes what it gets."""

    def read_of_commit(archive: Archive, commit: str) -> BaselineIndex:
        baseline = read(archive)
        if baseline.run.provenance.git_sha != commit:
            raise UsageError(
                "it holds a run of another commit than its workflow run was for",
                hint="Upload the run directory in the job that made it.",
            )
        return baseline

    note, archive, content = find_baseline(api, search, now=datetime.now(UTC), read=read_of_commit)
    return JobBaseline(content, note, archive)


_SHORT = 7
_LONGEST_BRANCH = 100
_PARENTS_OF_A_MERGE = 2


class NamedPull(NamedTuple):
    """The activity for the pull request that `pr-number` names, and a warning where GitHub did not tell of it."""

    activity: Evaluate
    warning: str = ""


def with_named_pull(activity: Evaluate, inputs: ActionInputs, context: ActionContext) -> NamedPull:
    """Compare with the base of the pull request that `pr-number` names, whose last commit, or a merge of it, is run.

    Nothing is asked where the event is about a pull request itself, or none is named. Where GitHub does not tell of it
    the run goes on with the event's own baseline, and comments only if its commit turns out to be the last one.

    Raises:
        PullRequestError: Another commit is checked out. Its result would stand on the pull request as if it were of it.
    """
    number = activity.pull_request
    if number is None or context.facts.pull is not None:
        return NamedPull(activity)
    checkout = checkout_of(context.workspace, context.workspace / inputs.working_directory)
    commit = checked_out_commit(checkout) or activity.head_sha
    try:
        with github_api(inputs, context) as api:
            pull = api.pull(number)
            # The merge that GitHub names may still be of the commit before: only parents tell.
            parents = () if commit == pull.head.sha else parents_in(checkout, commit) or api.parents(commit)
    except GitHubFault as fault:
        missing = f"There is no pull request {number} in {context.repository}"
        unread = f"Pull request {number} could not be asked for ({fault.message})"
        why = missing if fault.status == 404 else unread
        unsure = activity._replace(head_sha=commit)
        return NamedPull(unsure, f"{why}: the run is compared as without `pr-number`.")
    if commit != pull.head.sha and (len(parents) < _PARENTS_OF_A_MERGE or pull.head.sha not in parents):
        raise PullRequestError(
            f"pull request {number} is at {pull.head.sha[:_SHORT]}, and {commit[:_SHORT]} is checked out, which is"
            " neither that commit nor a merge of it",
            hint=_way_out(pull, context),
        )
    base = BaselineCommit(pull.base.ref, commit)
    return NamedPull(activity._replace(baseline=base, head_sha=pull.head.sha))


def _way_out(pull: PullRequest, context: ActionContext) -> str:
    if context.facts.event != "workflow_dispatch":
        return f"Let the workflow check out `refs/pull/{pull.number}/merge` before it starts the gate."
    head = cast("Repository | None", pull.head.repo)
    if head is None or head.id != pull.base.repo.id:
        return "Push its last commit to a branch of this repository, and choose that branch in *Run workflow*."
    return f"In *Run workflow*, choose the branch `{cut(pull.head.ref, _LONGEST_BRANCH)}`."
