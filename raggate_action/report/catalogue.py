"""What happened, in words: the rows of `catalogue.json` by code. No other report module has such words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pkgutil import get_data

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
# Findings of such a comparison, and remarks on a file of its rows; see `record_words.said`.
# Chapter of the page of an A/B -> finding -> its words.
FINDINGS: Mapping[str, Mapping[str, Sequence[str]]] = _TABLES["findings"]
ROW_REMARKS: Mapping[str, Sequence[str]] = _TABLES["row remarks"]
# Why an answer of the baseline was not evaluated again.
NOT_EVALUATED: Mapping[str, str] = _TABLES["not evaluated"]
# What a job of judges judges, and how its two sides are called.
JOBS: Mapping[str, Mapping[str, str]] = _TABLES["jobs"]
# What is said about a record, what stands there for a value of a field, and the columns of tables of records
# (title -> cell); see `record_words`.
SAID: Mapping[str, Sequence[str]] = _TABLES["said"]
BY_VALUE: Mapping[str, Mapping[str, str]] = _TABLES["by value"]
COLUMNS: Mapping[str, Mapping[str, Sequence[str]]] = _TABLES["columns"]


def did(code: str) -> str:
    """What cases with a problem did: `declined to answer`; empty for a code without such words."""
    return PROBLEMS.get(code, {}).get("many", "")


def repair_of(stage: str, code: str = "") -> str:
    """What to do first about cases that fail at a stage; `code` where all of them have the one problem."""
    return PROBLEMS.get(code, {}).get("way") or f"Repair: {STAGES[stage]['repair']}"
