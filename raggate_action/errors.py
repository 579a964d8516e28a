"""Problems we foresaw, and the exit code of each. Failed gates are a result, never an error.

RaggateError            3
  SuiteError            2   suite, case or evidence files cannot be used as written
  UsageError            2   a command line or a stored file that cannot be used
    PullRequestError    2   `pr-number` names a pull request that another commit than its last is checked out for
  TargetError           3   the app cannot be reached at all
  ProtectionError       3   the action's container cannot keep its secrets from the app
  RunStoreError         2   a run directory that cannot be read, resumed or written
    ArtifactError       2   the zip of a run directory that is refused
    RowsError           2   a stored run whose rows are not those of its cases
    OldRunError         2   a stored run in the format of an older raggate
  GitHubFault           3   GitHub's API did not do what was asked (github/pygithub_client.py)
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of the process."""

    RELEASE = 0
    BLOCK = 1
    USAGE = 2
    INCONCLUSIVE = 3
    BUG = 4


class RaggateError(Exception):
    """A problem we foresaw: what happened and where; `hint` says what to do next.

    `slug` is the anchor of its entry in `docs/errors.md`.
    """

    exit_code = ExitCode.INCONCLUSIVE
    slug = "raggate-error"

    def __init__(self, message: str, *, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(RaggateError):
    """The command, the call or the stored file cannot be used as written."""

    exit_code = ExitCode.USAGE
    slug = "usage"


class PullRequestError(UsageError):
    """The commit checked out is not of the pull request that the workflow names."""

    slug = "pull-request"


class SuiteError(RaggateError):
    """A suite, case or evidence file cannot be used; the message lists every problem found, one line each."""

    exit_code = ExitCode.USAGE
    slug = "suite"


class TargetError(RaggateError):
    """The app under test cannot be asked at all."""

    slug = "target"


class ProtectionError(RaggateError):
    """The action's container cannot keep its secrets from the programs it is about to start."""

    slug = "protection"


class RunStoreError(RaggateError):
    """A run directory cannot be read, resumed or written."""

    exit_code = ExitCode.USAGE
    slug = "run-directory"


class RowsError(RunStoreError):
    """The rows of a stored run are not exactly its cases, once each, or contradict themselves."""

    slug = "rows"


class OldRunError(RunStoreError):
    """A stored run is in the format of an older raggate, which this one does not read."""


class ArtifactError(RunStoreError):
    """The zip of a run directory is damaged, or not what a run leaves."""

    slug = "artifact"
