"""Every rule by which two arms are held to differ in one thing, how to turn it off, and what shows it.

Rows for `tests.rule_switches`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

from raggate_action.schema.ab import Arm
from raggate_action.schema.target import CommandTarget

Core: TypeAlias = dict[str, ModuleType]
Example: TypeAlias = Callable[[Core], Any]
Stages: TypeAlias = tuple[tuple[str, ...] | None, tuple[str, ...] | None]

_SAME: Stages = (("a", "b"), ("a",))
_MODULE = "ab.one_variable"


def arm(model: str | None = "m", **env: str) -> Arm:
    return Arm(model=model, target=CommandTarget(kind="command", command=("app",), env=env))


def differ(
    *retrieved: tuple[Stages, Stages], control: Arm | None = None, treatment: Arm | None = None, **versions: str
) -> Example:
    """What two arms are found to differ in."""

    def example(core: Core) -> Any:
        module = core[_MODULE]
        both = [
            module.BothRetrieved(f"q{at}", module.RetrievedIds(*one), module.RetrievedIds(*other))
            for at, (one, other) in enumerate(retrieved or [(_SAME, _SAME)])
        ]
        arms = (control or arm(), treatment or arm(TOOL="on"))
        return module.one_variable(arms, both, ({"tool": "1"}, {"tool": "1", **versions})).model_dump()

    return example


ONE_VARIABLE_RULES = [
    ("arms: a model that nobody names is not the same", _MODULE, "None if None in models else ", "", differ(control=arm(None), treatment=arm(None, TOOL="on"))),
    ("arms: a key of a mapping is named by its path", _MODULE, "isinstance(control, dict | None) and isinstance(treatment, dict | None) and control != treatment", "False", differ()),
    ("arms: what is the same on both sides is no difference", _MODULE, "    elif control != treatment:", "    else:", differ()),
    ("arms: the order of what was retrieved counts", _MODULE, "if control == treatment:", "if set(control) == set(treatment):", differ((_SAME, (("b", "a"), ("a",))))),
    ("arms: what was shown is compared as well", _MODULE, "for stage in _STAGES if", "for stage in _STAGES[:1] if", differ((_SAME, (("a", "b"), ("b",))))),
    ("arms: what nobody reports is counted apart", _MODULE, "unreported += not stages", "unreported += 0", differ((_SAME, (None, None)))),
    ("arms: a version that differs is told", _MODULE, "if control.get(key) != treatment.get(key):", "if False:", differ(tool="2")),
]  # fmt: skip
