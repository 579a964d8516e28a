"""One line for people about what befell a case, without the secrets it was asked with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

LONGEST_LINE = 500
_HIDDEN = "***"
# Shorter values are flags and numbers; hiding them would only make messages unreadable.
_SHORTEST_SECRET = 4
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|SESSION|SIGNATURE|DSN", re.IGNORECASE)


class ErrorLines:
    """Writes error lines from which given secrets are struck."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = {secret for secret in secrets if len(secret) >= _SHORTEST_SECRET}
        # Longest first: a secret that contains another must not leave its rest behind.
        self._secrets = sorted(known, key=len, reverse=True)

    def line(self, text: str, limit: int = LONGEST_LINE) -> str:
        """`text` on one line, secrets struck, cut to `limit` characters; unprintable characters become `?`."""
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        flat = " ".join(text.split())
        return "".join(c if c.isprintable() else "?" for c in flat[:limit])


def secret_values(named: Mapping[str, str]) -> list[str]:
    """Values whose name says that they are secret (`RAG_APP_TOKEN`, `api-key`)."""
    return [value for name, value in named.items() if _SECRET_NAME.search(name)]
