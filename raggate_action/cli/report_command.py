"""`report`: a stored run printed again, for people or for other tools, or opened, or beside another; offline."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from pathlib import Path

from raggate_action.cli.commands import Report
from raggate_action.cli.last_run import named_or_last
from raggate_action.errors import ExitCode
from raggate_action.report.render import render_comment, render_summary
from raggate_action.report.report_input import Reporting
from raggate_action.run.decision_text_and_exit_code import exit_code, outcome_lines
from raggate_action.run.stored_runs import stored_reporting
from raggate_action.run_store.run_files import REPORT


def run(options: Report) -> int:
    """Print the run in the format asked for; with a baseline, decide and exit like `run`.

    Without a baseline it shows the comparison that the run stored.
    """
    directory = named_or_last(options.directory, command="report", apart_from=options.baseline)
    if options.open and options.baseline is None and (directory / REPORT).is_file():
        # Of a comparison of two arms as well, which has a page and no comment.
        return _open(directory / REPORT)
    reporting = stored_reporting(directory, baseline=options.baseline)
    if options.open:
        _open(_page(directory, reporting, options.baseline))
    elif options.history:
        from raggate_action.report.render import render_history

        sys.stdout.write(render_history(reporting.trend))
    elif options.format in {"comment", "summary"}:
        render = render_summary if options.format == "summary" else render_comment
        sys.stdout.write(render(reporting))
    else:
        sys.stdout.flush()
        # A file says itself how it is encoded, whatever the terminal's letters are.
        from raggate_action.run.report_formats import FILE_FORMATS

        sys.stdout.buffer.writelines(FILE_FORMATS[options.format](directory, reporting))
        sys.stdout.buffer.flush()
    if options.baseline is None:
        return ExitCode.RELEASE
    sys.stderr.writelines(f"{line}\n" for line in outcome_lines(reporting))
    return exit_code(reporting.run.decision)


def _page(directory: Path, reporting: Reporting, baseline: Path | None) -> Path:
    """The page of a run that has none yet; beside another baseline than its own, in a folder that is kept."""
    from raggate_action.run.report_page_file import write_report_page

    folder = directory if baseline is None else Path(tempfile.mkdtemp(prefix="raggate-"))
    return write_report_page(directory, folder / REPORT, reporting=reporting)


def _open(page: Path) -> int:
    """Open a file in the browser; its address is printed too, for a machine that has none."""
    address = page.resolve().as_uri()
    is_open = webbrowser.open(address)
    sys.stdout.write(f"{'opened' if is_open else 'no browser was found; open'}: {address}\n")
    return ExitCode.RELEASE
