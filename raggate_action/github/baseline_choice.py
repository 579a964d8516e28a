"""Which artifact is the baseline: a choice among what the API lists, and the sentence for having none.

Never the newest artifact of the name: anybody who may open a pull request can store one. It counts only if it is of
this repository and the wanted branch, if its commit is the wanted one or lies before it, and if its run was started
by an event that runs merged code, from the same workflow file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from raggate_action.github.archive import LARGEST_ZIP
from raggate_action.github.event_and_fork_rules import is_from_outside

if TYPE_CHECKING:
    from github.Artifact import Artifact
    from github.Repository import Repository
    from github.WorkflowRun import WorkflowRun

LOOKED_AT: Final = 5
# A base branch moves by some commits a day and is evaluated nightly: past this, what differs may have many causes.
STALE_COMMITS: Final = 20
STALE_DAYS: Final = 14
# A run that one of these events started has merged code, or code pushed by somebody who may push.
_EVENTS = frozenset({"push", "schedule", "workflow_dispatch"})
_QUEUE_EVENT = "merge_group"
_QUEUE_BRANCHES = "gh-readonly-queue/"
_SHORT = 7
_LONGEST_NAME = 60


class BaselineSearch(NamedTuple):
    """What is looked for.

    Attributes:
        artifact: The exact name.
        branch: The branch whose runs count.
        sha: The commit wanted.
        repository_id: The repository we run in.
        workflow: Path of the workflow's file we run in.
        run_id: Our own workflow run, which is never its own baseline.
    """

    artifact: str
    branch: str
    sha: str
    repository_id: int
    workflow: str
    run_id: int


class Hurdle(IntEnum):
    """What an artifact failed at, in the order in which it is looked at: a higher one came nearer."""

    ABSENT = 0
    OWN = 1
    FORK = 2
    OTHER_BRANCH = 3
    EXPIRED = 4
    NOT_BEFORE = 5
    TOO_LARGE = 6
    RECORD = 7
    EVENT = 8
    WORKFLOW = 9
    UNFINISHED = 10
    GONE = 11
    UNUSABLE = 12
    OUTDATED = 13


class BaselineRefusal(NamedTuple):
    """Why one artifact is not the baseline.

    Attributes:
        hurdle: What it failed at.
        artifact: Which.
        detail: The event, the workflow's path, or what was wrong with its content.
        distance: Commits between it and the commit wanted; None where that was not asked.
    """

    hurdle: Hurdle
    artifact: Artifact
    detail: str = ""
    distance: int | None = None


class Prospect(NamedTuple):
    """An artifact that may be the baseline, and how many commits lie between it and the one wanted."""

    artifact: Artifact
    distance: int


class Shortlist(NamedTuple):
    """What is to be looked at, best first, at most five; and why the other artifacts are not."""

    prospects: tuple[Prospect, ...]
    refusals: tuple[BaselineRefusal, ...]


def shortlist(search: BaselineSearch, artifacts: Iterable[Artifact], first_parents: Sequence[str]) -> Shortlist:
    """Choose by what the list of artifacts tells: which are worth a look at their runs.

    Args:
        search: What is looked for.
        artifacts: Of that name, in any order.
        first_parents: The commit wanted, its first parent, and so on.

    Returns:
        The commit wanted first, then its nearest ancestors; of one commit the latest run, of one run the last
        artifact.
    """
    distances = {sha: distance for distance, sha in enumerate(first_parents)}
    looked_at = [_looked_at(search, artifact, distances) for artifact in artifacts if artifact.name == search.artifact]
    prospects = sorted((found for found in looked_at if isinstance(found, Prospect)), key=_order)
    of_runs = {stored_by(prospect.artifact)["id"]: prospect for prospect in reversed(prospects)}
    best = sorted(of_runs.values(), key=_order)[:LOOKED_AT]
    return Shortlist(tuple(best), tuple(found for found in looked_at if isinstance(found, BaselineRefusal)))


def refuse_run(search: BaselineSearch, prospect: Prospect, run: WorkflowRun) -> BaselineRefusal | None:
    """Choose by the record of the run that stored an artifact; None accepts it.

    A run that ended as a failure is accepted: a red base is still what a change is compared with.
    """
    listed = stored_by(prospect.artifact)

    def refused(hurdle: Hurdle, detail: str = "") -> BaselineRefusal:
        return BaselineRefusal(hurdle, prospect.artifact, detail, prospect.distance)

    head = cast("Repository | None", run.head_repository)
    told = {
        "id": run.id,
        "repository_id": run.repository.id,
        "head_repository_id": head.id if head is not None else None,
        "head_branch": run.head_branch,
        "head_sha": run.head_sha,
    }
    if told != {key: listed.get(key) for key in told}:
        return refused(Hurdle.RECORD)
    events = _EVENTS if run.head_branch == search.branch else {_QUEUE_EVENT}
    if run.event not in events:
        return refused(Hurdle.EVENT, run.event)
    if (path := workflow_file(run)) != search.workflow:
        return refused(Hurdle.WORKFLOW, path)
    if run.status != "completed":
        return refused(Hurdle.UNFINISHED)
    return None


def workflow_file(run: WorkflowRun) -> str:
    """The workflow's file, without the `@` and the ref that may follow it."""
    return run.path.partition("@")[0]


def stored_by(artifact: Artifact) -> Mapping[str, Any]:
    """What the list tells of the run that stored it; nothing of one that was deleted."""
    # As it came: for what the list leaves out the library would ask anew.
    run = artifact.raw_data.get("workflow_run")
    return run if isinstance(run, dict) else {}


def age_days(artifact: Artifact, now: datetime) -> int:
    """Whole days since it was stored; 0 for one from the future."""
    return max((now - artifact.created_at).days, 0)


def warning_of(
    search: BaselineSearch, prospect: Prospect, run: WorkflowRun, *, age: int, refusals: Iterable[BaselineRefusal] = ()
) -> str:
    """What a reader must know of a baseline: that it was red, is old, or not the nearest; empty for nothing.

    Args:
        search: What was looked for.
        prospect: What is taken.
        run: The run that stored it.
        age: Whole days since.
        refusals: Why others were not taken.
    """
    sentences = []
    if run.conclusion != "success":
        sentences.append(f"The baseline's own workflow run ended as {run.conclusion or 'nothing'}.")
    if prospect.distance > STALE_COMMITS or age > STALE_DAYS:
        sentences.append(
            f"The baseline is old ({prospect.distance} commits behind, {age} days): what moved may not be this change."
            f" Run the workflow on {_cut(search.branch)}."
        )
    nearer = [
        each for each in refusals if each.hurdle >= Hurdle.TOO_LARGE and (each.distance or 0) <= prospect.distance
    ]
    if nearer:
        nearest = min(nearer, key=lambda refusal: refusal.distance or 0)
        sentences.append(f"A nearer one was passed over. {sentence(search, [nearest])}")
    return " ".join(sentences)


def sentence(
    search: BaselineSearch, refusals: Sequence[BaselineRefusal], *, first_parents: int = 0, whole: bool = True
) -> str:
    """Why there is no baseline: what the artifact that came nearest failed at.

    Args:
        search: What was looked for.
        refusals: Of every artifact of the name; those whose runs were looked at in the order of looking. Empty when
            there is no such artifact.
        first_parents: How many commits were compared with.
        whole: False when the repository has more artifacts of the name than were listed.
    """
    nearest = max(refusals, key=lambda refusal: (refusal.hurdle, -(refusal.distance or 0)), default=None)
    hurdle = nearest.hurdle if nearest is not None else Hurdle.ABSENT
    reason = _SENTENCES[hurdle].format(
        name=_cut(search.artifact),
        branch=_cut(search.branch),
        sha=search.sha[:_SHORT],
        commits=max(first_parents - 1, 0),
        which=_which(nearest.artifact) if nearest is not None else "",
        detail=nearest.detail if nearest is not None else "",
        mib=LARGEST_ZIP // 1024 // 1024,
    )
    seen = len(refusals)
    return (
        reason
        if whole or hurdle > Hurdle.NOT_BEFORE
        else f"{reason} Only the latest {seen} of that name were looked at."
    )


_SENTENCES: Mapping[Hurdle, str] = {
    Hurdle.ABSENT: (
        "No artifact {name} is stored in this repository: the first run on {branch} that uploads one becomes the"
        " baseline."
    ),
    Hurdle.OWN: "This is the first run that stores {name}: nothing lies before it.",
    Hurdle.FORK: "Every artifact {name} is from a fork or a repository that is gone, and none of those is a baseline.",
    Hurdle.OTHER_BRANCH: ("No artifact {name} is from {branch}: its first run that uploads one becomes the baseline."),
    Hurdle.EXPIRED: (
        "Every artifact {name} from {branch} has expired: run the workflow on {branch} again, or keep them longer."
    ),
    Hurdle.NOT_BEFORE: (
        "No run on {branch} that stored {name} is of commit {sha} or of the {commits} before it:"
        " run the workflow on {branch}."
    ),
    Hurdle.TOO_LARGE: "The artifact {name} of {which} has more than {mib} MiB, and is not read.",
    Hurdle.RECORD: "The artifact {name} of {which} and the record of its run contradict each other.",
    Hurdle.EVENT: (
        "The artifact {name} of {which} is from a run for {detail}, which may run code that nobody has merged: only"
        " push, schedule and workflow_dispatch on {branch}, and its merge_group, count."
    ),
    Hurdle.WORKFLOW: "The artifact {name} of {which} is from another workflow: {detail}.",
    Hurdle.UNFINISHED: "The workflow run of {which} has not finished yet.",
    Hurdle.GONE: "The artifact {name} of {which} has expired: run the workflow on {branch} again.",
    Hurdle.UNUSABLE: "A stored run cannot be the baseline: {detail}.",
    Hurdle.OUTDATED: (
        "The run of {which} was stored by an older raggate, and is not read: the next run on {branch} renews the"
        " baseline."
    ),
}


def name_and_commit(artifact: Artifact) -> str:
    """What messages call an artifact: name and commit, no more of a stranger's text than that."""
    return f"{_cut(artifact.name)} of {_which(artifact)}"


def _looked_at(search: BaselineSearch, artifact: Artifact, distances: Mapping[str, int]) -> Prospect | BaselineRefusal:
    run = stored_by(artifact)
    branch = run.get("head_branch") or ""
    distance = distances.get(run.get("head_sha", ""))
    failed = {
        Hurdle.OWN: run.get("id") == search.run_id,
        Hurdle.FORK: is_from_outside(search.repository_id, [run.get("repository_id"), run.get("head_repository_id")]),
        Hurdle.OTHER_BRANCH: branch != search.branch and not branch.startswith(f"{_QUEUE_BRANCHES}{search.branch}/"),
        Hurdle.EXPIRED: artifact.expired,
        Hurdle.NOT_BEFORE: distance is None,
        Hurdle.TOO_LARGE: artifact.size_in_bytes > LARGEST_ZIP,
    }
    hurdle = next((hurdle for hurdle, is_so in failed.items() if is_so), None)
    if hurdle is not None or distance is None:
        return BaselineRefusal(hurdle or Hurdle.NOT_BEFORE, artifact, distance=distance)
    return Prospect(artifact, distance)


def _order(prospect: Prospect) -> tuple[int, int, int]:
    return prospect.distance, -stored_by(prospect.artifact)["id"], -prospect.artifact.id


def _which(artifact: Artifact) -> str:
    run = stored_by(artifact)
    return f"{_cut(run.get('head_branch') or '')}@{run.get('head_sha', '')[:_SHORT]} (run {run.get('id')})"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"
