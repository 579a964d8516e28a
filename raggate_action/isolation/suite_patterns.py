"""Regular expressions of a suite's author, each given so much time on one answer and no more."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from raggate_action.errors import UsageError
from raggate_action.isolation.time_limit import EXPRESSION_S, TimeLimitError, in_main_thread, within
from raggate_action.schema.suite import DEFAULT_CITATION_MARKERS

T = TypeVar("T")

# Expression, flags and text in, the places of all matches out. A text may hold half a surrogate pair; JSON escapes it.
_CHILD = """
import json, re, sys
expression, flags, text = json.load(sys.stdin)
found = re.finditer(expression, text, flags)
json.dump([[m.start(), m.end(), m.groupdict().get("ids")] for m in found], sys.stdout)
"""
_SHOWN = 80


def marker_patterns(expressions: Iterable[str]) -> tuple[re.Pattern[str] | SuitePattern, ...]:
    """Citation markers as answers are searched for them; those that nobody wrote need no watching."""
    return tuple([re.compile(each) if each in DEFAULT_CITATION_MARKERS else SuitePattern(each) for each in expressions])


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
    """A regular expression of the suite; to be used as a compiled one is.

    Args:
        expression: It.
        place: Where its author wrote it, for messages.
        flags: How it is read, as `re` has them.
    """

    def __init__(self, expression: str, *, place: str = "citation_markers", flags: int = 0) -> None:
        with warnings.catch_warnings():
            # Whatever may be meant otherwise was said when the suite was checked.
            warnings.simplefilter("ignore")
            self._pattern = re.compile(expression, flags)
        self._place = place

    def is_in(self, text: str) -> bool:
        """Whether anything in `text` matches.

        Raises:
            UsageError: There was no end to it.
        """
        return bool(self._timed(text, lambda: self._pattern.search(text)))

    def finditer(self, text: str) -> Iterable[re.Match[str] | _Match]:
        """Every match in `text`.

        Raises:
            UsageError: There was no end to it.
        """
        return self._timed(text, lambda: list(self._pattern.finditer(text)))

    def _timed(self, text: str, work: Callable[[], T]) -> T | list[_Match]:
        """The work on a text, or all matches in it where only another process could be interrupted."""
        try:
            return within(EXPRESSION_S, work) if in_main_thread() else self._by_child(text)
        except (TimeLimitError, subprocess.TimeoutExpired):
            raise UsageError(
                f"{self._place}: {self._pattern.pattern[:_SHOWN]!r} was still at work on one answer after "
                f"{EXPRESSION_S:g} s",
                hint="Write it so that nothing that repeats stands inside something that repeats, as in `(a+)+`.",
            ) from None

    def _by_child(self, text: str) -> list[_Match]:
        """In a process of its own: outside the main thread no match can be interrupted."""
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _CHILD],
            input=json.dumps([self._pattern.pattern, self._pattern.flags, text]),
            capture_output=True,
            text=True,
            check=True,
            timeout=EXPRESSION_S,
        )
        return [_Match(*found) for found in json.loads(done.stdout)]
