"""Every way into raggate with real packages of other projects: makes their environment once, then runs each script.

make test-foreign                          all of them, with the workflow linter if Go is here to build it
python dev/foreign/run.py langchain_faiss  one
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENVIRONMENT = ROOT / ".venv/foreign"
LINTER = ROOT / ".venv/go/actionlint"
_LINTER_SOURCE = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
ENTRANCES = ("bare_function", "fastapi_http", "langchain_faiss", "llamaindex", "shapes", "files")


def prepare() -> None:
    """The apps' environment, made anew when what it holds has changed."""
    wanted = (HERE / "requirements.txt").read_text()
    stamp = ENVIRONMENT / "installed.txt"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print("preparing .venv/foreign (once, some minutes)", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], check=True)
    pip = [ENVIRONMENT / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", HERE / "requirements.txt"], check=True)
    stamp.write_text(wanted)


def enter(name: str) -> bool:
    """Run one script; whether all was as it has to be."""
    print(f"\n=== {name}\n", flush=True)
    begun = time.monotonic()
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, HERE / f"{name}.py"], env={**os.environ, "PYTHONPATH": path}, check=False)
    print(f"=== {name}: {'ok' if done.returncode == 0 else 'FAILED'} in {time.monotonic() - begun:.0f} s", flush=True)
    return done.returncode == 0


def lint_workflows() -> bool:
    """The workflows that `init` writes, in every form, under actionlint; built through Go where that is installed."""
    print("\n=== workflows under actionlint\n", flush=True)
    if not LINTER.is_file():
        if shutil.which("go") is None:
            print("NOT RUN: there is no Go to build actionlint with")
            return True
        environment = {**os.environ, "GOBIN": str(LINTER.parent)}
        subprocess.run(["go", "install", _LINTER_SOURCE], env=environment, check=True)
    sys.path.insert(0, str(ROOT))
    from tests.contract.test_scaffold import FORMS

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, text in enumerate(FORMS.values()):
            files.append(Path(folder) / f"{number}.yml")
            files[-1].write_text(text)
        done = subprocess.run([LINTER, "-no-color", *files], check=False)
    print(f"=== {len(files)} workflows: {'ok' if done.returncode == 0 else 'FAILED'}", flush=True)
    return done.returncode == 0


def main() -> int:
    """Run what is named, or everything."""
    names = sys.argv[1:]
    unknown = set(names) - set(ENTRANCES)
    if unknown:
        print(f"no such entrance: {', '.join(sorted(unknown))}; there are {', '.join(ENTRANCES)}")
        return 2
    if "FOREIGN_PYTHON" not in os.environ:
        prepare()
    passed = [enter(name) for name in names or ENTRANCES]
    if not names:
        passed.append(lint_workflows())
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
