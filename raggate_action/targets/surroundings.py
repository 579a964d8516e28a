"""Where a target is asked from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from raggate_action.isolation.child_user import ChildUser


class Surroundings(NamedTuple):
    """Where a target is asked from.

    Attributes:
        directory: The suite's; paths and programs are relative to it.
        environment: Our own environment, of which a child learns only what `child_environment` lets through.
        child_user: Whom programs run as; ourselves when None.
        secrets: Struck from every reply as it comes in, before anything is judged or stored.
    """

    directory: Path
    environment: Mapping[str, str]
    child_user: ChildUser | None = None
    secrets: tuple[str, ...] = ()
