"""How often a run asks GitHub: a real step, counted by a GitHub on this machine.

    python -m bench.github_calls

Nothing here is known beforehand but the ceiling, which is put together from the program's own bounds; every other
number is counted. Tries after a server's error or a rate limit come on top; how long those take is bounded instead.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
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

Calls = Counter[str]


def first_run(workflow: Workflow) -> Calls:
    """The first run on a pull request: a page of artifacts, the first candidate taken, the comment written."""
    workflow.pushed()
    return _counted(workflow)


def ordinary_run(workflow: Workflow) -> Calls:
    """Every later run: a hundred comments, ours among them, edited."""
    workflow.pushed()
    event = workflow.events.pull_request(opened(workflow))
    workflow.step(event, GOOD)
    pull = next(iter(workflow.github.pulls.values()))
    for number in range(PER_PAGE - 1):
        workflow.github.comment(pull, f"Remark {number}", author="dana")
    return _counted(workflow, event)


def hard_run(workflow: Workflow) -> Calls:
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


def _counted(workflow: Workflow, event: Any = None, **options: Any) -> Calls:
    event = event or workflow.events.pull_request(opened(workflow))
    before = len(workflow.github.calls)
    step = workflow.step(event, GOOD, **options)
    if step.code != 0:
        raise SystemExit(f"the step failed:\n{step.log}")
    return Counter(call.operation for call in workflow.github.calls[before:])


def counted(world: Callable[[Workflow], Calls], forks: Forks | None = None) -> Calls:
    """The calls of one of the runs above, in a world of its own."""
    with tempfile.TemporaryDirectory() as folder, FakeGitHub() as github:
        return world(Workflow(github, Path(folder), forks))


def main() -> None:
    """Count, print."""
    print("| run | calls | of these |\n| --- | --- | --- |")
    for name, world in (("first", first_run), ("ordinary", ordinary_run), ("hard", hard_run)):
        calls = counted(world)
        print(f"| {name} | {calls.total()} | {', '.join(f'{count} {name}' for name, count in calls.items())} |")
    print(f"\nNever more than {CEILING}, and one for a check run and for each comment of ours that is one too many.")


if __name__ == "__main__":
    main()
