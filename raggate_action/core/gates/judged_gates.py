"""Gates that only judges can feed: the answer compared with what people wrote of a right one.

Where no judge is armed for one, its votes are advice: the gate is unmeasured for want of an adjudicator, whatever they
say, and nothing follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from raggate_action.core.gates.answer_gates import JudgedAnswer, nothing_to_judge, under_bar, unjudged_reason
from raggate_action.core.judging.facts_and_criteria import AnswerItem
from raggate_action.schema.base import rate_of
from raggate_action.schema.later import AnswerVotes, AskedJudge, ItemSaid, JudgedItem
from raggate_action.schema.outcome import GATE_OF, Failed, GateName, ItemGate, Outcome, Problem, Unmeasured, passed_if
from raggate_action.schema.policy import Gates

# Worst first: code of the problem, what was said, and of what.
_PROBLEMS: tuple[tuple[str, ItemSaid, Literal["fact", "criterion"], bool], ...] = (
    ("fact-contradicted", "contradicted", "fact", False),
    ("fact-lacking", "lacking", "fact", False),
    ("criterion-violated", "yes", "criterion", True),
    ("criterion-unmet", "no", "criterion", False),
)


class _Held(NamedTuple):
    """A fact or criterion, and the judges' votes on it; None if no judge was asked."""

    item: AnswerItem
    found: JudgedItem | None

    @property
    def said(self) -> ItemSaid | None:
        return self.found.said if self.found is not None else None

    @property
    def is_good(self) -> bool:
        return self.found is not None and self.found.said == self.found.order[-1]


def judged_outcomes(
    judged: JudgedAnswer, items: Sequence[AnswerItem], votes: AnswerVotes | None, gates: Gates
) -> dict[GateName, Outcome]:
    """The outcomes of the gates that the case asks for; none of a case that asks for none.

    - agreement = facts of the reference answer that the answer states / facts; what it adds counts nothing.
    - criteria = criteria that it meets / criteria. Where judges cannot tell, the gate is unmeasured.

    Neither is applicable to an answer that is empty or declines where one was expected, which fails gate 4 alone.

    Args:
        judged: The answer.
        items: What it is held against.
        votes: What judges said of it; None where nobody was asked.
        gates: The bars.
    """
    if not items:
        return {}
    judges, said = (votes.judges, votes.items) if votes is not None else ((), ())
    # By its words: the same answer may be read by the demands of another suite, which count otherwise.
    known = {(each.kind, each.text, each.must_not): each for each in said}
    found: dict[GateName, Outcome] = {}
    bars: tuple[tuple[ItemGate, Decimal], ...]
    bars = (("agreement", gates.agreement.per_case), ("criteria", gates.criteria.per_case))
    for gate, bar in bars:
        of_gate = [item for item in items if GATE_OF[item.kind] == gate]
        held = [_Held(item, known.get((item.kind, item.text, item.must_not))) for item in of_gate]
        if held:
            found[gate] = nothing_to_judge(len(held)) if judged.says_nothing else _outcome(held, judges, bar)
    return found


def _outcome(held: Sequence[_Held], judges: Sequence[AskedJudge], bar: Decimal) -> Outcome:
    good = sum(each.is_good for each in held)
    if passed := passed_if(good, len(held), bar):
        return passed
    problems = [
        # Its id first: the words may have to be left out.
        Problem(code=code, detail=f"{each.item.id}: “{each.item.text}”")
        for code, found, kind, must_not in _PROBLEMS
        for each in held
        if (each.said, each.item.kind, each.item.must_not) == (found, kind, must_not)
    ]
    unsure = len(held) - good - len(problems)
    if not unsure:
        return Failed(problems=tuple(problems), share=rate_of(good, len(held)))
    doubt = _doubt(held, judges)
    if not (good or problems):
        return doubt
    return under_bar(rate_of(good, len(held)), unsure, bar, problems, doubt)


def _doubt(held: Sequence[_Held], judges: Sequence[AskedJudge]) -> Unmeasured:
    """Why some of what an answer is held against is undecided.

    What nobody may be asked about is nobody's fault; what judges were asked and could not tell is a measurement that
    failed, so that no answer escapes a criterion by being unclear.
    """
    kind = held[0].item.kind
    what = "whether the answer states" if kind == "fact" else "whether the answer meets"
    unclear = [each.item.id for each in held if each.said == "cannot-tell"]
    if unclear:
        return Unmeasured(reason="judge", detail=f"they cannot tell {what} {', '.join(unclear)}")
    left = [each for each in held if each.said is None]
    open_ones = [each for each in left if not each.item.withheld]
    if not open_ones:
        names = ", ".join([each.item.id for each in left])
        detail = f"{names}: its words are not for the case's asker, so that no judge is asked"
        return Unmeasured(reason="no-adjudicator", detail=detail)
    names = ", ".join([each.item.id for each in open_ones])
    nobody = Unmeasured(reason="no-adjudicator", detail=f"{what} {names} needs a judge whose verdicts count")
    gate = GATE_OF[kind]
    armed = [judge for judge in judges if gate in judge.armed_for]

    def is_silent(judge: AskedJudge) -> bool:
        found = [each.found for each in open_ones if each.found is not None]
        return any(all(vote.judge != judge.judge for vote in each.votes) for each in found)

    return unjudged_reason(f"{what} {names} is open", armed, is_silent, nobody)
