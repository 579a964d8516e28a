"""What raggate does about each event (F7): one table."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.github.event_and_fork_rules import (
    Activity,
    BaselineCommit,
    Evaluate,
    EventFacts,
    NothingToDo,
    Publish,
    PullFacts,
    Refuse,
    activity_of,
)

HEAD, MERGE, BASE, BEFORE = "a" * 40, "b" * 40, "c" * 40, "d" * 40
OURS, THEIRS = 11, 22
MAIN = BaselineCommit("main", BASE)


def pull(**changes: Any) -> PullFacts:
    facts = PullFacts(7, "dana", "main", BASE, HEAD, OURS, OURS)
    return facts._replace(**changes)


def event(name: str, **changes: Any) -> EventFacts:
    facts = EventFacts(event=name, sha=MERGE, ref="refs/heads/main", default_branch="main", actor="dana")
    return facts._replace(**changes)


def on_pull(action: str = "synchronize", **changes: Any) -> EventFacts:
    return event("pull_request", action=action, ref="refs/pull/7/merge", pull=pull(**changes))


RUNS = [
    pytest.param(on_pull("opened"), Evaluate("pr", MAIN, 7, HEAD), id="a pull request is opened"),
    pytest.param(on_pull("synchronize"), Evaluate("pr", MAIN, 7, HEAD), id="it gets a commit"),
    pytest.param(on_pull("reopened"), Evaluate("pr", MAIN, 7, HEAD), id="it is opened again"),
    pytest.param(on_pull("ready_for_review"), Evaluate("pr", MAIN, 7, HEAD), id="a draft becomes ready: as any other"),
    pytest.param(
        on_pull(base_ref="release/2"),
        Evaluate("pr", BaselineCommit("release/2", BASE), 7, HEAD),
        id="into another branch: that branch's run is the baseline",
    ),
    pytest.param(on_pull(head_repository_id=THEIRS), Evaluate("pr", MAIN, 7, HEAD, fork=True), id="from a fork"),
    pytest.param(
        on_pull(head_repository_id=None), Evaluate("pr", MAIN, 7, HEAD, fork=True), id="from a fork that is gone"
    ),
    pytest.param(on_pull(author="dependabot[bot]"), Evaluate("pr", MAIN, 7, HEAD, fork=True), id="by Dependabot"),
    pytest.param(
        on_pull()._replace(actor="dependabot[bot]"),
        Evaluate("pr", MAIN, 7, HEAD, fork=True),
        id="Dependabot pushed to somebody's pull request",
    ),
    pytest.param(
        event("merge_group", ref="refs/heads/gh-readonly-queue/main/pr-7", queue=BaselineCommit("main", BASE)),
        Evaluate("pr", MAIN, None, MERGE),
        id="the merge queue: nobody is written to",
    ),
    pytest.param(
        event("push", before=BEFORE),
        Evaluate("full", BaselineCommit("main", BEFORE), None, MERGE),
        id="a push to the default branch is compared with what it replaced",
    ),
    pytest.param(
        event("push", ref="refs/heads/topic", before=BEFORE),
        Evaluate("full", BaselineCommit("main", MERGE), None, MERGE),
        id="a push to another branch is compared with where it left the default branch",
    ),
    pytest.param(
        event("push", ref="refs/heads/main"),
        Evaluate("full", BaselineCommit("main", MERGE), None, MERGE),
        id="a branch's first push replaces nothing",
    ),
    pytest.param(
        event("push", ref="refs/tags/v1"),
        Evaluate("full", BaselineCommit("main", MERGE), None, MERGE),
        id="a pushed tag is compared with the default branch",
    ),
    pytest.param(
        event("workflow_dispatch"),
        Evaluate("full", BaselineCommit("main", MERGE), None, MERGE),
        id="by hand: everything",
    ),
    pytest.param(
        event("workflow_dispatch", ref="refs/heads/topic", pr_number=9),
        Evaluate("full", BaselineCommit("main", MERGE), 9, MERGE),
        id="by hand for a pull request that the author names",
    ),
    pytest.param(
        event("schedule", default_branch=""),
        Evaluate("full", BaselineCommit("main", MERGE), None, MERGE),
        id="at night, when the event tells of no default branch",
    ),
    pytest.param(
        event("issue_comment", pr_number=9),
        Evaluate("pr", BaselineCommit("main", MERGE), 9, MERGE),
        id="a comment, for a pull request that the author names",
    ),
    pytest.param(
        event("issue_comment"), Evaluate("pr", BaselineCommit("main", MERGE), None, MERGE), id="a comment, unnamed"
    ),
    pytest.param(
        event("registry_package", ref="", default_branch=""),
        Evaluate("full", None, None, MERGE),
        id="an event unknown to us that names no branch",
    ),
]


@pytest.mark.parametrize(("facts", "activity"), RUNS)
def test_f7_events_that_are_evaluated(facts: EventFacts, activity: Activity) -> None:
    assert activity_of(facts) == activity


@pytest.mark.parametrize(
    ("facts", "kind", "word"),
    [
        pytest.param(on_pull("closed"), NothingToDo, "closed", id="a pull request is closed or merged"),
        pytest.param(event("push", deleted=True), NothingToDo, "deleted", id="a branch is deleted"),
        pytest.param(event("pull_request_target", pull=pull()), Refuse, "secrets", id="pull_request_target"),
        pytest.param(event(""), Refuse, "no event", id="no workflow at all"),
        pytest.param(
            event("pull_request"), Refuse, "names no pull request", id="a pull request without its event file"
        ),
    ],
)
def test_f7_events_that_are_not(facts: EventFacts, kind: type[NothingToDo | Refuse], word: str) -> None:
    activity = activity_of(facts)
    assert isinstance(activity, kind)
    assert isinstance(activity, NothingToDo | Refuse)
    assert word in activity.why


def test_f7_a_finished_workflow_run_is_published() -> None:
    assert activity_of(event("workflow_run")) == Publish()
