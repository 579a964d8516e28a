"""The heaviest items of a stream, at most so many, whatever their order."""

from __future__ import annotations

from heapq import heappush, heapreplace
from typing import Generic, TypeVar

T = TypeVar("T")


class TopN(Generic[T]):
    """Keeps the `most` heaviest items offered; of equal weights the earlier in suite order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[float, int, int, T]] = []
        self.offered = 0

    def offer(self, weight: float, position: int, item: T) -> None:
        """Take `item` in unless `most` heavier ones are already there. Items are never compared."""
        self.offered += 1
        entry = (weight, -position, -self.offered, item)
        heap = self._heap
        if len(heap) < self._most:
            heappush(heap, entry)
        elif heap and entry > heap[0]:
            heapreplace(heap, entry)

    @property
    def ranked(self) -> tuple[T, ...]:
        """What was kept, heaviest first, then in suite order; items of one position in the order offered."""
        return tuple([entry[3] for entry in sorted(self._heap, key=lambda entry: entry[:3], reverse=True)])

    @property
    def dropped(self) -> int:
        """How many were offered and are not in `ranked`."""
        return self.offered - len(self._heap)
