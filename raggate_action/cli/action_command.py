"""`action`: what the container runs in a workflow. The event decides the work, the gates decide the exit code."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from typing import assert_never

from raggate_action.action.announcement import (
    Announcement,
    announce,
    announce_artifact_name,
    announce_cancellation,
)
from raggate_action.action.app_reachability import ReachableApp, reachable_app, work_in
from raggate_action.action.artifact_storing import Storage, store_run
from raggate_action.action.baseline import JobBaseline, artifact_name, job_baseline, with_named_pull
from raggate_action.action.workflow_job import WorkflowJob
from raggate_action.cli.commands import Action
from raggate_action.cli.publish_command import publish_finished
from raggate_action.errors import ExitCode, RaggateError, UsageError
from raggate_action.github.action_inputs import ActionInputs, read_inputs
from raggate_action.github.artifact_upload import ServiceAccess, take_access
from raggate_action.github.event_and_fork_rules import Evaluate, NothingToDo, Publish, Refuse, activity_of
from raggate_action.github.publication_plan import Audience
from raggate_action.github.workflow_commands import Annotation, annotation_line, mask_lines, send_commands
from raggate_action.github.workflow_context import ActionContext, read_context
from raggate_action.isolation.child_user import isolated_children
from raggate_action.run.count_and_decide import report_on
from raggate_action.run.decision_text_and_exit_code import exit_code, outcome_lines, say
from raggate_action.run.run_execution import RunCancelled, execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run_store.ownership import give_to_owner_of

_CANCELLED = 130


def run(_options: Action) -> int:
    """Do what the event asks for. An error becomes an annotation too, because few people read the log."""
    # The container is root, and what it writes is uploaded by another user.
    os.umask(0o022)
    try:
        # Before anything of the suite is started: whoever has the token may replace artifacts of the workflow run.
        access = take_access(os.environ)
        inputs = read_inputs(os.environ)
        if inputs.github_token is not None:
            send_commands(mask_lines([inputs.github_token.get_secret_value()]))
        return _act(inputs, read_context(os.environ, pr_number=inputs.pr_number), access)
    except RaggateError as error:
        send_commands([annotation_line(Annotation("error", f"{error}\n{error.hint}", "raggate"))])
        raise


def _act(inputs: ActionInputs, context: ActionContext, access: ServiceAccess | None) -> int:
    activity = activity_of(context.facts)
    match activity:
        case NothingToDo():
            say([f"raggate: {activity.why}"])
            return ExitCode.RELEASE
        case Refuse():
            raise UsageError(activity.why, hint=activity.instead)
        case Publish():
            return publish_finished(inputs, context, access)
        case Evaluate():
            named = with_named_pull(activity, inputs, context)
            if named.warning:
                send_commands([annotation_line(Annotation("warning", named.warning, "raggate"))])
            with isolated_children(os.environ) as isolation:
                return _evaluate(WorkflowJob(inputs, context, named.activity, isolation, access))
        case _:
            assert_never(activity)


def _evaluate(job: WorkflowJob) -> int:
    """Run the suite, decide and store the decision; only then publish."""
    work_in(job)
    send_commands([annotation_line(Annotation("warning", each, "raggate")) for each in job.isolation.warnings])
    app = reachable_app(job)
    name = artifact_name(job.inputs, app.loaded.suite.suite)
    announce_artifact_name(name, job.inputs, job.context)
    compared = job_baseline(job, app.loaded)
    try:
        with closing(compared):
            done = execute(_request(job, app, compared))
        say([*outcome_lines(done.reporting), f"  comment: {job.out / 'comment.md'}"])
        stored = store_run(done, name, job)
    except RunCancelled as cancelled:
        unfinished = cancelled.reporting
        announce_cancellation(lambda: _announcement(job, Storage(report_on(unfinished))), job.inputs, job.context)
        return _CANCELLED
    finally:
        give_to_owner_of(job.context.workspace, job.out)
    announce(_announcement(job, stored), job.inputs, job.context)
    code = exit_code(done.reporting.run.decision)
    if code == ExitCode.RELEASE and stored.is_missing and job.inputs.upload == "required":
        sys.stderr.write("raggate: the gate passed, but the run directory is not stored (upload: required)\n")
        return ExitCode.INCONCLUSIVE
    return code


def _request(job: WorkflowJob, app: ReachableApp, compared: JobBaseline) -> RunRequest:
    inputs = job.inputs
    return RunRequest(
        loaded=app.loaded,
        suite_file=job.suite_file,
        invocation=job.invocation,
        scope=job.activity.scope if inputs.scope == "auto" else inputs.scope,
        out=job.out,
        baseline=compared.baseline,
        enforce=False if app.without_secrets and inputs.fork == "advise" else None,
        child_user=job.isolation.child_user,
        target=app.target,
        notes=app.notes,
        origin=job.origin,
        baseline_note=compared.note,
    )


def _announcement(job: WorkflowJob, stored: Storage) -> Announcement:
    activity, context = job.activity, job.context
    return Announcement(
        report=stored.report,
        audience=Audience(context.facts.event, activity.pull_request, activity.head_sha, activity.fork),
        run_directory=job.run_directory,
        root=job.root,
        artifacts=stored.outputs,
    )
