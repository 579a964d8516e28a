"""Votes on facts and criteria become what the armed judges decide: each rule with the case that looks like its breach."""

from __future__ import annotations

import pytest

from raggate_action.core.judging.claim_vote_aggregation import PanelTerms
from raggate_action.core.judging.facts_and_criteria import AnswerItem
from raggate_action.core.judging.item_vote_aggregation import ItemTerms, fold_items
from raggate_action.schema.answer_votes import AnswerVotes, JudgedItem
from raggate_action.schema.judgement import ItemSaid, ItemVote, Judgement
from raggate_action.schema.outcome import ItemKind
from tests.panel_builders import judgement, lost

ANSWER = "The fee is 20 EUR per night. Dogs may stay."
QUOTE = "The fee is 20 EUR per night"
FACT = AnswerItem("fact", "fact-1", "The fee is 20 EUR.")
CRITERION = AnswerItem("criterion", "criterion-1", "names the fee")
FORBIDDEN = AnswerItem("criterion", "criterion-2", "promises a refund", must_not=True)
ALL = PanelTerms(("a", "b", "c"), frozenset("abc"), 2)
BOTH: ItemTerms = {"agreement": ALL, "criteria": ALL}


def said(judge: str, word: ItemSaid, item: AnswerItem = FACT, *, quote: str | None = QUOTE) -> Judgement:
    kind: ItemKind = item.kind
    needs = word in {"stated", "contradicted", "yes"}
    vote = ItemVote(kind=kind, item=item.id, said=word, quote=quote if needs else None)
    return judgement(judge, job="answer", items=(vote,))


def folded(*judgements: Judgement, item: AnswerItem = FACT, terms: ItemTerms = BOTH) -> JudgedItem:
    (found,) = fold_items([item], judgements, terms, answer=ANSWER).items
    return found


def decided(item: AnswerItem, *words: ItemSaid) -> ItemSaid | None:
    names = tuple("abcdefgh"[: len(words)])
    own = PanelTerms(names, frozenset(names), 1)
    return folded(
        *[said(n, w, item) for n, w in zip(names, words, strict=True)],
        item=item,
        terms={"agreement": own, "criteria": own},
    ).said


@pytest.mark.parametrize(
    ("item", "words", "expected"),
    [
        (FACT, ["stated"], "stated"),
        (FACT, ["stated", "stated", "contradicted"], "stated"),
        (FACT, ["stated", "lacking"], "lacking"),
        (FACT, ["lacking", "contradicted"], "contradicted"),
        (FACT, ["lacking", "lacking", "contradicted"], "lacking"),
        (CRITERION, ["yes", "no"], "no"),
        (CRITERION, ["yes", "cannot-tell"], "cannot-tell"),
        (CRITERION, ["no", "cannot-tell", "cannot-tell"], "cannot-tell"),
        (CRITERION, ["yes", "yes", "no"], "yes"),
        # Of what must not hold it is the other way round: of equals it does.
        (FORBIDDEN, ["yes", "no"], "yes"),
        (FORBIDDEN, ["no", "cannot-tell"], "cannot-tell"),
        (FORBIDDEN, ["no", "no", "yes"], "no"),
    ],
)
def test_most_votes_decide_and_of_equals_the_worse(item: AnswerItem, words: list[ItemSaid], expected: ItemSaid) -> None:
    assert decided(item, *words) == expected
    assert decided(item, *reversed(words)) == expected


def test_fewer_votes_than_the_quorum_decide_nothing_and_stay_visible() -> None:
    one = folded(said("a", "lacking"), lost("b"), lost("c"))
    assert one.said is None
    assert [(vote.judge, vote.said, vote.armed) for vote in one.votes] == [("a", "lacking", True)]


def test_judges_that_only_advise_decide_nothing_whatever_they_agree_on() -> None:
    found = folded(
        *[said(name, "contradicted") for name in "abc"], terms=dict.fromkeys(BOTH, PanelTerms(("a", "b", "c")))
    )
    assert found.said is None
    assert found.advised == "contradicted"
    assert not any(vote.armed for vote in found.votes)


def test_a_judge_is_armed_for_each_gate_by_itself() -> None:
    terms: ItemTerms = {"agreement": ALL._replace(quorum=1), "criteria": PanelTerms(ALL.members)}
    votes = (
        ItemVote(kind="fact", item="fact-1", said="lacking"),
        ItemVote(kind="criterion", item="criterion-1", said="no"),
    )
    found = fold_items([FACT, CRITERION], [judgement("a", job="answer", items=votes)], terms, answer=ANSWER)
    assert [item.said for item in found.items] == ["lacking", None]
    assert [vote.armed for item in found.items for vote in item.votes] == [True, False]
    [asked] = found.judges
    assert (asked.job, asked.armed, asked.armed_for) == ("answer", True, ("agreement",))


@pytest.mark.parametrize("quote", ["The fee is 25 EUR per night", " ", None])
def test_a_vote_whose_words_the_answer_does_not_hold_is_dropped(quote: str | None) -> None:
    assert folded(said("a", "stated", quote=quote), said("b", "stated", quote=quote)).votes == ()
    assert folded(said("a", "stated"), said("b", "stated")).said == "stated"


def test_nobody_is_heard_who_is_not_of_the_panel() -> None:
    assert folded(said("x", "contradicted"), said("y", "contradicted")) == folded()


def test_what_may_not_be_written_is_neither_shown_nor_decided() -> None:
    hidden = FACT._replace(withheld=True)
    found = folded(said("a", "stated"), said("b", "stated"), item=hidden)
    assert (found.text, found.said, found.votes, found.withheld) == (None, None, (), True)


def test_relevance_is_kept_and_decides_nothing() -> None:
    votes = (ItemVote(kind="answer", said="yes"), ItemVote(kind="chunk", item="fee", said="no"))
    found = fold_items(
        [], [judgement(name, job="answer", items=votes) for name in "ab"], BOTH, answer=ANSWER, chunks=["fee", "unseen"]
    )
    assert [(item.kind, item.item, item.said, item.advised) for item in found.items] == [
        ("answer", "", None, "yes"),
        ("chunk", "fee", None, "no"),
    ]
    assert not any(vote.armed for item in found.items for vote in item.votes)
    assert isinstance(found, AnswerVotes)
