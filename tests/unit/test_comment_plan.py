"""One comment, ours, current: what is done about every state a pull request's comments can be in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.github.comment_plan import (
    Comment,
    CommentPlan,
    Create,
    Leave,
    News,
    ProposedComment,
    PullComments,
    Update,
    news_of,
    plan_comment,
    written_by,
)
from raggate_action.github.inputs import CommentMode
from raggate_action.schema.marker import CommentMarker, read_marker
from tests.golden import pages
from tests.golden.builders import RELEASED, make_comparison, make_reporting

HEAD = "a" * 40
OLD_HEAD = "b" * 40
NEWS = News(worth=True, why="the decision is block")
NOTHING_NEW = News(worth=False, why="the decision is release: `failures`")


def body(run: int = 50, attempt: int = 1, *, suite: str = "menu", text: str = "Block") -> str:
    return f"{CommentMarker(suite, run, attempt, HEAD).line}\n{text}\n"


def comment(number: int, text: str, *, own: bool = True, minimized: bool = False) -> Comment:
    return Comment(number, text, own, minimized, f"https://github.test/pull/7#issuecomment-{number}")


def wanted(run: int = 50, attempt: int = 1, **fields: Any) -> ProposedComment:
    marker = CommentMarker("menu", run, attempt, HEAD)
    given: dict[str, Any] = {"head_sha": HEAD, "news": NEWS, "style": "update"}
    return ProposedComment(body(run, attempt), marker, **{**given, **fields})


def plan(comments: list[Comment], asked: ProposedComment | None = None, *, head: str = HEAD) -> CommentPlan:
    return plan_comment(PullComments(head, tuple(comments)), asked or wanted())


OLD = comment(10, body(40))


@pytest.mark.parametrize(
    ("comments", "asked", "expected"),
    [
        pytest.param([], wanted(), CommentPlan(Create()), id="none there: one is made"),
        pytest.param([OLD], wanted(), CommentPlan(Update(OLD)), id="an older run's is edited"),
        pytest.param(
            [comment(10, body(50, 1))],
            wanted(50, 2),
            CommentPlan(Update(comment(10, body(50, 1)))),
            id="the same run's earlier try is edited",
        ),
        pytest.param(
            [comment(10, body(40), own=False)],
            wanted(),
            CommentPlan(Create()),
            id="a stranger's with our marker is none",
        ),
        pytest.param(
            [comment(10, body(40, suite="wine"))], wanted(), CommentPlan(Create()), id="another suite's is none of ours"
        ),
        pytest.param(
            [comment(10, f"See this:\n{body(40)}")], wanted(), CommentPlan(Create()), id="our own that quotes a marker"
        ),
        pytest.param([comment(10, body(40), minimized=True)], wanted(), CommentPlan(Create()), id="a hidden one stays"),
        pytest.param(
            [comment(9, body(30), minimized=True), OLD],
            wanted(),
            CommentPlan(Update(OLD)),
            id="a hidden one beside a shown",
        ),
        pytest.param(
            [comment(12, body(41)), OLD, comment(15, body(42))],
            wanted(),
            CommentPlan(Update(OLD), delete=(12, 15)),
            id="of several the oldest is kept and the newer are deleted",
        ),
        pytest.param(
            [comment(10, "<!-- raggate:v1 suite=menu -->\nfrom a laptop")],
            wanted(),
            CommentPlan(Update(comment(10, "<!-- raggate:v1 suite=menu -->\nfrom a laptop"))),
            id="one without a run's number is older than any run",
        ),
    ],
)
def test_which_comment_is_written(comments: list[Comment], asked: ProposedComment, expected: CommentPlan) -> None:
    assert plan(comments, asked) == expected


@pytest.mark.parametrize(
    ("comments", "asked", "deleted"),
    [
        pytest.param([comment(10, body(51))], wanted(), (), id="a newer run has commented"),
        pytest.param([comment(10, body(50, 2))], wanted(), (), id="a later try of the same run has commented"),
        pytest.param([comment(10, body(51), minimized=True)], wanted(), (), id="a newer run's comment, hidden since"),
        pytest.param(
            [comment(10, body(51)), comment(11, body(50))], wanted(), (11,), id="beside the newer run's, ours goes"
        ),
        pytest.param(
            [comment(10, body(50)), comment(11, body(51))], wanted(), (), id="the newer run's duplicate is its own"
        ),
        pytest.param(
            [comment(10, body(50)), comment(11, body(51))],
            wanted(style="recreate"),
            (10,),
            id="recreated: the last stays",
        ),
    ],
)
def test_f4_a_newer_run_is_never_overwritten(
    comments: list[Comment], asked: ProposedComment, deleted: tuple[int, ...]
) -> None:
    found = plan(comments, asked)
    assert isinstance(found.write, Leave)
    assert "is newer" in found.write.why
    assert found.delete == deleted


def test_f4_a_run_of_a_commit_that_is_not_the_head_any_more_leaves_everything() -> None:
    found = plan([OLD, comment(11, body(40))], head=OLD_HEAD)
    assert found == CommentPlan(Leave("this run is of aaaaaaa, and the pull request is at bbbbbbb"))


def test_only_a_newer_run_of_the_same_commit_keeps_a_run_from_writing() -> None:
    of_main = comment(10, f"{CommentMarker('menu', 99, 1, OLD_HEAD).line}\nRelease")
    assert plan([of_main]) == CommentPlan(Update(of_main))
    assert plan([comment(10, f"{CommentMarker('menu', 99).line}\nRelease")]).write == Update(
        comment(10, f"{CommentMarker('menu', 99).line}\nRelease")
    ), "of an unknown commit"
    assert isinstance(plan([of_main, comment(11, body(51))]).write, Leave)


@pytest.mark.parametrize(
    "there",
    [
        pytest.param(body(), id="to the letter"),
        pytest.param(body().strip(), id="without the last line break"),
        pytest.param(body().replace("\n", "\r\n"), id="with other line ends"),
    ],
)
def test_a_comment_that_says_so_already_is_not_edited(there: str) -> None:
    kept = comment(10, there)
    assert plan([kept]) == CommentPlan(Leave("the comment says so already", kept.url))


@pytest.mark.parametrize("style", ["update", "recreate"])
def test_without_news_none_is_made_but_one_that_is_there_is_settled_in_place(style: Any) -> None:
    quiet = wanted(news=NOTHING_NEW, style=style)
    assert plan([], quiet) == CommentPlan(Leave(NOTHING_NEW.why))
    assert plan([OLD], quiet) == CommentPlan(Update(OLD)), "a stale red comment would be worse than none"
    assert plan([comment(10, body(40), minimized=True)], quiet) == CommentPlan(Leave(NOTHING_NEW.why))


def test_news_are_told_in_a_new_comment_where_the_author_wants_that() -> None:
    there = [OLD, comment(11, body(41)), comment(12, body(42), own=False)]
    assert plan(there, wanted(style="recreate")) == CommentPlan(Create(), delete=(10, 11))
    told = comment(13, body())
    assert plan([told], wanted(style="recreate")) == CommentPlan(Leave("the comment says so already", told.url))


COMMENTS = st.builds(
    lambda number, run, attempt, suite, own, minimized: comment(
        number, body(run, attempt, suite=suite), own=own, minimized=minimized
    ),
    st.integers(1, 99),
    st.integers(45, 55),
    st.integers(1, 2),
    st.sampled_from(["menu", "wine"]),
    st.booleans(),
    st.booleans(),
)


@given(
    there=st.lists(COMMENTS, max_size=8, unique_by=lambda each: each.comment_id),
    style=st.sampled_from(["update", "recreate"]),
    worth=st.booleans(),
    moved=st.booleans(),
)
def test_whatever_is_there_a_plan_touches_our_own_shown_comments_only_and_leaves_one_at_most(
    there: list[Comment], style: Any, *, worth: bool, moved: bool
) -> None:
    asked = wanted(style=style, news=News(worth=worth, why="so"))
    found = plan(there, asked, head=OLD_HEAD if moved else HEAD)
    ours = {each.comment_id: each for each in there if each.own and not each.minimized and "suite=menu" in each.body}
    written = {found.write.comment.comment_id} if isinstance(found.write, Update) else set()
    assert written | set(found.delete) <= ours.keys()
    assert not written & set(found.delete)
    assert len(found.delete) == len(set(found.delete))
    markers = [read_marker(each.body) for each in there if each.own]
    if any(marker is not None and marker.suite == "menu" and marker.age > asked.marker.age for marker in markers):
        assert isinstance(found.write, Leave), "a newer run's is not replaced"
    if isinstance(found.write, Leave) and found.write.url is None:
        return
    left = ours.keys() - set(found.delete)
    assert len(left) + isinstance(found.write, Create) <= 1, "one at most"


@given(
    there=st.lists(COMMENTS, max_size=8, unique_by=lambda each: each.comment_id),
    style=st.sampled_from(["update", "recreate"]),
)
def test_a_plan_carried_out_leaves_nothing_to_do(there: list[Comment], style: Any) -> None:
    asked = wanted(style=style)
    found = plan(there, asked)
    after = [each for each in there if each.comment_id not in found.delete]
    if isinstance(found.write, Update):
        edited = found.write.comment
        after = [each._replace(body=asked.body) if each == edited else each for each in after]
    elif isinstance(found.write, Create):
        after.append(comment(100, asked.body))
    again = plan(after, asked)
    assert isinstance(again.write, Leave)
    assert again.delete == ()


def test_the_comment_this_very_run_has_written_is_found_again() -> None:
    there = PullComments(HEAD, (OLD, comment(11, body(), own=False), comment(12, body(50, 2)), comment(13, body())))
    found = written_by(there, wanted().marker)
    assert found is not None
    assert found.comment_id == 13
    assert written_by(there, CommentMarker("menu", 51, 1, HEAD)) is None


def release(**comparison: Any) -> tuple[Any, Any]:
    told = make_reporting((), RELEASED)
    return told.run, make_comparison(**comparison)


def test_a_mode_is_a_few_lines_of_truth() -> None:
    run, same = release()
    block = pages.block()
    table: list[tuple[CommentMode, Any, Any, bool]] = [
        ("always", run, same, True),
        ("failures", run, same, False),
        ("failures", block.run, block.comparison, True),
        ("changes", run, same, False),
        ("changes", run, None, True),
        ("changes", block.run, block.comparison, True),
        ("off", block.run, block.comparison, False),
    ]
    assert [news_of(each, against, mode).worth for mode, each, against, _worth in table] == [row[3] for row in table]
    assert news_of(run, same, "failures").why == "the decision is release: `failures`"
    assert news_of(run, same, "changes").why == "nothing changed against the baseline: `changes`"


@pytest.mark.parametrize(
    ("moved", "why"),
    [
        pytest.param({"regressed": 2}, "regressed cases: 2", id="a regression"),
        pytest.param({"now_fixed": 1}, "fixed cases: 1", id="a fix"),
        pytest.param({"new_hallucinations": 3}, "new hallucinations: 3", id="a new hallucination"),
        pytest.param({"fixed_hallucinations": 1}, "fixed hallucinations: 1", id="a hallucination is gone"),
        pytest.param(
            {"baseline_decision": "block"}, "the decision was block and is release", id="another decision than then"
        ),
        pytest.param({"statuses": {"cost_usd": "failed"}}, "gates with another outcome: 1", id="a gate turned"),
        pytest.param({"statuses": {"category=wine": "failed"}}, "slices with another outcome: 1", id="a slice turned"),
    ],
)
def test_what_counts_as_a_change(moved: dict[str, Any], why: str) -> None:
    told = pages.release().run
    gate = told.gates[0].model_copy(update={"gate": "cost_usd", "status": "passed"})
    part = told.slices[0].model_copy(update={"name": "category=wine", "status": "passed"})
    run = told.model_copy(update={"gates": (gate,), "slices": (part,)})
    assert news_of(run, make_comparison(**moved), "changes") == News(worth=True, why=why)


@pytest.mark.parametrize(
    "statuses",
    [
        pytest.param({"category=wine": "passed"}, id="too few cases now, as in a smaller scope"),
        pytest.param({"category=beer": "failed"}, id="a slice that only the baseline has"),
        pytest.param({}, id="a baseline that does not tell"),
    ],
)
def test_what_is_no_change(statuses: dict[str, Any]) -> None:
    told = pages.release().run
    part = told.slices[0].model_copy(update={"name": "category=wine", "status": "insufficient"})
    run = told.model_copy(update={"slices": (part,)})
    assert not news_of(run, make_comparison(statuses=statuses), "changes").worth
