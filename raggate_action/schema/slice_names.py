"""Which slices a case belongs to, by name."""

from __future__ import annotations

from raggate_action.schema.case import Case

_FIELDS = frozenset(Case.model_fields)


def slice_names(case: Case, by: tuple[str, ...]) -> tuple[str, ...]:
    """`field=value` for every field of `by` the case has a value for; one name per tag for `tags`.

    A field is one of the case's own (`workflow`, `category`, `expect`, ...), else a key of its `input`.
    """
    names: list[str] = []
    for field in by:
        value = getattr(case, field) if field in _FIELDS else _of_input(case, field)
        values = value if isinstance(value, tuple | list) else (value,)
        names += [f"{field}={_spelled(item)}" for item in values if isinstance(item, str | int | float)]
    return tuple(dict.fromkeys(names))


def _spelled(value: str | float) -> str:
    """A value as files write it: `true`, where Python has `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _of_input(case: Case, key: str) -> object:
    return case.input.get(key) if isinstance(case.input, dict) else None
