"""F8, F9, F13: the baseline found by the calls a run makes, against the fake GitHub over real HTTP."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from raggate_action.core.comparison.baseline_index import BaselineIndex
from raggate_action.github.api import GitHubApi
from raggate_action.github.baseline_choice import BaselineSearch
from raggate_action.github.baseline_search import (
    MOST_REQUESTS,
    FoundBaseline,
    find_baseline,
)
from raggate_action.github.pygithub_client import GitHubFault
from raggate_action.run.stored_runs import stored_baseline
from raggate_action.run_store.run_file import described_file
from raggate_action.schema.run import Run
from tests.fake_github.fake import FakeGitHub, recorded_pauses
from tests.fake_github.state import Artifact, Commit
from tests.fake_github.world import WORKFLOW
from tests.stored_runs import make_row, make_run, make_started, suite_cases

# The fake's clock begins on 1 November and goes on by minutes.
NOW = datetime(2026, 11, 3, 9, tzinfo=UTC)


def files(run: Run | None = None) -> dict[str, bytes | str]:
    """A run directory as upload-artifact is handed it."""
    rows = "".join(f"{row.model_dump_json()}\n" for row in (make_row(0), make_row(1)))
    tied = {
        name: described_file(io.BytesIO(text.encode())) for name, text in (("cases.jsonl", rows), ("traces.jsonl", ""))
    }
    stored = run or make_run()
    return {
        "run.json": stored.model_copy(update={"suite_cases": tuple(suite_cases(2)), "files": tied}).model_dump_json(),
        "cases.jsonl": rows,
        "traces.jsonl": "",
        "comment.md": "# not read",
    }


class Repository:
    """Home with five commits on main, a token, and what waiting was asked for."""

    def __init__(self, github: FakeGitHub, *, private: bool = True, waits: list[float] | None = None) -> None:
        self.github = github
        self.home = github.repository(private=private)
        self.main = github.history(5)
        self.waits = waits if waits is not None else []
        self.token = github.writing_token()

    def stored(
        self, head: Commit, run: Run | None = None, *, of: dict[str, Any] | None = None, **fields: Any
    ) -> Artifact:
        """An artifact of a push run on main; `of` changes the run, `fields` the artifact."""
        made = self.github.run(head, **(of or {}))
        return self.github.artifact(made, files=files(run), **fields)

    def wanted(self, head: Commit | None = None, **fields: Any) -> BaselineSearch:
        sha = (head or self.main[-1]).sha
        return BaselineSearch("raggate-menu", "main", sha, self.home.id, WORKFLOW, 5)._replace(**fields)

    def api(self) -> GitHubApi:
        full_name = self.home.full_name
        return GitHubApi(api_url=self.github.url, token=self.token, repository=full_name)

    def found(self, wanted: BaselineSearch | None = None, *, suite: str = "demo") -> FoundBaseline[BaselineIndex]:
        with self.api() as api:
            found = find_baseline(
                api,
                wanted or self.wanted(),
                now=NOW,
                read=lambda archive, _commit: stored_baseline(archive, suite=suite),
            )
        assert found.archive is not None, found
        found.archive.close()
        return found

    def missing(self, wanted: BaselineSearch | None = None, *, suite: str = "demo") -> str:
        with self.api() as api:
            found = find_baseline(
                api,
                wanted or self.wanted(),
                now=NOW,
                read=lambda archive, _commit: stored_baseline(archive, suite=suite),
            )
        assert (found.archive, found.content) == (None, None), found
        assert found.note.branch == "main"
        assert found.note.head_sha is None
        return found.note.missing

    @property
    def operations(self) -> list[str]:
        return [call.operation.rpartition("/")[2] for call in self.github.calls]


@pytest.fixture(params=[False, True], ids=["github.com", "enterprise server"])
def repository(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    with FakeGitHub(enterprise=request.param) as github:
        yield Repository(github, waits=recorded_pauses(monkeypatch))


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Repository]:
    with FakeGitHub() as github:
        yield Repository(github, waits=recorded_pauses(monkeypatch))


ORDINARY = ["list-artifacts-for-repo", "list-commits", "get-workflow-run", "download-artifact", "blob"]


def test_f8_an_ordinary_pull_request_finds_its_baseline_in_five_requests(repository: Repository) -> None:
    stored = repository.stored(repository.main[-1])
    found = repository.found()
    assert found.content is not None
    assert found.content.cases.keys() == {"case-0", "case-1"}
    assert found.note.workflow_run_id == stored.run.id
    note = found.note
    assert (note.branch, note.head_sha, note.workflow_run_id) == ("main", repository.main[-1].sha, stored.run.id)
    assert (note.distance, note.age_days, note.warning, note.missing) == (0, 1, "", "")
    assert repository.operations == ORDINARY
    assert len(ORDINARY) == 5


def test_f8_base_moved_on_the_nearest_ancestor_is_taken(place: Repository) -> None:
    """Run again at last: the oldest commit has the newest artifact, and loses."""
    near = place.stored(place.main[2])
    place.stored(place.main[0])
    found = place.found()
    assert (found.note.workflow_run_id, found.note.distance) == (near.run.id, 2)


def test_f8_commits_of_merged_branches_are_no_steps_on_the_way(place: Repository) -> None:
    """Main took in three branches of 40 commits each: it takes two pages, and three steps, to get past them."""
    old = place.stored(place.main[-1])
    tip = place.main[-1]
    for number in range(3):
        side = tip
        for step in range(40):
            side = place.github.commit(f"side {number}.{step}", branch=f"side-{number}", parents=[side])
        tip = place.github.commit(f"merge {number}", parents=[tip, side])
    found = place.found(place.wanted(tip))
    assert (found.note.workflow_run_id, found.note.distance) == (old.run.id, 3)
    assert place.operations.count("list-commits") == 2
    with place.api() as api:
        chain = api.first_parents(tip.sha)
    assert list(chain) == [
        tip.sha,
        tip.parents[0].sha,
        tip.parents[0].parents[0].sha,
        *(c.sha for c in reversed(place.main)),
    ]


def test_f8_a_branch_that_took_main_in_is_compared_where_they_parted(place: Repository) -> None:
    place.stored(place.main[2])
    topic = place.github.commit("work", branch="topic", parents=[place.main[0]])
    merged = place.github.commit("main taken in", branch="topic", parents=[topic, place.main[3]])
    found = place.found(place.wanted(merged))
    assert (found.note.head_sha, found.note.distance) == (place.main[2].sha, 1)
    assert place.operations.count("compare-commits-with-basehead") == 1


def everything_hostile(place: Repository) -> None:
    """What the reference's C2 and C3 warn of, all of it newer than the baseline and of the wanted commit."""
    github, tip = place.github, place.main[-1]
    fork = github.repository("mallory/menu", fork_of=place.home)
    place.stored(tip, of={"head_repository": fork})
    place.stored(tip, of={"head_repository": "gone"})
    place.stored(tip, of={"event": "workflow_run"})
    place.stored(tip, of={"event": "issue_comment"})
    place.stored(tip, of={"path": ".github/workflows/other.yml"})
    place.stored(tip, of={"event": "pull_request", "branch": "topic"})
    place.stored(tip, expired=True)


def test_f8_none_of_the_attacks_is_taken(place: Repository) -> None:
    right = place.stored(place.main[1], of={"conclusion": "failure"})
    everything_hostile(place)
    found = place.found()
    assert found.note.workflow_run_id == right.run.id
    assert found.note.distance == 3
    assert found.note.warning.startswith(
        "The baseline's own workflow run ended as failure. A nearer one was passed over."
    )
    assert place.operations.count("download-artifact") == 1


def test_f8_a_run_of_the_merge_queue_that_was_merged(place: Repository) -> None:
    tip = place.main[-1]
    stored = place.stored(tip, of={"event": "merge_group", "branch": f"gh-readonly-queue/main/pr-7-{tip.sha}"})
    assert place.found().note.workflow_run_id == stored.run.id


SENTENCES = {
    "an empty repository": (
        lambda _place: None,
        "No artifact raggate-menu is stored in this repository: the first run on main that uploads one becomes the baseline.",
    ),
    "only expired ones": (
        lambda place: place.stored(place.main[0], expired=True),
        "Every artifact raggate-menu from main has expired",
    ),
    "only those of pull requests": (
        lambda place: place.stored(place.main[0], of={"event": "pull_request", "branch": "topic"}),
        "No artifact raggate-menu is from main: its first run that uploads one becomes the baseline.",
    ),
    "only of commits that came after": (
        lambda place: place.stored(place.github.commit("later")),
        "or of the 4 before it: run the workflow on main.",
    ),
    "a run that goes on": (
        lambda place: place.stored(place.main[0], of={"status": "in_progress"}),
        "has not finished yet.",
    ),
    "another workflow": (
        lambda place: place.stored(place.main[0], of={"path": ".github/workflows/other.yml"}),
        "is from another workflow: .github/workflows/other.yml.",
    ),
    "a run that was stopped": (
        lambda place: place.github.artifact(
            place.github.run(place.main[0]), files={"run.json": make_started().model_dump_json()}
        ),
        "is not finished: it is still being written or was stopped.",
    ),
    "another suite": (
        lambda place: place.stored(place.main[0], make_run(suite="other")),
        "is a run of suite 'other', not of 'demo'.",
    ),
    "a newer raggate": (
        lambda place: place.github.artifact(
            place.github.run(place.main[0]),
            files={"run.json": make_run().model_dump_json().replace('"schema_version":5', '"schema_version":99')},
        ),
        "has schema_version 99; this raggate reads 5.",
    ),
    "an older raggate": (
        lambda place: place.github.artifact(
            place.github.run(place.main[0]),
            files={
                "run.json": '{"schema_version": 1, "complete": true, "suite": "demo", "decision": {"verdict": "release"}}'
            },
        ),
        "was stored by an older raggate, and is not read: the next run on main renews the baseline.",
    ),
    "no run in it": (
        lambda place: place.github.artifact(place.github.run(place.main[0]), files={"comment.md": "# hello"}),
        "holds no run: run.json is missing.",
    ),
    "an upload of more than the run directory": (
        lambda place: place.github.artifact(place.github.run(place.main[0]), files={"raggate-run/run.json": "{}"}),
        "member 'raggate-run/run.json' is no file of a run (Upload the run directory alone, by actions/upload-artifact).",
    ),
    "a size that no run has": (
        lambda place: place.stored(place.main[0], size=101 * 1024 * 1024),
        "has more than 100 MiB, and is not read.",
    ),
}


@pytest.mark.parametrize(("arrange", "expected"), SENTENCES.values(), ids=SENTENCES.keys())
def test_f8_the_sentence_for(arrange: Any, expected: str, place: Repository) -> None:
    arrange(place)
    said = place.missing()
    assert expected in said
    assert said[0].isupper()
    assert said.endswith(".")
    assert len(said) <= 300


def test_f8_what_is_unusable_makes_room_for_the_next(place: Repository) -> None:
    farther = place.stored(place.main[1])
    place.stored(place.main[3], make_run(suite="other"))
    found = place.found()
    assert found.note.workflow_run_id == farther.run.id
    assert found.note.warning.startswith(
        "A nearer one was passed over. A stored run cannot be the baseline: the baseline "
    )
    assert "is a run of suite 'other'" in found.note.warning


def test_f8_an_older_runner_does_not_tell_who_we_are(place: Repository) -> None:
    stored = place.stored(place.main[-1])
    own = place.github.run(place.main[-1], event="pull_request", branch="topic")
    found = place.found(place.wanted(repository_id=0, workflow="", run_id=own.id))
    assert found.note.workflow_run_id == stored.run.id
    assert place.operations[:2] == ["get", "get-workflow-run"]


def bent(change: Any) -> bytes:
    """A right archive, bent."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files().items():
            archive.writestr(name, content)
    return bytes(change(file.getvalue()))


F9 = {
    "truncated": (lambda content: content[: len(content) // 2], "is cut off, or something follows its end"),
    "an error page": (lambda _content: b"<Error>AuthenticationFailed</Error>", "it is no zip"),
    "damaged": (lambda content: content[:100] + b"\0\0\0\0" + content[104:], "is damaged"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), F9.values(), ids=F9.keys())
def test_f9_an_archive_that_is(change: Any, expected: str, place: Repository) -> None:
    content = bent(change)
    place.github.artifact(place.github.run(place.main[0]), content=content, size=len(content), digest=None)
    assert expected in place.missing()


def test_f9_a_wrong_digest(place: Repository) -> None:
    place.stored(place.main[0], digest=f"sha256:{'0' * 64}")
    assert "its SHA-256 digest is not the one GitHub keeps of it" in place.missing()


@pytest.mark.parametrize(("operation", "status"), [("actions/download-artifact", 410), ("actions/download-artifact", 404), ("blob", 404), ("blob", 410)])  # fmt: skip
def test_f9_expired_between_the_list_and_the_download(operation: str, status: int, place: Repository) -> None:
    place.stored(place.main[0])
    place.github.fail(operation, status=status, times=None)
    assert place.missing().endswith("has expired: run the workflow on main again.")


def test_f9_the_store_is_another_host_and_gets_no_token(place: Repository) -> None:
    """The fake refuses a blob that is asked for with a token, and the `with` around it fails for a refusal."""
    place.stored(place.main[-1])
    place.found()
    assert place.operations[-1] == "blob"


@pytest.mark.parametrize("kind", ["drop", "truncated"])
def test_f9_a_download_that_breaks_off_is_made_again(kind: Any, place: Repository) -> None:
    place.stored(place.main[-1])
    place.github.fail("blob", kind, times=2)
    place.found()
    assert place.operations.count("blob") == 3


def test_f9_a_store_that_stays_down_is_a_sentence(place: Repository) -> None:
    stored = place.stored(place.main[-1])
    place.github.fail("blob", status=503, times=None)
    assert place.missing() == f"The baseline could not be fetched: artifact {stored.id}: the store answers 503."


def test_f9_no_signature_is_logged(place: Repository, caplog: pytest.LogCaptureFixture) -> None:
    place.stored(place.main[-1])
    with caplog.at_level(logging.DEBUG):
        place.found()
        place.github.fail("blob", status=403, times=None)
        assert "sig=" not in place.missing()
    assert "sig=" not in caplog.text
    assert place.token not in caplog.text


def test_f13_a_missing_permission_is_named(place: Repository) -> None:
    place.stored(place.main[-1])
    place.token = place.github.token({"contents": "read"})
    assert place.missing() == (
        "The baseline could not be fetched: 403 Resource not accessible by integration"
        " (GET /actions/artifacts). The job needs permissions: {actions: read, contents: read}."
    )
    with place.api() as api, pytest.raises(GitHubFault) as fault:
        api.artifacts_named("raggate-menu")
    assert (fault.value.status, fault.value.accepted_permissions) == (403, "actions=read")


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_f13_a_read_is_tried_again(status: int, place: Repository) -> None:
    place.stored(place.main[-1])
    place.github.fail("actions/list-artifacts-for-repo", status=status, times=3)
    place.found()
    # The first try at once, then half a second, doubled.
    assert place.waits == [1.0, 2.0]


def test_f13_a_server_that_stays_down_is_a_sentence(place: Repository) -> None:
    place.github.fail("actions/list-artifacts-for-repo", status=502, times=None)
    assert place.missing() == "The baseline could not be fetched: 502 refused (GET /actions/artifacts)."
    assert place.operations.count("list-artifacts-for-repo") == 5


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        pytest.param({"kind": "secondary limit", "status": 403}, [60.0], id="a secondary limit"),
        pytest.param({"kind": "secondary limit", "status": 403, "retry_after": 7}, [7.0], id="a secondary limit that says how long"),
        pytest.param({"kind": "secondary limit", "status": 429, "retry_after": 9}, [9.0], id="429"),
        pytest.param({"kind": "status", "status": 503, "retry_after": 3}, [3.0], id="503 that says how long"),
    ],
)  # fmt: skip
def test_f13_a_limit_is_waited_for(fault: dict[str, Any], waits: list[float], place: Repository) -> None:
    place.stored(place.main[-1])
    place.github.fail("repos/list-commits", **fault)
    place.found()
    assert place.waits == waits


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        pytest.param({"kind": "primary limit", "status": 403, "reset_in": 1465}, "403 API rate limit exceeded", id="a primary limit of 24 minutes"),
        pytest.param({"kind": "status", "status": 503, "retry_after": "Fri, 31 Dec 99999999999 23:59:59 GMT"}, "no", id="until a year that no clock knows"),
    ],
)  # fmt: skip
def test_f13_a_limit_is_not_waited_for_longer_than_a_minute(
    fault: dict[str, Any], said: str, place: Repository
) -> None:
    place.stored(place.main[-1])
    place.github.fail("repos/list-commits", times=None, **fault)
    missing = place.missing()
    assert missing.startswith(f"The baseline could not be fetched: {said}")
    # It is not a matter of permissions.
    assert "permissions" not in missing
    assert place.waits == []


@pytest.mark.parametrize("kind", ["drop", "truncated", "not json"])
def test_f13_an_answer_that_is_none_is_a_sentence(kind: Any, place: Repository) -> None:
    place.stored(place.main[-1])
    place.github.fail("actions/get-workflow-run", kind, times=None)
    assert place.missing().startswith("The baseline could not be fetched: ")


def test_f13_nobody_there_is_a_sentence() -> None:
    with FakeGitHub() as github:
        place = Repository(github)
    assert place.missing() == (
        "The baseline could not be fetched: no answer from GitHub (GET /actions/artifacts): the connection failed."
    )


def test_f13_a_public_repository_is_read_by_nobody() -> None:
    with FakeGitHub() as github:
        place = Repository(github, private=False)
        place.stored(place.main[-1])
        with GitHubApi(api_url=github.url, token=None, repository="acme/menu") as api:
            assert len(api.artifacts_named("raggate-menu")) == 1


def test_f13_the_worst_case_has_a_ceiling(place: Repository) -> None:
    """More artifacts than are listed, and of the five that are looked at each is of another suite."""
    tip = place.main[-1]
    for head in place.main:
        place.stored(head, make_run(suite="other"))
    runs = [place.github.run(tip, event="pull_request", branch=f"topic-{number}") for number in range(290)]
    for run in runs:
        place.github.artifact(run, content=b"", size=1)
    own = place.github.run(tip, event="pull_request", branch="topic")
    said = place.missing(place.wanted(repository_id=0, workflow="", run_id=own.id))
    assert "is a run of suite 'other'" in said
    assert place.operations.count("download-artifact") == 5
    assert place.operations.count("list-artifacts-for-repo") == 3
    assert len(place.operations) <= MOST_REQUESTS == 37


def test_pull_requests_are_read(place: Repository) -> None:
    fork = place.github.repository("mallory/menu", fork_of=place.home)
    head = place.github.commit("a change", branch="topic", repository=fork)
    pull = place.github.pull(head, head_repository=fork)
    with place.api() as api:
        found = api.pull(pull.number)
        assert [each.number for each in api.open_pulls(head.sha, "mallory", "topic")] == [found.number] * 2
        assert api.repository_id() == place.home.id
        assert api.merge_base("main", head.sha) == place.main[-1].sha
        assert api.merge_base("no-such-branch", head.sha) is None
    assert (found.number, found.head.sha) == (pull.number, head.sha)
    assert (found.head.repo.id, found.base.repo.id) == (fork.id, place.home.id)
    assert (found.base.ref, found.base.sha) == ("main", place.main[-1].sha)
