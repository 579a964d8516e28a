"""Vectors of texts, for an index that searches by nearness.

By default they are made here: each term is hashed to a place and a sign, so that texts which share terms are near. The
same text gives the same vector everywhere, without a model or a key; what is worded otherwise is not found, which a
model's vectors would. With `MENU_EMBEDDING_MODEL` set, an OpenAI-compatible endpoint makes them.
"""

from __future__ import annotations

import hashlib
import json
import math
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from wording import terms_of

_TIMEOUT_S = 60.0
_BATCH = 64
_LARGEST_REPLY = 64 * 1024 * 1024
_VARIABLES = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "MENU_EMBEDDING_MODEL")

Vector = list[float]


class EmbeddingError(Exception):
    """No vectors were made; the message is one line for people."""


class Embedding(Protocol):
    """Makes vectors of one length; whatever makes other vectors has another name."""

    @property
    def name(self) -> str:
        """What made a vector."""

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, in order.

        Raises:
            EmbeddingError: They cannot be made.
        """


class HashedTerms(NamedTuple):
    """Terms by hash, in so many dimensions; of length one, or all zero for a text without terms."""

    size: int = 512

    @property
    def name(self) -> str:
        """What made a vector."""
        return f"hashed-terms-{self.size}"

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, in order."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        vector = [0.0] * self.size
        for term, count in Counter(terms_of(text)).items():
            digest = int.from_bytes(hashlib.sha256(term.encode(errors="replace")).digest()[:8])
            # A term said often says more, but not so many times more.
            vector[digest // 2 % self.size] += (1 if digest % 2 else -1) * (1 + math.log(count))
        length = math.sqrt(sum(part * part for part in vector)) or 1.0
        return [part / length for part in vector]


class EndpointEmbedding(NamedTuple):
    """An endpoint and the embedding model to ask there."""

    base_url: str
    api_key: str
    model: str

    @property
    def name(self) -> str:
        """What made a vector."""
        return self.model

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """A vector for each text, in order.

        Raises:
            EmbeddingError: The endpoint cannot be reached, refuses, or replies with something else than vectors.
        """
        return [
            vector
            for start in range(0, len(texts), _BATCH)
            for vector in self._batch(list(texts[start : start + _BATCH]))
        ]

    def _batch(self, texts: list[str]) -> list[Vector]:
        try:
            rows = sorted(json.loads(self._post(texts))["data"], key=lambda row: row["index"])
            vectors = [[float(part) for part in row["embedding"]] for row in rows]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise EmbeddingError("the embedding endpoint's reply holds no vectors") from None
        if len(vectors) != len(texts):
            raise EmbeddingError(f"the embedding endpoint sent {len(vectors)} vectors for {len(texts)} texts")
        if len(lengths := {len(vector) for vector in vectors}) > 1:
            raise EmbeddingError(f"the embedding endpoint sent vectors of {len(lengths)} lengths")
        return vectors

    def _post(self, texts: list[str]) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the scheme is checked where the address is read
            f"{self.base_url.rstrip('/')}/embeddings",
            data=json.dumps({"model": self.model, "input": texts}).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self.api_key}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:  # noqa: S310
                read: bytes = response.read(_LARGEST_REPLY)
        except urllib.error.HTTPError as error:
            with error:
                raise EmbeddingError(f"the embedding endpoint answered {error.code} {error.reason}") from None
        except OSError as error:
            raise EmbeddingError(f"the embedding endpoint cannot be asked: {error}") from None
        return read


def embedding_from(environment: Mapping[str, str]) -> Embedding:
    """The embedding the environment names; hashed terms without `MENU_EMBEDDING_MODEL`.

    Raises:
        EmbeddingError: A model is named, but not where it is or with which key to ask it.
    """
    if not environment.get("MENU_EMBEDDING_MODEL"):
        return HashedTerms()
    missing = [name for name in _VARIABLES if not environment.get(name)]
    if missing:
        raise EmbeddingError(f"MENU_EMBEDDING_MODEL is set, {' and '.join(missing)} not: set all three or none")
    base_url, api_key, model = (environment[name] for name in _VARIABLES)
    if not base_url.startswith(("http://", "https://")):
        raise EmbeddingError("OPENAI_BASE_URL has to start with http:// or https://")
    return EndpointEmbedding(base_url, api_key, model)
