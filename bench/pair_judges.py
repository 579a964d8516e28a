"""How often the rules on judges of pairs leave out an honest one, and how often a useless one, by simulation.

    python -m bench.pair_judges

Nothing is asked. A judge scores both answers in five dimensions: what the answers are worth, noise, and what it gives
the answer that stands first. Of honest judges the noise is set so that a given share of choices is kept when the order
is swapped. The rules are those of `core.panel_ab.not_counted`; `dev/notes/decisions.md` has what follows.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from raggate_action.core.ab.comparison_terms import PairTrial, PanelQuestion, Rater
from raggate_action.core.ab.pair_judge_exclusion import obeyed_instructions, uncounted_judges
from raggate_action.core.ab.score_table import Cell, Cells, Key
from raggate_action.schema.judge_rows import JudgeRow

PAIRS = (8, 10, 20, 40)
TRICKS = 20
DIMENSIONS = ("one", "two", "three", "four", "five")
_MIDDLE = 3.0
# How far apart two answers are, in points of a dimension: a real difference is of any size up to two.
_WIDEST = 2.0
# A sound answer and one that is made up.
_PLANTED = 2.0
_JUDGE = Rater("judge")

# The lead of the first answer -> the scores of both.
Judge = Callable[[float, Random], tuple[tuple[int, ...], tuple[int, ...]]]


class Shares(NamedTuple):
    """Of many judges of one kind, the shares that each rule leaves out, and the share of choices kept."""

    kept: float
    order: float
    one_score: float
    planted: float
    less_than_half: float


def noisy(noise: float, *, first: float = 0.0) -> Judge:
    """Honest but for what it gives the answer that stands first."""

    def judge(lead: float, draw: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return _scored(lead / 2 + first + draw.gauss(0, noise), draw), _scored(-lead / 2 + draw.gauss(0, noise), draw)

    return judge


def _scored(worth: float, draw: Random) -> tuple[int, ...]:
    return tuple([min(5, max(1, round(_MIDDLE + worth + draw.gauss(0, 0.4)))) for _each in DIMENSIONS])


def at_random(_lead: float, draw: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Looks at nothing."""
    return tuple([draw.randint(1, 5) for _each in DIMENSIONS]), tuple([draw.randint(1, 5) for _each in DIMENSIONS])


def constant(_lead: float, _draw: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Gives everything a 5."""
    return (5, 5, 5, 5, 5), (5, 5, 5, 5, 5)


def cell(judge: Judge, lead: float, draw: Random) -> Cell:
    """A pair in both orders."""
    a, b = judge(lead, draw)
    b_then, a_then = judge(-lead, draw)
    rows = [(1, "treatment", b, a), (2, "control", b_then, a_then)]
    return Cell(
        rows=tuple(
            [
                JudgeRow.model_construct(
                    question_id="q",
                    judge="judge",
                    order=order,
                    shown_first=first,
                    control=dict(zip(DIMENSIONS, control, strict=True)),
                    treatment=dict(zip(DIMENSIONS, treatment, strict=True)),
                    lost=None,
                )
                for order, first, control, treatment in rows
            ]
        )
    )


def trial(judge: Judge, draw: Random) -> PairTrial:
    """The judge at planted pairs that it does not obey, the sound answer ahead by as much as it deserves."""
    preferred: Counter[str] = Counter()
    for trick in map(str, range(TRICKS)):
        for lead in (_PLANTED, -_PLANTED):
            a, b = judge(lead, draw)
            preferred[trick] += (sum(a) < sum(b)) if lead > 0 else (sum(a) > sum(b))
    return PairTrial(2 * TRICKS, 2 * TRICKS, {name: times for name, times in preferred.items() if times})


def shares(judge: Judge, pairs: int, *, equal: bool = False, judges: int = 1000, seed: int = 0) -> Shares:
    """What becomes of so many judges over so many pairs."""
    draw = Random(seed)
    found: Counter[str] = Counter()
    kept = 0
    for _one in range(judges):
        leads = [0.0 if equal else draw.uniform(0.25, _WIDEST) * draw.choice((-1, 1)) for _pair in range(pairs)]
        cells = {Key(f"q{at}", "judge", ""): cell(judge, lead, draw) for at, lead in enumerate(leads)}
        questions = tuple([PanelQuestion(key.question_id) for key in cells])
        own = sum(len(set(each.winners)) == 1 for each in cells.values())
        kept += own
        reason = uncounted_judges(Cells(questions, (_JUDGE,), DIMENSIONS, 2, cells, 0), {}).get(_JUDGE)
        found[reason or ""] += 1
        found["planted"] += bool(obeyed_instructions(trial(judge, draw)))
        found["half"] += 2 * own < pairs
    of = {name: times / judges for name, times in found.items()}
    return Shares(
        kept / (judges * pairs), of.get("order", 0), of.get("one-score", 0), of.get("planted", 0), of.get("half", 0)
    )


def keeping(share: float, *, first: bool = False) -> Judge:
    """An honest judge that keeps this share of choices, by noise; with `first` by what it gives the first answer."""
    low, high = 0.0, 4.0
    for _step in range(14):
        middle = (low + high) / 2
        judge = noisy(0.3, first=middle) if first else noisy(middle)
        low, high = (middle, high) if shares(judge, 400, judges=25).kept > share else (low, middle)
    return noisy(0.3, first=low) if first else noisy(low)


def kinds() -> Iterator[tuple[str, Judge, bool]]:
    """Judges by name, and whether the answers they see are equally good."""
    for share in (0.95, 0.9, 0.8, 0.7, 0.6):
        yield f"honest, keeps {share:.0%}", keeping(share), False
    yield "honest, keeps 70%, flips to the first", keeping(0.7, first=True), False
    yield "honest (80%), answers equally good", keeping(0.8), True
    yield "at random", at_random, False
    yield "likes the first, keeps 40%", keeping(0.4, first=True), False
    yield "likes the first, keeps 20%", keeping(0.2, first=True), False
    yield "the first always", noisy(0.3, first=5.0), False
    yield "one score for all", constant, False


def table(judges: int = 1000) -> list[str]:
    """The table in Markdown: percent left out, by rule."""
    lines = [
        "| judge | pairs | keeps | less than half | order | one score | planted |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, judge, equal in kinds():
        for pairs in PAIRS:
            found = shares(judge, pairs, equal=equal, judges=judges)
            cells = [f"{share:.1%}" for share in (found.less_than_half, found.order, found.one_score, found.planted)]
            lines.append(f"| {name} | {pairs} | {found.kept:.0%} | {' | '.join(cells)} |")
    return lines


def main() -> int:
    """Print it."""
    print("\n".join(table()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
