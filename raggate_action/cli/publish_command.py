"""`publish`: the trusted second stage for runs of a fork, which have no right to comment.

Triggered by `workflow_run`. Nothing of the change is checked out or run; of its artifact only validated JSON is read,
and every text is rendered here again. Which pull request is meant is asked of GitHub, by the run's own commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from raggate_action.action.announcement import Announcement, announce
from raggate_action.action.artifact_storing import PAGE_SUFFIX, store_made_page
from raggate_action.action.baseline import find_by_api, github_api
from raggate_action.cli.commands import Publish
from raggate_action.errors import ExitCode, RaggateError, UsageError
from raggate_action.github.action_inputs import ActionInputs, read_inputs
from raggate_action.github.api import GitHubApi
from raggate_action.github.archive import LARGEST_ZIP, Archive, open_archive, see_digest
from raggate_action.github.artifact_upload import ServiceAccess, take_access
from raggate_action.github.baseline_choice import BaselineSearch, name_and_commit, workflow_file
from raggate_action.github.event_and_fork_rules import is_from_outside
from raggate_action.github.publication_plan import Audience
from raggate_action.github.pygithub_client import ORDINARY, Deadline
from raggate_action.github.workflow_commands import Annotation, annotation_line, send_commands
from raggate_action.github.workflow_context import ActionContext, FinishedRun, read_context
from raggate_action.run.count_and_decide import RunReport, report_on, without_judges
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.run.report_page_file import Lines, cases_of_stranger, write_page
from raggate_action.run.stored_runs import recount_stored, stored_baseline
from raggate_action.run_store import read_stored, rows_of
from raggate_action.schema.origin import Origin
from raggate_action.schema.run import Run

if TYPE_CHECKING:
    from github.Artifact import Artifact
    from github.PullRequest import PullRequest

_PREFIX = "raggate-"
_MOST_SUITES = 20


def run(_options: Publish) -> int:
    """Publish the results of the workflow run of this event."""
    access = take_access(os.environ)
    inputs = read_inputs(os.environ)
    return publish_finished(inputs, read_context(os.environ), access)


def publish_finished(inputs: ActionInputs, context: ActionContext, access: ServiceAccess | None = None) -> int:
    """Comment on the pull request of a finished run, one comment for each suite it stored.

    The job passes whatever the gates say: the first stage's check has failed already where it had to.

    Raises:
        UsageError: The event is none of a finished workflow run.
    """
    finished = context.finished
    if finished is None:
        raise UsageError(
            "there is no finished workflow run to publish",
            hint="Use this in a workflow that starts `on: workflow_run` with `types: [completed]`.",
        )
    # If GitHub hangs, all comments together wait no longer than a single one would.
    deadline = Deadline(ORDINARY.in_all_s)
    with github_api(inputs, context) as api:
        pull, why = _pull_request(api, finished, context)
        if pull is None:
            say([f"raggate: nothing to publish: {why}"])
            return ExitCode.RELEASE
        stage = _Stage(api, pull, finished, inputs, context, access, deadline)
        for each in _stored_artifacts(api, finished, inputs):
            _publish_or_warn(stage, each)
    return ExitCode.RELEASE


class _Stage(NamedTuple):
    """What publishing one suite takes, beside its artifact.

    Attributes:
        api: The repository's API.
        pull: The pull request.
        finished: The run that measured it.
        inputs, context: The action's.
        access: The runner's artifact service, for pages; None where it gives none.
        deadline: How long GitHub may take in all.
    """

    api: GitHubApi
    pull: PullRequest
    finished: FinishedRun
    inputs: ActionInputs
    context: ActionContext
    access: ServiceAccess | None
    deadline: Deadline


def _pull_request(api: GitHubApi, finished: FinishedRun, context: ActionContext) -> tuple[PullRequest | None, str]:
    """The open pull request whose last commit is the run's, or why there is none."""
    if finished.event != "pull_request":
        return None, f"the run was started by {finished.event}, not by a pull request"
    if not is_from_outside(context.repository_id, [finished.head_repository_id], [finished.actor]):
        return None, "the run had the right to comment itself"
    fits = [
        pull
        for pull in api.open_pulls(finished.head_sha, finished.head_owner, finished.head_branch)
        if pull.head.sha == finished.head_sha and pull.base.repo.id == context.repository_id
    ]
    return (fits[0], "") if fits else (None, "no open pull request has the run's commit as its last")


def _stored_artifacts(api: GitHubApi, finished: FinishedRun, inputs: ActionInputs) -> Iterator[Artifact]:
    """The run's artifacts with the given name, or with any name of ours; at most twenty suites."""
    stored = [artifact for artifact in api.artifacts_of_run(finished.run_id) if not artifact.expired]
    if inputs.artifact_name is not None:
        artifacts = [artifact for artifact in stored if artifact.name == inputs.artifact_name]
    else:
        # Pages are stored beside the runs; what a fork's say is not looked at.
        ours = [artifact for artifact in stored if artifact.name.startswith(_PREFIX)]
        artifacts = [artifact for artifact in ours if not artifact.name.endswith(PAGE_SUFFIX)]
    if not artifacts:
        say([f"raggate: the run stored no artifact named {inputs.artifact_name or _PREFIX + '...'}"])
    # A second artifact of one name is a later attempt's.
    latest = {artifact.name: artifact for artifact in sorted(artifacts, key=lambda artifact: artifact.id)}
    if len(latest) > _MOST_SUITES:
        message = f"Of the run's {len(latest)} artifacts only {_MOST_SUITES} are shown on the pull request."
        send_commands([annotation_line(Annotation("warning", message, "raggate"))])
    yield from list(latest.values())[:_MOST_SUITES]


def _publish_or_warn(stage: _Stage, artifact: Artifact) -> None:
    """Publish one suite. Its errors become a warning, and the other suites are still published."""
    try:
        _publish_artifact(stage, artifact)
    except RaggateError as error:
        message = f"{error}\n{error.hint}"
    except Exception as error:  # noqa: BLE001  one stranger's file must not silence the comments of all others
        message = (
            f"{name_and_commit(artifact)} could not be published: {type(error).__name__}: {error}\n"
            "This is a bug in raggate; please report it with this line."
        )
    else:
        return
    send_commands([annotation_line(Annotation("warning", message, "raggate"))])


def _publish_artifact(stage: _Stage, artifact: Artifact) -> None:
    """Read one artifact, which a stranger may have made, and publish it."""
    with stage.api.download_artifact(artifact.id, max_bytes=LARGEST_ZIP) as file:
        see_digest(file, artifact.digest, name_and_commit(artifact))
        with open_archive(file, name_and_commit(artifact)) as archive:
            report, page = _report(stage, archive, artifact)
    audience = Audience(stage.context.facts.event, stage.pull.number, stage.pull.head.sha)
    announcement = Announcement(report, audience, artifacts={"report-url": page} if page else {})
    announce(announcement, stage.inputs, stage.context, deadline=stage.deadline)


def _report(stage: _Stage, archive: Archive, artifact: Artifact) -> tuple[RunReport, str]:
    """The run, counted and decided again from its rows, against the baseline that this stage found itself.

    Its page is made here too, from the same rows: the one that the fork has stored is never linked.

    Returns:
        The run with its texts, and where its page opens; empty where it has none.
    """
    pull, finished, context = stage.pull, stage.finished, stage.context
    stored = read_stored(archive)
    compared = find_by_api(
        stage.api,
        BaselineSearch(
            artifact=artifact.name,
            branch=pull.base.ref,
            sha=pull.base.sha,
            repository_id=context.repository_id,
            workflow=workflow_file(stage.api.workflow_run(finished.run_id)),
            run_id=finished.run_id,
        ),
        lambda source: stored_baseline(source, suite=stored.suite),
    )
    own = stored.origin if isinstance(stored, Run) else None
    origin = Origin(
        repository=context.repository,
        server_url=context.server_url,
        event=finished.event,
        workflow_run_id=finished.run_id,
        run_attempt=finished.run_attempt,
        head_sha=finished.head_sha,
        pull_request=pull.number,
        fork=True,
        # The artifact's own word: it tells apart what one run has stored, and where links lead inside the repository.
        instance=own.instance if own is not None else "",
        root=own.root if own is not None else "",
    )
    with closing(compared):
        reporting = recount_stored(stored, archive, compared.baseline, found=(origin, compared.note))
        page = ""
        if stage.inputs.upload != "off" and reporting.run.complete:

            def lines() -> Iterator[Lines]:
                return cases_of_stranger(archive, without_judges(rows_of(archive, stored), stored.policy))

            write = partial(write_page, reporting=reporting, lines=lines)
            page = store_made_page(stage.access, artifact.name, write, context)
    return report_on(reporting._replace(page=page)), page
