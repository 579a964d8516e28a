"""The menu in Qdrant: put there with its vectors, and searched by nearness.

A place is the address of a server, or a folder: Qdrant's local mode, without a server, for one process at a time.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from embedding import Embedding, EmbeddingError
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException
from retrieval import CANDIDATES, TEXT_FIELDS, Entry, Index, Menu, RetrievalError, load_menu
from wording import Question

COLLECTION = "menu"


def opened(place: str, environment: Mapping[str, str]) -> QdrantClient:
    """A client for a place; `QDRANT_API_KEY` of the environment is for servers.

    Raises:
        RetrievalError: A folder that another process has open.
    """
    if place.startswith(("http://", "https://")):
        key = environment.get("QDRANT_API_KEY") or None
        # Whether it is there shows when it is asked; nobody waits for a check beside that.
        return QdrantClient(url=place, api_key=key, check_compatibility=False)
    try:
        # The app asks from many threads, one at a time.
        return QdrantClient(path=place, force_disable_check_same_thread=True)
    except RuntimeError as error:
        raise RetrievalError(f"{place} cannot be opened: {error}") from None


def load(client: QdrantClient, chunks: Path, embedding: Embedding, *, replace: bool = False) -> Menu:
    """Put every entry of a menu into the collection: its fields and its text as payload, and its vector.

    Args:
        client: Where to.
        chunks: The menu, one JSON object per line.
        embedding: Makes the vectors.
        replace: Write the collection anew if it is there; whatever it held is gone.

    Raises:
        RetrievalError: The collection is there already, or cannot be written.
        EmbeddingError: There are no vectors.
    """
    menu = load_menu(chunks)
    rows = [json.loads(line) for line in chunks.read_text().splitlines() if line.strip()]
    texts = [_text(row) for row in rows]
    vectors = embedding.vectors(texts)
    points = [
        models.PointStruct(
            id=str(uuid.uuid5(uuid.NAMESPACE_URL, row["chunk_id"])),
            vector=vector,
            payload={**row, "text": text, "menu": menu.version, "embedding": embedding.name},
        )
        for row, text, vector in zip(rows, texts, vectors, strict=True)
    ]
    try:
        if client.collection_exists(COLLECTION):
            if not replace:
                raise RetrievalError(f"there is a collection {COLLECTION} already: --replace writes it anew")
            client.delete_collection(COLLECTION)
        size = models.VectorParams(size=len(vectors[0]), distance=models.Distance.COSINE)
        client.create_collection(COLLECTION, vectors_config=size)
        client.upsert(COLLECTION, points, wait=True)
    except ApiException as error:
        raise RetrievalError(f"the server did not take it: {type(error).__name__}") from None
    return menu


def _text(row: Mapping[str, Any]) -> str:
    """What an entry says, as the suite puts its evidence together."""
    return "\n".join(str(row[field]) for field in ("name", *TEXT_FIELDS) if field in row)


class QdrantIndex(Index):
    """The index with its candidates from Qdrant: those whose vectors are nearest to the question's."""

    def __init__(self, menu: Menu, client: QdrantClient, embedding: Embedding) -> None:
        """Look whether the collection holds this menu and these vectors.

        Raises:
            RetrievalError: It does not, or is not there.
        """
        super().__init__(menu.entries)
        self.retriever = f"qdrant-{embedding.name}"
        self._by_id = {entry.chunk_id: entry for entry in menu.entries}
        self._client, self._embedding, self._asking = client, embedding, threading.Lock()
        held = [("menu", menu.version), ("embedding", embedding.name)]
        ours = models.Filter(
            must=[models.FieldCondition(key=key, match=models.MatchValue(value=value)) for key, value in held]
        )
        try:
            there = client.collection_exists(COLLECTION)
            found = client.count(COLLECTION, count_filter=ours).count if there else 0
            whole = client.count(COLLECTION).count if there else 0
        except ApiException as error:
            raise RetrievalError(f"the server cannot be asked: {type(error).__name__}") from None
        if not found == whole == len(menu.entries):
            raise RetrievalError(
                f"{found} of {whole} points of the collection {COLLECTION} are of {menu.version} and {embedding.name}, "
                f"{len(menu.entries)} have to be: run load_qdrant.py"
            )

    def candidates(self, question: Question) -> tuple[Entry, ...]:
        """The entries nearest to the question, best first.

        Raises:
            RetrievalError: The question has no vector, or the server does not answer.
        """
        try:
            (vector,) = self._embedding.vectors([question.text])
            with self._asking:
                points = self._client.query_points(COLLECTION, query=vector, limit=CANDIDATES).points
        except EmbeddingError as error:
            raise RetrievalError(str(error)) from None
        except ApiException as error:
            raise RetrievalError(f"the index cannot be asked: {type(error).__name__}") from None
        return tuple(self._by_id[(point.payload or {})["chunk_id"]] for point in points)
