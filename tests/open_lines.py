"""What a reader of a comment sees before any click: its lines and words outside of folds."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

# GitHub puts its own name for the colour on top of an alert: a line that a reader sees.
_ALERT = re.compile(r"> \[!([A-Z]+)\]")
_RULE = re.compile(r"\|(?: -{3}:? \|)+")


class OpenText(NamedTuple):
    """The lines that stand open, as they read, and the words in them."""

    lines: tuple[str, ...]

    @property
    def words(self) -> int:
        return sum(len(line.split()) for line in self.lines)


def open_text(page: str) -> OpenText:
    """Every line outside of folds with anything to read on it; of a fold the one line to click.

    Markup counts as no word, a link as its words, and what is hidden as nothing.
    """
    lines: list[str] = []
    depth = 0
    for line in page.splitlines():
        summary = re.match(r"<details><summary>(.*)</summary>$", line)
        if summary:
            lines += [_read(summary[1])] if not depth else []
            depth += 1
        elif line == "</details>":
            depth -= 1
        elif not depth and not line.startswith("<!-- ") and not _RULE.fullmatch(line):
            alert = _ALERT.fullmatch(line)
            text = alert[1].capitalize() if alert else _read(line)
            lines += [text] if text else []
    return OpenText(tuple(lines))


def _read(line: str) -> str:
    """A line of Markdown as it reads."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line)
    text = re.sub(r"^(?:>\s?)*\s*(?:[-•] )?|</?sub>|\*\*|`", "", text)
    return html.unescape(text).replace("|", " ").replace(" · ", " ").strip()
