"""Questions as keys: the id a case gets from its question, and when two questions are the same one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

# What files and apps call a question, in order of preference; one inside a mapping by its path.
QUESTION_NAMES = ("question", "user_input", "input", "query", "prompt", "inputs.question", "user_query")
LONGEST_ID = 48
_WORDS = re.compile(r"\w+")


def folded_question(question: str) -> str:
    """The words of a question in small letters, one space apart: two that differ in case, space or marks are equal.

    A question of marks alone, which has no words, is equal to itself only.
    """
    words = _WORDS.findall(unicodedata.normalize("NFKC", question).casefold())
    return " ".join(words) or " ".join(question.split())


def question_of(row: object) -> str | None:
    """The question of a row or a reply, where it stands in one text under a usual name; None without one."""
    if not isinstance(row, dict):
        return None
    for name in QUESTION_NAMES:
        holder, _, inner = name.partition(".")
        found = row.get(holder)
        if inner and isinstance(found, dict):
            found = found.get(inner)
        if isinstance(found, str) and found.strip():
            return found
    return None


def id_of_question(question: str) -> str:
    """A name for a question: its first words, as `how-long-do-i-have`."""
    name = ""
    for found in _WORDS.finditer(question.lower()):
        word = found[0]
        if name and len(name) + 1 + len(word) > LONGEST_ID:
            break
        name = f"{name}-{word}" if name else word[:LONGEST_ID]
    return name or "question"


def free_id(base: str, known: Container[str]) -> str:
    """The first of `base`, `base-2`, `base-3`, ... that is not taken."""
    number, case_id = 1, base
    while case_id in known:
        number += 1
        case_id = f"{base}-{number}"
    return case_id
