"""The nodes of a reply: all values that one path finds, at any depth, through lists, maps by id and JSON in strings."""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import JsonValue

from raggate_action.replies import key_words as words
from raggate_action.replies.key_words import words_of
from raggate_action.replies.machine_values import holds_json, is_identifier
from raggate_action.replies.mapping import json_in
from raggate_action.replies.turns import Speaker, is_of, talk_of, tool_filters

_DEEPEST = 10
_MOST_NODES = 5000
_MOST_KEYS = 2001
# Of JSON in strings: one in the other, and characters of them all.
_DEEPEST_JSON = 3
_MOST_JSON = 4_000_000
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# A key of this form is a name that somebody gave a field; any other may be a value that an app files things under.
_KEY = re.compile(r"(?!\d)[\w$@][\w$@ .:-]{0,59}")
_FILED_UNDER = re.compile(r"(?=.*\d)[#@\[]?[\w-]{8,}\]?|.*/.*|.+\.\w{1,5}|[#\[]?\d+\]?")


class Node(NamedTuple):
    """Values of a reply that stand under one path; several where a list or a map lies above.

    Attributes:
        path: Where they are (JMESPath).
        keys: The names above them, with their own.
        values: What stands there; of earlier turns of a talk nothing.
        is_many: A list or a map lies above, so that the path finds a list of them.
        is_spoken: They stand in what the app says last, or in a message of the app.
        is_silent: They stand in what a user, a tool or nobody says.
        is_filed: They are what a map files under ids, or the entries of one kind of a list.
        is_of_tool: They stand in the result of a tool.
        jsons: How many strings of JSON lie above.
    """

    path: str
    keys: tuple[str, ...]
    values: list[Any]
    is_many: bool
    is_spoken: bool = False
    is_silent: bool = False
    is_of_tool: bool = False
    is_filed: bool = False
    jsons: int = 0


class _Walk:
    """One walk through a reply."""

    def __init__(self, question: str, *, first_of_one: bool) -> None:
        self._asked = " ".join(question.split()).lower()
        self._first_of_one = first_of_one
        self._json_left = _MOST_JSON

    def below(self, node: Node) -> Iterator[Node]:
        """The nodes one step below another: entries of its lists, values of its keys or of its maps, JSON in it."""
        lists = [value for value in node.values if isinstance(value, list)]
        if any(lists):
            yield from self._entries(node, lists)
        objects = [value for value in node.values if isinstance(value, dict)]
        if objects and _are_maps(objects):
            held = [value for each in objects for value in each.values() if value is not None]
            flat = [item for value in held for item in (value if isinstance(value, list) else [value])]
            yield node._replace(
                path=f"{node.path}.*[]" if node.path else "*[]", values=flat, is_many=True, is_filed=True
            )
        elif objects:
            yield from self._fields(node, objects)
        if node.jsons < _DEEPEST_JSON and any(isinstance(value, str) and holds_json(value) for value in node.values):
            found = [parsed for value in node.values if (parsed := self._parsed(value)) is not None]
            if found:
                path = f"{node.path}.from_json(@)" if node.path else "from_json(@)"
                yield node._replace(path=path, values=found, is_filed=False, jsons=node.jsons + 1)

    def _parsed(self, value: Any) -> JsonValue:
        if not isinstance(value, str) or not holds_json(value):
            return None
        self._json_left -= len(value)
        return json_in(value) if self._json_left >= 0 else None

    def _entries(self, node: Node, lists: Sequence[list[Any]]) -> Iterator[Node]:
        alone = self._first_of_one and not node.is_many and len(lists[0]) == 1
        items = [item for each in lists for item in each]
        name = words_of(node.keys[-1]) if node.keys else ()
        # A list of sources may have authors.
        is_talk = not node.is_many and not node.is_spoken and (not name or name[-1] not in words.EVIDENCE)
        if not node.is_many:
            yield from _places_in(node, items)
            flat = [inner for item in items if isinstance(item, list) for inner in item]
            if flat and _all_are(items, list) and (talk := talk_of(flat, "")).answering:
                path = f"{node.path}[] | @{talk.answering}"
                yield Node(path, node.keys, [talk.answer], is_many=False, is_spoken=True, jsons=node.jsons)
        if is_talk and any(isinstance(item, dict) for item in items):
            talk = talk_of(items, self._asked if words.TALKS.intersection(name) else "")
            items = items[talk.since :]
            if talk.answering:
                path = f"{node.path}{talk.answering}"
                yield Node(path, node.keys, [talk.answer], is_many=False, is_spoken=True, jsons=node.jsons)
            yield from _named_entries(node, items)
            if name and name[-1] in words.ANSWER and _are_ranked(items):
                yield Node(f"{node.path}[0]", node.keys, items[:1], is_many=False, jsons=node.jsons)
        yield from _sources_among(node, items)
        for each in tool_filters(items) if node.keys or not node.is_many else ():
            path = f"{node.path}{each}[]" if node.is_many else f"{node.path}{each}"
            yield Node(path, node.keys, _kept(items, each), is_many=True, is_of_tool=True, jsons=node.jsons)
        yield node._replace(
            path=f"{node.path}[0]" if alone else f"{node.path}[]", values=items, is_many=not alone, is_filed=False
        )

    def _fields(self, node: Node, objects: Sequence[dict[str, Any]]) -> Iterator[Node]:
        held: dict[str, list[Any]] = {}
        for each in objects:
            for key, value in each.items():
                if (key in held or len(held) < _MOST_KEYS) and _KEY.fullmatch(key):
                    held.setdefault(key, []).append(value)
        only = objects[0] if len(objects) == 1 else {}
        is_spoken = node.is_spoken or (not node.is_many and is_of(only, Speaker.APP))
        of_users = len(objects) <= _MOST_MESSAGES and all(is_of(each, Speaker.USER) for each in objects)
        is_silent = node.is_silent or is_of(only, Speaker.TOOL) or of_users
        is_tool = bool(node.keys) and not words.OF_TOOLS.isdisjoint(words_of(" ".join(node.keys[-2:])))
        for key, values in held.items():
            name = key if _PLAIN.fullmatch(key) else json.dumps(key, ensure_ascii=False)
            path = f"{node.path}.{name}" if node.path else name
            found = words_of(key)
            is_of_tool = node.is_of_tool or (
                (is_tool or not words.OF_TOOLS.isdisjoint(found)) and not words.RESULTS.isdisjoint(found[-1:])
            )
            below = Node(path, (*node.keys, key), values, node.is_many, is_spoken, is_silent, is_of_tool)
            yield below._replace(jsons=node.jsons)


def nodes(reply: JsonValue, question: str = "", *, first_of_one: bool) -> Iterator[Node]:
    """Every node, outer ones first, the items of a list under one path.

    Of a talk only what belongs to the last question is seen, and what answers it has a node of its own. At most 5,000
    nodes, 10 keys deep.

    Args:
        reply: The reply.
        question: What was asked.
        first_of_one: The item of a list that has no other goes by its place, `[0]`.
    """
    walk = _Walk(question, first_of_one=first_of_one)
    waiting = deque([Node("", (), [reply], is_many=False)])
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = waiting.popleft()
        yield node
        if len(node.keys) < _DEEPEST:
            waiting.extend(walk.below(node))


def since_last_question(reply: JsonValue, question: str = "") -> JsonValue:
    """A reply without the earlier turns of a talk that it holds, at its top or one or two keys deep; None without such.

    Lists of a talk deeper than that are left as they are.
    """
    folded = " ".join(question.split()).lower()

    def cut(value: JsonValue, key: str, depth: int) -> tuple[JsonValue, bool]:
        name = words_of(key)
        if isinstance(value, list) and (not name or name[-1] not in words.EVIDENCE):
            since = talk_of(value, folded if words.TALKS.intersection(name) else "").since
            return value[since:], since > 1
        if not isinstance(value, dict) or not depth:
            return value, False
        inner = {each: cut(held, each, depth - 1) for each, held in value.items()}
        return {each: held for each, (held, _is_cut) in inner.items()}, any(is_cut for _held, is_cut in inner.values())

    found, is_cut = cut(reply, "", _TALK_DEEPEST)
    return found if is_cut else None


_TALK_DEEPEST = 3


def _sources_among(node: Node, items: Sequence[Any]) -> Iterator[Node]:
    """Entries whose type names a source, beside parts of another type: citations among the texts of a message."""
    kinds = {item["type"] for item in items if isinstance(item, dict) and isinstance(item.get("type"), str)}
    if len(kinds) < 2 or len(kinds) > _MOST_KINDS or node.is_many:
        return
    for kind in sorted(kinds):
        if _PLAIN.fullmatch(kind) and not _SOURCE_KINDS.isdisjoint(words_of(kind)):
            path = f"{node.path}[?type=='{kind}']"
            yield Node(
                path,
                (*node.keys, kind),
                _kept(items, f"[?type=='{kind}']"),
                is_many=True,
                is_filed=True,
                jsons=node.jsons,
            )


_MOST_KINDS = 50
# MCP's embedded files stand beside the text of a result.
_SOURCE_KINDS = words.EVIDENCE | {"resource"}
_NAMES = ("name", "key", "Key", "Name", "label", "id")
_NAMED = words.ANSWER | words.OFTEN_ANSWER | words.EVIDENCE | words.OFTEN_EVIDENCE
_NAME = re.compile(r"[A-Za-z_][\w.-]{0,59}")


def _named_entries(node: Node, items: Sequence[Any]) -> Iterator[Node]:
    """Entries that have the name of a field beside its value: `{"name": "answer", "value": ...}`."""
    for key in _NAMES if len(items) <= _MOST_FIELDS else ():
        named = [(item[key], item) for item in items if isinstance(item, dict) and isinstance(item.get(key), str)]
        counts = Counter(name for name, _item in named)
        for name, item in named:
            if _NAME.fullmatch(name) and _NAMED.intersection(words_of(name)) and counts[name] == 1:
                path = f"{node.path}[?{key}=='{name}'] | [0]"
                yield Node(path, (*node.keys, name), [item], is_many=False, jsons=node.jsons)


def fields_of(items: Sequence[Any]) -> bool:
    """Whether entries are fields of one record, each by its name and of a form of its own, and no list of one kind."""
    if not 1 < len(items) <= _MOST_FIELDS or not _all_are(items, dict):
        return False
    forms = {tuple([(key, type(value)) for key, value in sorted(item.items()) if value is not None]) for item in items}
    named = next(
        (names for key in _NAMES if len(names := {str(item.get(key, "")) for item in items}) == len(items)), ()
    )
    return len(forms) > 1 and any(_NAMED.intersection(words_of(name)) for name in named)


_MOST_FIELDS = 50


def _places_in(node: Node, items: Sequence[Any]) -> Iterator[Node]:
    """The entries of a list of several kinds, as a function's several values are: `[answer, [text, text]]`."""
    if 1 < len(items) <= _MOST_PLACES and len({type(item) for item in items}) > 1:
        for place, item in enumerate(items):
            if isinstance(item, str | list | dict):
                path = f"{node.path}[{place}]"
                yield node._replace(path=path, keys=(*node.keys, "item"), values=[item], is_filed=True)


_MOST_PLACES = 8


def _are_ranked(items: Sequence[Any]) -> bool:
    """Whether entries say how good each is, and the first is better than every other."""
    objects = [item for item in items if isinstance(item, dict)]
    if len(objects) < max(len(items), 2):
        return False
    key = next((each for each in objects[0] if not words.RANKS.isdisjoint(words_of(each))), None)
    ranks = [each.get(key) for each in objects] if key is not None else []
    numbers = [each for each in ranks if isinstance(each, int | float) and not isinstance(each, bool)]
    return len(numbers) == len(items) and numbers[0] > max(numbers[1:])


def _kept(items: Sequence[Any], condition: str) -> list[Any]:
    from raggate_action.replies.mapping import finder

    return list(finder(condition)(list(items)) or ())


def _are_maps(objects: Sequence[dict[str, Any]]) -> bool:
    """Whether objects file others of one kind under ids: keys that nobody would give a field."""
    keys = [key for each in objects for key in each]
    values = [value for each in objects for value in each.values() if value is not None]
    if not keys or not values or not (_all_are(values, dict) or _all_are(values, list)):
        return False
    if all(is_identifier(key) or _FILED_UNDER.fullmatch(key) for key in keys):
        return True
    return all(isinstance(held, dict) and held.get("id") == key for each in objects for key, held in each.items())


_MOST_MESSAGES = 1000


def _all_are(values: Sequence[Any], kind: type) -> bool:
    return all(isinstance(value, kind) for value in values)
