"""A pull request that the workflow's author names, for events that are about none: what it goes into, and its head."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.action.baseline import github_api
from raggate_action.errors import PullRequestError
from raggate_action.github.action_inputs import ActionInputs
from raggate_action.github.activities import BaselineCommit, Evaluate
from raggate_action.github.api import GitHubFault, Pull
from raggate_action.github.checkout import checked_out_commit, checkout_of, parents_in
from raggate_action.github.workflow_context import ActionContext
from raggate_action.strings.visible_text import cut

_SHORT = 7
_LONGEST_BRANCH = 100
_PARENTS_OF_A_MERGE = 2


class Named(NamedTuple):
    """What is to be evaluated, and a sentence for the log where the pull request could not be asked for."""

    activity: Evaluate
    warning: str = ""


def with_named_pull(activity: Evaluate, inputs: ActionInputs, context: ActionContext) -> Named:
    """Compare with the base of the pull request that `pr-number` names, whose last commit, or a merge of it, is run.

    Nothing is asked where the event is about a pull request itself, or none is named. Where GitHub does not tell of it
    the run goes on with the event's own baseline, and comments only if its commit turns out to be the last one.

    Raises:
        PullRequestError: Another commit is checked out. Its result would stand on the pull request as if it were of it.
    """
    number = activity.pull_request
    if number is None or context.facts.pull is not None:
        return Named(activity)
    checkout = checkout_of(context.workspace, context.workspace / inputs.working_directory)
    commit = checked_out_commit(checkout) or activity.head_sha
    try:
        with github_api(inputs, context) as api:
            pull = api.pull(number)
            # The merge that GitHub names may still be of the commit before: only parents tell.
            parents = () if commit == pull.head_sha else parents_in(checkout, commit) or api.parents(commit)
    except GitHubFault as fault:
        missing = f"There is no pull request {number} in {context.repository}"
        unread = f"Pull request {number} could not be asked for ({fault.message})"
        why = missing if fault.status == 404 else unread
        unsure = activity._replace(head_sha=commit)
        return Named(unsure, f"{why}: the run is compared as without `pr-number`.")
    if commit != pull.head_sha and (len(parents) < _PARENTS_OF_A_MERGE or pull.head_sha not in parents):
        raise PullRequestError(
            f"pull request {number} is at {pull.head_sha[:_SHORT]}, and {commit[:_SHORT]} is checked out, which is"
            " neither that commit nor a merge of it",
            hint=_way_out(pull, context),
        )
    base = BaselineCommit(pull.base_branch, commit)
    return Named(activity._replace(baseline=base, head_sha=pull.head_sha))


def _way_out(pull: Pull, context: ActionContext) -> str:
    if context.facts.event != "workflow_dispatch":
        return f"Let the workflow check out `refs/pull/{pull.number}/merge` before it starts the gate."
    if pull.head_repository_id != pull.base_repository_id:
        return "Push its last commit to a branch of this repository, and choose that branch in *Run workflow*."
    return f"In *Run workflow*, choose the branch `{cut(pull.head_branch, _LONGEST_BRANCH)}`."
