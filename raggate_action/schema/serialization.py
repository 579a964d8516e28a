"""Records made ready to be written as whatever they are, not as what a field declares."""

from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

from raggate_action.schema.base import Record


@cache
def complete(kind: type[Record]) -> None:
    """Build the serializers of a record and of every record it may hold; once, later calls cost a look-up.

    Records are built when first used, and building one does not build those inside it. Before 2.14 pydantic refuses to
    write such a record where its type is not declared: below `SerializeAsAny`, or as a value of a plain mapping.
    """
    for record in _held_by(kind, set()):
        record.model_rebuild()


def _held_by(kind: type[Record], seen: set[type[Record]]) -> Iterator[type[Record]]:
    """`kind` and every record its fields may hold, each once."""
    seen.add(kind)
    yield kind
    for field in kind.model_fields.values():
        for inner in _records_in(field.annotation):
            if inner not in seen:
                yield from _held_by(inner, seen)


def _records_in(annotation: Any) -> Iterator[type[Record]]:
    """Every record an annotation names: `dict[str, Passed | Failed]` names two."""
    if isinstance(annotation, type) and issubclass(annotation, Record):
        yield annotation
    for part in get_args(annotation):
        yield from _records_in(part)
