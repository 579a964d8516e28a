"""A small suite over recorded answers, run twice: as the base branch has it, and as a pull request leaves it."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from raggate_action.report.report_input import Reporting
from raggate_action.run.count_and_decide import RunReport
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.stored_runs import stored_baseline
from raggate_action.schema.case import PlacedCase
from raggate_action.schema.decision import DecisionKind
from raggate_action.schema.trace import Answered, Reply, TargetFailure, Trace
from raggate_action.suite_files import load_suite

Json = dict[str, Any]


class Project(NamedTuple):
    """What a repository holds: the suite file, its cases, its evidence, and what the app answers.

    Attributes:
        suite: Keys of the suite file beside the usual ones.
        cases: By id.
        chunks: By id.
        answers: Traces by case id.
    """

    suite: Json
    cases: dict[str, Json]
    chunks: dict[str, Json]
    answers: dict[str, Json]

    def but(self, **changes: Mapping[str, Any]) -> Project:
        """The project with some entries changed; None takes an entry out."""
        fields = {name: {**deepcopy(getattr(self, name)), **new} for name, new in changes.items()}
        kept = {
            name: {key: value for key, value in found.items() if value is not None} for name, found in fields.items()
        }
        return self._replace(**kept)


def fact(number: int) -> str:
    return f"The plan Delta {number} can be returned within {30 + number} days of the purchase."


def project(size: int = 10, *, bad: Sequence[int] = (), **suite: Any) -> Project:
    """So many cases; each answer is a sentence of its chunk, and of the bad ones another chunk's: its phrase is missing."""
    numbers = range(size)
    return Project(
        suite,
        {
            f"q{n}": {
                "question": f"How long may Delta {n} be returned?",
                "required_source_ids": [f"c{n}"],
                "must_contain": [f"{30 + n} days"],
                "category": "allergen" if n == 0 else "other",
            }
            for n in numbers
        },
        {f"c{n}": {"text": fact(n)} for n in numbers} | {"note": {"text": "It is sold in all shops of the town."}},
        {
            f"q{n}": {
                "answer": "It is sold in all shops of the town." if n in bad else fact(n),
                "context": [f"c{n}", "note"],
            }
            for n in numbers
        },
    )


def _lines(entries: Mapping[str, Json], key: str) -> str:
    return "".join(f"{json.dumps({key: name, **entry})}\n" for name, entry in entries.items())


def write(folder: Path, found: Project) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    target = {"kind": "recorded", "traces": "traces.jsonl"}
    suite: Json = {"suite": "plans", "cases": ["cases.jsonl"], "target": target}
    if found.chunks:
        suite["evidence"] = ["evidence.jsonl"]
    (folder / "raggate.json").write_text(json.dumps({**suite, **found.suite}))
    # An empty list of phrases is written as none.
    cases = {name: {key: value for key, value in each.items() if (key, value) != ("must_contain", [])}
             for name, each in found.cases.items()}  # fmt: skip
    (folder / "cases.jsonl").write_text(_lines(cases, "case_id"))
    (folder / "evidence.jsonl").write_text(_lines(found.chunks, "chunk_id"))
    (folder / "traces.jsonl").write_text(_lines(found.answers, "case_id"))
    return folder / "raggate.json"


def run(folder: Path, found: Project, *, baseline: Path | None = None, enforce: bool | None = None) -> RunReport:
    """Run a project into `folder/run`."""
    loaded = load_suite(write(folder, found), environment={})
    index = stored_baseline(baseline, suite="plans") if baseline is not None else None
    request = RunRequest(
        loaded=loaded, suite_file="raggate.json", scope="full", out=folder / "run", baseline=index, enforce=enforce
    )
    return execute(request, asyncio.run)


# What the same project left as a base branch: most tests begin from one of a few.
_RUNS: dict[str, dict[str, bytes]] = {}


def _run_once(folder: Path, base: Project) -> None:
    """`run`, of which the same project's files are written again."""
    key = json.dumps(base)
    if key not in _RUNS:
        run(folder, base)
        _RUNS[key] = {path.name: path.read_bytes() for path in (folder / "run").iterdir()}
        return
    write(folder, base)
    shutil.rmtree(folder / "run", ignore_errors=True)
    (folder / "run").mkdir()
    for name, content in _RUNS[key].items():
        (folder / "run" / name).write_bytes(content)


class Outcome(NamedTuple):
    """What a pull request came to: the decision, the gates behind it, the comment."""

    kind: DecisionKind
    gates: tuple[str, ...]
    comment: str
    reporting: Reporting

    @property
    def top(self) -> str:
        """What the comment says before its tables."""
        return self.comment.partition("\n|")[0]


def pull_request(folder: Path, base: Project, head: Project, *, enforce: bool | None = None) -> Outcome:
    """Run the base branch's project and then the head's against it."""
    _run_once(folder / "base", base)
    done = run(folder / "head", head, baseline=folder / "base" / "run", enforce=enforce)
    return outcome_of(done.reporting, done.texts["comment.md"])


def outcome_of(reporting: Reporting, comment: str) -> Outcome:
    decision = reporting.run.decision
    gates = tuple(reason for reason in decision.reasons if isinstance(reason, str))
    return Outcome(decision.kind, gates, comment, reporting)


def resume(folder: Path, found: Project, *, baseline: Path) -> RunReport:
    """Go on with the run in `folder/run`."""
    loaded = load_suite(write(folder, found), environment={})
    index = stored_baseline(baseline, suite="plans")
    request = RunRequest(
        loaded=loaded, suite_file="raggate.json", scope="full", out=folder / "run", baseline=index, resume=True
    )
    return execute(request, asyncio.run)


# What the app answers where its retriever misses the source.
NOTE_ALONE: Json = {"answer": "It is sold in all shops of the town.", "context": ("note",)}


class App:
    """Asked live: `loses` says of a case and how often it was asked whether the retriever misses its source."""

    def __init__(self, base: Project, loses: Callable[[str, int], bool]) -> None:
        self._base = base
        self._loses = loses
        self.asked: list[str] = []

    async def replies(self, cases: Iterable[PlacedCase]) -> AsyncGenerator[tuple[PlacedCase, Reply], None]:
        for placed in cases:
            case_id = placed.case.case_id
            self.asked.append(case_id)
            await asyncio.sleep(0)
            given: Reply = TargetFailure("no such case", None)
            if self._loses(case_id, self.asked.count(case_id)):
                given = Answered(Trace.model_validate(NOTE_ALONE), 5)
            elif case_id in self._base.answers:
                known = self._base.answers[case_id]
                given = Answered(Trace.model_validate({**known, "context": tuple(known["context"])}), 5)
            yield placed, given


def live(folder: Path, found: Project, app: App, baseline: Path | None = None, *, resume: bool = False) -> RunReport:
    target = {"target": {"kind": "http", "url": "http://127.0.0.1:9/answer"}}
    suite = write(folder, found._replace(suite={**target, **found.suite}))
    request = RunRequest(
        loaded=load_suite(suite, environment={}),
        suite_file="raggate.json",
        scope="full",
        out=folder / "run",
        baseline=stored_baseline(baseline, suite="plans") if baseline is not None else None,
        target=app,
        resume=resume,
    )
    return execute(request, asyncio.run)


def live_pull_request(folder: Path, found: Project, before: App, after: App) -> Outcome:
    live(folder / "base", found, before)
    done = live(folder / "head", found, after, folder / "base" / "run")
    return outcome_of(done.reporting, done.texts["comment.md"])
