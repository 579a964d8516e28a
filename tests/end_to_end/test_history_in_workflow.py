"""The history of main in a workflow: found in the baseline's artifact, and without any pull request's run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from raggate_action.run_store import read_history
from tests.end_to_end.test_action import BAD, Workflow, opened
from tests.fake_github.fake import FakeGitHub
from tests.forked import Forks


@pytest.fixture
def workflow(tmp_path: Path, forks: Forks) -> Iterator[Workflow]:
    with FakeGitHub() as github:
        yield Workflow(github, tmp_path, forks)


def commits(workflow: Workflow) -> list[str | None]:
    """The commits in the history of the last run."""
    return [line.git_sha for line in read_history(workflow.last / "raggate-run")]


def test_a_run_carries_main_on_and_no_pull_request_enters(workflow: Workflow) -> None:
    workflow.pushed()
    assert commits(workflow) == []
    workflow.pushed()
    # Two runs of one commit are two runs.
    main = workflow.main[-1].sha
    assert commits(workflow) == [main]
    pull = opened(workflow)
    for _attempt in range(2):
        workflow.step(workflow.events.pull_request(pull), BAD)
        assert commits(workflow) == [main, main]
    workflow.pushed()
    assert commits(workflow) == [main, main]
