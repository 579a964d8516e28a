"""The menu in Qdrant, by its real client in local mode: loaded, searched by the app, read back as evidence."""

from __future__ import annotations

import hashlib
import json
import math
import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from qdrant_client import QdrantClient

from raggate_action.onboarding.suite_text import export_script
from tests.builders import judge, make_rules
from tests.example_files import MENU, read_cases, read_chunks, read_store, read_suite, text_of
from tests.integration.test_menu_app import RunningApp, running

sys.path.insert(0, str(MENU))

from app import App
from embedding import EmbeddingError, EndpointEmbedding, HashedTerms, embedding_from
from qdrant_index import QdrantIndex, load, opened
from retrieval import RetrievalError, load_menu
from wording import read_question

MODEL_VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "MENU_EMBEDDING_MODEL")
CLEAN = {name: value for name, value in os.environ.items() if name not in MODEL_VARIABLES}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the menu in Qdrant's local mode."""
    folder = tmp_path_factory.mktemp("qdrant") / "index"
    command = [sys.executable, "-W", "error", str(MENU / "load_qdrant.py"), str(folder)]
    done = subprocess.run(command, env=CLEAN, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("49 entries of menu.jsonl@")
    assert done.stdout.endswith(f" in menu at {folder}, by hashed-terms-512\n")
    return folder


@pytest.fixture(scope="module")
def app(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningApp]:
    with running("disciplined", tmp_path_factory.mktemp("app"), "--index", f"qdrant:{place}") as started:
        yield started


def test_the_app_passes_the_suite_with_candidates_from_qdrant(app: RunningApp) -> None:
    suite, store = read_suite(MENU), read_store(MENU)
    assert suite.pipeline is not None
    rules = make_rules(store, pipeline=suite.pipeline.model_dump(mode="json"))
    for case in read_cases(MENU):
        if case.known_bad:
            continue
        trace = app.trace(case.asked, case.case_id)
        assert judge(case, trace, rules, labelled=False).first_failed_stage is None, case.case_id
        assert dict(trace.version_pairs)["retriever"] == "qdrant-hashed-terms-512"
        assert len(trace.ids("candidates") or ()) == 10


def test_a_folder_belongs_to_one_process(app: RunningApp, place: Path) -> None:
    assert app.trace("Is it open?").error is None
    command = [sys.executable, str(MENU / "load_qdrant.py"), str(place), "--replace"]
    done = subprocess.run(command, env=CLEAN, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"load_qdrant: {place} cannot be opened: ")
    assert "already accessed by another instance" in done.stderr


def test_every_entry_is_there_whole_and_can_be_read_back_as_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = opened(str(tmp_path / "index"), {})
    load(client, MENU / "menu.jsonl", HashedTerms())
    points = client.scroll("menu", limit=100, with_payload=True, with_vectors=True)[0]
    client.close()
    rows = {row["chunk_id"]: row for row in map(json.loads, (MENU / "menu.jsonl").read_text().splitlines())}
    texts = {chunk.chunk_id: text_of(MENU, chunk) for chunk in read_chunks(MENU)}
    assert len(points) == len(rows) == 49
    for point in points:
        payload = dict(point.payload or {})
        assert payload.pop("text") == texts[payload["chunk_id"]]
        assert payload.pop("embedding") == "hashed-terms-512"
        assert payload.pop("menu").startswith("menu.jsonl@")
        assert payload == rows[payload["chunk_id"]]
        assert isinstance(point.vector, list)
        assert math.hypot(*point.vector) == pytest.approx(1, abs=1e-5)
    # The script that `init --evidence qdrant` writes, with this folder for a server.
    script = export_script("qdrant")
    for ours, theirs in (
        ('COLLECTION = "documents"', 'COLLECTION = "menu"'),
        ('url=URL, api_key=os.environ.get("QDRANT_API_KEY")', f"path={str(tmp_path / 'index')!r}"),
    ):
        assert script.count(ours) == 1
        script = script.replace(ours, theirs)
    (tmp_path / "gate").mkdir()
    (tmp_path / "gate/export_evidence.py").write_text(script)
    monkeypatch.chdir(tmp_path)
    runpy.run_path("gate/export_evidence.py", run_name="__main__")
    (written,) = [path for path in tmp_path.rglob("*.jsonl") if path.parent.name != "index"]
    exported = {row["chunk_id"]: row["text"] for row in map(json.loads, written.read_text().splitlines())}
    assert exported == texts


def test_what_is_there_is_overwritten_by_order_alone(tmp_path: Path) -> None:
    client, embedding, whole = QdrantClient(":memory:"), HashedTerms(), load_menu(MENU / "menu.jsonl")
    shorter = tmp_path / "shorter.jsonl"
    shorter.write_text("".join((MENU / "menu.jsonl").read_text().splitlines(keepends=True)[:7]))
    load(client, MENU / "menu.jsonl", embedding)
    with pytest.raises(RetrievalError, match="--replace writes it anew"):
        load(client, shorter, embedding)
    assert len(QdrantIndex(whole, client, embedding).candidates(read_question("Open?"))) == 10
    load(client, shorter, embedding, replace=True)
    with pytest.raises(
        RetrievalError, match=r"0 of 7 points of the collection menu are of menu.jsonl@.* 49 have to be"
    ):
        QdrantIndex(whole, client, embedding)
    with pytest.raises(RetrievalError, match=r"0 of 7 points .* and hashed-terms-99, 7 have to be"):
        QdrantIndex(load_menu(shorter), client, HashedTerms(99))


@pytest.mark.parametrize("index", ["chroma:here", "qdrant:", "here"])
def test_an_index_of_no_known_form_is_refused_at_the_start(index: str) -> None:
    command = [sys.executable, str(MENU / "app.py"), "--port", "0", "--index", index]
    done = subprocess.run(command, env=CLEAN, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"menu app: cannot start: --index {index!r} is no qdrant:FOLDER and no qdrant:ADDRESS\n"


def test_a_place_without_the_menu_is_refused(tmp_path: Path) -> None:
    menu, embedding = load_menu(MENU / "menu.jsonl"), HashedTerms()
    with pytest.raises(RetrievalError, match=r"0 of 0 points .* run load_qdrant.py"):
        QdrantIndex(menu, opened(str(tmp_path), {}), embedding)
    nobody = opened("http://127.0.0.1:9", {})
    with pytest.raises(RetrievalError, match="the server cannot be asked: ResponseHandlingException"):
        QdrantIndex(menu, nobody, embedding)
    with pytest.raises(RetrievalError, match="the server did not take it: ResponseHandlingException"):
        load(nobody, MENU / "menu.jsonl", embedding)


# Vectors


def test_hashed_terms_are_the_same_in_every_process() -> None:
    code = "from embedding import HashedTerms; print(HashedTerms().vectors(['The fig tart, and the fig.'])[0])"
    found = {
        subprocess.run(
            [sys.executable, "-c", code], env={**CLEAN, "PYTHONPATH": str(MENU), "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1
    (vector,) = HashedTerms().vectors(["The fig tart, and the fig."])
    assert [json.loads(each) for each in found] == [vector]
    # Two terms, one of them twice: 1 and 1 + ln 2, on a vector of length one.
    long, short = 1 + math.log(2), 1.0
    length = math.hypot(long, short)
    assert sorted(map(abs, filter(None, vector))) == pytest.approx([short / length, long / length])
    assert set(HashedTerms().vectors(["", "of the"])[0]) == {0.0}


class Embeddings(BaseHTTPRequestHandler):
    """An embedding endpoint: two numbers of a digest for each text; what else it replies is up to the test."""

    received: list[tuple[str, str | None, Any]]
    reply: tuple[int, Any] | None

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.received.append((self.path, self.headers["Authorization"], body))
        rows = [
            {"index": number, "embedding": [digest % 997, digest % 991 + 1]}
            for number, text in enumerate(body["input"])
            for digest in [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])]
        ]
        # The order of the rows is not promised; their numbers are.
        status, content = self.reply or (200, {"data": rows[::-1]})
        sent = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture(scope="module")
def endpoint() -> Iterator[dict[str, str]]:
    """The environment that names the endpoint."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Embeddings) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        address = f"http://127.0.0.1:{server.server_address[1]}/v1"
        yield dict(zip(MODEL_VARIABLES, (address, "key-1", "small-embedding"), strict=True))
        server.shutdown()
        thread.join()


def test_an_endpoint_makes_the_vectors_of_entries_and_questions(endpoint: dict[str, str]) -> None:
    Embeddings.received, Embeddings.reply = [], None
    client, embedding = QdrantClient(":memory:"), embedding_from(endpoint)
    load(client, MENU / "menu.jsonl", embedding)
    (path, key, body) = Embeddings.received[0]
    assert (path, key, body["model"]) == ("/v1/embeddings", "Bearer key-1", "small-embedding")
    first = next(iter(read_chunks(MENU)))
    assert body["input"][0] == text_of(MENU, first)
    assert sum(len(body["input"]) for _path, _key, body in Embeddings.received) == 49
    app = App(MENU / "menu.jsonl", "disciplined", None, index=lambda menu: QdrantIndex(menu, client, embedding))
    # A question that is an entry's text has its vector, and nothing is nearer than itself.
    trace = app.trace(text_of(MENU, first), None)
    assert trace["candidates"][0] == first.chunk_id
    assert trace["versions"]["retriever"] == "qdrant-small-embedding"
    Embeddings.reply = (503, {})
    failed = app.trace("Can I pay in cash?", None)
    assert failed["error"] == "the embedding endpoint answered 503 Service Unavailable"
    assert (failed["answer"], failed["candidates"], failed["context"]) == ({"text": ""}, [], [])


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param((401, {}), "answered 401", id="a wrong key"),
        pytest.param((200, []), "holds no vectors", id="a list"),
        pytest.param((200, {"data": [{"index": 0}]}), "holds no vectors", id="no vector"),
        pytest.param((200, {"data": [{"index": 0, "embedding": ["x"]}]}), "holds no vectors", id="words"),
        pytest.param((200, {"data": []}), "sent 0 vectors for 2 texts", id="too few"),
        pytest.param(
            (200, {"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1, 2]}]}),
            "sent vectors of 2 lengths",
            id="two lengths",
        ),
    ],
)
def test_an_endpoint_without_vectors_is_an_error(reply: tuple[int, Any], said: str, endpoint: dict[str, str]) -> None:
    Embeddings.received, Embeddings.reply = [], reply
    with pytest.raises(EmbeddingError, match=said):
        embedding_from(endpoint).vectors(["a", "b"])


def test_many_texts_are_sent_in_pieces(endpoint: dict[str, str]) -> None:
    Embeddings.received, Embeddings.reply = [], None
    texts = [f"text {number}" for number in range(150)]
    embedding = embedding_from(endpoint)
    assert isinstance(embedding, EndpointEmbedding)
    together = embedding.vectors(texts)
    assert [len(body["input"]) for _path, _key, body in Embeddings.received] == [64, 64, 22]
    assert together == [embedding.vectors([text])[0] for text in texts]


def test_a_model_without_an_endpoint_is_refused() -> None:
    with pytest.raises(EmbeddingError, match="OPENAI_BASE_URL and OPENAI_API_KEY not"):
        embedding_from({"MENU_EMBEDDING_MODEL": "m"})
