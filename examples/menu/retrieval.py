"""Finding entries: an embedded full-text index (SQLite FTS5, bm25), then a rerank by how much a statement covers."""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import threading
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from wording import Question, normal_form, sentences_of, statement_terms, terms_of

CANDIDATES = 10
CONTEXT = 4
RETRIEVER_VERSION = "fts5-bm25-1"
RERANKER_VERSION = "statement-coverage-1"

# What an entry says, in this order; the suite assembles its evidence from the same fields.
TEXT_FIELDS = ("description", "side", "pairing", "origin", "preparation")
# What else a guest may call the entries of a category.
_CATEGORY_WORDS = {
    "starters": "starter dish",
    "mains": "main dish",
    "grill": "grill main dish",
    "sides": "side dish",
    "desserts": "dessert dish",
    "wines": "wine drink",
    "house": "house",
}


class Entry(NamedTuple):
    """One entry of the menu.

    Attributes:
        chunk_id: Its id, which answers cite.
        version: Version of its text.
        category: Part of the menu.
        name: As printed.
        sentences: What it says, verbatim.
        price_eur: Price in euros; None for what is not sold.
    """

    chunk_id: str
    version: str
    category: str
    name: str
    sentences: tuple[str, ...]
    price_eur: float | None

    @property
    def named(self) -> frozenset[str]:
        """Terms of its name and of its category: every sentence of the entry is about them."""
        return frozenset((*terms_of(self.name), *self.kind_of))

    @property
    def kind_of(self) -> frozenset[str]:
        """Terms of its category."""
        return frozenset(normal_form(word) for word in _CATEGORY_WORDS.get(self.category, self.category).split())


class Menu(NamedTuple):
    """All entries in printed order, and a version that changes with every byte of the file."""

    entries: tuple[Entry, ...]
    version: str


def load_menu(path: Path) -> Menu:
    """Read the entries, one JSON object per line."""
    raw = path.read_bytes()
    rows = [json.loads(line) for line in raw.decode().splitlines() if line.strip()]
    entries = [
        Entry(
            chunk_id=row["chunk_id"],
            version=row["version"],
            category=row["category"],
            name=row["name"],
            sentences=tuple(s for field in TEXT_FIELDS if field in row for s in sentences_of(row[field])),
            price_eur=row.get("price_eur"),
        )
        for row in rows
    ]
    return Menu(tuple(entries), f"{path.name}@{hashlib.sha256(raw).hexdigest()[:12]}")


class Index:
    """The full-text index. One connection behind a lock: queries take microseconds and may come from any thread."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        """Index every entry's name and text, in the normal form of their words."""
        self._entries = entries
        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute("CREATE VIRTUAL TABLE entry USING fts5(name, body, tokenize='unicode61')")
        rows = [(" ".join(terms_of(entry.name)), " ".join(_body_terms(entry))) for entry in entries]
        self._database.executemany("INSERT INTO entry (rowid, name, body) VALUES (?, ?, ?)", _numbered(rows))
        seen = Counter(term for name, body in rows for term in {*name.split(), *body.split()})
        self._rarity = {term: math.log(1 + len(entries) / count) for term, count in seen.items()}

    def candidates(self, question: Question) -> tuple[Entry, ...]:
        """The entries nearest to the question, best first.

        Like any index that returns its k nearest, this one never comes back empty: where the menu knows too few
        words of the question, entries follow in printed order.
        """
        wanted = " OR ".join(f'"{term}"' for term in question.words)
        found: list[int] = []
        if wanted:
            with self._lock:
                rows = self._database.execute(
                    "SELECT rowid FROM entry WHERE entry MATCH ? ORDER BY bm25(entry, 4.0, 1.0), rowid LIMIT ?",
                    (wanted, CANDIDATES),
                ).fetchall()
            found = [row[0] for row in rows]
        for number in range(len(self._entries)):
            if len(found) >= CONTEXT:
                break
            if number not in found:
                found.append(number)
        return tuple(self._entries[number] for number in found)

    def rerank(self, question: Question, candidates: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """The same entries, by how much of the question one of their statements covers; rare words weigh more."""
        order = {entry.chunk_id: rank for rank, entry in enumerate(candidates)}
        return tuple(sorted(candidates, key=lambda entry: (-self._covered(question, entry), order[entry.chunk_id])))

    def _covered(self, question: Question, entry: Entry) -> float:
        weights = {term: self._rarity.get(term, 1.0) for term in question.terms}
        return max(
            (sum(weights[term] for term in question.terms & covers(entry, sentence)) for sentence in entry.sentences),
            default=0.0,
        )


def covers(entry: Entry, sentence: str) -> frozenset[str]:
    """All that a sentence covers where it stands: its own terms, and what the entry is named."""
    return statement_terms(sentence) | entry.named


def mentions(entry: Entry) -> frozenset[str]:
    """All that any sentence of an entry covers."""
    return entry.named.union(*(statement_terms(sentence) for sentence in entry.sentences))


def _body_terms(entry: Entry) -> list[str]:
    return [*entry.kind_of, *(term for sentence in entry.sentences for term in terms_of(sentence))]


def _numbered(rows: list[tuple[str, str]]) -> list[tuple[int, str, str]]:
    return [(number, name, body) for number, (name, body) in enumerate(rows)]
