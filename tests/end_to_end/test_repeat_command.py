"""Every command that is printed to repeat a case, typed into a real shell: the case comes out the same."""

from __future__ import annotations

import html
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import raggate, typed
from tests.integration.servers import ScriptedApp, scripted_app

# What a shell, a Markdown reader or our own command line could take for something else.
IDS = (
    "plain-7",
    "two  words and 'quotes' \"of both kinds\"",
    "-leading",
    "--out=/tmp/nowhere",
    "=zsh",
    "~root $HOME `id` $(id) !1 \\",
    "a|b <c> & ;d* [e]",
    " padded ",
    "#issue 12 @team",
)
# Enough where it is not about names.
FEW = ("plain-7", "-leading 'dash'")
# The answer of every app but the one that a run is made with: it would pass.
GOOD = "You have 30 days from delivery."
APP = """\
import json, sys

for line in sys.stdin:
    print(json.dumps({"answer": {"text": "Soon."}, "context": ["c1"]}), flush=True)

def answer(case):
    return {"answer": "Soon.", "context": ["c1"]}
"""
SUITE = "suites/tea & co/raggate.yaml"


def outcomes(directory: Path) -> dict[str, Any]:
    rows = [json.loads(line) for line in (directory / "cases.jsonl").read_text().splitlines()]
    kept = ("state", "outcomes", "first_failed_stage", "score", "issues", "answer", "file", "line")
    return {row["case_id"]: {name: row.get(name) for name in kept} for row in rows}


def stored(directory: Path) -> dict[str, Any]:
    run: dict[str, Any] = json.loads((directory / "run.json").read_text())
    return run


def copied(page: str) -> Iterator[str]:
    """The commands of a page as a browser has them on the clipboard: code as written, entities resolved."""
    for code in re.findall(r"repeat: (.*)", page):
        parts = re.split(r"(`[^`]*`)", code)
        spans = [
            text[1:-1] if re.fullmatch("` .* `", text) and text.strip("` ") else text
            for text in (part[1:-1] if part.startswith("`") else html.unescape(part) for part in parts)
        ]
        yield "".join(spans)


def page_command(page: str) -> str:
    """The one command of a page, in the open, under the cases of which it is."""
    (opened,) = copied(page)
    assert page.index("\nrepeat: ") < (page.find("<details>") if "<details>" in page else len(page))
    return opened


def explained(run: Path, case_id: str, cwd: Path) -> str:
    """The command that `explain` prints for a case."""
    told = raggate("explain", os.path.relpath(run, cwd), "--", case_id, cwd=cwd)
    (line,) = re.findall(r"^repeat: (.*)$", told.stdout, re.MULTILINE)
    return str(line)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = (tmp_path / SUITE).parent
    folder.mkdir(parents=True)
    (folder / "app.py").write_text(APP)
    return tmp_path


def write_suite(place: Path, target: dict[str, Any], ids: tuple[str, ...] = FEW) -> None:
    """The suite, its cases, and beside it two files of traces, of which one fails every case of `ids`."""
    folder = (place / SUITE).parent
    suite = {"suite": "tea", "cases": ["cases.json"], "target": target, "scopes": {"pr": {"tags": ["smoke"]}}}
    (place / SUITE).write_text(json.dumps(suite))
    cases: list[dict[str, Any]] = [
        {"case_id": each, "question": "How long?", "must_contain": ["30 days", "delivery"], "tags": ["smoke"]}
        for each in ids
    ]
    cases.append({"case_id": "ends-well", "question": "How long?"})
    bad = {"case_id": "got through", "question": "?", "released": False, "blocked_at": "admissibility"}
    cases.append(bad | {"trace": {"answer": GOOD, "context": ["c1"]}})
    (folder / "cases.json").write_text(json.dumps(cases))
    for name, answer in (("good", GOOD), ("bad", "Soon.")):
        lines = [json.dumps({"case_id": case["case_id"], "answer": answer, "context": ["c1"]}) for case in cases[:-1]]
        (folder / f"-own {name}.jsonl").write_text("\n".join(lines))


def run_and_repeat(place: Path, cwd: Path, *arguments: str, url: str = "") -> list[str]:
    """Make a run, type every command of its pages and of `explain`, and hold each case against the run's."""
    made = raggate("run", *arguments, cwd=cwd)
    assert made.returncode in {1, 3}, made.stderr
    run = cwd / "raggate-run"
    expected = outcomes(run)
    ids = {case_id for case_id, row in expected.items() if row["state"] == "failed"}
    assert "plain-7" in ids
    opened = page_command((run / "comment.md").read_text())
    assert opened == page_command((run / "summary.md").read_text())
    assert repeated(opened, cwd, expected, stored(run), url=url) == {"plain-7", "got through"}
    commands = []
    for number, case_id in enumerate(sorted(ids, key=lambda each: each != "plain-7")):
        commands.append(command := explained(run, case_id, cwd))
        shell = "sh" if number % 2 else "bash"
        assert repeated(command, cwd, expected, stored(run), shell=shell, url=url) == {case_id}, command

    # Explained from elsewhere, the command leads back to where the run was made.
    elsewhere = place / "else where"
    elsewhere.mkdir(exist_ok=True)
    for case_id in sorted(ids - {"plain-7"})[:1]:
        line = explained(run, case_id, elsewhere)
        assert line.startswith("(cd -- "), line
        assert repeated(line, elsewhere, expected, stored(run), made_in=cwd, url=url) == {case_id}
    return commands


def repeated(
    command: str,
    cwd: Path,
    expected: dict[str, Any],
    first: dict[str, Any],
    *,
    shell: str = "bash",
    made_in: Path | None = None,
    url: str = "",
) -> set[str]:
    """Type the command; the cases that it ran, which came out as they had."""
    done = typed(command, cwd=cwd, shell=shell, TARGET_URL=url)
    assert done.returncode in {1, 3}, (command, done.stdout, done.stderr)
    again = (made_in or cwd) / "raggate-case"
    found = outcomes(again)
    assert {case_id: expected[case_id] for case_id in found} == found, command
    second = stored(again)
    for name in ("scope", "suite_file"):
        assert second[name] == first[name], command
    for name in ("suite_digest", "target_digest"):
        assert second["provenance"][name] == first["provenance"][name], command
    return set(found)


@pytest.mark.parametrize(
    ("kind", "within"),
    [
        pytest.param("command", False, id="a program, from the top"),
        pytest.param("function", True, id="a function, from the suite's folder"),
        pytest.param("recorded", True, id="recorded traces, from the suite's folder"),
    ],
)
def test_commands_repeat_where_the_suite_names_the_app(place: Path, kind: str, *, within: bool) -> None:
    targets: dict[str, dict[str, Any]] = {
        "command": {"kind": "command", "command": [sys.executable, "app.py"]},
        "function": {"kind": "function", "function": "app:answer"},
        "recorded": {"kind": "recorded", "traces": "-own bad.jsonl"},
    }
    write_suite(place, targets[kind])
    cwd = (place / SUITE).parent if within else place
    run_and_repeat(place, cwd, *([] if within else [SUITE]))


def test_commands_repeat_cases_whatever_they_are_called(place: Path) -> None:
    write_suite(place, {"kind": "recorded", "traces": "-own bad.jsonl"}, IDS)
    run_and_repeat(place, place, SUITE)


def test_one_command_repeats_the_cases_of_every_stage_that_stand_open(place: Path) -> None:
    write_suite(place, {"kind": "recorded", "traces": "-own bad.jsonl"})
    traces = (place / SUITE).parent / "-own bad.jsonl"
    lines = [json.loads(line) for line in traces.read_text().splitlines()]
    lines = [each | {"answer": ""} if each["case_id"] == FEW[1] else each for each in lines]
    traces.write_text("\n".join(map(json.dumps, lines)))
    assert raggate("run", SUITE, cwd=place).returncode == 1
    run = place / "raggate-run"
    opened = page_command((run / "comment.md").read_text())
    assert opened == page_command((run / "summary.md").read_text())
    assert repeated(opened, place, outcomes(run), stored(run)) == {*FEW, "got through"}


def test_commands_repeat_the_traces_the_scope_and_the_baseline(place: Path) -> None:
    write_suite(place, {"kind": "recorded", "traces": "-own good.jsonl"})
    within = (place / SUITE).parent
    assert raggate("run", "--out=-main", cwd=within).returncode in {1, 3}
    commands = run_and_repeat(place, within, "--traces=-own bad.jsonl", "--scope", "pr", "--baseline=-main")
    assert (
        commands[0]
        == "raggate-action run raggate.yaml --case plain-7 --scope pr '--traces=-own bad.jsonl' --baseline=-main"
    )
    assert stored(within / "raggate-case")["case_filter"]
    assert (within / "raggate-case" / "comparison.json").exists()


def test_a_run_written_over_its_baseline_or_from_its_own_traces_is_repeated(place: Path) -> None:
    write_suite(place, {"kind": "recorded", "traces": "-own bad.jsonl"})
    assert raggate("run", SUITE, cwd=place).returncode in {1, 3}
    commands = run_and_repeat(place, place, SUITE, "--baseline", "raggate-run")
    assert not any("baseline" in command for command in commands)
    # The traces of the last repetition, judged again from where it left them.
    arguments = ("--case", FEW[0], "--traces", "raggate-case/traces.jsonl")
    kept = raggate("run", SUITE, "--case", FEW[0], cwd=place)
    assert kept.returncode == 1
    assert raggate("run", SUITE, *arguments, cwd=place).returncode == 1
    command = page_command((place / "raggate-replay" / "comment.md").read_text())
    assert typed(command, cwd=place).returncode == 1


@pytest.fixture
def app() -> Iterator[ScriptedApp]:
    with scripted_app(default="says") as bad:
        bad.replies = {
            each: json.dumps({"answer": "Soon.", "context": ["c1"]}).encode() for each in (*FEW, "ends-well")
        }
        yield bad


def test_commands_repeat_an_http_app(place: Path, app: ScriptedApp) -> None:
    write_suite(place, {"kind": "http", "url": app.url, "attempts": 1})
    run_and_repeat(place, place, SUITE)


def test_commands_repeat_the_address_that_was_asked(place: Path, app: ScriptedApp) -> None:
    # Nobody listens at the suite's own address.
    write_suite(place, {"kind": "http", "url": "http://127.0.0.1:9/answer", "attempts": 1})
    commands = run_and_repeat(place, place, SUITE, "--target-url", app.url)
    assert all(f"--target-url {app.url}" in command for command in commands)


def test_an_address_with_a_secret_is_printed_nowhere(place: Path, app: ScriptedApp) -> None:
    write_suite(place, {"kind": "http", "url": "http://127.0.0.1:9/answer", "attempts": 1})
    url = f"{app.url}?key=hush-5-hush"
    commands = run_and_repeat(place, place, SUITE, "--target-url", url, url=url)
    assert all('--target-url "$TARGET_URL"' in command for command in commands)
    for file in (place / "raggate-run").iterdir():
        assert "hush" not in file.read_text()


def test_a_command_names_the_suite_that_has_to_be_checked_again(place: Path) -> None:
    write_suite(place, {"kind": "recorded", "traces": "gone.jsonl", "x": 1})
    first = raggate("check", SUITE, cwd=place)
    (command,) = re.findall(r"`(raggate-action check .*)`", first.stderr)
    again = typed(command, cwd=place)
    assert (again.returncode, again.stderr) == (2, first.stderr)
