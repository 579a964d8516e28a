"""Every event that raggate meets, by name, made from one small world; and written as a runner writes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from tests.event_payloads.events import Event, Events
from tests.fake_github.state import DEPENDABOT, Commit, Pull, Repository
from tests.fake_github.world import World


class SmallWorld(NamedTuple):
    """A repository with two commits on main, a fork with one, and a pull request from each."""

    events: Events
    before: Commit
    tip: Commit
    pull: Pull
    fork: Repository
    from_fork: Pull

    @property
    def world(self) -> World:
        return self.events.world


def small_world() -> SmallWorld:
    """Make it; the same each time but for the shas of its commits."""
    world = World()
    home = world.repository("acme/menu")
    before, tip = world.history(2)
    pull = world.pull(world.commit(branch="topic"))
    fork = world.repository("eve/menu", fork_of=home)
    from_fork = world.pull(world.commit(branch="topic", repository=fork), head_repository=fork, author="eve")
    return SmallWorld(Events(world), before, tip, pull, fork, from_fork)


def _pull(small: SmallWorld, **changes: Any) -> Pull:
    return small.world.pull(small.pull.head, **changes)


def _fork_run(small: SmallWorld, *, gone: bool = False) -> Event:
    source: Repository | Literal["gone"] = "gone" if gone else small.fork
    run = small.world.run(
        small.from_fork.head, event="pull_request", branch="topic", head_repository=source, actor="eve"
    )
    return small.events.workflow_run(run)


def _own_run(small: SmallWorld) -> Event:
    run = small.world.run(small.pull.head, event="pull_request", branch="topic", pulls=[small.pull])
    return small.events.workflow_run(run)


NAMED: Mapping[str, Callable[[SmallWorld], Event]] = {
    "pull_request_opened": lambda small: small.events.pull_request(small.pull),
    "pull_request_synchronize": lambda small: small.events.pull_request(small.pull, "synchronize"),
    "pull_request_reopened": lambda small: small.events.pull_request(small.pull, "reopened"),
    "pull_request_closed": lambda small: small.events.pull_request(_pull(small, state="closed"), "closed"),
    "pull_request_merged": lambda small: small.events.pull_request(_pull(small, state="closed", merged=True), "closed"),
    "pull_request_draft": lambda small: small.events.pull_request(_pull(small, draft=True)),
    "pull_request_fork": lambda small: small.events.pull_request(small.from_fork, "synchronize"),
    "pull_request_deleted_fork": lambda small: small.events.pull_request(
        _pull(small, head_repository="gone", author="eve"), "synchronize"
    ),
    "pull_request_dependabot": lambda small: small.events.pull_request(_pull(small, author=DEPENDABOT)),
    "pull_request_target": lambda small: small.events.pull_request(small.from_fork, target=True),
    "push": lambda small: small.events.push(small.tip, small.before),
    "push_new_branch": lambda small: small.events.push(small.pull.head, branch="topic"),
    "push_deleted": lambda small: small.events.push(small.pull.head, branch="topic", deleted=True),
    "merge_group": lambda small: small.events.merge_group(small.pull, small.pull.head),
    "workflow_dispatch": lambda small: small.events.workflow_dispatch(small.tip, {"scope": "full"}),
    "schedule": lambda small: small.events.schedule(small.tip),
    "workflow_run": _own_run,
    "workflow_run_fork": _fork_run,
    "workflow_run_deleted_fork": lambda small: _fork_run(small, gone=True),
    "issue_comment": lambda small: small.events.issue_comment(
        small.world.comment(small.pull, "/raggate", author="dana")
    ),
}


def event(name: str, **changes: Any) -> Event:
    """An event of `NAMED`, with changes of its payload.

    Args:
        name: Which.
        changes: Values by path, a double underscore between keys: `pull_request__head__repo=None`.
    """
    made = NAMED[name](small_world())
    for path, value in changes.items():
        *above, last = path.split("__")
        place = made.payload
        for key in above:
            place = place[key]
        place[last] = value
    return made


def write_payload(made: Event, folder: Path) -> Path:
    """Write an event's payload into a folder, as `event.json`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "event.json"
    path.write_text(json.dumps(made.payload, indent=2), "utf-8")
    return path
