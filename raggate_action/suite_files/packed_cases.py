"""The cases of a suite by id, each beyond the first few thousand packed into a few hundred bytes."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import overload

from raggate_action.schema.base import maker_of
from raggate_action.schema.case import Case, PlacedCase

# A record takes seven times the memory of a packed case, which takes some microseconds each time it is wanted.
_RECORDS_AT_MOST = 5000
_DIGEST_BYTES = 16
_CASE = maker_of(Case)


class PackedCases(Mapping[str, PlacedCase]):
    """Cases by id, in the order they were added; the position that they bear is their place in that order.

    Attributes:
        cases: The cases alone.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._cases: list[Case | bytes] = []
        self.cases: Sequence[Case] = _CaseList(self._cases)
        self._digests = bytearray()
        self._files: list[str] = []
        self._lines = array("q")
        self._weights = array("d")

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __contains__(self, case_id: object) -> bool:
        return case_id in self._numbers

    def __getitem__(self, case_id: str) -> PlacedCase:
        number = self._numbers[case_id]
        return self.placed(number, number)

    def add(self, case: Case, digest: str, file: str, line: int) -> None:
        """Add a case whose id no other has."""
        self._numbers[case.case_id] = len(self)
        self._cases.append(_bytes_of(case) if len(self) >= _RECORDS_AT_MOST else case)
        self._digests += bytes.fromhex(digest)
        self._files.append(file)
        self._lines.append(line)
        self._weights.append(case.weight)

    def placed(self, number: int, position: int) -> PlacedCase:
        """The case of a number, at a position of its suite's order.

        Raises:
            IndexError: There is no such number.
        """
        return PlacedCase(
            self.cases[number], position, self.digest(number).hex(), self._files[number], self._lines[number]
        )

    def digest(self, number: int) -> bytes:
        """The digest of a case."""
        return bytes(self._digests[_DIGEST_BYTES * number : _DIGEST_BYTES * (number + 1)])

    def by_weight(self) -> array[int]:
        """All numbers, those of heavier cases first."""
        return array("l", sorted(range(len(self)), key=lambda number: -self._weights[number]))


class _CaseList(Sequence[Case]):
    """Cases, each unpacked when it is wanted."""

    def __init__(self, kept: list[Case | bytes]) -> None:
        self._kept = kept

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Case]:
        return (kept if isinstance(kept, Case) else _case_of(kept) for kept in self._kept)

    @overload
    def __getitem__(self, number: int) -> Case: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Case]: ...
    def __getitem__(self, number: int | slice) -> Case | Sequence[Case]:
        if isinstance(number, slice):
            return _CaseList(self._kept[number])
        kept = self._kept[number]
        return kept if isinstance(kept, Case) else _case_of(kept)


_FIELDS = tuple(Case.model_fields)
_NUMBERS = {name: number for number, name in enumerate(_FIELDS)}


def _bytes_of(case: Case) -> Case | bytes:
    """The fields that were given, in bytes; the case itself where it holds more than texts, numbers and lists."""
    names = [name for name in _FIELDS if name in case.model_fields_set]
    values = vars(case)
    try:
        return marshal.dumps((bytes([_NUMBERS[name] for name in names]), tuple([values[name] for name in names])))
    except ValueError:
        return case


def _case_of(packed: bytes) -> Case:
    numbers, values = marshal.loads(packed)  # noqa: S302 - our own bytes, of this process
    return _CASE(**dict(zip([_FIELDS[number] for number in numbers], values, strict=True)))
