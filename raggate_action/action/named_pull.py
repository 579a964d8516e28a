"""A pull request that the workflow's author names, for events that are about none: what it goes into, and its head."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.action.baseline import github_api
from raggate_action.github.activities import BaselineCommit, Evaluate
from raggate_action.github.api import GitHubFault
from raggate_action.github.api_records import Pull
from raggate_action.github.checkout import checked_out_commit
from raggate_action.github.context import ActionContext
from raggate_action.github.inputs import ActionInputs


class Named(NamedTuple):
    """What is to be evaluated, and a sentence for the log where the pull request could not be asked for."""

    activity: Evaluate
    warning: str = ""


def with_named_pull(activity: Evaluate, inputs: ActionInputs, context: ActionContext) -> Named:
    """Compare with the base of the pull request that `pr-number` names, and see whether its last commit is run.

    Nothing is asked where the event is about a pull request itself, or none is named. Where GitHub does not tell of it
    the run goes on with the event's own baseline.
    """
    number = activity.pull_request
    if number is None or context.facts.pull is not None:
        return Named(activity)
    try:
        with github_api(inputs, context) as api:
            pull = api.pull(number)
    except GitHubFault as fault:
        missing = f"There is no pull request {number} in {context.repository}"
        unread = f"Pull request {number} could not be asked for ({fault.message})"
        why = missing if fault.status == 404 else unread
        return Named(activity, f"{why}: the run is compared as without `pr-number`.")
    return Named(_against(pull, activity, checked_out_commit(context.workspace) or activity.head_sha))


def _against(pull: Pull, activity: Evaluate, commit: str) -> Evaluate:
    """The evaluation of a commit, on behalf of a pull request that it may not be the last commit of."""
    is_its_own = commit in (pull.head_sha, pull.merge_sha)
    return activity._replace(
        baseline=BaselineCommit(pull.base_branch, commit),
        head_sha=pull.head_sha if is_its_own else commit,
        pull_head=None if is_its_own else pull.head_sha,
    )
