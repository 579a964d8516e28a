"""How much an app may answer: beyond this a reply is off schema, whatever it says, and nothing of it is judged."""

from __future__ import annotations

import re
from typing import Any

from raggate_action.schema.trace import Answer

LONGEST_ANSWER = 200_000
MOST_CLAIMS = 2_000
MOST_NODES = 100_000
TOO_MANY_NODES = f"it holds more than {MOST_NODES:,} values; answer with less"
# The last quote may be missing: a text that never ends must not be looked for again from each quote in it.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def answer_problem(answer: Answer) -> str | None:
    """What of an answer is too much to be judged, in one line; None when nothing is."""
    claims = answer.claims or ()
    if len(claims) > MOST_CLAIMS:
        return claims_problem(len(claims))
    longest = max(len(answer.text), sum([len(claim.text) for claim in claims]))
    if longest > LONGEST_ANSWER:
        return f"answer: it has {longest:,} characters; at most {LONGEST_ANSWER:,} are judged"
    return None


def claims_problem(number: int) -> str | None:
    """The same of how many claims an answer makes."""
    return f"answer: it makes {number:,} claims; at most {MOST_CLAIMS:,} are judged" if number > MOST_CLAIMS else None


def has_too_many_nodes(value: Any) -> bool:
    """Whether a JSON value holds more than `MOST_NODES` values, itself and what stands twice in it included."""
    waiting, seen = [value], 0
    while waiting:
        node = waiting.pop()
        seen += 1
        inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        # Looked at before they are gone through: a value may hold the same list a million times.
        if seen + len(waiting) + len(inner) > MOST_NODES:
            return True
        waiting.extend(inner)
    return False


def json_has_too_many_nodes(raw: bytes) -> bool:
    """The same of a text in JSON, without reading it; false for what is no object and no list."""
    # Nearly every reply has fewer bytes than it may have values.
    if len(raw) <= MOST_NODES or raw.lstrip()[:1] not in {b"{", b"["}:
        return False
    return _most_nodes(raw) > MOST_NODES and _most_nodes(_STRING.sub(b"", raw)) > MOST_NODES


def _most_nodes(raw: bytes) -> int:
    """Not fewer than there are values: one of its own in every list or object, and one behind every comma."""
    return 1 + raw.count(b",") + raw.count(b"[") + raw.count(b"{")
