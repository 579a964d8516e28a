"""`${VAR}` in the target's section: which are not set, and the target with their values in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from raggate_action.replies.mapping import verbatim
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, TargetSection
from raggate_action.suite_files.nodes import Node, Written, all_texts, child, members, texts_of, written
from raggate_action.suite_files.problems import FileProblems
from raggate_action.suite_files.words import name_text

REFERENCE = re.compile(r"\$\$|\$\{([^}]*)\}")
# The action's inputs and the runner's own tokens: a suite comes with the pull request; no app and no judge gets these.
OF_THE_RUNNER = ("INPUT_", "ACTIONS_")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def tell_unset(target: Node | None, environment: Mapping[str, str], problems: FileProblems, *, with_url: bool) -> None:
    """Tell which variables of a target section are not set. An empty one counts as unset.

    A secret that a CI system withholds is handed over as an empty variable, and no header, address or program
    means anything without it. `with_url` False leaves the address out, which the command line replaces then.
    """
    for text in _expandable(target, with_url=with_url):
        for found in REFERENCE.finditer(text.text):
            name = found.group(1)
            withheld = (name or "").startswith(OF_THE_RUNNER)
            if name is None or (environment.get(name) and not withheld):
                continue
            reference = name_text(found.group())
            if withheld:
                text_of = (
                    f"`{reference}` belongs to the workflow's runner; give the app a variable of its own by `env:`"
                )
            elif _NAME.fullmatch(name):
                text_of = (
                    f"`{reference}` is not set in the environment; set {name}, or write `${reference}` for plain text"
                )
            else:
                text_of = f"`{reference}` names no variable; write letters, digits and _, as in `${{RAG_APP_TOKEN}}`"
            problems.add(text.mark, text_of)


def filled(text: str, environment: Mapping[str, str]) -> str:
    """A text with its variables replaced by their values; `$$` becomes `$`, one that is not set nothing."""
    return REFERENCE.sub(lambda found: "$" if found.group(1) is None else environment.get(found.group(1), ""), text)


def with_values(target: TargetSection, environment: Mapping[str, str]) -> TargetSection:
    """The target with its variables replaced by their values; `$$` becomes `$`."""

    def fill(text: str) -> str:
        return filled(text, environment)

    match target:
        case HttpTarget():
            headers = {name: fill(value) for name, value in target.headers.items()}
            ready = target.ready and target.ready.model_copy(update={"url": fill(target.ready.url)})
            body = _filled_body(target.request.body, environment)
            request = target.request.model_copy(update={"body": body})
            return target.model_copy(
                update={"url": fill(target.url), "headers": headers, "ready": ready, "request": request}
            )
        case CommandTarget():
            env = {name: fill(value) for name, value in target.env.items()}
            return target.model_copy(update={"command": tuple(map(fill, target.command)), "env": env})
        case FunctionTarget():
            return target.model_copy(update={"env": {name: fill(value) for name, value in target.env.items()}})
        case _:
            return target


def _filled_body(body: JsonValue, environment: Mapping[str, str]) -> JsonValue:
    """A request body with variables replaced in its texts; no braces of a value are a placeholder for the case."""
    if isinstance(body, dict):
        return {key: _filled_body(value, environment) for key, value in body.items()}
    if isinstance(body, list):
        return [_filled_body(value, environment) for value in body]
    if not isinstance(body, str):
        return body
    values = {name: verbatim(environment.get(name, "")) for name in REFERENCE.findall(body)}
    return filled(body, values)


def _expandable(target: Node | None, *, with_url: bool) -> Iterator[Written]:
    single = [child(child(target, "ready"), "url"), *([child(target, "url")] if with_url else [])]
    mapped = [entry.node for key in ("headers", "env") for _, entry in members(child(target, key))]
    yield from (text for node in (*single, *mapped) if (text := written(node)))
    yield from texts_of(child(target, "command"))
    yield from all_texts(child(child(target, "request"), "body"))
