"""Where each case's trace stands in a file of recorded traces, when cases and traces differ in order."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable
from typing import BinaryIO

from raggate_action.schema.json_lines import case_id_of

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
PROBLEMS_AT_MOST = 100


class TraceProblems:
    """What is wrong with a file as a whole: file, line and what; the first hundred."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[str] = []

    def add(self, line_number: int, what: str) -> None:
        """Note one problem."""
        if len(self._found) < PROBLEMS_AT_MOST:
            self._found.append(f"{self._file}:{line_number}: {what}")

    @property
    def found(self) -> tuple[str, ...]:
        """All that was noted, in file order."""
        return tuple(self._found)


class TraceIndex:
    """Case id -> line of its first trace. Keeps a hash, a line number and an offset per trace, no texts.

    Building it reads the whole file once and finds what no single case could show: traces of cases the suite does not
    have, second traces of one case, lines that name no case.
    """

    def __init__(
        self,
        file: BinaryIO,
        known: Callable[[str], bool],
        problems: TraceProblems,
        case_of: Callable[[bytes], str | None] = case_id_of,
    ) -> None:
        """Read the file; `case_of` tells the case of a line."""
        self._file = file
        self._case_of = case_of
        self._line_of: dict[int, int] = {}
        self._offsets = array("Q")
        file.seek(0)
        offset = 0
        for number, line in enumerate(file, start=1):
            self._offsets.append(offset)
            offset += len(line)
            self._place(number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line, known, problems)
        self._offsets.append(offset)

    def find(self, case_id: str) -> tuple[int, bytes] | None:
        """Line number and line of the case's trace; None when there is none."""
        number = self._line_of.get(hash(case_id))
        if number is None:
            return None
        start, end = self._offsets[number - 1], self._offsets[number]
        self._file.seek(start)
        line = self._file.read(end - start)
        return number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line

    def _place(self, number: int, line: bytes, known: Callable[[str], bool], problems: TraceProblems) -> None:
        if not line.strip():
            return
        case_id = self._case_of(line)
        if case_id is None:
            problems.add(number, nameless(line))
        elif not known(case_id):
            problems.add(number, f"trace of case {case_id!r}, which the suite does not have")
        elif (first := self._line_of.setdefault(hash(case_id), number)) != number:
            problems.add(number, f"second trace of case {case_id!r}; the one on line {first} counts")


def nameless(line: bytes) -> str:
    """Why a line names no case."""
    try:
        trace = json.loads(line)
    except ValueError as error:
        return f"is not JSON ({error}); write one trace per line"
    return (
        "names no case; write `case_id`, or map it as in `response: {case_id: id}`"
        if isinstance(trace, dict)
        else "is no JSON object; write one trace per line"
    )
