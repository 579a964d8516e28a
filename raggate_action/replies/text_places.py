"""Every place of a reply that may hold its answer or its evidence, at any depth, with what speaks for it.

Nothing is decided here; `place_choice` does that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import JsonValue, ValidationError
from pydantic_core import to_json

from raggate_action.replies import key_words as words
from raggate_action.replies.key_words import words_of
from raggate_action.replies.machine_values import asks, is_machine_value, is_passage, is_prose
from raggate_action.replies.mapping import finder
from raggate_action.replies.reply_forms import are_separate_texts, folded_spaces, items_of, read_answer, read_chunk
from raggate_action.replies.reply_nodes import Node, fields_of, nodes
from raggate_action.replies.text_parts import joined_parts
from raggate_action.schema.trace import RESPONSE_FIELDS, STAGES, Trace, mapped_trace

_OFFSET = re.compile(r"(?:start|begin|span|offset)(?:_?(?:index|offset|char|pos|position))?", re.IGNORECASE)


class AnswerPlace(NamedTuple):
    """A text that may be the answer.

    Attributes:
        path: Where it is (JMESPath).
        text: The text.
        strength: How much its key speaks for it: 3 an answer's own name, 2 a name that often is one, 1 a message's or
            a result's text, 0 nothing.
        depth: Keys above it, with its own.
        is_spoken: It is what the app says last in a talk, or in a message.
    """

    path: str
    text: str
    strength: int
    depth: int
    is_spoken: bool = False


class EvidencePlace(NamedTuple):
    """A list that may be the evidence.

    Attributes:
        path: Where it is (JMESPath); finds a list of chunks, or one text.
        key: The last key on it.
        texts: The texts of its chunks; empty where they have ids alone, or there is no chunk.
        size: Entries in it.
        strength: As of `AnswerPlace`: 3 evidence's own name, 2 a name that often is, 1 a list's, 0 nothing.
        is_selected, is_retrieved: Its name says that it is what was kept for the model, or what was found at first.
        has_ids: Its chunks say ids of their own.
        has_offsets: Its entries say where something begins and ends, as marks on the words of an answer do.
        has_origins: Its entries say where their texts are from, or how near they are to the question.
    """

    path: str
    key: str
    texts: tuple[str, ...]
    size: int
    strength: int
    is_selected: bool
    is_retrieved: bool
    has_ids: bool = False
    has_offsets: bool = False
    has_origins: bool = False


def _strength(found: tuple[str, ...], own: frozenset[str], often: frozenset[str], any_of: frozenset[str]) -> int:
    return 3 if own.intersection(found) else 2 if often.intersection(found) else 1 if any_of.intersection(found) else 0


def evidence_places(reply: JsonValue, question: str = "") -> list[EvidencePlace]:
    """The lists of chunks of a reply, and long texts with evidence's own names, as they come."""
    found = (_evidence_place(node) for node in nodes(reply, question, first_of_one=False))
    return [place for place in found if place is not None]


def paths_above(path: str) -> Iterator[str]:
    """What a path begins with, by whole keys and lists."""
    return (path[: found.start()] for found in re.finditer(r"[.\[]", path))


def _evidence_place(node: Node) -> EvidencePlace | None:
    if (name := _evidence_name(node)) is None or (node.is_silent and not node.is_of_tool):
        return None
    held = [value for value in node.values if value is not None]
    if held and all(isinstance(value, str) for value in held):
        return _of_strings(node, held, name)
    found = _items(node, of_its_own_name=name[0] == _OWN)
    if found is None or (found[1] and name[0] < _OWN and not any(map(read_chunk, found[1]))):
        return None
    path, items = found
    if fields_of(items):
        return None
    if items and words_of(node.keys[-1])[-1] in words.MARKS and all(isinstance(item, int) for item in items):
        return None
    chunks = [chunk for item in items if (chunk := read_chunk(item)) is not None]
    if items and not chunks and not any(map(_names_something, items)):
        # Links: titles and addresses for people.
        return None
    if chunks and len(chunks) < len(items):
        # Of entries that are no chunks a trace cannot be made.
        return None
    texts = tuple([chunk.text for chunk in chunks if chunk.text and chunk.text.strip()])
    if not any(map(is_passage, texts)) or sum(map(asks, texts)) * 2 > len(texts):
        # Titles and labels of links; questions that could be asked next.
        texts = ()
    has_ids = any(chunk.ids for chunk in chunks)
    objects = [item for item in items if isinstance(item, dict)]
    objects += [held for item in objects for held in item.values() if isinstance(held, dict)]
    keys = {key for item in objects for key in item}
    offsets = any(map(_OFFSET.fullmatch, keys))
    if node.is_of_tool and any(are_separate_texts(held) for item in objects for held in item.values()):
        # What a tool gave back in several texts stands below, one by one.
        return None
    with_text = [item for item in items if isinstance(item, dict) and getattr(read_chunk(item), "text", None)]
    if not words.PARTS.isdisjoint(words_of(node.keys[-1])[-1:]):
        # Of a message in parts what counts is the text's own part: a source may stand beside it as another.
        with_text = [item for item in with_text if isinstance(item.get("text"), str)] or with_text
    known_keys = {key for item in with_text for key in item}
    origin = any(not words.ORIGINS.isdisjoint(words_of(key)) for key in known_keys)
    return EvidencePlace(path, node.keys[-1], texts, len(items), *name, has_ids, offsets, origin)


def _names_something(item: Any) -> bool:
    """Whether an entry without a text may still say by an id which chunk it means."""
    return not isinstance(item, dict) or any(not words.IDS.isdisjoint(words_of(key)) for key in item)


def _of_strings(node: Node, held: list[str], name: tuple[int, bool, bool]) -> EvidencePlace | None:
    """Texts that stand alone: one that is all of the evidence, or what a tool gave back each time."""
    if node.is_of_tool:
        texts = tuple([text for text in held if is_passage(text)])
        return EvidencePlace(node.path, node.keys[-1], texts, len(held), *name) if len(texts) == len(held) else None
    found = words_of(node.keys[-1])
    if name[0] < _OWN or not words.RETOLD.isdisjoint(found) or any(map(str.isdecimal, found)):
        return None
    if not all(map(is_passage, held)) or (
        node.is_many and not words.ANSWER.isdisjoint(words_of("".join(node.keys[-2:-1]))[-1:])
    ):
        return None
    return EvidencePlace(node.path, node.keys[-1], tuple(held), len(held), 1, *name[1:])


_OWN = 3


def _evidence_name(node: Node) -> tuple[int, bool, bool] | None:
    """How much keys speak for evidence, and whether for what was kept, or found at first; None if against it."""
    if not node.keys or (node.path.endswith("]") and not node.is_filed):
        return None
    found = words_of(node.keys[-1])
    above = {word for key in node.keys[:-1] for word in words_of(key)}
    ending = {words_of(key)[-1] for key in node.keys[:-1] if words_of(key)}
    if not found or not words.NO_EVIDENCE.isdisjoint(found) or not words.NO_EVIDENCE_BELOW.isdisjoint(ending):
        return None
    if node.is_many and not words.EARLIER.isdisjoint(ending):
        return None
    if node.is_of_tool:
        called = not words.OF_CALLS.isdisjoint(found) or not words.ARGUMENTS.isdisjoint(above)
        return None if called else (_OWN, False, False)
    below_evidence = not above.isdisjoint(words.EVIDENCE)
    if found[-1] not in words.EVIDENCE and not below_evidence and not words.SELDOM_EVIDENCE.isdisjoint(found):
        return None
    strength = _strength(found, words.EVIDENCE, words.OFTEN_EVIDENCE, words.ANY_LIST)
    if strength and below_evidence:
        strength = _OWN
    elif not strength and not above.isdisjoint(words.EVIDENCE | words.OFTEN_EVIDENCE):
        strength = 1
    return strength, not words.SELECTED.isdisjoint(found), not words.RETRIEVED.isdisjoint(found)


def _items(node: Node, *, of_its_own_name: bool) -> tuple[str, list[Any]] | None:
    """The entries of the lists of a node and the path to them; None where they are none, or turns of a talk."""
    held = [value for value in node.values if value is not None]
    path = f"{node.path}[]" if node.is_many else node.path
    if node.is_many and held and all(isinstance(value, dict) for value in held):
        # Filed under ids, or one in each entry of a list above.
        is_filed = of_its_own_name or node.is_filed
        chunks = map(read_chunk, held)
        return (node.path, held) if is_filed and any(chunk is not None and chunk.text for chunk in chunks) else None
    if of_its_own_name and not node.is_many and held and all(isinstance(value, dict) for value in held):
        # By id: {"a.md": "...", "b.md": "..."}, or an object of one form under each.
        items = [item for value in held for item in value.values()]
        texts = [chunk.text for item in items if (chunk := read_chunk(item)) is not None]
        forms = {tuple(item) if isinstance(item, dict) else () for item in items}
        named = {word for value in held for key in value for word in words_of(key)}
        by_id = (
            named.isdisjoint(words.NO_EVIDENCE | words.ANSWER)
            and len(texts) == len(items) > 1
            and len(forms) == 1
            and all(text and is_passage(text) for text in texts)
        )
        if (lists := _lists_of_chunks(held)) is not None:
            return f"{path}.*[]", lists
        return (f"{path}.*", items) if by_id else None
    if not held or not all(isinstance(value, list) for value in held):
        return None
    items = [item for value in held for item in value]
    if items and all(isinstance(item, list) and read_chunk(item) is None for item in items):
        path, items = f"{path}[]", [inner for item in items for inner in item]
    kinds = {item.get("role", item.get("type")) for item in items if isinstance(item, dict) and _is_named(item)}
    blocks = kinds <= {"text", "output_text"} and len(kinds) > 0
    if kinds & words.OF_USERS or (blocks and not of_its_own_name) or (not of_its_own_name and _are_pairs(items)):
        return None
    return path, items


def _lists_of_chunks(held: list[dict[str, Any]]) -> list[Any] | None:
    """The entries of all lists of an object that has several of chunks and nothing else, by where they are from."""
    lists = [each for value in held for each in value.values() if each]
    keys = {word for value in held for key in value for word in words_of(key)}
    named = [not words.EVIDENCE.isdisjoint(words_of(key)) for value in held for key in value]
    if any(named) and not all(named):
        return None
    if len(lists) < 2 or not keys.isdisjoint(words.NO_EVIDENCE | words.SELECTED | words.RETRIEVED):
        return None
    items = [item for each in lists for item in (each if isinstance(each, list) else [None])]
    chunks = [read_chunk(item) if isinstance(item, dict) else None for item in items]
    return items if all(chunk is not None and chunk.text and is_passage(chunk.text) for chunk in chunks) else None


def _is_named(item: dict[str, Any]) -> bool:
    return isinstance(item.get("role", item.get("type")), str)


def _are_pairs(items: list[Any]) -> bool:
    """Whether entries are whole replies, each with its answer, or with an output beside evidence."""
    keys = [words_of(key) for item in items if isinstance(item, dict) for key in item]
    says = {word for key in keys for word in key}
    return not words.ANSWER.isdisjoint(says) or (("output",) in keys and not words.EVIDENCE.isdisjoint(says))


def leftover_passages(reply: JsonValue, question: str = "") -> Iterator[tuple[str, str]]:
    """Path and text of every passage of a reply, but those that go over the evidence in other words."""
    for node in nodes(reply, question, first_of_one=True):
        name = words_of(node.keys[-1]) if node.keys else ()
        if words.RETOLD.isdisjoint(name):
            for value in node.values:
                if isinstance(value, str) and is_passage(value) and not asks(value):
                    yield node.path, value


def answer_places(reply: JsonValue, question: str) -> list[AnswerPlace]:
    """The texts of a reply that may be its answer, as they come: none of the machine's, and not the question."""
    if isinstance(reply, str):
        return [] if is_machine_value(reply) else [AnswerPlace("@", reply, _OWN, 0)]
    if isinstance(reply, list) and len(reply) == 1 and isinstance(reply[0], str):
        return [] if is_machine_value(reply[0]) else [AnswerPlace("[0]", reply[0], _OWN, 0)]
    folded = folded_spaces(question).lower()
    inside = {place.path.removesuffix("[]") for place in evidence_places(reply, question) if _holds_evidence(place)}
    # By text, the paths to it.
    known: dict[str, list[str]] = {}
    found: list[AnswerPlace] = []
    for node in nodes(reply, question, first_of_one=True):
        place = _answer_place(node)
        if place is None or folded_spaces(place.text).lower() == folded:
            continue
        path = node.path.replace("[0]", "[]")
        if not inside.isdisjoint([path, *paths_above(path)]):
            continue
        same = known.setdefault(place.text, [])
        if not any(map(place.path.startswith, same)):
            same.append(place.path)
            found.append(place)
    return found


def _holds_evidence(place: EvidencePlace) -> bool:
    """Whether no answer is looked for in a list: its texts are evidence, and not parts of one text."""
    is_parts = not words.PARTS.isdisjoint(words_of(place.key)[-1:])
    if is_parts and not place.strength and not words.ANSWER.isdisjoint(words_of(place.path)):
        return False
    return bool(place.texts) and (place.strength > 0 or place.has_origins or not is_parts)


def _answer_place(node: Node) -> AnswerPlace | None:
    if node.is_silent or node.is_of_tool or not node.keys or not (name := words_of(node.keys[-1])):
        return None
    if node.is_many:
        # Of the entries of a list one alone has an answer.
        if len(node.values) > 1 or words.ANSWER.isdisjoint(name[-1:]) or "from_json" in node.path:
            return None
        node = node._replace(path=f"{node.path} | [0]")
    found = _text_of(node, name)
    if found is None or is_machine_value(found[1]) or name[-1] in words.NO_ANSWER:
        return None
    path, text = found
    strength = _strength(name, words.ANSWER, words.OFTEN_ANSWER, words.ANY_ANSWER)
    if not strength and path != node.path:
        strength = 1
    above = {word for key in node.keys[:-1] for word in words_of(key)}
    ending = {words_of(key)[-1] for key in node.keys[:-1] if words_of(key)}
    if strength == _OFTEN and len(node.keys) > 1 and words.AROUND.isdisjoint(words_of(node.keys[-2])):
        # The text of something else than the reply, as far as its name tells.
        strength = 1
    if strength < _OWN and not (words.NO_ANSWER | words.EVIDENCE).isdisjoint(name):
        return None
    if strength in {1, 2} and (node.is_spoken or not above.isdisjoint(words.ANSWER)):
        strength = _OWN
    against = words.NEVER_ABOVE if strength == _OWN else words.NO_ANSWER - words.NEVER_ENDING_ABOVE
    if not above.isdisjoint(against) or not ending.isdisjoint(words.NEVER_ENDING_ABOVE):
        return None
    if strength < _OFTEN and not is_prose(text):
        return None
    return AnswerPlace(path, text, strength, len(node.keys), is_spoken=node.is_spoken)


def _text_of(node: Node, name: tuple[str, ...]) -> tuple[str, str] | None:
    """The path to the text of a node, and the text: as it stands there, or joined of its parts."""
    value = node.values[0]
    if isinstance(value, list) and value:
        is_bare = not node.is_spoken and name[-1] in {"content", "result", "output"}
        named = {word for key in node.keys for word in words_of(key)}
        if are_separate_texts(value) and is_bare and words.ANSWER.isdisjoint(named):
            # Of a tool's result they may be hits.
            return None
        if all(map(_has_text, value)) and (text := read_answer(value)) is not None and not are_separate_texts(value):
            return node.path, text
        return None if words.PARTS.isdisjoint(name) else joined_parts(node.path, name[-1], value)
    text = read_answer(value)
    return None if text is None else (node.path, text)


def _has_text(item: Any) -> bool:
    return isinstance(item, dict) and "text" in item


_OFTEN = 2


def further_fields(replies: Sequence[JsonValue], answer: str) -> dict[str, str]:
    """Further fields of a trace, by their own names and in its form, at the top of a reply or beside the answer.

    Args:
        replies: The replies.
        answer: The path of the answer.
    """
    holders = dict.fromkeys(["", answer.rpartition(".")[0] if _KEYS.fullmatch(answer) else ""])
    found: dict[str, str] = {}
    for name in RESPONSE_FIELDS:
        paths = [f"{holder}.{name}".lstrip(".") for holder in holders if name not in _READ_APART]
        path = next((path for path in paths if any(_fits(name, finder(path)(reply)) for reply in replies)), None)
        if path is not None:
            found[name] = path
    return found


_KEYS = re.compile(r"[\w.]+")
# What is chosen, what no path is for, and a name that may be a number.
_READ_APART = frozenset({"answer", "context", "error", "case_id"})


def _fits(name: str, value: JsonValue) -> bool:
    """Whether a value has the form that the trace wants of a field."""
    if value is None or name in STAGES:
        return items_of(value) is not None
    try:
        Trace.model_validate_json(to_json(mapped_trace({name: value})))
    except (ValidationError, ValueError):
        return False
    return True
