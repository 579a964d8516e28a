"""How a case becomes a request, and how an app's own reply becomes trace JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue
from pydantic_core import from_json

from raggate_action.errors import UsageError
from raggate_action.isolation.time_limit import EXPRESSION_S, TimeLimitError, within
from raggate_action.network.bounded_reply import MOST_NESTED
from raggate_action.replies.text_parts import last_said
from raggate_action.schema.case import ASKED_FIELDS, Case
from raggate_action.schema.trace import RESPONSE_FIELDS, mapped_trace

if TYPE_CHECKING:
    from jmespath.parser import ParsedResult

_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
# On both sides of a brace that belongs to no placeholder; the value of a variable can hold no such character.
_APART = "\0"
_FILLED = re.compile(rf"(?<=\{{){_APART}|{_APART}(?=\{{)|{_PLACEHOLDER.pattern}")


def _turns(case: Case) -> JsonValue:
    if not case.messages:
        return [{"role": "user", "content": case.asked}]
    return [{"role": turn.role, "content": turn.content} for turn in case.messages]


# What a request body may ask for; `{{input}}` of a case without input is null.
_VALUES: dict[str, Callable[[Case], JsonValue]] = {
    "question": lambda case: case.asked,
    "messages": _turns,
    "case_id": lambda case: case.case_id,
    "input": lambda case: case.input,
}
PLACEHOLDERS: tuple[str, ...] = tuple(_VALUES)
_TOO_DEEP = "it is nested too deeply"
_HALF = re.compile(rf"(?<!{{)\{{\s*({'|'.join(PLACEHOLDERS)})\s*\}}(?!\}})")
_WHOLE_OR_HALF = re.compile(rf"(\{{{{1,2}})\s*({'|'.join(PLACEHOLDERS)})\s*\}}{{1,2}}")


class ReplyMismatchError(ValueError):
    """An app's reply does not have the shape its `response:` mapping expects; the message is one line for people."""


# Begins what is said of a reply that has nothing of what the mapping asks for.
NONE_FOUND = "none of the mapped fields is in it"


class ResponseMapping:
    """Turns one app reply into trace JSON; made by `compile_response`."""

    def __init__(self, expressions: Mapping[str, ParsedResult]) -> None:
        self._expressions = dict(expressions)

    @property
    def expressions(self) -> dict[str, str]:
        """Every mapped field with its expression."""
        return {name: parsed.expression for name, parsed in self._expressions.items()}

    def without_value(self, reply: JsonValue, fields: Iterable[str]) -> tuple[str, ...]:
        """Of some mapped fields those whose path finds nothing in a reply: null, or a list of nulls.

        A list that is empty in the reply itself is something; one of which the path keeps no item is not.

        Raises:
            UsageError: There was no end to an expression.
        """
        return tuple([name for name in fields if self._finds_nothing(name, reply)])

    def _finds_nothing(self, name: str, reply: JsonValue) -> bool:
        try:
            found = self.value(name, reply)
        except ReplyMismatchError:
            return True
        if found != []:
            return _is_null(found)
        # `docs[].id` leaves out what has no `id`, so that a wrong key gives an empty list.
        parsed = self._expressions[name]
        if parsed.parsed["type"] not in {"projection", "filter_projection"}:
            return False
        # The list whose items the last projection looks into.
        items = type(parsed)(parsed.expression, parsed.parsed["children"][0])
        return bool(within(EXPRESSION_S, lambda: _searched(items, reply)))

    def trace_json(self, reply: JsonValue) -> dict[str, Any]:
        """Apply the mapping; fields that find nothing (null) are left out.

        Raises:
            ReplyMismatchError: An expression cannot be applied to it, or not one mapped field is in it.
            UsageError: There was no end to an expression.
        """
        fields = {name: self.value(name, reply) for name in self._expressions}
        if all(value is None for value in fields.values()):
            paths = ", ".join(f"{name} ({parsed.expression})" for name, parsed in self._expressions.items())
            raise ReplyMismatchError(f"{NONE_FOUND}: {paths}")
        return mapped_trace(fields)

    def value(self, name: str, reply: JsonValue) -> Any:
        """What one mapped field finds in a reply; None where it finds nothing.

        Raises:
            ReplyMismatchError: Its expression cannot be applied to the reply.
            UsageError: There was no end to the expression.
        """
        from jmespath.exceptions import JMESPathError, JMESPathTypeError

        try:
            return within(EXPRESSION_S, lambda: _searched(self._expressions[name], reply))
        except TimeLimitError:
            expression = _one_line(self._expressions[name].expression)
            raise UsageError(
                f"target: response: {name}: {expression} was still at work on one reply after {EXPRESSION_S:g} s",
                hint="Write an expression that goes through the reply once.",
            ) from None
        except JMESPathTypeError as error:
            # Its own message quotes the value, which may be a chunk's text.
            types = " or ".join(error.expected_types)
            problem = f"{error.function_name}() needs {types}, found {error.actual_type}"
            raise ReplyMismatchError(f"`response: {name}`: {problem}") from None
        except JMESPathError as error:
            raise ReplyMismatchError(f"`response: {name}`: {_one_line(str(error))}") from None


def _is_null(found: Any) -> bool:
    if isinstance(found, list):
        return bool(found) and all(map(_is_null, found))
    return found is None or (isinstance(found, dict) and bool(found) and all(map(_is_null, found.values())))


def expression_problem(expression: str) -> str | None:
    """What is wrong with a JMESPath expression, in plain words with the column (from 1); None when it can be used.

    An unknown function is found here, before any reply is seen; types of arguments show only on a reply.
    """
    import jmespath
    from jmespath.exceptions import IncompleteExpressionError, JMESPathError, LexerError, ParseError

    if not expression.strip():
        return "the expression is empty: write a path such as output.text"
    try:
        return next(_function_problems(expression, jmespath.compile(expression).parsed), None)
    except RecursionError:
        return _TOO_DEEP
    except IncompleteExpressionError:
        return f"column {len(expression) + 1}: the expression ends too early"
    except LexerError as error:
        return f"column {error.lexer_position + 1}: {_one_line(error.message)}"
    except ParseError as error:
        return f"column {error.lex_position + 1}: {error.token_value!r} does not fit here"
    except JMESPathError as error:
        return _one_line(str(error))


def compile_response(response: Mapping[str, str]) -> ResponseMapping:
    """Compile what a target's `response:` says of each field.

    Raises:
        UsageError: A key is no trace field or an expression is not JMESPath.
    """
    import jmespath

    for name, expression in response.items():
        if name not in RESPONSE_FIELDS:
            raise UsageError(f"response: unknown field {name!r}", hint=f"Write one of: {', '.join(RESPONSE_FIELDS)}.")
        if problem := expression_problem(expression):
            raise UsageError(
                f"response: {name}: {expression!r} is not a JMESPath expression: {problem}",
                hint="Write a path into the app's reply, such as output.text or docs[].id.",
            )
    return ResponseMapping({name: jmespath.compile(expression) for name, expression in response.items()})


@cache
def finder(expression: str) -> Callable[[JsonValue], Any]:
    """What a path of ours finds in a reply; it finds None where it cannot be applied."""
    import jmespath
    from jmespath.exceptions import JMESPathError

    parsed = jmespath.compile(expression)

    def find(reply: JsonValue) -> Any:
        try:
            return _searched(parsed, reply)
        except JMESPathError:
            return None

    return find


def placeholder_problem(body: JsonValue) -> str | None:
    """The first placeholder in a request body that is not known; None when all are."""
    for text in _texts(body):
        for match in _PLACEHOLDER.finditer(text):
            if match[1] not in _VALUES:
                return f"unknown placeholder {match[0]!r}; known are {', '.join(PLACEHOLDERS)}"
    return None


def half_placeholders(body: JsonValue) -> Iterator[tuple[str, bool]]:
    """Names of placeholders in single braces, which are sent unchanged; and whether each is all of its text.

    Half of a template of another language is what they may be meant for where something does.
    """
    for text in _texts(body):
        for match in _HALF.finditer(text):
            yield match[1], match[0] == text.strip()


def stray_placeholder(text: str, *, alone: bool = False) -> tuple[str, str] | None:
    """The first placeholder in a text that is filled in nowhere, in one brace or two: as it is written, and its name.

    Args:
        text: What the suite has in a place other than a value of the request body.
        alone: Only where it is all of the text, or all behind a `=`; a longer one may be a template of the app's own.
    """
    found = _WHOLE_OR_HALF.search(text)
    if found is None or (alone and text[found.end() :].strip() + text[: found.start()].rpartition("=")[2].strip()):
        return None
    return found[0], found[2]


def has_placeholder(body: JsonValue) -> bool:
    """Whether a request body asks for anything of the case."""
    return any(_PLACEHOLDER.search(text) for text in _texts(body))


def verbatim(text: str) -> str:
    """A text to put into a request body, so that it arrives as it is: its braces are no placeholder."""
    return text.replace("{", f"{_APART}{{{_APART}")


def request_body(body: JsonValue, case: Case) -> JsonValue:
    """What is sent to the app for `case`.

    Args:
        body: The suite's request body; None sends what the case asks, without its expectations. A string that is
            just `{{question}}` becomes that value, JSON included; inside a longer string it becomes text.
        case: The case. `messages` of a case that has only a question is one user turn, `question` of a case that has
            only messages is the last turn; without a body neither is made up.

    Raises:
        UsageError: A placeholder is not known.
    """
    if body is None:
        fields = case.model_dump(mode="json", include=set(ASKED_FIELDS), exclude_defaults=True)
        return {name: fields[name] for name in Case.model_fields if name in fields}
    return _filled(body, case)


def _filled(body: JsonValue, case: Case) -> JsonValue:
    if isinstance(body, dict):
        return {key: _filled(value, case) for key, value in body.items()}
    if isinstance(body, list):
        return [_filled(value, case) for value in body]
    if not isinstance(body, str):
        return body
    if whole := _PLACEHOLDER.fullmatch(body):
        return _value(whole[1], case)
    # One pass: what a question itself contains is never taken for a placeholder.
    return _FILLED.sub(lambda match: "" if match[0] == _APART else _as_text(_value(match[1], case)), body)


def _value(name: str, case: Case) -> JsonValue:
    if name not in _VALUES:
        raise UsageError(
            f"request body: unknown placeholder {{{{{name}}}}}",
            hint=f"Write one of: {', '.join(f'{{{{{known}}}}}' for known in PLACEHOLDERS)}.",
        )
    return _VALUES[name](case)


def _as_text(value: JsonValue) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _texts(body: JsonValue) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    elif isinstance(body, dict | list):
        for value in body.values() if isinstance(body, dict) else body:
            yield from _texts(value)


@cache
def _options() -> Any:
    """JMESPath's own functions, `from_json` (JSON inside a string) and `last_said` (texts after a tool's last call)."""
    import jmespath
    from jmespath.functions import Functions, signature

    class WithJson(Functions):
        @signature({"types": []})
        def _func_from_json(self, value: Any) -> JsonValue:
            return json_in(value) if isinstance(value, str) else None

        @signature({"types": []})
        def _func_last_said(self, value: Any) -> str | None:
            return last_said(value) if isinstance(value, list) else None

    return jmespath.Options(custom_functions=WithJson())


def _searched(parsed: ParsedResult, reply: JsonValue) -> Any:
    return parsed.search(reply, _options())


def json_in(text: str) -> JsonValue:
    """What the JSON in a text says; of one value on each line a list of them; None where it is no JSON."""
    try:
        found: JsonValue = from_json(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
    else:
        return found
    try:
        return [from_json(line) for line in lines] if len(lines) > 1 else None
    except ValueError:
        return None


def _function_problems(expression: str, node: Any, deepest: int = MOST_NESTED) -> Iterator[str]:
    if not isinstance(node, dict):
        return
    if not deepest:
        yield _TOO_DEEP
        return
    table = _options().custom_functions.FUNCTION_TABLE
    if node.get("type") == "function_expression" and node["value"] not in table:
        name = node["value"]
        found = re.search(rf"\b{re.escape(name)}\s*\(", expression)
        known = ", ".join(sorted(table))
        yield f"column {found.start() + 1 if found else 1}: unknown function {name}(); known are {known}"
    for child in node.get("children", ()):
        yield from _function_problems(expression, child, deepest - 1)


def json_kind(value: Any) -> str:
    """What JSON calls a value, for messages: `a list`, `null`."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds = {str: "a string", dict: "an object", list: "a list", int: "a number", float: "a number"}
    return kinds.get(type(value), "something else")


def _one_line(text: str) -> str:
    return " ".join(text.split())[:200]
