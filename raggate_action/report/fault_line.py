"""A line of the one list under the verdict: something that went wrong, with its cases and what to do about it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from raggate_action.report.page import Text

# Could not be decided or was weakened; blocks; within its bar or only warns; judges who do not count; about the run.
FaultLevel: TypeAlias = Literal["open", "block", "warn", "advice", "note"]


class FaultLine(NamedTuple):
    """A line of the list.

    Attributes:
        words: What went wrong, how much of it is allowed, what to repair, and a case by name. On one line.
        cases: Ids of the listed cases that it speaks of, the one that shows it best first. The first of them whose
            answers may be shown stands open below the list, once, whatever other lines name it; empty for no example.
        level: What it means for the decision.
    """

    words: Text
    cases: tuple[str, ...] = ()
    level: FaultLevel = "block"
