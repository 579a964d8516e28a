"""Sentences that are new in several answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.page import Code, Foreign, Strong, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.comparison import RepeatedSentence

_LONGEST = 80
# A sentence is told whole where it can be: what it promises often stands at its end.
_QUOTED = 140


def newly_said_lines(reporting: Reporting, _extent: Extent | None = None) -> Iterator[FaultLine]:
    """What several answers say and none of the baseline's did."""
    said = reporting.comparison.said_by_many if reporting.comparison is not None else ()
    if said:
        listed = joined("; ", [_sentence(each, shows_texts=reporting.shows_texts) for each in said])
        yield FaultLine((Strong("New in several answers:"), " ", listed, "."), level="note")


def _sentence(said: RepeatedSentence, *, shows_texts: bool) -> Text:
    where = f" ({count(said.answers, 'answer')})"
    if not shows_texts:
        return "a sentence of ", Code(cut(said.case_id, _LONGEST)), where
    return "“", Foreign(cut(said.text, _QUOTED)), "”", where
