"""F9, F13: what is sent to an API and to its artifact store: real HTTP on loopback, scripted by path."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from raggate_action import __version__
from raggate_action.github.api import GitHubApi
from raggate_action.github.artifact_download import DownloadError, download
from raggate_action.github.pygithub_client import GitHubFault

CONTENT = b"zip" * 50_000
SIGNED = "?se=2026-11-22&sig=s3cretsignature"


class Store:
    """A store. `script` says what each path does; `asked` holds every request's path and headers."""

    def __init__(self) -> None:
        self.script: dict[str, list[str]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.port = 0

    def at(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}{SIGNED}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _headers in self.asked]


@contextmanager
def serving() -> Iterator[Store]:
    store = Store()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            store.asked.append((path, {name.lower(): value for name, value in self.headers.items()}))
            steps = store.script.get(path, ["200"])
            step = steps.pop(0) if len(steps) > 1 else steps[0]
            if step.startswith("-> "):
                return self.answer(302, location=step.removeprefix("-> "))
            if step == "cut":
                return self.answer(200, content=CONTENT[:1000], length=len(CONTENT))
            if step == "no length":
                return self.answer(200, content=CONTENT, length=None)
            if step == "drip":
                self.answer(200, length=len(CONTENT))
                with suppress(OSError):
                    for _ in range(100):
                        self.wfile.write(b"x")
                        time.sleep(0.05)
                return None
            if step == "drop":
                return None
            return self.answer(int(step), content=CONTENT if step == "200" else b"<Error>sig=s3cretsignature</Error>")

        def answer(
            self, status: int, *, content: bytes = b"", length: int | None = -1, location: str | None = None
        ) -> None:
            self.send_response(status)
            if location is not None:
                self.send_header("Location", location)
            if length is not None:
                self.send_header("Content-Length", str(len(content) if length == -1 else length))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    store.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield store
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def store() -> Iterator[Store]:
    with serving() as found:
        yield found


def fetched(address: str, *, max_bytes: int = 1_000_000, plain_http: bool = True) -> bytes:
    with download(address, max_bytes=max_bytes, plain_http=plain_http) as file:
        return file.read()


def refused(address: str, *, max_bytes: int = 1_000_000, plain_http: bool = True) -> DownloadError:
    with pytest.raises(DownloadError) as error:
        fetched(address, max_bytes=max_bytes, plain_http=plain_http)
    # The address is as good as the file.
    assert "sig" not in str(error.value)
    return error.value


def test_f9_a_file_is_fetched_with_nothing_but_our_name(store: Store) -> None:
    assert fetched(store.at("/a")) == CONTENT
    ((_path, headers),) = store.asked
    assert headers.keys() == {"host", "user-agent", "accept", "accept-encoding", "connection"}
    assert headers["user-agent"].startswith("raggate-action/")
    assert headers["accept-encoding"] == "gzip"


def test_f9_redirects_are_followed_to_another_host_and_at_most_two_more(store: Store) -> None:
    store.script = {"/a": [f"-> {store.at('/b', 'localhost')}"], "/b": ["-> /c?sig=x"]}
    assert fetched(store.at("/a")) == CONTENT
    assert store.paths == ["/a", "/b", "/c"]
    store.script["/c"] = ["-> /d"]
    assert str(refused(store.at("/a"))) == "the store redirects more than 2 times"
    assert "/d" not in store.paths


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "ftp://127.0.0.1/a", "data:text/plain,abc", "//127.0.0.1/a", "/a", "", "HTTPS:/a"],
)
def test_f9_other_kinds_of_address_are_not_asked(store: Store, address: str) -> None:
    assert "store" in str(refused(address))
    store.script = {"/a": [f"-> {address}"]}
    if address.startswith(("file", "ftp")):
        assert str(refused(store.at("/a"))) == "the store's address is not https, and was not asked"
    elif address.startswith("data"):
        assert str(refused(store.at("/a"))) == "the store's address cannot be used"


def test_f9_an_api_with_tls_never_sends_us_to_plain_http(store: Store) -> None:
    assert str(refused(store.at("/a"), plain_http=False)) == "the store's address is not https, and was not asked"
    assert store.asked == []


@pytest.mark.parametrize("address", ["http://[::1", "http://127.0.0.1:port/a?sig=x", "http://a b/?sig=x"])
def test_f9_an_address_that_is_none_is_a_fault(address: str) -> None:
    assert "the store" in str(refused(address))


def test_f9_larger_than_allowed_is_not_read(store: Store) -> None:
    assert fetched(store.at("/a"), max_bytes=len(CONTENT)) == CONTENT
    assert "larger than" in str(refused(store.at("/a"), max_bytes=len(CONTENT) - 1))
    store.script = {"/a": ["no length"]}
    assert "larger than" in str(refused(store.at("/a"), max_bytes=len(CONTENT) - 1))
    assert fetched(store.at("/a")) == CONTENT


@pytest.mark.parametrize(("status", "gone"), [("404", 404), ("410", 410), ("403", None), ("400", None)])
def test_f9_an_answer_that_will_not_change_is_not_asked_for_again(store: Store, status: str, gone: int | None) -> None:
    store.script = {"/a": [status]}
    error = refused(store.at("/a"))
    assert (error.gone, status in str(error), store.paths) == (gone, True, ["/a"])


@pytest.mark.parametrize("step", ["503", "429", "500", "cut", "drop"])
def test_f9_what_may_pass_is_tried_twice_more(store: Store, step: str) -> None:
    store.script = {"/a": [step, step, "200"]}
    assert fetched(store.at("/a")) == CONTENT
    store.script = {"/b": [step]}
    refused(store.at("/b"))
    assert store.paths == ["/a"] * 3 + ["/b"] * 3


def test_a_store_that_drips_is_left_at_the_deadline(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five minutes are too long for a test."""
    monkeypatch.setattr("raggate_action.github.artifact_download._DEADLINE_S", 0.5)
    store.script = {"/a": ["drip"]}
    assert "it is not whole after" in str(refused(store.at("/a")))
    assert store.paths == ["/a"]


def test_a_store_that_is_not_there_is_a_fault() -> None:
    with serving() as gone:
        address = gone.at("/a")
    assert str(refused(address)) == "the store cannot be reached: connection refused"


def test_f9_the_token_is_not_even_sent_to_a_store_on_the_same_host(store: Store) -> None:
    store.script = {"/api/v3/repos/acme/menu/actions/artifacts/7/zip": [f"-> {store.at('/a')}"]}
    address = f"http://127.0.0.1:{store.port}/api/v3"
    with (
        GitHubApi(api_url=address, token="ghs_secret", repository="acme/menu") as api,  # noqa: S106
        api.download_artifact(7, max_bytes=1_000_000) as file,
    ):
        assert file.read() == CONTENT
    (_zip, api_headers), (_blob, store_headers) = store.asked
    assert "ghs_secret" in api_headers["authorization"]
    assert "ghs_secret" not in str(store_headers)


def test_f13_the_api_is_told_who_asks_and_what_is_understood(store: Store) -> None:
    with (
        GitHubApi(api_url=f"http://127.0.0.1:{store.port}", token=None, repository="acme/menu") as api,
        pytest.raises(GitHubFault, match=r"no usable answer from GitHub \(GET the repository\)"),
    ):
        api.repository_id()
    ((path, headers),) = store.asked
    assert path == "/repos/acme/menu"
    assert headers["user-agent"] == f"raggate-action/{__version__}"
    assert "authorization" not in headers


def test_f9_an_api_that_does_not_say_where_is_a_fault(store: Store) -> None:
    with (
        GitHubApi(api_url=f"http://127.0.0.1:{store.port}", token=None, repository="acme/menu") as api,
        pytest.raises(GitHubFault, match="did not say where artifact 7 is kept"),
    ):
        api.download_artifact(7, max_bytes=1)
