"""Where a run was made, and which baseline it was given: what the texts say of it, stored when it is decided."""

from typing import Annotated

from pydantic import Field

from raggate_action.schema.base import Natural, Positive, Record
from raggate_action.schema.comment_marker import LONGEST_INSTANCE

LONGEST_ROOT = 1000


class Origin(Record):
    """The workflow run that made a run; what the comment's marker, its links and its footer are made of.

    Attributes:
        repository: `owner/name`.
        server_url: Where its pages are, without a slash at the end.
        event: The event's name.
        workflow_run_id, run_attempt: Which workflow run, and which try of it.
        head_sha: The commit under review: a pull request's own head, not the merge commit made for the check.
        pull_request: Its number; None outside a pull request.
        fork: The code comes from a fork, or was run as if it did.
        instance: Which job of a matrix made it; empty without one.
        root: The working directory seen from the top of the repository, for links to files; empty for the top itself.
    """

    repository: str
    server_url: str
    event: str
    workflow_run_id: Natural
    run_attempt: Positive = 1
    head_sha: str
    pull_request: Positive | None = None
    fork: bool = False
    # These are left out where they are empty: a run without them has the digest it had before there were any.
    instance: Annotated[str, Field(max_length=LONGEST_INSTANCE, exclude_if=lambda instance: not instance)] = ""
    root: Annotated[str, Field(max_length=LONGEST_ROOT, exclude_if=lambda root: not root)] = ""


class Publication(Record):
    """What became of a run after it was decided.

    Attributes:
        report_url: The page that its report opens at, an artifact of a workflow run.
    """

    report_url: Annotated[
        str,
        Field(
            pattern=r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._-]+){2,8}/actions/runs/[0-9]+/artifacts/[0-9]+$"
        ),
    ]


class BaselineNote(Record):
    """How the baseline was found, or the sentence that says why there is none.

    Attributes:
        branch: The branch it stands for.
        head_sha: The commit it evaluated; None without a baseline.
        workflow_run_id: The run that made it; None without a baseline, or for one given by path.
        distance: Commits between it and the commit that was wanted; 0 is that commit, None is unknown.
        age_days: Whole days between its decision and this run's.
        warning: What a reader must know of it, such as that it is old; empty for nothing.
        missing: Why there is none, as a sentence; empty when there is one.
    """

    branch: str = ""
    head_sha: str | None = None
    workflow_run_id: Natural | None = None
    distance: Natural | None = None
    age_days: Natural | None = None
    warning: str = ""
    missing: str = ""
