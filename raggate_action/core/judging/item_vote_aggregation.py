"""What judges say of an answer beside facts, criteria and relevance becomes what the armed ones of them decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, judge_record
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES, AnswerItem
from raggate_action.schema.answer_votes import GATE_OF, AnswerVotes, ItemOpinion, JudgedItem, majority
from raggate_action.schema.judgement import AskedJudge, ItemGate, ItemKind, ItemVote, Judgement

# Who says this of an answer has words of it to show.
QUOTED: Final = frozenset({"stated", "contradicted", "yes"})
_ITEMS: Final[frozenset[ItemKind]] = frozenset({"fact", "criterion"})


# Whose votes count for each of the gates that only judges feed: a judge is armed for each by itself.
ItemTerms: TypeAlias = Mapping[ItemGate, PanelTerms]


def fold_items(
    items: Sequence[AnswerItem],
    judgements: Iterable[Judgement],
    terms: ItemTerms,
    *,
    answer: str,
    chunks: Sequence[str] = (),
) -> AnswerVotes:
    """Fold the judgements of one answer into what it was held against.

    Every item keeps the votes on it. Armed votes decide it once there are as many as the quorum: good where more than
    half of them say so, else what most of the others say; of equals the worse. That judges cannot tell decides it too:
    nobody else will. Good is what the votes of those say who may verify: a judge that counts by declaration may not.

    Nothing is believed that can be looked up: a vote that rests on words which the answer does not hold is dropped.

    Args:
        items: What the answer was held against.
        judgements: At most one of each member, in any order; those of others are left out.
        terms: Who is asked, and whose votes count, for each gate that an item feeds.
        answer: The answer as judges were shown it.
        chunks: Ids of the chunks whose relevance they were asked about.
    """
    by_judge = {judgement.judge: judgement for judgement in judgements}
    members = next(iter(terms.values())).members
    present = [by_judge[name] for name in members if name in by_judge]
    folded = [_judged_item(item, present, terms, answer) for item in items]
    relevance = [JudgedItem(kind="answer"), *[JudgedItem(kind="chunk", item=each) for each in dict.fromkeys(chunks)]]
    folded += [
        folded_item
        for each in relevance
        if (folded_item := _with_votes(each, present, lambda _name: False, answer)).votes
    ]
    return AnswerVotes(judges=tuple([_judge_record(each, terms) for each in present]), items=tuple(folded))


def _judged_item(item: AnswerItem, judgements: Iterable[Judgement], terms: ItemTerms, answer: str) -> JudgedItem:
    gate = GATE_OF[item.kind]
    bare = JudgedItem(
        kind=item.kind,
        item=item.id,
        text=None if item.withheld else item.text,
        must_not=item.must_not,
        withheld=item.withheld,
    )
    if gate is None or item.withheld:
        return bare
    own = terms[gate]
    deciding = own.deciding_judges
    voted = _with_votes(bare, judgements, deciding.__contains__, answer)
    counted = [vote.said for vote in voted.votes if vote.armed]
    if len(counted) < own.least:
        return voted
    opinion = majority(counted, voted.order)
    if opinion == voted.order[-1]:
        verifiers = own.of_verifiers
        counted = [vote.said for vote in voted.votes if vote.judge in verifiers.deciding_judges]
        if len(counted) < verifiers.least:
            return voted
        opinion = majority(counted, voted.order)
    return voted.model_copy(update={"said": opinion})


def _with_votes(
    item: JudgedItem, judgements: Iterable[Judgement], is_armed: Callable[[str], bool], answer: str
) -> JudgedItem:
    """The item with one vote of each judge that has one on it."""
    votes = []
    for judgement in judgements:
        vote = next((each for each in judgement.items if (each.kind, each.item) == (item.kind, item.item)), None)
        if vote is None or vote.said not in item.order or not answer_holds_quote(vote, answer):
            continue
        opinion = ItemOpinion(
            judge=judgement.judge,
            armed=is_armed(judgement.judge),
            said=vote.said,
            quote=vote.quote,
            note=vote.note,
        )
        votes.append(opinion)
    return item.model_copy(update={"votes": tuple(votes)}) if votes else item


def answer_holds_quote(vote: ItemVote, answer: str) -> bool:
    """Whether the answer holds the words that a vote rests on, as far as it has to rest on any."""
    if vote.kind not in _ITEMS or vote.said not in QUOTED:
        return vote.quote is None
    return vote.quote is not None and bool(vote.quote.strip()) and vote.quote in answer


def _judge_record(judgement: Judgement, terms: ItemTerms) -> AskedJudge:
    armed_for = tuple([gate for gate in ITEM_GATES if gate in terms and judgement.judge in terms[gate].deciding_judges])
    return judge_record(judgement, armed=bool(armed_for)).model_copy(update={"armed_for": armed_for})
