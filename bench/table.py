"""What every bench gives: tables of figures, printed as Markdown and kept as JSON."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple

from raggate_action.strings import numbers

# Stands in a row that is over its bound or below its aim: then the bench fails.
MISSED = "MISSED"


class Table(NamedTuple):
    """A table of figures.

    Attributes:
        title: What is counted.
        columns: Its heads.
        rows: Its cells, which may be counted while they are printed.
        lines: What is printed below it word for word, and not kept.
    """

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[str]]
    lines: Iterable[str] = ()


class Options(NamedTuple):
    """How a bench is run.

    Attributes:
        sample: So many runs of a simulation, rounds of a process or cases of a page at most; None is the whole.
        seen: Only the half of labelled data that may be looked at while rules are written.
        verbatim: Print every false alarm and every miss.
    """

    sample: int | None = None
    seen: bool = False
    verbatim: bool = False


def count_of(hits: int, total: int) -> str:
    """A count with its share."""
    return f"{hits} of {total} ({numbers.percent(hits, total)})"


def wilson(hits: int, total: int) -> str:
    """A share as counts, percent and its 95 % Wilson interval."""
    if not total:
        return "0 of 0"
    z = 1.959964
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    reach = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    low, high = max(0.0, middle - reach), min(1.0, middle + reach)
    return f"{hits}/{total} {100 * share:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def bootstrap(rows: Sequence[tuple[str, bool]]) -> str:
    """A share as counts, percent and its 95 % interval, from a bootstrap over clusters: rows that share evidence.

    Args:
        rows: The cluster and whether it is a hit, row by row.
    """
    hits, total = sum(hit for _, hit in rows), len(rows)
    if not total:
        return "0 of 0"
    clusters: dict[str, list[bool]] = {}
    for cluster, hit in rows:
        clusters.setdefault(cluster, []).append(hit)
    counts = [(sum(cluster), len(cluster)) for cluster in clusters.values()]
    chance = random.Random("bootstrap")
    shares = []
    for _ in range(1000):
        drawn = chance.choices(counts, k=len(counts))
        shares.append(sum(hit for hit, _ in drawn) / sum(size for _, size in drawn))
    shares.sort()
    low, high = shares[25], shares[975]
    if not hits:  # a bootstrap of nothing but misses says nothing: three over the clusters is the usual bound
        high = min(1.0, 3 / len(counts))
    return f"{hits}/{total} {100 * hits / total:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
