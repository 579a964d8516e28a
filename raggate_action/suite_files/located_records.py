"""A record made of a document; what does not fit is reported in plain words, with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from raggate_action.schema.later import Later
from raggate_action.suite_files.located_tree import Loc, MappingNode, Node, Scalar, SequenceNode, child, json_value
from raggate_action.suite_files.problems import (
    FileProblems,
    Mark,
    name_text,
    nearest_word,
    nearest_word_or,
    value_text,
    word_list,
)

R = TypeVar("R", bound=BaseModel)


class _Branch(NamedTuple):
    """A choice between forms that a fault lies in.

    Attributes:
        path: Where the choice stands.
        label: The form that was tried.
        node: What is there.
        subject: What that is, for messages.
    """

    path: Loc
    label: str
    node: Node
    subject: str

    @property
    def kind(self) -> str:
        """The form as a message calls it."""
        return next((kind for start, kind in _KINDS if self.label.startswith(start)), "a mapping")

    @property
    def fits(self) -> bool:
        """Whether what is there has the form, so that its own faults are worth telling."""
        return isinstance(self.node, {"a list": SequenceNode, "text": Scalar}.get(self.kind, MappingNode))


def read_record(model: type[R], node: Node, problems: FileProblems) -> R | None:
    """Make a record of a document.

    Where the record wants text and a plain scalar stands, the text is what was written: a version of 1.10 stays
    1.10, an id of 007 stays 007.

    Returns:
        The record; None when it does not fit, which `problems` then says, every fault of it.
    """
    made = _record_or_faults(model, node)
    if isinstance(made, list):
        for mark, text in _fault_messages(model, node, made):
            problems.add(mark, text)
        return None
    return made


def _record_or_faults(model: type[R], node: Node) -> R | list[ErrorDetails]:
    """The record, else its faults."""
    as_text: set[int] = set()
    while True:
        try:
            return model.model_validate_json(json.dumps(json_value(node, as_text)))
        except ValidationError as error:
            faults = _without_echoes(error.errors(include_url=False))
            wanted = [_spot(node, fault["loc"])[0] for fault in faults if fault["type"] == "string_type"]
            plain = {id(one) for one in wanted if isinstance(one, Scalar) and one.plain and one.value is not None}
            if plain <= as_text:
                return faults
            as_text |= plain


def _without_echoes(faults: list[ErrorDetails]) -> list[ErrorDetails]:
    """The faults but for lists that are too short only because the validator leaves out entries at fault."""
    places = [fault["loc"] for fault in faults]

    def is_echo(fault: ErrorDetails) -> bool:
        here = fault["loc"]
        return fault["type"] == "too_short" and any(at != here and at[: len(here)] == here for at in places)

    return [fault for fault in faults if not is_echo(fault)]


def _spot(root: Node, loc: Loc) -> tuple[Node, str, list[_Branch]]:
    """The value that a fault lies in, what it is for messages, and the choices on the way to it, outermost first."""
    node, subject, path = root, "", list[int | str]()
    branches: list[_Branch] = []
    reported: Node | None = None
    for step in loc:
        kind = child(node, "kind")
        if isinstance(kind, Scalar) and kind.value == step and node is not reported:
            # The form tried, though a key of the section may have the same name, as of a function target.
            reported = node
            branches.append(_Branch(tuple(path), str(step), node, subject))
            continue
        inner = child(node, step)
        if inner is None:
            branches.append(_Branch(tuple(path), str(step), node, subject))
            continue
        if isinstance(node, MappingNode):
            subject = f"`{name_text(str(step))}`"
        elif not subject.startswith("an entry"):
            subject = f"an entry of {subject}"
        node = inner
        path.append(step)
    return node, subject, branches


def _fault_messages(model: type[BaseModel], root: Node, faults: list[ErrorDetails]) -> Iterator[tuple[Mark, str]]:
    meant: set[tuple[Loc, str]] = set()
    refused: dict[Loc, list[_Branch]] = {}
    # Unknown keys first: a key that was only misspelt is not missing as well.
    for fault in sorted(faults, key=lambda fault: fault["type"] != "extra_forbidden"):
        loc, what = fault["loc"], fault["type"]
        above, last = (loc[:-1], str(loc[-1])) if what in {"extra_forbidden", "missing"} else (loc, "")
        node, subject, branches = _spot(root, above)
        if unfit := next((branch for branch in branches if not branch.fits), None):
            refused.setdefault(unfit.path, []).append(unfit)
        elif what == "extra_forbidden":
            known = _known_keys(model, above)
            meant.add((above, nearest_word(last, known) or ""))
            entry = node.entries.get(last) if isinstance(node, MappingNode) else None
            yield entry.key_mark if entry else node.mark, unknown_key(last, known)
        elif what == "missing":
            if (above, last) not in meant:
                yield node.mark, missing_key(loc[-1], subject)
        elif what == "union_tag_not_found":
            yield node.mark, missing_key("kind")
        elif what == "union_tag_invalid":
            kind = child(node, "kind") or node
            choices = [tag.strip("' ") for tag in fault["ctx"]["expected_tags"].split(",")]
            yield kind.mark, f"`kind` is {node_text(kind)}; {one_of(kind, choices)}"
        else:
            yield node.mark, wrong(subject or f"the {model.__name__.lower()}", node, fault)
    # Where one form fits, its own faults have been reported.
    fitting = {branch.path for fault in faults for branch in _spot(root, fault["loc"])[2] if branch.fits}
    for path, unfit_ones in refused.items():
        if path not in fitting:
            _, _, node, subject = unfit_ones[0]
            kinds = dict.fromkeys(branch.kind for branch in unfit_ones)
            yield node.mark, f"{subject} is {node_text(node)}; write {' or '.join(kinds)}"


def _known_keys(model: type[BaseModel], loc: Loc) -> tuple[str, ...]:
    """Keys that the record at `loc` has."""
    here: list[type[BaseModel]] = [model]
    for step in loc:
        named = [record for record in here if step in {record.__name__, _kind(record)}]
        within = [record.model_fields[str(step)].annotation for record in here if step in record.model_fields]
        here = named or ([found for annotation in within for found in _records_in(annotation)] if within else here)
    return tuple(dict.fromkeys(key for record in here for key in record.model_fields))


def _kind(record: type[BaseModel]) -> str | None:
    field = record.model_fields.get("kind")
    return get_args(field.annotation)[0] if field and get_origin(field.annotation) is Literal else None


def _records_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    if isinstance(annotation, Later):
        yield annotation.record()
    for part in get_args(annotation):
        yield from _records_in(part)


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
    r"^(auto|[a-z]{2,3})$": "write a language code of two or three small letters, as in en",
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


def node_text(node: Node) -> str:
    """A value as a message shows it."""
    if isinstance(node, SequenceNode):
        return "a list" if node.items else "an empty list"
    if isinstance(node, MappingNode):
        return "a mapping" if node.entries else "an empty mapping"
    return value_text(node.value) if isinstance(node.value, str) or not node.plain else scalar_text(node)


def scalar_text(node: Scalar) -> str:
    """A plain number, boolean or null as it was written."""
    return "nothing" if node.value is None else name_text(node.source)


def unknown_key(key: str, known: Collection[str]) -> str:
    """Message about a key that the record does not have."""
    otherwise = f"known here: {word_list(known)}" if known else "remove it"
    return f"unknown key `{name_text(key)}`; {nearest_word_or(key, known, otherwise=otherwise)}"


def missing_key(key: str | int, section: str = "") -> str:
    """Message about a key that must be there, in the section that `section` names, or a pair with one end."""
    if isinstance(key, int):
        return "a pair is incomplete; write both, as in [retriever, r2]"
    where = f" in {section}" if section.startswith("`") else ""
    return f"`{key}` is missing{where}; add `{key}:` here"


def wrong(subject: str, node: Node, fault: ErrorDetails) -> str:
    """Message about a value that does not fit.

    Args:
        subject: What the value is, as in "`timeout_s`".
        node: What was found.
        fault: What the validator says of it: its own sentence is told where ours are all there is.
    """
    context: dict[str, Any] = fault.get("ctx", {})
    what, message = fault["type"], fault["msg"]
    if what in _WHOLE:
        return message
    if what in _UNSHOWN:
        return f"{subject}{' ' if message.startswith('is ') else ': '}{message}"
    if context.get("pattern") == VARIABLE:
        return (
            f"{subject} names no variable; write letters, digits and _, as in OPENAI_API_KEY; a key stands in no file"
        )
    is_found = f"{subject} is {'empty' if what == 'string_too_short' else node_text(node)}"
    if what in _OWN:
        return f"{is_found}; {message}"
    return f"{is_found}; {_instead(node, what, context) or message}"


def _instead(node: Node, fault: str, context: dict[str, Any]) -> str | None:
    if fault == "string_type":
        return "write text in quotes" if isinstance(node, Scalar) and node.value is not None else "write text"
    if fault in _BOUNDS:
        name, words = _BOUNDS[fault]
        return f"write a number of {words} {context[name]:g}"
    if fault == "too_long":
        return f"write at most {context['max_length']} entries"
    if fault == "too_short":
        least = context["min_length"]
        return f"write at least {least} entries" if least > 1 else "write at least one entry"
    if fault == "string_pattern_mismatch":
        meant = meant_callable(node) if context["pattern"] == CALLABLE else None
        pattern = _PATTERNS.get(context["pattern"], f"write text that matches {context['pattern']}")
        return f"write {meant}" if meant else pattern
    if fault == "literal_error":
        return one_of(node, re.findall(r"'([^']*)'", context["expected"]))
    return _INSTEAD.get(fault)


def meant_callable(node: Node) -> str | None:
    """The `module:callable` meant by another form: `rag.ask`, `src/rag.py:ask`, `rag:ask()`.

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
    """The end of a message about a value outside a closed set."""
    all_of_them = f"write one of {word_list(choices)}"
    if not isinstance(node, Scalar):
        return all_of_them
    return nearest_word_or(node.source, choices, otherwise=all_of_them)
