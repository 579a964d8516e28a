"""Publishing over real HTTP: whatever GitHub does, one comment, ours, current, and a line about what did not work.

The numbers F1 to F4 are those of the list of checks that the action is held to.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from raggate_action.github import pygithub_client
from raggate_action.github.api import CommentApi
from raggate_action.github.comment_plan import Create, News, ProposedComment, PullComments, plan_comment
from raggate_action.github.publication_plan import PostComment, Publication
from raggate_action.github.publishing import Outlets, publish
from raggate_action.github.pygithub_client import HURRIED, WaitLimits
from raggate_action.github.workflow_commands import Annotation
from raggate_action.report.render import jobs_box
from raggate_action.schema.comment_marker import CommentMarker, JobResult, instance_digest, read_page
from tests.fake_github.fake import FakeGitHub, recorded_pauses
from tests.fake_github.state import Account, Comment, Pull

RUN = 50
CREATE, UPDATE, DELETE = "issues/create-comment", "issues/update-comment", "issues/delete-comment"
STRANGER = Account("mallory", 666)
NEWS = News(worth=True, why="the decision is block")
MUCH = News(worth=False, why="the decision is release: `failures`")


class Scene:
    """A pull request of a fake GitHub, a token, and what publishing put elsewhere.

    Attributes:
        waited: Seconds that were to be waited between tries.
        summary, commands, log: What went to the job summary, to the runner as commands, into the log.
    """

    def __init__(self, github: FakeGitHub, waited: list[float]) -> None:
        self.github = github
        github.repository("acme/menu")
        github.commit()
        self.pull: Pull = github.pull(github.commit(branch="topic"))
        self.token = github.writing_token()
        self.waited = waited
        self.summary: list[str] = []
        self.commands: list[str] = []
        self.log: list[str] = []

    @property
    def head(self) -> str:
        return self.pull.head.sha

    @property
    def faults(self) -> list[str]:
        """What was said to have gone wrong, without the command that says it."""
        return [each.partition("::warning")[2].partition("::")[2] for each in self.commands if "::warning" in each]

    @property
    def comments(self) -> list[Comment]:
        return sorted(self.github.comments.values(), key=lambda each: each.id)

    @property
    def ours(self) -> list[Comment]:
        return [each for each in self.comments if each.author.login == "github-actions[bot]" and not each.minimized]

    def body(self, run: int = RUN, attempt: int = 1, *, text: str = "Block", suite: str = "menu") -> str:
        return f"{CommentMarker(suite, run, attempt, self.head).line}\n{text}"

    def there(self, run: int = RUN - 1, **fields: Any) -> Comment:
        return self.github.comment(self.pull, self.body(run), **fields)

    def posting(self, run: int = RUN, attempt: int = 1, *, fork: bool = False, **fields: Any) -> PostComment:
        marker = CommentMarker("menu", run, attempt, self.head)
        job = JobResult(attempt=attempt, decision="block", passed=1, failed=1, unmeasured=0)
        given: dict[str, Any] = {"head_sha": self.head, "news": NEWS}
        given |= {"job": job, "jobs_box": jobs_box}
        return PostComment(
            self.pull.number, ProposedComment(self.body(run, attempt), marker, **{**given, **fields}), fork
        )

    def publish(
        self, comment: PostComment | None = None, *annotations: Annotation, api: CommentApi | None = None
    ) -> str | None:
        """Publish the comment, or this one instead, after the summary."""

        def write_summary(text: str) -> None:
            assert not self.github.calls, "the summary comes before anything that may be refused"
            self.summary.append(text)

        def send(lines: Iterable[str]) -> None:
            self.commands += lines

        outlets = Outlets(write_summary, send, self.log.append)
        with api or self.api() as held:
            return publish(Publication("the report", comment or self.posting(), annotations), held, outlets)

    def api(self, **fields: Any) -> CommentApi:
        given = {"api_url": self.github.url, "token": self.token, "repository": "acme/menu"}
        return CommentApi(**{**given, "wait": self.waited.append, **fields})

    def counted(self) -> dict[str, int]:
        """Calls by operation."""
        names = [call.operation for call in self.github.calls]
        return {name: names.count(name) for name in dict.fromkeys(names)}


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    # GitHub asks for pauses between writes; a fake one does not need them.
    monkeypatch.setattr(pygithub_client, "_BETWEEN_WRITES_S", 0)
    with FakeGitHub() as github:
        yield Scene(github, recorded_pauses(monkeypatch))


def test_a_first_run_writes_one_comment_and_looks_again_for_another_runs(scene: Scene) -> None:
    published = scene.publish()
    [made] = scene.comments
    assert made.body == scene.body()
    assert published == f"{scene.github.server_url}/acme/menu/pull/7#issuecomment-{made.id}"
    assert scene.log == [f"raggate: comment written, the decision is block: {published}"]
    assert scene.counted() == {"graphql": 2, CREATE: 1}
    assert (scene.summary, scene.commands) == (["the report"], [])


def test_an_ordinary_pull_request_with_a_hundred_comments_takes_two_calls(scene: Scene) -> None:
    old = scene.there()
    for number in range(99):
        scene.github.comment(scene.pull, f"Remark {number}", author="dana")
    published = scene.publish()
    assert scene.counted() == {"graphql": 1, UPDATE: 1}
    assert old.body == scene.body()
    assert published is not None
    assert published.endswith(f"#issuecomment-{old.id}")


def test_the_pause_between_writes_is_none_between_the_pages_of_a_list(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A GraphQL query is a POST; a pause after each would be seconds for every thousand comments."""
    monkeypatch.setattr(pygithub_client, "_BETWEEN_WRITES_S", 600)
    for number in range(250):
        scene.github.comment(scene.pull, f"Remark {number}", author="dana")
    scene.publish()
    assert scene.counted() == {"graphql": 6, CREATE: 1}


def test_what_the_comment_says_already_is_not_sent_again(scene: Scene) -> None:
    there = scene.github.comment(scene.pull, scene.body())
    published = scene.publish()
    assert scene.counted() == {"graphql": 1}
    assert published is not None
    assert published.endswith(f"#issuecomment-{there.id}")
    assert scene.log[0].startswith("raggate: the comment says so already: http")


def test_a_mode_that_has_nothing_to_tell_says_so_and_writes_nothing(scene: Scene) -> None:
    assert scene.publish(scene.posting(news=MUCH)) is None
    assert scene.log == ["raggate: no comment: the decision is release: `failures`"]
    assert scene.comments == []


def test_a_comment_once_posted_is_settled_whatever_the_mode(scene: Scene) -> None:
    red = scene.there()
    assert scene.publish(scene.posting(news=MUCH)) is not None
    assert red.body == scene.body()


@pytest.mark.parametrize("place", [3, 120, 249])
def test_f2_our_comment_is_found_among_250(scene: Scene, place: int) -> None:
    def remarks(first: int, last: int) -> None:
        for number in range(first, last + 1):
            scene.github.comment(scene.pull, f"Remark {number}", author="dana")

    remarks(1, place - 1)
    ours = scene.there()
    remarks(place + 1, 250)
    scene.publish()
    assert ours.body == scene.body()
    assert len(scene.comments) == 250
    assert scene.counted() == {"graphql": 3, UPDATE: 1}


def test_f2_a_strangers_comment_with_our_marker_is_left_alone(scene: Scene) -> None:
    forged = scene.there(run=10**18, author=STRANGER)
    scene.publish()
    assert forged.body == scene.body(10**18)
    assert [each.body for each in scene.ours] == [scene.body()]


def test_f2_a_hidden_comment_of_ours_stays_hidden_and_a_new_one_is_made(scene: Scene) -> None:
    hidden = scene.there(minimized=True)
    scene.publish()
    assert hidden.body == scene.body(RUN - 1)
    assert [each.body for each in scene.ours] == [scene.body()]


def test_f2_of_two_comments_of_ours_the_oldest_is_edited_and_the_other_deleted(scene: Scene) -> None:
    first = scene.there(RUN - 2)
    scene.there(RUN - 1)
    other_suite = scene.github.comment(scene.pull, scene.body(suite="wine"))
    scene.publish()
    assert scene.ours == [first, other_suite]
    assert first.body == scene.body()
    assert scene.counted() == {"graphql": 1, UPDATE: 1, DELETE: 1}


def test_f2_everything_at_once(scene: Scene) -> None:
    for number in range(1, 251):
        if number in {3, 120, 249}:
            scene.there(number)
        elif number == 60:
            scene.there(author=STRANGER)
        elif number == 61:
            scene.there(minimized=True)
        else:
            scene.github.comment(scene.pull, f"Remark {number}", author="dana")
    scene.publish(scene.posting(run=300))
    assert [each.body for each in scene.ours] == [scene.body(300)]
    assert len(scene.comments) == 248, "the two newer of ours are gone, nothing else"


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"status": 502}, id="502"),
        pytest.param({"status": 503, "retry_after": 1}, id="503 with Retry-After"),
        pytest.param({"kind": "drop"}, id="the connection is closed"),
        pytest.param({"kind": "truncated"}, id="half an answer"),
        pytest.param({"kind": "not json"}, id="an answer that is none of GitHub's"),
    ],
)
def test_f3_a_comment_that_was_written_all_the_same_is_not_written_twice(scene: Scene, fault: dict[str, Any]) -> None:
    scene.github.fail(CREATE, **fault, after_write=True)
    published = scene.publish()
    assert [each.body for each in scene.comments] == [scene.body()]
    assert scene.counted()[CREATE] == 1
    assert published is not None
    assert scene.faults == []


@pytest.mark.parametrize("fault", [{"status": 502}, {"kind": "drop"}], ids=["502", "the connection is closed"])
def test_f3_a_comment_that_was_not_written_is_sent_a_second_time_and_no_third(
    scene: Scene, fault: dict[str, Any]
) -> None:
    scene.github.fail(CREATE, **fault)
    scene.publish()
    assert scene.faults == []
    assert [each.body for each in scene.comments] == [scene.body()]
    assert scene.counted()[CREATE] == 2


def test_f3_a_server_that_stays_down_is_asked_twice_and_then_told_of(scene: Scene) -> None:
    scene.github.fail(CREATE, times=None)
    scene.publish()
    assert scene.counted()[CREATE] == 2
    assert len(scene.faults) == 1
    assert scene.comments == []


def test_f3_a_comment_deleted_meanwhile_is_written_anew(scene: Scene) -> None:
    scene.there()
    scene.github.fail(UPDATE, status=404)
    scene.publish()
    assert scene.counted()[CREATE] == 1
    assert scene.ours[-1].body == scene.body()
    assert scene.faults == []


@pytest.mark.parametrize(
    ("run", "attempt", "said"),
    [
        pytest.param(RUN + 1, 1, "newer", id="a newer run has commented"),
        pytest.param(RUN, 2, "newer", id="a later try has commented"),
    ],
)
def test_f4_a_run_that_ends_last_does_not_overwrite_a_newer_one(
    scene: Scene, run: int, attempt: int, said: str
) -> None:
    newer = scene.github.comment(scene.pull, scene.body(run, attempt))
    assert scene.publish() is None
    assert newer.body == scene.body(run, attempt)
    assert scene.counted() == {"graphql": 1}
    assert said in scene.log[0]


def test_f4_a_run_of_an_outdated_head_changes_nothing(scene: Scene) -> None:
    old = scene.there()
    before = old.body
    scene.pull.head = scene.github.commit("Pushed meanwhile", branch="topic")
    assert scene.publish(scene.posting(head_sha=scene.pull.head.parents[0].sha)) is None
    assert old.body == before
    assert "no comment: this run is of" in scene.log[0]


def racing(scene: Scene, other: Callable[[], object]) -> CommentApi:
    """An API during whose writing of a comment something else happens first."""

    class Racing(CommentApi):
        def create_comment(self, number: int, body: str) -> Any:
            other()
            return super().create_comment(number, body)

    given: dict[str, Any] = {"api_url": scene.github.url, "token": scene.token, "repository": "acme/menu"}
    return Racing(**given, wait=scene.waited.append)


def test_two_runs_that_write_at_the_same_moment_leave_one_comment_the_newer_runs(scene: Scene) -> None:
    published = scene.publish(api=racing(scene, lambda: scene.there(RUN - 1)))
    [only] = scene.ours
    assert only.body == scene.body(), "the first place, the newer text"
    assert published is not None
    assert published.endswith(f"-{only.id}")


def test_the_older_of_two_runs_takes_its_comment_back(scene: Scene) -> None:
    published = scene.publish(api=racing(scene, lambda: scene.there(RUN + 1)))
    assert [each.body for each in scene.ours] == [scene.body(RUN + 1)]
    assert published is None
    assert scene.log[0].startswith("raggate: comment taken back, workflow run 51 is newer")


def of_job(scene: Scene, name: str, decision: Any, *, attempt: int = 1) -> PostComment:
    """What a job of a matrix posts."""
    marker = CommentMarker("menu", RUN, attempt, scene.head, instance_digest(name))
    body = f"{marker.line}\n> [!X]\n> **{decision.capitalize()}** · report of {name}\n"
    job = JobResult(instance=marker.instance, name=name, attempt=attempt, decision=decision, failed=0)
    return PostComment(scene.pull.number, ProposedComment(body, marker, scene.head, NEWS, job, jobs_box), fork=False)


def told(body: str) -> dict[str, str]:
    return {job.name: job.decision for job in read_page(body).jobs}


@pytest.mark.parametrize("mine", ["block", "release"])
def test_what_a_job_of_a_matrix_lost_to_another_ones_late_edit_is_mended(scene: Scene, mine: str) -> None:
    """The other job has read before we wrote, and its edit comes after our own look at what became of ours."""
    first = scene.there()
    other = "release" if mine == "block" else "block"

    def late(seconds: float) -> None:
        scene.waited.append(seconds)
        if len(scene.waited) == 1:
            stale = plan_comment(PullComments(scene.head, ()), of_job(scene, "b", other).proposal)
            assert isinstance(stale.write, Create)
            first.body = stale.write.body

    scene.publish(of_job(scene, "a", mine), api=scene.api(wait=late))
    [only] = scene.ours
    assert told(only.body) == {"a": mine, "b": other}
    assert "**Block** in 1 of 2 jobs" in only.body
    assert scene.log[0].startswith(f"raggate: comment edited, job b of this run has decided {other}: http")
    assert len(scene.waited) == 3


def test_two_jobs_that_make_a_comment_at_the_same_moment_leave_one_with_both(scene: Scene) -> None:
    release = of_job(scene, "b", "release")

    def other() -> None:
        scene.github.comment(scene.pull, plan_body(scene, release))

    scene.publish(of_job(scene, "a", "block"), api=racing(scene, other))
    [only] = scene.ours
    assert told(only.body) == {"a": "block", "b": "release"}
    assert "report of a" in only.body


def plan_body(scene: Scene, posting: PostComment) -> str:
    planned = plan_comment(PullComments(scene.head, ()), posting.proposal)
    assert isinstance(planned.write, Create)
    return planned.write.body


def test_eight_jobs_that_end_at_once_all_have_their_line(scene: Scene) -> None:
    names = [f"python 3.{minor}" for minor in range(6, 14)]
    postings = [of_job(scene, name, "block" if name.endswith("9") else "release") for name in names]

    def post(posting: PostComment) -> None:
        with scene.api(wait=lambda _seconds: time.sleep(0.5)) as api:
            publish(Publication("", posting), api, Outlets(lambda _text: None, lambda _lines: None, scene.log.append))

    with ThreadPoolExecutor(len(postings)) as pool:
        list(pool.map(post, postings))
    [only] = scene.ours
    assert told(only.body).keys() == {*names}, scene.log
    assert "**Block** in 1 of 8 jobs" in only.body
    assert "report of python 3.9" in only.body


def test_an_edit_that_is_always_undone_is_bounded_and_told(scene: Scene) -> None:
    first = scene.there()
    stale = plan_body(scene, of_job(scene, "b", "release"))

    def late(seconds: float) -> None:
        scene.waited.append(seconds)
        first.body = stale

    scene.publish(of_job(scene, "a", "block"), api=scene.api(wait=late))
    assert len(scene.waited) == 4
    assert "a line may be missing" in scene.log[0]


def test_a_cancelled_job_of_a_matrix_does_not_wait_for_the_others(scene: Scene) -> None:
    scene.publish(of_job(scene, "a", "block"), api=scene.api(bounds=HURRIED))
    assert (len(scene.ours), scene.waited) == (1, [])


FAULTS = [
    pytest.param({"status": 403}, "permissions:%0A  contents: read", id="403"),
    pytest.param({"status": 404}, "404 Not Found", id="404"),
    pytest.param({"status": 422}, "422 Validation Failed", id="422"),
    pytest.param({"status": 500}, "500 ", id="500"),
    pytest.param({"kind": "slow", "seconds": 30}, "nothing came for 1 s", id="timeout"),
    pytest.param({"kind": "drop"}, "no answer from GitHub", id="the connection is closed"),
    pytest.param({"kind": "not json"}, "no usable answer from GitHub", id="no JSON"),
    pytest.param({"kind": "primary limit", "reset_in": 1465}, "rate limit", id="a rate limit that ends in 24 minutes"),
    pytest.param(
        {"kind": "primary limit", "status": 429, "retry_after": 3600},
        "rate limit",
        id="429 and an hour to wait",
    ),
]


@pytest.mark.parametrize(("fault", "said"), FAULTS)
@pytest.mark.parametrize("operation", [CREATE, UPDATE, "graphql", "*"])
def test_f1_whatever_the_comment_api_answers_is_one_line_and_the_summary_is_written(
    scene: Scene, operation: str, fault: dict[str, Any], said: str
) -> None:
    if operation == UPDATE:
        scene.there()
    scene.github.fail(operation, times=None, **fault)
    quick = scene.api(bounds=WaitLimits(timeout_s=1, tries_again=1, in_all_s=120))
    published = scene.publish(scene.posting(), Annotation("error", "now fails"), api=quick)
    assert scene.summary == ["the report"]
    if operation == UPDATE and fault == {"status": 404}:
        assert scene.faults == [], "gone: written anew"
        return
    assert len(scene.faults) == 1
    assert published is None
    assert len(scene.commands) == 2, "one line about it, and what comes after is published all the same"
    warning, annotation = scene.commands
    assert warning.startswith(("::warning ", "::warning::"))
    assert said in warning
    assert "\n" not in warning
    assert "The decision stands" in warning
    assert scene.token not in warning
    assert annotation == "::error::now fails"


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"status": 502}, id="a server's error"),
        pytest.param({"kind": "secondary limit", "retry_after": 1}, id="a limit that ends in a second"),
        pytest.param({"kind": "drop"}, id="the connection is closed"),
    ],
)
def test_in_a_hurry_nothing_is_tried_again(scene: Scene, fault: dict[str, Any]) -> None:
    scene.github.fail("graphql", times=1, **fault)
    scene.publish(api=scene.api(bounds=HURRIED))
    assert scene.counted() == {"graphql": 1}
    assert scene.waited == []
    assert len(scene.faults) == 1


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param({"operation": "graphql", "skip": 1}, id="the second list"),
        pytest.param({"operation": DELETE}, id="deleting a second one"),
    ],
)
def test_f1_what_fails_after_the_comment_is_right_does_not_unsay_it(scene: Scene, fault: dict[str, Any]) -> None:
    if fault["operation"] == DELETE:
        scene.there(RUN - 2)
        scene.there()
    scene.github.fail(**fault, status=403, times=None)
    published = scene.publish()
    assert scene.ours[0].body == scene.body()
    assert published is not None
    assert published.endswith(f"-{scene.ours[0].id}")
    assert len(scene.faults) == 1
    assert scene.faults[0].startswith("The comment stands, but perhaps beside another one of ours: 403 ")


def test_f1_a_missing_permission_is_told_with_the_block_to_copy_and_what_github_says(scene: Scene) -> None:
    scene.token = scene.github.reading_token()
    scene.publish()
    assert scene.comments == []
    [warning] = scene.commands
    block = "permissions:%0A  contents: read%0A  actions: read%0A  pull-requests: write%0A"
    assert block in warning
    assert "GitHub would have accepted: issues=write; pull_requests=write" in warning
    [fault] = scene.faults
    assert fault.startswith(
        "The token may not write a comment. The decision stands, and the job summary has the report."
    )


def test_f1_a_forks_token_is_a_notice_and_no_fault(scene: Scene) -> None:
    scene.token = scene.github.reading_token()
    assert scene.publish(scene.posting(fork=True)) is None
    [notice] = scene.commands
    assert notice.startswith("::notice ")
    assert "`workflow_run`" in notice


def test_f1_graphql_that_refuses_in_its_own_form_is_a_403_too(scene: Scene) -> None:
    scene.github.home.private = True
    scene.token = scene.github.token({"contents": "read"})
    scene.publish()
    assert "permissions:%0A" in scene.commands[0]


def test_f1_a_summary_that_cannot_be_written_stops_nothing(scene: Scene) -> None:
    def full(_text: str) -> None:
        raise ValueError("the job summary is full")

    outlets = Outlets(full, scene.commands.extend, scene.log.append)
    with scene.api() as api:
        published = publish(Publication("the report", scene.posting()), api, outlets)
    assert published is not None
    assert scene.faults == ["The job summary could not be written: the job summary is full. The decision stands."]


def test_without_a_token_nothing_is_asked(scene: Scene) -> None:
    outlets = Outlets(scene.summary.append, scene.commands.extend, scene.log.append)
    publish(Publication("the report", scene.posting()), None, outlets)
    assert scene.github.calls == []
    assert scene.faults == [
        "There is no github-token, so no comment was written. The decision stands, and the job summary has the report."
    ]


def test_a_rate_limit_that_ends_soon_is_waited_out_and_a_post_sent_once(scene: Scene) -> None:
    scene.github.fail("graphql", "secondary limit", retry_after=7)
    scene.publish()
    assert (scene.faults, scene.waited) == ([], [7])
    [made] = scene.comments
    del scene.github.comments[made.id]
    scene.github.fail(CREATE, "secondary limit", retry_after=7)
    scene.github.calls.clear()
    scene.publish()
    assert len(scene.faults) == 1
    assert "rate limit" in scene.faults[0]
    assert (scene.waited, scene.comments) == ([7], [])


def test_an_edit_is_tried_again(scene: Scene) -> None:
    old = scene.there()
    scene.github.fail(UPDATE, status=502, times=2)
    scene.publish()
    assert scene.faults == []
    assert old.body == scene.body()


def test_an_enterprise_server_is_asked_at_its_own_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygithub_client, "_BETWEEN_WRITES_S", 0)
    with FakeGitHub(enterprise=True) as github:
        scene = Scene(github, [])
        scene.publish()
        assert scene.faults == []
        assert len(scene.comments) == 1


def test_a_pull_request_that_is_none_is_told(scene: Scene) -> None:
    elsewhere = scene.posting()._replace(pull_request=999)
    scene.publish(elsewhere)
    assert len(scene.faults) == 1
    assert "999" in scene.faults[0]
