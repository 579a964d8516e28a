"""The counts of a verdict: a case that a blocking gate names is failed, alike in every text of a pull request's run."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from tests.command_line import raggate
from tests.end_to_end.test_action import Step, Workflow, opened
from tests.fake_github.fake import FakeGitHub
from tests.faq_suites import answer, price, write_faq
from tests.forked import Forks
from tests.opened_report import listed_in

FILES = ("raggate.yaml", "cases.jsonl", "evidence.jsonl", "traces.jsonl")
WAIVED = "waivers: [{gate: poorer, reason: a shorter style, owner: '@us', expires: 2099-01-01}]\n"


def cut(number: int) -> str:
    text = answer(number)
    return text[: len(text) // 2 + 3]


def saying(*, poorer: int) -> Callable[[int], str]:
    """So many answers are cut, and the one to the last question has a price that no evidence has."""

    def said(number: int) -> str:
        wrong = answer(number).replace(price(number), "999 EUR") if number == 39 else answer(number)
        return cut(number) if number < poorer else wrong

    return said


class Told(NamedTuple):
    """What a pull request's run tells.

    Attributes:
        step: The step.
        run: The run directory.
        comment: The comment as it was written on GitHub.
    """

    step: Step
    run: Path
    comment: str


@pytest.fixture
def workflow(tmp_path: Path, forks: Forks) -> Iterator[Workflow]:
    with FakeGitHub() as github:
        yield Workflow(github, tmp_path, forks)


def pull_request(workflow: Workflow, folder: Path, *, poorer: int, policy: str = "") -> Told:
    """A pull request on a main that answers everything well."""

    def files(said: Callable[[int], str], more: str) -> dict[str, str | bytes]:
        write_faq(folder, said, policy=more)
        return {name: (folder / name).read_text() for name in FILES}

    folder.mkdir()
    workflow.pushed(files=files(answer, ""), inputs={"baseline": "auto"})
    step = workflow.step(workflow.events.pull_request(opened(workflow)), [], files=files(saying(poorer=poorer), policy))
    (comment,) = [each.body for each in workflow.github.comments.values()]
    return Told(step, workflow.last / "raggate-run", comment)


def failed_cases(run: Path) -> tuple[list[str], list[str]]:
    """The cases that JUnit and SARIF call failed."""
    cases = ET.parse(run / "junit.xml").iter("testcase")
    failures = [case for case in cases if case.find("failure") is not None and case.get("classname") != "raggate"]
    junit = [str(case.get("name")) for case in failures]
    results = json.loads((run / "findings.sarif").read_text())["runs"][0]["results"]
    return junit, [each["message"]["text"].split()[1] for each in results]


# A tenth of 40 answers may be poorer: of six all count, of four none does. That whose price is wrong fails by itself.
@pytest.mark.parametrize(
    ("poorer", "policy", "failed"),
    [
        pytest.param(6, "", 7, id="the gate blocks"),
        pytest.param(4, "", 1, id="the gate only warns"),
        pytest.param(6, WAIVED, 1, id="the answers are waived"),
    ],
)
def test_a_case_that_a_blocking_gate_names_is_failed_in_every_text(
    workflow: Workflow, tmp_path: Path, poorer: int, policy: str, failed: int
) -> None:
    told = pull_request(workflow, tmp_path / "faq", poorer=poorer, policy=policy)
    assert told.step.code == 1, told.step.log
    passed = 40 - failed
    for text in (told.comment, told.step.summary, told.step.log):
        assert re.search(rf" · {passed} passed \(-{failed}\) \([^)]*\) · {failed} failed · 0 not measured", text)
    named = [f"q{number}" for number in range(6)] if failed == 7 else []
    assert failed_cases(told.run) == ([*named, "q39"], [*named, "q39"])
    stored = json.loads((told.run / "run.json").read_text())
    assert (stored["counts"]["passed"], stored["counts"]["failed"]) == (passed, failed)
    states = Counter(state for state, _words in listed_in((told.run / "report.html").read_text()).values())
    assert states == {"passed": passed, "failed": failed}
    assert told.step.result["pass_rate"] == 100 * passed / 40
    # What seed 004 sums up is of the cases' own gates.
    assert (stored["summary"]["passed"], stored["summary"]["failed"], stored["summary"]["failing"]) == (39, 1, ["q39"])
    again = raggate("report", "raggate-run", cwd=workflow.last)
    assert again.stdout == told.comment
    explained = raggate("explain", "raggate-run", cwd=workflow.last).stdout
    assert f"{failed} of 40 cases fail;" in explained
    assert explained.count(": blocks: poorer: it stops before its end: ") == len(named)
