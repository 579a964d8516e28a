"""How the levels of a branch went from run to run: a table, a drawing of each level, and what moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from raggate_action.report.catalogue import BY_VALUE
from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Fold, Section, Table, Text
from raggate_action.report.record_words import name_list, sentence, table
from raggate_action.report.report_input import Reporting
from raggate_action.schema.history import HistoryLine, LevelMove, Trend
from raggate_action.strings import numbers

# Two runs are a comparison, which is told elsewhere.
FEWEST_RUNS: Final = 3
# As many as a line across a page shows apart.
_DRAWN: Final = 60
# In units of the drawing; it is stretched to its place.
_WIDTH, _HEIGHT, _MARGIN = 120, 32, 4
# Each level: its name, its number in a run (None where it was not measured), and the number in words.
_LEVELS: Final[tuple[tuple[str, Callable[[HistoryLine], float | None], Callable[[float], str]], ...]] = (
    ("Passed", lambda line: line.passed.value if line.passed.total else None, numbers.percent_of_share),
    ("Score", lambda line: line.score, numbers.score),
    ("Hallucinations", lambda line: line.hallucination_rate / 100, numbers.percent_of_share),
    ("Latency p95", lambda line: line.p95_latency_ms, numbers.milliseconds),
)


class Figure(NamedTuple):
    """A level from run to run, the oldest first.

    Attributes:
        name: What it is.
        span: Over what: versions, where the app names them, else runs.
        first, last: The first number and the last, as people write them.
        words: The last, behind that of the run before where it is another.
        lines: Points of a drawing; a new line begins behind a run where it was not measured.
        end: The last point.
    """

    name: str
    span: str
    first: str
    last: str
    words: str
    lines: list[str]
    end: tuple[str, str]


def figures(trend: Trend) -> list[Figure]:
    """The levels that were measured in the first and in the last of the latest runs."""
    runs = trend.lines[-_DRAWN:]
    versions = len({line.version for line in runs})
    span = numbers.count(versions, "version") if versions > 1 else numbers.count(len(runs), "run")
    found = []
    for name, level, in_words in _LEVELS:
        values = [level(line) for line in runs]
        if not values or values[0] is None or values[-1] is None:
            continue
        before = next((in_words(each) for each in values[-2:-1] if each is not None), "")
        first, last = in_words(values[0]), in_words(values[-1])
        words = f"{before} → {last}" if before not in {"", last} else last
        drawn = _drawn(values)
        lines = [" ".join(map(",".join, line)) for line in drawn]
        found.append(Figure(name, span, first, last, words, lines, drawn[-1][-1]))
    return found


def _drawn(values: Sequence[float | None]) -> list[list[tuple[str, str]]]:
    """A line where neighbours were measured, a gap where not; the last is measured."""
    known = [value for value in values if value is not None]
    low, width = min(known), max(known) - min(known)
    lines: list[list[tuple[str, str]]] = [[]]
    for number, value in enumerate(values):
        if value is None:
            lines += [[]] if lines[-1] else []
            continue
        # What never changes is drawn in the middle.
        share = (value - low) / width if width else 0.5
        x = _MARGIN + number / max(1, len(values) - 1) * (_WIDTH - 2 * _MARGIN)
        y = _HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN)
        lines[-1].append((f"{x:.1f}", f"{y:.1f}"))
    return lines


def moved_level_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """Levels that moved over the latest runs by more than chance."""
    return (FaultLine(_moved(move), level="note") for move in reporting.trend.moves)


def _moved(move: LevelMove) -> Text:
    # Cross-multiplied: exact.
    rose = move.after.hits * move.before.total > move.before.hits * move.after.total
    return sentence(
        "level moved",
        move,
        name=BY_VALUE["level"][move.level],
        moved="rose" if rose else "fell",
        runs=move.earlier_runs + move.later_runs,
    )


def trend_section(reporting: Reporting, extent: Extent) -> Section:
    """The latest runs as a table, folded; nothing of fewer than three."""
    lines = reporting.trend.lines
    if len(lines) < FEWEST_RUNS:
        return Section()
    return Section(
        folds=(Fold(f"History ({numbers.count(len(lines), 'run')})", table=history_table(lines, extent.rows)),)
    )


def history_table(lines: Sequence[HistoryLine], most: int) -> Table:
    """The runs, the latest first; `Changed` has the versions of the pipeline that the run before did not have."""
    changed: dict[int, Text] = {}
    for before, line in pairwise(lines):
        known = {(each.key, each.value) for each in before.pipeline_versions}
        new = [each for each in line.pipeline_versions if (each.key, each.value) not in known]
        changed[id(line)] = name_list([f"{each.key} {each.value}" for each in new])
    return table(
        "history",
        lines[::-1],
        most,
        date=lambda line: line.date[:16].replace("T", " "),
        changed=lambda line: changed.get(id(line)),
    )


def history_lines(trend: Trend) -> list[Text]:
    """A line for each level, and what moved."""
    return [*[sentence("level", each) for each in figures(trend)], *map(_moved, trend.moves)]
