"""The `target:` sections of a suite file: their variables, and the checks of those in use."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from pydantic import JsonValue

from raggate_action.errors import UsageError
from raggate_action.network.addresses import EXAMPLE, address_problem, printable_address
from raggate_action.replies.mapping import (
    expression_problem,
    half_placeholders,
    placeholder_problem,
    stray_placeholder,
    verbatim,
)
from raggate_action.schema.arm_names import ARMS
from raggate_action.schema.base import digest_of
from raggate_action.schema.suite import Suite
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, RecordedTarget, TargetSection
from raggate_action.schema.trace import RESPONSE_FIELDS
from raggate_action.suite_files.callable_check import Modules
from raggate_action.suite_files.file_reading import unreadable
from raggate_action.suite_files.located_tree import Loc, Node, PlacedFault, key_mark, mark_at
from raggate_action.suite_files.problems import name_text, nearest_word_or, value_text, word_list

REFERENCE = re.compile(r"\$\$|\$\{([^}]*)\}")
# The action's inputs and the runner's own tokens: a suite comes with the pull request; no app and no judge gets these.
OF_THE_RUNNER = ("INPUT_", "ACTIONS_")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RELATIVE = "a path is relative to this file's folder"


def target_faults(
    root: Node,
    suite: Suite,
    directory: Path,
    environment: Mapping[str, str] | None,
    *,
    with_url: bool,
    on_this_machine: bool,
    arms: bool,
) -> Iterator[PlacedFault]:
    """What is wrong in the `target:` sections of a suite file, and in those of its arms.

    Args:
        root: The suite file, for the places.
        suite: The record of it.
        directory: Its folder.
        environment: Where `${VARS}` come from; None when another target is asked, and so none of these.
        with_url: False when the command line replaces the address.
        on_this_machine: What they name has to be there.
        arms: The arms are asked instead of the file's target.
    """
    own: dict[Loc, TargetSection] = {("target",): suite.target}
    of_arms: dict[Loc, TargetSection] = {}
    if suite.ab is not None:
        for name, arm in zip(ARMS, (suite.ab.control, suite.ab.treatment), strict=True):
            # An arm that names no target is asked where the suite is.
            of_arms |= {("ab", name, "target"): arm.target} if arm.target is not None else own
    # Whoever looks at all of the file looks at the arms as well.
    asked = of_arms if arms and of_arms else {**own, **(of_arms if on_this_machine else {})}
    for path, target in {**own, **of_arms}.items():
        found = [*_response_faults(target), *_request_faults(target), *_placeholder_faults(target)]
        if environment is not None and path in asked:
            found += [*_unset(target, environment, with_url=with_url)]
            found += _address_faults(target, environment, with_url=with_url)
            found += _machine_faults(target, directory, environment) if on_this_machine else ()
        for loc, text in found:
            mark = key_mark(root, *path, *loc[:-1]) if loc[-1] is KEY else mark_at(root, *path, *loc)
            yield mark, text


# The last step to a key.
KEY = "\0key"
_Found: TypeAlias = Iterator[tuple[Loc, str]]


def run_target(
    base: TargetSection, url: str | None, environment: Mapping[str, str] | None
) -> tuple[TargetSection, str]:
    """The target of the run, and its digest with no variable's value in it."""
    if url is not None:
        if problem := address_problem(url):
            raise UsageError(
                f"--target-url is {value_text(printable_address(url))}, which is no address: {problem}",
                hint=f"Write a whole one, as in {EXAMPLE}.",
            )
        if stray := stray_placeholder(url):
            raise UsageError(
                f"--target-url says {stray[0]}, which is sent as it stands",
                hint=f"Leave it out of the address, and write {filled_in(stray[1])} into `request: body` of the suite.",
            )
        if not isinstance(base, HttpTarget):
            raise UsageError(
                f"the suite's target is of kind {base.kind}, which has no address to replace",
                hint="Leave out --target-url, or write an http target in the suite.",
            )
        base = base.model_copy(update={"url": url})
    digest = digest_of(base.model_dump(mode="json", exclude_defaults=True))
    filled = base if environment is None else with_values(base, environment)
    # The address of the command line is meant as it stands.
    return (filled if url is None else filled.model_copy(update={"url": url})), digest


def with_variables(text: str, environment: Mapping[str, str]) -> str:
    """A text with its variables replaced by their values; `$$` becomes `$`, one that is not set nothing."""
    return REFERENCE.sub(lambda found: "$" if found.group(1) is None else environment.get(found.group(1), ""), text)


def with_values(target: TargetSection, environment: Mapping[str, str]) -> TargetSection:
    """The target with its variables replaced by their values; `$$` becomes `$`."""

    def fill(text: str) -> str:
        return with_variables(text, environment)

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
    return with_variables(body, values)


def _leaves(value: JsonValue, path: Loc = ()) -> Iterator[tuple[Loc, str]]:
    """Every text of a value, and every key, with the way to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(step, str):
                yield (*path, step, KEY), step
            yield from _leaves(inner, (*path, step))


def texts_of(target: TargetSection, *fields: str) -> Iterator[tuple[Loc, str]]:
    """Every text in some fields of a target section, with the way to it."""
    leaves = _leaves(target.model_dump(mode="json", include={*fields}))
    yield from ((path, text) for path, text in leaves if path[-1] is not KEY)


def _unset(target: TargetSection, environment: Mapping[str, str], *, with_url: bool) -> _Found:
    """Tell which variables of a target section are not set. An empty one counts as unset.

    A secret that a CI system withholds is handed over as an empty variable, and no header, address or program
    means anything without it. `with_url` False leaves the address out, which the command line replaces then.
    """
    for path, text in texts_of(target, "ready", "headers", "env", "command", "request", *(["url"] if with_url else [])):
        for found in REFERENCE.finditer(text):
            name, reference = found.group(1), name_text(found.group())
            if name is not None and name.startswith(OF_THE_RUNNER):
                yield (
                    path,
                    f"`{reference}` belongs to the workflow's runner; give the app a variable of its own by `env:`",
                )
            elif name is None or environment.get(name):
                continue
            elif _NAME.fullmatch(name):
                instead = f"set {name}, or write `${reference}` for plain text"
                yield path, f"`{reference}` is not set in the environment; {instead}"
            else:
                yield path, f"`{reference}` names no variable; write letters, digits and _, as in `${{RAG_APP_TOKEN}}`"


def _response_faults(target: TargetSection) -> _Found:
    for name, expression in target.response.items() if isinstance(target.response, dict) else ():
        if name not in RESPONSE_FIELDS:
            end = nearest_word_or(name, RESPONSE_FIELDS, otherwise=f"known here: {word_list(RESPONSE_FIELDS)}")
            yield ("response", name, KEY), f"`response` maps `{name_text(name)}`, which no trace has; {end}"
        if problem := expression_problem(expression):
            text = f"{value_text(expression)} is not a JMESPath expression: {name_text(problem, cut=False)}"
            yield ("response", name), f"{text}; write a path such as output.text or docs[].id"


def _request_faults(target: TargetSection) -> _Found:
    body = target.request.body if isinstance(target, HttpTarget) else None
    if problem := placeholder_problem(body):
        yield ("request", "body"), f"`body` has an {problem}"
    for name in dict.fromkeys(name for name, alone in half_placeholders(body) if alone):
        yield ("request", "body"), f"`body` says `{{{name}}}`, which is sent as it stands; write `{{{{{name}}}}}`"
    for loc, key in _leaves(body, ("request", "body")):
        if loc[-1] is KEY and (stray := stray_placeholder(key)):
            text = f"`body` has the key `{name_text(key)}`, and keys are sent as they stand"
            yield loc, f"{text}; write the app's name for it, as in `{stray[1]}: {filled_in(stray[1])}`"


def _placeholder_faults(target: TargetSection) -> _Found:
    """Placeholders where nothing is filled in: not in a request body's values, nor in a command's words."""
    for path, text in texts_of(target, "url", "ready", "headers", "command", "env", "traces"):
        key = "ready: url" if path[0] == "ready" else str(path[0])
        # In two braces a word of a command is filled in; unless the name is of none that is known.
        if key == "command" and "{{" in text and not placeholder_problem(text):
            continue
        alone = key == "env" or (key == "command" and "{{" not in text)
        if stray := stray_placeholder(text, alone=alone):
            yield path, f"`{key}` says `{stray[0]}`, {instead_of_placeholder(key, stray[1])}"


def instead_of_placeholder(key: str, name: str) -> str:
    """What to write instead of a placeholder that a key of a target's section says and nothing fills in."""
    if key == "url":
        example = f"request: {{method: GET, body: {{{name}: {filled_in(name)}}}}}"
        return f"which is sent as it stands; write `{example}`, and `?{name}=...` is added to the address"
    if key == "ready: url":
        return "which is sent as it stands, before the first case; take it out"
    if key == "headers":
        example = f"request: {{body: {{{name}: {filled_in(name)}}}}}"
        return f"which is sent as it stands; only `request: body` is filled in, as in `{example}`"
    if key == "traces":
        return "which is filled in nowhere; write the path of one file with a line of JSON for each case"
    field = "question" if name == "messages" else name
    end = f"take `{field}` from the case, which a command reads from stdin and a function is called with"
    return f"which the app is given as it stands; {end}"


def filled_in(name: str) -> str:
    """A placeholder as a suite has to write it."""
    return f'"{{{{{name}}}}}"'


def _address_faults(target: TargetSection, environment: Mapping[str, str], *, with_url: bool) -> _Found:
    """Invalid addresses. Unset variables are reported elsewhere."""
    for path, url in texts_of(target, "ready", *(["url"] if with_url else [])):
        if _lacks_value(url, environment):
            continue
        if problem := address_problem(with_variables(url, environment)):
            once = ", once its variables are filled in" if "$" in url else ""
            text = f"`{': '.join(map(str, path))}` is {value_text(printable_address(url))}, which is no address{once}"
            yield path, f"{text}: {problem}; write a whole one, as in {EXAMPLE}"


def _machine_faults(target: TargetSection, directory: Path, environment: Mapping[str, str]) -> _Found:
    """Tell which program, interpreter, module or file of recorded traces is not there."""
    if isinstance(target, CommandTarget) and not _lacks_value(target.command[0], environment):
        name = with_variables(target.command[0], environment)
        if fault := _program_fault(name, target.env, directory, environment):
            yield ("command", 0), f"`command` starts `{name_text(target.command[0])}`, which {fault}"
    if isinstance(target, FunctionTarget):
        if target.python is not None and (fault := _program_fault(target.python, target.env, directory, environment)):
            yield ("python",), f"`python` starts `{name_text(target.python)}`, which {fault}"
        if problem := Modules(directory, ours=target.python is None).problem(target.function):
            yield ("function",), f"`function` names `{name_text(target.function)}`; {problem}"
    if isinstance(target, RecordedTarget) and (fault := _traces_fault(directory / target.traces)):
        yield ("traces",), f"`traces` names `{name_text(target.traces)}`, which {fault}"


def _program_fault(name: str, env: Mapping[str, str], directory: Path, environment: Mapping[str, str]) -> str:
    file = directory / name
    if os.sep not in name:
        path = environment.get("PATH") if "PATH" not in env else with_variables(env["PATH"], environment)
        return (
            ""
            if shutil.which(name, path=path)
            else "is no program on PATH; write its path, relative to this file's folder"
        )
    if file.is_dir():
        return "is a folder; write the path of the program itself"
    if not file.exists():
        return f"does not exist; {_RELATIVE}, and a name without a slash is looked for on PATH"
    return "" if os.access(file, os.X_OK) else "may not be run; make it executable (chmod +x)"


def _lacks_value(text: str, environment: Mapping[str, str]) -> bool:
    names = [found.group(1) for found in REFERENCE.finditer(text)]
    return any(name is not None and not environment.get(name) for name in names)


def _traces_fault(file: Path) -> str:
    if file.is_dir():
        return "is a folder; write the path of a JSONL file in it"
    try:
        with file.open("rb") as stream:
            stream.read(1)
    except FileNotFoundError:
        return f"does not exist; {_RELATIVE}; `raggate-action record --out` writes such a file"
    except OSError as error:
        return unreadable(error)
    return ""
