"""`ask`: one question to the app, and how a run would judge the answer."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from raggate_action.cli.commands import Ask
from raggate_action.cli.explain_command import printed
from raggate_action.cli.named_app import at_the_terminal, target_of_options, tell
from raggate_action.errors import ExitCode, UsageError
from raggate_action.onboarding.one_question import JudgedQuestion, ask_app, ask_suite
from raggate_action.onboarding.reply_choice import named_paths, taken_lines
from raggate_action.onboarding.setup import Setup
from raggate_action.report.escape import log_line
from raggate_action.report.page_cases import judgement_parts
from raggate_action.run.clock import moment_now
from raggate_action.run.decision_text_and_exit_code import say
from raggate_action.strings.numbers import milliseconds
from raggate_action.strings.visible_text import cut
from raggate_action.suite_files import load_suite

_LINES = 60
_TEXT = 300
_STATES = {"passed": ExitCode.RELEASE, "failed": ExitCode.BLOCK}


def run(options: Ask) -> int:
    """Print request, reply, trace and gates; the exit code is that of a run of this one case."""
    ask = at_the_terminal if sys.stdin.isatty() else None
    setup = Setup(Path(), os.environ, moment_now(), tell, ask, response=named_paths(options.response))
    if options.names_an_app:
        judged = asyncio.run(ask_app(options.question, target_of_options(options), setup))
    elif options.response:
        raise UsageError(
            "--response belongs to --url, --function and --command", hint="A suite says it under `target:`."
        )
    else:
        judged = asyncio.run(ask_suite(options.question, load_suite(options.suite, environment=os.environ), setup))
    say([*_blocks(judged), *_advice(judged)])
    if judged.judged is None:
        return ExitCode.USAGE
    return _STATES.get(judged.judged.row.state, ExitCode.INCONCLUSIVE)


def _blocks(judged: JudgedQuestion) -> Iterator[str]:
    """The reply, what is read from it, and what the gates say."""
    yield from (*_title("the reply"), "asked with", *_json_lines(judged.called_with), "", "replied")
    if judged.reply is not None:
        yield from _json_lines(judged.reply)
    elif judged.judged is not None:
        yield from ("(it holds what not everybody may read; keys and types alone)", judged.read.shape)
    else:
        yield judged.read.shape
    yield from ("", *_title("read as"))
    if judged.judged is None or judged.trace is None:
        yield "nothing: no answer was found in it"
        return
    yield from (log_line(f"{field} from {path}") for field, path in judged.read.paths.items())
    if judged.read.found is not None and judged.reply is not None:
        yield from map(log_line, taken_lines(judged.read.found, judged.read.paths))
    yield from _json_lines(json.loads(judged.trace.model_dump_json(exclude_none=True, exclude_defaults=True)))
    if judged.trace.latency_ms is None and judged.judged.row.latency_ms is not None:
        yield f"measured: {milliseconds(judged.judged.row.latency_ms)}"
    yield from ("", *_title("judged"), *printed(judgement_parts(judged.judged.row, judged.rules.gates)))


def _title(text: str) -> tuple[str, str]:
    return text, "-" * len(text)


def _json_lines(value: JsonValue) -> Iterator[str]:
    """JSON for people: long texts are cut, and it fits two screens."""
    lines = json.dumps(_with_short_texts(value), indent=2, ensure_ascii=False).split("\n")
    yield from map(log_line, lines[:_LINES])
    if len(lines) > _LINES:
        yield f"... and {len(lines) - _LINES} more lines"


def _with_short_texts(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {cut(key, _TEXT): _with_short_texts(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_short_texts(each) for each in value]
    return cut(value, _TEXT) if isinstance(value, str) else value


def _advice(judged: JudgedQuestion) -> Iterator[str]:
    """What to write in the suite if raggate cannot read the reply by itself."""
    read = judged.read
    if judged.judged is None:
        yield f"raggate: {log_line(read.problem)}"
        yield f"  a reply is {log_line(read.shape)}"
    elif not read.has_context:
        yield "raggate: it does not show what the answer rests on: let it return the texts as well, as `contexts`"
