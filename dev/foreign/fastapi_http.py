"""FastAPI over HTTP: from an empty folder beside the running app to a verdict; then an app that makes things up."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from entrance import THEIRS, empty_folder, must, raggate, verdict

_START_S = 30


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The app's address while uvicorn serves it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [THEIRS, "-m", "uvicorn", "rag:app", "--port", str(port), "--log-level", "warning"]
    process = subprocess.Popen(command, cwd=folder)
    try:
        ends = time.monotonic() + _START_S
        while time.monotonic() < ends:
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/ask"
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    with empty_folder("fastapi_rag") as folder:
        with served(folder) as url:
            output = raggate(folder, "init", "--url", url)
            must("RELEASE" in verdict(output), "sentences of its own documents are released")
            raggate(folder, "ask", "What does express delivery cost?")
        app = folder / "rag.py"
        app.write_text(app.read_text().replace('"answer": read(', '"answer": "Yes, within 90 days. " + read('))
        with served(folder) as url:
            output = raggate(folder, "run", "--target-url", url, "--baseline", "raggate-run", "--out", "changed")
            must("BLOCK" in verdict(output), "what it makes up is blocked")


if __name__ == "__main__":
    main()
