"""A stored run in the formats of other tools: JUnit XML, SARIF, a badge, JSON; and its page."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from raggate_action.errors import RunStoreError
from raggate_action.report.escape import log_line
from raggate_action.report.gate_faults import what_blocks
from raggate_action.report.junit_xml import junit_pieces
from raggate_action.report.page_cases import ListedCase
from raggate_action.report.report_input import Reporting
from raggate_action.report.sarif import SarifResults, sarif_log
from raggate_action.run.case_list import CaseList
from raggate_action.run.report_page_file import write_report_page
from raggate_action.run_store import read_rows
from raggate_action.run_store.run_files import BUFFER_BYTES, JUNIT, REPORT, SARIF, replace_whole
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.run import Run

_COLOURS: Final = {"release": "brightgreen", "block": "red", "inconclusive": "yellow"}


def junit_bytes(directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """JUnit XML; rows are read one at a time.

    Args:
        directory: A run that has ended.
        reporting: The run as it was decided.
    """
    return junit_pieces(_cases(directory, reporting), reporting, root=root_of(directory, reporting))


def sarif_bytes(directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """SARIF; rows are read one at a time. Arguments as `junit_bytes`."""
    results = SarifResults(reporting, root=root_of(directory, reporting))
    for row, case in _cases(directory, reporting):
        results.add(row, case)
    yield f"{json.dumps(sarif_log(results), indent=1)}\n".encode()


def write_exports(directory: Path, reporting: Reporting) -> None:
    """Write `junit.xml` and `findings.sarif` into a run directory; rows are read once. Arguments as `junit_bytes`.

    Raises:
        RunStoreError: They cannot be written.
    """
    root = root_of(directory, reporting)
    results = SarifResults(reporting, root=root)

    def cases() -> Iterator[tuple[CaseRun, ListedCase]]:
        for row, case in _cases(directory, reporting):
            results.add(row, case)
            yield row, case

    replace_whole(directory, JUNIT, junit_pieces(cases(), reporting, root=root))
    replace_whole(directory, SARIF, [f"{json.dumps(sarif_log(results), indent=1)}\n".encode()])


def write_or_warn(run_directory: Path, reporting: Reporting) -> None:
    """Write page, JUnit and SARIF of a run that has ended. What fails is a warning: the run stands as it was decided.

    Args:
        run_directory: The run.
        reporting: The run as it was decided.
    """
    page = partial(write_report_page, run_directory, reporting=reporting)
    for names, write in ((REPORT, page), (f"{JUNIT}, {SARIF}", partial(write_exports, run_directory, reporting))):
        try:
            write()
        except Exception as error:  # noqa: BLE001 - the decision is on disk; no page is worth a release
            why = str(error) if isinstance(error, RunStoreError) else type(error).__name__
            sys.stderr.write(f"raggate: warning: {names} could not be written: {log_line(why)}\n")


def badge_bytes(_directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """What shields.io's endpoint badge reads. Arguments as `junit_bytes`."""
    run = reporting.run
    measured = "" if reporting.has_no_result else f", {what_blocks(run) or _passed(run)}"
    badge = {
        "schemaVersion": 1,
        "label": "raggate",
        "message": f"{run.decision.kind}{measured}",
        "color": "blue" if run.of_fork and run.decision.kind == "release" else _COLOURS[run.decision.kind],
    }
    yield f"{json.dumps(badge)}\n".encode()


def _passed(run: Run) -> str:
    return f"{run.counts.passed:,} of {run.counts.cases:,} passed"


def json_bytes(_directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """The run as `run.json` has it. Arguments as `junit_bytes`."""
    yield f"{reporting.run.model_dump_json(indent=1)}\n".encode()


def page_bytes(directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """The page, `report.html`. Arguments as `junit_bytes`."""
    with tempfile.TemporaryDirectory() as folder:
        page = write_report_page(directory, Path(folder) / "report.html", reporting=reporting)
        with page.open("rb") as file:
            yield from iter(partial(file.read, BUFFER_BYTES), b"")


Format = Callable[[Path, Reporting], Iterator[bytes]]
FILE_FORMATS: Final[Mapping[str, Format]] = {
    "junit": junit_bytes,
    "sarif": sarif_bytes,
    "badge": badge_bytes,
    "json": json_bytes,
    "html": page_bytes,
}


def root_of(directory: Path, reporting: Reporting) -> str:
    """The working directory of a run, seen from the top of the checkout around it; empty where there is none."""
    made = reporting.run.invocation.directory
    if made is None:
        return ""
    base = (directory / made).resolve()
    tops = [each for each in (base, *base.parents) if (each / ".git").exists()]
    return base.relative_to(tops[0]).as_posix() if tops else ""


def _cases(directory: Path, reporting: Reporting) -> Iterator[tuple[CaseRun, ListedCase]]:
    """Every row with how it stands, one at a time, in the order of the suite."""
    listed = CaseList(reporting.run, reporting.comparison)
    return ((row, listed.add(row, partial(_itself, row))) for row in read_rows(directory))


def _itself(row: CaseRun) -> CaseRun:
    return row
