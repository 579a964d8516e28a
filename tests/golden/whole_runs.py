"""Nine runs from the suite to the last file, as commands leave them, to be compared byte for byte but for times.

The clock stands on the day of `DAY`: what is written holds dates ahead of it. Each of `RUNS` writes a suite into an
empty folder and runs commands there; the run directories that lie there afterwards, what the commands printed, and what
reading it all again printed, is kept beside this file in `runs`. Judges stand behind one address, which a proxy leads
to the scripted ones: an address is part of what a stored judgement is found by.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import time_machine

from raggate_action.action.baseline import JobBaseline
from raggate_action.report.render import render_comment
from raggate_action.run.run_execution import execute
from raggate_action.run.run_plan import RunRequest
from raggate_action.run.stored_runs import baseline_of, recount_stored
from raggate_action.run_store import read_stored
from raggate_action.run_store.work_file import WORK
from raggate_action.schema.origin import BaselineNote, Origin
from raggate_action.suite_files import load_suite
from tests.ab_suites import bold, sound, write_ab
from tests.command_line import raggate
from tests.fake_chat.actions import Script
from tests.fake_chat.server import FakeChat, fake_chat
from tests.judged_suites import (
    CHUNK,
    PRICE,
    fooled,
    judging,
    lie,
    lines,
    truth,
    write_answers,
    write_labels,
    write_suite,
)
from tests.pair_judges import honest, scripted

ADDRESS = "http://judge.test/v1"
DAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
# Texts of a run are printed as well; page, JUnit and SARIF have tests of their own; history follows from the run.
_KEPT_OUT = {".raggate.lock", "report.html", "junit.xml", "findings.sarif", "comment.md", "summary.md", "history.jsonl"}


class Place:
    """A folder in which commands are run, with judges at hand."""

    def __init__(self, folder: Path, chat: FakeChat) -> None:
        self.folder = folder
        self.chat = chat
        self._said = ""

    def raggate(self, *arguments: str) -> None:
        """Run a command; what it prints is kept, and how many calls it made."""
        before = len(self.chat.asked)
        done = raggate(*arguments, cwd=self.folder, HTTP_PROXY=self.chat.base_url.removesuffix("/v1"))
        calls = len(self.chat.asked) - before
        ended = f"[exit {done.returncode}, {calls} calls]"
        self.tell(f"$ raggate-action {' '.join(arguments)}\n{done.stdout}{done.stderr}{ended}\n")

    def tell(self, text: str) -> None:
        """Keep what is to be compared as well."""
        self._said += text

    def said(self) -> str:
        """All that was printed since it was asked for last."""
        said, self._said = self._said, ""
        return said


def member(name: str) -> dict[str, Any]:
    return {"name": name, "lab": f"lab of {name}", "model": name, "base_url": ADDRESS, "price": PRICE}


PANEL = [member("ada"), member("bob")]
STORE = (
    CHUNK,
    {"chunk_id": "fees", "version": "v1", "text": "A parcel costs 5 EUR. Members pay nothing for parcels."},
    {"chunk_id": "board", "version": "v1", "text": "The board sells the shop to Northwind in May.", "principals": ["board"]},
)  # fmt: skip
PROSE = {
    "free": "Returns are free within thirty days.",
    "fee": "A parcel costs 5 EUR.",
    "wrong": "A parcel costs 7 EUR.",
    "other": "You can hand everything back at no cost for a month.",
    "declines": "I cannot tell that from the documents I was given.",
}


def labelled(place: Place) -> None:
    cases: dict[str, Any] = {
        "free": {
            "required_source_ids": ["desk"],
            "required_points": [
                {"id": "free", "answer_phrases": ["returns are free"], "support_phrases": ["Returns are free"]}
            ],
            "must_contain": ["free"],
            "category": "returns",
        },
        "fee": {"must_contain": ["5 EUR"], "must_not_contain": ["refund"], "category": "fees", "max_latency_ms": 8000},
        "wrong": {"released": False, "blocked_at": "answer faithfulness", "trace": {"answer": PROSE["wrong"], "context": ["fees"]}},
        "declines": {"expect": "abstain", "category": "fees"},
    }  # fmt: skip
    answers = {case_id: PROSE[case_id] for case_id in cases}
    gates = {"candidate_recall": {"level": "off"}}
    write_suite(
        place.folder, answers, cases=cases, chunks=STORE, gates=gates, slices={"by": ["category"], "min_cases": 1}
    )
    place.raggate("run", "raggate.json", "--out", "base")
    write_answers(place.folder, {**answers, "fee": "A parcel costs something."}, ("fees",))
    place.raggate("run", "raggate.json", "--out", "head", "--baseline", "base")


ANSWERS = {"good": truth(1), "bad": lie(2), "fine": truth(3)}


def two_arms(place: Place) -> None:
    ids = [f"q{number:02}" for number in range(12)]
    control = {case_id: bold(number) for number, case_id in enumerate(ids)}
    treatment = {case_id: sound(number) if number else bold(0) for number, case_id in enumerate(ids)}
    write_ab(place.folder, control, treatment, [member("cyd"), member("dan")])
    place.raggate("ab", "raggate.json", "--out", "head")


def fork_in_stage_two(place: Place) -> None:
    """A fork's run without the key, published by the second stage from what it uploaded."""
    keyed = [{**each, "api_key_env": "ADA_KEY"} for each in PANEL]
    write_suite(place.folder, ANSWERS, PANEL)
    write_labels(place.folder, right=40, faults=30)
    place.raggate("run", "raggate.json", "--out", "base")
    write_suite(place.folder, {**ANSWERS, "fine": "Returns are free within ninety days."}, keyed)
    origin = Origin(
        repository="o/r", server_url="https://github.com", event="pull_request", workflow_run_id=7, head_sha="a" * 40, fork=True
    )  # fmt: skip
    with contextlib.chdir(place.folder), contextlib.redirect_stderr(io.StringIO()):
        loaded = load_suite(Path("raggate.json"), environment={})
        baseline = baseline_of(Path("base"), loaded)[0]
        execute(
            RunRequest(
                loaded=loaded,
                suite_file="raggate.json",
                scope="full",
                out=Path("head"),
                baseline=baseline,
                origin=origin,
            )
        )
        compared = JobBaseline(baseline_of(Path("base"), loaded)[0], BaselineNote(missing="none"))
        published = recount_stored(
            read_stored(Path("head")), Path("head"), compared.baseline, found=(origin, compared.note)
        )
    place.tell(f"{published.run.decision.kind}\n{render_comment(published)}\n")


def resumed(place: Place) -> None:
    """A run that ends in the middle, and goes on."""
    write_function(
        place.folder,
        """
        import os, pathlib
        def answer(case):
            if case["case_id"] == "other" and not pathlib.Path("once").exists():
                pathlib.Path("once").touch()
                os.kill(os.getppid(), 2)
            return {"answer": ANSWERS[case["case_id"]], "context": ["desk", "fees"]}
        """,
        PROSE,
    )
    place.raggate("run", "raggate.json", "--out", "head")
    shutil.copytree(place.folder / "head", place.folder / "killed")
    place.raggate("run", "raggate.json", "--out", "head", "--resume")


def ids_alone(place: Place) -> None:
    write_suite(place.folder, PROSE, chunks=STORE, texts="ids")
    place.raggate("run", "raggate.json", "--out", "base")
    write_answers(place.folder, {**PROSE, "free": "The board sells the shop to Northwind in May."}, ("desk", "fees"))
    place.raggate("run", "raggate.json", "--out", "head", "--baseline", "base")


def flaky(place: Place) -> None:
    write_function(
        place.folder,
        """
        import pathlib
        def answer(case):
            turn = pathlib.Path(case["case_id"] + ".turn")
            asked = len(turn.read_text()) if turn.exists() else 0
            turn.write_text("x" * (asked + 1))
            late = case["case_id"] in ("fee", "free") and asked == 0
            return {"answer": "A parcel costs 9 EUR." if late else ANSWERS[case["case_id"]], "context": ["desk", "fees"]}
        """,
        {**{f"c{number}": PROSE["free"] for number in range(18)}, **PROSE},
    )
    place.raggate("run", "raggate.json", "--out", "head")


def weaker_suite(place: Place) -> None:
    cases = {"free": {"must_contain": ["thirty"]}, "fee": {"required_source_ids": ["fees"]}}
    write_suite(place.folder, PROSE, cases=cases, chunks=STORE)
    place.raggate("run", "raggate.json", "--out", "base")
    write_suite(
        place.folder, {**PROSE, "free": "Returns are free."}, chunks=STORE, gates={"faithfulness": {"min": "40%"}}
    )
    place.raggate("run", "raggate.json", "--out", "head", "--baseline", "base")


def calibrated(place: Place) -> None:
    write_suite(place.folder, ANSWERS, [*PANEL, member("eve")])
    write_labels(place.folder, right=40, faults=30)
    place.raggate("judges", "check", "--suite", "raggate.json")
    place.raggate("run", "raggate.json", "--out", "head")


FOUR = {
    "en": ("The pool opens at 7:30 and closes on Mondays.", "The pool opens at 8:30.", "When does the pool open?"),
    "de": ("Das Bad öffnet um 7:30 Uhr und ist montags zu.", "Das Bad öffnet um 8:30 Uhr.", "Wann öffnet das Bad?"),
    "fr": ("La piscine ouvre à 7 h 30, sauf le lundi.", "La piscine ouvre à 8 h 30.", "Quand ouvre la piscine ?"),
    "es": ("La piscina abre a las 7:30, salvo los lunes.", "La piscina abre a las 8:30.", "¿Cuándo abre la piscina?"),
}


def four_languages(place: Place) -> None:
    chunks = [{"chunk_id": name, "version": "v1", "text": text} for name, (text, _wrong, _asked) in FOUR.items()]
    right = {f"{name}-right": text for name, (text, _wrong, _asked) in FOUR.items()}
    wrong = {f"{name}-wrong": text for name, (_right, text, _asked) in FOUR.items()}
    cases = {
        f"{name}-{kind}": {"question": asked} for name, (_r, _w, asked) in FOUR.items() for kind in ("right", "wrong")
    }
    write_suite(place.folder, {**right, **wrong}, cases=cases, chunks=chunks)
    place.raggate("run", "raggate.json", "--out", "head")


RUNS: Mapping[str, Callable[[Place], None]] = {
    made.__name__: made
    for made in (
        labelled, two_arms, fork_in_stage_two, resumed, ids_alone, flaky, weaker_suite, calibrated, four_languages,
    )
}  # fmt: skip


def write_function(folder: Path, code: str, answers: Mapping[str, str]) -> None:
    """A suite whose app is a function, asked one case at a time."""
    body = "\n".join(line.removeprefix("        ") for line in code.strip("\n").splitlines())
    (folder / "app.py").write_text(f"ANSWERS = {json.dumps(dict(answers), indent=1)}\n{body}\n")
    asked = [{"case_id": name, "question": f"What of {name}?"} for name in answers]
    (folder / "cases.jsonl").write_text(lines(asked))
    (folder / "evidence.jsonl").write_text(lines(STORE))
    target = {"kind": "function", "function": "app:answer", "concurrency": 1}
    suite = {"suite": "shop", "evidence": ["evidence.jsonl"], "cases": ["cases.jsonl"], "target": target}
    (folder / "raggate.json").write_text(json.dumps(suite))


@contextmanager
def judges() -> Iterator[FakeChat]:
    """The judges of all these runs."""
    pairs = scripted(honest([sound(number) for number in range(12)]))
    script: dict[str, Script] = {"ada": judging(), "bob": judging(), "eve": judging(fooled), "cyd": pairs, "dan": pairs}
    with fake_chat(script) as chat:
        yield chat


def make(name: str, folder: Path) -> str:
    """Make one of the runs in an empty folder, on the same day each time; gives what was printed."""
    return _done(RUNS[name], folder)


def read(name: str, folder: Path) -> str:
    """Read a run again; gives what was printed."""
    # A run goes by its moment: an hour later, so that none of these has the one of a run that was kept.
    return _done(partial(read_again, name), folder, DAY + timedelta(hours=1))


def _done(what: Callable[[Place], None], folder: Path, moment: datetime = DAY) -> str:
    with time_machine.travel(moment), judges() as chat:
        place = Place(folder, chat)
        what(place)
    return without_times(place.said(), folder)


def read_again(name: str, place: Place) -> None:
    """What was written is reported, is a baseline, is resumed and is judged again."""
    if name == "two_arms":
        shutil.copytree(place.folder / "head", place.folder / "again")
        place.raggate("ab", "raggate.json", "--out", "again")
        place.raggate("ab", "--rows", "head/judge_rows.csv", "--out", "rows")
        return
    compared = ("--baseline", "base") if (place.folder / "base").is_dir() else ()
    place.raggate("report", "head", *compared)
    place.raggate("explain", "head")
    place.raggate("run", "raggate.json", "--out", "again", "--baseline", "head")
    if compared:
        place.raggate("report", "head", "--baseline", "again")
    if name == "resumed":
        shutil.copytree(place.folder / "killed", place.folder / "resumed")
        place.raggate("run", "raggate.json", "--out", "resumed", "--resume")


_TIMES = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"), "<moment>"),
    (re.compile(r'("\w*(?:latency|_ms|_s|p50|p95)\w*":\s*)\d[\d.e+-]*'), r"\1<time>"),
    (re.compile(r"\b\d{8}T\d{6}Z\b"), "<moment>"),
    (re.compile(r'"digest": "[0-9a-f]{64}"'), '"digest": "<of the file>"'),
    (re.compile(r"· run `[0-9a-f]{12}`"), "· run `<digest of all rows>`"),
    (re.compile(r"\d[\d,.]*\s(?:ms|s|seconds?)\b"), "<time>"),
)


def files_of(folder: Path) -> dict[str, str]:
    """Every file of the run directories in a folder, by name, without times and without the folder's own name."""
    found = {}
    for path in sorted(folder.rglob("*")):
        is_input = path.parent == folder
        if not path.is_file() or is_input or path.name in _KEPT_OUT or "__pycache__" in path.parts:
            continue
        text = work_file_text(path) if path.name == WORK else path.read_text()
        found[path.relative_to(folder).as_posix()] = without_times(text, folder)
    return found


def work_file_text(path: Path) -> str:
    """What stands in the work file of a run that was stopped."""
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as database:
        found = [
            *database.execute("SELECT row, trace FROM cases ORDER BY position"),
            *database.execute("SELECT trace, verdicts FROM answers ORDER BY position, ask"),
        ]
    return "".join(line.decode() for lines in found for line in lines if line is not None)


def without_times(text: str, folder: Path) -> str:
    """A text without times and without the name of a folder."""
    text = text.replace(str(folder), "<folder>")
    for pattern, instead in _TIMES:
        text = pattern.sub(instead, text)
    return text
