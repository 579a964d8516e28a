"""Attributes that are computed when they are first asked for, many of every case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

_T_co = TypeVar("_T_co", covariant=True)


class computed_once(Generic[_T_co]):  # noqa: N801  it is written as a decorator
    """`functools.cached_property` without the lock that Python 3.11 takes, in less than half the time.

    Two threads that ask at once may both compute it, and one of the two equal values is kept.
    """

    def __init__(self, compute: Callable[[Any], _T_co]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Remember under which name the value is kept in its instance, where it is found before this is asked again."""
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> _T_co: ...

    def __get__(self, instance: object | None, owner: type) -> _T_co | Self:
        """Compute it and keep it."""
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
