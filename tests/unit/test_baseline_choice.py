"""F8: which artifact is the baseline, over lists that hold every line of the reference's C2 and C5."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from github import Github
from github.Artifact import Artifact
from github.WorkflowRun import WorkflowRun
from hypothesis import given
from hypothesis import strategies as st

from raggate_action.github.baseline_choice import (
    BaselineRefusal,
    BaselineSearch,
    Hurdle,
    Prospect,
    age_days,
    name_and_commit,
    refuse_run,
    sentence,
    shortlist,
    stored_by,
    warning_of,
)

OWN = 7000
FORK = 8000
GATE = ".github/workflows/gate.yml"
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
# The commit wanted, its first parent, and so on.
CHAIN = tuple(f"{position:02d}" + "a" * 38 for position in range(100))
WANTED = BaselineSearch("raggate-menu", "main", CHAIN[0], OWN, GATE, run_id=999)


REQUESTER = Github().requester


def artifact(number: int, **fields: Any) -> Artifact:
    """An artifact of main's commit `CHAIN[2]`, stored by the run of the same number; newer ones have higher numbers."""
    run = {
        "id": fields.pop("run_id", number),
        "repository_id": fields.pop("repository_id", OWN),
        "head_repository_id": fields.pop("head_repository_id", OWN),
        "head_branch": fields.pop("head_branch", "main"),
        "head_sha": fields.pop("head_sha", CHAIN[2]),
    }
    told: dict[str, Any] = {
        "id": number,
        "name": "raggate-menu",
        "size_in_bytes": 10_000,
        "expired": False,
        "created_at": (NOW - timedelta(days=3) + timedelta(minutes=number)).isoformat(),
        "digest": None,
        "workflow_run": run,
    }
    return Artifact(REQUESTER, {}, {**told, **fields})


def run_of(stored: Artifact, **fields: Any) -> WorkflowRun:
    listed = stored_by(stored)
    head = fields.pop("head_repository_id", listed["head_repository_id"])
    told: dict[str, Any] = {
        "id": listed["id"],
        "event": "push",
        "path": f"{GATE}@refs/heads/main",
        "status": "completed",
        "conclusion": "success",
        "repository": {"id": fields.pop("repository_id", listed["repository_id"])},
        "head_repository": {"id": head} if head is not None else None,
        "head_branch": listed["head_branch"],
        "head_sha": listed["head_sha"],
    }
    return WorkflowRun(REQUESTER, {}, {**told, **fields}, completed=True)


def queued(number: int, branch: str = "main", **fields: Any) -> Artifact:
    return artifact(number, head_branch=f"gh-readonly-queue/{branch}/pr-3-{CHAIN[1]}", **fields)


# Everything a repository may hold beside its baseline, artifact 1. All of it is newer.
NEVER = {
    "a fork's branch that is called main": artifact(20, head_repository_id=FORK, head_sha=CHAIN[0]),
    "a fork's artifact, for forks share the numbers": artifact(21, repository_id=FORK, head_repository_id=FORK),
    "a fork that is gone": artifact(22, head_repository_id=None),
    "a run that is gone": artifact(23, workflow_run=None),
    "a pull request's branch": artifact(24, head_branch="feature", head_sha="f" * 40),
    "a branch at the wanted commit, but another one": artifact(25, head_branch="main-2", head_sha=CHAIN[0]),
    "the queue of another branch": queued(26, branch="next"),
    "expired": artifact(27, expired=True, head_sha=CHAIN[0]),
    "of a commit that came after": artifact(28, head_sha="b" * 40),
    "of a commit that history lost": artifact(29, head_sha="c" * 40),
    "too far back": artifact(30, head_sha="d" * 40),
    "too large": artifact(31, size_in_bytes=100 * 1024 * 1024 + 1, head_sha=CHAIN[0]),
    "another suite's": artifact(32, name="raggate-menu-2", head_sha=CHAIN[0]),
    "our own, from the attempt before": artifact(33, run_id=999, head_sha=CHAIN[0]),
    "without a branch": artifact(34, head_branch=None),
}  # fmt: skip


@pytest.mark.parametrize("other", NEVER.values(), ids=NEVER.keys())
def test_f8_never_a_baseline(other: Artifact) -> None:
    assert [found.artifact.id for found in shortlist(WANTED, [other, artifact(1)], CHAIN).prospects] == [1]


def test_f8_the_one_of_a_whole_repository() -> None:
    own = artifact(1)
    chosen = shortlist(WANTED, [*NEVER.values(), own], CHAIN)
    assert chosen.prospects == (Prospect(own, 2),)
    # Another suite's is nobody's business; every other one has its reason.
    assert len(chosen.refusals) == len(NEVER) - 1


@pytest.mark.parametrize(
    ("artifacts", "order"),
    [
        pytest.param([artifact(1, head_sha=CHAIN[0]), artifact(2, head_sha=CHAIN[1])], [1, 2], id="the commit wanted before its parent"),
        pytest.param([artifact(9, head_sha=CHAIN[40]), artifact(1, head_sha=CHAIN[2])], [1, 9], id="a stale run made again loses, though it is the newest"),
        pytest.param([artifact(3), artifact(5), artifact(4)], [5, 4, 3], id="of one commit the latest run"),
        pytest.param([artifact(3, run_id=3), artifact(4, run_id=3)], [4], id="of one run the last artifact"),
        pytest.param([artifact(3), queued(4, head_sha=CHAIN[1])], [4, 3], id="a run of the queue whose commit was merged"),
        pytest.param([artifact(number, head_sha=CHAIN[number]) for number in range(9)], [0, 1, 2, 3, 4], id="five at most"),
        pytest.param([artifact(1, size_in_bytes=100 * 1024 * 1024)], [1], id="100 MiB are not too many"),
        pytest.param([], [], id="none of none"),
    ],
)  # fmt: skip
def test_f8_the_order_of_looking(artifacts: list[Artifact], order: list[int]) -> None:
    assert [found.artifact.id for found in shortlist(WANTED, artifacts, CHAIN).prospects] == order


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 8), st.booleans()), max_size=12), st.randoms())
def test_the_order_of_the_list_is_no_reason(drawn: list[tuple[int, int, bool]], random: Any) -> None:
    artifacts = [
        artifact(position, head_sha=CHAIN[distance], run_id=run_id, expired=expired)
        for position, (distance, run_id, expired) in enumerate(drawn)
    ]
    shuffled = random.sample(artifacts, len(artifacts))
    chosen = shortlist(WANTED, artifacts, CHAIN).prospects
    assert shortlist(WANTED, shuffled, CHAIN).prospects == chosen
    alive = [CHAIN.index(stored_by(each)["head_sha"]) for each in artifacts if not each.expired]
    # The nearest is always the first, whatever was stored last.
    assert [found.distance for found in chosen[:1]] == sorted(alive)[:1]


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        pytest.param(artifact(1), {}, id="a push"),
        pytest.param(artifact(1), {"event": "schedule"}, id="a schedule"),
        pytest.param(artifact(1), {"event": "workflow_dispatch"}, id="a dispatch"),
        pytest.param(queued(1), {"event": "merge_group"}, id="the merge queue"),
        pytest.param(artifact(1), {"conclusion": "failure"}, id="a run that failed: a red base is still the base"),
    ],
)
def test_f8_a_run_is_accepted_for(stored: Artifact, told: dict[str, Any]) -> None:
    assert refuse_run(WANTED, Prospect(stored, 2), run_of(stored, **told)) is None


@pytest.mark.parametrize(
    ("stored", "told", "hurdle"),
    [
        pytest.param(artifact(1), {"event": "pull_request"}, Hurdle.EVENT, id="a pull request"),
        pytest.param(artifact(1), {"event": "pull_request_target"}, Hurdle.EVENT, id="pull_request_target, which has the base's branch"),
        pytest.param(artifact(1), {"event": "workflow_run"}, Hurdle.EVENT, id="workflow_run, likewise"),
        pytest.param(artifact(1), {"event": "issue_comment"}, Hurdle.EVENT, id="issue_comment, likewise"),
        pytest.param(artifact(1), {"event": "repository_dispatch"}, Hurdle.EVENT, id="an event that nobody thought of"),
        pytest.param(artifact(1), {"event": "merge_group"}, Hurdle.EVENT, id="a merge group that is on the branch itself"),
        pytest.param(queued(1), {"event": "push"}, Hurdle.EVENT, id="a branch somebody named like the queue's"),
        pytest.param(artifact(1), {"path": ".github/workflows/other.yml"}, Hurdle.WORKFLOW, id="another workflow"),
        pytest.param(artifact(1), {"status": "in_progress", "conclusion": None}, Hurdle.UNFINISHED, id="a run that goes on"),
        pytest.param(artifact(1), {"head_repository_id": FORK}, Hurdle.RECORD, id="a record that names a fork"),
        pytest.param(artifact(1), {"head_repository_id": None}, Hurdle.RECORD, id="a record whose fork is gone"),
        pytest.param(artifact(1), {"repository_id": FORK}, Hurdle.RECORD, id="a record of another repository"),
        pytest.param(artifact(1), {"head_sha": CHAIN[0]}, Hurdle.RECORD, id="a record of another commit"),
        pytest.param(artifact(1), {"head_branch": "feature"}, Hurdle.RECORD, id="a record of another branch"),
        pytest.param(artifact(1), {"id": 2}, Hurdle.RECORD, id="a record of another run"),
    ],
)  # fmt: skip
def test_f8_a_run_is_refused_for(stored: Artifact, told: dict[str, Any], hurdle: Hurdle) -> None:
    refusal = refuse_run(WANTED, Prospect(stored, 2), run_of(stored, **told))
    assert refusal is not None
    assert (refusal.hurdle, refusal.artifact, refusal.distance) == (hurdle, stored, 2)


SENTENCES = [
    (Hurdle.ABSENT, [], "No artifact raggate-menu is stored in this repository: the first run on main that uploads one becomes the baseline."),
    (Hurdle.OWN, [artifact(1, run_id=999)], "This is the first run that stores raggate-menu: nothing lies before it."),
    (Hurdle.FORK, [artifact(1, head_repository_id=FORK)], "Every artifact raggate-menu is from a fork or a repository that is gone, and none of those is a baseline."),
    (Hurdle.OTHER_BRANCH, [artifact(1, head_branch="next")], "No artifact raggate-menu is from main: its first run that uploads one becomes the baseline."),
    (Hurdle.EXPIRED, [artifact(1, expired=True)], "Every artifact raggate-menu from main has expired: run the workflow on main again, or keep them longer."),
    (Hurdle.NOT_BEFORE, [artifact(1, head_sha="e" * 40)], "No run on main that stored raggate-menu is of commit 00aaaaa or of the 99 before it: run the workflow on main."),
    (Hurdle.TOO_LARGE, [artifact(1, size_in_bytes=2**30)], "The artifact raggate-menu of main@02aaaaa (run 1) has more than 100 MiB, and is not read."),
]  # fmt: skip


@pytest.mark.parametrize(("hurdle", "artifacts", "expected"), [pytest.param(*row, id=row[0].name) for row in SENTENCES])
def test_f8_the_sentence_where_the_list_has_none(hurdle: Hurdle, artifacts: list[Artifact], expected: str) -> None:
    chosen = shortlist(WANTED, artifacts, CHAIN)
    assert chosen.prospects == ()
    assert [refusal.hurdle for refusal in chosen.refusals] == [hurdle] * len(artifacts)
    assert sentence(WANTED, chosen.refusals, first_parents=len(CHAIN)) == expected


LATER = [
    (Hurdle.RECORD, "", "The artifact raggate-menu of main@02aaaaa (run 1) and the record of its run contradict each other."),
    (Hurdle.EVENT, "workflow_run", "The artifact raggate-menu of main@02aaaaa (run 1) is from a run for workflow_run, which may run code that nobody has merged: only push, schedule and workflow_dispatch on main, and its merge_group, count."),
    (Hurdle.WORKFLOW, ".github/workflows/other.yml", "The artifact raggate-menu of main@02aaaaa (run 1) is from another workflow: .github/workflows/other.yml."),
    (Hurdle.UNFINISHED, "", "The workflow run of main@02aaaaa (run 1) has not finished yet."),
    (Hurdle.GONE, "", "The artifact raggate-menu of main@02aaaaa (run 1) has expired: run the workflow on main again."),
    (Hurdle.UNUSABLE, "it was stopped", "A stored run cannot be the baseline: it was stopped."),
    (Hurdle.OUTDATED, "", "The run of main@02aaaaa (run 1) was stored by an older raggate, and is not read: the next run on main renews the baseline."),
]  # fmt: skip


@pytest.mark.parametrize(("hurdle", "detail", "expected"), [pytest.param(*row, id=row[0].name) for row in LATER])
def test_f8_the_sentence_where_none_was_accepted(hurdle: Hurdle, detail: str, expected: str) -> None:
    assert sentence(WANTED, [BaselineRefusal(hurdle, artifact(1), detail, 2)]) == expected


def test_every_way_of_having_none_has_its_sentence() -> None:
    assert [row[0] for row in SENTENCES] + [row[0] for row in LATER] == list(Hurdle)


def test_the_sentence_is_of_the_one_that_came_nearest() -> None:
    refusals = [
        BaselineRefusal(Hurdle.FORK, artifact(1)),
        BaselineRefusal(Hurdle.WORKFLOW, artifact(2), "other.yml", 7),
        BaselineRefusal(Hurdle.WORKFLOW, artifact(3), "another.yml", 1),
        BaselineRefusal(Hurdle.EXPIRED, artifact(4)),
    ]
    assert "(run 3) is from another workflow: another.yml" in sentence(WANTED, refusals)


def test_a_list_that_was_cut_says_so_where_it_matters() -> None:
    other = [BaselineRefusal(Hurdle.OTHER_BRANCH, artifact(number)) for number in range(300)]
    assert sentence(WANTED, other, whole=False).endswith(" Only the latest 300 of that name were looked at.")
    assert "latest" not in sentence(WANTED, [*other, BaselineRefusal(Hurdle.UNFINISHED, artifact(1))], whole=False)


@pytest.mark.parametrize(
    ("distance", "age", "conclusion", "expected"),
    [
        pytest.param(20, 14, "success", "", id="20 commits and 14 days are not old"),
        pytest.param(21, 0, "success", "The baseline is old (21 commits behind, 0 days): what moved may not be this change. Run the workflow on main.", id="21 commits"),
        pytest.param(0, 15, "success", "The baseline is old (0 commits behind, 15 days): what moved may not be this change. Run the workflow on main.", id="15 days"),
        pytest.param(0, 0, "failure", "The baseline's own workflow run ended as failure.", id="a red base"),
        pytest.param(0, 0, "cancelled", "The baseline's own workflow run ended as cancelled.", id="a cancelled one"),
    ],
)  # fmt: skip
def test_what_a_reader_must_know(distance: int, age: int, conclusion: str, expected: str) -> None:
    run = run_of(artifact(1), conclusion=conclusion)
    assert warning_of(WANTED, Prospect(artifact(1), distance), run, age=age) == expected


def test_nearer_ones_that_were_passed_over_are_told() -> None:
    refusals = [
        BaselineRefusal(Hurdle.EXPIRED, artifact(7), distance=0),
        BaselineRefusal(Hurdle.UNUSABLE, artifact(8), "it was stopped", 1),
        BaselineRefusal(Hurdle.UNFINISHED, artifact(9), "", 0),
    ]
    prospect = Prospect(artifact(1), 2)
    told = warning_of(WANTED, prospect, run_of(artifact(1)), age=0, refusals=refusals)
    assert told == "A nearer one was passed over. The workflow run of main@02aaaaa (run 9) has not finished yet."
    assert warning_of(WANTED, prospect, run_of(artifact(1)), age=0, refusals=refusals[:1]) == ""


def test_age_is_in_whole_days() -> None:
    assert age_days(artifact(1, created_at=(NOW - timedelta(days=2, hours=23)).isoformat()), NOW) == 2
    assert age_days(artifact(1, created_at=(NOW + timedelta(hours=1)).isoformat()), NOW) == 0


def test_long_names_of_strangers_are_cut() -> None:
    wanted = WANTED._replace(branch="b" * 500)
    longest = artifact(1, name="n" * 500, head_branch="b" * 500)
    assert name_and_commit(longest) == f"{'n' * 60}… of {'b' * 60}…@02aaaaa (run 1)"
    assert len(sentence(wanted, [BaselineRefusal(Hurdle.EVENT, longest, "push", 0)])) < 400
