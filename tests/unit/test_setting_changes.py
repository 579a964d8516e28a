"""Two policies beside each other: every setting that a suite has is known to be weaker one way and stricter the other."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from raggate_action.core.comparison.case_changes import case_change, content_of, source_updates
from raggate_action.core.comparison.setting_changes import (
    HIGHER_IS_WEAKER,
    LOWER_IS_WEAKER,
    ORDERED,
    setting_changes,
)
from raggate_action.schema.demands import Demands
from raggate_action.schema.policy import Gates
from raggate_action.schema.policy_change import SettingChange
from raggate_action.schema.run import Policy
from raggate_action.schema.slices import Slices
from tests.row_builders import make_policy

WHOLE = {"p95_latency_ms": {"max": 8000}, "cost_usd": {"max": 2}, "judge_cost_usd": {"max": 2}}


def fields_of(record: BaseModel) -> Iterator[str]:
    for name, value in record:
        if isinstance(value, BaseModel):
            yield from fields_of(value)
        else:
            yield name


def test_every_field_of_every_gate_is_known_to_be_weaker_one_way() -> None:
    """A field that is added to a gate has to be said of: lower, higher, or in which order it is weaker."""
    gates = make_policy(gates=WHOLE).gates
    known = {*LOWER_IS_WEAKER, *HIGHER_IS_WEAKER, *ORDERED}
    assert {field for _gate, rule in gates for field in fields_of(rule)} <= known
    # Of the others an entry that is gone is weaker.
    assert set(Slices.model_fields) - known == {"by", "protected"}
    assert set(Gates.model_fields) == {gate for gate, _rule in gates}


LOWER: list[tuple[dict[str, Any], dict[str, Any], tuple[str, str | None, str | None]]] = [
    ({}, {"gates": {"answered": {"level": "warn"}}}, ("answered.level", "block", "warn")),
    ({}, {"gates": {"answered": {"min": "90%"}}}, ("answered.min", "0.95", "0.9")),
    ({}, {"gates": {"point_coverage": {"per_case": "50%"}}}, ("point_coverage.per_case", "1", "0.5")),
    ({}, {"gates": {"hallucination_rate": {"max": "5%"}}}, ("hallucination_rate.max", "0.02", "0.05")),
    ({}, {"gates": {"newly_missed": {"max": 2}}}, ("newly_missed.max", "0", "2")),
    ({}, {"gates": {"score_drop": {"max": 0.5}}}, ("score_drop.max", "0.05", "0.5")),
    ({"gates": WHOLE}, {"gates": {"cost_usd": {"max": 2}, "judge_cost_usd": {"max": 2}}}, ("p95_latency_ms.max", "8000.0", None)),
    ({}, {"gates": {"behaviour": {"scoring": "lenient"}}}, ("behaviour.scoring", "strict", "lenient")),
    (
        {},
        {"gates": {"behaviour": {"penalties": {"latency": "0%"}}}},
        ("behaviour.penalties.latency", "0.1", "0"),
    ),
    ({"slices": {"by": ["a"]}}, {}, ("slices.by", "a", None)),
    ({"slices": {"protected": {"a": ["b", "c"]}}}, {"slices": {"protected": {"a": ["b"]}}}, ("slices.protected", "a=c", None)),
    ({"slices": {"by": ["a"]}}, {"slices": {"by": ["a"], "min": "50%"}}, ("slices.min", "0.95", "0.5")),
    ({"slices": {"by": ["a"]}}, {"slices": {"by": ["a"], "min_cases": 30}}, ("slices.min_cases", "20", "30")),
    ({}, {"enforce": False}, ("enforce", "true", "false")),
    ({}, {"no_context": True}, ("pipeline.context", "reported", "none")),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "change"), LOWER, ids=[change[0] for *_rest, change in LOWER])
def test_what_is_weaker_one_way_is_stricter_the_other(
    before: dict[str, Any], after: dict[str, Any], change: tuple[str, str | None, str | None]
) -> None:
    def told(each: SettingChange) -> tuple[str, str | None, str | None]:
        return each.setting, each.before, each.after

    there = setting_changes(make_policy(**before), make_policy(**after))
    assert ([told(each) for each in there.weaker], there.stricter) == ([change], ())
    back = setting_changes(make_policy(**after), make_policy(**before))
    assert ([told(each) for each in back.stricter], back.weaker) == ([(change[0], change[2], change[1])], ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            {"gates": {"answered": {"level": "off", "min": "90%"}}},
            {"gates": {"answered": {"level": "off", "min": "10%"}}},
            id="a bar of a gate that is off on both",
        ),
        pytest.param({"slices": {"min": "90%"}}, {"slices": {"min": "10%"}}, id="a bar of slices without slices"),
        pytest.param({}, {"gates": {"cost_usd": {"level": "off", "max": 9}}}, id="a gate that is set and off"),
        pytest.param({}, {"texts": "ids"}, id="which texts are kept"),
        pytest.param({"overruled": True}, {"overruled": False}, id="what whoever started the run said"),
    ],
)
def test_what_nothing_depends_on_is_no_change(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert setting_changes(make_policy(**before), make_policy(**after)) == ((), ())


shares = st.sampled_from([Decimal("0.5"), Decimal("0.50"), Decimal("0.95"), Decimal(1)])
policies = st.builds(
    lambda low, high, level, by: make_policy(
        gates={"answered": {"min": str(low), "level": level}, "hallucination_rate": {"max": str(high)}},
        slices={"by": by},
    ),
    shares,
    shares,
    st.sampled_from(["block", "warn", "off"]),
    st.lists(st.sampled_from(["a", "b"]), unique=True),
)


@given(policies, policies)
def test_weaker_and_stricter_change_places_with_the_policies(one: Policy, other: Policy) -> None:
    there, back = setting_changes(one, other), setting_changes(other, one)
    assert {each.setting for each in there.weaker} == {each.setting for each in back.stricter}
    assert (there == ((), ())) == (back == ((), ()))
    assert setting_changes(one, one) == ((), ())


def demands(**fields: Any) -> Demands:
    return Demands.model_validate({"asked": "a", **fields}, strict=False)


@pytest.mark.parametrize(
    ("before", "after", "relieved"),
    [
        pytest.param({"must_contain": ["a", "b"]}, {"must_contain": ["b", "c"]}, "must_contain", id="a phrase"),
        pytest.param({"must_contain": [{"regex": "a"}]}, {"must_contain": [{"regex": "a|b"}]}, "must_contain", id="form"),
        pytest.param({"must_not_contain": ["a"]}, {}, "must_not_contain", id="a forbidden phrase"),
        pytest.param({"expected_tools": ["a"]}, {"expected_tools": ["b"]}, "expected_tools", id="a tool"),
        pytest.param({"forbidden_tools": ["a"]}, {}, "forbidden_tools", id="a forbidden tool"),
        pytest.param({"required_source_ids": ["a"]}, {}, "required_source_ids", id="a source"),
        pytest.param({"required_points": ["a"]}, {}, "required_points", id="a point"),
        pytest.param(
            {"required_points": [{"id": "a", "answer_phrases": ["x"]}]},
            {"required_points": [{"id": "a", "answer_phrases": ["x", "y"]}]},
            "required_points",
            id="what makes a point",
        ),
        pytest.param({"expect": "abstain"}, {}, "expect", id="a decline expected"),
        pytest.param({"max_latency_ms": 10.0}, {"max_latency_ms": 11.0}, "max_latency_ms", id="a slower limit"),
        pytest.param({"max_latency_ms": 10.0}, {}, "max_latency_ms", id="no limit"),
        pytest.param({"custom_check": "m:f"}, {"custom_check": "m:g"}, "custom_check", id="another check"),
        pytest.param({"released": True}, {}, "released", id="no must-release case any more"),
        pytest.param({"principals": ["a"]}, {"principals": ["a", "b"]}, "principals", id="asked by more"),
        pytest.param({}, {"must_contain": ["a"], "custom_check": "m:f", "released": True}, None, id="more demands"),
        pytest.param({"max_latency_ms": 10.0}, {"max_latency_ms": 9.0}, None, id="a quicker limit"),
        pytest.param({"principals": ["a", "b"]}, {"principals": ["a"]}, None, id="asked by fewer"),
        pytest.param({"required_points": ["a"]}, {"required_points": [{"id": "a"}]}, None, id="a point's long form"),
        pytest.param({"must_contain": ["a", "b"]}, {"must_contain": ["b", "a"]}, None, id="another order"),
    ],
)  # fmt: skip
def test_what_relieves_a_case(before: dict[str, Any], after: dict[str, Any], relieved: str | None) -> None:
    change = case_change(demands(**before), demands(**after))
    assert [relief.field for relief in change.reliefs] == ([relieved] if relieved else [])
    assert not change.is_another_case


def source(**fields: Any) -> dict[str, Any]:
    return {"sources": [{"chunk_id": "c", "text": "t", **fields}]}


def test_a_text_that_changed_makes_another_case_and_a_version_alone_is_an_update() -> None:
    before = demands(**source(version="v1"))
    assert case_change(before, demands(**source(text="u"))).chunks == ("c",)
    assert case_change(before, demands(sources=[{"chunk_id": "c"}])).chunks == ("c",), "gone from the store"
    assert case_change(before, demands()).chunks == (), "nobody looked it up"
    later = demands(**source(version="v2", valid_until="2099-01-01"))
    assert case_change(before, later).chunks == ()
    later = demands(**source(version="v2", valid_until="2099-01-01", superseded=True))
    assert case_change(before, later).chunks == ("c",), "out of date now, it can support nothing"
    assert {(each.field, each.before, each.after) for each in source_updates(before, later)} == {
        ("version", "v1", "v2"),
        ("valid_until", None, "2099-01-01"),
        ("current", "true", "false"),
    }
    assert list(source_updates(before, demands(**source(text="u", version="v2")))) == []


def test_what_may_not_be_written_is_found_again_by_its_digest() -> None:
    before = demands(withheld=[("must_not_contain", "d1")])
    assert case_change(before, before).reliefs == ()
    gone = case_change(before, demands())
    assert gone.unknown
    assert [(relief.field, relief.withheld) for relief in gone.reliefs] == [("must_not_contain", True)]


def test_the_same_case_under_another_id_is_known_by_its_content() -> None:
    assert content_of(demands(**source(version="v1"))) == content_of(demands(**source(version="v2")))
    assert content_of(demands()) != content_of(demands(must_contain=["a"]))
