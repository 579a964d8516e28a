"""Each rule of the gates, switched off, turns an example red: a known-bad case, a fault put in or the run itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from raggate_action.schema.evidence import EvidenceChunk
from raggate_action.schema.outcome import GATES
from tests.example_runs import HELPDESK, run_example, turns_red
from tests.rule_switches import SWITCHES, Switch, loaded
from tests.thorough import turned_off

GATE_RULES = [switch for switch in SWITCHES if ": " in switch.rule and switch.rule.split(":")[0] in GATES]
# Rules that no answer of an example can break, and why.
OUT_OF_REACH = {
    "target: target-error": "an app that does not answer leaves no trace; faults and known-bad cases need one",
    "admissibility: declined-over-nothing": "the case fails all the same: the rule says why in other words",
    "candidate_recall: quote-changed": "the case fails all the same: the rule says why in other words",
    "context_recall: quote-changed": "the case fails all the same: the rule says why in other words",
    "faithfulness: claim-partial": "only a judge says so",
    "agreement: fact-contradicted": "only a judge says so",
    "agreement: fact-lacking": "only a judge says so",
    "criteria: criterion-violated": "only a judge says so",
    "criteria: criterion-unmet": "only a judge says so",
    "citation_support: citation-not-in-context": "a chunk never shown supports nothing either: that rule catches it",
}


def test_with_every_rule_on_nothing_is_red() -> None:
    with loaded() as core:
        assert turns_red(core) == []
        assert run_example(core, HELPDESK).faults.not_made == ()


@pytest.mark.parametrize(
    "switch", [rule for rule in GATE_RULES if turned_off().has(rule.module)], ids=lambda switch: switch.rule
)
def test_a_rule_that_is_off_turns_an_example_red(switch: Switch) -> None:
    with loaded(switch) as core:
        try:
            red = bool(turns_red(core))
        except ValidationError:  # a crash is noticed as well
            red = True
    assert red == (switch.rule not in OUT_OF_REACH)


def test_thirty_rules_are_held_by_the_examples() -> None:
    assert len(GATE_RULES) - len(OUT_OF_REACH) + len(OF_A_CHUNK) >= 30


# What a chunk says of itself: its flags, its principals, its dates.
OF_A_CHUNK: dict[str, tuple[str, Callable[..., bool]]] = {
    "the flag permitted": (
        "permitted_for",
        lambda chunk, who: not chunk.principals or bool(set(chunk.principals) & who),
    ),
    "principals": ("permitted_for", lambda chunk, _who: chunk.permitted),
    "the flag current": (
        "current_at",
        lambda chunk, at: (
            (chunk.valid_from is None or chunk.valid_from <= at)
            and (chunk.valid_until is None or at < chunk.valid_until)
        ),
    ),
    "valid_from": (
        "current_at",
        lambda chunk, at: chunk.current and (chunk.valid_until is None or at < chunk.valid_until),
    ),
    "valid_until": (
        "current_at",
        lambda chunk, at: chunk.current and (chunk.valid_from is None or chunk.valid_from <= at),
    ),
}


@pytest.mark.parametrize("rule", OF_A_CHUNK)
def test_what_a_chunk_says_of_itself_is_held_too(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, without = OF_A_CHUNK[rule]
    monkeypatch.setattr(EvidenceChunk, name, without)
    with loaded() as core:
        assert any(each.startswith("helpdesk") for each in turns_red(core))
