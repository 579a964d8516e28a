"""A file of judge rows, aggregated anew: nobody is asked, and nothing but the file is believed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from raggate_action.core.ab.aggregate import aggregate
from raggate_action.core.ab.rule_findings import findings_of
from raggate_action.core.ab.score_table import ComparisonTerms, PanelQuestion, Rater
from raggate_action.errors import UsageError
from raggate_action.report.ab_page import AbFindings, findings_page
from raggate_action.report.render import render_findings
from raggate_action.run_store.run_files import (
    AB,
    CONTROL_TRACES,
    JUDGEMENTS,
    RUN,
    TREATMENT_TRACES,
    make_directory,
    replace_whole,
    settle,
)
from raggate_action.schema.ab_run import Findings, RowsReport
from raggate_action.schema.arm_names import ArmName
from raggate_action.suite_files.judge_rows_file import read_rows_file
from raggate_action.suite_files.judge_rows_writing import rows_csv
from raggate_action.suite_files.problems import path_text

ROWS = "judge_rows.csv"
FINDINGS = "findings.md"
# Where one of these lies, a run or a comparison would lose its files to ours.
_OF_OTHERS = (RUN, JUDGEMENTS, CONTROL_TRACES, TREATMENT_TRACES)


def aggregate_file(path: Path, labs: Mapping[ArmName, str], out: Path | None = None) -> RowsReport:
    """Read a file of judge rows and work out what it comes to. Questions and judges are in the order of its rows.

    Args:
        path: The file.
        labs: Who trained the arms' models; judges of these labs are no strangers to their answers.
        out: Where `judge_rows.csv` as it was cleaned, `findings.md` and, last, `ab.json` are written; None is nowhere.

    Raises:
        UsageError: The file cannot be read, or would be written over, or what `run` or `ab` has written.
        RunStoreError: The directory cannot be written.
    """
    file = read_rows_file(path)
    terms = ComparisonTerms(
        dimensions=file.dimensions,
        questions=tuple([PanelQuestion(each) for each in dict.fromkeys(row.question_id for row in file.rows)]),
        judges=tuple([Rater(*each) for each in dict.fromkeys((row.judge, row.harness) for row in file.rows)]),
        labs=labs,
    )
    found = aggregate(file.rows, terms)
    report = RowsReport(
        dimensions=file.dimensions,
        control_lab=labs.get("control"),
        treatment_lab=labs.get("treatment"),
        aggregate=found,
        findings=Findings(derived=findings_of(found)),
        remarks=file.remarks,
    )
    if out is None:
        return report
    kept = next((name for name in _OF_OTHERS if (out / name).exists()), None)
    if kept is not None:
        raise UsageError(
            f"{path_text(out)} holds a run or a comparison: {kept} is there",
            hint="Name another directory with --out.",
        )
    rows = out / ROWS
    if rows.exists() and rows.samefile(path):
        raise UsageError(
            f"{path_text(path)} would be written over by its own rows", hint="Name another directory with --out."
        )
    make_directory(out)
    page = findings_page(AbFindings(found, report.findings, file.rows, file.remarks))
    replace_whole(out, ROWS, rows_csv(file.rows, file.dimensions))
    replace_whole(out, FINDINGS, [render_findings(page).encode(errors="replace")])
    replace_whole(out, AB, [f"{report.model_dump_json(indent=2)}\n".encode(errors="replace")])
    settle(out)
    return report
