"""Attempts at judges' calls in words: those beyond one a call, and those of whose cost nobody knows."""

from __future__ import annotations

from raggate_action.schema.judgement import AskedJudge
from raggate_action.schema.judging_counts import JudgingCounts
from raggate_action.strings.numbers import count


def further_attempts(of: AskedJudge | JudgingCounts) -> str:
    """`, 3 further attempts`, to stand behind a number of calls; empty of none."""
    return f", {count(of.attempts, 'further attempt')}" if of.attempts else ""


def unmetered_attempts(of: AskedJudge | JudgingCounts) -> str:
    """` and 2 attempts of unknown cost`, to stand behind a cost; empty of none."""
    return f" and {count(of.unmetered, 'attempt')} of unknown cost" if of.unmetered else ""
