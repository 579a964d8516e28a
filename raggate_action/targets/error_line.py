"""One line for people about what befell a case, without the secrets it was asked with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from raggate_action.isolation.secrets import Secrets, names_secret

LONGEST_LINE = 500
# Shorter values are flags and numbers; hiding them would only make messages unreadable.
_SHORTEST_SECRET = 4


class ErrorLines:
    """Writes error lines from which given secrets are struck."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = Secrets(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)

    def line(self, text: str, limit: int = LONGEST_LINE) -> str:
        """`text` on one line, secrets struck, cut to `limit` characters; unprintable characters become `?`.

        Give it the text uncut: half a secret is not recognised.
        """
        flat = " ".join(self._secrets.struck(text).split())
        return "".join(c if c.isprintable() else "?" for c in flat[:limit])


def secret_values(named: Mapping[str, str]) -> list[str]:
    """Values whose name says that they are secret (`RAG_APP_TOKEN`, `api-key`)."""
    return [value for name, value in named.items() if names_secret(name)]
