"""How results are cut into slices, what each must reach, and which slices a case belongs to, by name."""

from decimal import Decimal

from raggate_action.schema.base import Positive, Record, Share
from raggate_action.schema.case import Case, NonEmpty

# What people fill in to group their cases, and so what is worth a look where a suite says nothing of slices.
_WATCHED = ("workflow", "category")


class Slices(Record):
    """How results are cut, and what each slice must reach.

    Attributes:
        by: Case fields (`workflow`, `category`, `expect`, a key of `input`) or `tags`. With neither this nor
            `protected`, results are cut by workflow and category, and watched only.
        min: Share of a slice's scored cases that must pass.
        min_cases: Smaller slices are watched, not judged.
        protected: Field -> values whose slices are judged at any size and must pass whole.
    """

    by: tuple[NonEmpty, ...] = ()
    min: Share = Decimal("0.95")
    min_cases: Positive = 20
    protected: dict[str, tuple[NonEmpty, ...]] = {}

    @property
    def watched_only(self) -> bool:
        """Whether the suite asks nothing of any slice: they are shown, and no gate looks at them."""
        return not (self.by or self.protected)

    @property
    def cut_by(self) -> tuple[str, ...]:
        """The fields results are cut by; a protected one counts whether or not `by` names it as well."""
        return _WATCHED if self.watched_only else tuple(dict.fromkeys((*self.by, *self.protected)))

    @property
    def protected_names(self) -> frozenset[str]:
        """The protected slices by name, as `field=value`."""
        return frozenset([f"{field}={value}" for field, values in self.protected.items() for value in values])


_FIELDS = frozenset(Case.model_fields)


def slice_names(case: Case, by: tuple[str, ...]) -> tuple[str, ...]:
    """`field=value` for every field of `by` the case has a value for; one name per tag for `tags`.

    A field is one of the case's own (`workflow`, `category`, `expect`, ...), else a key of its `input`.
    """
    names: list[str] = []
    for field in by:
        value = getattr(case, field) if field in _FIELDS else _of_input(case, field)
        if type(value) is str:
            names.append(f"{field}={value}")
            continue
        values = value if isinstance(value, tuple | list) else (value,)
        names += [f"{field}={_spelled(item)}" for item in values if isinstance(item, str | int | float)]
    return tuple(dict.fromkeys(names) if len(names) > 1 else names)


def _spelled(value: str | float) -> str:
    """A value as files write it: `true`, where Python has `True`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _of_input(case: Case, key: str) -> object:
    return case.input.get(key) if isinstance(case.input, dict) else None
