"""`record`: it asks the app in its own environment and writes its traces, to judge them elsewhere."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from raggate_action.cli.commands import Record
from raggate_action.core.disclosure.restricted_text import RestrictedText
from raggate_action.core.disclosure.withholding import kept_of, permitted_error
from raggate_action.errors import ExitCode, UsageError
from raggate_action.network.bounded_reply import BYTE_ORDER_MARK
from raggate_action.report.escape import log_line
from raggate_action.run.case_selection import chosen_positions
from raggate_action.run.progress import Progress
from raggate_action.run.run_session import load, permitted_tell, restricted_text, target_of
from raggate_action.schema.case import Case
from raggate_action.schema.json_lines import case_id_of, trace_line
from raggate_action.schema.suite import Pipeline
from raggate_action.schema.target import RecordedTarget
from raggate_action.schema.trace import STAGES, Answered, ChunkForm, TargetFailure, Trace, TracedChunk, without_labels
from raggate_action.suite_files import LoadedSuite, case_files


def run(options: Record) -> int:
    """Write one line per case, with the error if the app failed; exit 3 if it answered no case."""
    loaded = load(options.suite, target_url=options.target_url)
    positions = chosen_positions(loaded, options.scope, case_ids=(), baseline=None)
    _refuse_other_files(options.out, loaded)
    with _write_errors(options.out):
        # Opened before the app is asked, so that no answer is lost to a file that cannot be written.
        options.out.parent.mkdir(parents=True, exist_ok=True)
        _partial(options.out).touch()
    answered, failures = asyncio.run(_record(loaded, positions, options.out))
    for line in _failure_lines(failures):
        sys.stderr.write(f"raggate: {log_line(line)}\n")
    sys.stdout.write(f"raggate: {answered} traces and {len(failures)} failures written to {options.out}\n")
    return ExitCode.RELEASE if answered or not failures else ExitCode.INCONCLUSIVE


def _refuse_other_files(out: Path, loaded: LoadedSuite) -> None:
    """See that nothing but traces is replaced.

    Raises:
        UsageError: The suite names the file, or something else than traces is in it.
    """
    if out.resolve() in _named_by(loaded):
        what = f"{out} is a file of the suite {loaded.path}"
    elif out.is_dir():
        what = f"{out} is a folder"
    elif out.exists() and not _is_replaceable(out):
        what = f"{out} is there and is no file of traces"
    else:
        return
    raise UsageError(f"{what}: it is not replaced", hint="Name a new file, as in `--out traces.jsonl`.")


def _named_by(loaded: LoadedSuite) -> set[Path]:
    """The suite's files whose lines may look like traces: cases, labels, recorded traces."""
    target, judges = loaded.written_target, loaded.suite.judges
    traces = [target.traces] if isinstance(target, RecordedTarget) else []
    traces += [judges.calibration] if judges is not None else []
    return {path.resolve() for path in (*case_files(loaded.path), *(loaded.directory / name for name in traces))}


def _is_replaceable(out: Path) -> bool:
    """Whether the file is empty, or its first line names its case, as traces do."""
    if not out.is_file():
        return False
    with _write_errors(out), out.open("rb") as file:
        first = next((line for line in file if line.strip()), None)
    return first is None or case_id_of(first.removeprefix(BYTE_ORDER_MARK)) is not None


def _failure_lines(failures: list[tuple[str, str]]) -> list[str]:
    """The first failures; one line if all cases failed alike."""
    errors = {error for _case_id, error in failures}
    if len(failures) > 1 and len(errors) == 1:
        return [f"all {len(failures)} that failed: {errors.pop()}"]
    return [f"{case_id} failed: {error}" for case_id, error in failures[:5]]


async def _record(
    loaded: LoadedSuite, positions: tuple[int, ...] | None, out: Path
) -> tuple[int, list[tuple[str, str]]]:
    cases = [placed for placed in loaded.cases.at(positions) if placed.case.trace is None]
    restricted = restricted_text(loaded)
    progress = Progress(len(cases), environment=os.environ)
    lines: dict[int, bytes] = {}
    failures: list[tuple[str, str]] = []
    async for placed, reply in target_of(loaded, tell=permitted_tell(progress.tell, restricted)).replies(cases):
        case_id = placed.case.case_id
        match reply:
            case Answered():
                trace = reply.trace
                latency = trace.latency_ms if trace.latency_ms is not None else reply.latency_ms
                timed = trace.model_copy(update={"latency_ms": latency})
                lines[placed.position] = trace_line(case_id, _recordable(timed, placed.case, restricted, loaded))
            case TargetFailure():
                error = permitted_error(reply, placed.case, restricted)
                failures.append((case_id, error))
                lines[placed.position] = trace_line(case_id, Trace(error=error, latency_ms=reply.latency_ms))
            case _:
                failures.append((case_id, reply.detail))
        progress.count(failed=not isinstance(reply, Answered))
    progress.close()
    with _write_errors(out):
        _partial(out).write_bytes(b"".join([lines[position] for position in sorted(lines)]))
        _partial(out).replace(out)
    return len(cases) - len(failures), failures


def _partial(out: Path) -> Path:
    return out.with_name(out.name + ".partial")


@contextmanager
def _write_errors(out: Path) -> Iterator[None]:
    """Turn an error of the operating system into one that names the file."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"the traces cannot be written to {out}: {error.strerror or error}", hint="Name another file with --out."
        ) from error


def _recordable(trace: Trace, case: Case, restricted: RestrictedText, loaded: LoadedSuite) -> Trace:
    """The trace as far as a file may hold it; labels stay out, for only an author may write them.

    With an evidence store chunk texts stay out, for the store has them; and a trace that repeats what its asker may
    not read keeps no word of the app's.
    """
    kept, _leak = kept_of(without_labels(trace), case, restricted, pipeline=loaded.suite.pipeline or Pipeline())
    if loaded.evidence is None:
        return kept
    return kept.model_copy(update={stage: _without_texts(getattr(kept, stage)) for stage in STAGES})


def _without_texts(chunks: tuple[ChunkForm, ...] | None) -> tuple[ChunkForm, ...] | None:
    if chunks is None:
        return None
    return tuple(c.model_copy(update={"text": None}) if isinstance(c, TracedChunk) else c for c in chunks)
