"""Artifacts beside others: GitHub's own client against our service, and ours against act's: `make test-services`."""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import subprocess
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from raggate_action.github.artifact_upload import ArtifactService, ServiceAccess, StoringError
from tests.fake_github.artifact_service import ArtifactService as Service
from tests.fake_github.artifact_service import Request, token_of

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "build/services"
RECORD = ROOT / "tests/fake_github/artifact_requests.json"
HAS_CLIENT = shutil.which("node") is not None and (MODULES / "node_modules/@actions/artifact").is_dir()
ACT = MODULES / "act/act-artifacts"
# Of a header that every request of that client has a value of its own for, or that HTTP itself needs.
PLAIN = {"accept", "accept-encoding", "connection", "content-length", "host", "user-agent", "x-ms-client-request-id",
         "x-ms-useragent", "accept-language", "sec-fetch-mode"}  # fmt: skip


def shape(request: Request) -> dict[str, Any]:
    """What of a request does not change from one to the next."""
    return {
        "fields": {name: type(value).__name__ for name, value in request.fields.items()},
        "headers": sorted(request.headers.keys() - PLAIN),
        "query": sorted(request.query),
    }


@pytest.mark.skipif(not HAS_CLIENT, reason="GITHUB'S CLIENT DID NOT RUN: `make test-services` installs it")
@pytest.mark.parametrize("in_camel_case", [False, True])
def test_githubs_own_client_stores_in_our_service_what_was_recorded_of_it(
    in_camel_case: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    (tmp_path / "run.json").write_text('{"a": 1}')
    (tmp_path / "page.html").write_text("<!doctype html><title>A run</title>")
    script = MODULES / "store.mjs"
    shutil.copy(Path(__file__).parent / "store.mjs", script)
    with Service(in_camel_case=in_camel_case) as service:
        env = {"PATH": os.environ["PATH"], "ACTIONS_RESULTS_URL": service.url, "ACTIONS_RUNTIME_TOKEN": token_of()}
        done = subprocess.run(["node", script, tmp_path], env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        said = json.loads(done.stdout.splitlines()[-1])
        page, zipped = service.stored("page.html"), service.stored("raggate-menu")
        assert said["page"]["id"] == page.artifact_id
        assert page.content == (tmp_path / "page.html").read_bytes()
        with zipfile.ZipFile(io.BytesIO(zipped.content or b"")) as archive:
            assert archive.read("run.json") == b'{"a": 1}'
        assert {each["name"] for each in said["artifacts"]} == {"page.html", "raggate-menu"}
        found: dict[str, dict[str, Any]] = {}
        for request in service.requests:
            new = shape(request)
            known = found.setdefault(request.what, new)
            known["fields"] |= new["fields"]
    if os.environ.get("RAGGATE_UPDATE_RECORD"):
        RECORD.write_text(json.dumps(found, indent=1) + "\n")
    assert found == json.loads(RECORD.read_text())


@pytest.fixture
def act(tmp_path: Path) -> Iterator[str]:
    """act's own server of artifacts; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [ACT, tmp_path / "act", str(port)], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as server:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/"
        server.kill()


@pytest.mark.skipif(
    not ACT.is_file(), reason="ACT'S SERVER DID NOT RUN: `make test-services` builds it, if Go is there"
)
def test_act_keeps_a_zip_of_many_blocks_and_refuses_a_page_softly(act: str, tmp_path: Path) -> None:
    content = os.urandom(20 * 1024 * 1024)
    store = ArtifactService(ServiceAccess(act, SecretStr(token_of("7", "8"))))
    kept = store.store("raggate-menu", io.BytesIO(content))
    assert kept.artifact_id > 0
    assert (tmp_path / "act/7/raggate-menu/raggate-menu.zip").read_bytes() == content
    began = time.monotonic()
    with pytest.raises(StoringError, match=r"^the service answers 500$"):
        store.store("raggate-menu.html", io.BytesIO(b"<p>"), "text/html")
    assert time.monotonic() - began < 2
