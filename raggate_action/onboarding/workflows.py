"""The two workflows of a suite: the gate itself, on pull requests and in full, and the comment for forks."""

from __future__ import annotations

from typing import NamedTuple

from raggate_action.report.render import render_scaffold

GATE = "release-gate.yml"
COMMENT = "release-gate-comment.yml"


class WorkflowNeeds(NamedTuple):
    """What a suite needs of a workflow.

    Attributes:
        suite: Its name, which the artifact is called by.
        starts_app: An app has to be started before it is asked.
        folder: The suite's folder, seen from the top of the repository; empty for the top itself.
        requirements: A requirements file for an app that is a function; empty for none.
        secrets: Environment variables that the suite reads.
    """

    suite: str
    starts_app: bool = True
    folder: str = ""
    requirements: str = ""
    secrets: tuple[str, ...] = ()


def workflows(needs: WorkflowNeeds) -> dict[str, str]:
    """Name of each workflow file and its text."""
    return {name: render_scaffold(name, needs._asdict()) for name in (GATE, COMMENT)}
