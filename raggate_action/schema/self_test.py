"""The self-test: whether the run's gates catch faults put into its own passing traces."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from raggate_action.schema.base import Record
from raggate_action.schema.outcome import GateName, StageName

# Faults of the evidence path must all be caught; those of the answer depend on the case's labels and advise.
MutationKind: TypeAlias = Literal["integrity", "answer"]


class Survivor(Record):
    """A mutant that was not caught where it had to be.

    Attributes:
        case_id: Whose trace it was made of.
        ended: The stage it failed at instead; None when it passed.
        closes: What the user can write so that it is caught; empty where nothing of the user's would.
    """

    case_id: str
    ended: StageName | None = None
    closes: str = ""


class MutationResult(Record):
    """One kind of fault over the run.

    Attributes:
        mutation: Its name.
        kind: Whether all must be caught.
        gate: The gate that has to catch it.
        made: Mutants judged; a mutant that says the same as its original is none.
        killed: Those that failed first at the gate's stage.
        equivalent: Mutants that turned out to say the same as their originals; not counted in `made`.
        survivors: The others, at most ten; `made - killed` counts them all.
    """

    mutation: str
    kind: MutationKind
    gate: GateName
    made: Annotated[int, Field(ge=0)]
    killed: Annotated[int, Field(ge=0)]
    equivalent: Annotated[int, Field(ge=0)] = 0
    survivors: tuple[Survivor, ...] = ()


class SelfTest(Record):
    """What became of all mutants of a run.

    Attributes:
        originals: Passing cases that mutants were made of; without one nothing was tested.
        results: One for each kind of fault that could be put into any of them.
        inert: Gates that no mutant of theirs could fail, though some were made.
    """

    originals: Annotated[int, Field(ge=0)]
    results: tuple[MutationResult, ...] = ()
    inert: tuple[GateName, ...] = ()

    def counts(self, kind: MutationKind) -> tuple[int, int]:
        """How many mutants of a kind were killed, and how many were made."""
        of_kind = [result for result in self.results if result.kind == kind]
        return sum(result.killed for result in of_kind), sum(result.made for result in of_kind)
