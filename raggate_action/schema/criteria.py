"""What people write that an answer must do or must not do, in words that judges hold it against."""

from typing import Annotated, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Record

NonBlank = Annotated[str, Field(pattern=r"\S")]


class MustNot(Record):
    """Something an answer must not do.

    Attributes:
        must_not: What, as one would say it of an answer that does: `names a dish as safe`.
    """

    must_not: NonBlank


# What an answer must do, as one says it of an answer that does (`says that the kitchen cannot rule out traces`); or
# what it must not do.
Criterion: TypeAlias = NonBlank | MustNot


def words_of(criterion: Criterion) -> str:
    """What an answer does or does not do, whichever of them is right."""
    return criterion if isinstance(criterion, str) else criterion.must_not


def with_criteria(own: tuple[Criterion, ...], further: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
    """Criteria with further ones behind them, each once."""
    return tuple(dict.fromkeys((*own, *further)))
