"""A command's options as the fields of a record: what is typed becomes the record, and whoever calls it makes one."""

from __future__ import annotations

import argparse
from dataclasses import MISSING, dataclass, field, fields
from inspect import cleandoc
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

# Workflows call the unlisted commands; no person types them.
Place: TypeAlias = Literal["commands", "more", "judges", "unlisted"]


def option(metavar: str, text: str, *, default: Any = None, **more: Any) -> Any:
    """A field that is an option `--name`.

    Args:
        metavar: What stands for its value; empty for one without.
        text: Its line in the help.
        default: Its value where it is not typed.
        more: `flag` where it is not called as the field is; `positional` of one that is typed without a name;
            `only_one` names options of which one may be given; `group` is the title that it stands under; any argument
            of `add_argument`.
    """
    return field(default=default, metadata={"metavar": metavar, "help": text, **more})


def repeated(metavar: str, text: str) -> Any:
    """A field that is an option which may be given several times."""
    return field(default_factory=list, metadata={"metavar": metavar, "help": text})


@dataclass(kw_only=True)
class Options:
    """What a command is called with; the docstring of a command is its help.

    Attributes:
        place: The part of `raggate-action --help`, or of `judges --help`, that lists it.
    """

    place: ClassVar[Place] = "commands"

    @classmethod
    def summary(cls) -> str:
        """One line for the list."""
        line = cleandoc(cls.__doc__ or "").partition("\n")[0].removesuffix(".")
        return f"{line[:1].lower()}{line[1:]}"


def declare(parser: argparse.ArgumentParser, record: type[Options]) -> None:
    """Declare the options of a command: first what is typed without a name, each in the order of the fields."""
    groups: dict[str, argparse._ActionsContainer] = {"": parser}
    for each in sorted(fields(record), key=lambda each: not each.metadata.get("positional")):
        made = dict(each.metadata)
        named, title = made.pop("only_one", ""), made.pop("group", "")
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        if named and named not in groups:
            groups[named] = groups[title].add_mutually_exclusive_group()
        flag = made.pop("flag", f"--{each.name.replace('_', '-')}")
        default = each.default if each.default is not MISSING else []
        kind = str(each.type)
        if made.pop("positional", False):
            names, made = [each.name], {"nargs": "?", **made}
        else:
            names, made = [flag], {"dest": each.name, **made}
        if kind == "bool":
            made["action"] = "store_false" if default else "store_true"
        elif kind.startswith("list"):
            made["action"] = "append"
        elif "Path" in kind:
            made["type"] = Path
        elif "int" in kind:
            made["type"] = _positive
        if not made["metavar"]:
            del made["metavar"]
        groups[named or title].add_argument(*names, default=default, **made)


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count: write 1 or more")
    return number
