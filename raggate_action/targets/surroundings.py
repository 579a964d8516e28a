"""Where a target is asked from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from raggate_action.isolation.child_user import ChildUser
from raggate_action.schema.evidence import EvidenceStore

MappingRecord: TypeAlias = Literal["new", "worked before", "works"]


def unheard(_line: str) -> None:
    """Where nobody looks on."""


class Surroundings(NamedTuple):
    """Where a target is asked from.

    Attributes:
        directory: The suite's; paths and programs are relative to it.
        environment: Our own environment, of which a child learns only what `child_environment` lets through.
        child_user: Whom programs run as; ourselves when None.
        secrets: Struck from every reply as it comes in, before anything is judged or stored.
        tell: Shows a line while the run goes on.
        mapping: What is known of the suite's `response` mapping: nobody has seen it work, it worked on the baseline
            with the same target, or it works in this run.
        evidence: The evidence store, by which replies are read; None without one.
        asks_context: The suite wants every answer to come with its context.
    """

    directory: Path
    environment: Mapping[str, str]
    child_user: ChildUser | None = None
    secrets: tuple[str, ...] = ()
    tell: Callable[[str], object] = unheard
    mapping: MappingRecord = "new"
    evidence: EvidenceStore | None = None
    asks_context: bool = False
