"""What came of asking a model to write findings from an aggregate's numbers: a line that a later run can read back."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from raggate_action.schema.ab_findings import Finding, Rejection
from raggate_action.schema.base import Amount, Natural, Record
from raggate_action.schema.judgement import Lost, Usage


class Synthesis(Record):
    """One model asked once, and once more where what it wrote was not accepted.

    Attributes:
        judge: The model's name in the suite.
        fingerprint: Digest of what it is.
        prompt: Digest of the prompt's constant part.
        key: Digest of model, prompt and every number it was given: equal keys ask the same.
        findings: What it wrote, each of them held against the aggregate; empty where it was lost or not accepted.
        rejection: Why not; None where it was, and where it was lost.
        lost: Why there is no reply that could be read; None where there is one.
        usage, calls, cost_usd, reused: As in `Judgement`.
    """

    judge: str
    fingerprint: str
    prompt: str
    key: str
    findings: tuple[Finding, ...] = ()
    rejection: Rejection | None = None
    lost: Lost | None = None
    usage: Usage = Usage()
    calls: Natural = 0
    cost_usd: Amount | None = None
    reused: bool = False

    @model_validator(mode="after")
    def _is_one_of_three(self) -> Self:
        if sum([bool(self.findings), self.rejection is not None, self.lost is not None]) != 1:
            raise PydanticCustomError("synthesis", "findings were written, or not accepted, or the call was lost")
        return self

    @property
    def refused(self) -> Rejection | None:
        """Why it wrote nothing that stands; None where it did."""
        return self.rejection if self.lost is None else Rejection(code="no-reply", found=self.lost.detail)
