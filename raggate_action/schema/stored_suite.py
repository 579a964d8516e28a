"""A suite as its run keeps it: data alone, from which nobody can be asked and nothing started. `suite.json`."""

from typing import Literal, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.base import Record
from raggate_action.schema.case import Case
from raggate_action.schema.later import PanelRules, Waiver
from raggate_action.schema.policy import Gates
from raggate_action.schema.slices import Slices
from raggate_action.schema.suite import Pipeline


class StoredSuite(Record):
    """A suite without target, address, command, path or passage: of these it holds digests, to tell that one changed.

    Attributes:
        suite, gates, slices, waivers, enforce, pipeline, language, citation_markers: As in the suite.
        kind: The kind of its target.
        labelled: It vouches for labels inside its recorded traces.
        judges: What it says of who decides; None without judges.
        readers: Who may be shown which chunk, of those that not everybody may be shown; nobody is empty. None without
            an evidence store, and where there are too many.
        digests: Of the keys of its target, its judges, its own addresses, the files of its cases' own checks, and the
            cases that bring their own trace.
        known_bad: Digests of its known-bad cases.
        withheld: Demands that repeat what their asker may not read, by case: the field, and a digest.
        cases: The other cases, in order.
    """

    schema_version: Literal[1] = 1
    suite: str
    gates: Gates
    slices: Slices
    waivers: tuple[Waiver, ...] = ()
    enforce: bool = True
    pipeline: Pipeline | None = None
    language: str
    citation_markers: tuple[str, ...]
    kind: str
    labelled: bool = False
    judges: PanelRules | None = None
    readers: dict[str, tuple[str, ...]] | None = None
    digests: dict[str, str] = {}
    known_bad: dict[str, str] = {}
    withheld: dict[str, tuple[tuple[str, str], ...]] = {}
    cases: tuple[Case, ...] = ()

    @model_validator(mode="after")
    def _holds_no_trace(self) -> Self:
        for case in self.cases:
            if case.trace is not None:
                who = {"case": case.case_id}
                raise PydanticCustomError("suite", "case {case} has a trace, which no suite.json keeps", who)
        return self
