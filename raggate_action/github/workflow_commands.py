"""What a runner reads in a log: its commands written right, and everything else kept from being one.

A runner reads stdout and stderr line by line. `::name ...::` at the start of a line is a command, and so is the old
form `##[name ...]` anywhere in one; a lone carriage return ends a line too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

Level = Literal["error", "warning", "notice"]
# The runner keeps this many of each level per step, and this much of a message.
MOST_ANNOTATIONS = 10
LONGEST_MESSAGE = 4096
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)


class Annotation(NamedTuple):
    """A message at a place in the repository.

    Attributes:
        level: How it is shown.
        message: What is said; cut to what the runner keeps.
        title: Its heading; empty for none.
        file: Path from the top of the repository; empty for no place.
        line: Line in the file, from 1; None for the file as a whole.
    """

    level: Level
    message: str
    title: str = ""
    file: str = ""
    line: int | None = None


def annotation_line(annotation: Annotation) -> str:
    """The command that makes an annotation, without a line break."""
    place = {"file": annotation.file, "line": str(annotation.line or ""), "title": annotation.title}
    properties = ",".join(f"{key}={_property(value)}" for key, value in place.items() if value)
    return f"::{annotation.level}{' ' if properties else ''}{properties}::{_data(annotation.message[:LONGEST_MESSAGE])}"


def mask_lines(secrets: Iterable[str]) -> list[str]:
    """The commands that make the runner hide these values; a value of several lines is hidden line by line."""
    parts = dict.fromkeys(line.strip() for secret in secrets for line in [secret, *secret.splitlines()])
    return [f"::add-mask::{_data(part)}" for part in parts if part]


def neutralised(text: str) -> str:
    """Text for the log in which nothing is a command; line feeds and tabs stay, other controls show as `?`.

    What would have been a command stays readable: a space stands in it.
    """
    plain = _CONTROLS.sub("?", text.replace("\r\n", "\n"))
    return _COMMAND.sub(r"\1: ", plain).replace("##[", "## [")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
