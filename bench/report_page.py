"""The report page of many cases: its size, the time to write it, the most memory, and in a browser how quick it is.

Cases are larger than most: answers of 800 characters on both runs, two in five changed, four
claims, five of 2,000 chunks of 800 characters (`texts: full`; 100 cases have them as `quotes`, the default). In the
browser the processor is four times slower; of five cases and filters the median counts.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from pydantic_core import from_json

from bench.speed import OUT
from bench.table import MISSED, Options, Table
from raggate_action.report.report_input import Reporting
from raggate_action.run.report_page_file import page_files, page_pieces
from raggate_action.run_store.case_lines import row_line, stored_trace_line
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.listed_cases import Listed
from raggate_action.schema.outcome import GATES_OF_ALL, Failed, GateName, Outcome, Passed, Problem
from raggate_action.schema.policy import Texts
from raggate_action.schema.trace import Answer, Trace, TracedChunk
from tests.stored_runs import make_run

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BROWSER = ROOT / "tests/services/browser.mjs"
MODULES = ROOT / "build/services"
_CHUNKS = 2_000
_LETTERS = 800
# Up to so many cases have their chunks as `texts: quotes` leaves them.
_QUOTED = 100
# Cases -> the most bytes, and milliseconds at a processor four times slower: ready, a case open, a filter.
BARS = {100: 250_000, 10_000: 15_000_000}
READY_MS, CASE_MS, FILTER_MS = 2_500, 150, 80


def _text(rng: random.Random, words: list[str], letters: int) -> str:
    found = ""
    while len(found) < letters:
        found += " ".join(rng.choices(words, k=rng.randint(6, 14))).capitalize() + ". "
    return found[:letters]


class BenchCase(NamedTuple):
    """A case as stored, and the baseline's answer."""

    row: bytes
    trace: bytes
    before: str


def cases_of(number: int, *, texts: Texts = "full", seed: int = 1) -> Iterator[BenchCase]:
    """The cases, one at a time, with the texts of chunks or without; the same seed gives the same."""
    rng = random.Random(seed)
    words = (HERE / "vocabulary.txt").read_text().split()
    chunks = [_text(rng, words, _LETTERS) for _each in range(_CHUNKS)]
    for position in range(number):
        row, trace, before = _case(position, rng, words, chunks)
        stored = stored_trace_line(row, trace, texts=texts, withheld=False)
        yield BenchCase(row_line(row, withheld=False), stored, before)


def _case(position: int, rng: random.Random, words: list[str], chunks: list[str]) -> tuple[CaseRun, Trace, str]:
    answer = _text(rng, words, _LETTERS)
    before = answer if rng.random() < 0.6 else answer[:400] + _text(rng, words, _LETTERS - 400)
    fails = rng.random() < 0.1
    shown = rng.sample(range(_CHUNKS), 5)
    ids = tuple([f"chunk-{each}" for each in shown])
    claims = tuple([
        Claim(
            claim_id=str(n), text=answer[n * 200 : n * 200 + 200], start=n * 200, end=n * 200 + 200,
            verdict="contradicted" if fails and not n else "supported", supported_by=(ids[n],),
            quote=chunks[shown[n]][:120])
        for n in range(4)
    ])  # fmt: skip
    outcomes: dict[GateName, Outcome] = dict.fromkeys(GATES_OF_ALL, Passed())
    if fails:
        outcomes["faithfulness"] = Failed(problems=(Problem(code="false-claim", detail=claims[0].text[:100]),))
    fields: dict[str, Any] = {"claims": claims, "context": ids, "outcomes": outcomes, "answer": answer}
    row = CaseRun(
        case_id=f"case-{position:05}", position=position, digest=f"{position}", file="cases.yaml", line=position + 1,
        question=_text(rng, words, 90), state="failed" if fails else "passed", answer_length=len(answer),
        first_failed_stage="answer faithfulness" if fails else None,
        slices=(f"category={'xyz'[position % 3]}",), **fields,
    )  # fmt: skip
    context = tuple([TracedChunk(chunk_id=name, text=chunks[each]) for name, each in zip(ids, shown, strict=True)])
    trace = Trace(answer=Answer(text=answer), candidates=ids, context=context)
    return row, trace, before


def write_page(path: Path, number: int) -> None:
    """Write the page of so many cases."""
    cases = list(cases_of(number, texts="full" if number > _QUOTED else "quotes"))
    answers = {str(from_json(case.row)["case_id"]): case.before for case in cases}
    lines = [(case.row, case.trace) for case in cases]
    with path.open("wb") as file:
        reporting = Reporting(make_run(), Listed(), None)
        file.writelines(page_pieces(reporting, lines, answers.get, page_files()))


def in_a_browser(path: Path) -> dict[str, Any] | None:
    """Times in Chromium at a processor four times slower, in milliseconds; None where there is none."""
    if shutil.which("node") is None or not (MODULES / "node_modules").is_dir():
        return None
    command = ["node", str(BROWSER), "speed", str(path.resolve())]
    done = subprocess.run(command, cwd=MODULES, capture_output=True, text=True, check=False)
    found: dict[str, Any] | None = json.loads(done.stdout)["found"] if done.returncode == 0 else None
    return found


def tables(options: Options) -> Iterator[Table]:
    """Pages of 100 cases and of 10,000, or of `sample` alone."""
    OUT.mkdir(exist_ok=True)

    def rows() -> Iterator[list[str]]:
        for number in [options.sample] if options.sample else BARS:
            path = OUT / f"report-{number}.html"
            began = time.perf_counter()
            write_page(path, number)
            took, peak = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            size, found = path.stat().st_size, in_a_browser(path)
            over, cells = size > BARS.get(number, size), ["not measured"] * 3
            if found is not None:
                worst = (found["ready"], median(found["cases"]), median(found["found"]))
                over |= any(each > most for each, most in zip(worst, (READY_MS, CASE_MS, FILTER_MS), strict=True))
                cells = [f"{each:.0f}" for each in worst]
            yield [f"{number:,}", f"{size:,}", f"{took:.1f}", str(peak), *cells, MISSED if over else ""]

    columns = ("cases", "bytes", "written in s", "peak MiB", "ready ms", "a case ms", "a filter ms", "")
    yield Table("The report page", columns, rows())
