"""An app as named on the command line, as the `target:` section of a suite; secrets in it are refused."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from pydantic import JsonValue

from raggate_action.cli.commands import App
from raggate_action.errors import UsageError
from raggate_action.isolation.secrets import names_secret
from raggate_action.network.addresses import EXAMPLE, address_problem, printable_address
from raggate_action.replies.mapping import PLACEHOLDERS, has_placeholder, placeholder_problem, stray_placeholder
from raggate_action.report.escape import log_line
from raggate_action.schema.target import CommandTarget, FunctionTarget, HttpRequest, HttpTarget
from raggate_action.suite_files.problems import value_text
from raggate_action.suite_files.target_section import REFERENCE

_FUNCTION = re.compile(r"[\w.]+:[\w.]+")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMMAND_HINT = "Write it in single quotes, as in --command 'python app.py {{question}}'."


def target_of_options(options: App) -> HttpTarget | FunctionTarget | CommandTarget:
    """The target that options name.

    Raises:
        UsageError: Something named cannot be used, or holds a secret.
    """
    if options.url is not None:
        request = HttpRequest(body=_body(options.body)) if options.body is not None else HttpRequest()
        return HttpTarget(kind="http", url=_url(options.url), headers=_headers(options.header), request=request)
    if options.program is not None:
        return CommandTarget(kind="command", command=_command(options.program), env=_env(options.env))
    function = options.function or ""
    if not _FUNCTION.fullmatch(function):
        module, _, name = function.rpartition(".")
        meant = f"{module}:{name}" if module and _FUNCTION.fullmatch(f"{module}:{name}") else "rag:ask"
        raise UsageError(f"--function is {value_text(function)}", hint=f"Write it as module:callable, as in {meant}.")
    return FunctionTarget(kind="function", function=function, python=options.python, env=_env(options.env))


def app_in_words(text: str) -> App | Path | None:
    """The app that a text names: an address, a function, a program or a file of traces; None for any other text."""
    if re.match(r"https?://", text):
        return App(url=text)
    if has_placeholder(text):
        return App(program=text)
    if Path(text).suffix.lower() in {".jsonl", ".ndjson"}:
        return Path(text)
    return App(function=text) if ":" in text or re.fullmatch(r"\w+(\.\w+)+", text) else None


def at_the_terminal(question: str) -> str:
    """What is typed in answer to a question; empty where the input has ended."""
    sys.stderr.write(f"{question}: ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def tell(line: str) -> None:
    """Show a line while raggate waits for the app."""
    sys.stderr.write(f"raggate: {log_line(line)}\n")


def _env(names: Iterable[str]) -> dict[str, str]:
    wrong = next((name for name in names if not _VARIABLE.fullmatch(name)), None)
    if wrong is not None:
        raise UsageError(
            f"--env is {value_text(wrong)}, which names no variable",
            hint="Write the name alone, as in --env OPENAI_API_KEY; the value stays in your environment.",
        )
    return {name: f"${{{name}}}" for name in names}


def _command(line: str) -> tuple[str, ...]:
    """Program and arguments."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"--command cannot be split into arguments: {error}", hint=_COMMAND_HINT) from None
    if not words:
        raise UsageError("--command names no program", hint=_COMMAND_HINT)
    program, *arguments = words
    if has_placeholder(program):
        raise UsageError("--command has the question where the program stands", hint=_COMMAND_HINT)
    if problem := next(filter(None, map(placeholder_problem, arguments)), None):
        raise UsageError(f"--command: {problem}", hint=_COMMAND_HINT)
    texts = [each for each in arguments if not has_placeholder(each)]
    stray = next(filter(None, [stray_placeholder(each, alone=True) for each in texts]), None)
    if stray:
        raise UsageError(f"--command says {stray[0]}, which the program is given as it stands", hint=_COMMAND_HINT)
    if option := next(_secret_options(arguments), None):
        raise UsageError(
            f"--command holds a value of {value_text(option)} that would be written into the suite",
            hint="Put the key into the environment and write its name in single quotes: '${APP_KEY}'.",
        )
    return tuple(words)


def _secret_options(arguments: list[str]) -> Iterator[str]:
    """Names of options, as `--api-key`, with a value that is neither a variable nor a placeholder."""
    for word, behind in pairwise([*arguments, "-"]):
        name, equals, value = word.partition("=")
        value = value if equals else behind
        is_option = equals or (word.startswith("-") and not behind.startswith("-"))
        if is_option and names_secret(name) and not (REFERENCE.search(value) or has_placeholder(value)):
            yield name


def _refuse_placeholder(option: str, text: str) -> None:
    if stray := stray_placeholder(text):
        raise UsageError(
            f"{option} says {stray[0]}, which is sent as it stands",
            hint=f"""Leave it out, and say how the app is asked: --body '{{"query": "{{{{{stray[1]}}}}}"}}'.""",
        )


def _url(url: str) -> str:
    _refuse_placeholder("--url", url)
    bare = REFERENCE.sub("x", url)
    if problem := address_problem(bare):
        raise UsageError(
            f"--url is {value_text(printable_address(url))}, which is no address: {problem}",
            hint=f"Write a whole one, as in {EXAMPLE}.",
        )
    user = bare.partition("://")[2].partition("/")[0].rpartition("@")[0]
    if user and not REFERENCE.search(url.partition("@")[0]):
        raise UsageError(
            "--url holds a password, which would be written into the suite",
            hint="Put it into the environment and write its name: 'http://${APP_USER}:${APP_PASSWORD}@host/ask'.",
        )
    return url


def _body(text: str) -> JsonValue:
    try:
        body: JsonValue = json.loads(text)
    except ValueError as error:
        raise UsageError(
            f"--body is not JSON: {error}", hint="""Write it in single quotes: --body '{"query": "{{question}}"}'."""
        ) from None
    if problem := placeholder_problem(body):
        raise UsageError(f"--body: {problem}", hint="Correct the placeholder or write it in words.")
    if not has_placeholder(body):
        known = ", ".join(f"{{{{{name}}}}}" for name in PLACEHOLDERS)
        raise UsageError("--body asks nothing of the case", hint=f"Put one of {known} where the question goes.")
    return body


def _headers(lines: Iterable[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not (name and colon and value):
            raise UsageError(
                f"--header is no header of the form 'Name: value' (it begins {value_text(name)})",
                hint="Write it as in --header 'Authorization: Bearer ${APP_KEY}'.",
            )
        _refuse_placeholder("--header", value)
        if names_secret(name) and not REFERENCE.search(value):
            raise UsageError(
                f"--header {value_text(name)} holds a value that would be written into the suite",
                hint=f"Put the key into the environment and write its name: --header '{name}: ${{APP_KEY}}'.",
            )
        headers[name] = value
    return headers
