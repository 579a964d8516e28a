"""What a file of judge rows comes to: the content of `ab.json` where nobody but the file was asked."""

from __future__ import annotations

from typing import Literal

from raggate_action.schema.ab_findings import Findings
from raggate_action.schema.ab_result import Aggregate
from raggate_action.schema.base import Record
from raggate_action.schema.judge_rows import RowsRemark


class RowsReport(Record):
    """A file of judge rows, aggregated.

    Attributes:
        kind: By which it is told from a comparison that was made.
        dimensions: What is scored, in order.
        control_lab, treatment_lab: Who trained the arms' models; None where nobody says.
        aggregate: What the rows come to.
        findings: What is said of it.
        remarks: What was cleaned in the file, and what it lacks.
    """

    kind: Literal["ab-rows"] = "ab-rows"
    schema_version: Literal[1] = 1
    dimensions: tuple[str, ...]
    control_lab: str | None = None
    treatment_lab: str | None = None
    aggregate: Aggregate
    findings: Findings
    remarks: tuple[RowsRemark, ...] = ()
