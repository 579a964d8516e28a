"""Whether two arms differ in one thing: by what is written of them, and by what they retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from raggate_action.schema.ab import Arm
from raggate_action.schema.ab_run import OneVariable, RetrievedApart, RetrievedStage, VersionApart

_STAGES: tuple[RetrievedStage, RetrievedStage] = ("candidates", "context")


class RetrievedIds(NamedTuple):
    """What an arm retrieved for a question; None is not reported.

    Attributes:
        candidates, context: Chunk ids in order.
    """

    candidates: tuple[str, ...] | None = None
    context: tuple[str, ...] | None = None


class BothRetrieved(NamedTuple):
    """What both arms retrieved for a question that both answered."""

    question_id: str
    control: RetrievedIds
    treatment: RetrievedIds


def one_variable(
    arms: tuple[Arm, Arm], retrieved: Iterable[BothRetrieved], versions: tuple[Mapping[str, str], Mapping[str, str]]
) -> OneVariable:
    """What two arms differ in.

    Args:
        arms: As they are written, control first, each with its target.
        retrieved: Of each question that both answered.
        versions: What each of them says it is made of.
    """
    control, treatment = arms
    models = control.model, treatment.model
    compared, apart, unreported = 0, list[RetrievedApart](), 0
    for each in retrieved:
        sides = each.control, each.treatment
        stages = [stage for stage in _STAGES if all(getattr(side, stage) is not None for side in sides)]
        compared += bool(stages)
        unreported += not stages
        found = next((one for stage in stages if (one := _apart(each, stage)) is not None), None)
        apart += [found] if found is not None else []
    return OneVariable(
        fields=tuple(_differing_paths(_plain(control), _plain(treatment))),
        same_model=None if None in models else models[0] == models[1],
        compared=compared,
        apart=tuple(apart),
        unreported=unreported,
        versions=tuple(_versions_apart(*versions)),
    )


def _plain(arm: Arm) -> dict[str, Any]:
    # What is waited for before the first question is part of no answer.
    written = arm.model_dump(mode="json", exclude_defaults=True, exclude={"target": {"ready"}})
    return {name: written.get(name) for name in Arm.model_fields}


def _differing_paths(control: Any, treatment: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Dotted paths of what differs, the deepest mappings' keys; lists are compared as a whole."""
    if isinstance(control, dict | None) and isinstance(treatment, dict | None) and control != treatment:
        below, above = control or {}, treatment or {}
        for key in dict.fromkeys((*below, *above)):
            yield from _differing_paths(below.get(key), above.get(key), (*path, key))
    elif control != treatment:
        yield ".".join(path)


def _apart(each: BothRetrieved, stage: RetrievedStage) -> RetrievedApart | None:
    control: tuple[str, ...] = getattr(each.control, stage)
    treatment: tuple[str, ...] = getattr(each.treatment, stage)
    if control == treatment:
        return None
    return RetrievedApart(
        question_id=each.question_id,
        stage=stage,
        control_only=tuple([chunk for chunk in control if chunk not in treatment]),
        treatment_only=tuple([chunk for chunk in treatment if chunk not in control]),
    )


def _versions_apart(control: Mapping[str, str], treatment: Mapping[str, str]) -> Iterator[VersionApart]:
    for key in dict.fromkeys((*control, *treatment)):
        if control.get(key) != treatment.get(key):
            yield VersionApart(key=key, control=control.get(key), treatment=treatment.get(key))
