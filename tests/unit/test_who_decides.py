"""Who decides beside the rules: outcomes are carried between runs only where it is the same."""

from __future__ import annotations

from typing import Any

import pytest

from raggate_action.core.comparison.same_judges import deciding
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.panel import Panel, PanelMember

NAMES = ("ada", "bob", "cyd")


def panel(*armed: str, quorum: int = 1, prompt: str = "p", **fields: Any) -> Panel:
    members = tuple(PanelMember(name=name, lab=name, model=name, fingerprint=f"is-{name}") for name in NAMES)
    cards = tuple(JudgeCard(judge=name, armed=name in armed) for name in NAMES)
    return Panel(**{"members": members, "prompt": prompt, "quorum": quorum, "cards": cards, **fields})


@pytest.mark.parametrize(
    "nobody", [None, panel(), panel("ada", quorum=2), panel("ada", unavailable="No judge was asked, for K is not set.")]
)
def test_judges_who_only_advise_decide_nothing(nobody: Panel | None) -> None:
    assert deciding(nobody) == ""


def test_prompt_quorum_and_each_armed_judge_are_who_decides_and_a_name_is_not() -> None:
    others = [
        panel("ada", "bob"),
        panel("ada", "cyd"),
        panel("ada"),
        panel("ada", "bob", quorum=2),
        panel("ada", prompt="q"),
    ]
    assert len({deciding(each) for each in others}) == len(others)
    renamed = panel("ada").model_copy(
        update={
            "members": tuple(each.model_copy(update={"name": each.name.upper()}) for each in panel().members),
            "cards": (JudgeCard(judge="ADA", armed=True),),
        }
    )
    assert deciding(renamed) == deciding(panel("ada"))
