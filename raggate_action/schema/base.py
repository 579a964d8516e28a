"""The base of every record, and the two ways a number is kept: as counts and as an exact share."""

import hashlib
import json
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError


class Record(BaseModel):
    """Base of every record: immutable, closed against unknown keys, no silent conversion."""

    # Validators are built when first used: a command pays for the records it touches. Before 2.14 pydantic writes no
    # record that is not built where its type is not declared, below `SerializeAsAny` or in a plain mapping: such kinds
    # say `defer_build=False`.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, validate_default=False, defer_build=True)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Itself: what cannot change needs no copy."""
        return self


# Far above anything that is measured: what stays below can be added up, rounded and printed.
_LARGEST_NUMBER = 2**63 - 1
_LARGEST_AMOUNT = 1e12
Natural = Annotated[int, Field(ge=0, le=_LARGEST_NUMBER)]
Positive = Annotated[int, Field(ge=1, le=_LARGEST_NUMBER)]
# Milliseconds or US dollars.
Amount = Annotated[float, Field(ge=0, le=_LARGEST_AMOUNT)]
# Amounts of a whole run.
Total = Annotated[float, Field(ge=0, le=1e18)]
AmountLimit = Annotated[float, Field(gt=0, le=_LARGEST_AMOUNT)]
Percent = Annotated[float, Field(ge=0, le=100)]
UnitScore = Annotated[float, Field(ge=0, le=1)]
# The finest share that is written: a third as a computer writes it has sixteen decimals.
_FINEST_SHARE = Decimal("1e-20")


def see_part(part: int | None, whole: int | None) -> None:
    """See that a count is no larger than what it is counted in; None is not counted.

    Raises:
        PydanticCustomError: It is larger.
    """
    if part is not None and whole is not None and part > whole:
        raise PydanticCustomError("part", "{part} of {whole} is more than all", {"part": part, "whole": whole})


class Rate(Record):
    """How often something held, kept as two counts.

    Attributes:
        hits: How many held; 0 <= hits <= total.
        total: How many were scored. What could not be scored is not in it.
    """

    hits: Natural
    total: Natural

    @model_validator(mode="after")
    def _is_a_share(self) -> Self:
        # Without a call where it holds: rates are what rows have most of.
        if self.hits > self.total:
            see_part(self.hits, self.total)
        return self

    @property
    def value(self) -> float:
        """Share in [0, 1]; 0.0 for 0 of 0, as the trace gates define the empty answer and the empty context."""
        return self.hits / self.total if self.total else 0.0


def parse_share(value: Any) -> Decimal:
    """Read `95%`, `0.95` or `1` as an exact share in [0, 1]; a bare number above 1 is refused as ambiguous."""
    text = str(value).strip()
    percent = text.endswith("%")
    try:
        number = Decimal(text[:-1].strip() if percent else text)
    except InvalidOperation:
        number = Decimal("NaN")
    if isinstance(value, bool) or not number.is_finite():
        raise PydanticCustomError("share", "a share is written 95% or 0.95")
    share = number / 100 if percent else number
    if not 0 <= share <= 1:
        raise PydanticCustomError("share", "a share lies between 0 and 1: write 95% or 0.95")
    if share != share.quantize(_FINEST_SHARE):
        # `1e-999999999` would be written out with all its zeros.
        raise PydanticCustomError("share", "a share has at most 20 decimals: write 95% or 0.95")
    return share


# Exact, so that 19 of 20 meets 95 % by integer arithmetic and never by luck of rounding.
Share = Annotated[
    Decimal,
    BeforeValidator(parse_share),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": 1},
                {"type": "string", "pattern": r"^\s*[0-9]+(\.[0-9]+)?\s*%?\s*$"},
            ],
            "examples": ["95%", 0.95],
        }
    ),
]


@lru_cache(maxsize=4096)
def rate_of(hits: int, total: int) -> Rate:
    """The rate of these counts; one record for equal ones, of which a run has many."""
    return Rate(hits=hits, total=total)


def meets(rate: Rate, bar: Decimal) -> bool:
    """Whether `rate` reaches `bar`, decided on counts. 0 of 0 reaches nothing but a bar of 0."""
    if rate.hits == rate.total:
        return rate.total > 0 or bar == 0
    return rate.hits >= bar * rate.total


def parse_moment(value: Any) -> datetime:
    """Read an ISO 8601 date or date-time; without a zone it is UTC, and a bare date is its first moment."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise PydanticCustomError("moment", "write a date or time as 2026-06-02 or 2026-06-02T09:00:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Moment = Annotated[
    datetime, BeforeValidator(parse_moment), WithJsonSchema({"type": "string", "examples": ["2026-06-02T09:00:00Z"]})
]


def day_of(moment: str) -> date:
    """The day of a stored moment, in UTC."""
    return parse_moment(moment).astimezone(UTC).date()


def _moment_text(value: str) -> str:
    try:
        day_of(value)
    except OverflowError:
        # The first and the last day there is, in another zone.
        raise PydanticCustomError("moment", "write a date or time as 2026-06-02 or 2026-06-02T09:00:00Z") from None
    return value


# A moment as it was written, which is shown as that.
MomentText = Annotated[str, AfterValidator(_moment_text)]


# Made once: `json.dumps` makes one per call, a third of the time a case's digest takes.
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value: Any) -> bytes:
    """One spelling for one value: keys sorted, no spaces, UTF-8."""
    return _CANONICAL.encode(value).encode()


def digest_of(value: Any) -> str:
    """Digest of a JSON value: the first 128 bits of SHA-256 over its canonical JSON, in hex."""
    return hashlib.sha256(canonical_json(value)).hexdigest()[:32]


def digest_of_text(text: str) -> str:
    """Digest of a text: the first 128 bits of SHA-256 over its UTF-8 bytes (lone surrogates replaced), in hex."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]
