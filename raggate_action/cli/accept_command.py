"""`accept`: the answers of a good run become labels. It shows the change of the case files or writes it."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Iterator, Mapping

from raggate_action.cli.last_run import named_or_last
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.escape import log_line
from raggate_action.run.labelling.label_acceptance import ProposedLabels, Reason, proposed_labels
from raggate_action.suite_files import case_files
from raggate_action.suite_files.case_editing import LabelledCase, write_case_labels
from raggate_action.suite_files.problems import path_text

_WHY: Mapping[Reason, str] = {
    "failed": "failed",
    "unmeasured": "could not be measured",
    "flaky": "answered differently when asked again",
    "declined": "declined, and nobody expected that",
    "suspect": "has a finding on a claim",
    "lacking": "lacks a value of its reference answer",
    "gate": "failed a gate that only warns",
    "waived": "failed, and is waived",
    "known-bad": "is known bad",
    "changed": "is not what it was when the run was made",
    "no-answer": "has no answer in the run that could be read",
    "labelled": "has labels already",
    "nothing": "says nothing in the words of its evidence, so that there is nothing to demand of later answers",
    "no-text": "rests on passages whose words the run has not kept, or that not everybody may read",
    "no-main": "has no answer of the baseline in this run",
    "would-fail": "would fail by every label that can be made of its answer",
}
# What somebody does who has named a case and gets no labels.
_WAY_OUT: Mapping[Reason, str] = {
    "known-bad": "a known-bad case needs none: write labels on a case that must be answered",
    "changed": "run again, then accept that run",
    "no-answer": "see `raggate-action explain` for the answer, correct the app and run again",
    "labelled": "take out the labels that are right no longer, run again, then accept that run",
    "nothing": "write what the answer must say as `must_contain`, or its source as `required_source_ids`",
    "no-text": "give the suite `evidence`, or set `texts: full` and run again; else write `required_source_ids`",
    "no-main": "name a run directory of the baseline: accept --from-main RUN",
    "would-fail": "write `must_contain` or `required_points` by hand: words that every right answer says",
}
_NAMED_AT_MOST = 10


def run(options: argparse.Namespace) -> int:
    """Print the difference, then what was left out and why; write with `--write`."""
    directory = named_or_last(options.directory, command="accept")
    found = proposed_labels(directory, suite=options.suite, named=options.case, from_main=options.from_main)
    files = _write_labels(found)
    refused = [case_id for file in files for case_id in file.refused]
    written = [case_id for file in files for case_id in file.written]
    for file in files:
        sys.stdout.writelines(f"{line}\n" for line in _difference(file))
    sys.stdout.flush()
    for line in _left_out(found, refused, named=bool(options.case)):
        sys.stderr.write(f"raggate: {log_line(line)}\n")
    if options.write and written:
        _write(files)
    sys.stderr.write(f"raggate: {log_line(_end(files, written, wrote=options.write))}\n")
    return ExitCode.RELEASE


def _write_labels(found: ProposedLabels) -> list[LabelledCase]:
    if not found.labels:
        return []
    try:
        files = [write_case_labels(path, found.labels) for path in case_files(found.loaded.path)]
    except OSError as error:
        raise UsageError(
            f"a case file cannot be read: {error.strerror or error}", hint="Check it with `raggate-action check`."
        ) from error
    return [file for file in files if file.written or file.refused]


def _difference(file: LabelledCase) -> Iterator[str]:
    """A unified diff without invisible characters and without commands to a CI's log."""
    name = path_text(file.path)
    before, after = (content.decode().splitlines(keepends=True) for content in (file.before, file.after))
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        yield line[:1] + log_line(line[1:].rstrip("\r\n"))
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _left_out(found: ProposedLabels, refused: list[str], *, named: bool) -> Iterator[str]:
    for case_id, values in found.values_left_out.items():
        yield f"values of {case_id} that are not proposed, being too many or not in every answer: {_names(values)}"
    for reason, ids in found.left_out.items():
        yield f"left out, {_WHY[reason]}: {_names(ids)}"
        if named and reason in _WAY_OUT:
            yield f"what to do: {_WAY_OUT[reason]}"
    if refused:
        yield f"left out, its file cannot take labels without other changes: {_names(refused)}"
    if None in found.if_named:
        yield f"if its answer is right all the same, name it: --case {found.if_named[None]}"
    elif "labelled" in found.if_named:
        yield f"if the answer of {found.if_named['labelled']} is right all the same: {_WAY_OUT['labelled']}"


def _names(ids: list[str]) -> str:
    more = f" and {len(ids) - _NAMED_AT_MOST} more" if len(ids) > _NAMED_AT_MOST else ""
    return ", ".join(ids[:_NAMED_AT_MOST]) + more


def _end(files: list[LabelledCase], written: list[str], *, wrote: bool) -> str:
    if not written:
        return "nothing to accept; no file was changed"
    names = ", ".join(path_text(file.path) for file in files if file.written)
    cases = f"{len(written)} case{'s' if len(written) > 1 else ''}"
    if wrote:
        return f"labels of {cases} written to {names}; look through what is marked `proposed`, and take the mark away"
    return f"labels for {cases} in {names}; nothing is written yet: add --write"


def _write(files: list[LabelledCase]) -> None:
    """Replace each file by rename, after checking that none has changed meanwhile."""
    for file in files:
        if file.path.read_bytes() != file.before:
            raise UsageError(f"{path_text(file.path)} was changed meanwhile", hint="Nothing was written; try again.")
    try:
        for file in files:
            path = file.path.resolve()
            partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
            partial.write_bytes(file.after)
            partial.chmod(path.stat().st_mode)
            partial.replace(path)
    except OSError as error:
        raise UsageError(
            f"labels cannot be written: {error.strerror or error}", hint="Check that the case files may be changed."
        ) from error
