"""Answers and chunks in the forms that apps report them in."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from pydantic import JsonValue

from raggate_action.replies.key_words import words_of
from raggate_action.replies.machine_values import is_passage, is_prose
from raggate_action.schema.trace import Answer, TracedChunk

_OF_THE_APP = frozenset({"ai", "AIMessage", "AIMessageChunk", "assistant", "model"})
_BLOCKS = frozenset({"text", "output_text"})
# Of a message, what is not said to the user.
_SILENT = frozenset({
    "thinking", "redacted_thinking", "reasoning", "tool_use", "server_tool_use", "tool_call", "tool_result",
    "web_search_tool_result", "web_fetch_tool_result", "mcp_tool_use", "mcp_tool_result", "reference",
})  # fmt: skip


def read_answer(value: JsonValue) -> str | None:
    """The text of an answer: a string, a message of the model, a list of text blocks; None for anything else."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _of_blocks(value)
    if not isinstance(value, dict):
        return None
    if "lc" in value and isinstance(value.get("kwargs"), dict):
        return read_answer(value["kwargs"])
    is_of_the_app = any(value.get(key) in _OF_THE_APP for key in ("type", "role") if isinstance(value.get(key), str))
    content = value.get("content")
    if not is_of_the_app or not isinstance(content, str | list):
        return None
    return content if isinstance(content, str) else _of_blocks(content, bare=True)


def are_separate_texts(value: JsonValue) -> bool:
    """Whether it is a list of several blocks of text: parts of a message, or, of a tool's result, one text each."""
    return isinstance(value, list) and sum(isinstance(each, dict) and _kind(each) in _BLOCKS for each in value) > 1


def is_answer_form(value: JsonValue) -> bool:
    """Whether an answer is written as the trace format says: `{text, abstained, claims}`."""
    return isinstance(value, dict) and bool(value) and value.keys() <= Answer.model_fields.keys()


def _kind(block: dict[str, Any]) -> str:
    """The type that a block says it is of; empty where that is no text."""
    kind = block.get("type")
    return kind if isinstance(kind, str) else ""


def _of_blocks(blocks: list[Any], *, bare: bool = False) -> str | None:
    spoken = [each for each in blocks if not (isinstance(each, dict) and _kind(each) in _SILENT)]
    # Some dump a message's blocks without their type.
    objects = [each for each in spoken if isinstance(each, dict)]
    texts = [each.get("text") for each in objects if _kind(each) in _BLOCKS or (bare and each.keys() == {"text"})]
    found = [each for each in texts if isinstance(each, str)]
    return "".join(found) if found and len(found) == len(spoken) else None


# The text of a chunk, whole.
_TEXT_KEYS = ("text", "page_content", "pageContent", "content")
# What holds a piece of it, or holds it in some apps and a name in others.
_EXCERPT_KEYS = (
    "snippet", "body", "passage", "chunk", "excerpt", "document", "value", "chunk_text", "chunk_content",
    "content_with_weight", "cited_text", "quote", "paragraph",
)  # fmt: skip
# Strings of these keys are names, however many words they have.
_NAME_WORD = re.compile(
    r"(?:^|_)(?:title|name|url|uri|link|href|source|path|file|filename|id|ids|key|type|kind|author|authors|date|query"
    r"|question|role|label|labels|tag|tags|category|score|language|lang|mime|format|status|embedding|vector|prompt"
    r"|heading|headings|breadcrumb|location|collection|index|encrypted|signature|error|reason)(?:_|$)"
)
# Keys that end so name a text, whatever stands before it: `sourceText`, `file_content`.
_TEXT_WORDS = frozenset({
    "text", "content", "contents", "excerpt", "snippet", "passage", "body", "chunk", "paragraph", "quote", "abstract",
    "segment", "markdown", "blurb", "extract", "fragment",
})  # fmt: skip
_ID_KEYS = ("chunk_id", "id", "id_", "node_id", "segment_id")
_DOCUMENT_KEYS = ("document_id", "doc_id", "ref_doc_id", "source", "file_path", "file_name")
# What a framework puts around a document: LlamaIndex's node with its score, a hit of a search.
_WRAPPERS = ("node", "document")
# Where search engines and protocols put the text of a hit, one level below it.
_TEXT_HOLDERS = (
    "content", "text", "document", "chunk", "passage", "chunkInfo", "chunk_info", "unstructuredDocumentInfo",
    "retrievedContext", "retrieved_context", "ragChunk", "rag_chunk", "sourceData", "source_data", "DocumentExcerpt",
    "resource", "payload", "_source", "fields", "entity", "properties", "data", "page", "result", "web", "metadata",
)  # fmt: skip
# What names the document of a text in some apps, and holds the text itself in others.
_SHORT_NAME_KEYS = ("doc", "document", "file")
# What says where a text is from, beside a text.
_PLACE_KEYS = ("file_id", "filename", "document_name", "url", "uri")
_METADATA_KEYS = ("metadata", "meta", "extra_info")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DEEPEST = 4
# An object under such a key says something of the question or of the answer.
_NO_DOCUMENT = frozenset({
    "input", "output", "question", "query", "user", "request", "author", "answer", "generated", "response", "reply",
    "claim", "sentence", "error", "usage", "message", "argument", "param", "config", "setting", "segment",
})  # fmt: skip
# LlamaIndex's number for the document that a node was cut from.
_SOURCE_RELATION = "1"
# Of a row of a table.
_MOST_CELLS = 12
_RANDOM_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
_LONGEST_ID = 512
_LONGEST_NAME = 200
_ID_LENGTH = 12


class ReadChunk(NamedTuple):
    """One chunk as an app reported it.

    Attributes:
        ids: Ids it may go by, the likeliest first; empty for a text alone.
        text: What it says; None without a text.
        document_id: The document it was cut from; None where nothing says.
        version: Its version; None where the app reports none.
        alone: It was a plain string, which may be an id or a text.
        partial: The text may be a piece of the chunk, or was found under no key that is known for it.
    """

    ids: tuple[str, ...] = ()
    text: str | None = None
    document_id: str | None = None
    version: str | None = None
    alone: bool = False
    partial: bool = False


def folded_spaces(text: str) -> str:
    """The text with every run of white space as one space, stripped."""
    return " ".join(text.split())


def text_id(text: str) -> str:
    """The id of a chunk that has none: the first 12 hex digits of the SHA-256 of its text with folded spaces."""
    raw = folded_spaces(text).encode(errors="surrogatepass")
    return hashlib.sha256(raw).hexdigest()[:_ID_LENGTH]


def looks_like_id(string: str) -> bool:
    """Whether an unknown string is an id: ASCII without white space, at most 512 characters.

    A text may have no spaces either, as Japanese has none; it is not ASCII then.
    """
    return look_like_ids([string])


def look_like_ids(strings: list[str]) -> bool:
    """Whether all of them do, at little more than the cost of one."""
    together = " ".join(strings)
    if not together.isascii() or together.split() != strings:
        return False
    return len(together) <= _LONGEST_ID or max(map(len, strings)) <= _LONGEST_ID


def is_random(chunk_id: str) -> bool:
    """Whether an id is a random UUID: LangChain and LlamaIndex give such to each chunk whenever an index is made."""
    return _RANDOM_UUID.fullmatch(chunk_id) is not None


def is_own_form(value: JsonValue) -> bool:
    """Whether a chunk is written as the trace format says: `{chunk_id, version, text}`."""
    return isinstance(value, dict) and "chunk_id" in value and value.keys() <= TracedChunk.model_fields.keys()


def items_of(value: JsonValue) -> list[JsonValue] | None:
    """The chunks of a stage: a list as it is, one text as a list of it, a list of one list unpacked; None otherwise.

    An empty text is an empty list: the model was shown nothing.
    """
    if isinstance(value, str):
        return [value] if value.strip() else []
    if not isinstance(value, list):
        return None
    if len(value) == 1 and isinstance(value[0], list) and _scored(value[0]) is None:
        return value[0]
    return value


def names_nothing(value: JsonValue) -> bool:
    """Whether one string stands where a list of chunks would, and is an id: of a session, it may be, but no chunk's."""
    return isinstance(value, str) and bool(value.strip()) and looks_like_id(value.strip())


def read_chunk(value: JsonValue) -> ReadChunk | None:
    """One chunk in any form; None for null, a number with decimals, or an object without id and text.

    A whole number is an id. A pair of a chunk and a number is a chunk with its score, which a trace has no place for.
    """
    if isinstance(value, str):
        return ReadChunk(text=value, alone=True)
    if isinstance(value, int) and not isinstance(value, bool):
        return ReadChunk(ids=(str(value),))
    if isinstance(value, list):
        scored = _scored(value)
        return None if scored is None else read_chunk(scored)
    return _of_object(value) if isinstance(value, dict) else None


def _scored(pair: list[JsonValue]) -> JsonValue:
    """The chunk of a pair of a chunk and its score, of a text and what is known of it, or of a table's row."""
    if 1 < len(pair) <= _MOST_CELLS and not any(isinstance(cell, list | dict) for cell in pair):
        texts = [cell for cell in pair if isinstance(cell, str)]
        passages = [text for text in texts if is_passage(text)]
        is_row = len(passages) == 1 and not any(is_prose(text) for text in texts if text is not passages[0])
        if is_row:
            return passages[0]
    if len(pair) != 2 or isinstance(pair[1], bool) or not isinstance(pair[1], int | float | dict):
        return None
    if isinstance(pair[1], dict):
        is_about = isinstance(pair[0], str) and is_prose(pair[0]) and _text_of([pair[1]])[0] is None
        return pair[0] if is_about else None
    return pair[0] if isinstance(pair[0], str | dict) else None


def _of_object(value: dict[str, Any]) -> ReadChunk | None:
    objects = list(_unwrapped(value))
    inner = objects[-1]
    metadata: dict[str, Any] = next((inner[key] for key in _METADATA_KEYS if isinstance(inner.get(key), dict)), {})
    text, partial = _text_of(objects)
    # What stands around a document says of it what it does not say itself, as a hit's id does.
    ids = tuple(dict.fromkeys([*_named(_ID_KEYS, *reversed(objects)), *_named(("chunk_id",), metadata)]))
    documents = [*_named(_DOCUMENT_KEYS, inner, metadata), *_source_relation(inner)]
    if text is None and not ids:
        ids = tuple(documents[:1])
    if text is None and not ids:
        return None
    if text is not None:
        short = _named(_SHORT_NAME_KEYS, *reversed(objects), metadata)
        documents += [each for each in short if each != text and not is_prose(each) and len(each) <= _LONGEST_NAME]
        documents += _named(_PLACE_KEYS, *reversed(objects), metadata)
    version = inner.get("version")
    document_id = next((each for each in documents if each not in ids), None)
    return ReadChunk(ids, text, document_id, version if isinstance(version, str) else None, partial=partial)


def _text_of(objects: list[dict[str, Any]]) -> tuple[str | None, bool]:
    """The text of a chunk, innermost object first, and whether it may be a piece of it; None without one."""
    found = next((text for each in reversed(objects) if (text := _whole_text(each)) is not None), None)
    if found is not None:
        return found, False
    for each in reversed(objects):
        held = (each[key] for key in _EXCERPT_KEYS if isinstance(each.get(key), str) and is_prose(each[key]))
        below = (each[key] for key in _TEXT_HOLDERS if isinstance(each.get(key), dict))
        found = next(chain(held, (text for inner in below if (text := _held_text(inner)) is not None)), None)
        if found is not None:
            return found, True
    longest = max((text for each in objects for text in _sentences(each)), key=len, default=None)
    if longest is None:
        longest = next((text for each in reversed(objects) if (text := _inner_text(each, _DEEPEST)) is not None), None)
    return longest, longest is not None


def _inner_text(value: dict[str, Any], depth: int) -> str | None:
    """The text of the one object inside that has one, as a document stands in its citation; None of two."""
    held = [(key, each) for key, each in value.items() if isinstance(each, dict) and key not in _METADATA_KEYS]
    inner = [each for key, each in held if _NO_DOCUMENT.isdisjoint(words_of(key))]
    found = [text for each in inner if (text := _named_text(each) or (_inner_text(each, depth - 1) if depth else None))]
    return found[0] if len(found) == 1 else None


def _named_text(value: dict[str, Any]) -> str | None:
    """The longest text under a key that ends as names of texts do."""
    named = (held for key, held in value.items() if _HUMP.sub("_", key).lower().rpartition("_")[2] in _TEXT_WORDS)
    return max((held for held in named if isinstance(held, str) and is_prose(held)), key=len, default=None)


def _whole_text(value: dict[str, Any]) -> str | None:
    """The text under the keys for it: a string, blocks of a message, or LlamaIndex's resource."""
    resource = value.get("text_resource")
    places = [*(value.get(key) for key in _TEXT_KEYS), resource.get("text") if isinstance(resource, dict) else None]
    texts = [_of_blocks(each) if isinstance(each, list) else each for each in places if isinstance(each, str | list)]
    found = [each for each in texts if each is not None]
    return next((each for each in found if each.strip()), found[0] if found else None)


def _held_text(value: dict[str, Any]) -> str | None:
    held = _whole_text(value)
    if held is not None:
        return held
    excerpts = (value[key] for key in _EXCERPT_KEYS if isinstance(value.get(key), str) and is_prose(value[key]))
    return next(excerpts, None) or max(_sentences(value), key=len, default=None)


def _sentences(value: dict[str, Any]) -> Iterator[str]:
    """Strings of an object that say something in words, and are no name."""
    for key, held in value.items():
        if isinstance(held, str) and not _is_name(key) and is_prose(held):
            yield held


def _is_name(key: str) -> bool:
    if key in _METADATA_KEYS:
        return True
    plain = _HUMP.sub("_", key).lower().replace("-", "_")
    return _NAME_WORD.search(plain) is not None and plain.rpartition("_")[2] not in _TEXT_WORDS


def _unwrapped(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The object, and what frameworks put into it, outermost first."""
    for _ in range(_DEEPEST):
        if "lc" in value and isinstance(value.get("kwargs"), dict):
            # Its own `id` is the name of a class.
            value = value["kwargs"]
            continue
        yield value
        inner = next((value[key] for key in _WRAPPERS if isinstance(value.get(key), dict)), None)
        if inner is None:
            return
        value = inner
    yield value


def _named(keys: tuple[str, ...], *objects: dict[str, Any]) -> Iterator[str]:
    """The values of some keys that can be an id: a text that is not blank, or a whole number."""
    for each in objects:
        for key in keys:
            found = each.get(key)
            if isinstance(found, str) and found.strip():
                yield found
            elif isinstance(found, int) and not isinstance(found, bool):
                yield str(found)


def _source_relation(node: dict[str, Any]) -> Iterator[str]:
    relations = node.get("relationships")
    source = relations.get(_SOURCE_RELATION) if isinstance(relations, dict) else None
    if isinstance(source, dict):
        yield from _named(("node_id",), source)
