"""Whether two arms differ in one thing: by what is written of them, and by what they retrieved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from raggate_action.schema.ab import Arm
from raggate_action.schema.ab_run import OneVariable, RetrievedApart, RetrievedStage, VersionApart

STAGES: tuple[RetrievedStage, ...] = ("candidates", "context")
# Stage -> chunk ids in order, of each stage that an arm reports.
Retrieved: TypeAlias = Mapping[RetrievedStage, tuple[str, ...]]


def one_variable(
    arms: Sequence[Arm],
    retrieved: Iterable[tuple[str, Retrieved | None, Retrieved | None]],
    versions: tuple[Mapping[str, str], Mapping[str, str]],
) -> OneVariable:
    """What two arms differ in.

    Args:
        arms: As they are written, control first, each with its target.
        retrieved: Question id, and what each arm retrieved for it; None where an arm did not answer.
        versions: What each of them says it is made of.
    """
    control, treatment = arms
    models = control.model, treatment.model
    compared, apart, unreported = 0, list[RetrievedApart](), 0
    for question_id, below, above in retrieved:
        if below is None or above is None:
            continue
        stages = [stage for stage in STAGES if stage in below and stage in above]
        compared += bool(stages)
        unreported += not stages
        parted = next((stage for stage in stages if below[stage] != above[stage]), None)
        if parted is not None:
            ids, others = below[parted], above[parted]
            apart.append(
                RetrievedApart(
                    question_id=question_id,
                    stage=parted,
                    control_only=tuple([chunk for chunk in ids if chunk not in others]),
                    treatment_only=tuple([chunk for chunk in others if chunk not in ids]),
                )
            )
    return OneVariable(
        fields=tuple(_differing_paths(_plain(control), _plain(treatment))),
        same_model=None if None in models else models[0] == models[1],
        compared=compared,
        apart=tuple(apart),
        unreported=unreported,
        versions=tuple(
            [
                VersionApart(key=key, control=versions[0].get(key), treatment=versions[1].get(key))
                for key in dict.fromkeys((*versions[0], *versions[1]))
                if versions[0].get(key) != versions[1].get(key)
            ]
        ),
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
