"""Remarks on a file of judge rows: what was cleaned, and what it lacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from raggate_action.report.ab_words import name_list
from raggate_action.report.page import Text
from raggate_action.schema.judge_rows import RowsRemark, RowsRemarkCode
from raggate_action.strings.numbers import count


def remark_text(remark: RowsRemark) -> Text:
    """The remark as a sentence: what, how many, in which columns and lines."""
    return _WORDS[remark.code](remark)


def _cells(words: str, behind: str = "") -> Callable[[RowsRemark], Text]:
    def text(remark: RowsRemark) -> Text:
        of: Text = (" of ", name_list(remark.names)) if remark.names else ""
        where = f" in {count(remark.rows, 'row')} (lines {_lines(remark)})"
        return words.format(count(remark.count, "cell")), of, where, behind, "."

    return text


def _lines(remark: RowsRemark) -> str:
    more = remark.rows - len(remark.lines)
    return ", ".join(map(str, remark.lines)) + (f" and {more:,} more" if more > 0 else "")


def _listed(words: str, noun: str, behind: str = "") -> Callable[[RowsRemark], Text]:
    def text(remark: RowsRemark) -> Text:
        return words.format(count(remark.count, noun)), ": ", name_list(remark.names, remark.count), f"{behind}."

    return text


def _unscored(remark: RowsRemark) -> Text:
    return f"{count(remark.count, 'row')} without any score (lines {_lines(remark)}): taken as lost calls."


_WORDS: Mapping[RowsRemarkCode, Callable[[RowsRemark], Text]] = {
    "trimmed": _cells("Spaces and tabs taken off {}"),
    "decimals": _cells("Whole numbers written with decimals, read as whole in {}"),
    "claim-unclear": _cells("No clear total or verdict in {}", ": taken as not said"),
    "unscored": _unscored,
    "pairs-unscored": _listed("{} of columns that are no scores from 1 to 5, not read", "pair"),
    "columns-ignored": _listed("{} that nobody reads", "column"),
    "columns-absent": _listed("{} not there", "column", "; nothing is counted by them"),
    "answers-differ": _listed("Judges read different answers to {}", "question", "; each is counted as one question"),
    "cells-missing": _listed("{} of a question and a judge missing", "row", "; counted as lost"),
}
