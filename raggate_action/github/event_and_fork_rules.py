"""From the event that started a workflow to what raggate does about it: one pure function.

It follows what GitHub hands to each event: a fork's run has no secrets and may not write, `pull_request_target` has
both and would run a stranger's code, a closed pull request and a deleted branch leave nothing to decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from raggate_action.version import FORKS

# The scope an event runs when the workflow leaves it to us.
RunScope = Literal["pr", "full"]
_DEPENDABOT = "dependabot[bot]"
_BRANCH = "refs/heads/"
_TAG = "refs/tags/"


class PullFacts(NamedTuple):
    """A pull request, as its event tells it.

    Attributes:
        number: Its number.
        author: Login of who opened it; empty when the account is gone.
        base_ref, base_sha: The branch it goes into, and that branch's commit the check was made against.
        head_sha: Its own last commit.
        head_repository_id: Where its code is from; None when that repository is gone.
        base_repository_id: The repository it is made against.
    """

    number: int
    author: str
    base_ref: str
    base_sha: str
    head_sha: str
    head_repository_id: int | None
    base_repository_id: int


class BaselineCommit(NamedTuple):
    """Which run to compare with: of this branch, at this commit or its nearest ancestor.

    Attributes:
        branch: A branch's name.
        sha: The commit.
    """

    branch: str
    sha: str


class EventFacts(NamedTuple):
    """What an event tells; nothing of it is trusted beyond choosing what to do.

    Attributes:
        event: The event's name; empty outside a workflow.
        action: What happened, for events that tell several things; empty for the others.
        ref: The ref the workflow runs on, in full; empty when there is none.
        sha: The commit the workflow runs on.
        before: The commit a push replaced; empty for other events and for a branch's first push.
        deleted: The push removed its branch.
        default_branch: The repository's; empty when the event does not tell.
        pull: The pull request the event is about, from its own payload.
        queue: What the merge queue's group is compared with: where it goes into.
        pr_number: A pull request named by the workflow's author, for events that have none.
        actor: Login of who started it.
    """

    event: str
    action: str = ""
    ref: str = ""
    sha: str = ""
    before: str = ""
    deleted: bool = False
    default_branch: str = ""
    pull: PullFacts | None = None
    queue: BaselineCommit | None = None
    pr_number: int | None = None
    actor: str = ""


class Evaluate(NamedTuple):
    """Evaluate the suite and decide.

    Attributes:
        scope: What `scope: auto` means here.
        baseline: Which run to compare with; None when the event names no branch.
        pull_request: Whom to tell; None leaves it to the job summary.
        head_sha: The commit under review.
        fork: The code is from outside, or runs as if it were: no secrets, a token that may only read.
    """

    scope: RunScope
    baseline: BaselineCommit | None
    pull_request: int | None
    head_sha: str
    fork: bool = False


class Publish(NamedTuple):
    """Publish what an earlier workflow run, made without rights, has measured."""


class NothingToDo(NamedTuple):
    """There is nothing to do; the job passes. `why` is a sentence."""

    why: str


class Refuse(NamedTuple):
    """It would be wrong to go on; the job fails. `why` and `instead` are sentences."""

    why: str
    instead: str


Activity = Evaluate | Publish | NothingToDo | Refuse


_REFUSED = {
    "": Refuse(
        "this is no workflow run: the environment names no event",
        "On a laptop and in other CI systems, use `raggate-action run`.",
    ),
    "pull_request_target": Refuse(
        "pull_request_target runs a stranger's change with this repository's secrets",
        f"Use `on: pull_request`, and a second workflow on `workflow_run` that publishes: {FORKS}",
    ),
}


def activity_of(facts: EventFacts) -> Activity:
    """What raggate does about an event.

    An event it does not know is evaluated like a push: the gates decide, and no comment is written.
    """
    if refused := _REFUSED.get(facts.event):
        return refused
    match facts.event:
        case "pull_request":
            return _pull_request(facts)
        case "workflow_run":
            return Publish()
        case "push" if facts.deleted:
            return NothingToDo("The push deleted its branch: there is nothing to evaluate.")
        case "merge_group":
            return Evaluate("pr", facts.queue, None, facts.sha)
        case _:
            scope: RunScope = "pr" if facts.event == "issue_comment" else "full"
            return Evaluate(scope, _own_past(facts), facts.pr_number, facts.sha)


def _pull_request(facts: EventFacts) -> Activity:
    pull = facts.pull
    if pull is None:
        return Refuse("the event file names no pull request", "Let the runner start this action; do not set its files.")
    if facts.action == "closed":
        return NothingToDo("The pull request is closed: there is nothing to decide.")
    commit = BaselineCommit(pull.base_ref, pull.base_sha)
    fork = is_from_outside(pull.base_repository_id, [pull.head_repository_id], [pull.author, facts.actor])
    return Evaluate("pr", commit, pull.number, pull.head_sha, fork=fork)


def is_from_outside(repository_id: int, code_is_of: Iterable[int | None], accounts: Iterable[str] = ()) -> bool:
    """Whether code is a stranger's: a fork's, of a repository that is gone, or Dependabot's, which GitHub treats alike.

    Runs for it get neither secrets nor a token that may write, and what they store is no baseline.

    Args:
        repository_id: The repository that it is for.
        code_is_of: The repositories that it is from; None is gone.
        accounts: Logins of who wrote it, and of who started its run.
    """
    return any(each != repository_id for each in code_is_of) or _DEPENDABOT in accounts


def _own_past(facts: EventFacts) -> BaselineCommit | None:
    """The default branch is compared with its own past, anything else with where it left the default branch.

    A schedule or a dispatch on the same commit as the last push is compared with that: only the app's surroundings
    can have moved.
    """
    branch = branch_of(facts.ref) if facts.ref.startswith(_BRANCH) else ""
    if branch and branch == (facts.default_branch or branch):
        return BaselineCommit(branch, facts.before or facts.sha)
    return BaselineCommit(facts.default_branch, facts.sha) if facts.default_branch else None


def branch_of(ref: str) -> str:
    """The name of a branch, or of a tag, by its ref in full."""
    return ref.removeprefix(_BRANCH).removeprefix(_TAG)
