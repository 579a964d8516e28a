"""Every rule of a run's answers beside its baseline's, how to turn it off, and one example that shows it.

Rows for `tests.rule_switches`.
"""

from __future__ import annotations

from typing import Any

from raggate_action.schema.ab_run import RunAb
from raggate_action.schema.policy import AbGate
from tests.panel_ab_switches import Core, Example
from tests.row_builders import failed, make_policy, make_row, passed

NOBODY = RunAb(
    baseline="2026-06-01T08:00:00Z",
    seed=0,
    swap=True,
    question_type="category",
    dimensions=(),
    judges=(),
    rubric="r",
    prompt="p",
    changed=1,
    unavailable="No judge was asked.",
)


DECLINED: dict[str, Any] = {"state": "failed", "abstained": True, "outcomes": {"answered": failed("declined")}}


def gated(ab: RunAb | None, rule: AbGate, **known: bool) -> Example:
    """The gate on a run."""
    return lambda core: [each.model_dump() for each in core["decision.ab_gate"].run_ab_gate(ab, rule, **known)]


def settings(before: dict[str, Any], after: dict[str, Any]) -> Example:
    """What two policies have otherwise."""

    def example(core: Core) -> Any:
        found = core["comparison.setting_changes"].setting_changes(make_policy(**before), make_policy(**after))
        return [each.model_dump() for each in (*found.weaker, *found.stricter)]

    return example


def passing(*, answerable: bool = True, **row: Any) -> Example:
    """Whether a row's answer passes the gates."""

    def example(core: Core) -> Any:
        return core["counting.case_state"].passes_gates(
            make_row(0, **{"outcomes": {"answered": passed()}, **row}), answerable=answerable
        )

    return example


RUN_AB_RULES: list[tuple[str, str, str, str, Example]] = [
    ("a run's answers: without a judge the gate only warns", "decision.ab_gate", '_unmeasured("off" if rule.level == "off" else "warn", ', "_unmeasured(rule.level, ", gated(NOBODY, AbGate(level="block"))),
    ("a run's answers: and is off where it is off", "decision.ab_gate", '"off" if rule.level == "off" else "warn"', '"warn"', gated(NOBODY, AbGate(level="off"))),
    ("a run's answers: what was demanded and not tried is not measured", "decision.ab_gate", "[_unmeasured(rule.level)] if demanded else []", "[]", gated(None, AbGate(level="block"), demanded=True)),
    ("a suite that compares no more demands less", "comparison.setting_changes", '"ab": "compared" if policy.compares else None', '"ab": None', settings({"compares": True}, {})),
    ("and no less where the gate was off", "comparison.setting_changes", ' or key == "ab"', "", settings({"compares": True, "gates": {"ab": {"level": "off"}}}, {})),
    ("a run's answers: that nothing speaks against one is no pass", "counting.case_state", "(True if was_held else None)", "True", passing()),
    ("a run's answers: a decline that no label speaks against is unknown", "counting.case_state", "(not answerable and _only_declines(row))", "False", passing(answerable=False, **DECLINED)),
    ("a run's answers: one that a label speaks against is not", "counting.case_state", "(not answerable and _only_declines(row))", "_only_declines(row)", passing(**DECLINED)),
    ("a run's answers: nor one where another gate fails", "counting.case_state", 'failed == ["answered"]', "bool(failed)", passing(answerable=False, **{**DECLINED, "outcomes": {"answered": failed(), "behaviour": failed()}})),
    ("a run's answers: that it was held against phrases is one", "counting.case_state", "or row.forbids", "", passing(forbids=True)),
    ("a run's answers: one that failed does not", "counting.case_state", 'if row.state == "passed" else False', "if True else False", passing(state="failed", forbids=True)),
]  # fmt: skip
