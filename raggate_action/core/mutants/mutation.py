"""A mutation: one fault, how it is put in, and which gate has to catch it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from raggate_action.core.mutants.subject import Subject, TraceJson
from raggate_action.schema.outcome import GATES, GateName, StageName

# Returns the mutated trace, or None where the case has nothing to put the fault into.
Make = Callable[[Subject], TraceJson | None]


def _never(_subject: Subject) -> bool:
    return False


class Mutation(NamedTuple):
    """One kind of fault.

    Attributes:
        name: As people read it.
        gate: The gate that has to catch it.
        make: Puts it in.
        closes: What a user can write so that it is caught, for faults that depend on the case's labels.
        could: Whether suite and store have what the fault is made of, whatever the app answers: a kind that could be
            made and is not is named. Of kinds that only an answer decides on it is never said.
    """

    name: str
    gate: GateName
    make: Make
    closes: str = ""
    could: Callable[[Subject], bool] = _never

    @property
    def stage(self) -> StageName:
        """The stage a mutant must fail at first."""
        return GATES[self.gate].stage
