"""Sentences that lean on the one before: quoted elsewhere they may be about something else."""

from __future__ import annotations

import re
from functools import cache

from raggate_action.core.text.languages.language_rules import KNOWN, others, rules_of


@cache
def _beginnings(language: str) -> re.Pattern[str] | None:
    beginnings = rules_of(language).leaning if language in KNOWN else others()["leaning"].get(language)
    return re.compile(beginnings) if beginnings is not None else None


def leans_back(words: str, language: str) -> bool:
    """Whether a sentence may be about what stands before it, which an answer may have changed.

    Args:
        words: The sentence in lower case.
        language: ISO 639-1 code; in a language without rules every sentence may.
    """
    beginnings = _beginnings(language)
    return beginnings is None or beginnings.match(words) is not None
