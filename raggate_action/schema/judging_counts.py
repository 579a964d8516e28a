"""What judging a run came to, in numbers. Of a run without judges all are 0."""

from operator import not_

from pydantic import Field

from raggate_action.schema.base import Natural, Rate, Record, Total
from raggate_action.schema.judgement import LostCode, Usage
from raggate_action.schema.outcome import ItemKind


class CallCost(Record):
    """What calls of judges took; what had been said before took nothing.

    Attributes:
        calls: Calls made.
        attempts, unmetered: As in `JudgeReply`.
        usage: Their tokens.
        cost_usd: Of the calls of judges with a price.
        unpriced: Judges whose calls are not in the cost, by name.
    """

    calls: Natural = 0
    attempts: Natural = Field(default=0, exclude_if=not_)
    unmetered: Natural = Field(default=0, exclude_if=not_)
    usage: Usage = Usage()
    cost_usd: Total = 0.0
    unpriced: tuple[str, ...] = ()


class ItemCount(Record):
    """What judges said of the things of one kind that answers were held against, by most of their votes.

    Attributes:
        kind: Facts, criteria, answers, or chunks.
        total: Those with a vote.
        good: Stated, met, relevant.
        unclear: Judges cannot tell.
    """

    kind: ItemKind
    total: Natural
    good: Natural = 0
    unclear: Natural = 0


class ClaimAdvice(Record):
    """Claims that judges call faulty and that nothing decides, for none of the judges counts.

    Attributes:
        claims, answers: Those that every judge heard calls faulty, and the answers they stand in.
        by_most, answers_by_most: Those beside them that most do, and the further answers that have only such.
        heard: The fewest judges heard on one of the former.
        contradicted, unsupported, partial: How most judges call each of the former; of equals the worse.
    """

    claims: Natural = 0
    answers: Natural = 0
    by_most: Natural = 0
    answers_by_most: Natural = 0
    heard: Natural = 0
    contradicted: Natural = 0
    unsupported: Natural = 0
    partial: Natural = 0


class JudgingCounts(CallCost):
    """What judging a run came to, counted from its rows.

    Attributes:
        answers: Answers that a judge was to be asked about.
        judgements: Of all members together: answers times members, for each job.
        reused: Judgements taken from an earlier one of the same key.
        lost: Judgements lost, by reason, most first.
        calls, attempts, unmetered, usage, cost_usd, unpriced: As in `CallCost`, calls about labels among them.
        agreement: Claims with two votes or more on which all are on one side (supported or not), of all such claims.
        decided: Claims whose verdict the panel decided.
        faulty: Of these, those that it does not call supported.
        against_rules: Claims where a vote says otherwise than a label or a certain rule.
        items: What they said beside facts, criteria and relevance, armed or not.
        advice: What they call faulty without counting.
    """

    answers: Natural = 0
    judgements: Natural = 0
    reused: Natural = 0
    lost: dict[LostCode, Natural] = {}
    agreement: Rate = Rate(hits=0, total=0)
    decided: Natural = 0
    faulty: Natural = Field(default=0, exclude_if=not_)
    against_rules: Natural = 0
    items: tuple[ItemCount, ...] = Field(default=(), exclude_if=not_)
    advice: ClaimAdvice = Field(default=ClaimAdvice(), exclude_if=ClaimAdvice().__eq__)
