"""Who is ahead, as far as a panel's test tells."""

from __future__ import annotations

from typing import Final

from raggate_action.schema.ab_result import Headline
from raggate_action.schema.judge_rows import Winner

# A two-sided p-value below it is no chance.
LEVEL: Final = 0.05
# With fewer nothing is claimed, whatever a test says.
LEAST_QUESTIONS: Final = 10


def may_claim(headline: Headline) -> bool:
    """Whether there are enough questions to claim anything."""
    return headline.test is not None and headline.questions >= LEAST_QUESTIONS


def ahead_by_test(headline: Headline) -> Winner | None:
    """Who is ahead: a tie where the test tells nobody apart, None where nothing may be claimed."""
    if not may_claim(headline) or headline.test is None:
        return None
    if headline.test.two_sided.value >= LEVEL or not headline.mean_delta:
        return "tie"
    return "treatment" if headline.mean_delta > 0 else "control"
