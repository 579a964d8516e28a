"""One comment, ours, current: what is done about every state a pull request's comments can be in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.github.action_inputs import CommentMode
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
from raggate_action.report.render import jobs_box, render_comment
from raggate_action.report.report_input import Reporting
from raggate_action.schema.comment_marker import (
    CommentMarker,
    JobResult,
    instance_digest,
    jobs_line,
    marker_of,
    read_marker,
    read_page,
)
from tests.golden import pages
from tests.golden.builders import RELEASED, counted, make_comparison, make_reporting
from tests.situations import SITUATIONS

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
    job = JobResult(attempt=attempt, decision="block", passed=1, failed=1, unmeasured=0)
    given: dict[str, Any] = {"head_sha": HEAD, "news": NEWS, "job": job, "jobs_box": jobs_box}
    return ProposedComment(body(run, attempt), marker, **{**given, **fields})


def plan(comments: list[Comment], asked: ProposedComment | None = None, *, head: str = HEAD) -> CommentPlan:
    return plan_comment(PullComments(head, tuple(comments)), asked or wanted())


OLD = comment(10, body(40).replace("Block", "Release"))


@pytest.mark.parametrize(
    ("comments", "asked", "expected"),
    [
        pytest.param([], wanted(), CommentPlan(Create(body())), id="none there: one is made"),
        pytest.param([OLD], wanted(), CommentPlan(Update(OLD, body())), id="an older run's is edited"),
        pytest.param(
            [comment(10, body(50, 1).replace("Block", "Release"))],
            wanted(50, 2),
            CommentPlan(Update(comment(10, body(50, 1).replace("Block", "Release")), body(50, 2))),
            id="the same run's earlier try is edited",
        ),
        pytest.param(
            [comment(10, body(40), own=False)],
            wanted(),
            CommentPlan(Create(body())),
            id="a stranger's with our marker is none",
        ),
        pytest.param(
            [comment(10, body(40, suite="wine"))],
            wanted(),
            CommentPlan(Create(body())),
            id="another suite's is none of ours",
        ),
        pytest.param(
            [comment(10, f"See this:\n{body(40)}")],
            wanted(),
            CommentPlan(Create(body())),
            id="our own that quotes a marker",
        ),
        pytest.param(
            [comment(10, body(40), minimized=True)], wanted(), CommentPlan(Create(body())), id="a hidden one stays"
        ),
        pytest.param(
            [comment(9, body(30), minimized=True), OLD],
            wanted(),
            CommentPlan(Update(OLD, body())),
            id="a hidden one beside a shown",
        ),
        pytest.param(
            [comment(12, body(41)), OLD, comment(15, body(42))],
            wanted(),
            CommentPlan(Update(OLD, body()), delete=(12, 15)),
            id="of several the oldest is kept and the newer are deleted",
        ),
        pytest.param(
            [comment(10, "<!-- raggate:v1 suite=menu -->\nfrom a laptop")],
            wanted(),
            CommentPlan(Update(comment(10, "<!-- raggate:v1 suite=menu -->\nfrom a laptop"), body())),
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
    assert plan([of_main]) == CommentPlan(Update(of_main, body()))
    assert plan([comment(10, f"{CommentMarker('menu', 99).line}\nRelease")]).write == Update(
        comment(10, f"{CommentMarker('menu', 99).line}\nRelease"), body()
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


def test_without_news_none_is_made_but_one_that_is_there_is_settled_in_place() -> None:
    quiet = wanted(news=NOTHING_NEW)
    assert plan([], quiet) == CommentPlan(Leave(NOTHING_NEW.why))
    assert plan([OLD], quiet) == CommentPlan(Update(OLD, body())), "a stale red comment would be worse than none"
    assert plan([comment(10, body(40), minimized=True)], quiet) == CommentPlan(Leave(NOTHING_NEW.why))


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
    worth=st.booleans(),
    moved=st.booleans(),
)
def test_whatever_is_there_a_plan_touches_our_own_shown_comments_only_and_leaves_one_at_most(
    there: list[Comment], *, worth: bool, moved: bool
) -> None:
    asked = wanted(news=News(worth=worth, why="so"))
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
)
def test_a_plan_carried_out_leaves_nothing_to_do(there: list[Comment]) -> None:
    asked = wanted()
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
        pytest.param(counted(answered={"new": 2}), "regressed cases: 2", id="a regression"),
        pytest.param(counted(answered={"fixed": 1}), "fixed cases: 1", id="a fix"),
        pytest.param(counted(hallucination_rate={"new": 3}), "new hallucinations: 3", id="a new hallucination"),
        pytest.param(counted(hallucination_rate={"fixed": 1}), "fixed hallucinations: 1", id="a hallucination gone"),
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


def matrix(name: str, decision: Any, *, attempt: int = 1, run: int = 50, failed: int = 0, **fields: Any) -> Any:
    """What a job of a matrix proposes; a job without a name has no instance."""
    instance = instance_digest(name)
    marker = CommentMarker("menu", run, attempt, HEAD, instance)
    text = f"{marker.line}\n> [!X]\n> **{decision.capitalize()}** · suite `menu`\nreport of {name} {attempt}\n"
    job = JobResult(
        instance=instance, name=name, attempt=attempt, decision=decision, passed=1, failed=failed, unmeasured=0
    )
    return wanted(run, attempt, job=job, **fields)._replace(body=text, marker=marker)


def written(asked: Iterable[ProposedComment], there: Iterable[Comment] = ()) -> list[Comment]:
    """The comments once each has planned and written, one after the other."""
    now = list(there)
    for number, each in enumerate(asked, start=20):
        found = plan(now, each)
        now = [comment for comment in now if comment.comment_id not in found.delete]
        if isinstance(found.write, Update):
            edited = found.write
            now = [each._replace(body=edited.body) if each == edited.comment else each for each in now]
        elif isinstance(found.write, Create):
            now.append(comment(number, found.write.body))
    return now


A, B = matrix("a", "block", failed=2), matrix("b", "release")


def test_two_jobs_of_a_matrix_in_both_orders_come_to_the_same_comment() -> None:
    (one,), (other,) = written([A, B]), written([B, A])
    assert one.body == other.body
    assert one.body.splitlines()[0] == A.marker.line
    assert "report of a" in one.body
    assert "report of b" not in one.body
    assert "**Block** in 1 of 2 jobs of this workflow run:" in one.body
    assert "- ❌ Block · `a` · 1 passed · 2 failed · 0 not measured (the report below)\n- ✅ Release · `b`" in one.body
    (three,) = written([matrix("c", "inconclusive"), B, A])
    assert [job.name for job in read_page(three.body).jobs] == ["a", "c", "b"]


def test_a_second_attempt_replaces_its_own_line_and_no_other() -> None:
    green = matrix("a", "release", attempt=2)
    (after,) = written([A, B, green])
    told = {(job.name, job.attempt, job.decision) for job in read_page(after.body).jobs}
    assert told == {("a", 2, "release"), ("b", 1, "release")}
    assert "Block" not in after.body
    assert "attempt 2" in after.body
    # The attempt before, told late, as by a second stage.
    late = plan([after], A)
    assert late.write == Leave("attempt 2 of workflow run 50 is newer and has commented")


def test_an_attempt_that_is_told_late_takes_no_other_jobs_result_away() -> None:
    there = [*written([matrix("a", "release", attempt=2)]), comment(30, written([matrix("b", "block")])[0].body)]
    assert plan(there, A).delete == ()
    mine = comment(31, written([A])[0].body)
    assert plan([*there, mine], A).delete == (31,)


def test_a_block_whose_report_is_gone_still_stands_on_top() -> None:
    """Only one report has room: where that job turns green, the other's line stays, in an alert of its own."""
    (after,) = written([A, matrix("b", "block", failed=1), matrix("a", "release", attempt=2)])
    lines = after.body.splitlines()
    assert lines[1:3] == ["> [!CAUTION]", "> **Block** in 1 of 2 jobs of this workflow run:"]
    assert "> - ❌ Block · `b`" in after.body
    assert "report of a 2" in after.body
    assert "The report of a job that is not below is its job summary." in after.body
    (whole,) = written([matrix("b", "block", attempt=2, failed=1)], [after])
    assert "report of b 2" in whole.body
    assert "[!CAUTION]" not in whole.body


def test_a_newer_run_begins_anew_and_jobs_of_an_older_one_are_told() -> None:
    newer = matrix("b", "release", run=51)
    (after,) = written([A, B, newer])
    assert [job.name for job in read_page(after.body).jobs] == ["b"]
    assert isinstance(plan([after], A).write, Leave)


def test_without_a_matrix_the_comment_is_the_report_and_nothing_else() -> None:
    (only,) = written([matrix("", "block", failed=1)])
    assert only.body == matrix("", "block", failed=1).body
    (turned,) = written([matrix("", "release", attempt=2)], [only])
    assert turned.body == matrix("", "release", attempt=2).body


def test_two_jobs_that_nothing_tells_apart_do_not_hide_the_worse_and_the_log_says_so() -> None:
    block, release = matrix("", "block", failed=1), matrix("", "release")
    there = written([block])
    found = plan(there, release)
    assert isinstance(found.write, Leave)
    assert found.beside == "another job of this run has decided block, which stays there: give each an `instance`"
    turned = plan(written([release]), block)
    assert isinstance(turned.write, Update)
    assert turned.beside == "another job of this run has decided release, which is replaced: give each an `instance`"
    assert plan(written([A]), B).beside == "job a of this run has decided block"
    assert plan(written([B]), matrix("c", "release")).beside == ""


@pytest.mark.parametrize(
    "kept",
    [
        "[]",
        "[1]",
        "[{}]",
        '[{"instance": "x", "attempt": 1, "decision": "release"}]',
        '[{"attempt": 1, "decision": "fine"}]',
        '[{"attempt": 1, "decision": "release", "html": "<b>"}]',
        '[{"name": "' + "x" * 81 + '", "attempt": 1, "decision": "release"}]',
        "[" * 5000 + "]" * 5000,
        '["' + "x" * 70_000 + '"]',
    ],
)
def test_results_that_are_none_are_not_taken_over(kept: str) -> None:
    there = comment(10, f"{A.marker.line}\n<!-- raggate:jobs {kept} -->\n> **Block** · suite\nold report\n")
    found = plan([there], B)
    assert isinstance(found.write, Update)
    assert [(job.name, job.decision) for job in read_page(found.write.body).jobs] == [("", "block"), ("b", "release")]
    assert "old report" in found.write.body, "its own decision stands in its report"


@pytest.mark.parametrize(
    "name", ["a --> <b>x</b> | `y` @team #1", "-->\n<!-- raggate:v1 suite=menu -->", "\u202e☃" * 40]
)
def test_a_name_is_a_strangers_wherever_it_stands(name: str) -> None:
    job = matrix("z", "block", failed=1)
    evil = job._replace(job=job.job._replace(name=name[:80]))
    (there,) = written([evil, B])
    lines = there.body.splitlines()
    assert [line for line in lines if line.startswith("<!--")] == [lines[0], jobs_line(read_page(there.body).jobs)]
    assert {each.name for each in read_page(there.body).jobs} == {name[:80], "b"}
    assert "<b>" not in there.body
    (again,) = written([matrix("c", "release")], [there])
    assert "<b>" not in again.body


def test_hundreds_of_jobs_with_the_longest_report_stay_within_what_github_takes() -> None:
    there: list[Comment] = []
    for number in range(120):
        kind = "block" if number == 60 else "release"
        asked = matrix(f"{number:03d} {'-' * 70}", kind, failed=int(kind == "block"))
        there = written([asked._replace(body=asked.body + "x" * 59_000)], there)
    (only,) = there
    assert len(only.body) <= 65_536
    assert "❌ Block · `060 " in only.body
    assert " more" in only.body


@given(
    jobs=st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "c", ""]),
            st.sampled_from(["release", "block", "inconclusive"]),
            st.integers(1, 3),
            st.integers(0, 2),
        ),
        max_size=6,
    ),
    order=st.randoms(use_true_random=False),
    seen=st.integers(0, 6),
)
def test_whatever_order_jobs_write_in_the_comment_has_the_worst_of_the_last_attempts(
    jobs: list[Any], order: Any, seen: int
) -> None:
    asked = [matrix(name, kind, attempt=attempt, failed=failed) for name, kind, attempt, failed in jobs]
    # Some have written a comment of their own at the same moment.
    there = [comment(number, written([each])[0].body) for number, each in enumerate(asked[:seen], start=1)]
    order.shuffle(asked)
    after = written(asked, there)
    assert len(after) <= 1 or not asked
    for only in after:
        page = read_page(only.body)
        last: dict[str, Any] = {}
        for each in asked:
            job = each.job
            known = last.get(job.instance)
            if known is None or (job.attempt, job.badness) > (known.attempt, known.badness):
                last[job.instance] = job
        told = {job.instance: (job.attempt, job.decision) for job in page.jobs}
        assert told == {name: (job.attempt, job.decision) for name, job in last.items()}
        worst = max(job.badness for job in last.values())
        first = only.body.partition("**")[2].partition("**")[0].lower()
        assert next(job for job in last.values() if job.badness == worst).decision == first


def test_a_re_run_of_the_same_commit_with_the_same_content_edits_nothing() -> None:
    told = SITUATIONS["block-of-one"]()
    assert isinstance(told, Reporting)
    origin = told.run.origin
    assert origin is not None

    def page(**fields: Any) -> tuple[str, CommentMarker]:
        made = told._replace(run=told.run.model_copy(update={"origin": origin.model_copy(update=fields)}))
        return render_comment(made), marker_of("shop", made.run.origin)

    first, _marker = page()
    for fields in ({"run_attempt": 2}, {"workflow_run_id": origin.workflow_run_id + 1}):
        text, marker = page(**fields)
        job = JobResult(attempt=marker.attempt, decision="block", passed=31, failed=1, unmeasured=0)
        asked = ProposedComment(text, marker, origin.head_sha, NEWS, job, jobs_box)
        there = comment(10, first.replace("\n", "\r\n"))
        assert plan([there], asked, head=origin.head_sha) == CommentPlan(
            Leave("the comment says so already", there.url)
        )
        other = comment(10, first.replace("36", "48"))
        assert isinstance(plan([other], asked, head=origin.head_sha).write, Update), "another answer is news"


def test_of_another_commit_the_comment_is_edited() -> None:
    older = f"{CommentMarker('menu', 40, 1, OLD_HEAD).line}\nBlock\n"
    assert plan([comment(10, older)]).write == Update(comment(10, older), body())
