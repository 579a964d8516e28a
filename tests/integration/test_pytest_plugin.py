"""The pytest plugin, in pytest processes of their own: cases as tests, asked once, whoever runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.forked import Forks

RunPytest = Callable[..., str]

SUITE = """\
suite: support
confirm: 0
evidence: [evidence.jsonl]
cases: [cases.jsonl]
target: {kind: function, function: "support:answer"}
"""
# Notes every call, so that a case that is asked twice is seen.
APP = """\
def answer(case):
    with open("asked.txt", "a") as file:
        file.write(case["case_id"] + "\\n")
    text = {"late": "No idea, 3 weeks."}.get(case["case_id"], "Parcels can be returned within 30 days of delivery.")
    return {"answer": text + " [rule]", "context": ["rule"]}
"""
# Of pytest's plugins only xdist and ours: the others take longer to load than a suite takes to run.
WITHOUT = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:anyio")
GOOD = ("refund window", "refund cash")
KNOWN_BAD = {"released": False, "blocked_at": "behaviour"}


def case(case_id: str, **more: Any) -> dict[str, Any]:
    return {"case_id": case_id, "question": f"{case_id}?", "must_contain": ["30 days"], **more}


def write(folder: Path, *cases: dict[str, Any], suite: str = SUITE) -> None:
    (folder / "raggate.yaml").write_text(suite)
    (folder / "support.py").write_text(APP)
    chunk = {"chunk_id": "rule", "text": "Parcels can be returned within 30 days of delivery."}
    (folder / "evidence.jsonl").write_text(json.dumps(chunk) + "\n")
    (folder / "cases.jsonl").write_text("".join(json.dumps(each) + "\n" for each in cases))


@pytest.fixture
def run_pytest(forks: Forks) -> RunPytest:
    """What `pytest ARGUMENTS` prints; it has loaded pytest and the package."""

    def run(folder: Path, *arguments: str) -> str:
        arguments = ("-m", "pytest", *WITHOUT, "--basetemp", "kept", *arguments)
        return forks.run(*arguments, cwd=folder, env=os.environ).stdout

    return run


def results(printed: str) -> dict[str, str]:
    """Each test's outcome by its name, from `-rA`."""
    return {
        name: outcome
        for outcome, name in re.findall(r"^(PASSED|FAILED|ERROR) \S+?::(.*?)(?: - .*)?$", printed, re.MULTILINE)
    }


def asked(folder: Path) -> Counter[str]:
    return Counter((folder / "asked.txt").read_text().splitlines())


def test_each_case_is_a_test_and_so_is_the_decision(tmp_path: Path, run_pytest: RunPytest) -> None:
    write(tmp_path, *map(case, GOOD))
    printed = run_pytest(tmp_path, "--raggate", "-rA")
    assert results(printed) == dict.fromkeys((*GOOD, "[decision]"), "PASSED"), printed
    assert asked(tmp_path) == Counter(GOOD)


def test_a_failing_case_says_what_the_gates_say_and_fails_the_decision(tmp_path: Path, run_pytest: RunPytest) -> None:
    write(tmp_path, *map(case, (*GOOD, "late")))
    printed = run_pytest(tmp_path, "--raggate", "-rA")
    assert results(printed) == {**dict.fromkeys(GOOD, "PASSED"), "late": "FAILED", "[decision]": "FAILED"}
    assert "No idea, 3 weeks." in printed
    assert "raggate: BLOCK" in printed
    assert "Traceback" not in printed
    assert "pytest_plugin.py" not in printed, "nobody has to read our code"


def test_what_is_left_out_is_not_asked_and_decides_nothing(tmp_path: Path, run_pytest: RunPytest) -> None:
    write(tmp_path, *map(case, (*GOOD, "late")))
    printed = run_pytest(tmp_path, "--raggate", "-rA", "-k", "refund or decision")
    assert results(printed) == dict.fromkeys(GOOD, "PASSED"), printed
    assert "the gates are for the whole suite" in printed
    assert asked(tmp_path) == Counter(GOOD)
    (tmp_path / "asked.txt").unlink()
    assert "1 passed" in run_pytest(tmp_path, "--raggate", "raggate.yaml::refund cash")
    assert asked(tmp_path) == Counter(["refund cash"])


def test_workers_of_xdist_share_one_run(tmp_path: Path, run_pytest: RunPytest) -> None:
    names = [f"refund {number}" for number in range(12)]
    write(tmp_path, *map(case, (*names, "late")))
    printed = run_pytest(tmp_path, "--raggate", "-rA", "-n", "2")
    assert results(printed) == {**dict.fromkeys(names, "PASSED"), "late": "FAILED", "[decision]": "FAILED"}
    assert asked(tmp_path) == Counter([*names, "late"])


def test_a_known_bad_case_passes_when_it_is_blocked_where_it_says(tmp_path: Path, run_pytest: RunPytest) -> None:
    trace = {"answer": "Parcels can be returned within 30 days of delivery. [rule]", "context": ["rule"]}
    caught = case("caught", **KNOWN_BAD, trace=trace, must_not_contain=["parcels"])
    write(tmp_path, case(GOOD[0]), caught, case("got through", **KNOWN_BAD, trace=trace))
    found = results(run_pytest(tmp_path, "--raggate", "-rA"))
    assert found == {GOOD[0]: "PASSED", "caught": "PASSED", "got through": "FAILED", "[decision]": "FAILED"}


def test_mistakes_in_the_suite_are_said_as_check_suite_says_them(tmp_path: Path, run_pytest: RunPytest) -> None:
    write(tmp_path, case("a", must_contian=["x"]), suite=SUITE + "gates: {answred: {min: 95%}}\n")
    printed = run_pytest(tmp_path, "--raggate")
    assert "raggate.yaml:6" in printed
    assert "cases.jsonl:1" in printed
    assert "did you mean `must_contain`?" in printed
    assert "Traceback" not in printed


def test_without_the_option_nothing_is_collected_and_nothing_is_loaded(tmp_path: Path) -> None:
    write(tmp_path, case("a"))
    (tmp_path / "test_own.py").write_text(
        "import sys\n\n\ndef test_own():\n"
        "    ours = {name for name in sys.modules if name.startswith(('raggate_action', 'pydantic', 'httpx'))}\n"
        "    assert ours == {'raggate_action' + name for name in ('', '.version', '.cli', '.cli.pytest_plugin')}\n"
    )
    # Forked it would have loaded everything already.
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *WITHOUT], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert "1 passed" in done.stdout
    assert not (tmp_path / "asked.txt").exists()


@pytest.mark.parametrize(("name", "outcome"), [("refund", "1 passed"), ("late", "1 failed")])
def test_the_fixture_runs_a_suite_against_a_callable(
    tmp_path: Path, run_pytest: RunPytest, name: str, outcome: str
) -> None:
    (tmp_path / "evals").mkdir()
    write(tmp_path / "evals", case(name))
    (tmp_path / "test_release.py").write_text(
        "import sys\nsys.path.insert(0, 'evals')\nfrom support import answer\n\n\n"
        "def test_release(raggate_suite):\n"
        "    assert raggate_suite('evals/raggate.yaml', target=answer).decision == 'release'\n"
    )
    printed = run_pytest(tmp_path)
    assert outcome in printed
    assert ("raggate: BLOCK" in printed) == (name == "late")
    assert asked(tmp_path) == Counter([name])


def test_a_known_bad_case_that_only_judges_could_block_is_skipped_without_their_key(
    tmp_path: Path, run_pytest: RunPytest
) -> None:
    trace = {"answer": "Parcels can be sent back whenever you please [rule].", "context": ["rule"]}
    invented = {"case_id": "invented", "question": "invented?", "released": False, "trace": trace}
    invented["blocked_at"] = "answer faithfulness"
    judged = {"name": "ada", "lab": "lab", "model": "m", "base_url": "http://127.0.0.1:1/v1", "api_key_env": "ADA_KEY"}
    cases = (case("refund"), invented)
    write(tmp_path, *cases, suite=SUITE + f"judges: {json.dumps({'panel': [judged]})}\n")
    printed = run_pytest(tmp_path, "--raggate", "-rA")
    assert results(printed) == {"refund": "PASSED", "[decision]": "PASSED"}
    assert "1 skipped" in printed
    write(tmp_path, *cases)
    assert results(run_pytest(tmp_path, "--raggate", "-rA"))["invented"] == "FAILED", "a suite without judges"


def test_without_a_suite_it_says_what_it_needs(tmp_path: Path, run_pytest: RunPytest) -> None:
    (tmp_path / "test_own.py").write_text("def test_own(): pass\n")
    said = run_pytest(tmp_path, "--raggate")
    assert f"raggate: --raggate needs a suite, and there is no raggate.yaml in {tmp_path}" in said
    assert "pytest --raggate evals/raggate.yaml" in said
    assert "needs a suite" not in run_pytest(tmp_path)
    write(tmp_path, case("refund window"))
    assert "needs a suite" not in run_pytest(tmp_path, "--raggate")
