"""What to say when GitHub does not let us write: the permissions that are missing, ready to be copied."""

from __future__ import annotations

from typing import Literal

from raggate_action.github.workflow_commands import Annotation
from raggate_action.version import FORKS

Operation = Literal["comment", "check run"]

# Naming one permission takes away all that are not named, so a block names everything the job needs.
_READS = ("contents: read", "actions: read")
_WRITES: dict[Operation, str] = {"comment": "pull-requests: write", "check run": "checks: write"}
_LONGEST_HEADER = 200
_STANDS = "The decision stands, and the job summary has the report."


def permissions_block(operation: Operation, *, also: frozenset[Operation] = frozenset()) -> str:
    """The YAML for a workflow or job that lets the token do this, and nothing beyond what raggate does.

    Args:
        operation: What was refused.
        also: What the workflow asks for besides; it must not lose the right to it.
    """
    writes = [line for each, line in _WRITES.items() if each == operation or each in also]
    return "\n".join(["permissions:", *(f"  {line}" for line in (*_READS, *writes))])


def refusal(
    operation: Operation, *, accepted: str | None, fork: bool, also: frozenset[Operation] = frozenset()
) -> Annotation:
    """The message for a 403: on a fork it is expected, elsewhere a permission is missing.

    Args:
        operation: What was refused.
        accepted: The answer's `x-accepted-github-permissions`, where it has one.
        fork: The run is a fork's or Dependabot's; its token may only read.
        also: As in `permissions_block`.
    """
    if fork:
        return Annotation(
            "notice",
            f"A run for a fork or Dependabot has a token that may only read, so no {operation} was written. {_STANDS} A"
            f" second workflow on `workflow_run` can publish it: {FORKS}",
            title=f"raggate: no {operation}",
        )
    would = f"\nGitHub would have accepted: {accepted[:_LONGEST_HEADER]}" if accepted else ""
    return Annotation(
        "warning",
        f"The token may not write a {operation}. {_STANDS} Put this into the workflow or its job:\n"
        f"{permissions_block(operation, also=also)}{would}",
        title=f"raggate: no {operation}, a permission is missing",
    )
