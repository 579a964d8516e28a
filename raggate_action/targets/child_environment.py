"""What a child process learns of our environment: an allow-list, so that no secret of the job leaks into the app."""

from __future__ import annotations

from collections.abc import Mapping

_PASSED_ON = frozenset(
    {"PATH", "HOME", "LANG", "TMPDIR", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "VIRTUAL_ENV"}
)


def child_environment(environment: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """The environment of a program we start.

    Args:
        environment: Our own; only what a program needs to run at all is passed on. PYTHON* is not: it describes the
            interpreter raggate runs in, not the app's.
        added: What the suite names in `env:`; wins.
    """
    passed = {name: value for name, value in environment.items() if name in _PASSED_ON or name.startswith("LC_")}
    return {**passed, **added}
