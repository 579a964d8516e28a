"""The action on a pull request, from end to end: the real image, the example app, and a GitHub of our own.

A push to main leaves the baseline. A pull request makes the app invent things and is blocked; its next commit mends it,
and the same comment turns green. Every job has a machine of its own, and nothing is handed from one to the next but
what goes through GitHub: the run directory is stored as `actions/upload-artifact` stores it, and found by the public
calls. The app runs on the machine beside the container, as if a `run:` step had started it.

    make demo DEMO=action
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple

from examples.demo import BLOCK, MENU, RELEASE, ROOT, running_app
from tests.container.action_container import ActionContainer, Step
from tests.container.job import github_for, start, upload
from tests.event_payloads.events import Event, Events
from tests.fake_github.fake import FakeGitHub
from tests.fake_github.state import Level, Permission, Pull, WorkflowRun

OUT = ROOT / "action-demo"
# What the README's workflow asks for, and nothing more.
RIGHTS: dict[Permission, Level] = {"contents": "read", "actions": "read", "pull_requests": "write"}
# A pull request with few comments, whose baseline is the first that is looked at.
FEWER_CALLS_THAN = 12
Mode = Literal["disciplined", "helpful"]


class Job(NamedTuple):
    """A job that has ended: what became of its step, and what it asked of GitHub."""

    step: Step
    calls: tuple[str, ...]


class Repository:
    """A repository on the fake GitHub whose workflow is the README's."""

    def __init__(self, github: FakeGitHub, new_machine: Callable[[], ActionContainer]) -> None:
        self.github = github
        self.home = github.repository("acme/menu")
        self.events = Events(github, github.bodies)
        self._token = github.token(RIGHTS)
        self._new_machine = new_machine

    def job(self, event: Event, run: WorkflowRun, mode: Mode) -> Job:
        """Check out, start the app, judge, upload: the steps of the workflow."""
        machine, before = self._new_machine(), len(self.github.calls)
        machine.checkout({path.name: path.read_text() for path in MENU.iterdir() if path.is_file()})
        # All addresses, so that containers reach it as well.
        with running_app(mode, host="0.0.0.0") as port:  # noqa: S104
            step = start(machine, self.github, event, run, token=self._token, env={"MENU_PORT": str(port)}).end()
        calls = tuple(call.operation for call in self.github.calls[before:])
        run.status, run.conclusion = "completed", "success" if step.code == 0 else "failure"
        if (directory := machine.workspace / "raggate-run").is_dir():
            upload(self.github, run, directory, "raggate-menu", at=datetime.now(UTC))
        return Job(step, calls)

    def push(self, mode: Mode) -> Job:
        """A commit comes to main."""
        tip = self.github.commit("The menu of November")
        return self.job(self.events.push(tip), self.github.run(tip, status="in_progress"), mode)

    def pull(self, pull: Pull, mode: Mode) -> Job:
        """A pull request has a new commit."""
        run = self.github.run(pull.head, event="pull_request", branch=pull.head_ref, status="in_progress")
        return self.job(self.events.pull_request(pull, "synchronize"), run, mode)


class Story:
    """Tells what happens, keeps it in files, and remembers what was not as it must be."""

    def __init__(self, github: FakeGitHub) -> None:
        self._github = github
        self._jobs = self._comments = 0
        self.wrong: list[str] = []

    def tell(self, title: str, job: Job) -> None:
        """A job: its log, what it asked of GitHub, and the comment as it is now."""
        self._jobs += 1
        step = job.step
        print(f"\n{self._jobs}. {title}\n")
        print("".join(f"   {line}\n" for line in _for_people(step)), end="")
        print(f"   exit code {step.code}; calls to GitHub: {len(job.calls)} ({', '.join(job.calls)})")
        (OUT / f"job-{self._jobs}-log.txt").write_text(step.stdout + step.stderr)
        (OUT / f"job-{self._jobs}-summary.md").write_text(step.summary)
        for comment in self._github.comments.values():
            self._comments += 1
            file = OUT / f"comment-{self._comments}.md"
            file.write_text(comment.body)
            print(f"   comment {comment.id}, whole in {file.relative_to(ROOT)}; on its page, folded, it reads:\n")
            print("".join(f"   | {line}\n" for line in _folded(comment.body).splitlines()), end="")

    def expect(self, what: str, *, holds: bool) -> None:
        """Something that must be so."""
        if not holds:
            self.wrong.append(what)


def _for_people(step: Step) -> list[str]:
    """The lines of a log that a reader sees: the runner shows what is a command to it elsewhere, or not at all."""
    return [line for line in (step.stderr + step.stdout).splitlines() if not line.startswith("::")]


def _folded(comment: str) -> str:
    """A comment as its page shows it at first: without the marker, and of each folded part its title."""
    shown = re.sub(r"<details><summary>(.*?)</summary>.*?</details>", r"▸ \1", comment, flags=re.DOTALL)
    return shown.partition("\n")[2]


def play(repository: Repository, story: Story) -> None:
    """Push, block, mend."""
    github = repository.github
    pushed = repository.push("disciplined")
    story.tell("A push to main: the app answers from the menu, or says that the menu does not tell.", pushed)
    story.expect("main releases", holds=pushed.step.code == RELEASE)
    story.expect("a push comments nowhere", holds=not github.comments)

    main = repository.home.branches["main"].sha
    pull = github.pull(github.commit("More helpful", branch="topic"))
    blocked = repository.pull(pull, "helpful")
    story.tell("A pull request: a prompt change makes up what the menu does not say.", blocked)
    story.expect("the change is blocked", holds=blocked.step.code == BLOCK)
    _expect_baseline(story, blocked, main)
    story.expect("there is one comment", holds=len(github.comments) == 1)
    red = {comment.id: comment.body for comment in github.comments.values()}
    story.expect("it says block", holds=all("**Block**" in body for body in red.values()))

    pull.head = github.commit("Say so when the menu does not tell", branch="topic")
    mended = repository.pull(pull, "disciplined")
    story.tell("The pull request's next commit: the prompt is mended, and the same comment turns green.", mended)
    story.expect("the mended change releases", holds=mended.step.code == RELEASE)
    _expect_baseline(story, mended, main)
    story.expect("it is the same comment", holds=list(github.comments) == list(red))
    story.expect("it says release", holds=all("**Release**" in each.body for each in github.comments.values()))


def _expect_baseline(story: Story, job: Job, main: str) -> None:
    story.expect("the baseline is main's run", holds=job.step.outputs.get("baseline-sha") == main)
    found = {"actions/list-artifacts-for-repo", "actions/download-artifact", "blob"}
    story.expect("it was found by GitHub's API", holds=found <= set(job.calls))
    story.expect(f"fewer than {FEWER_CALLS_THAN} calls", holds=len(job.calls) < FEWER_CALLS_THAN)
    told = "the app was asked on the runner's host"
    story.expect("the app was reached by the gateway, and the summary says so", holds=told in job.step.summary)


@contextmanager
def _machines(image: str) -> Iterator[Callable[[], ActionContainer]]:
    """Makes machines, each in a folder of its own that goes at the end."""
    made: list[ActionContainer] = []
    with tempfile.TemporaryDirectory(prefix="raggate-action-demo-") as folder:

        def make() -> ActionContainer:
            made.append(ActionContainer(image, Path(folder) / f"machine-{len(made) + 1}"))
            return made[-1]

        try:
            yield make
        finally:
            for machine in made:
                machine.give_back()


def main() -> int:
    """Play it, and leave `action-demo/` behind; 0 when everything was as it must be."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir()
    with _machines(os.environ.get("RAGGATE_IMAGE", "raggate")) as new_machine, github_for(new_machine()) as github:
        story = Story(github)
        play(Repository(github, new_machine), story)
    if story.wrong:
        print(f"\nNot as it must be: {'; '.join(story.wrong)}. The logs are in {OUT.name}/.")
        return 1
    print(f"\nAs it must be: released, blocked, released; one comment, turned green. Everything is in {OUT.name}/.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
