"""The Markdown sink: how each span and shape of a page is written for GitHub. Layout stands in the templates."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import assert_never

from raggate_action.report.escape import command, inline_code, prose, with_code
from raggate_action.report.page import Column
from raggate_action.report.text import Code, Command, Foreign, Link, Message, Number, Strong, Text
from raggate_action.schema.decision import DecisionKind

# GitHub's names for the colours of an alert.
_ALERTS: dict[DecisionKind, str] = {"release": "TIP", "block": "CAUTION", "inconclusive": "WARNING"}


def inline(text: Text) -> str:
    """The text on one line, with nothing foreign alive in it."""
    match text:
        case str():
            written = text
        case tuple():
            written = "".join([inline(part) for part in text])
        case Foreign():
            written = prose(text.text) or text.if_blank
        case Code():
            written = inline_code(text.text)
        case Command():
            written = command(text.text)
        case Message():
            written = with_code(text.text)
        case Number():
            # A long number looks like a commit to GitHub.
            written = re.sub(r"\d{7,}", lambda found: inline_code(found[0]), str(text.value))
        case Strong():
            written = f"**{inline(text.text)}**"
        case Link():
            words = "".join([word if isinstance(word, str) else str(word.value) for word in text.words])
            written = f"[{words}]({text.address})"
        case _:
            assert_never(text)
    return written


def rule(column: Column) -> str:
    """What stands under the title of a column: numbers keep to the right."""
    return "---:" if column.numeric else "---"


def alert(kind: DecisionKind) -> str:
    """The kind of alert a decision stands in."""
    return _ALERTS[kind]


# What the templates may call.
FILTERS: dict[str, Callable[..., str]] = {"inline": inline, "rule": rule, "alert": alert}
