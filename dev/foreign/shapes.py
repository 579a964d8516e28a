"""Shapes of apps, each from an empty folder to its first verdict, and to one over answers with other numbers in them.

python dev/foreign/shapes.py                 all of them, as a table
python dev/foreign/shapes.py langgraph       one, with all that is printed

With RAGGATE_ROOT another tree of raggate is shown, as `git worktree` or `git archive` make one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = Path(os.environ.get("RAGGATE_ROOT", str(HERE.parents[1])))
THEIRS = os.environ.get("FOREIGN_PYTHON", str(HERE.parents[1] / ".venv/foreign/bin/python"))
# Asked of each; the documents answer them all.
QUESTIONS = (
    "How many months is the warranty of headphones?",
    "How much does express delivery cost?",
    "Within how many days of delivery can parcels be returned?",
    "Within how many hours does a damaged parcel have to be reported?",
    "Within how many working days are refunds paid to the same card?",
)
_START_S = 60
_LONGEST_S = 240
_MCP = (
    '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", '
    '"params": {"name": "ask", "arguments": {"question": "{{question}}"}}}'
)
_CHAT = '{"model": "reader", "messages": [{"role": "user", "content": "{{question}}"}]}'


class Shape(NamedTuple):
    """An app, and how raggate is pointed at it.

    Attributes:
        app: Its file in `apps`, without `_rag.py`.
        init: Arguments of `init`; `{port}` is where it is served.
        serve: Its server's command; empty of one that is no server.
        shows: It shows evidence, so that another number in its answers is seen.
    """

    app: str
    init: tuple[str, ...]
    serve: tuple[str, ...] = ()
    shows: bool = True


_UVICORN = ("-m", "uvicorn", "rag:app", "--port", "{port}", "--log-level", "warning")
_FUNCTION = ("--function", "rag:answer", "--python", THEIRS)
SHAPES = {
    "bare function": Shape("bare", _FUNCTION, shows=False),
    "FastAPI, JSON": Shape("fastapi", ("--url", "http://127.0.0.1:{port}/ask"), _UVICORN),
    "LangChain": Shape("langchain", _FUNCTION),
    "LangGraph": Shape("langgraph", _FUNCTION),
    "LlamaIndex": Shape("llamaindex", _FUNCTION),
    "Haystack": Shape("haystack", _FUNCTION),
    "OpenAI chat": Shape("openai", ("--url", "http://127.0.0.1:{port}/v1/chat/completions", "--body", _CHAT), _UVICORN),
    "OpenAI Responses": Shape(
        "openai",
        ("--url", "http://127.0.0.1:{port}/v1/responses", "--body", '{"model": "reader", "input": "{{question}}"}'),
        _UVICORN,
    ),
    "SSE chat": Shape("sse", ("--url", "http://127.0.0.1:{port}/chat"), _UVICORN),
    "command line": Shape("command", ("--command", f"{THEIRS} rag.py {{{{question}}}}"), shows=False),
    "MCP server": Shape(
        "mcp",
        (
            "--url", "http://127.0.0.1:{port}/mcp", "--body", _MCP,
            "--header", "Accept: application/json, text/event-stream",
        ),
        ("rag.py", "{port}"),
    ),
    "recorded answers": Shape("recorded", ("--traces", "answers.jsonl")),
}  # fmt: skip


class Shown(NamedTuple):
    """What came of one shape: what `init` took, the first verdict, and the one over changed numbers."""

    took: str
    first: str
    faulty: str


def raggate(folder: Path, *arguments: str) -> str:
    """One command of the tree under test; what it says."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "raggate_action", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=_LONGEST_S, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return f"{done.stdout}{done.stderr}[exit {done.returncode}]\n"


@contextmanager
def served(folder: Path, shape: Shape) -> Iterator[int]:
    """The port of the app while it is served; 0 of one that is no server."""
    if not shape.serve:
        yield 0
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [THEIRS, *(each.format(port=port) for each in shape.serve)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        ends = time.monotonic() + _START_S
        while time.monotonic() < ends:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()


def prepared(folder: Path, shape: Shape) -> None:
    """What an app needs before it is asked: its index, its log."""
    done = {"langchain": ("rag.py", "docs"), "recorded": ("rag.py",)}.get(shape.app)
    if done is not None:
        subprocess.run([THEIRS, *done], cwd=folder, check=True, capture_output=True)


def show(shape: Shape, tell: Callable[[str], object]) -> Shown:
    """From an empty folder to both verdicts."""
    with tempfile.TemporaryDirectory(prefix="shape-") as name:
        folder = Path(name) / "shop"
        shutil.copytree(HERE / "documents", folder / "docs")
        shutil.copy(HERE / "apps" / f"{shape.app}_rag.py", folder / "rag.py")
        shutil.copy(HERE / "apps/reader.py", folder / "reader.py")
        prepared(folder, shape)
        with served(folder, shape) as port:
            arguments = [each.replace("{port}", str(port)) for each in shape.init]
            if shape.app != "recorded":
                lines = [json.dumps({"question": each}) + "\n" for each in QUESTIONS]
                (folder / "questions.jsonl").write_text("".join(lines))
                arguments += ["--from", "questions.jsonl"]
            first = raggate(folder, "init", *arguments)
            tell(first)
            took = _took(first)
            if not (folder / "raggate.yaml").is_file():
                return Shown(took, _verdict(first), "-")
            (folder / "fault.txt").touch()
            if shape.app == "recorded":
                prepared(folder, shape)
                shutil.rmtree(folder / "gate")
                (folder / "raggate.yaml").unlink()
                faulty = raggate(folder, "init", *arguments)
            else:
                faulty = raggate(folder, "run", "--baseline", "raggate-run", "--out", "faulty")
            tell(faulty)
            return Shown(took, _verdict(first), _verdict(faulty))


def _took(output: str) -> str:
    """What stands for the answer, and for the evidence."""
    found = re.search(r"took (.+)", output)
    chunks = re.search(r"rests on (\d+ chunks?)", output)
    return f"{found[1] if found else 'nothing'}{f' ({chunks[1]})' if chunks else ', no evidence'}"


def _verdict(output: str) -> str:
    found = re.search(
        r"^raggate: (RELEASE|BLOCK|INCONCLUSIVE).*? · (\d+) passed.*? · (\d+) failed", output, re.MULTILINE
    )
    if found is not None:
        return f"{found[1]}, {found[2]} passed, {found[3]} failed"
    said = [line for line in output.splitlines() if line.startswith("raggate: ")]
    return f"not asked: {said[-1].removeprefix('raggate: ')[:110]}" if said else output.splitlines()[-1]


def main() -> int:
    """One shape with all that is printed, or the table."""
    if named := " ".join(sys.argv[1:]):
        for name in [each for each in SHAPES if named.lower() in each.lower()]:
            print(f"=== {name}")
            print(show(SHAPES[name], print))
        return 0
    print("| app | read of its reply | first verdict | with other numbers |")
    print("| --- | --- | --- | --- |")
    amiss = 0
    for name, shape in SHAPES.items():
        shown = show(shape, lambda _line: None)
        print(f"| {name} | {shown.took} | {shown.first} | {shown.faulty} |", flush=True)
        amiss += not (
            shown.first.startswith("RELEASE") and shown.faulty.startswith("BLOCK" if shape.shows else "RELEASE")
        )
    return int(amiss > 0)


if __name__ == "__main__":
    sys.exit(main())
