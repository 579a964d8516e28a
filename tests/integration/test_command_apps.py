"""`init --command`: programs of every manner, from an empty folder to a verdict, and what each says when it fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.integration.test_first_suite import KEY, raggate

# Its documents, and the one that a question shares a word with.
_DOCS = """
import json, os, sys
DOCS = {"headphones": "Headphones have a warranty of 24 months.", "express": "Express delivery costs 9 euros."}
def found(question):
    return [text for word, text in DOCS.items() if word in question.lower()]
def reply(question):
    hits = found(question)
    return {"answer": hits[0] if hits else "I do not know.", "contexts": hits or list(DOCS.values())}
"""
PROGRAMS = {
    "arguments": 'print(reply(sys.argv[1])["answer"])',
    "arguments-json": "print(json.dumps(reply(sys.argv[1])))",
    "lines": 'for line in sys.stdin: print(json.dumps(reply(json.loads(line)["question"])), flush=True)',
    "lines-of-text": 'for line in sys.stdin: print(reply(json.loads(line)["question"])["answer"], flush=True)',
    "one-line": 'print(json.dumps(reply(json.loads(sys.stdin.readline())["question"])))',
    "whole-input": 'print(json.dumps(reply(json.load(sys.stdin)["question"])))',
    "plain-input": 'print(reply(sys.stdin.read().strip())["answer"])',
    "needs-a-key": 'os.environ["SHOP_API_KEY"]; print(json.dumps(reply(sys.argv[1])))',
    "breaks": 'print("loading", file=sys.stderr); sys.exit("no index in /var/lib/shop")',
    "silent": "pass",
}
QUESTIONS = "question\nHow long is the warranty of headphones?\nWhat does express delivery cost?\n"
PYTHON = Path(sys.executable).as_posix()


def app(folder: Path, name: str, arguments: str = "") -> tuple[str, ...]:
    """`init` of a program with two questions that it can answer."""
    (folder / "app.py").write_text(_DOCS + PROGRAMS[name])
    (folder / "questions.csv").write_text(QUESTIONS)
    return ("init", "--from", "questions.csv", "--command", f"{PYTHON} app.py {arguments}".rstrip())


@pytest.mark.parametrize(
    ("name", "arguments", "is_started_anew"),
    [
        ("arguments-json", "{{question}}", False),
        ("lines", "", False),
        ("one-line", "", True),
        ("whole-input", "", True),
    ],
)
def test_a_program_is_asked_as_it_wants_and_its_evidence_is_read(
    tmp_path: Path, name: str, arguments: str, *, is_started_anew: bool
) -> None:
    done = raggate(*app(tmp_path, name, arguments), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "raggate: took answer from `answer`, context from `contexts`\n" in done.stdout
    assert "raggate:   answer: “Headphones have a warranty of 24 months.”\n" in done.stdout
    # Two questions of the file, and the one to be declined.
    assert "3 passed" in done.stdout
    suite = (tmp_path / "raggate.yaml").read_text()
    assert "  kind: command\n" in suite
    assert ("  per_case: true" in suite) == is_started_anew
    (tmp_path / "app.py").write_text((tmp_path / "app.py").read_text().replace("hits[0] if", '"It is 36 months." if'))
    again = raggate("run", "--baseline", "raggate-run", "--out", "again", cwd=tmp_path)
    assert again.returncode == 1, again.stdout


def test_what_a_program_prints_is_its_answer_and_is_shown(tmp_path: Path) -> None:
    done = raggate(*app(tmp_path, "arguments", "{{question}}"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "raggate:   answer: “Headphones have a warranty of 24 months.”\n" in done.stdout
    assert "it does not show what its answers rest on" in done.stdout
    assert "pipeline: {context: none}" in (tmp_path / "raggate.yaml").read_text()
    asked = raggate("ask", "--command", f"{PYTHON} app.py {{{{question}}}}", "What is express?", cwd=tmp_path)
    assert "Express delivery costs 9 euros." in asked.stdout, asked.stderr


def test_lines_of_plain_text_are_read_by_starting_the_program_for_each_case(tmp_path: Path) -> None:
    done = raggate(*app(tmp_path, "lines-of-text"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "  per_case: true    # started anew for each case" in (tmp_path / "raggate.yaml").read_text()
    assert "3 passed" in done.stdout


def test_a_program_that_reads_the_question_as_plain_text_is_asked_through_a_shell(tmp_path: Path) -> None:
    start = app(tmp_path, "plain-input")
    line = f"sh -c 'printf %s \"$1\" | {PYTHON} app.py' app {{{{question}}}}"
    done = raggate(*start[:-1], line, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "raggate:   answer: “Headphones have a warranty of 24 months.”\n" in done.stdout


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("breaks", "the program ended with exit code 1 before its answer: no index in /var/lib/shop"),
        ("silent", "the program ended with exit code 0 before its answer"),
    ],
)
def test_a_program_that_fails_is_told_with_its_last_line(tmp_path: Path, name: str, error: str) -> None:
    done = raggate(*app(tmp_path, name, "{{question}}"), cwd=tmp_path)
    assert done.returncode == 3
    assert done.stderr.startswith(f"raggate: `{PYTHON} app.py '{{{{question}}}}'` failed: {error}\n")
    assert not (tmp_path / "raggate.yaml").exists()


def test_a_program_that_needs_a_key_says_how_it_gets_it(tmp_path: Path) -> None:
    start = app(tmp_path, "needs-a-key", "{{question}}")
    done = raggate(*start, cwd=tmp_path, SHOP_API_KEY=KEY)
    assert (done.returncode, "give --env SHOP_API_KEY" in done.stderr) == (3, True), done.stderr
    named = raggate(*start, "--env", "SHOP_API_KEY", cwd=tmp_path, SHOP_API_KEY=KEY)
    assert named.returncode == 0, named.stderr
    assert '  env: {SHOP_API_KEY: "${SHOP_API_KEY}"}' in (tmp_path / "raggate.yaml").read_text()
    workflow = (tmp_path / ".github/workflows/release-gate.yml").read_text()
    assert 'env: {SHOP_API_KEY: "${{ secrets.SHOP_API_KEY }}"}' in workflow
    assert "start-app.sh" not in workflow


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("", "--command names no program"),
        ("python 'app.py", "--command cannot be split into arguments: No closing quotation"),
        ("{{question}}", "--command has the question where the program stands"),
        ("python app.py {{query}}", "--command: unknown placeholder '{{query}}'"),
        ("python app.py {question}", "--command says {question}, which the program is given as it stands"),
        (f"python app.py --api-key {KEY} {{{{question}}}}", "--command holds a value of '--api-key' that would be"),
        (f"env SHOP_TOKEN={KEY} python app.py", "--command holds a value of 'SHOP_TOKEN' that would be"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused_before_anything_is_started(
    tmp_path: Path, line: str, error: str
) -> None:
    done = raggate("init", "--command", line, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"raggate: {error}"), done.stderr
    assert KEY not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_key_named_as_a_variable_is_written_by_its_name(tmp_path: Path) -> None:
    start = app(tmp_path, "arguments-json", "{{question}} --api-key ${SHOP_KEY}")
    done = raggate(*start, cwd=tmp_path, SHOP_KEY=KEY)
    assert done.returncode == 0, done.stderr
    suite = (tmp_path / "raggate.yaml").read_text()
    assert '"${SHOP_KEY}"' in suite
    assert KEY not in suite + done.stdout
