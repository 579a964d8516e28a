"""Carries out what was planned. Whatever GitHub does, the decision stands: a fault becomes one line of the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, assert_never

from raggate_action.github.api import CommentApi
from raggate_action.github.comment_plan import Comment, Create, Leave, PullComments, Update, plan_comment, written_by
from raggate_action.github.publication_plan import PostComment, Publication
from raggate_action.github.pygithub_client import GitHubFault
from raggate_action.github.workflow_commands import Annotation, annotation_line
from raggate_action.schema.comment_marker import read_marker
from raggate_action.version import FORKS

# For a workflow or job. Naming one permission takes away all that are not named, so it has everything the job needs.
PERMISSIONS: Final = "permissions:\n  contents: read\n  actions: read\n  pull-requests: write"
_LONGEST_HEADER = 200
_STANDS = "The decision stands, and the job summary has the report."


def refusal(*, accepted: str | None, fork: bool) -> Annotation:
    """The message for a 403: on a fork it is expected, elsewhere a permission is missing.

    Args:
        accepted: The answer's `x-accepted-github-permissions`, where it has one.
        fork: The run is a fork's or Dependabot's; its token may only read.
    """
    if fork:
        return Annotation(
            "notice",
            f"A run for a fork or Dependabot has a token that may only read, so no comment was written. {_STANDS} A"
            f" second workflow on `workflow_run` can publish it: {FORKS}",
            title="raggate: no comment",
        )
    would = f"\nGitHub would have accepted: {accepted[:_LONGEST_HEADER]}" if accepted else ""
    return Annotation(
        "warning",
        f"The token may not write a comment. {_STANDS} Put this into the workflow or its job:\n{PERMISSIONS}{would}",
        title="raggate: no comment, a permission is missing",
    )


# Jobs of a matrix end together, and an edit cannot be made conditional on what it replaces: the comment is looked at
# until two looks in a row, so far apart that another job's edit is through, find nothing to mend.
_MOST_LOOKS = 5
_QUIET_LOOKS = 2
_BETWEEN_LOOKS_S = 2.0


class Outlets(NamedTuple):
    """Where a run publishes besides GitHub's API.

    Attributes:
        write_summary: Appends to the job summary; raises OSError or ValueError where it cannot.
        send_commands: Gives the runner workflow commands, a line each.
        tell: Puts a plain line into the log.
    """

    write_summary: Callable[[str], None]
    send_commands: Callable[[Iterable[str]], None]
    tell: Callable[[str], object]


def publish(publication: Publication, api: CommentApi | None, outlets: Outlets) -> str | None:
    """Publish in order; if one thing fails, the others are still tried.

    Args:
        publication: As planned.
        api: GitHub; None without a token.
        outlets: The other places.

    Returns:
        The comment that shows this run; None without one.
    """
    try:
        outlets.write_summary(publication.summary)
    except (OSError, ValueError) as error:
        _warn(outlets, f"The job summary could not be written: {error}. The decision stands.")
    url = _post(publication.comment, api, outlets) if publication.comment is not None else None
    if publication.annotations:
        outlets.send_commands([annotation_line(each) for each in publication.annotations])
    return url


def _post(comment: PostComment, api: CommentApi | None, outlets: Outlets) -> str | None:
    """Bring the comment up to date; returns its address where it shows this run."""
    if api is None:
        _warn(outlets, f"There is no github-token, so no comment was written. {_STANDS}")
        return None
    posting = _CommentUpdate(api, comment)
    try:
        outcome = posting.settle()
    except GitHubFault as fault:
        if fault.status == 403 and not fault.is_rate_limit:
            told = refusal(accepted=fault.accepted_permissions, fork=comment.fork)
            outlets.send_commands([annotation_line(told)])
        else:
            _warn(outlets, f"The comment could not be written: {fault.message}. {_STANDS}")
        return None
    outlets.tell(f"raggate: {outcome}" + (f": {posting.url}" if posting.url else ""))
    if posting.unchecked is not None:
        _warn(outlets, f"The comment stands, but perhaps beside another one of ours: {posting.unchecked.message}.")
    return posting.url


def _warn(outlets: Outlets, message: str) -> None:
    outlets.send_commands([annotation_line(Annotation("warning", message))])


class _CommentUpdate:
    """Bringing one comment up to date: listed right before it is written, and again after one was made.

    Attributes:
        url: The comment that shows this run; None without one.
        unchecked: What kept the rest from being tidied once the comment was right.
    """

    def __init__(self, api: CommentApi, comment: PostComment) -> None:
        self._api = api
        self._number = comment.pull_request
        self._proposal = comment.proposal
        self._gone: list[int] = []
        self.url: str | None = None
        self.unchecked: GitHubFault | None = None

    def settle(self) -> str:
        """Do what the plan says; returns what was done, for the log."""
        plan = plan_comment(self._there(), self._proposal)
        outcome, made = self._write(plan.write)
        outcome = f"{outcome}, {plan.beside}" if plan.beside else outcome
        try:
            self._delete(plan.delete)
            if self._proposal.marker.instance and self.url is not None:
                return self._settle_matrix(outcome)
            return outcome if made is None else self._settle_race(made, outcome)
        except GitHubFault as fault:
            self.unchecked = fault
            return outcome

    def _write(self, write: Create | Update | Leave) -> tuple[str, Comment | None]:
        """Write what the plan says; returns it for the log, and the new comment if there is one."""
        match write:
            case Leave():
                self.url = write.url
                return write.why if write.url is not None else f"no comment: {write.why}", None
            case Update():
                return self._update(write)
            case Create():
                made = self._create(write.body)
                self.url = made.url
                return f"comment written, {self._proposal.news.why}", made
            case _:
                assert_never(write)

    def _update(self, write: Update) -> tuple[str, Comment | None]:
        try:
            self.url = self._api.update_comment(write.comment.comment_id, write.body)
        except GitHubFault as fault:
            if fault.status != 404:
                raise
            # Somebody has deleted it since it was listed.
            self._gone.append(write.comment.comment_id)
            return self._write(Create(write.body))
        return "comment edited", None

    def _create(self, body: str) -> Comment:
        """Write a comment. Where no answer tells, only a list that lacks it lets it be sent a second time."""
        try:
            return self._api.create_comment(self._number, body)
        except GitHubFault as fault:
            if not fault.may_be_done:
                raise
        there = written_by(self._there(), read_marker(body) or self._proposal.marker)
        return there if there is not None else self._api.create_comment(self._number, body)

    def _settle_race(self, made: Comment, outcome: str) -> str:
        """Another run may have written at the same moment: the plan for what is there now says which one stays."""
        plan = plan_comment(self._there(), self._proposal)
        if isinstance(plan.write, Update):
            self.url = self._api.update_comment(plan.write.comment.comment_id, plan.write.body)
        self._delete(plan.delete)
        if isinstance(plan.write, Leave) and made.comment_id in plan.delete:
            self.url = plan.write.url
            return f"comment taken back, {plan.write.why}"
        return outcome

    def _settle_matrix(self, outcome: str) -> str:
        """Another job may have read before we wrote and written after it: mend until the comment has both."""
        quiet = 0
        for look in range(_MOST_LOOKS):
            if look and not self._api.pause(_BETWEEN_LOOKS_S):
                return outcome
            plan = plan_comment(self._there(), self._proposal)
            if not isinstance(plan.write, Leave):
                self._write(plan.write)
            elif plan.write.url is not None or plan.delete:
                self.url = plan.write.url
            self._delete(plan.delete)
            quiet = quiet + 1 if isinstance(plan.write, Leave) else 0
            if quiet == _QUIET_LOOKS:
                return f"{outcome}, {plan.beside}" if plan.beside and plan.beside not in outcome else outcome
        return f"{outcome}, and other jobs of this run write so often that a line may be missing"

    def _delete(self, comment_ids: Iterable[int]) -> None:
        for comment_id in comment_ids:
            if comment_id not in self._gone:
                self._api.delete_comment(comment_id)
                self._gone.append(comment_id)

    def _there(self) -> PullComments:
        return self._api.pull_comments(self._number).without(self._gone)
