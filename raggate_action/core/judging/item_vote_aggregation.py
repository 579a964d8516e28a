"""What judges say of an answer beside facts, criteria and relevance becomes what the armed ones of them decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, decide, judge_record, judgements_by
from raggate_action.core.judging.facts_and_criteria import ITEM_GATES, AnswerItem
from raggate_action.schema.answer_votes import AnswerVotes, ItemOpinion, JudgedItem
from raggate_action.schema.judgement import ItemVote, Judgement
from raggate_action.schema.outcome import GATE_OF, ItemGate, ItemKind

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
    present = judgements_by(next(iter(terms.values())).members, judgements)
    held_against = [
        JudgedItem(
            kind=each.kind,
            item=each.id,
            text=None if each.withheld else each.text,
            must_not=each.must_not,
            withheld=each.withheld,
        )
        for each in items
    ]
    relevance = [JudgedItem(kind="answer"), *[JudgedItem(kind="chunk", item=each) for each in dict.fromkeys(chunks)]]
    folded = []
    for item in [*held_against, *relevance]:
        gate = GATE_OF[item.kind]
        own = PanelTerms(()) if gate is None else terms[gate]
        votes = () if item.withheld else tuple(_votes_on(item, present, own, answer))
        said = decide([(vote.judge, vote.said) for vote in votes], own, item.order)
        if votes or gate is not None:
            folded.append(item.model_copy(update={"votes": votes, "said": said}))
    asked = []
    for judgement in present:
        gates = [gate for gate in ITEM_GATES if gate in terms and judgement.judge in terms[gate].deciding_judges]
        asked.append(judge_record(judgement, armed=bool(gates), armed_for=tuple(gates)))
    return AnswerVotes(judges=tuple(asked), items=tuple(folded))


def _votes_on(
    item: JudgedItem, judgements: Iterable[Judgement], terms: PanelTerms, answer: str
) -> Iterator[ItemOpinion]:
    """One vote of each judge that has one on the item."""
    for judgement in judgements:
        vote = next((each for each in judgement.items if (each.kind, each.item) == (item.kind, item.item)), None)
        if vote is not None and vote.said in item.order and answer_holds_quote(vote, answer):
            armed = judgement.judge in terms.deciding_judges
            yield ItemOpinion(judge=judgement.judge, armed=armed, said=vote.said, quote=vote.quote, note=vote.note)


def answer_holds_quote(vote: ItemVote, answer: str) -> bool:
    """Whether the answer holds the words that a vote rests on, as far as it has to rest on any."""
    if vote.kind not in _ITEMS or vote.said not in QUOTED:
        return vote.quote is None
    return vote.quote is not None and bool(vote.quote.strip()) and vote.quote in answer
