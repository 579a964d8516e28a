"""`report.html` of a run directory: written at the end of a run, and made anew from what is stored."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pydantic_core import from_json

from raggate_action.core.counting.top_n import TopN
from raggate_action.report.comment_size import SUMMARY_EXTENTS
from raggate_action.report.decision_words import outcome_words
from raggate_action.report.page import Fold, bare
from raggate_action.report.page_cases import ListedCase, case_parts
from raggate_action.report.page_sections import page_view
from raggate_action.report.repeat_command import repeat_command, repeat_ends
from raggate_action.report.report_html import PackedCases, PageFiles, ReportPage, report_pieces
from raggate_action.report.report_input import Reporting
from raggate_action.run.case_list import CaseList
from raggate_action.run.count_and_decide import RunReport, report_on
from raggate_action.run.stored_runs import stored_reporting
from raggate_action.run_store import RunSource, read_trace_lines, stored_cases, with_traces
from raggate_action.run_store.run_files import BUFFER_BYTES, COMMENT, PUBLICATION, REPORT, SUMMARY, replace_whole
from raggate_action.schema.case_run import CaseRun, ListedRow
from raggate_action.schema.json_lines import json_line
from raggate_action.strings.template_files import template_directory

if TYPE_CHECKING:
    pass

# Browsers open more, slowly; artifacts and mails are the narrower way.
MOST_BYTES: Final = 50_000_000
# Cases that stand open in the page for whoever has no script.
_MOST_OPEN: Final = 50
# A case as stored: its row, and its trace where there is one.
Lines: TypeAlias = tuple[bytes, bytes | None]
# What a rule has found on a claim; inside a text every quotation mark stands behind a backslash.
_CONFLICT, _ABSENT = b'"kind":"conflict"', b'"kind":"absent"'
_END = b"</body></html>\n"
_TRIMMED = (
    "",
    "This report would be larger than 50 MB, so it holds no texts of passing cases.",
    "This report would be larger than 50 MB, so it holds no texts of any case.",
)


class _TooLargeError(Exception):
    """The page is larger than it may be."""


def write_report_page(
    run_directory: Path, out: Path | None = None, *, reporting: Reporting | None = None, most_bytes: int = MOST_BYTES
) -> Path:
    """Write the report of a stored run as one HTML file. Same run, same bytes.

    Args:
        run_directory: A run that has ended.
        out: The file; None is `report.html` in the run directory.
        reporting: The run as it was decided, where that is at hand; None reads it.
        most_bytes: See `write_page`.

    Raises:
        RunStoreError: There is no such run, or the file cannot be written.
    """
    path = out if out is not None else run_directory / REPORT
    told = reporting if reporting is not None else stored_reporting(run_directory)
    write_page(path, told, lambda: stored_cases(run_directory), most_bytes)
    return path


def cases_of_stranger(source: RunSource, rows: Iterable[CaseRun]) -> Iterator[Lines]:
    """The cases of a run that a stranger has stored, each row and trace as its schema has it.

    Args:
        source: The run's files.
        rows: Its rows, as they were counted.

    Raises:
        RunStoreError: Its rows or traces are off schema.
    """
    for row, trace in with_traces(rows, read_trace_lines(source)):
        own = trace.model_copy(update={"earlier": ()}) if trace is not None else None
        yield json_line(row), json_line(own) if own is not None else None


def write_page(
    path: Path, reporting: Reporting, lines: Callable[[], Iterable[Lines]], most_bytes: int = MOST_BYTES
) -> None:
    """Write a page. One over the size leaves texts out, first those of passing cases, and says so.

    Args:
        path: The file.
        reporting: The run.
        lines: Gives its cases as stored; they are read one at a time.
        most_bytes: From how many bytes on texts are left out.

    Raises:
        RunStoreError: The cases cannot be read, or the file cannot be written.
    """
    files = page_files()
    answers = reporting.comparison.answers if reporting.comparison is not None and reporting.shows_texts else {}
    for trim in range(len(_TRIMMED)):
        most = None if trim == len(_TRIMMED) - 1 else most_bytes
        with suppress(_TooLargeError):
            pieces = page_pieces(reporting, lines(), answers.get, files, trim=trim, most=most)
            replace_whole(path.parent, path.name, pieces)
            break


class _Opened(NamedTuple):
    """A case that stands open in the page: its row as stored, and the baseline's answer."""

    case: ListedCase
    row: bytes
    before: str | None


def page_pieces(
    reporting: Reporting,
    lines: Iterable[Lines],
    before: Callable[[str], str | None],
    files: PageFiles,
    *,
    trim: int = 0,
    most: int | None = None,
) -> Iterator[bytes]:
    """The page; its packed cases, which stand behind the list of all of them, wait in a nameless file.

    Args:
        reporting: The run.
        lines: Its cases as stored.
        before: Gives the baseline's answer to each, as far as the run keeps it.
        files: Script and style sheet.
        trim: How much is left out; see `_TRIMMED`.
        most: The most bytes there may be; None is no bound.
    """
    run = reporting.run
    listed = CaseList(run, reporting.comparison)
    cases: list[ListedCase] = []
    opened: TopN[_Opened] = TopN(_MOST_OPEN)
    packed = PackedCases()
    with tempfile.TemporaryFile() as late:

        def keep(pieces: Iterable[bytes]) -> None:
            late.writelines(pieces)
            if most is not None and late.tell() > most:
                raise _TooLargeError

        for number, (line, trace) in enumerate(lines):
            row = ListedRow.model_validate_json(line)
            found = _CONFLICT in line or _ABSENT in line
            case = listed.add(row, partial(CaseRun.model_validate_json, line), number, has_findings=found)
            answer = before(case.case_id)
            cases.append(case)
            kept = trim == 0 or (trim == 1 and case.is_open)
            if case.is_open and kept:
                opened.offer(-case.rank, number, _Opened(case, line, answer))
            if kept:
                shown = trace if reporting.shows_texts or trace is None else _without_answers(trace)
                keep(packed.add(line, shown, _beside(case, row, answer)))
            else:
                keep(packed.add(None, None, {}))
        keep(packed.rest())
        page = ReportPage(
            run=run,
            view=page_view(reporting._replace(page=""), SUMMARY_EXTENTS[0]),
            trend=reporting.trend,
            cases=sorted(cases, key=lambda case: case.rank),
            opened={each.case.case_id: _parts(each, reporting) for each in opened.ranked},
            slices=listed.slices,
            notice=_TRIMMED[trim],
            repeat=repeat_ends(run),
        )
        written = late.tell() + len(_END)
        for piece in report_pieces(page, files):
            written += len(piece)
            if most is not None and written > most:
                raise _TooLargeError
            yield piece
        late.seek(0)
        yield from iter(partial(late.read, BUFFER_BYTES), b"")
    yield _END


def _without_answers(trace: bytes) -> bytes:
    """Under `texts: ids` a trace keeps its answers, as the measure of later runs; nobody is shown them."""
    fields = from_json(trace)
    return json_line({name: value for name, value in fields.items() if name not in {"answer", "asks", "earlier"}})


def _beside(case: ListedCase, row: ListedRow, before: str | None) -> Mapping[str, object]:
    """What the page says of a case beside its stored lines: why it counts as it does, in words."""
    found: dict[str, object] = {"before": before} if before is not None else {}
    if not case.is_open:
        return found
    words = {gate: outcome_words(each) for gate, each in row.outcomes.items() if each.kind in {"failed", "unmeasured"}}
    if case.gate is not None:
        words[case.gate] = words[case.gate][1:]
    return found | {"lead": [bare(each) for each in case.lead(row.outcomes)], "words": words}


def _parts(opened: _Opened, reporting: Reporting) -> tuple[Fold, ...]:
    row = CaseRun.model_validate_json(opened.row)
    repeat, gates = repeat_command(row.case_id, reporting.run), reporting.run.policy.gates
    return tuple(case_parts(opened.case, row, gates, before=opened.before, base=reporting.base_name, repeat=repeat))


def with_page_address(run_directory: Path, reporting: Reporting, address: str) -> RunReport:
    """Keep where the page of a run opens, and write its texts again, which lead there from now on.

    Args:
        run_directory: The run.
        reporting: The run as it was decided.
        address: Where its page opens.

    Raises:
        RunStoreError: It cannot be written.
        ValueError: The address is none of an artifact.
    """
    from raggate_action.schema.origin import Publication

    kept = Publication(report_url=address).model_dump_json() + "\n"
    report = report_on(reporting._replace(page=address))
    for name, text in ((PUBLICATION, kept), (COMMENT, report.texts[COMMENT]), (SUMMARY, report.texts[SUMMARY])):
        replace_whole(run_directory, name, [text.encode(errors="replace")])
    return report


def page_files() -> PageFiles:
    """Script and style sheet of the page, wherever raggate is installed."""
    folder = template_directory() / "report"
    return PageFiles((folder / "report.js").read_text("utf-8"), (folder / "report.css").read_text("utf-8"))
