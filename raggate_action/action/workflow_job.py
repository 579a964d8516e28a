"""One evaluation in a workflow: its inputs, its context, its event."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from raggate_action.github.action_inputs import ActionInputs
from raggate_action.github.artifact_upload import ServiceAccess
from raggate_action.github.checkout import path_in_checkout, was_checked_out
from raggate_action.github.event_and_fork_rules import Evaluate
from raggate_action.github.workflow_context import ActionContext
from raggate_action.isolation.child_user import Isolation
from raggate_action.schema.origin import LONGEST_ROOT, Origin
from raggate_action.schema.run import Invocation


class WorkflowJob(NamedTuple):
    """An evaluation in a workflow.

    Attributes:
        inputs: What the workflow's author wrote.
        context: Where we run.
        activity: What the event asks for.
        isolation: How the suite's programs are held apart from us.
        access: The runner's artifact service; None where it gives none.
    """

    inputs: ActionInputs
    context: ActionContext
    activity: Evaluate
    isolation: Isolation
    access: ServiceAccess | None = None

    @property
    def out(self) -> Path:
        """The run directory, seen from the working directory."""
        return Path("raggate-run")

    @property
    def run_directory(self) -> str:
        """The run directory seen from the top of the checkout."""
        return os.path.join(self.root, self.out)  # noqa: PTH118

    @property
    def root(self) -> str:
        """The working directory seen from the top of the checkout; empty for the checkout itself."""
        where = os.path.relpath(Path.cwd(), self.context.workspace.resolve())
        return "" if where == os.curdir else where

    @property
    def suite_file(self) -> str:
        """The suite file seen from the top of the checkout, where whoever repeats a case types the command."""
        return path_in_checkout(self.context.workspace, Path(self.inputs.suite)) or self.inputs.suite

    @property
    def invocation(self) -> Invocation:
        """The options that hold on another machine: recorded traces that are in the repository.

        An address, a baseline and traces that were recorded by this job are only here; there, the suite's own app is
        asked.
        """
        traces = self.inputs.traces
        place = path_in_checkout(self.context.workspace, Path(traces)) if traces is not None else None
        kept = place is not None and was_checked_out(self.context.workspace, place)
        return Invocation(traces=place if kept else None)

    @property
    def origin(self) -> Origin:
        """The workflow run, as the run keeps it."""
        context, activity = self.context, self.activity
        return Origin(
            repository=context.repository,
            server_url=context.server_url,
            event=context.facts.event,
            workflow_run_id=context.run_id,
            run_attempt=context.run_attempt,
            head_sha=activity.head_sha,
            pull_request=activity.pull_request,
            fork=activity.fork,
            instance=self.inputs.instance,
            root=self.root[:LONGEST_ROOT],
        )
