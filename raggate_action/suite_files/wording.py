"""What the record validator finds, said in plain words: what stands there, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from raggate_action.suite_files.nodes import Mapping, Node, Scalar, Sequence
from raggate_action.suite_files.words import listed, name_text, or_known, value_text

_LIST = "write a list, as in [a, b]"
_MAPPING = "write a mapping, as in {key: value}"
_DATE = "write a date, as in 2026-12-31"
# What to write instead, by the validator's name of the fault.
_INSTEAD = {
    "int_type": "write a whole number",
    "int_from_float": "write a whole number",
    "int_parsing": "write a whole number",
    "int_parsing_size": "write a smaller whole number",
    "float_type": "write a number",
    "float_parsing": "write a number",
    "finite_number": "write a finite number",
    "bool_type": "write true or false",
    "tuple_type": _LIST,
    "list_type": _LIST,
    "dict_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "date_type": _DATE,
    "date_parsing": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": _DATE,
    "string_too_short": "write some text",
}
_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}
CALLABLE = r"^[\w.]+:[\w.]+$"
# Where a variable's name is wanted, people write what it holds: that is repeated nowhere.
VARIABLE = r"^[A-Za-z_][A-Za-z0-9_]*$"
_PATTERNS = {
    r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$": "write up to 64 letters, digits, `.`, `_`, `-`; begin with a letter or digit",
    CALLABLE: "write it as module:callable",
    r"\S": "write some text",
    r"^[a-z][a-z0-9_]{0,47}$": "write up to 48 small letters, digits, `_`; begin with a letter",
    r"^[a-z]{2,3}$": "write a language code of two or three small letters, as in en",
}
# Faults whose message is already ours: complete as it is, behind what was found, or behind the key alone, for what was
# found may hold a secret.
_WHOLE = frozenset({"case", "no_context", "judges", "ab", "rubric"})
_OWN = frozenset({"share", "moment"})
_UNSHOWN = frozenset({"base_url", "parameters"})
_KINDS: tuple[tuple[str, str], ...] = (
    ("tuple[", "a list"),
    ("list[", "a list"),
    ("str", "text"),
    ("literal[", "text"),
    ("constrained", "text"),
)


def found(node: Node) -> str:
    """A value as a message shows it."""
    if isinstance(node, Sequence):
        return "a list" if node.items else "an empty list"
    if isinstance(node, Mapping):
        return "a mapping" if node.entries else "an empty mapping"
    return value_text(node.value) if isinstance(node.value, str) or not node.plain else scalar_text(node)


def scalar_text(node: Scalar) -> str:
    """A plain number, boolean or null as it was written."""
    return "nothing" if node.value is None else name_text(node.source)


def unknown_key(key: str, known: Collection[str]) -> str:
    """Message about a key that the record does not have."""
    otherwise = f"known here: {listed(known)}" if known else "remove it"
    return f"unknown key `{name_text(key)}`; {or_known(key, known, otherwise=otherwise)}"


def missing(key: str | int) -> str:
    """Message about a key that must be there, or a pair with one end."""
    if isinstance(key, int):
        return "a pair is incomplete; write both, as in [retriever, r2]"
    return f"`{key}` is missing; add `{key}:` here"


def wrong(subject: str, node: Node, *, fault: str, context: dict[str, Any], message: str) -> str:
    """Message about a value that does not fit.

    Args:
        subject: What the value is, as in "`timeout_s`".
        node: What was found.
        fault: The validator's name for what is wrong.
        context: The validator's bounds and choices.
        message: The validator's own sentence, where ours are all there is.
    """
    if fault in _WHOLE:
        return message
    if fault in _UNSHOWN:
        return f"{subject}{' ' if message.startswith('is ') else ': '}{message}"
    if context.get("pattern") == VARIABLE:
        return (
            f"{subject} names no variable; write letters, digits and _, as in OPENAI_API_KEY; a key stands in no file"
        )
    is_found = f"{subject} is {'empty' if fault == 'string_too_short' else found(node)}"
    if fault in _OWN:
        return f"{is_found}; {message}"
    return f"{is_found}; {_instead(node, fault, context) or message}"


def no_branch(subject: str, node: Node, labels: Collection[str]) -> str:
    """Message about a value that is none of the forms allowed there."""
    kinds = dict.fromkeys(kind_of(label) for label in labels)
    return f"{subject} is {found(node)}; write {' or '.join(kinds)}"


def kind_of(label: str) -> str:
    """The form that one branch of a choice wants."""
    return next((kind for start, kind in _KINDS if label.startswith(start)), "a mapping")


def _instead(node: Node, fault: str, context: dict[str, Any]) -> str | None:
    if fault == "string_type":
        return "write text in quotes" if isinstance(node, Scalar) and node.value is not None else "write text"
    if fault in _BOUNDS:
        name, words = _BOUNDS[fault]
        return f"write a number of {words} {context[name]:g}"
    if fault in {"too_short", "too_long"}:
        return _length(**context)
    if fault == "string_pattern_mismatch":
        meant = meant_callable(node) if context["pattern"] == CALLABLE else None
        pattern = _PATTERNS.get(context["pattern"], f"write text that matches {context['pattern']}")
        return f"write {meant}" if meant else pattern
    if fault == "literal_error":
        return one_of(node, re.findall(r"'([^']*)'", context["expected"]))
    return _INSTEAD.get(fault)


def _length(*, min_length: int | None = None, max_length: int | None = None, **_: Any) -> str:
    if min_length is None:
        return f"write at most {max_length} entries"
    return f"write at least {min_length} entries" if min_length > 1 else "write at least one entry"


def meant_callable(node: Node) -> str | None:
    """What is meant by a callable that is not written `module:callable`: `rag.ask`, `src/rag.py:ask`, `rag:ask()`.

    None where nothing can be told.
    """
    if not isinstance(node, Scalar) or not isinstance(node.value, str):
        return None
    path = re.sub(r"\(.*\)$", "", node.value.strip()).removeprefix("./").replace("/", ".")
    module, colon, name = path.partition(":")
    if not colon:
        module, _, name = path.rpartition(".")
    meant = f"{module.removesuffix('.py')}:{name}"
    return meant if re.fullmatch(r"\w+(?:\.\w+)*:[A-Za-z_]\w*(?:\.\w+)*", meant) and name != "py" else None


def one_of(node: Node, choices: Collection[str]) -> str:
    """The end of a message about a value that is none of a closed set."""
    all_of_them = f"write one of {listed(choices)}"
    if not isinstance(node, Scalar):
        return all_of_them
    return or_known(node.source, choices, otherwise=all_of_them)
