"""Which chunks of an evidence store not everybody may be shown, and what a run was held against: kept in `run.json`."""

from typing import Annotated

from pydantic import Field

from raggate_action.schema.base import Natural, Record

# Some 30 bytes each; a store with more is not compared.
RESTRICTED_AT_MOST = 100_000


class RestrictedChunks(Record):
    """Chunks that the same people may be shown.

    Attributes:
        principals: Who; empty is nobody.
        chunks: Their ids.
    """

    principals: tuple[str, ...] = ()
    chunks: Annotated[tuple[str, ...], Field(max_length=RESTRICTED_AT_MOST)]


class HeldAgainst(Record):
    """Whose demands a run's answers were judged by beside its own.

    Attributes:
        standard: Digest of the baseline's suite, cases and evidence.
        loosened: Chunks that more people may be shown than on the baseline, with those who might; the first of them.
        loosenings: How many there are.
    """

    standard: str
    loosened: tuple[tuple[str, tuple[str, ...]], ...] = ()
    loosenings: Natural = 0
