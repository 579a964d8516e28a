"""The levels of a branch on the first view of the report page: a small drawing for each, read without a script."""

from __future__ import annotations

from raggate_action.report.trend_view import Series, series_of
from raggate_action.schema.history import Trend

# In units of the drawing; it is stretched to its place.
_WIDTH, _HEIGHT, _MARGIN = 120, 32, 4


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
