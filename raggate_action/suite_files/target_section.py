"""The `target:` sections of a suite file: their variables, and the checks of those in use."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

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
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpTarget, TargetSection
from raggate_action.schema.trace import RESPONSE_FIELDS
from raggate_action.suite_files.callable_check import Modules
from raggate_action.suite_files.file_reading import unreadable
from raggate_action.suite_files.located_records import CALLABLE
from raggate_action.suite_files.located_tree import (
    MappingNode,
    Node,
    WrittenText,
    all_keys,
    all_texts,
    child,
    json_value,
    members,
    texts_at,
    written_text,
)
from raggate_action.suite_files.problems import FileProblems, name_text, nearest_word_or, value_text, word_list

REFERENCE = re.compile(r"\$\$|\$\{([^}]*)\}")
# The action's inputs and the runner's own tokens: a suite comes with the pull request; no app and no judge gets these.
OF_THE_RUNNER = ("INPUT_", "ACTIONS_")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RELATIVE = "a path is relative to this file's folder"


def check_targets(
    suite: Node,
    directory: Path,
    problems: FileProblems,
    environment: Mapping[str, str] | None,
    *,
    with_url: bool,
    on_this_machine: bool,
    arms: bool,
) -> None:
    """Check the `target:` sections of a suite file, and those of its arms.

    Args:
        suite: The suite file.
        directory: Its folder.
        problems: Where mistakes are reported.
        environment: Where `${VARS}` come from; None when another target is asked, and so none of these.
        with_url: False when the command line replaces the address.
        on_this_machine: What they name has to be there.
        arms: The arms are asked instead of the file's target.
    """
    own = child(suite, "target")
    of_arms: list[Node | None] = []
    if all(isinstance(child(suite, "ab", arm), MappingNode) for arm in ARMS):
        # An arm that names no target is asked where the suite is.
        of_arms = [child(suite, "ab", arm, "target") or own for arm in ARMS]
    for target in (own, *of_arms):
        _check_response(target, problems)
        _check_request(target, problems)
        _check_placeholders(target, problems)
    if environment is None:
        return
    # Whoever looks at all of the file looks at the arms as well.
    targets = of_arms if arms and of_arms else [own, *(of_arms if on_this_machine else ())]
    for target in targets:
        _tell_unset(target, environment, problems, with_url=with_url)
        _check_addresses(target, environment, problems, with_url=with_url)
        if on_this_machine:
            _check_machine(target, directory, environment, problems)


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


def _tell_unset(target: Node | None, environment: Mapping[str, str], problems: FileProblems, *, with_url: bool) -> None:
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


def _expandable(target: Node | None, *, with_url: bool) -> Iterator[WrittenText]:
    single = [child(target, "ready", "url"), *([child(target, "url")] if with_url else [])]
    mapped = [entry.node for key in ("headers", "env") for _, entry in members(target, key)]
    yield from (text for node in (*single, *mapped) if (text := written_text(node)))
    yield from texts_at(target, "command")
    yield from all_texts(target, "request", "body")


def _check_response(target: Node | None, problems: FileProblems) -> None:
    for name, entry in members(target, "response"):
        if name not in RESPONSE_FIELDS:
            end = nearest_word_or(name, RESPONSE_FIELDS, otherwise=f"known here: {word_list(RESPONSE_FIELDS)}")
            problems.add(entry.key_mark, f"`response` maps `{name_text(name)}`, which no trace has; {end}")
        expression = written_text(entry.node)
        if expression and (problem := expression_problem(expression.text)):
            text = f"{value_text(expression.text)} is not a JMESPath expression: {name_text(problem, cut=False)}"
            problems.add(expression.mark, f"{text}; write a path such as output.text or docs[].id")


def _check_request(target: Node | None, problems: FileProblems) -> None:
    body = child(target, "request", "body")
    if body is None:
        return
    if problem := placeholder_problem(json_value(body)):
        problems.add(body.mark, f"`body` has an {problem}")
    for name in dict.fromkeys(name for name, alone in half_placeholders(json_value(body)) if alone):
        problems.add(body.mark, f"`body` says `{{{name}}}`, which is sent as it stands; write `{{{{{name}}}}}`")
    for key, entry in all_keys(body):
        if stray := stray_placeholder(key):
            text = f"`body` has the key `{name_text(key)}`, and keys are sent as they stand"
            problems.add(
                entry.key_mark, f"{text}; write the app's name for it, as in `{stray[1]}: {filled_in(stray[1])}`"
            )


def _check_placeholders(target: Node | None, problems: FileProblems) -> None:
    """Report placeholders where nothing is filled in: not in a request body's values, nor in a command's words."""

    def check(key: str, text: WrittenText | None, *, alone: bool = False) -> None:
        if text and (stray := stray_placeholder(text.text, alone=alone)):
            problems.add(text.mark, f"`{key}` says `{stray[0]}`, {instead_of_placeholder(key, stray[1])}")

    check("url", written_text(target, "url"))
    check("ready: url", written_text(target, "ready", "url"))
    for _, entry in members(target, "headers"):
        check("headers", written_text(entry.node))
    for word in texts_at(target, "command"):
        # In two braces they are filled in; unless the name is of none that is known.
        if "{{" not in word.text or placeholder_problem(word.text):
            check("command", word, alone="{{" not in word.text)
    for _, entry in members(target, "env"):
        check("env", written_text(entry.node), alone=True)
    check("traces", written_text(target, "traces"))


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


def _check_addresses(
    target: Node | None, environment: Mapping[str, str], problems: FileProblems, *, with_url: bool
) -> None:
    """Report invalid addresses. Unset variables are reported elsewhere."""
    addresses = [("ready: url", child(target, "ready", "url")), *([("url", child(target, "url"))] if with_url else [])]
    for name, node in addresses:
        url = written_text(node)
        if url is None or not url.text or _lacks_value(url.text, environment):
            continue
        if problem := address_problem(with_variables(url.text, environment)):
            once = ", once its variables are filled in" if "$" in url.text else ""
            text = f"`{name}` is {value_text(printable_address(url.text))}, which is no address{once}: {problem}"
            problems.add(url.mark, f"{text}; write a whole one, as in {EXAMPLE}")


def _check_machine(
    target: Node | None, directory: Path, environment: Mapping[str, str], problems: FileProblems
) -> None:
    """Tell which program, interpreter, module or file of recorded traces is not there."""
    if command := texts_at(target, "command")[:1]:
        _check_program("command", command[0], target, directory, environment, problems)
    if python := written_text(target, "python"):
        _check_program("python", python, target, directory, environment, problems)
    if (function := written_text(target, "function")) and re.fullmatch(CALLABLE, function.text):
        modules = Modules(directory, ours=child(target, "python") is None)
        if problem := modules.problem(function.text):
            problems.add(function.mark, f"`function` names `{name_text(function.text)}`; {problem}")
    if (traces := written_text(target, "traces")) and (problem := _traces_problem(directory, traces.text)):
        problems.add(traces.mark, problem)


def _check_program(
    key: str,
    word: WrittenText,
    target: Node | None,
    directory: Path,
    environment: Mapping[str, str],
    problems: FileProblems,
) -> None:
    if not word.text or _lacks_value(word.text, environment):
        return
    name = word.text if key == "python" else with_variables(word.text, environment)
    file = directory / name
    fault = None
    if os.sep not in name:
        own = written_text(target, "env", "PATH")
        path = environment.get("PATH") if own is None else with_variables(own.text, environment)
        if not shutil.which(name, path=path):
            fault = "is no program on PATH; write its path, relative to this file's folder"
    elif file.is_dir():
        fault = "is a folder; write the path of the program itself"
    elif not file.exists():
        fault = f"does not exist; {_RELATIVE}, and a name without a slash is looked for on PATH"
    elif not os.access(file, os.X_OK):
        fault = "may not be run; make it executable (chmod +x)"
    if fault:
        problems.add(word.mark, f"`{key}` starts `{name_text(word.text)}`, which {fault}")


def _lacks_value(text: str, environment: Mapping[str, str]) -> bool:
    names = [found.group(1) for found in REFERENCE.finditer(text)]
    return any(name is not None and not environment.get(name) for name in names)


def _traces_problem(directory: Path, name: str) -> str | None:
    if not name:
        return None
    file, of = directory / name, f"`traces` names `{name_text(name)}`, which"
    if file.is_dir():
        return f"{of} is a folder; write the path of a JSONL file in it"
    try:
        with file.open("rb") as stream:
            stream.read(1)
    except FileNotFoundError:
        return f"{of} does not exist; {_RELATIVE}; `raggate-action record --out` writes such a file"
    except OSError as error:
        return f"{of} {unreadable(error)}"
    return None
