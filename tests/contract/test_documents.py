"""Documents cannot lie: blocks load as what they are, command lines parse, links lead somewhere, names and numbers are the program's."""

from __future__ import annotations

import ast
import importlib
import json
import re
import shlex
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

import raggate_action
from bench.__main__ import BENCHES
from bench.table import Options
from dev import reference
from raggate_action import errors, version
from raggate_action.action.announcement import OUTPUTS
from raggate_action.cli.commands import COMMANDS
from raggate_action.cli.parser import parse_arguments
from raggate_action.errors import ExitCode, RaggateError
from raggate_action.github.action_inputs import INPUT_NAMES
from raggate_action.github.pygithub_client import GitHubFault
from raggate_action.isolation.own_process import PLAIN_NAMES
from raggate_action.report.catalogue import STAGES
from raggate_action.run_store.run_files import AB_FILES
from raggate_action.schema import judges
from raggate_action.schema.outcome import GATES
from raggate_action.schema.trace import Trace
from raggate_action.suite_files import judge_rows_file, load_suite
from raggate_action.suite_files.calibration_file import labelled_answers
from raggate_action.suite_files.judge_rows_file import read_rows_file
from raggate_action.suite_files.problems import FileProblems, Problems
from raggate_action.suite_files.rubric_file import default_rubric, read_rubric
from tests.contract.test_workflows import AROUND_STEPS, passes_the_linters

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "bench/README.md")),
    *sorted(path for folder in ("docs", "dev/notes", "examples") for path in (ROOT / folder).rglob("*.md")),
]
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


class Block(NamedTuple):
    """What stands between fences, in which language, and the file that the comment above names."""

    page: Path
    line: int
    language: str
    file: str
    text: str


@cache
def blocks() -> tuple[Block, ...]:
    fenced = re.compile(r"(?:^<!-- \w+: (\S+\.\w+) -->\n)?^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return tuple(
        Block(page, text[: found.start(2)].count("\n") + 1, found[2], found[1] or "", found[3])
        for page in PAGES
        for text in [page.read_text()]
        for found in fenced.finditer(text)
    )


def of(*languages: str) -> list[Any]:
    return [
        pytest.param(each, id=f"{name_of(each.page)}:{each.line}") for each in blocks() if each.language in languages
    ]


# Blocks

WORKFLOW = re.compile(r"^(?:jobs|steps):|^ *- (?:if|uses|run):", re.MULTILINE)
MINIMAL = {
    "suite": "suite: shop",
    "cases": "cases: [cases.yaml]",
    "target": "target: {kind: http, url: 'http://localhost/ask'}",
}


@pytest.mark.parametrize("block", [each for each in of("yaml") if not WORKFLOW.search(each.values[0].text)])
def test_a_yaml_block_is_part_of_a_suite_or_a_file_of_its_own(block: Block, tmp_path: Path) -> None:
    if re.search(r"^dimensions:", block.text, re.MULTILINE):
        (tmp_path / "rubric.yaml").write_text(block.text)
        problems = Problems()
        assert read_rubric(tmp_path / "rubric.yaml", problems.within(tmp_path / "rubric.yaml")) is not None
        assert problems.within(tmp_path / "rubric.yaml").kept == ()
        return
    if block.text.startswith("- id:"):
        (tmp_path / "labels.yaml").write_text(block.text)
        kept = FileProblems("labels.yaml")
        assert labelled_answers(tmp_path / "labels.yaml", kept)
        assert not list(kept.kept)
        return
    (tmp_path / "cases.yaml").write_text("- {case_id: a, question: q}\n")
    for each in blocks():
        if each.page == block.page and each.file:
            (tmp_path / each.file).write_text(each.text)
    whole = block.text
    if "case_id" in whole.partition(":")[0]:
        (tmp_path / "cases.yaml").write_text(whole)
        whole = ""
    lacking = [line for key, line in MINIMAL.items() if not re.search(rf"^{key}:", whole, re.MULTILINE)]
    (tmp_path / "suite.yaml").write_text("\n".join([*lacking, whole]))
    loaded = load_suite(tmp_path / "suite.yaml", environment={}, arms="\nab:" in f"\n{whole}")
    assert loaded.cases


def test_the_workflows_pass_the_linters_and_name_this_version(tmp_path: Path) -> None:
    yamls = [each.text for each in blocks() if each.language == "yaml" and WORKFLOW.search(each.text)]
    # What is indented are steps of others in the middle of a job.
    found = [text for text in yamls if yaml.safe_load(text) and not text.startswith(" ")]
    assert len(found) > 5
    for text in found:
        assert set(re.findall(r"raggate-action/raggate-action@(\S+)", text)) <= {f"v{version.__version__}"}
        assert set(re.findall(r"pip install raggate-action==(\S+)", text)) <= {version.__version__}
    steps = [f"steps:\n{textwrap.indent(text, '  ')}" if text.startswith("- ") else text for text in found]
    passes_the_linters(
        [AROUND_STEPS + textwrap.indent(text, "    ") if text.startswith("steps:") else text for text in steps],
        tmp_path,
    )


@pytest.mark.parametrize("block", of("json", "python", "csv"))
def test_a_block_of_another_language_is_in_it(block: Block, tmp_path: Path) -> None:
    if block.language == "python":
        ast.parse(block.text)
    elif block.language == "csv":
        (tmp_path / "rows.csv").write_text(block.text)
        assert read_rows_file(tmp_path / "rows.csv").remarks == ()
    elif block.text.startswith("{\n"):
        json.loads(block.text)
    else:
        assert [json.loads(line) for line in block.text.splitlines()]


def test_the_sample_trace_is_one() -> None:
    (block,) = [each for each in blocks() if each.page.name == "trace.md" and each.language == "json"]
    Trace.model_validate_json(json.dumps(json.loads(block.text)))


# Commands


def lines_typed() -> Iterator[Any]:
    for each in blocks():
        if each.language in ("sh", "console"):
            for line in each.text.splitlines():
                if found := re.match(r"(?:\$ )?(?:[A-Z_]+=\S+ )*((?:raggate-action|make) [^|>#]*[^|>#\s2])", line):
                    yield pytest.param(found[1], id=f"{name_of(each.page)}: {found[1]}")


@pytest.mark.parametrize("line", [*lines_typed()])
def test_a_command_line_is_read_by_the_parser_or_a_target(line: str) -> None:
    program, *words = shlex.split(line)
    if program == "make":
        assert {word for word in words if "=" not in word} <= TARGETS
    else:
        assert parse_arguments(words) is not None


def test_every_command_that_anything_says_is_one() -> None:
    """Documents, messages, comments, workflows: what they tell people to type exists."""
    tops = (*PAGES, ROOT / "action.yml", *(ROOT / "raggate_action").rglob("*.py"), *(ROOT / "templates").rglob("*.j2"))
    said = [
        found
        for path in tops
        for found in re.findall(r"(?<!Install )\braggate-action (judges [a-z]+|[a-z][a-z-]*)", path.read_text())
    ]
    assert len(said) > 150
    assert {name for name in said if name not in COMMANDS} == set()
    made = {name for path in PAGES for name in re.findall(r"`make ([a-z][\w-]+)", path.read_text())}
    assert made <= TARGETS


# Links


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page, as GitHub makes them of headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_each_link_leads_somewhere_and_each_path_is_there(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if not re.match(r"https?:|mailto:", link):
            place, _, anchor = link.partition("#")
            there = (page.parent / place).resolve() if place else page
            assert there.exists(), link
            assert not anchor or anchor in anchors(there), link
    named = set(re.findall(r"`((?:raggate_action|tests|docs|dev|examples|templates)/[\w./-]+)`", page.read_text()))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


ERRORS: list[type[RaggateError]] = [
    each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, RaggateError)
]
RELEASED = f"https://github.com/raggate-action/raggate-action/blob/v{version.__version__}/"
ADDRESSES = [
    *(value for value in vars(version).values() if isinstance(value, str) and value.startswith(RELEASED)),
    *sorted({version.error_entry(slug) for slug in (GitHubFault.slug, *(each.slug for each in ERRORS))}),
]


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address.removeprefix(RELEASED))
def test_an_address_that_is_printed_leads_to_a_heading(address: str) -> None:
    page, _, anchor = address.removeprefix(RELEASED).partition("#")
    assert not page or (ROOT / page).is_file()
    assert not anchor or anchor in anchors(ROOT / page)


def test_no_message_names_a_file_that_only_the_repository_has() -> None:
    """Who installed the package has no `docs/`: messages name addresses, from version.py."""
    package = ROOT / "raggate_action"
    mention = re.compile(r"\bdocs/|\bREADME\b|\b(?:SECURITY|CHANGELOG)\.md|\bexamples/|\btests/", re.IGNORECASE)
    for path in package.rglob("*.py"):
        # The words of a language are what answers are read by, and never printed.
        if path.name != "version.py" and "languages" not in path.parts:
            tree = ast.parse(path.read_text())
            bodies = [
                node.body for node in ast.walk(tree) if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            ]
            docstrings = {body[0].value for body in bodies if body and isinstance(body[0], ast.Expr)}
            strings = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and each not in docstrings]
            assert [each.value for each in strings if isinstance(each.value, str) and mention.search(each.value)] == []
    assert not [path for path in (ROOT / "templates").rglob("*.j2") if mention.search(path.read_text())]


# Names and numbers

CORE = "".join(path.read_text() for path in (ROOT / "raggate_action/core").rglob("*.py"))


# Page -> what has to stand in it.
NAMED: dict[str, list[str]] = {
    "docs/errors.md": [
        *(f"\n## {each.slug}\n" for each in ERRORS),
        *(f"| {code.value} | {code.name.lower()} |" for code in ExitCode),
    ],
    "docs/gates.md": [
        *(f"`{code}`" for code in re.findall(r'Problem\(\s*code="([a-z-]+)"', CORE)),
        *(f"`claim-{verdict}`" for verdict in ("partial", "unsupported", "contradicted")),
    ],
    "docs/suite.md": [f"`{name}`" for name in PLAIN_NAMES],
    "docs/trace.md": [name for name in Trace.model_fields if name != "stage_latency_ms"],
    "docs/python.md": [f"`{name}" for name in raggate_action.__all__],
    "docs/reference/action.md": [f"| `{name}` |" for name in (*INPUT_NAMES, *OUTPUTS)],
    "docs/panel.md": [f"`{name}`" for name in AB_FILES],
    "docs/rubric.md": [f"| `{name}` |" for name in default_rubric().names],
    "docs/judge-rows.md": [f"`{name}`" for name in judge_rows_file.KNOWN],
    "docs/judges.md": [
        f"| {judges.Arming().labels} and {judges.Arming().faults} | `labels`, `faults` |",
        f"| {judges.Arming().ac1} | `ac1` |",
        f"`calls_per_case` {judges.JudgeBudget().calls_per_case} for each judge",
    ],
}


@pytest.mark.parametrize("page", NAMED)
def test_what_the_program_names_stands_in_its_page(page: str) -> None:
    text = (ROOT / page).read_text()
    assert len(NAMED[page]) > 2
    assert [name for name in NAMED[page] if name not in text] == []


def test_every_gate_has_its_row() -> None:
    rows = [line for line in (ROOT / "docs/gates.md").read_text().splitlines() if line.startswith("| `")]
    for gate, stage in GATES.items():
        (row,) = [line for line in rows if line.startswith(f"| `{gate}` |")]
        assert f"| {stage} |" in row
        assert row.endswith(f"| {STAGES[stage]['repair']} |")


@pytest.mark.parametrize("page", reference.pages())
def test_a_reference_page_is_what_the_program_says_of_itself(page: str) -> None:
    """`make reference` writes it anew."""
    assert (reference.PAGES / page).read_text() == reference.pages()[page]


@pytest.mark.parametrize(
    ("page", "name"),
    [(page, name) for page in PAGES for name in re.findall(r"<!-- computed: (\S+) -->", page.read_text())],
    ids=lambda each: each if isinstance(each, str) else name_of(each),
)
def test_what_is_computed_is_what_the_bench_computes(page: Path, name: str) -> None:
    module, function = BENCHES[name]
    (table,) = getattr(importlib.import_module(module), function)(Options())
    shown, _, below = page.read_text().partition(f"<!-- computed: {name} -->\n")[2].partition("\n\n")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in shown.splitlines()]
    assert [rows[0], *rows[2:]] == [list(table.columns), *map(list, table.rows)]
    assert all(below.startswith(line) for line in table.lines if line)
