"""A stored run in the formats of other tools: JUnit XML, SARIF, a badge, JSON; and its page."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from raggate_action.core.counting.judge_only_findings import unblocked_reason
from raggate_action.core.counting.waivers import Waivers
from raggate_action.report.gate_faults import what_blocks
from raggate_action.report.junit_xml import (
    END,
    SUITE_END,
    JunitCase,
    SuiteCount,
    decision_case,
    junit_case,
    opening,
    suite_opening,
)
from raggate_action.report.report_input import Reporting
from raggate_action.report.reported_case import ReportedCase
from raggate_action.report.sarif import sarif_log
from raggate_action.run.report_page_file import write_report_page
from raggate_action.run.stored_runs import counted_rows
from raggate_action.run_store.run_files import BUFFER_BYTES
from raggate_action.schema.run import Run

_COLOURS: Final = {"release": "brightgreen", "block": "red", "inconclusive": "yellow"}


def junit_bytes(directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """JUnit XML. Rows are read once; the cases of a suite wait in a nameless file, in memory only their places.

    Args:
        directory: A run that has ended.
        reporting: The run as it was decided.
    """
    root = root_of(directory, reporting)
    whole, counts = SuiteCount(), dict[str, SuiteCount]()
    places: dict[str, list[tuple[int, int]]] = {}
    with tempfile.TemporaryFile() as waiting:

        def keep(case: JunitCase) -> None:
            written = case.xml.encode()
            places.setdefault(case.suite, []).append((waiting.tell(), len(written)))
            waiting.write(written)
            for count in (whole, counts.setdefault(case.suite, SuiteCount())):
                count.add(case)

        keep(decision_case(reporting))
        for case in _cases(directory, reporting):
            keep(junit_case(case, reporting, root=root))
        yield opening(reporting, whole).encode()
        for name, count in counts.items():
            yield suite_opening(name, count, reporting).encode()
            for start, length in places[name]:
                waiting.seek(start)
                yield waiting.read(length)
            yield SUITE_END.encode()
        yield END.encode()


def sarif_bytes(directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """SARIF; rows are read one at a time. Arguments as `junit_bytes`."""
    found = sarif_log(_cases(directory, reporting), reporting, root=root_of(directory, reporting))
    yield f"{json.dumps(found, indent=1)}\n".encode()


def badge_bytes(_directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """What shields.io's endpoint badge reads. Arguments as `junit_bytes`."""
    run = reporting.run
    measured = "" if reporting.has_no_result else f", {what_blocks(run) or _passed(run)}"
    badge = {
        "schemaVersion": 1,
        "label": "raggate",
        "message": f"{run.decision.kind}{measured}",
        "color": _COLOURS[run.decision.kind],
    }
    yield f"{json.dumps(badge)}\n".encode()


def _passed(run: Run) -> str:
    return f"{run.counts.passed:,} of {run.counts.cases:,} passed"


def json_bytes(_directory: Path, reporting: Reporting) -> Iterator[bytes]:
    """The run as `run.json` has it, counted and decided again. Arguments as `junit_bytes`."""
    yield f"{reporting.run.model_dump_json(indent=1)}\n".encode()


def page_bytes(directory: Path, reporting: Reporting, *, baseline: Path | None = None) -> Iterator[bytes]:
    """The page, `report.html`. Arguments as `junit_bytes`, and the baseline where one is named."""
    with tempfile.TemporaryDirectory() as folder:
        page = write_report_page(directory, baseline, Path(folder) / "report.html", reporting=reporting)
        with page.open("rb") as file:
            yield from iter(partial(file.read, BUFFER_BYTES), b"")


Format = Callable[[Path, Reporting], Iterator[bytes]]
FILE_FORMATS: Final[Mapping[str, Format]] = {
    "junit": junit_bytes,
    "sarif": sarif_bytes,
    "badge": badge_bytes,
    "json": json_bytes,
}


def root_of(directory: Path, reporting: Reporting) -> str:
    """The working directory of a run, seen from the top of the checkout around it; empty where there is none."""
    made = reporting.run.invocation.directory
    if made is None:
        return ""
    base = (directory / made).resolve()
    tops = [each for each in (base, *base.parents) if (each / ".git").exists()]
    return base.relative_to(tops[0]).as_posix() if tops else ""


def _cases(directory: Path, reporting: Reporting) -> Iterator[ReportedCase]:
    """Every case after its waivers, one at a time, in the order of the suite."""
    run = reporting.run
    waivers = Waivers(run.policy, decided_on=run.decided_on)
    advises = run.panel is not None and run.panel.only_advises
    for row in counted_rows(directory, run):
        standing = waivers.standing(row)
        is_open = row.kind == "known_bad" and unblocked_reason(row, run.policy.gates, panel_advises=advises) is not None
        yield ReportedCase(row, standing.state, standing.stage, standing.waived, is_open)
