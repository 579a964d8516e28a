"""Settings of two policies beside each other: which of them demand less, and which more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from pydantic import BaseModel

from raggate_action.schema.policy_change import SettingChange
from raggate_action.schema.run import Policy
from raggate_action.schema.slices import Slices

# How a gate's field is weakened. Every field of every gate is in one of them, which a test holds.
LOWER_IS_WEAKER = frozenset(
    {"min", "per_case", "must_contain", "must_not_contain", "expected_tool", "forbidden_tool", "latency"}
)
HIGHER_IS_WEAKER = frozenset({"max", "min_cases"})
# From strict to weak.
ORDERED: Mapping[str, tuple[str, ...]] = {"level": ("block", "warn", "off"), "scoring": ("strict", "lenient")}
# How answers are read: any other value may find fewer faults, so answers are read both ways.
READ_BY = ("language", "citation_markers")
# They decide how a single case comes out; the others are held against what was counted.
OF_ONE_CASE = frozenset({"per_case", "scoring", "penalties", "pipeline", "judges", *READ_BY})


class SettingChanges(NamedTuple):
    """What demands less, and what demands more; each in the order of the policy."""

    weaker: tuple[SettingChange, ...]
    stricter: tuple[SettingChange, ...]


def setting_changes(before: Policy, after: Policy) -> SettingChanges:
    """Hold two policies beside each other; waivers apart.

    Args:
        before: The baseline's.
        after: The head's.
    """
    found = [*_of_the_target(before, after), *_of_gates(before, after), *_of_slices(before.slices, after.slices)]
    if before.enforce != after.enforce:
        change = SettingChange(setting="enforce", before=_word(before.enforce), after=_word(after.enforce))
        found.append((before.enforce, change))
    if before.no_context != after.no_context:
        words = ["none" if policy.no_context else "reported" for policy in (before, after)]
        found.append((after.no_context, SettingChange(setting="pipeline.context", before=words[0], after=words[1])))
    if before.compares != after.compares and not _is_off(before.gates.ab):
        was, now = ("compared" if policy.compares else None for policy in (before, after))
        found.append((before.compares, SettingChange(setting="ab", before=was, after=now)))
    weaker = tuple([change for is_weaker, change in found if is_weaker])
    return SettingChanges(weaker, tuple([change for is_weaker, change in found if not is_weaker]))


def _of_the_target(before: Policy, after: Policy) -> Iterator[tuple[bool, SettingChange]]:
    """What is asked, and how what it says is read; nothing that an earlier version did not keep."""
    if before.target is not None and after.target is not None:
        if before.target != after.target:
            yield before.target != "recorded", _change("target.kind", before.target, after.target)
        if before.labelled != after.labelled:
            yield after.labelled, _change("target.labelled", before.labelled, after.labelled)
    if before.citations != after.citations:
        yield before.citations, _change("pipeline.citations", before.citations, after.citations)
    for name in READ_BY:
        was, now = getattr(before, name), getattr(after, name)
        if was is not None and now is not None and was != now:
            yield True, _change(name, *[" ".join(each) if isinstance(each, tuple) else each for each in (was, now)])


def judges_cases_otherwise(change: SettingChange) -> bool:
    """Whether a setting decides how a single case comes out."""
    return not OF_ONE_CASE.isdisjoint(change.setting.split("."))


def _of_gates(before: Policy, after: Policy) -> Iterator[tuple[bool, SettingChange]]:
    now = dict(after.gates)
    for gate, rule in before.gates:
        other = now[gate]
        if rule is None or other is None:
            yield from _set_or_not(gate, rule, other)
        elif not (_is_off(rule) and _is_off(other)):
            yield from _of_record(gate, rule, other)


def _set_or_not(gate: str, rule: BaseModel | None, other: BaseModel | None) -> Iterator[tuple[bool, SettingChange]]:
    """A gate without a default that one of the two suites sets."""
    one = rule or other
    if one is None or _is_off(one):
        return
    bar = _word(dict(one)["max"])
    yield (
        rule is not None,
        SettingChange(
            setting=f"{gate}.max", before=bar if rule is not None else None, after=bar if other is not None else None
        ),
    )


def _is_off(rule: BaseModel) -> bool:
    return dict(rule).get("level") == "off"


def _of_record(name: str, rule: BaseModel, other: BaseModel) -> Iterator[tuple[bool, SettingChange]]:
    now = dict(other)
    for field, value in rule:
        after = now[field]
        if value == after:
            continue
        if isinstance(value, BaseModel):
            yield from _of_record(f"{name}.{field}", value, after)
        elif (is_weaker := _is_weaker(field, value, after)) is not None:
            yield is_weaker, _change(f"{name}.{field}", value, after)


def _is_weaker(field: str, before: object, after: object) -> bool | None:
    """Whether the second value of two demands less; None for a field that demands nothing."""
    if (order := ORDERED.get(field)) is not None:
        return order.index(str(after)) > order.index(str(before))
    if field not in LOWER_IS_WEAKER | HIGHER_IS_WEAKER:
        return None
    fell = Decimal(str(after)) < Decimal(str(before))
    return fell if field in LOWER_IS_WEAKER else not fell


def _of_slices(before: Slices, after: Slices) -> Iterator[tuple[bool, SettingChange]]:
    for field in ("min", "min_cases"):
        values = dict(before)[field], dict(after)[field]
        # Where slices are only watched there is nothing that these ask for.
        if values[0] != values[1] and not (before.watched_only or after.watched_only):
            yield bool(_is_weaker(field, *values)), _change(f"slices.{field}", *values)
    for field in before.by:
        if field not in after.by:
            yield True, SettingChange(setting="slices.by", before=field, after=None)
    for field in after.by:
        if field not in before.by:
            yield False, SettingChange(setting="slices.by", before=None, after=field)
    for name in sorted(before.protected_names - after.protected_names):
        yield True, SettingChange(setting="slices.protected", before=name, after=None)
    for name in sorted(after.protected_names - before.protected_names):
        yield False, SettingChange(setting="slices.protected", before=None, after=name)


def _change(setting: str, before: object, after: object) -> SettingChange:
    return SettingChange(setting=setting, before=_word(before), after=_word(after), share=isinstance(before, Decimal))


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
