"""The levels of a branch on the first view of the report page: a small drawing for each, read without a script."""

from __future__ import annotations

import html
from collections.abc import Iterator

from raggate_action.report.trend_view import Series, series_of
from raggate_action.schema.history import Trend

# In units of the drawing; it is stretched to its place.
_WIDTH, _HEIGHT, _MARGIN = 120, 32, 4


def trend_pieces(trend: Trend) -> Iterator[str]:
    """A figure for each level of a branch with three runs or more."""
    found = series_of(trend)
    if found:
        span = f"Over {found[0].span} of the branch, this run the last: baseline → this run"
        yield f'<section class="trend" aria-label="Trend"><p>{span}</p>'
        yield from map(_figure, found)
        yield "</section>\n"


def _figure(series: Series) -> str:
    words = f"{series.before} → {series.last}" if series.before not in {"", series.last} else series.last
    described = html.escape(f"{series.name} over {series.span}: from {series.first} to {series.last}")
    return (
        f"<figure><figcaption>{html.escape(series.name)} <b>{html.escape(words)}</b></figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{described}">'
        f"{''.join(_lines(series))}</svg></figure>"
    )


def _lines(series: Series) -> Iterator[str]:
    """The drawing: a line where neighbours were measured, a gap where not, and a dot for this run."""
    known = [value for value in series.values if value is not None]
    low, width = min(known), max(known) - min(known)
    steps = max(1, len(series.values) - 1)
    drawn: list[str] = []
    place = ""
    for number, value in enumerate(series.values):
        if value is None:
            drawn.append("")
            continue
        # What never changes is drawn in the middle.
        share = (value - low) / width if width else 0.5
        x = _MARGIN + number / steps * (_WIDTH - 2 * _MARGIN)
        y = _HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN)
        place = f"{x:.1f},{y:.1f}"
        drawn.append(place)
    for stretch in " ".join(each or "|" for each in drawn).split("|"):
        if stretch.strip():
            yield f'<polyline points="{stretch.strip()}"/>'
    across, _comma, down = place.partition(",")
    yield f'<circle cx="{across}" cy="{down}" r="2.6"/>'
