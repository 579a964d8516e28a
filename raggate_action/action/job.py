"""One evaluation in a workflow: what was asked for, where, and why."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from raggate_action.github.activities import Run
from raggate_action.github.context import ActionContext
from raggate_action.github.inputs import ActionInputs
from raggate_action.isolation.child_user import Isolation
from raggate_action.schema.origin import Origin


class Job(NamedTuple):
    """What an evaluation in a workflow is made of.

    Attributes:
        inputs: What the workflow's author wrote.
        context: Where we run.
        activity: What the event asks for.
        isolation: How the suite's programs are held apart from us.
    """

    inputs: ActionInputs
    context: ActionContext
    activity: Run
    isolation: Isolation

    @property
    def out(self) -> Path:
        """The run directory, seen from the working directory."""
        return Path(self.inputs.output_directory)

    @property
    def root(self) -> str:
        """The working directory seen from the top of the checkout; empty for the checkout itself."""
        where = os.path.relpath(Path.cwd(), self.context.workspace.resolve())
        return "" if where == os.curdir else where

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
        )
