"""Who shares a lab: a judge is no stranger to the answers of its lab's models, nor to its lab's other judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from raggate_action.core.ab.comparison_terms import Rater, Terms
from raggate_action.schema.ab import ArmName

Shared: TypeAlias = ArmName | Literal["judge"]


def shares_of(judges: Sequence[Rater], terms: Terms) -> dict[Rater, tuple[Shared, ...]]:
    """With whom each judge shares a lab: the arms, or a judge before it.

    The first judge of a lab stays a stranger to the panel, so that one of each lab is left. Two ways of working of one
    judge are of one lab, even where nobody says which.
    """
    found: dict[Rater, tuple[Shared, ...]] = {}
    seen: set[tuple[str, str]] = set()
    for rater in judges:
        lab = _plain(rater.lab)
        arms: list[Shared] = [arm for arm in ("control", "treatment") if lab and _plain(terms.labs.get(arm, "")) == lab]
        names = {("lab", lab)} if lab else set()
        names |= {("judge", rater.judge)}
        found[rater] = (*arms, "judge") if names & seen else tuple(arms)
        seen |= names
    return found


def _plain(lab: str) -> str:
    return lab.strip().casefold()
