"""Two policies beside each other: every setting that a suite has is known to be weaker one way and stricter the other."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from raggate_action.core.comparison.case_changes import case_change, content_of
from raggate_action.core.comparison.setting_changes import OF_A_CASE, SETTINGS, Demand, demand_of, setting_changes
from raggate_action.core.gates.case_row import evaluate_reply
from raggate_action.schema.case import Case, PlacedCase
from raggate_action.schema.demands import Demands
from raggate_action.schema.later import Later
from raggate_action.schema.outcome import GateName, RunGateName
from raggate_action.schema.policy_change import SettingChange
from raggate_action.schema.run import Policy
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import RecordedTarget
from raggate_action.schema.trace import Answered
from raggate_action.schema.verdicts import CheckIssues
from tests.builders import make_case, make_chunk, make_rules, make_store, make_trace
from tests.row_builders import make_policy

WHOLE = {"p95_latency_ms": {"max": 8000}, "cost_usd": {"max": 2}, "judge_cost_usd": {"max": 2}}


# Keys that demand nothing of an answer, or that are held against the baseline's in another way, with the reason.
NO_DEMAND = {
    "suite": "a name",
    "service_version": "a name",
    "evidence": "texts and readers of chunks are held against each other, and not the files",
    "cases": "every case is held against itself",
    "target": "how the app is asked; what kind of target it is has an entry",
    "scopes": "which cases are run; the others are carried",
    "waivers": "told one by one, and counted in both decisions",
    "seed": "which cases are drawn",
    "texts": "what is kept",
    "deadline_s": "what is left is unmeasured, which demands more",
    "judges.panel": "judges that change or go are told by name",
    "judges.claims": "which claims judges are asked about; a claim that nobody judged is lost, which has a gate",
    "judges.budget": "what a judge was not asked for money is lost, which has a gate",
    "judges.calibration": "labels decide which judges count, and those that do not any more are lost",
    "judges.relevance": "advice",
    "criteria": "part of every case",
    "ab": "the command `ab` alone compares arms",
}
# They make a demand, and no run keeps what it was: a head that gives it up is not noticed (`standard` differs, no more).
NOT_KEPT = {"pipeline.stages", "pipeline.versions", "pipeline.chunk_versions", "own_addresses", "confirm"}
NO_DEMAND_OF_A_CASE = {
    *("case_id", "name", "workflow", "category", "tags", "weight", "blocked_at", "trace"),
    # What is asked: a case that asks something else is another one.
    *("question", "messages", "input", "as_of"),
}
NOT_KEPT_OF_A_CASE = {"reference_answer", "useful_source_ids"}


def keys_of(record: type[BaseModel], prefix: str = "") -> Iterator[str]:
    """The keys of a record that hold a value, dotted."""
    for name, field in record.model_fields.items():
        parts = [*parts_of(field.annotation), *(each.record() for each in field.metadata if isinstance(each, Later))]
        found = [each for each in parts if isinstance(each, type) and issubclass(each, BaseModel)]
        if prefix + name in NO_DEMAND or not found:
            yield prefix + name
        for each in found if prefix + name not in NO_DEMAND else ():
            yield from keys_of(each, f"{prefix}{name}.")


def parts_of(annotation: Any) -> Iterator[Any]:
    """The members of a union; a list of records is a value."""
    if get_origin(annotation) in {Union, UnionType}:
        for each in get_args(annotation):
            yield from parts_of(each)
    elif get_origin(annotation) is Annotated:
        yield from (each.record() for each in annotation.__metadata__ if isinstance(each, Later))
    else:
        yield annotation


def test_every_suite_key_is_in_the_table_or_known_to_demand_nothing() -> None:
    """A new key has to be said of: which value of it demands less, or why it demands nothing."""
    keys = {key.removeprefix("gates.") for key in keys_of(Suite)}
    assert {"answered.min", "behaviour.penalties.latency", "judges.arming.labels", "pipeline.stages"} <= keys
    assert {key for key in keys if demand_of(key) is None} == set(NO_DEMAND) | NOT_KEPT
    # No entry without a key: of the two keys within sections that are no record of their own, the first part is one.
    stars = {f"*.{key.partition('.')[2]}" for key in keys}
    assert {demand.key for demand in SETTINGS} <= {*keys, *stars, "target.kind", "target.labelled"}
    assert set(RecordedTarget.model_fields) >= {"kind", "labelled"}


def test_every_key_of_a_case_is_in_the_table_or_known_to_demand_nothing() -> None:
    keys = [demand.key for demand in OF_A_CASE]
    assert set(Case.model_fields) - set(keys) == NO_DEMAND_OF_A_CASE | NOT_KEPT_OF_A_CASE
    # What is in the table is kept in the row, so that it can be judged by once more.
    assert set(keys) <= set(Demands.model_fields)
    assert set(Demands.model_fields) - set(keys) == {"asked", "as_of", "withheld"}


def test_a_gate_of_the_table_is_one() -> None:
    gates = {demand.gate for demand in (*SETTINGS, *OF_A_CASE)} - {None}
    assert gates <= {*get_args(GateName), *get_args(RunGateName)}
    assert all(demand.gate is not None for demand in OF_A_CASE)


TEA = {"answer": "Tea is hot.", "context": ["c1"], "tool_calls": ["brew"]}
NOT_MET: dict[str, Any] = {
    "must_contain": ["milk"],
    "must_not_contain": ["hot"],
    "expected_tools": ["pour"],
    "forbidden_tools": ["brew"],
    "required_source_ids": ["c2"],
    "required_quotes": ["It is cold."],
    "required_points": [{"id": "milk", "answer_phrases": ["milk"]}],
    "criteria": ["names the milk"],
    "expect": "abstain",
    "max_latency_ms": 1.0,
    "custom_check": "m:f",
    "principals": ["guests"],
}


@pytest.mark.parametrize("demand", [each for each in OF_A_CASE if each.key != "released"], ids=lambda each: each.key)
def test_a_demand_of_a_case_decides_on_its_gate(demand: Demand) -> None:
    """The answer meets every demand but one, and that one's gate alone tells the two cases apart."""
    store = make_store(make_chunk("c1", "Tea is hot.", principals=("cooks",)), make_chunk("c2", "It is cold."))
    rules = make_rules(store, has_judges=True)
    met = {"question": "What is tea?", "principals": ["cooks"]}
    cases = [make_case(**met), make_case(**{**met, demand.key: NOT_MET[demand.key]})]
    reply = Answered(make_trace(**TEA), 20.0)
    checks = [None, CheckIssues(issues=("wrong",)) if demand.key == "custom_check" else None]
    gate = str(demand.gate)
    kinds = []
    for case, check in zip(cases, checks, strict=True):
        placed = PlacedCase(case, 0, "d", "f", 1)
        outcomes = evaluate_reply(placed, reply, rules, custom=check, finished_at="").row.outcomes
        kinds.append(outcomes[gate].kind if gate in outcomes else None)
    assert kinds[0] != kinds[1]
    assert kinds[1] == ("unmeasured" if demand.key == "criteria" else "failed")


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
    assert not change.asks_otherwise


def test_what_may_not_be_written_is_found_again_by_its_digest() -> None:
    before = demands(withheld=[("must_not_contain", "d1")])
    assert case_change(before, before).reliefs == ()
    gone = case_change(before, demands())
    assert gone.unknown
    assert [(relief.field, relief.withheld) for relief in gone.reliefs] == [("must_not_contain", True)]


def test_the_same_case_under_another_id_is_known_by_its_content() -> None:
    assert content_of(demands(must_contain=["a"])) == content_of(demands(must_contain=["a"]))
    assert content_of(demands()) != content_of(demands(must_contain=["a"]))
