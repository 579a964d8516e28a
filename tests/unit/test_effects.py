"""What a run publishes is planned as values: a table of who there is to tell, and of what the author chose."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.github.action_inputs import ActionInputs
from raggate_action.github.publication_plan import (
    Audience,
    Publication,
    Report,
    plan_publication,
)
from raggate_action.github.publishing import PERMISSIONS, refusal
from raggate_action.github.workflow_commands import Annotation
from raggate_action.report.render import jobs_box, render_comment, render_summary
from raggate_action.schema.run import Run
from tests.golden import pages

HEAD = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
PULL = Audience("pull_request", 7, HEAD)
ERROR = Annotation("error", "now fails", title="egg-free", file="cases/menu.yaml", line=4)


def report(run: Run | None = None, annotations: tuple[Annotation, ...] = (ERROR,), **fields: Any) -> Report:
    told = pages.pull_request()
    told = told._replace(run=run or told.run.model_copy(update=fields))
    return Report(told.run, told.comparison, render_comment(told), render_summary(told), jobs_box, annotations)


def published(planned: Publication) -> list[str]:
    return [name for name, what in planned._asdict().items() if what]


@pytest.mark.parametrize(
    ("audience", "choices", "expected"),
    [
        pytest.param(PULL, ActionInputs(), ["summary", "comment", "annotations"], id="a pull request"),
        pytest.param(
            PULL, ActionInputs(comment="off"), ["summary", "annotations"], id="comments off: GitHub is left alone"
        ),
        pytest.param(PULL, ActionInputs(annotations=False), ["summary", "comment"], id="annotations off"),
        pytest.param(
            PULL._replace(fork=True),
            ActionInputs(),
            ["summary", "comment", "annotations"],
            id="a fork: tried, and told if refused",
        ),
        pytest.param(Audience("push", None, HEAD), ActionInputs(), ["summary", "annotations"], id="a push"),
        pytest.param(Audience("schedule", None, HEAD), ActionInputs(), ["summary", "annotations"], id="a nightly run"),
        pytest.param(
            Audience("merge_group", None, HEAD), ActionInputs(), ["summary", "annotations"], id="a merge queue"
        ),
        pytest.param(
            Audience("merge_group", 7, HEAD),
            ActionInputs(),
            ["summary", "annotations"],
            id="a merge queue, whatever number is given",
        ),
        pytest.param(
            Audience("workflow_dispatch", 7, HEAD),
            ActionInputs(),
            ["summary", "comment", "annotations"],
            id="a named pull request",
        ),
        pytest.param(
            Audience("workflow_run", 7, HEAD),
            ActionInputs(),
            ["summary", "comment"],
            id="a fork's results: no files here to annotate",
        ),
    ],
)
def test_who_is_told_what_and_in_which_order(audience: Audience, choices: ActionInputs, expected: list[str]) -> None:
    assert published(plan_publication(report(), audience, choices)) == expected


def test_without_anything_to_annotate_nothing_is() -> None:
    planned = plan_publication(report(annotations=()), PULL, ActionInputs())
    assert published(planned) == ["summary", "comment"]
    assert planned.summary == report().summary


@pytest.mark.parametrize("event", ["pull_request", "workflow_run", "workflow_dispatch", "issue_comment"])
def test_the_commit_under_review_is_held_against_the_pull_requests_last(event: str) -> None:
    posted = plan_publication(report(), Audience(event, 7, HEAD), ActionInputs()).comment
    assert posted is not None
    assert posted.proposal.head_sha == HEAD
    assert posted.proposal.body.startswith(f"{posted.proposal.marker.line}\n"), "found again by its first line"


def test_a_comment_carries_its_reason_also_where_it_is_not_worth_one() -> None:
    posted = plan_publication(report(), PULL, ActionInputs(comment="failures")).comment
    assert posted is not None
    assert not posted.proposal.news.worth
    assert posted.proposal.news.why == "the decision is release: `failures`"


def test_the_first_ten_are_annotated_and_the_last_of_them_says_of_how_many() -> None:
    many = tuple(Annotation("error", f"error {number}") for number in range(40))
    kept = plan_publication(report(annotations=many), PULL, ActionInputs()).annotations
    assert kept[:9] == many[:9]
    assert [each.message for each in kept[9:]] == ["error 9 (10 of 40 marked; the job summary lists more.)"]
    whole = plan_publication(report(annotations=many[:10]), PULL, ActionInputs()).annotations
    assert whole == many[:10], "all of them need no count"


def test_what_is_not_even_listed_is_counted() -> None:
    run = pages.release().run
    counts = run.counts.model_copy(update={"failed": 2_500, "unmeasured": 1})
    many = tuple(Annotation("error", "x") for _number in range(200))
    told = report(run.model_copy(update={"counts": counts}), many)
    kept = plan_publication(told, PULL, ActionInputs()).annotations
    assert kept[-1].message == "x (10 of 2,501 marked; the job summary lists more.)"


def test_a_403_in_our_own_repository_is_a_warning_with_the_block_and_what_github_would_accept() -> None:
    said = refusal(accepted="issues=write; pull_requests=write", fork=False)
    assert said.level == "warning"
    assert f"\n{PERMISSIONS}\n" in said.message
    assert said.message.endswith("GitHub would have accepted: issues=write; pull_requests=write")
    assert "accepted" not in refusal(accepted=None, fork=False).message


def test_a_403_on_a_fork_is_a_notice_that_names_the_way_out() -> None:
    said = refusal(accepted=None, fork=True)
    assert said.level == "notice"
    assert "`workflow_run`" in said.message
    assert "permissions:" not in said.message, "no permission can change it"
