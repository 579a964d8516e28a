"""Every suite key that makes a demand, which value of it is weaker, and its gate, as data.

The tables are read wherever a head's suite is compared with its baseline's: settings here, terms of judges in
`panel_changes`, demands of single cases in `case_changes`. A test compares them with the schema: it fails for a key
that is in no table and not known to demand nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel

from raggate_action.schema.outcome import RunGateName
from raggate_action.schema.run import Policy
from raggate_action.schema.slices import Slices
from raggate_action.schema.target import AUTO

if TYPE_CHECKING:
    from raggate_action.schema.policy_change import SettingChange

# Whether the second of two values that differ demands less than the first.
Direction = Callable[[Any, Any], bool]


class Demand(NamedTuple):
    """A suite key that makes a demand.

    Attributes:
        key: As the suite has it; `*` is the name of any gate.
        weaker: Which value of it demands less.
        gate: The gate that it decides on; None of a key of every gate, and of what decides on all of them.
        of_one_case: It decides how a single case comes out; the others are held against what was counted.
    """

    key: str
    weaker: Direction
    gate: RunGateName | None = None
    of_one_case: bool = False


def lower(before: Any, after: Any) -> bool:
    """A lower value is weaker, and so is none at all."""
    return before is not None and (after is None or Decimal(str(after)) < Decimal(str(before)))


def higher(before: Any, after: Any) -> bool:
    """A higher value is weaker, and so is none at all."""
    return after is None or (before is not None and Decimal(str(after)) > Decimal(str(before)))


def other(_before: Any, _after: Any) -> bool:
    """Any other value may find fewer faults."""
    return True


def fewer(before: Any, after: Any) -> bool:
    """Entries that are gone are weaker."""
    return not set(before) <= set(after)


def more(before: Any, after: Any) -> bool:
    """Entries that have come are weaker."""
    return not set(after) <= set(before)


def switched_on(_before: Any, after: Any) -> bool:
    """What is on is weaker."""
    return bool(after)


def switched_off(before: Any, _after: Any) -> bool:
    """What is off is weaker."""
    return bool(before)


def later(*strict_first: Any) -> Direction:
    """A value that comes later in this order is weaker."""
    return lambda before, after: strict_first.index(after) > strict_first.index(before)


def _from_a_live_app(before: Any, _after: Any) -> bool:
    """Recorded answers are the weakest kind of target; no live one is as good as another."""
    return bool(before != "recorded")


QUORUM = Demand("judges.quorum", lower, "faithfulness", of_one_case=True)
SETTINGS = (
    Demand("target.kind", _from_a_live_app),
    Demand("target.labelled", switched_on),
    Demand("pipeline.citations", switched_off, "citation_support", of_one_case=True),
    Demand("pipeline.context", later("reported", "none"), "faithfulness", of_one_case=True),
    Demand("language", lambda _before, after: bool(after != AUTO), of_one_case=True),
    Demand("citation_markers", other, "citation_support", of_one_case=True),
    Demand("enforce", switched_off),
    Demand("*.level", later("block", "warn", "off")),
    Demand("*.min", lower),
    Demand("*.max", higher),
    Demand("*.per_case", lower, of_one_case=True),
    Demand("behaviour.scoring", later("strict", "lenient"), "behaviour", of_one_case=True),
    Demand("behaviour.penalties.must_contain", lower, "behaviour", of_one_case=True),
    Demand("behaviour.penalties.must_not_contain", lower, "behaviour", of_one_case=True),
    Demand("behaviour.penalties.expected_tool", lower, "behaviour", of_one_case=True),
    Demand("behaviour.penalties.forbidden_tool", lower, "behaviour", of_one_case=True),
    Demand("behaviour.penalties.latency", lower, "behaviour", of_one_case=True),
    Demand("slices.by", fewer, "slices"),
    Demand("slices.min", lower, "slices"),
    Demand("slices.min_cases", higher, "slices"),
    Demand("slices.protected", fewer, "slices"),
    QUORUM,
    Demand("judges.counts", later("labelled", "declared"), "faithfulness", of_one_case=True),
    Demand("judges.arming.labels", lower, "faithfulness", of_one_case=True),
    Demand("judges.arming.faults", lower, "faithfulness", of_one_case=True),
    Demand("judges.arming.ac1", lower, "faithfulness", of_one_case=True),
    Demand("judges.arming.false_block", higher, "faithfulness", of_one_case=True),
    Demand("judges.arming.false_pass", higher, "faithfulness", of_one_case=True),
)
# Keys of a case, in the order they are told in.
OF_A_CASE = (
    Demand("must_contain", fewer, "behaviour"),
    Demand("must_not_contain", fewer, "behaviour"),
    Demand("expected_tools", fewer, "behaviour"),
    Demand("forbidden_tools", fewer, "behaviour"),
    Demand("required_source_ids", fewer, "context_recall"),
    Demand("required_quotes", fewer, "context_recall"),
    Demand("required_points", fewer, "point_coverage"),
    Demand("criteria", fewer, "criteria"),
    Demand("expect", other, "faithfulness"),
    Demand("max_latency_ms", higher, "slow"),
    Demand("custom_check", other, "behaviour"),
    Demand("released", switched_off, "must_release"),
    Demand("principals", more, "admissibility"),
)
# How answers are read: they are read both ways.
READ_BY = ("language", "citation_markers")
_BY_KEY: Mapping[str, Demand] = {demand.key: demand for demand in SETTINGS}


class SettingChanges(NamedTuple):
    """What demands less, and what demands more; each in the order of the policy."""

    weaker: tuple[SettingChange, ...]
    stricter: tuple[SettingChange, ...]


def setting_changes(before: Policy, after: Policy) -> SettingChanges:
    """Compare two policies, without their waivers.

    Args:
        before: The baseline's.
        after: The head's.
    """
    return changes_between(_settings(before), _settings(after))


def changes_between(before: Mapping[str, object], after: Mapping[str, object]) -> SettingChanges:
    """Compare settings by key; a key that one side lacks is unknown there, and is no change.

    Args:
        before: The baseline's.
        after: The head's.
    """
    found: tuple[list[SettingChange], list[SettingChange]] = ([], [])
    for key, was in before.items():
        if key not in after or was == after[key]:
            continue
        demand = demand_of(key)
        if demand is not None and not _is_idle(key, before, after):
            for is_weaker, change in _changes(key, demand.weaker, was, after[key]):
                found[not is_weaker].append(change)
    return SettingChanges(tuple(found[0]), tuple(found[1]))


def decides_single_cases(change: SettingChange) -> bool:
    """Whether a setting decides how a single case comes out."""
    demand = demand_of(change.setting)
    return demand is not None and demand.of_one_case


def demand_of(key: str) -> Demand | None:
    """The entry of a key; None of one that demands nothing."""
    return _BY_KEY.get(key) or _BY_KEY.get(f"*.{key.partition('.')[2]}")


def _settings(policy: Policy) -> dict[str, object]:
    """The settings of a policy, by key; without those that an earlier version did not keep, or that ask nothing."""
    found: dict[str, object] = {}
    if policy.target is not None:
        found |= {"target.kind": policy.target, "target.labelled": policy.labelled}
    found["pipeline.citations"] = policy.citations
    found |= {name: value for name in READ_BY if (value := getattr(policy, name)) is not None}
    for gate, rule in policy.gates:
        # A gate without a default has its bar alone while no suite sets it.
        found |= {f"{gate}.max": None} if rule is None else dict(_leaves(gate, rule))
    return found | {
        **_slice_settings(policy.slices),
        "enforce": policy.enforce,
        "pipeline.context": "none" if policy.no_context else "reported",
    }


def _leaves(name: str, rule: BaseModel) -> Iterator[tuple[str, object]]:
    for field, value in rule:
        if isinstance(value, BaseModel):
            yield from _leaves(f"{name}.{field}", value)
        else:
            yield f"{name}.{field}", value


def _slice_settings(slices: Slices) -> dict[str, object]:
    entries: dict[str, object] = {"slices.by": slices.by, "slices.protected": tuple(sorted(slices.protected_names))}
    if slices.watched_only:
        # Then nothing is asked of any slice.
        return entries
    return {"slices.min": slices.min, "slices.min_cases": slices.min_cases, **entries}


def _is_idle(key: str, before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    """Whether it is a key of a gate that is off or not set on both sides, so that no value of it asks for anything."""
    level = f"{key.partition('.')[0]}.level"
    if level not in before and level not in after:
        return False
    return before.get(level, "off") == "off" and after.get(level, "off") == "off"


def _changes(key: str, weaker: Direction, was: Any, now: Any) -> Iterator[tuple[bool, SettingChange]]:
    """One change; of a list one for each entry that is gone, then for each that has come."""
    from raggate_action.schema.policy_change import SettingChange

    if weaker is not fewer:
        yield (
            weaker(was, now),
            SettingChange(setting=key, before=_word(was), after=_word(now), share=isinstance(was, Decimal)),
        )
        return
    for entry in was:
        if entry not in now:
            yield True, SettingChange(setting=key, before=entry, after=None)
    for entry in now:
        if entry not in was:
            yield False, SettingChange(setting=key, before=None, after=entry)


def _word(value: object) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return None if value is None else str(value)
