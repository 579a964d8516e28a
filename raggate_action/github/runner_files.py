"""The files a runner gives each step: outputs and the job summary."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

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
