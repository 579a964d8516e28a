"""`docs/judges.md` cannot lie: its panels load, its workflows pass the linters, its numbers are computed again."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench import arming as arming_bench
from bench.judge_cost import table
from raggate_action import __version__
from raggate_action.cli.commands import COMMANDS
from raggate_action.report.render import render_comment
from raggate_action.schema.judges import Arming, ClaimsJob, JudgeBudget, Judges, Member, Price
from raggate_action.suite_files import load_suite
from raggate_action.suite_files.calibration_file import labelled_answers
from raggate_action.suite_files.problems import FileProblems
from tests.contract.test_workflows import AROUND_STEPS, USES, uses
from tests.golden import judged_pages

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs/judges.md").read_text()
SUITE_DOCS = (ROOT / "docs/suite.md").read_text()
SAMPLES = re.findall(r"<!-- judges: ([^\n]+) -->\n```yaml\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE)
WORKFLOWS = {
    name: AROUND_STEPS + textwrap.indent(block, "    ") if steps else block
    for steps, name, block in re.findall(
        r"<!-- workflow( steps)?: ([^\n]+) -->\n```yaml\n(.*?)^```", DOCUMENT, re.DOTALL | re.MULTILINE
    )
}
SUITE = "suite: shop\ncases: [cases.yaml]\ntarget: {kind: http, url: 'http://localhost/ask'}\n"


def panel_of(sample: str, folder: Path) -> Judges:
    """A sample as the suite reads it."""
    (folder / "cases.yaml").write_text("- {case_id: a, question: q}\n")
    (folder / "raggate.yaml").write_text(SUITE + sample)
    judges = load_suite(folder / "raggate.yaml", environment={}).suite.judges
    assert judges is not None
    return judges


def said_once(text: str) -> None:
    assert DOCUMENT.count(text) == 1, text


@pytest.mark.parametrize(("name", "sample"), SAMPLES, ids=[name for name, _sample in SAMPLES])
def test_every_panel_shown_is_one(name: str, sample: str, tmp_path: Path) -> None:
    judges = panel_of(sample, tmp_path)
    # What is only in a comment would be read by nobody.
    assert judges.panel
    if name == "three labs":
        assert len({member.lab for member in judges.panel}) == len(judges.panel) == 3


def test_every_endpoint_that_is_promised_is_shown(tmp_path: Path) -> None:
    shown = {name: panel_of(sample, tmp_path) for name, sample in SAMPLES}
    assert list(shown) == ["three labs", "Azure", "vLLM", "Ollama", "llama.cpp"]
    hosts = {member.base_url for judges in shown.values() for member in judges.panel}
    assert {"https://api.openai.com/v1", "https://openrouter.ai/api/v1"} <= hosts
    for name in ("Ollama", "llama.cpp"):
        (member,) = shown[name].panel
        assert member.api_key_env is None
        assert member.price == Price(input=0, output=0), "no price would be an unknown one"


def test_the_workflows_pass_the_linters(tmp_path: Path) -> None:
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    policies = '{"raggate-action/raggate-action": ref-pin, "*": hash-pin}'
    (tmp_path / ".github/zizmor.yml").write_text(f"rules: {{unpinned-uses: {{config: {{policies: {policies}}}}}}}\n")
    assert len(WORKFLOWS) == 2 == len(re.findall(r"^(?:jobs|steps):", DOCUMENT, re.MULTILINE))
    for number, text in enumerate(WORKFLOWS.values()):
        (folder / f"{number}.yml").write_text(text)
    files = sorted(map(str, folder.iterdir()))
    for name, *arguments in (
        ("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files),
        ("zizmor", "--offline", "--no-progress", str(tmp_path)),
    ):
        program = Path(sys.executable).with_name(name)
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_the_workflows_have_our_hashes_and_this_version() -> None:
    pinned = {action.partition("@")[0]: (action, comment) for _place, action, comment in uses()}
    found = [use for block in WORKFLOWS.values() for use in USES.findall(block)]
    ours = {action for action, _comment in found if action.startswith("raggate-action/")}
    assert ours == {f"raggate-action/raggate-action@v{__version__}"}
    others = [(action, comment.strip()) for action, comment in found if action not in ours]
    assert others
    assert [
        (action, comment) for action, comment in others if pinned[action.partition("@")[0]] != (action, comment)
    ] == []


def test_the_secrets_given_are_those_that_the_panel_names(tmp_path: Path) -> None:
    step = yaml.safe_load(WORKFLOWS["judges' keys"])["jobs"]["gate"]["steps"][-1]
    judges = panel_of(dict(SAMPLES)["three labs"], tmp_path)
    assert step["env"] == {
        name: f"${{{{ secrets.{name} }}}}" for name in {member.api_key_env for member in judges.panel}
    }


def test_the_model_that_is_pulled_is_the_one_that_is_asked(tmp_path: Path) -> None:
    job: dict[str, Any] = yaml.safe_load(WORKFLOWS["a model of one's own"])["jobs"]["gate"]
    (member,) = panel_of(dict(SAMPLES)["Ollama"], tmp_path).panel
    pull = next(step["run"] for step in job["steps"] if "api/pull" in step.get("run", ""))
    assert f'"model": "{member.model}"' in pull
    assert f"`{member.model}`" in DOCUMENT
    assert list(job["services"]) == ["ollama"]
    assert "`base_url: http://ollama:11434/v1`" in DOCUMENT
    assert (
        "The panel that a small model judges in a service container" in (ROOT / "dev/notes/live-checks.md").read_text()
    )


def test_the_cost_is_what_the_bench_computes() -> None:
    shown = re.search(r"<!-- computed: bench.judge_cost -->\n(.*?)\n\n", DOCUMENT, re.DOTALL)
    assert shown is not None
    assert shown[1].splitlines() == table()
    assert "Computed, not measured" in DOCUMENT


def test_the_terms_are_those_of_the_records() -> None:
    arming, budget = Arming(), JudgeBudget()
    said_once(f"| labelled claims, faulty ones among them | {arming.labels} and {arming.faults} | `labels`, `faults` |")
    said_once(f"| agreement with people (Gwet's AC1) | {arming.ac1} | `ac1` |")
    said_once(f"upper 95 % limit | {arming.false_block * 100:.0f} % | `false_block` |")
    said_once(f"| faulty claims called supported, the same | {arming.false_pass * 100:.0f} % | `false_pass` |")
    said_once(f"`calls_per_case` {budget.calls_per_case} for each judge")
    said_once(f"`usd` {budget.usd:.2f} where prices are known")
    assert budget.tokens is None
    said_once(f"(`attempts` {Member.model_fields['attempts'].default})")


@pytest.mark.parametrize(
    "record", [Judges, Member, Price, ClaimsJob, JudgeBudget, Arming], ids=lambda each: each.__name__
)
def test_every_key_stands_in_the_page_of_the_suite(record: Any) -> None:
    section = SUITE_DOCS.partition("\n## Judges\n")[2].partition("\n## ")[0]
    assert [name for name in record.model_fields if f"`{name}`" not in section] == []


@pytest.mark.parametrize(("sample", "lines"), [("lines", 2), ("fold", 3)])
def test_what_an_advising_panel_says_is_what_a_comment_has(sample: str, lines: int) -> None:
    shown = re.search(rf"<!-- {sample} of an advising panel -->\n((?:>.*\n)+)", DOCUMENT)
    assert shown is not None
    told = [line.removeprefix("> ") for line in shown[1].splitlines() if line != ">"]
    page = [
        re.sub(r"^> |</?(?:details|summary)>", "", line) for line in render_comment(judged_pages.advised()).splitlines()
    ]
    assert len(told) == lines
    assert set(told) <= set(page)


def test_every_command_named_is_one() -> None:
    named = set(re.findall(r"raggate-action ([a-z][\w-]+)", DOCUMENT.replace("raggate-action/raggate-action", "")))
    assert {"judges", "explain"} <= named
    assert named <= {name.partition(" ")[0] for name in COMMANDS}


def test_the_entries_with_a_job_are_labels(tmp_path: Path) -> None:
    (sample,) = re.findall(r"<!-- entries with a job -->\n```yaml\n(.*?)```", DOCUMENT, re.DOTALL)
    path = tmp_path / "labels.yaml"
    path.write_text(sample)
    problems = FileProblems("labels.yaml")
    found = labelled_answers(path, problems)
    assert not list(problems.kept)
    assert [each.job for each in found] == ["agreement", "criteria"]


def test_the_chances_of_arming_are_what_the_bench_computes() -> None:
    shown = re.search(r"<!-- computed: bench.arming -->\n(.*?)\n\n", DOCUMENT, re.DOTALL)
    assert shown is not None
    assert shown[1].splitlines() == arming_bench.table()
    lighter = arming_bench.TERMS["lighter"]
    sample = "arming: {labels: 30, faults: 12, false_block: 25%, false_pass: 40%}"
    assert sample in DOCUMENT
    assert Arming.model_validate(yaml.safe_load(sample)["arming"]) == lighter
