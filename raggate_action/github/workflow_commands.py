"""What a runner reads: workflow commands in the log, with other text kept from being one, and a step's files."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple, TextIO

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


def without_commands(text: str) -> str:
    """Text for the log in which nothing is a command; line feeds and tabs stay, other controls show as `?`.

    What would have been a command stays readable: a space stands in it.
    """
    plain = _CONTROLS.sub("?", text.replace("\r\n", "\n"))
    return _COMMAND.sub(r"\1: ", plain).replace("##[", "## [")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class RunnerLog(io.TextIOBase):
    """A stream in front of stdout or stderr, line by line; a reader that went away never stops a run."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = ""

    def write(self, text: str) -> int:
        """Pass on whole lines, neutralised; the rest waits for its end, so that no command is written in pieces."""
        *lines, self._line = (self._line + text).split("\n")
        if lines:
            self._pass_on("".join([f"{without_commands(line)}\n" for line in lines]))
        return len(text)

    def command(self, line: str) -> None:
        """Pass on a workflow command of ours, on a line of its own."""
        self.end_line()
        self._pass_on(f"{line}\n")

    def end_line(self) -> None:
        """Pass on what waits for its end."""
        if self._line:
            line, self._line = self._line, ""
            self._pass_on(f"{without_commands(line)}\n")

    def flush(self) -> None:
        """Nothing waits but an unfinished line, which is not passed on early."""

    def writable(self) -> bool:
        """True: only to be written to, as `print` asks of a stream."""
        return True

    def _pass_on(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            pass  # verdict first: a closed log decides nothing


@contextmanager
def runner_log(*, content: bool = False) -> Iterator[None]:
    """Put stderr, and stdout too unless it carries content, behind neutralising streams while the block runs."""
    before = sys.stdout, sys.stderr
    streams = [RunnerLog(sys.stderr)] if content else [RunnerLog(sys.stderr), RunnerLog(sys.stdout)]
    sys.stderr, sys.stdout = streams[0], sys.stdout if content else streams[1]
    try:
        yield
    finally:
        for stream in streams:
            stream.end_line()
        sys.stdout, sys.stderr = before


def send_commands(lines: Iterable[str]) -> None:
    """Give the runner workflow commands; outside a workflow nothing is written."""
    if isinstance(sys.stdout, RunnerLog):
        for line in lines:
            sys.stdout.command(line)


# Above this the runner drops a summary whole.
LARGEST_SUMMARY = 1024 * 1024


def write_outputs(path: Path, outputs: Mapping[str, str], *, delimiter: str) -> None:
    """Append outputs in the form that ends at a line equal to `delimiter`.

    Args:
        path: The file named by GITHUB_OUTPUT.
        outputs: Values by name; a value may hold anything.
        delimiter: A word nobody can guess, made anew for every call; a value that holds it is refused.

    Raises:
        ValueError: A name or value holds the delimiter, or a name is none.
        OSError: The file cannot be written.
    """
    blocks = []
    for name, value in outputs.items():
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        if delimiter in text or not name.replace("-", "").isalnum():
            raise ValueError(f"output {name!r} cannot be written")
        blocks.append(f"{name}<<{delimiter}\n{text}\n{delimiter}\n")
    with path.open("a", encoding="utf-8", errors="replace", newline="\n") as stream:
        stream.write("".join(blocks))


def append_summary(path: Path, text: str) -> None:
    """Append to the job summary; what does not fit the rest of its 1 MiB is refused, for the runner drops it whole.

    Raises:
        ValueError: It does not fit.
        OSError: The file cannot be written.
    """
    content = text.encode(errors="replace")
    there = path.stat().st_size if path.exists() else 0
    if there + len(content) > LARGEST_SUMMARY:
        raise ValueError("the job summary is full")
    with path.open("ab") as stream:
        stream.write(content)
