"""One case of each stage, open: what was asked, what the base branch answered, what is answered now, what speaks."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.case_evidence import evidence_line
from raggate_action.report.changed_words import excerpts
from raggate_action.report.comment_size import Extent
from raggate_action.report.fault_list import fault_lines
from raggate_action.report.origin_view import case_link, change_name, page_link
from raggate_action.report.page import Foreign, Item, Section, Text
from raggate_action.report.repeat_command import repeat_line
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun
from raggate_action.strings.visible_text import cut

# Characters of a question, an answer or a chunk, by how many cases stand open.
_WORDS = {1: 200, 2: 110, 3: 70}
_EMPTY = "an empty answer"


def open_case_section(reporting: Reporting, extent: Extent) -> Section:
    """The first case of each of the first lines, each case once, and the command for all; ids under `texts: ids`."""
    rows, found = rows_by_id(reporting), dict[str, CaseRun | None]()
    for line in fault_lines(reporting, extent):
        if not line.cases or not found.keys().isdisjoint(line.cases):
            continue
        first = next((each for each in line.cases if each in rows), line.cases[0])
        room = len(rows.keys() & found.keys()) < extent.open_cases
        if room if first in rows else line.level in {"block", "open"}:
            found[first] = rows.get(first)
    opened = [row for row in found.values() if row is not None] if reporting.shows_texts else []
    words = min(extent.words, _WORDS.get(len(opened), _WORDS[3]))
    items = tuple([_item(row, reporting, words) for row in opened])
    return Section(items=items, more=repeat_line(reporting.run, *found) if found else "")


def rows_by_id(reporting: Reporting) -> dict[str, CaseRun]:
    """Every row that is listed because something is wrong with it, be it by the base branch's suite alone."""
    listed = reporting.listed
    policy = reporting.comparison.policy if reporting.comparison is not None else None
    by_base = policy.failing if policy is not None else ()
    rows = (*listed.failing, *by_base, *listed.hallucinating, *listed.with_issues)
    return {row.case_id: row for row in reversed(rows)}


def _item(row: CaseRun, reporting: Reporting, words: int) -> Item:
    question: Text = Foreign(cut(row.question, words), "no question")
    text = case_link(row, reporting.run), ": ", question, page_link(row, reporting)
    return Item(text, under=tuple(_lines(row, reporting, words)))


def _lines(row: CaseRun, reporting: Reporting, words: int) -> Iterator[Text]:
    comparison = reporting.comparison
    before = comparison.answers.get(row.case_id) if comparison is not None else None
    same = comparison.same_answers if comparison is not None else ()
    if row.answer is not None and any(each.case_id == row.case_id for each in same):
        yield f"{change_name(reporting)}, as on the {reporting.base_name}: ", Foreign(cut(row.answer, words), _EMPTY)
    elif before is not None and row.answer is not None and before.strip() and row.answer.strip():
        answers = excerpts(before, row.answer, words)
        yield f"{reporting.base_name}: ", answers.before
        yield f"{change_name(reporting)}: ", answers.now
    else:
        if before is not None:
            yield f"{reporting.base_name}: ", Foreign(cut(before, words), _EMPTY)
        if row.answer is not None:
            yield f"{change_name(reporting)}: ", Foreign(_excerpt(row, words), _EMPTY)
        elif row.error is not None:
            yield f"{change_name(reporting)}: no answer, ", Foreign(cut(row.error, words), "an error")
    yield evidence_line(row, reporting, words)


def _excerpt(row: CaseRun, words: int) -> str:
    """The beginning of the answer, or of what is wrong in it where that comes later."""
    answer = row.answer or ""
    wrong = {each.text for each in row.hallucinations}
    claims = [claim for claim in row.claims if claim.start is not None and (claim.text in wrong or claim.findings)]
    if not claims or (claims[0].end or 0) <= words or (start := claims[0].start or 0) >= len(answer):
        return cut(answer, words)
    return f"… {cut(answer[start:], words - 2)}"
