"""Storing artifacts as the runner's service takes them: the requests, and each way in which it can go wrong."""

from __future__ import annotations

import base64
import io
import json
import logging
import re
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from raggate_action.github.artifact_upload import (
    BLOCK_BYTES,
    ArtifactService,
    Bounds,
    ServiceAccess,
    StoredArtifact,
    StoringError,
    TakenNameError,
    take_access,
)
from tests.fake_github.answers import Answer
from tests.fake_github.artifact_service import ArtifactService as Service
from tests.fake_github.artifact_service import Fault, token_of
from tests.fake_github.state import sha256_digest

PAGE = b"<!doctype html><title>A run</title>"
# Long enough for this machine, short enough for a test of silence.
QUICK = Bounds(timeout_s=1, pause_s=0.01)
CREATED = ["CreateArtifact", "block", "blocklist", "FinalizeArtifact"]


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as found:
        yield found


def client(service: Service | str, *, job: str = "job-1") -> ArtifactService:
    address = service if isinstance(service, str) else service.url
    access = ServiceAccess(address, SecretStr(token_of(job=job)))
    return ArtifactService(access, bounds=QUICK)


def store(service: Service | str, content: bytes = b"PK..", name: str = "raggate-menu", **rest: Any) -> StoredArtifact:
    mime = {"mime_type": rest.pop("mime_type")} if "mime_type" in rest else {}
    return client(service, **rest).store(name, io.BytesIO(content), **mime)


def test_a_zip_is_stored_with_version_4_and_a_page_with_version_7(service: Service) -> None:
    kept = store(service, b"a zip")
    page = store(service, PAGE, "raggate-menu.html", mime_type="text/html")
    assert service.requested() == [*CREATED, *CREATED]
    ids = {"workflow_run_backend_id": "run-1", "workflow_job_run_backend_id": "job-1"}
    zipped, html = (request.fields for request in service.requests if request.what == "CreateArtifact")
    assert zipped == {**ids, "name": "raggate-menu", "version": 4}
    assert html == {**ids, "name": "raggate-menu.html", "version": 7, "mime_type": "text/html"}
    assert kept == StoredArtifact(
        service.stored("raggate-menu").artifact_id, "raggate-menu", sha256_digest(b"a zip")[7:]
    )
    assert service.stored("raggate-menu.html").content == PAGE
    assert service.stored("raggate-menu.html").content_type == "text/html"
    assert service.stored("raggate-menu").content_type == "application/zip"
    assert page.artifact_id != kept.artifact_id


def test_the_file_goes_in_blocks_and_the_signed_address_stays_as_it_was_signed(service: Service) -> None:
    content = bytes(range(256)) * (2 * BLOCK_BYTES // 256) + b"the rest"
    store(service, content)
    blocks = [request for request in service.requests if request.what == "block"]
    assert [int(each.headers["content-length"]) for each in blocks] == [BLOCK_BYTES, BLOCK_BYTES, 8]
    named = [base64.b64decode(each.query["blockid"]).decode() for each in blocks]
    assert [(len(each), each[-12:]) for each in named] == [(48, f"{place:012d}") for place in range(3)]
    file = service.stored("raggate-menu")
    assert file.content == content
    for request in (*blocks, service.requests[-2]):
        assert request.target.startswith(f"/container/{file.key}?sv=2025-11-05&se=2026-01-01T00%3A00%3A00Z&sig=")
        assert request.target.split("&comp=")[0].endswith(re.sub("=", "%3D", file.sig[-2:]))


def test_answers_are_read_in_either_case() -> None:
    with Service(in_camel_case=True) as service:
        store(service)
        assert store(service, b"other").replaced
        assert service.stored("raggate-menu").content == b"other"


def test_what_this_job_has_stored_is_replaced_and_what_another_has_is_not(service: Service) -> None:
    first = store(service, b"one")
    assert not first.replaced
    second = store(service, b"two")
    assert second.replaced
    assert service.stored("raggate-menu").content == b"two"
    with pytest.raises(TakenNameError, match=r"^another job of this workflow run has stored an artifact of this name$"):
        store(service, b"three", job="job-2")
    assert service.stored("raggate-menu").content == b"two"


def test_a_name_that_an_answer_was_lost_of_is_this_jobs(service: Service) -> None:
    service.faults.append(Fault("CreateArtifact", Answer(502, b""), is_done=True))
    store(service)
    assert service.requested() == [
        "CreateArtifact", "CreateArtifact", "ListArtifacts", "DeleteArtifact", *CREATED,
    ]  # fmt: skip


def test_an_answer_to_the_last_request_that_was_lost_is_found_in_the_list(service: Service) -> None:
    service.faults.append(Fault("FinalizeArtifact", None, is_done=True))
    kept = store(service, b"a zip")
    assert kept.artifact_id == service.stored("raggate-menu").artifact_id


PASSING = {
    "the rate": [Fault("CreateArtifact", Answer(429, {}, {"Retry-After": "0.2"}))] * 2,
    "an error page": [Fault("CreateArtifact", Answer(500, b"<html>Unicorn</html>"))],
    "not JSON": [Fault("CreateArtifact", Answer(200, b"<html>hello</html>"))],
    "a gateway": [Fault("FinalizeArtifact", Answer(status, b"")) for status in (502, 503, 504)],
    "a busy store": [Fault("block", Answer(503, b"<Error/>")), Fault("block", Answer(408, b""))],
    "a list lost": [Fault("blocklist", Answer(500, b""))],
    "a block lost": [Fault("block", None)],
}


@pytest.mark.parametrize("faults", PASSING.values(), ids=PASSING)
def test_what_passes_is_tried_again(service: Service, faults: list[Fault]) -> None:
    service.faults += faults
    begun = time.monotonic()
    store(service, b"a zip")
    took = time.monotonic() - begun
    assert service.stored("raggate-menu").content == b"a zip"
    assert len(service.requested()) == len(CREATED) + len(faults)
    if faults[0].answer is not None and faults[0].answer.status == 429:
        assert took >= 0.4, "twice the wait that was asked for"


def refused(status: int, message: str) -> Answer:
    return Answer(status, {"code": "x", "msg": message})


LASTING: dict[str, tuple[list[Fault], str]] = {
    "five tries": ([Fault("CreateArtifact", Answer(503, b""))] * 5, "the service answers 503"),
    "four tries of a block": ([Fault("block", Answer(503, b""))] * 4, "the store answers 503"),
    "quota": (
        [Fault("CreateArtifact", refused(403, "Failed: insufficient usage to create artifact"))],
        "the storage that the account has for artifacts is used up",
    ),
    "the 501st": (
        [Fault("CreateArtifact", refused(400, "too many artifacts"))],
        "the service answers 400",
    ),
    "a token that it repeats": ([Fault("CreateArtifact", refused(401, f"{token_of()} expired"))], "answers 401"),
    "a signed address that it repeats": (
        [Fault("FinalizeArtifact", refused(403, "https://store/x?sig=abc: insufficient rights"))],
        "the service answers 403",
    ),
    "not done": ([Fault("CreateArtifact", Answer(200, {"ok": False}))], "the service did not do it (CreateArtifact)"),
    "not finished": ([Fault("FinalizeArtifact", Answer(200, {"ok": False}))], "did not do it (FinalizeArtifact)"),
    "no number": ([Fault("FinalizeArtifact", Answer(200, {"ok": True}))], "the service names no artifact"),
    "an address that has ended": ([Fault("block", Answer(403, b"<Error>sig</Error>"))], "the store answers 403"),
    "no address": ([Fault("CreateArtifact", Answer(200, {"ok": True}))], "names no address to store it at"),
    "another scheme": (
        [Fault("CreateArtifact", Answer(200, {"ok": True, "signed_upload_url": "file:///etc/passwd"}))],
        "names no address to store it at",
    ),
    "another host": (
        [Fault("CreateArtifact", Answer(302, b"", {"Location": "http://127.0.0.1:9/"}))],
        "the service answers 302",
    ),
    "nested": ([Fault("CreateArtifact", Answer(200, b"[" * 5000))], "its answer is more than is read"),
    "a flood": ([Fault("CreateArtifact", Answer(200, b" " * 3_000_000))] * 5, "its answer is larger than 1 MiB"),
    "what an Enterprise Server says": ([Fault("CreateArtifact", Answer(404, b"<html>"))], "the service answers 404"),
    "a wrong size or digest": (
        [Fault("FinalizeArtifact", refused(400, "size or hash is not that of what was uploaded"))],
        "the service answers 400",
    ),
}


@pytest.mark.parametrize(("faults", "message"), LASTING.values(), ids=LASTING)
def test_what_lasts_is_one_clause_without_an_address(service: Service, faults: list[Fault], message: str) -> None:
    service.faults += faults
    with pytest.raises(StoringError) as raised:
        store(service)
    told = str(raised.value)
    assert message in told
    assert "://" not in told
    assert "sig" not in told
    assert token_of() not in told


def test_a_block_that_was_cut_is_not_taken_for_the_whole(service: Service) -> None:
    """A store that keeps less than it was sent: size and digest are told, and the service holds the file to them."""
    service.loses = 1
    with pytest.raises(StoringError, match="the service answers 400"):
        store(service, b"a zip")


def test_a_server_without_pages_is_not_asked_for_one_again() -> None:
    with Service(knows_files=False) as service:
        with pytest.raises(StoringError, match=r"^the service answers 500$"):
            store(service, PAGE, "raggate-menu.html", mime_type="text/html")
        assert service.requested() == ["CreateArtifact"]
        store(service)
        assert service.stored("raggate-menu").version == 4


@pytest.mark.parametrize(
    "name", ["", "a/b", "a\\b", 'a"b', "a:b", "a<b", "a>b", "a|b", "a*b", "a?b", "a\nb", "x" * 201]
)
def test_a_name_that_githubs_client_refuses_is_not_asked_for(service: Service, name: str) -> None:
    with pytest.raises(StoringError, match="cannot be an artifact's name"):
        store(service, name=name)
    assert service.requests == []


SCOPES = ["", "Actions.Results", "Actions.Results:1", "Actions.Results:1:2:3", "Actions.ResultsX:1:2", "a:b:c"]


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_for_something_else_is_not_sent(service: Service, scope: str) -> None:
    access = ServiceAccess(service.url, SecretStr(token_of(scope=scope or "none")))
    with pytest.raises(StoringError, match=r"^the job's token is none for artifacts$"):
        ArtifactService(access)


@pytest.mark.parametrize("token", ["runtime-token", "a.b.c", "..", "a.bnVsbA.c", "a.é.c"])
def test_a_token_that_is_none_is_not_sent(token: str) -> None:
    with pytest.raises(StoringError, match=r"^the job's token is none for artifacts$"):
        ArtifactService(ServiceAccess("https://results.example", SecretStr(token)))


@pytest.mark.parametrize("address", ["results", "ftp://a", "http://", "https://user@host/", "http://a b/"])
def test_an_address_that_is_none_is_not_asked(address: str) -> None:
    with pytest.raises(StoringError, match=r"^ACTIONS_RESULTS_URL is no address$"):
        client(address)


def test_nobody_there_is_told_at_once() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        with pytest.raises(StoringError, match=r"^the service cannot be reached: connection refused$"):
            store(f"http://127.0.0.1:{closed.getsockname()[1]}/")


def test_a_certificate_that_nobody_vouches_for(service: Service) -> None:
    # A server that speaks no TLS, and one that breaks off, look the same to it.
    with pytest.raises(StoringError, match="certificate of the service cannot be verified"):
        store(service.url.replace("http:", "https:"))


def test_a_service_that_says_nothing_is_left() -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    held: list[socket.socket] = []
    threading.Thread(target=lambda: held.extend(silent.accept()[0] for _ in range(5)), daemon=True).start()
    began = time.monotonic()
    with pytest.raises(StoringError, match=r"^the service did not answer in 1 s$"):
        store(f"http://127.0.0.1:{silent.getsockname()[1]}/")
    assert time.monotonic() - began < 30
    for each in (silent, *held):
        each.close()


def test_an_answer_that_drips_is_left() -> None:
    """Each byte comes in time, and all of them would take an hour."""

    def drip(listener: socket.socket) -> None:
        while True:
            try:
                asked, _peer = listener.accept()
                with asked:
                    asked.recv(65536)
                    asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n")
                    while True:
                        asked.sendall(b" ")
                        time.sleep(0.4)
            except ConnectionError:
                continue
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,), daemon=True)
        thread.start()
        began = time.monotonic()
        with pytest.raises(StoringError, match=r"^the service did not answer in 1 s$"):
            store(f"http://127.0.0.1:{listener.getsockname()[1]}/")
        assert time.monotonic() - began < 30
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def test_the_environment_loses_token_and_address() -> None:
    environment = {"ACTIONS_RUNTIME_TOKEN": "t", "ACTIONS_RESULTS_URL": "https://a/", "PATH": "/bin"}
    access = take_access(environment)
    assert access is not None
    assert access.token.get_secret_value() == "t"
    assert repr(access.token) == "SecretStr('**********')"
    assert environment == {"PATH": "/bin"}
    assert take_access(environment) is None
    assert take_access({"ACTIONS_RUNTIME_TOKEN": "t"}) is None


def test_nothing_is_logged(
    service: Service, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        store(service)
    assert [each for each in caplog.records if each.name != "asyncio"] == []
    assert capsys.readouterr() == ("", "")


def test_what_it_sends_stands_in_what_githubs_own_client_was_recorded_to_send(service: Service) -> None:
    """The record is of `@actions/artifact` 6.2.1; tests/services runs that client and holds the record to it."""
    recorded = json.loads((Path(__file__).parents[1] / "fake_github/artifact_requests.json").read_text())
    store(service, b"a zip")
    store(service, b"another")
    store(service, PAGE, "page.html", mime_type="text/html")
    for request in service.requests:
        known = recorded[request.what]
        types = {name: type(value).__name__ for name, value in request.fields.items()}
        assert types.items() <= known["fields"].items()
        assert {*request.query} - {"sv", "se", "sig"} == {*known["query"]} - {"sv", "se", "sig"}
        for name in ("content-type", "x-ms-blob-content-type"):
            assert (name in request.headers) == (name in known["headers"]), (request.what, name)
        assert ("authorization" in request.headers) == ("authorization" in known["headers"])
