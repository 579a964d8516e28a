"""A run that was stopped decides nothing, the same way each time; a baseline's story is told of that baseline only."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.report.comment_size import COMMENT_EXTENTS
from raggate_action.report.origin_view import footer
from raggate_action.report.page_sections import Reporting, comment_view
from raggate_action.report.render import inline, render_comment
from raggate_action.run.count_and_decide import conclude, texts_of
from raggate_action.run.row_counting import Count
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.origin import BaselineNote
from raggate_action.schema.run import Policy, RunDescription
from tests.golden import pages
from tests.golden.builders import make_origin
from tests.row_builders import failed, in_words, make_row
from tests.stored_runs import MORNING, make_started

NOTE = BaselineNote(branch="main", missing="No run of main has stored one yet.")


def concluded(rows: list[CaseRun], **fields: Any) -> Reporting:
    started = make_started()
    policy = Policy()
    given: dict[str, Any] = {
        **dict(started),
        "complete": True,
        "policy": policy,
        "decided_at": MORNING,
        "suite_size": 9,
        "in_scope": 9,
    }
    head = RunDescription(**{**given, **fields})
    count = Count(policy, decided_on=head.decided_on, baseline=None, rows=lambda: rows)
    for row in rows:
        count.add(row)
    return conclude(head, *count.counted([]))


GOOD = [make_row(0), make_row(1)]
BAD = [make_row(0), make_row(1, outcomes={"faithfulness": failed()})]


@pytest.mark.parametrize(
    ("rows", "whole", "because"),
    [
        pytest.param(GOOD, "release", None, id="what had finished passed"),
        pytest.param(BAD, "block", "faithfulness failed", id="what had finished would block"),
        pytest.param([], "inconclusive", "no case is in scope", id="nothing had finished"),
    ],
)
def test_a_cancelled_run_is_inconclusive_whatever_had_finished(
    rows: list[CaseRun], whole: str, because: str | None
) -> None:
    assert concluded(rows).run.decision.kind == whole
    run = concluded(rows, cancelled=True).run
    decision = run.decision
    assert decision.kind == "inconclusive"
    assert in_words(run)[0] == f"cancelled: {len(rows)} of 9 cases had finished"
    if because is None:
        assert len(decision.reasons) == 1, "what released a part says nothing of the whole"
    else:
        assert in_words(run)[1].startswith(because)


def test_what_the_head_says_of_origin_and_baseline_is_stored_and_told_again() -> None:
    told = concluded(BAD, origin=make_origin(), baseline=NOTE, cancelled=True)
    assert (told.run.origin, told.run.baseline, told.run.cancelled) == (make_origin(), NOTE, True)
    stored = type(told.run).model_validate_json(told.run.model_dump_json())
    assert texts_of(Reporting(stored, told.listed, told.comparison)) == texts_of(told), "byte for byte"


def test_nothing_that_texts_need_is_left_out_of_the_file() -> None:
    told = concluded([make_row(0, expect="abstain"), make_row(1)])
    assert told.run.counts.unanswerable == 1
    assert type(told.run).model_validate_json(told.run.model_dump_json()) == told.run


def test_a_laptops_run_says_nothing_of_workflows() -> None:
    page = render_comment(concluded(GOOD))
    assert page.startswith("<!-- raggate:v1 suite=demo -->\n")
    assert "workflow run" not in page
    assert "http" not in page


def test_a_baseline_note_is_told_of_its_own_baseline_only() -> None:
    told = pages.pull_request()
    assert told.comparison is not None
    other = told._replace(comparison=told.comparison.model_copy(update={"baseline_git_sha": "f" * 40}))
    line = inline(footer(other, COMMENT_EXTENTS[0]))
    to = f"https://github.com/menu/app/commit/{'f' * 40}"
    assert f"baseline [`ffffffffffff`]({to}) decided `2026-06-01T06:00:00Z` (release), 13 cases compared" in line
    assert "4 commits behind" not in line
    assert "2 days old" not in render_comment(other), "nor its warning"


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        pytest.param({"distance": 0, "age_days": 0}, ", ", id="the very commit, of today"),
        pytest.param({"distance": 1, "age_days": 7}, ", 1 commit behind, 13 cases", id="a week is not told"),
        pytest.param({"distance": 2, "age_days": 8}, ", 2 commits behind, 8 days old, 13 cases", id="more is"),
        pytest.param({"distance": None, "age_days": None}, "), 13 cases", id="nothing known"),
    ],
)
def test_how_far_back_a_baseline_lies(fields: dict[str, Any], shown: str) -> None:
    told = pages.pull_request()
    note = BaselineNote(branch="main", head_sha="99aa88bb77cc66dd55ee44ff33aa22bb11cc00dd", **fields)
    run = told.run.model_copy(update={"baseline": note})
    line = inline(footer(told._replace(run=run), COMMENT_EXTENTS[0]))
    to = f"https://github.com/menu/app/commit/{note.head_sha}"
    assert f"baseline [`main@99aa88b`]({to}) (release{')' if shown[0] != ')' else ''}{shown}" in line


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"server_url": "https://github.com) [x](http://evil.test"}, id="an address that ends the link"),
        pytest.param({"server_url": "javascript:alert(1)//github.com"}, id="another scheme"),
        pytest.param({"repository": "menu/app/../../evil"}, id="a repository of more parts"),
        pytest.param({"repository": "menu"}, id="a repository without an owner"),
    ],
)
def test_an_address_of_another_form_is_not_linked(fields: dict[str, str]) -> None:
    told = pages.pull_request()
    run = told.run.model_copy(update={"origin": make_origin(**fields)})
    line = inline(comment_view(told._replace(run=run)).footer)
    assert "](" not in line
    assert "workflow run `17234567890`" in line
