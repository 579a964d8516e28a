"""`accept`: the answers of a good run become labels. It shows them or writes them into a file beside the suite."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import JsonValue

from raggate_action.cli.commands import Accept
from raggate_action.cli.last_run import named_or_last
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.escape import log_line
from raggate_action.run.labelling.label_acceptance import ProposedLabels, Reason, proposed_labels
from raggate_action.strings.numbers import count
from raggate_action.suite_files.yaml_file import flow, scalar

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
    "outdated": "has labels of its own that are out of date: correct them in its file",
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


def run(options: Accept) -> int:
    """Print the entries, then what was left out and why; write with `--write`."""
    directory = named_or_last(options.directory, command="accept")
    found = proposed_labels(directory, suite=options.suite, named=options.case, from_main=options.from_main)
    entries = {case_id: _entry(case_id, labels) for case_id, labels in found.labels.items()}
    sys.stdout.writelines(f"{log_line(line)}\n" for entry in entries.values() for line in entry.splitlines())
    sys.stdout.flush()
    for line in _left_out(found, named=bool(options.case)):
        sys.stderr.write(f"raggate: {log_line(line)}\n")
    end = "nothing to accept; no file was changed"
    if entries:
        file = found.loaded.accepted
        labels = f"labels of {count(len(entries), 'case')}"
        if options.write:
            _write(file.path, file.with_entries(entries))
            end = f"{labels} written to {file.problems.file}; read them: later answers must pass them"
        else:
            end = f"{labels}; add --write to write them to {file.problems.file}"
    sys.stderr.write(f"raggate: {log_line(end)}\n")
    return ExitCode.RELEASE


def _entry(case_id: str, labels: Mapping[str, JsonValue]) -> str:
    """The labels of a case as YAML, each source, quote and point on a line."""
    lines = [f"{scalar(case_id)}:"]
    for name, value in labels.items():
        if isinstance(value, list):
            lines += [f"  {name}:", *[f"    - {flow(each)}" for each in value]]
        else:
            lines.append(f"  {name}: {flow(value)}")
    return "".join(f"{line}\n" for line in lines)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    except OSError as error:
        hint = "Check that the file may be changed."
        raise UsageError(f"labels cannot be written: {error.strerror or error}", hint=hint) from error


def _left_out(found: ProposedLabels, *, named: bool) -> Iterator[str]:
    for case_id, values in found.values_left_out.items():
        yield f"values of {case_id} that are not proposed, being too many or not in every answer: {_names(values)}"
    for reason, ids in found.left_out.items():
        yield f"left out, {_WHY[reason]}: {_names(ids)}"
        if named and reason in _WAY_OUT:
            yield f"what to do: {_WAY_OUT[reason]}"
    if None in found.if_named:
        yield f"if its answer is right all the same, name it: --case {found.if_named[None]}"
    elif "labelled" in found.if_named:
        yield f"if the answer of {found.if_named['labelled']} is right all the same: {_WAY_OUT['labelled']}"


def _names(ids: list[str]) -> str:
    more = f" and {len(ids) - _NAMED_AT_MOST} more" if len(ids) > _NAMED_AT_MOST else ""
    return ", ".join(ids[:_NAMED_AT_MOST]) + more
