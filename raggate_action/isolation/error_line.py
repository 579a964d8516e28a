"""One line for people about what went wrong with a case, without the secrets it was asked with."""

from __future__ import annotations

from collections.abc import Iterable

from raggate_action.isolation.secrets import Secrets

LONGEST_LINE = 500


class ErrorLines:
    """Writes error lines from which given secrets are struck."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = Secrets(secrets)

    def line(self, text: str, limit: int = LONGEST_LINE) -> str:
        """`text` on one line, secrets struck, cut to `limit` characters; unprintable characters become `?`.

        Give it the text uncut: half a secret is not recognised.
        """
        flat = " ".join(self._secrets.struck(text).split())
        return "".join(c if c.isprintable() else "?" for c in flat[:limit])
