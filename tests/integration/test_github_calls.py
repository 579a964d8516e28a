"""How often a run asks GitHub: a real step, counted by a GitHub on this machine, below what the bounds allow together."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from raggate_action.github.api import COMMENT_PAGES
from raggate_action.github.baseline_search import MOST_REQUESTS
from raggate_action.github.pygithub_client import PER_PAGE
from tests.end_to_end.test_action import GOOD, Workflow, opened
from tests.fake_github.fake import FakeGitHub
from tests.forked import Forks

# The comments are listed before the comment is written, after an answer that was lost, and against another run's.
_LISTS: Final = 3
# An edit of what is gone, a comment, the same again where no answer came and no list shows it, an edit after a race.
_WRITES: Final = 4
CEILING: Final = MOST_REQUESTS + _LISTS * COMMENT_PAGES + _WRITES


def first_run(workflow: Workflow) -> int:
    """The first run on a pull request: a page of artifacts, the first candidate taken, the comment written."""
    workflow.pushed()
    return _counted(workflow)


def ordinary_run(workflow: Workflow) -> int:
    """Every later run: a hundred comments, ours among them, edited."""
    workflow.pushed()
    event = workflow.events.pull_request(opened(workflow))
    workflow.step(event, GOOD)
    pull = next(iter(workflow.github.pulls.values()))
    for number in range(PER_PAGE - 1):
        workflow.github.comment(pull, f"Remark {number}", author="dana")
    return _counted(workflow, event)


def hard_run(workflow: Workflow) -> int:
    """An old runner, more artifacts than are listed, five baselines refused, 2,500 comments, and an answer lost."""
    github, tip = workflow.github, workflow.main[-1]
    for number in range(3 * PER_PAGE):
        run = github.run(tip, event="pull_request", branch=f"topic-{number}")
        github.artifact(run, "raggate-support", content=b"", size=1)
    for _number in range(5):
        github.artifact(github.run(tip), "raggate-support", {"stranger.txt": "no run"})
    pull = opened(workflow)
    for number in range(25 * PER_PAGE - 1):
        github.comment(pull, f"Remark {number}", author="dana")
    github.fail("issues/create-comment")
    own = github.run(pull.head, event="pull_request", branch="topic")
    told_too_little = {"GITHUB_REPOSITORY_ID": "", "GITHUB_WORKFLOW_REF": ""}
    return _counted(workflow, workflow.events.pull_request(pull), run=own, env=told_too_little)


def _counted(workflow: Workflow, event: Any = None, **options: Any) -> int:
    event = event or workflow.events.pull_request(opened(workflow))
    before = len(workflow.github.calls)
    step = workflow.step(event, GOOD, **options)
    assert step.code == 0, step.log
    return len(workflow.github.calls) - before


def test_the_calls_to_github_are_those_documented(forks: Forks, tmp_path: Path) -> None:
    counts = []
    for world in (ordinary_run, first_run, hard_run):
        folder = tmp_path / world.__name__
        folder.mkdir()
        with FakeGitHub() as github:
            counts.append(world(Workflow(github, folder, forks)))
    documented = (Path(__file__).parents[2] / "dev/notes/performance.md").read_text().partition("## Calls to GitHub")[2]
    assert re.findall(r"\b\d+\b", documented) == [str(count) for count in (*counts, CEILING)]
    assert max(counts) <= CEILING
