"""A text that a reply has in parts: fragments of a message, sentences with their sources, blocks of several types."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from raggate_action.replies.machine_values import is_machine_value
from raggate_action.replies.turns import Speaker, is_of_a_tool, said_by

_TEXT_KEYS = ("text", "content", "markdown", "value", "sentence", "fragment", "snippet")
_KINDS = ("type", "kind", "contentType", "content_type", "messageType", "part_kind")
_OF_TEXT = frozenset({"text", "output_text", "markdown", "paragraph", "answer", "plain_text", "plaintext", "sentence"})
_KIND = re.compile(r"[\w.:/-]{1,60}")
# What stands between parts that say it by their name; parts of other names bring their own spaces.
_SEAMS = {"sentence": " ", "paragraph": "\n\n", "line": "\n"}


_LOOKED_AT = 100


class Parts(NamedTuple):
    """A text in parts: the path that joins them, and the text."""

    path: str
    text: str


def joined_parts(path: str, name: str, values: Sequence[Any]) -> Parts | None:
    """The text of the parts in a list; None where they are none, or where it is not clear which entries are the text.

    Args:
        path: What finds the list.
        name: The last word of its key.
        values: The list.
    """
    objects = [each for each in values if isinstance(each, dict)]
    if not objects or len(objects) < len(values):
        return None
    found = next(((key, with_text) for key in _TEXT_KEYS if (with_text := _with_text(objects, key))), None)
    if found is None:
        return None
    key, with_text = found
    others = [each for each in objects if not isinstance(each.get(key), str)]
    if any(each.speaker in {Speaker.USER, Speaker.APP} for item in objects[:_LOOKED_AT] for each in said_by(item)):
        # Turns of a talk.
        return None
    if _is_broken_up(objects):
        text = last_said(values)
        return None if text is None else Parts(f"last_said({path})", text)
    kind = next((each for each in _KINDS if isinstance(with_text[0].get(each), str)), None)
    condition = ""
    if kind is not None and len({each.get(kind) for each in objects}) > 1:
        with_text = [each for each in with_text if str(each.get(kind)).lower() in _OF_TEXT]
        kinds = {each[kind] for each in with_text}
        if len(kinds) != 1 or not _KIND.fullmatch(value := next(iter(kinds))):
            return None
        condition = f"[?{kind}=='{value}']"
    elif any(isinstance(value, str) and len(value.split()) > 1 for each in others for value in each.values()):
        # A part that is no text says something of its own beside it, as a heading would.
        return None
    texts = [each[key] for each in with_text]
    seam = _seam(texts, name)
    if not "".join(texts).strip() or all(map(is_machine_value, texts)):
        return None
    literal = f"'{seam}'" if "\n" not in seam else f"`{json.dumps(seam)}`"
    return Parts(f"join({literal}, {path}{condition or '[]'}.{key})", seam.join(texts))


def last_said(blocks: Sequence[Any]) -> str | None:
    """The texts of a message that stand after its last call of a tool, joined; all of them where none stands there.

    What a model says before it calls a tool ("Let me look that up.") is not its answer. None without a text.
    """
    objects = [each for each in blocks if isinstance(each, dict)]
    calls = [place for place, each in enumerate(objects) if _of_a_tool(each)]
    later = _texts_of(objects[calls[-1] + 1 :]) if calls else []
    texts = later if "".join(later).strip() else _texts_of(objects)
    return "".join(texts) if texts else None


def _texts_of(objects: Sequence[dict[str, Any]]) -> list[str]:
    return [each["text"] for each in _with_text(objects, "text") if str(each.get("type", "text")).lower() in _OF_TEXT]


def _is_broken_up(objects: Sequence[dict[str, Any]]) -> bool:
    """Whether a tool was called between two parts that say something."""
    places = [place for place, each in enumerate(objects) if _with_text([each], "text")]
    return bool(places) and any(_of_a_tool(each) for each in objects[places[0] : places[-1]])


def _of_a_tool(part: dict[str, Any]) -> bool:
    kinds = [part[key] for key in _KINDS if isinstance(part.get(key), str)]
    return any(is_of_a_tool(kind) for kind in kinds)


def _with_text(objects: Sequence[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    return [each for each in objects if isinstance(each.get(key), str)]


def _seam(texts: Sequence[str], name: str) -> str:
    """What stands between the parts: nothing, unless none brings a space to any seam and words would run together."""
    if len(texts) < 2 or any(one[-1:].isspace() or other[:1].isspace() for one, other in pairwise(texts)):
        return ""
    if name in _SEAMS:
        return _SEAMS[name]
    bare = [one[-1:].isalnum() and other[:1].isalnum() for one, other in pairwise(texts)]
    ends = [one[-1:] in ".!?" and other[:1].isalnum() for one, other in pairwise(texts)]
    whole = all(len(each.split()) > 1 for each in texts)
    return " " if whole and all(one or other for one, other in zip(bare, ends, strict=True)) else ""
