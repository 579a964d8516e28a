"""The `ab:` section: its two arms with their targets, its judges, and labs that they share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from raggate_action.schema.arm_names import ARMS, ArmName
from raggate_action.schema.base import digest_of
from raggate_action.schema.later import Ab, Arm, Member, SharedLabs
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import TargetSection
from raggate_action.suite_files.located_tree import Entry, MappingNode, Node, child, written_text
from raggate_action.suite_files.problems import name_text
from raggate_action.suite_files.target_section import with_values


def with_whole_treatment(suite: Node) -> Node:
    """A suite file with its treatment written over its control, and every value where it was written.

    A control that names no target is asked where the suite is, and so the treatment is written over that.

    Args:
        suite: The file as it was read; what has no two arms is given back.
    """
    section = child(suite, "ab")
    control, treatment = child(section, "control"), child(section, "treatment")
    if not isinstance(suite, MappingNode) or not isinstance(section, MappingNode):
        return suite
    if not isinstance(control, MappingNode) or not isinstance(treatment, MappingNode):
        return suite
    below = control
    target = suite.get("target")
    if control.get("target") is None and treatment.get("target") is not None and target is not None:
        below = _with(control, "target", target)
    whole = _with(section, "treatment", _over(below, treatment))
    return _with(suite, "ab", whole)


def _over(below: MappingNode, above: MappingNode) -> MappingNode:
    """`above` written over `below` key by key; a target of another kind replaces the whole of it."""
    kinds = [written_text(each, "kind") for each in (below, above)]
    if all(kinds) and len({kind.text for kind in kinds if kind is not None}) > 1:
        return above
    entries = dict(below.entries)
    for key, entry in above.entries.items():
        under = below.get(key)
        merged = isinstance(under, MappingNode) and isinstance(entry.node, MappingNode)
        node = _over(under, entry.node) if merged else entry.node  # type: ignore[arg-type]
        entries[key] = Entry(entry.key_mark, node)
    return MappingNode(entries, above.mark)


def _with(mapping: MappingNode, key: str, node: Node) -> MappingNode:
    before = mapping.entries.get(key)
    mark = before.key_mark if before is not None else node.mark
    return MappingNode({**mapping.entries, key: Entry(mark, node)}, mapping.mark)


class RunArm(NamedTuple):
    """An arm with its target.

    Attributes:
        name: Which.
        arm: As it is written.
        written: Its target as the file has it, no variable read.
        target: The same, its variables replaced by their values.
    """

    name: ArmName
    arm: Arm
    written: TargetSection
    target: TargetSection

    @property
    def digest(self) -> str:
        """Digest of its target; no value of the environment is in it."""
        return digest_of(self.written.model_dump(mode="json", exclude_defaults=True))


def run_arms(suite: Suite, suite_target: TargetSection, environment: Mapping[str, str]) -> tuple[RunArm, ...]:
    """The arms of a suite, control first; empty without two arms.

    Args:
        suite: The suite.
        suite_target: Its target as the file has it, no variable read.
        environment: Where the variables come from.
    """
    ab = suite.ab
    if ab is None:
        return ()
    return tuple(
        [
            RunArm(name, arm, target := arm.target or suite_target, with_values(target, environment))
            for name, arm in zip(ARMS, (ab.control, ab.treatment), strict=True)
        ]
    )


def members_of(suite: Suite) -> tuple[Member, ...]:
    """The judges of a comparison, in order and without unknown names; empty without a comparison."""
    named = suite.ab.judges if suite.ab is not None else ()
    return tuple([member for each in named if (member := _member(each, suite)) is not None])


def synthesizer_of(suite: Suite) -> Member | None:
    """Who writes findings from the counts; None leaves it to rules."""
    ab = suite.ab
    if ab is None or ab.synthesizer is None:
        return None
    own = {each.name: each for each in ab.judges if not isinstance(each, str)}
    named = ab.synthesizer
    return own[named] if isinstance(named, str) and named in own else _member(named, suite)


def _member(named: str | Member, suite: Suite) -> Member | None:
    if not isinstance(named, str):
        return named
    panel = suite.judges.panel if suite.judges is not None else ()
    return next((member for member in panel if member.name == named), None)


def shared_labs(suite: Suite) -> tuple[SharedLabs, ...]:
    """Labs of two judges, or of a judge and an arm; by the first judge of each."""
    from raggate_action.schema.ab_run import SharedLabs

    ab = suite.ab
    if ab is None:
        return ()
    found: dict[str, list[Member]] = {}
    for member in members_of(suite):
        found.setdefault(member.lab.casefold(), []).append(member)
    shared = []
    for lab, members in found.items():
        arms = tuple([name for name in ARMS if (own := lab_of(ab, name)) is not None and own.casefold() == lab])
        if len(members) > 1 or arms:
            judges = tuple([member.name for member in members])
            shared.append(SharedLabs(lab=members[0].lab, judges=judges, arms=arms))
    return tuple(shared)


def shared_lab_text(shared: SharedLabs) -> str:
    """Who is of one lab, and of which."""
    arms = [f"the {arm}'s model" for arm in shared.arms]
    judges = [f"judge {name_text(name)}" for name in shared.judges]
    return f"{', '.join([*judges, *arms])} are of one lab ({name_text(shared.lab)})"


def lab_of(ab: Ab, name: ArmName) -> str | None:
    """Who trained the model of an arm, as far as the suite says."""
    return (ab.control if name == "control" else ab.treatment).lab
