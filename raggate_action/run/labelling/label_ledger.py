"""The file of labels while a person labels: written with every label, and every step can be taken back."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from raggate_action.suite_files.calibration_writing import Labels, read_labels, write_labels


class _State(NamedTuple):
    labels: Labels
    passed: frozenset[str] = frozenset()


class LabelLedger:
    """What a file holds, and what was done in this session; of all jobs together."""

    def __init__(self, path: Path) -> None:
        """Begin, or go on.

        Args:
            path: The file of labels.

        Raises:
            SuiteError: A line of the file is not a labelled answer.
        """
        self._path = path
        self._state = _State(read_labels(path))
        self._history: list[_State] = []

    @property
    def labels(self) -> Labels:
        """The file as it is now."""
        return self._state.labels

    @property
    def passed(self) -> frozenset[str]:
        """Keys of what somebody has skipped."""
        return self._state.passed

    @property
    def steps(self) -> int:
        """Labels and skips of this session that stand."""
        return len(self._history)

    @property
    def given(self) -> int:
        """Labels of this session that stand."""
        return sum(after.labels is not before.labels for before, after in pairwise([*self._history, self._state]))

    def write(self, labels: Labels) -> None:
        """Write the file anew.

        Raises:
            UsageError: It cannot be written, or somebody else has changed it.
        """
        before = self._state
        write_labels(self._path, labels, before=before.labels)
        self._history.append(before)
        self._state = before._replace(labels=labels)

    def skip(self, key: str) -> None:
        """Offer something no more in this session."""
        self._history.append(self._state)
        self._state = self._state._replace(passed=self._state.passed | {key})

    def back(self) -> bool:
        """Undo the last label or skip; False where there is none.

        Raises:
            UsageError: As `write`.
        """
        if not self._history:
            return False
        earlier = self._history[-1]
        if earlier.labels.raw != self._state.labels.raw:
            write_labels(self._path, earlier.labels, before=self._state.labels)
        self._state = self._history.pop()
        return True
