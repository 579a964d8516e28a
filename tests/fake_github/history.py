"""The graph of commits, asked as GitHub's API asks it."""

from __future__ import annotations

import heapq
import itertools

from tests.fake_github.checks import Refused
from tests.fake_github.state import Commit, Repository
from tests.fake_github.world import World


def resolved(world: World, repository: Repository, ref: str) -> Commit | None:
    """The commit of a branch, of a sha, or of `owner:branch` in the same network; None when there is none."""
    owner, colon, branch = ref.partition(":")
    if colon:
        for other in world.repositories.values():
            if other.network == repository.network and other.owner.login == owner:
                return resolved(world, other, branch)
        return None
    if ref in repository.branches:
        return repository.branches[ref]
    found = world.commits.get(ref)
    return found if found is not None and found.network == repository.network else None


def log(start: Commit) -> list[Commit]:
    """A commit and all before it, the newest first, as `git log` orders them."""
    counter = itertools.count()
    waiting = [(-start.at.timestamp(), next(counter), start)]
    seen, listed = {start.sha}, []
    while waiting:
        _, _, commit = heapq.heappop(waiting)
        listed.append(commit)
        for parent in commit.parents:
            if parent.sha not in seen:
                seen.add(parent.sha)
                heapq.heappush(waiting, (-parent.at.timestamp(), next(counter), parent))
    return listed


def merge_base(base: Commit, head: Commit) -> Commit:
    """The best common ancestor.

    Raises:
        Refused: They have none.
    """
    reached = {each.sha for each in log(base)}
    common = [each for each in log(head) if each.sha in reached]
    lower = {parent.sha for each in common for parent in each.parents}
    for each in common:
        if each.sha not in lower:
            return each
    raise Refused("no-common-ancestor", 404, f"No common ancestor between {base.sha} and {head.sha}.")


def only_in(head: Commit, base: Commit) -> list[Commit]:
    """The commits of head that base lacks, the oldest first."""
    reached = {each.sha for each in log(base)}
    return [each for each in reversed(log(head)) if each.sha not in reached]
