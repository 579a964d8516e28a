"""What a child process learns of our environment: an allow-list, so that no secret of the job leaks into the app."""

from __future__ import annotations

from collections.abc import Mapping

from raggate_action.isolation.child_user import ChildUser
from raggate_action.isolation.own_process import is_plain


def child_environment(
    environment: Mapping[str, str], added: Mapping[str, str], child_user: ChildUser | None = None
) -> dict[str, str]:
    """The environment of a program we start.

    Args:
        environment: Our own; only what a program needs to run at all is passed on. PYTHON* is not: it describes the
            interpreter raggate runs in, not the app's.
        added: What the suite names in `env:`; wins.
        child_user: Whom the program runs as, with a home of its own; ourselves when None.
    """
    passed = {name: value for name, value in environment.items() if is_plain(name)}
    if child_user is not None:
        passed |= {"HOME": str(child_user.home), "TMPDIR": str(child_user.home)}
    return {**passed, **added}
