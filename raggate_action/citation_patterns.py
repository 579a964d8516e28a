"""The suite's own citation markers: expressions of its author, each with a time limit for one answer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from typing import NamedTuple

from raggate_action.errors import UsageError
from raggate_action.time_limit import EXPRESSION_S, TimeLimitError, in_main_thread, within

# Expression and text in, the places of all matches out. A text may hold half a surrogate pair, which JSON escapes.
_CHILD = """
import json, re, sys
expression, text = json.load(sys.stdin)
json.dump([[m.start(), m.end(), m["ids"]] for m in re.finditer(expression, text)], sys.stdout)
"""
_PATTERN_LENGTH = 80


class _Match(NamedTuple):
    begins: int
    ends: int
    ids: str | None

    def start(self) -> int:
        return self.begins

    def end(self) -> int:
        return self.ends

    def __getitem__(self, group: str) -> str | None:  # type: ignore[override]
        return self.ids


class SuitePattern:
    """A regular expression of the suite; to be used as a compiled one is."""

    def __init__(self, expression: str) -> None:
        self._pattern = re.compile(expression)

    def finditer(self, text: str) -> Iterable[re.Match[str] | _Match]:
        """Every match in `text`.

        Raises:
            UsageError: There was no end to it.
        """
        try:
            if in_main_thread():
                return within(EXPRESSION_S, lambda: list(self._pattern.finditer(text)))
            return self._by_child(text)
        except (TimeLimitError, subprocess.TimeoutExpired):
            raise UsageError(
                f"citation_markers: {self._pattern.pattern[:_PATTERN_LENGTH]!r} was still at work on one answer after "
                f"{EXPRESSION_S:g} s",
                hint="Write it so that nothing that repeats stands inside something that repeats, as in `(a+)+`.",
            ) from None

    def _by_child(self, text: str) -> list[_Match]:
        """In a process of its own: outside the main thread no match can be interrupted."""
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD],
            input=json.dumps([self._pattern.pattern, text]),
            capture_output=True,
            text=True,
            check=True,
            timeout=EXPRESSION_S,
        )
        return [_Match(*found) for found in json.loads(done.stdout)]
