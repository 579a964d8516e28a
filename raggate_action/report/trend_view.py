"""How the levels of a branch went from run to run: a table, a line of blocks for each level, and what moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from raggate_action.report.comment_size import Extent, names
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Column, FirstEntries, Fold, Section, Strong, Table, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.base import Rate
from raggate_action.schema.history import HistoryLine, Level, Trend
from raggate_action.strings import numbers
from raggate_action.strings.numbers import NOTHING

# Two runs are a comparison, which is told elsewhere.
FEWEST_RUNS: Final = 3
# As many as a line across a page shows apart.
_DRAWN: Final = 60
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_NAMED: Final = 3
# In units of the drawing; it is stretched to its place.
_WIDTH, _HEIGHT, _MARGIN = 120, 32, 4
_LEVEL_WORDS: Final[dict[Level, str]] = {"passed": "Pass rate", "hallucinating": "Hallucination rate"}


class Series(NamedTuple):
    """A level from run to run, the oldest first.

    Attributes:
        name: What it is.
        values: A number for each run; None where it was not measured.
        first, before, last: The first number, that of the run before the last, which is its baseline, and the last, as
            people write them; `before` is empty where it was not measured.
        runs: How many runs it spans.
        versions: How many versions of the app they are of.
    """

    name: str
    values: tuple[float | None, ...]
    first: str
    before: str
    last: str
    runs: int
    versions: int

    @property
    def span(self) -> str:
        """Over what: versions, where the app names them, else runs."""
        return numbers.count(self.versions, "version") if self.versions > 1 else numbers.count(self.runs, "run")

    @property
    def blocks(self) -> str:
        """The numbers as blocks of different heights; a dot where there is none. A level line is low."""
        known = [value for value in self.values if value is not None]
        low, width = min(known), max(known) - min(known)
        step = (len(_BLOCKS) - 1) / width if width else 0.0
        heights = [None if each is None else round((each - low) * step) for each in self.values]
        return "".join(["·" if height is None else _BLOCKS[height] for height in heights])


def series_of(trend: Trend) -> list[Series]:
    """The levels that were measured in the first and in the last of the latest runs."""
    lines = trend.lines[-_DRAWN:]
    return [
        found
        for found in (
            _series("Passed", lines, [_value(line.passed) for line in lines], _percent),
            _series("Score", lines, [line.score for line in lines], numbers.score),
            _series("Hallucinations", lines, [line.hallucination_rate / 100 for line in lines], _percent),
            _series("Latency p95", lines, [line.p95_latency_ms for line in lines], numbers.milliseconds),
        )
        if found is not None
    ]


def _series(
    name: str, lines: Sequence[HistoryLine], values: Sequence[float | None], words: Callable[[float], str]
) -> Series | None:
    if not values or values[0] is None or values[-1] is None:
        return None
    versions = len({line.version for line in lines})
    before = values[-2] if len(values) > 1 else None
    in_words = words(values[0]), words(before) if before is not None else "", words(values[-1])
    return Series(name, tuple(values), *in_words, len(lines), versions)


def _value(rate: Rate) -> float | None:
    return rate.value if rate.total else None


def _percent(share: float) -> str:
    return numbers.percent_of_share(share)


def moved_level_lines(reporting: Reporting, _extent: Extent) -> Iterator[FaultLine]:
    """Levels that moved over the latest runs by more than chance."""
    yield from (FaultLine(words, level="note") for words in moves_in_words(reporting.trend))


def moves_in_words(trend: Trend) -> Iterator[Text]:
    """What moved, a line for each level."""
    for move in trend.moves:
        # Cross-multiplied: exact.
        rose = move.after.hits * move.before.total > move.before.hits * move.after.total
        before, after = (numbers.counted(rate.hits, rate.total) for rate in (move.before, move.after))
        runs = move.earlier_runs + move.later_runs
        what = f"{_LEVEL_WORDS[move.level]} {'rose' if rose else 'fell'} over the last {runs} runs:"
        first = "the first" if move.earlier_runs == 1 else f"the first {move.earlier_runs}"
        yield Strong(what), f" {before} in {first}, {after} in the last {move.later_runs}, this run among them."


def trend_section(reporting: Reporting, extent: Extent) -> Section:
    """The latest runs as a table, folded; nothing of fewer than three."""
    lines = reporting.trend.lines
    if len(lines) < FEWEST_RUNS:
        return Section()
    table = trend_table(lines, extent.rows)
    return Section(folds=(Fold(f"History ({numbers.count(len(lines), 'run')})", table=table),))


def trend_table(lines: Sequence[HistoryLine], most: int) -> Table:
    """The runs, the latest first.

    Args:
        lines: The oldest first; at least one.
        most: At most so many are shown.
    """
    newest = lines[::-1]
    has = _Columns.of(lines)
    pairs = list(zip(newest, (*newest[1:], None), strict=True))
    return Table(tuple(has.titles()), FirstEntries(pairs, lambda pair: tuple(has.cells(*pair)), most))


class _Columns(NamedTuple):
    """Which columns have anything in them."""

    score: bool
    latency: bool
    tools: bool
    cost: bool
    changes: bool

    @classmethod
    def of(cls, lines: Sequence[HistoryLine]) -> _Columns:
        return cls(
            score=any(line.score is not None for line in lines),
            latency=any(line.latency_ms is not None for line in lines),
            tools=any(line.tools for line in lines),
            cost=any(line.cost_usd is not None for line in lines),
            changes=len({line.pipeline_versions for line in lines}) > 1,
        )

    def titles(self) -> Iterator[Column]:
        yield from (Column("Date"), Column("Version"), Column("Decision"), Column("Passed", numeric=True))
        if self.score:
            yield Column("Score", numeric=True)
        yield from (Column("Hallucinations", numeric=True), Column("Verified", numeric=True))
        if self.latency:
            yield from (Column("Latency", numeric=True), Column("p50", numeric=True), Column("p95", numeric=True))
        if self.cost:
            yield Column("Cost", numeric=True)
        if self.tools:
            yield Column("Tools")
        if self.changes:
            yield Column("Changed")

    def cells(self, line: HistoryLine, before: HistoryLine | None) -> Iterator[Text]:
        yield line.date[:16].replace("T", " ")
        yield Code(line.version)
        yield line.decision
        yield f"{numbers.rate(line.passed.hits, line.passed.total)} · {_rate(line.passed)}"
        if self.score:
            yield numbers.score(line.score)
        yield numbers.percent_as_stored(line.hallucination_rate)
        yield numbers.rate(line.verified.hits, line.verified.total)
        if self.latency:
            yield from map(numbers.milliseconds, (line.latency_ms, line.p50_latency_ms, line.p95_latency_ms))
        if self.cost:
            yield numbers.money(line.cost_usd)
        if self.tools:
            yield _tools(line)
        if self.changes:
            yield _changes(line, before)


def _rate(rate: Rate) -> str:
    return numbers.percent(rate.hits, rate.total) if rate.total else NOTHING


def _tools(line: HistoryLine) -> Text:
    """Tools by how seldom they are called when expected, the worst first."""
    worst = sorted(line.tools, key=lambda tool: (tool.called / tool.expected if tool.expected else 1.0, tool.tool))
    shown: list[Text] = [
        (Code(tool.tool), f" {numbers.percent(tool.called, tool.expected)}") for tool in worst[:_NAMED]
    ]
    return names(shown, len(worst)) if shown else NOTHING


def _changes(line: HistoryLine, before: HistoryLine | None) -> Text:
    """The versions of the pipeline that the run before did not have."""
    if before is None:
        return NOTHING
    known = {(each.key, each.value) for each in before.pipeline_versions}
    new = [each for each in line.pipeline_versions if (each.key, each.value) not in known]
    shown: list[Text] = [(Code(each.key), " ", Code(each.value)) for each in new[:_NAMED]]
    return names(shown, len(new)) if shown else NOTHING


def trend_lead(trend: Trend) -> Iterator[Text]:
    """A line for each level: `Score ▁▃▆█ 0.72 -> 0.91 over 10 versions`."""
    for each in series_of(trend):
        yield joined(" ", [each.name, Code(each.blocks), f"{each.first} -> {each.last} over {each.span}"])


def figures(trend: Trend) -> list[dict[str, object]]:
    """Each level of a branch with three runs or more: its values in words, and a drawing as points."""
    return [_figure(each) for each in series_of(trend)]


def _figure(series: Series) -> dict[str, object]:
    """A line where neighbours were measured, a gap where not."""
    known = [value for value in series.values if value is not None]
    low, width = min(known), max(known) - min(known)
    steps = max(1, len(series.values) - 1)
    drawn: list[str] = []
    x = y = 0.0
    for number, value in enumerate(series.values):
        if value is None:
            drawn.append("|")
            continue
        # What never changes is drawn in the middle.
        share = (value - low) / width if width else 0.5
        x = _MARGIN + number / steps * (_WIDTH - 2 * _MARGIN)
        y = _HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN)
        drawn.append(f"{x:.1f},{y:.1f}")
    return {
        "name": series.name,
        "span": series.span,
        "words": f"{series.before} → {series.last}" if series.before not in {"", series.last} else series.last,
        "described": f"{series.name} over {series.span}: from {series.first} to {series.last}",
        "lines": [stretch.strip() for stretch in " ".join(drawn).split("|") if stretch.strip()],
        "end": (f"{x:.1f}", f"{y:.1f}"),
    }
