"""The comment that a pull request has before a run is decided: what the new one says of it is kept with the run."""

from __future__ import annotations

from raggate_action.github.action_inputs import ActionInputs
from raggate_action.github.api import CommentApi, GitHubFault
from raggate_action.github.comment_plan import standing_comment
from raggate_action.github.workflow_context import ActionContext
from raggate_action.schema.comment_marker import earlier_comment, instance_digest, suite_slug
from raggate_action.schema.origin import EarlierComment


def earlier_of(
    suite: str, pull_request: int | None, inputs: ActionInputs, context: ActionContext
) -> EarlierComment | None:
    """What our comment on a pull request says now; None without one, and where GitHub does not tell.

    Args:
        suite: The suite's name.
        pull_request: Its number; None outside a pull request.
        inputs: The action's inputs.
        context: The workflow run.
    """
    if pull_request is None or inputs.github_token is None or inputs.comment == "off":
        return None
    token = inputs.github_token.get_secret_value()
    with CommentApi(api_url=context.api_url, token=token, repository=context.repository) as api:
        try:
            there = api.pull_comments(pull_request)
        except GitHubFault:
            return None
    standing = standing_comment(there, suite_slug(suite), instance_digest(inputs.instance))
    return earlier_comment(standing.body) if standing is not None else None
