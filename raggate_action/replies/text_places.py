"""Every place of a reply that may hold its answer or its evidence, at any depth, with what speaks for it.

Nothing is decided here; `place_choice` does that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import JsonValue

from raggate_action.replies.machine_values import is_machine_value, is_prose
from raggate_action.replies.reply_forms import folded_spaces, read_answer, read_chunk

_OFFSET = re.compile(r"(?:start|begin|span|offset)(?:_?(?:index|offset|char|pos|position))?", re.IGNORECASE)
_DEEPEST = 10
_MOST_NODES = 4000
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PLAIN = re.compile(r"[A-Za-z_]\w*")
# A key of this form is a name that somebody gave a field; any other may be a value that an app files things under.
_KEY = re.compile(r"[A-Za-z_$@][\w$@ .:-]{0,59}")


class AnswerPlace(NamedTuple):
    """A text that may be the answer.

    Attributes:
        path: Where it is (JMESPath).
        text: The text.
        strength: How much its key speaks for it: 3 an answer's own name, 2 a name that often is one, 1 a message's or
            a result's text, 0 nothing.
    """

    path: str
    text: str
    strength: int


class EvidencePlace(NamedTuple):
    """A list that may be the evidence.

    Attributes:
        path: Where it is (JMESPath); finds a list of chunks, or one text.
        texts: The texts of its chunks; empty where they have ids alone, or there is no chunk.
        size: Chunks in it.
        strength: As of `AnswerPlace`: 3 evidence's own name, 2 a name that often is, 1 a list's, 0 nothing.
        has_ids: Its chunks say ids of their own.
        has_offsets: Its entries say where something begins and ends, as marks on the words of an answer do.
        is_selected, is_retrieved: Its name says that it is what was kept for the model, or what was found at first.
    """

    path: str
    texts: tuple[str, ...]
    size: int
    strength: int
    has_ids: bool
    has_offsets: bool
    is_selected: bool
    is_retrieved: bool


def words_of(key: str) -> tuple[str, ...]:
    """The words of a key in lower case, plurals as singulars: `retrievedDocuments` -> retrieved, document."""
    words = re.split(r"[^a-z0-9]+", _HUMP.sub("_", key).lower())
    return tuple([_singular(word) for word in words if word])


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2 else word


class _Node(NamedTuple):
    """Values of a reply that stand under one path; several where a list lies above."""

    path: str
    keys: tuple[str, ...]
    values: list[Any]
    is_many: bool


def _nodes(reply: JsonValue, *, first_of_one: bool) -> Iterator[_Node]:
    """Every node, outer ones first, the items of a list under one path.

    With `first_of_one` the item of a list that has no other goes by its place, `[0]`.
    """
    waiting = [_Node("", (), [reply], is_many=False)]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = waiting.pop(0)
        yield node
        if len(node.keys) >= _DEEPEST:
            continue
        items = [item for value in node.values if isinstance(value, list) for item in value]
        if items:
            alone = first_of_one and not node.is_many and len(items) == 1
            path = f"{node.path}[0]" if alone else f"{node.path}[]"
            waiting.append(_Node(path, node.keys, items, is_many=not alone))
        objects = [value for value in node.values if isinstance(value, dict)]
        for key in dict.fromkeys(key for value in objects for key in value if _KEY.fullmatch(key)):
            name = key if _PLAIN.fullmatch(key) else json.dumps(key)
            path = f"{node.path}.{name}" if node.path else name
            held = [value[key] for value in objects if key in value]
            waiting.append(_Node(path, (*node.keys, key), held, node.is_many))


# The words of keys. Of what speaks for evidence, names of the thing itself; names it often has; names of any list.
_EVIDENCE = frozenset({
    "context", "evidence", "chunk", "passage", "retrieved", "retrieval", "retriever", "grounding", "snippet",
    "excerpt", "reference", "source", "citation", "document", "doc", "node", "knowledge", "quote",
})  # fmt: skip
_OFTEN_EVIDENCE = frozenset({
    "hit", "match", "article", "page", "record", "resource", "search", "result", "support", "attribution", "material",
    "observation", "artifact", "paragraph", "neighbor", "neighbour", "fact", "footnote", "provenance", "background",
    "memory", "faq", "kb", "rag", "vector",
})  # fmt: skip
_ANY_LIST = frozenset({"item", "data", "value", "list", "entry", "row", "output", "file", "info"})
# These say that it is something else; the second group only where the last word is no name of evidence.
_NO_EVIDENCE = frozenset({
    "history", "chat", "conversation", "dialog", "dialogue", "turn", "suggestion", "suggested", "suggest", "question",
    "followup", "follow", "related", "recommended", "recommendation", "prompt", "example", "shot", "step", "log",
    "event", "warning", "error", "tag", "keyword", "query", "intent", "option", "action", "feedback", "link", "url",
    "safety", "rating", "alternative", "choice", "draft", "thought", "thinking", "reasoning", "plan", "rejected",
    "filtered", "dropped", "unused", "discarded", "excluded", "removed", "ignored", "candidate", "instruction",
    "guideline", "disclaimer", "notice", "param", "setting", "config", "debug", "usage", "eval", "evaluation",
    "metric", "guardrail", "profile", "persona", "todo", "subquery", "rewritten", "hypothetical", "highlight",
    "title", "heading", "author", "label", "category", "topic",
})  # fmt: skip
_SELDOM_EVIDENCE = frozenset({
    "message", "generation", "reply", "response", "answer", "system", "tool", "function", "policy", "rule", "trace",
    "agent", "task", "summary", "generated", "claim", "sentence", "entity",
})  # fmt: skip
# What lies inside these is none, whatever it is called.
_NO_EVIDENCE_BELOW = frozenset({
    "history", "suggestion", "related", "example", "shot", "question", "followup", "draft", "rejected", "filtered",
    "dropped", "unused", "discarded", "excluded", "prompt", "config", "setting", "evaluation", "log", "step", "query",
})  # fmt: skip
# Under these one string may be all of it.
_ONE_TEXT = frozenset({"context", "evidence", "chunk", "passage", "knowledge", "retrieved", "retrieval"})
_SELECTED = frozenset({"used", "selected", "reranked", "final", "context", "shown", "relevant", "kept", "cited", "top"})
_RETRIEVED = frozenset({"retrieved", "all", "raw", "candidate", "initial", "search", "found", "fetched"})

_ANSWER = frozenset({"answer", "reply", "response", "completion", "generation", "generated"})
_OFTEN_ANSWER = frozenset({"output", "result", "text", "content", "summary", "message", "final", "said", "bot"})
_NO_ANSWER = frozenset({
    "question", "query", "prompt", "input", "instruction", "system", "id", "uuid", "model", "status", "state", "type",
    "kind", "role", "title", "name", "url", "uri", "link", "time", "timestamp", "date", "created", "updated",
    "version", "language", "lang", "locale", "session", "user", "thinking", "thought", "reasoning", "reason",
    "rationale", "explanation", "intent", "topic", "category", "tag", "label", "keyword", "source", "citation",
    "reference", "context", "evidence", "document", "doc", "chunk", "passage", "history", "suggestion", "follow",
    "followup", "related", "disclaimer", "notice", "warning", "error", "debug", "log", "trace", "usage", "metadata",
    "meta", "config", "setting", "description", "tool", "function", "argument", "step", "plan", "signature", "hash",
    "token", "format", "mime", "encoding", "fingerprint", "provider", "engine", "author", "email", "snippet", "quote",
    "excerpt", "rewritten", "standalone", "condensed", "search", "sql", "html", "ssml", "audio", "speech",
    "translation", "greeting", "welcome", "feedback", "rating", "hypothetical", "draft", "caption", "heading",
    "footer", "header", "path", "file", "detail", "msg", "guardrail", "policy", "judge", "evaluation", "verdict",
    "score", "confidence", "finish", "stop",
})  # fmt: skip
# What lies inside these is no answer of the app, whatever it is called.
_NEVER_ABOVE = frozenset({
    "source", "citation", "document", "doc", "chunk", "passage", "history", "suggestion", "related", "example",
    "tool", "step", "log", "trace", "prompt", "question", "query", "user", "thought", "evaluation", "draft", "error",
})  # fmt: skip
_OF_USERS = frozenset(
    {"user", "human", "system", "developer", "tool", "function", "USER", "HumanMessage", "TOOL", "SYSTEM"}
)


def _strength(words: tuple[str, ...], own: frozenset[str], often: frozenset[str], any_of: frozenset[str]) -> int:
    found = set(words)
    return 3 if found & own else 2 if found & often else 1 if found & any_of else 0


def is_passage(text: str) -> bool:
    """Whether a text can be what an answer rests on: a sentence, or as many words as no title has."""
    plain = text.strip()
    return is_prose(plain) and (plain[-1] in ".!?。！？…:|)" or len(plain.split()) >= _NO_TITLE or not plain.isascii())


_NO_TITLE = 9


def evidence_places(reply: JsonValue) -> list[EvidencePlace]:
    """The lists of chunks of a reply, and long texts with evidence's own names, as they come."""
    return [place for node in _nodes(reply, first_of_one=False) if (place := _evidence_place(node)) is not None]


def _evidence_place(node: _Node) -> EvidencePlace | None:
    words = words_of(node.keys[-1]) if node.keys else ()
    above = {word for key in node.keys[:-1] for word in words_of(key)}
    head = words[-1] if words else ""
    if (
        not words
        or not _NO_EVIDENCE.isdisjoint(words)
        or (head not in _EVIDENCE and not _SELDOM_EVIDENCE.isdisjoint(words))
    ):
        return None
    strength = _strength(words, _EVIDENCE, _OFTEN_EVIDENCE, _ANY_LIST)
    if strength and not above.isdisjoint(_EVIDENCE):
        strength = 3
    if not strength and not above.isdisjoint(_EVIDENCE | _OFTEN_EVIDENCE) and not node.path.endswith("]"):
        strength = 1
    selected, retrieved = not _SELECTED.isdisjoint(words), not _RETRIEVED.isdisjoint(words)
    if all(isinstance(value, str) for value in node.values):
        text = "" if node.is_many else node.values[0]
        if head not in _ONE_TEXT or not is_passage(text):
            return None
        return EvidencePlace(
            node.path,
            (text,),
            1,
            strength,
            has_ids=False,
            has_offsets=False,
            is_selected=selected,
            is_retrieved=retrieved,
        )
    lists = [value for value in node.values if isinstance(value, list)]
    if not lists or len(lists) < len([value for value in node.values if value is not None]) or node.path.endswith("]"):
        return None
    items = [item for each in lists for item in each]
    if items and all(isinstance(item, list) for item in items) and not any(map(read_chunk, items)):
        return None
    spoken = [item for item in items if isinstance(item, dict) and isinstance(item.get("role", item.get("type")), str)]
    if any(item.get("role", item.get("type")) in _OF_USERS for item in spoken):
        return None
    chunks = [chunk for item in items if (chunk := read_chunk(item)) is not None]
    texts = tuple([chunk.text for chunk in chunks if chunk.text and chunk.text.strip()])
    if not any(map(is_passage, texts)):
        # Titles and labels of links.
        texts = ()
    if items and not chunks:
        return None
    path = f"{node.path}[]" if node.is_many else node.path
    has_ids = any(chunk.ids for chunk in chunks)
    offsets = any(isinstance(item, dict) and any(_OFFSET.fullmatch(key) for key in item) for item in items)
    return EvidencePlace(path, texts, len(chunks), strength, has_ids, offsets, selected, retrieved)


def answer_places(reply: JsonValue, question: str) -> list[AnswerPlace]:
    """The texts of a reply that may be its answer, as they come: none of the machine's, and not the question."""
    if isinstance(reply, str):
        return [] if is_machine_value(reply) else [AnswerPlace("@", reply, 3)]
    asked = folded_spaces(question).lower()
    inside = [place.path.removesuffix("[]") for place in evidence_places(reply) if place.texts]
    found: list[AnswerPlace] = []
    for node in _nodes(reply, first_of_one=True):
        place = _answer_place(node)
        if place is None or folded_spaces(place.text).lower() == asked:
            continue
        path = place.path.replace("[0]", "[]")
        if any(path == each or path.startswith((f"{each}[", f"{each}.")) for each in inside):
            continue
        if not any(place.path.startswith(each.path) and place.text == each.text for each in found):
            found.append(place)
    return found


def _answer_place(node: _Node) -> AnswerPlace | None:
    if node.is_many or not node.keys:
        return None
    value = node.values[0]
    if isinstance(value, list) and not all(isinstance(each, dict) and "text" in each for each in value):
        return None
    words = words_of(node.keys[-1])
    text = read_answer(value)
    if not words or text is None or is_machine_value(text) or words[-1] in _NO_ANSWER:
        return None
    strength = _strength(words, _ANSWER, _OFTEN_ANSWER, _ANY_LIST | {"body", "spoken", "words"})
    above = {word for key in node.keys[:-1] for word in words_of(key)}
    if strength in {1, 2} and not above.isdisjoint(_ANSWER):
        strength = 3
    against = _NEVER_ABOVE if strength == 3 else _NO_ANSWER
    if not above.isdisjoint(against) or (strength < 3 and not _NO_ANSWER.isdisjoint(words)):
        return None
    if strength < 2 and not is_prose(text):
        return None
    return AnswerPlace(node.path, text, strength)
