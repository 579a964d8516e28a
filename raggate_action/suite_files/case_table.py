"""Where every case of a suite stands, in a few dozen bytes per case."""

from __future__ import annotations

import hashlib
from array import array
from pathlib import Path
from typing import NamedTuple

from raggate_action.schema.case import Case

DIGEST_BYTES = 16


class CaseFile(NamedTuple):
    """A file that cases come from.

    Attributes:
        path: Where it is.
        shown: Its path as people are shown it.
        by_line: Its cases are lines and read again when wanted; else they are kept.
        stamp: Size and time of change when it was checked, for a file that is read again.
    """

    path: Path
    shown: str
    by_line: bool
    stamp: tuple[int, int] | None


class Row(NamedTuple):
    """What is kept of one case.

    Attributes:
        file: Number of its file.
        offset: Where its line begins, in bytes; for a kept case its number among them.
        line: Its line, from 1.
        weight: Its weight.
    """

    file: int
    offset: int
    line: int
    weight: float


class CaseTable:
    """Rows in the order of the files; found again by case id through an open hash table of row numbers.

    Arrays and no objects: a suite of 100,000 cases takes about 5 MiB.
    """

    def __init__(self) -> None:
        self.files: list[CaseFile] = []
        self.kept: list[Case] = []
        self._file = array("I")
        self._offset = array("Q")
        self._line = array("I")
        self._weight = array("d")
        self._hash = array("q")
        self._digests = bytearray()
        # Row numbers plus one at the slot of their id's hash; 0 is an empty slot.
        self._slots = array("I", bytes(4 * 64))

    def __len__(self) -> int:
        return len(self._file)

    def add(self, case_id: str, row: Row, *, digest: str) -> None:
        """Append a case; `digest` is its digest in hex."""
        file, offset, line, weight = row
        self._file.append(file)
        self._offset.append(offset)
        self._line.append(line)
        self._weight.append(weight)
        self._hash.append(hash(case_id))
        self._digests += bytes.fromhex(digest)
        if 3 * len(self) > 2 * len(self._slots):
            self._slots = array("I", bytes(8 * len(self._slots)))
            for number in range(len(self)):
                self._take_slot(number)
        else:
            self._take_slot(len(self) - 1)

    def row(self, number: int) -> Row:
        """The row of a number."""
        return Row(self._file[number], self._offset[number], self._line[number], self._weight[number])

    def digest(self, number: int) -> str:
        """The digest of a case, in hex."""
        return self._digests[DIGEST_BYTES * number : DIGEST_BYTES * (number + 1)].hex()

    def candidates(self, case_id: str) -> list[int]:
        """Rows that may hold this id: their ids have its hash."""
        wanted, slots, found = hash(case_id), self._slots, list[int]()
        mask = len(slots) - 1
        slot = wanted & mask
        while held := slots[slot]:
            if self._hash[held - 1] == wanted:
                found.append(held - 1)
            slot = (slot + 1) & mask
        return found

    def by_weight(self) -> array[int] | None:
        """Row numbers, heavier first, else as they stand; None when that is how they stand already."""
        counts: dict[float, int] = {}
        sorted_already, last = True, float("inf")
        for weight in self._weight:
            counts[weight] = counts.get(weight, 0) + 1
            sorted_already, last = sorted_already and weight <= last, weight
        if sorted_already:
            return None
        place, places = 0, counts
        for weight in sorted(counts, reverse=True):
            place, places[weight] = place + counts[weight], place
        order = array("I", bytes(4 * len(self)))
        for number, weight in enumerate(self._weight):
            order[places[weight]] = number
            places[weight] += 1
        return order

    def digest_in(self, order: array[int] | None) -> str:
        """One digest over all cases' digests in an order."""
        if order is None:
            return hashlib.sha256(self._digests).hexdigest()[: 2 * DIGEST_BYTES]
        whole = hashlib.sha256()
        for number in order:
            whole.update(self._digests[DIGEST_BYTES * number : DIGEST_BYTES * (number + 1)])
        return whole.hexdigest()[: 2 * DIGEST_BYTES]

    def _take_slot(self, number: int) -> None:
        slots = self._slots
        mask = len(slots) - 1
        slot = self._hash[number] & mask
        while slots[slot]:
            slot = (slot + 1) & mask
        slots[slot] = number + 1
