"""The two arms of an `ab:` section: the treatment made whole, and what each of them is asked by."""

from __future__ import annotations

from collections.abc import Mapping as Environment
from typing import NamedTuple

from raggate_action.schema.ab import Ab, Arm, ArmName
from raggate_action.schema.base import digest_of
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import TargetSection
from raggate_action.suite_files.nodes import Entry, Mapping, Node, child, written
from raggate_action.suite_files.variables import with_values

ARMS: tuple[ArmName, ArmName] = ("control", "treatment")


def with_whole_treatment(suite: Node | None) -> Node | None:
    """A suite file with its treatment written over its control, and every value where it was written.

    A control that names no target is asked where the suite is, and so the treatment is written over that.

    Args:
        suite: The file as it was read; None and what has no two arms are given back.
    """
    section = child(suite, "ab")
    control, treatment = child(section, "control"), child(section, "treatment")
    if not isinstance(suite, Mapping) or not isinstance(section, Mapping):
        return suite
    if not isinstance(control, Mapping) or not isinstance(treatment, Mapping):
        return suite
    below = control
    target = suite.get("target")
    if control.get("target") is None and treatment.get("target") is not None and target is not None:
        below = _with(control, "target", target)
    whole = _with(section, "treatment", _over(below, treatment))
    return _with(suite, "ab", whole)


def _over(below: Mapping, above: Mapping) -> Mapping:
    """`above` written over `below` key by key; a target of another kind replaces the whole of it."""
    kinds = [written(each.get("kind")) for each in (below, above)]
    if all(kinds) and len({kind.text for kind in kinds if kind is not None}) > 1:
        return above
    entries = dict(below.entries)
    for key, entry in above.entries.items():
        under = below.get(key)
        merged = isinstance(under, Mapping) and isinstance(entry.node, Mapping)
        node = _over(under, entry.node) if merged else entry.node  # type: ignore[arg-type]
        entries[key] = Entry(entry.key_mark, node)
    return Mapping(entries, above.mark)


def _with(mapping: Mapping, key: str, node: Node) -> Mapping:
    before = mapping.entries.get(key)
    mark = before.key_mark if before is not None else node.mark
    return Mapping({**mapping.entries, key: Entry(mark, node)}, mapping.mark)


def asked_sections(suite: Node | None) -> tuple[Node | None, ...]:
    """The `target:` sections that the arms are asked by, in order; none where the suite has no two arms."""
    section = child(suite, "ab")
    arms = [child(section, name) for name in ARMS]
    if not all(isinstance(arm, Mapping) for arm in arms):
        return ()
    own = [child(arm, "target") for arm in arms]
    return tuple([child(suite, "target") if each is None else each for each in own])


class AskedArm(NamedTuple):
    """An arm that can be asked.

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


def written_targets(ab: Ab, suite_target: TargetSection) -> tuple[TargetSection, TargetSection] | None:
    """The arms' targets as the file has them, control first; None where there are no two arms."""
    if ab.control is None or ab.treatment is None:
        return None
    return ab.control.target or suite_target, ab.treatment.target or suite_target


def asked_arms(suite: Suite, suite_target: TargetSection, environment: Environment[str, str]) -> tuple[AskedArm, ...]:
    """The arms of a suite, control first; none where it has no two.

    Args:
        suite: The suite.
        suite_target: Its target as the file has it, no variable read.
        environment: Where the variables come from.
    """
    ab = suite.ab
    if ab is None or ab.control is None or ab.treatment is None:
        return ()
    return tuple(
        [
            AskedArm(name, arm, target := arm.target or suite_target, with_values(target, environment))
            for name, arm in zip(ARMS, (ab.control, ab.treatment), strict=True)
        ]
    )
