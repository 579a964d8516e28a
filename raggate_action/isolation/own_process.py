"""Protects our own process: the secrets that the runner gave us are no longer shown to others, and nobody gains rights.

The system shows the environment a program was started with to whoever may read `/proc/PID/environ`, whatever the
program does to `os.environ` afterwards. Only a new start leaves it behind.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

from raggate_action.errors import ProtectionError

# What stays visible: enough for a program to run at all, and nothing that holds a secret by its name.
PLAIN_NAMES = frozenset(
    {"PATH", "HOME", "LANG", "TMPDIR", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "VIRTUAL_ENV"}
)
_HANDED_OVER = "RAGGATE_ENVIRONMENT_FD"
_PR_SET_NO_NEW_PRIVS = 38


def is_plain(name: str) -> bool:
    """Whether a variable may be seen by anyone; everything else counts as secret."""
    return name in PLAIN_NAMES or name.startswith("LC_")


def is_root_action(environment: Mapping[str, str]) -> bool:
    """Whether we are the action's container: then programs of the suite are held apart from us.

    Elsewhere (a laptop, a `run:` step) they run as whoever called raggate, as any other program would.
    """
    return sys.platform == "linux" and os.geteuid() == 0 and environment.get("GITHUB_ACTIONS") == "true"


def protect_own_process() -> None:
    """Start this program again with its secrets hidden from others; the first thing the action does.

    Returns in the new process, with `os.environ` as it was; elsewhere than in the action's container at once, and
    nothing has happened. From here on no program started by us gains rights by a setuid file.

    Raises:
        ProtectionError: The system does not let us.
    """
    handed_over = os.environ.pop(_HANDED_OVER, None)
    if handed_over is not None:
        os.environ.update(_read(handed_over))
        _renounce_new_rights()
    # Only a command line of our own can be started again as it was.
    elif is_root_action(os.environ) and "raggate_action" in sys.orig_argv:
        _start_anew()


def _start_anew() -> None:
    visible = {name: value for name, value in os.environ.items() if is_plain(name)}
    try:
        # In memory, without a name anyone could open, and inherited by the new start only.
        file = os.memfd_create("environment", 0)
        with os.fdopen(file, "w", closefd=False) as stream:
            json.dump(dict(os.environ), stream)
        os.execve(  # noqa: S606 - ourselves
            sys.executable, [sys.executable, *sys.orig_argv[1:]], {**visible, _HANDED_OVER: str(file)}
        )
    except OSError as error:
        raise _cannot("start anew without the job's secrets in its environment", error) from None


def _read(handed_over: str) -> dict[str, str]:
    try:
        with os.fdopen(int(handed_over)) as stream:
            stream.seek(0)
            environment: dict[str, str] = json.load(stream)
    except (OSError, ValueError) as error:
        raise _cannot(f"read the environment handed over in {_HANDED_OVER}", error) from None
    return environment


def _renounce_new_rights() -> None:
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise _cannot("renounce new rights", OSError(ctypes.get_errno(), "prctl"))


def _cannot(what: str, error: Exception) -> ProtectionError:
    return ProtectionError(
        f"raggate cannot {what}: {error}",
        hint="Run the action as GitHub's runner does: its own image, as root, on Linux.",
    )
