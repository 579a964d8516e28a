"""What is typed becomes a command with its options, or an error that says what to write. Loads nothing heavy."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from inspect import cleandoc
from typing import Final, NamedTuple, NoReturn

from raggate_action.cli.commands import COMMANDS
from raggate_action.cli.options import Options, Place, declare
from raggate_action.errors import UsageError
from raggate_action.version import __version__

_PROGRAM: Final = "raggate-action"
_HELP: Final = frozenset({"-h", "--help"})


class Typed(NamedTuple):
    """A command as it was typed: its words, and its options."""

    name: str
    options: Options


def parse_arguments(arguments: Sequence[str]) -> Typed | None:
    """The command and its options; None where no command was named, and the help was shown instead.

    Raises:
        UsageError: There is no such command or option, or something is missing; its hint says what to write.
        SystemExit: Help or version were asked for, and are printed.
    """
    words = [*arguments[1:], "--help"] if arguments[:1] == ["help"] else [*arguments]
    if words[:1] == ["--version"]:
        sys.stdout.write(f"{_PROGRAM} {__version__}\n")
        raise SystemExit(0)
    group = words[:1] == ["judges"]
    command_at = 1 if group else 0
    if len(words) == command_at or words[command_at] in _HELP:
        sys.stdout.write(_judges_help() if group else _help())
        if len(words) == command_at:
            return None
        raise SystemExit(0)
    name, rest = " ".join(words[: command_at + 1]), words[command_at + 1 :]
    if name not in COMMANDS:
        raise _unknown_command(name, rest)
    parser = _Parser(name)
    parser.refuse_unknown_options(rest)
    options, unread = parser.parse_known_args(rest, COMMANDS[name]())
    if unread:
        parser.error(f"`{name}` has no use for {shlex.join(unread)}")
    return Typed(name, options)


class _Parser(argparse.ArgumentParser):
    """The options of one command. What is wrong is raised, so that it looks as every other error does."""

    def __init__(self, name: str) -> None:
        text, examples, end = cleandoc(COMMANDS[name].__doc__ or "").partition("\n\nexamples:")
        super().__init__(
            prog=f"{_PROGRAM} {name}",
            description=text,
            epilog=f"{examples}{end}".lstrip(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            # An abbreviation would become another option's as soon as there is one.
            allow_abbrev=False,
        )
        self._name = name
        declare(self, COMMANDS[name])

    def error(self, message: str) -> NoReturn:
        """Raise what argparse has found.

        Raises:
            UsageError: Always.
        """
        raise UsageError(message, hint=f"`{self.prog} --help` has all options and three examples.")

    def refuse_unknown_options(self, words: Sequence[str]) -> None:
        """Name the option that was meant, before argparse misses what only the right one gives.

        Raises:
            UsageError: A word is no option of this command.
        """
        known = [option for option in self._option_string_actions if option.startswith("--")]
        for word in words[: words.index("--")] if "--" in words else words:
            option = word.partition("=")[0]
            if not option.startswith("--") or " " in option or option in known:
                continue
            longer = [each for each in known if each.startswith(option)]
            near = longer or get_close_matches(option, known, n=1, cutoff=0.75)
            meant = f"Did you mean {near[0]}? " if near else ""
            every = f"`{self.prog} --help` has all options."
            raise UsageError(f"`{self._name}` has no option {option}", hint=f"{meant}{every}")


def _unknown_command(name: str, rest: Sequence[str]) -> UsageError:
    """Say what to type: the nearest name."""
    if name.startswith("-"):
        option = name.partition("=")[0]
        return UsageError(f"no command stands before {option}", hint=f"`{_PROGRAM} --help` lists the commands.")
    group = "judges " if name.startswith("judges ") else ""
    listed = [known for known, command in COMMANDS.items() if command.place != "unlisted"]
    known = [each.removeprefix(group) for each in listed if each.startswith(group)]
    near = get_close_matches(name.removeprefix(group), known, n=1)
    if near:
        return UsageError(
            f"there is no command `{name}`; did you mean:",
            hint=f"{_PROGRAM} {group}{near[0]} {shlex.join(rest)}".rstrip(),
        )
    return UsageError(f"there is no command `{name}`", hint=f"`{_PROGRAM} {group}--help` lists the commands.")


def _help() -> str:
    return f"""\
usage: {_PROGRAM} COMMAND [options]

A release gate for RAG applications: may this ship, and if not, what do I repair
first?

commands:
{_command_lines("commands")}

more:
{_command_lines("more")}

start here:
  {_PROGRAM} init --url http://localhost:8000/ask
  {_PROGRAM} run

`{_PROGRAM} COMMAND --help` has the options of a command and three examples;
`{_PROGRAM} --version` prints the version.

exit codes: 0 release, 1 block, 2 usage, 3 inconclusive, 4 bug in raggate
"""


def _judges_help() -> str:
    _summary, text, examples = cleandoc(COMMANDS["judges"].__doc__ or "").split("\n\n")
    commands = f"commands:\n{_command_lines('judges')}"
    return f"usage: {_PROGRAM} judges COMMAND [options]\n\n{text}\n\n{commands}\n\n{examples}\n"


def _command_lines(place: Place) -> str:
    there = {name: command.summary() for name, command in COMMANDS.items() if command.place == place}
    width = max(map(len, there))
    return "\n".join(f"  {name:<{width}}  {summary}" for name, summary in there.items())
