"""`record`: ask the app in its own environment and write its traces, for judging them elsewhere."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from raggate_action.commands.choice import chosen_positions
from raggate_action.commands.session import load, target_of
from raggate_action.commands.terminal import Progress
from raggate_action.errors import ExitCode, UsageError
from raggate_action.report.escape import log_line
from raggate_action.schema.trace import Answered, TargetFailure, Trace
from raggate_action.suite_files import LoadedSuite
from raggate_action.targets.recorded import trace_line


def run(options: argparse.Namespace) -> int:
    """Write one line per case. A case the app fails is recorded as its error; nothing answered at all exits 3."""
    loaded = load(options)
    positions = chosen_positions(loaded, options.scope, case_ids=(), baseline=None)
    with _said(options.out):
        # Before the app is asked: nothing of what it answers may be lost.
        options.out.parent.mkdir(parents=True, exist_ok=True)
        _partial(options.out).touch()
    answered, failures = asyncio.run(_record(loaded, positions, options.out))
    for case_id, error in failures[:5]:
        sys.stderr.write(f"raggate: {log_line(case_id)} failed: {log_line(error)}\n")
    sys.stdout.write(f"raggate: {answered} traces and {len(failures)} failures written to {options.out}\n")
    return ExitCode.RELEASE if answered or not failures else ExitCode.INCONCLUSIVE


async def _record(
    loaded: LoadedSuite, positions: tuple[int, ...] | None, out: Path
) -> tuple[int, list[tuple[str, str]]]:
    cases = [placed for placed in loaded.cases.load(positions) if placed.case.trace is None]
    progress = Progress(len(cases), environment=os.environ)
    lines: dict[int, bytes] = {}
    failures: list[tuple[str, str]] = []
    async for placed, reply in target_of(loaded, loaded.cases.has).replies(cases):
        case_id = placed.case.case_id
        match reply:
            case Answered():
                trace = reply.trace
                latency = trace.latency_ms if trace.latency_ms is not None else reply.latency_ms
                lines[placed.position] = trace_line(case_id, _recordable(trace, latency, loaded))
            case TargetFailure():
                failures.append((case_id, reply.error))
                lines[placed.position] = trace_line(case_id, Trace(error=reply.error, latency_ms=reply.latency_ms))
            case _:
                failures.append((case_id, reply.detail))
        progress.count(failed=not isinstance(reply, Answered))
    progress.close()
    with _said(out):
        _partial(out).write_bytes(b"".join(_in_order(lines)))
        _partial(out).replace(out)
    return len(cases) - len(failures), failures


def _partial(out: Path) -> Path:
    return out.with_name(out.name + ".partial")


@contextmanager
def _said(out: Path) -> Iterator[None]:
    """Turn an error of the operating system into one that names the file."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"the traces cannot be written to {out}: {error.strerror or error}", hint="Name another file with --out."
        ) from error


def _recordable(trace: Trace, latency_ms: float | None, loaded: LoadedSuite) -> Trace:
    """The trace with its latency; with an evidence store chunk texts stay out, for the store has them (rules 5)."""
    update: dict[str, object] = {"latency_ms": latency_ms}
    if loaded.evidence is not None and trace.context is not None:
        update["context"] = tuple(chunk.model_copy(update={"text": None}) for chunk in trace.context_chunks)
    return trace.model_copy(update=update)


def _in_order(lines: dict[int, bytes]) -> Iterator[bytes]:
    """Suite order: the order in which a run reads recorded traces without an index."""
    return (lines[position] for position in sorted(lines))
