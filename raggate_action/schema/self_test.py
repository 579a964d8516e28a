"""The self-test: whether the run's gates catch faults put into its own passing traces."""

from operator import not_
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Natural, Record, see_part
from raggate_action.schema.outcome import GateName, StageName

# Mutants judged of each kind of fault, which bounds what a self-test costs and what one can claim.
MUTANTS_EACH = 3
_UpToEach = Annotated[int, Field(ge=0, le=MUTANTS_EACH)]

# Faults of the evidence path, and those that need no label, must all be caught; others of the answer depend on the
# case's labels and advise.
MutationKind: TypeAlias = Literal["integrity", "answer", "plain"]
MUST_BE_CAUGHT: tuple[MutationKind, ...] = ("integrity", "plain")


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
        killed: Those that failed first at the gate's stage; of faults that need no label, those that the gate failed.
        equivalent: Mutants that turned out to say the same as their originals; not counted in `made`.
        unmeasured: Mutants that a fault of raggate kept from being judged; not counted in `made` either.
        survivors: The others, each by its case.
    """

    mutation: str
    kind: MutationKind
    gate: GateName
    made: _UpToEach
    killed: _UpToEach
    equivalent: _UpToEach = 0
    unmeasured: int = Field(default=0, ge=0, le=MUTANTS_EACH, exclude_if=not_)
    survivors: tuple[Survivor, ...] = ()

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        see_part(self.killed, self.made)
        if (
            self.made + self.equivalent + self.unmeasured > MUTANTS_EACH
            or len(self.survivors) != self.made - self.killed
        ):
            raise PydanticCustomError("self_test", "mutants made, killed and surviving do not add up")
        return self


class SelfTest(Record):
    """What became of all mutants of a run.

    Attributes:
        originals: Passing cases that mutants were made of; without one nothing was tested.
        results: One for each kind of fault that could be put into any of them.
        not_made: Kinds that suite and store could yield, and that no passing case gave anything for.
    """

    originals: Natural
    results: tuple[MutationResult, ...] = ()
    not_made: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        if len({result.mutation for result in self.results}) < len(self.results):
            raise PydanticCustomError("self_test", "a kind of fault is listed twice")
        return self

    @property
    def unmeasured(self) -> int:
        """Mutants that a fault of raggate kept from being judged."""
        return sum(result.unmeasured for result in self.results)

    @property
    def inert(self) -> tuple[GateName, ...]:
        """Gates that no mutant of theirs could fail, though some were made."""
        made = dict.fromkeys([result.gate for result in self.results if result.made])
        killed = {result.gate for result in self.results if result.killed}
        return tuple([gate for gate in made if gate not in killed])

    def counts(self, kind: MutationKind) -> tuple[int, int]:
        """How many mutants of a kind were killed, and how many were made."""
        of_kind = [result for result in self.results if result.kind == kind]
        return sum(result.killed for result in of_kind), sum(result.made for result in of_kind)

    @property
    def demanded(self) -> tuple[int, int]:
        """How many mutants were killed of those that must be, and how many of these were made."""
        both = [self.counts(kind) for kind in MUST_BE_CAUGHT]
        return sum(killed for killed, _made in both), sum(made for _killed, made in both)
