"""How found things are shown in a message: short, on one line, with nothing in them that a terminal would obey."""

from __future__ import annotations

import difflib
from collections.abc import Collection

_MOST_CHARACTERS = 60
# Of two words: `version` is not a misspelt `question`.
_ALIKE = 0.7
# Comparing with more would take seconds for one message.
COMPARED_AT_MOST = 5000


def value_text(value: object) -> str:
    """A found value, as in `'soon'`, `12` or `nothing`; characters that cannot be seen are escaped."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(_shortened(value)) if isinstance(value, str) else _shortened(str(value))


def name_text(name: str, *, cut: bool = True) -> str:
    """A found key or id, to stand between backticks."""
    return repr(_shortened(name) if cut else name)[1:-1].replace("`", "'")


def _shortened(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 3] + "..."


def closest(word: str, known: Collection[str]) -> str | None:
    """The known word most like `word`; None when none is like it, or there are too many to compare."""
    if len(known) > COMPARED_AT_MOST or len(word) > 10 * _MOST_CHARACTERS:
        return None
    found = difflib.get_close_matches(word, known, n=1, cutoff=_ALIKE)
    return found[0] if found else None


def or_known(word: str, known: Collection[str], *, otherwise: str) -> str:
    """The end of a message about an unknown word: the one that was meant, else `otherwise`."""
    near = closest(word, known)
    return f"did you mean `{name_text(near)}`?" if near else otherwise


def listed(words: Collection[str]) -> str:
    """Known words as a message lists them."""
    return ", ".join(f"`{word}`" for word in words)
