"""A judge's reading, its fields by their names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from raggate_action.judges.judging_job import ReplyReading
from raggate_action.schema.judgement import Judgement


def opened(reading: ReplyReading) -> Any:
    """The reading with what it says of a `Judgement`'s fields, and what it does not say as the record has it."""
    silent = {name: field.default for name, field in Judgement.model_fields.items() if not field.is_required()}
    said = {"problems": reading.problems, "usable": reading.usable, "amount": reading.amount}
    return SimpleNamespace(**{**silent, **reading.fields, **said})
