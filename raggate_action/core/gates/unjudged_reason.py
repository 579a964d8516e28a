"""Why something about an answer went without a verdict: nobody is there to give one, or who was asked gave none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import AskedJudge
from raggate_action.schema.outcome import Unmeasured, UnmeasuredReason

_REASONS: dict[str, UnmeasuredReason] = {"budget": "budget", "cut": "cut"}
# The first that any judge was lost for: what another run may mend by itself comes last.
_FIRST: tuple[UnmeasuredReason, ...] = ("judge", "cut", "budget")


def claims_left_open(unsure: Sequence[Claim], judges: Iterable[AskedJudge], otherwise: Unmeasured) -> Unmeasured:
    """Why claims are unverified.

    Args:
        unsure: The claims, one or more.
        judges: Who was to be asked about the answer.
        otherwise: What holds where no judge is the reason: none is armed, or a label and the answer are at odds.
    """
    left = [claim for claim in unsure if is_open(claim)]
    what = "1 claim is" if len(left) == 1 else f"{len(left)} claims are"

    def is_silent(judge: AskedJudge) -> bool:
        return any(all(vote.judge != judge.judge for vote in claim.votes) for claim in left)

    return left_open(f"{what} left open", judges, is_silent, otherwise) if left else otherwise


def left_open(
    what: str, judges: Iterable[AskedJudge], is_silent: Callable[[AskedJudge], bool], otherwise: Unmeasured
) -> Unmeasured:
    """Why a question about an answer has no verdict, where the armed judges did not reach their quorum on it.

    Args:
        what: What is left open, for people.
        judges: Who was to be asked about the answer; only the armed ones matter.
        is_silent: Whether a judge whose reply counts said nothing of it.
        otherwise: What holds where every armed judge spoke, or none is armed.
    """
    armed = [judge for judge in judges if judge.armed]
    lost = [(judge, judge.lost) for judge in armed if judge.lost is not None]
    silent = [judge.judge for judge in armed if judge.lost is None and is_silent(judge)]
    if not (lost or silent):
        return otherwise
    found = {_REASONS.get(each.code, "judge") for _judge, each in lost}
    reason = "judge" if silent else next(each for each in _FIRST if each in found)
    why = []
    if lost:
        judge, first = next((each for each in lost if _REASONS.get(each[1].code, "judge") == reason), lost[0])
        why.append(f"{len(lost)} of {len(armed)} judges lost, first {judge.judge} ({first.code}: {first.detail})")
    if silent:
        why.append(f"no verdict of {', '.join(silent)}")
    return Unmeasured(reason=reason, detail=f"{what}: {'; '.join(why)}")
