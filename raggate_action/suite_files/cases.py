"""The cases of a suite in its order, found by position and by id."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from raggate_action.schema.case import PlacedCase


class Cases:
    """All cases of a suite in the suite's order: heavier first, then as the files and the cases in them stand.

    Attributes:
        cases_digest: Digest over all case digests in the suite's order.

    Args:
        by_id: Every case, as the files stand; the positions they bear are replaced by those of the suite's order.
    """

    def __init__(self, by_id: Mapping[str, PlacedCase]) -> None:
        in_order = sorted(by_id.values(), key=lambda placed: -placed.case.weight)
        self._cases = [placed._replace(position=position) for position, placed in enumerate(in_order)]
        self._ids = frozenset(by_id)
        digests = b"".join(bytes.fromhex(placed.digest) for placed in self._cases)
        self.cases_digest = hashlib.sha256(digests).hexdigest()[:32]

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[PlacedCase]:
        return iter(self._cases)

    def has(self, case_id: str) -> bool:
        """Whether the suite has a case of this id."""
        return case_id in self._ids

    def at(self, positions: Iterable[int] | None) -> Iterator[PlacedCase]:
        """The cases at `positions`, in the order given; all of them, in the suite's order, when None.

        Raises:
            IndexError: There is no such position.
        """
        return iter(self._cases) if positions is None else map(self._cases.__getitem__, positions)
