"""What judges said of an answer beside what people wrote of a right one, as the answer's row keeps it."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from operator import not_
from typing import TypeVar

from pydantic import Field

from raggate_action.schema.base import Record
from raggate_action.schema.case_run import Hallucination, Musts, Outcomes
from raggate_action.schema.judgement import AskedJudge, ItemSaid
from raggate_action.schema.outcome import ItemKind

_Said = TypeVar("_Said", bound=Hashable)
_FACT: tuple[ItemSaid, ...] = ("contradicted", "lacking", "stated")
_DOES: tuple[ItemSaid, ...] = ("no", "cannot-tell", "yes")


def worst_first(kind: ItemKind, *, must_not: bool = False) -> tuple[ItemSaid, ...]:
    """What can be said of a thing of this kind; the last alone is good."""
    return _FACT if kind == "fact" else tuple(reversed(_DOES)) if must_not else _DOES


def majority(opinions: Iterable[_Said], order: Sequence[_Said]) -> _Said | None:
    """What votes come to: the good where more than half say so, else what most of the others say; of equals the worse.

    Args:
        opinions: The votes; None comes of none.
        order: What can be said, the worst first; the last alone is good.
    """
    given = Counter(opinions)
    if 2 * given[order[-1]] > given.total():
        return order[-1]
    return max(order[:-1], key=lambda each: given[each]) if given else None


class ItemOpinion(Record):
    """One judge on one thing.

    Attributes:
        judge: The judge's name.
        armed: Its vote counts.
        said: What it says.
        quote: Words of the answer it rests on, verbatim; None without any or under `texts: ids`.
        note: Why, in the judge's words; None where it said nothing, or under `texts: ids`.
    """

    judge: str
    armed: bool = False
    said: ItemSaid
    quote: str | None = None
    note: str | None = None


class JudgedItem(Record):
    """A fact of the reference answer, a criterion, or what may be relevant; with all votes on it.

    Attributes:
        kind: Which of these.
        item: The fact's or the criterion's id (`fact-2`), the chunk's id, or empty for the answer.
        text: The fact, or what the criterion says; None where it says nothing more, or may not be written.
        must_not: A criterion that must not hold.
        withheld: It repeats what the case's asker may not read, so that nobody was asked.
        said: What the armed judges decided; None where they did not.
        votes: Of every judge that has one, in the panel's order.
    """

    kind: ItemKind
    item: str = ""
    text: str | None = None
    must_not: bool = Field(default=False, exclude_if=not_)
    withheld: bool = Field(default=False, exclude_if=not_)
    said: ItemSaid | None = None
    votes: tuple[ItemOpinion, ...] = ()

    @property
    def order(self) -> tuple[ItemSaid, ...]:
        """What can be said of it, the worst first; the last alone is good."""
        return worst_first(self.kind, must_not=self.must_not)

    @property
    def advised(self) -> ItemSaid | None:
        """What all judges together say, armed or not; None where none does."""
        return majority([vote.said for vote in self.votes], self.order)


class AnswerVotes(Record):
    """What became of asking judges about an answer beside what people wrote of a right one.

    Attributes:
        judges: What became of asking each judge, in the panel's order.
        items: Facts, criteria and what may be relevant, in this order.
    """

    judges: tuple[AskedJudge, ...] = ()
    items: tuple[JudgedItem, ...] = ()

    def of(self, kind: ItemKind) -> tuple[JudgedItem, ...]:
        """The items of one kind."""
        return tuple([each for each in self.items if each.kind == kind])


class ByRules(Record):
    """How a case comes out by labels, quotation and rules alone, where a panel has changed it.

    So a run without judges, or with others, is held against what they did not touch.

    Attributes:
        outcomes: Those that differ from the row's.
        hallucinations, musts: As in `CaseRun`.
    """

    outcomes: Outcomes = {}
    hallucinations: tuple[Hallucination, ...] = ()
    musts: Musts | None = None
