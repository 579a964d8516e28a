"""The columns of a file of judge rows. A is always the control, whatever a judge was shown as A."""

from __future__ import annotations

from typing import Final

QUESTION_ID: Final = "question_id"
QUESTION_TYPE: Final = "question_type"
QUESTION: Final = ("run_id", "timestamp", QUESTION_ID, "question_text", QUESTION_TYPE)
JUDGE: Final = "judge_name"
MODEL: Final = "judge_model"
HARNESS: Final = "judge_harness"
LAB: Final = "judge_lab"
RESPONSES: Final = ("baseline_response", "augmented_response")
TOTALS: Final = ("total_A", "total_B")
VERDICT: Final = "verdict"
TOTALS_AND_VERDICT: Final = (*TOTALS, VERDICT)
REASON: Final = "verdict_reason"
ORDER: Final = "order"
SHOWN_FIRST: Final = "shown_first"
# What a judge says its scores come to. A file without these has it in the totals and the verdict themselves, which are
# worked out of the scores otherwise.
CLAIMED: Final = ("claimed_total_A", "claimed_total_B", "claimed_verdict")
LOST: Final = "lost"
IDENTICAL: Final = "identical"

BEFORE_SCORES: Final = (*QUESTION, JUDGE, *RESPONSES)
# What this program adds to the columns that others know.
OWN: Final = (HARNESS, LAB, ORDER, SHOWN_FIRST, *CLAIMED, LOST, IDENTICAL)
BEHIND_SCORES: Final = (*TOTALS, VERDICT, REASON, *OWN)
KNOWN: Final = frozenset((*BEFORE_SCORES, *BEHIND_SCORES, MODEL))
# Missed by a reader where a file lacks them; nothing is counted by them.
EXPECTED: Final = (*QUESTION, *RESPONSES, *TOTALS, VERDICT, REASON)
# Taken as they are; around everything else spaces and tabs are a slip.
VERBATIM: Final = frozenset(("question_text", *RESPONSES, REASON, LOST))

YES: Final = "yes"
