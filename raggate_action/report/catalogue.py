"""What happened, in words: the rows of `catalogue.json` by code. No other report module has such words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pkgutil import get_data
from string import Formatter

from raggate_action.report.page import Code, Strong, Text
from raggate_action.strings.numbers import count

_TABLES = json.loads(get_data(__name__, "catalogue.json") or "")
# By code of a problem: what is wrong with `one` answer, its detail between braces (the detail alone where the row has
# none); what cases with it did, in the past tense for one and many; the `way` out where it is not the stage's repair.
PROBLEMS: Mapping[str, Mapping[str, str]] = _TABLES["problems"]
# What the cases did that fail at a stage with several problems, and the `repair`; what those did that a gate on the run
# names.
STAGES: Mapping[str, Mapping[str, str]] = _TABLES["stages"]
GATES: Mapping[str, str] = _TABLES["gates"]
GATE_NAMES: Mapping[str, str] = _TABLES["gate names"]
# Why a judge's call, or a row of an A/B comparison, has no result.
LOST: Mapping[str, str] = _TABLES["lost"]
# Why what a model wrote about such a comparison is left out.
REJECTED: Mapping[str, str] = _TABLES["rejected"]
# Findings of such a comparison, and remarks on a file of its rows; see `filled`.
FINDINGS: Mapping[str, str] = _TABLES["findings"]
ROW_REMARKS: Mapping[str, str] = _TABLES["row remarks"]
# Why a baseline was not judged again, and why no outcome of it is carried over.
NOT_JUDGED_AGAIN: Mapping[str, str] = _TABLES["not judged again"]
NOT_CARRIED: Mapping[str, str] = _TABLES["not carried"]


def did(code: str) -> str:
    """What cases with a problem did: `declined to answer`; empty for a code without such words."""
    return PROBLEMS.get(code, {}).get("many", "")


def repair_of(stage: str, code: str = "") -> str:
    """What to do first about cases that fail at a stage; `code` where all of them have the one problem."""
    return PROBLEMS.get(code, {}).get("way") or f"repair {STAGES[stage]['repair']}"


def filled(row: str, value: Callable[[str], Text | int]) -> Text:
    """A row with what its braces name in place; `**` makes what stands out, a backtick code.

    Args:
        row: `{judges:judge}` is a count with its noun, `{lost:was|were}` one with the form for one and for many.
        value: A count, or what is said, by name.
    """
    parts: list[Text] = []
    for place, part in enumerate(row.split("**")):
        spans = [Code(each) if at % 2 else _with_values(each, value) for at, each in enumerate(part.split("`"))]
        parts.append(Strong(tuple(spans)) if place % 2 else tuple(spans))
    return tuple(parts)


def _with_values(words: str, value: Callable[[str], Text | int]) -> Text:
    parts: list[Text] = []
    for text, name, noun, _conversion in Formatter().parse(words):
        found = value(name) if name else ""
        if isinstance(found, int):
            one, _bar, many = (noun or "").partition("|")
            found = count(found, one, many or None) if one else f"{found:,}"
        parts += [text, found]
    return tuple(parts)
