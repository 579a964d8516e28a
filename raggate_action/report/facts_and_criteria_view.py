"""Facts and criteria that judges checked answers against, with every vote, its quotation and its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from raggate_action.report.comment_size import Extent
from raggate_action.report.page import Code, Foreign, Item, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.answer_votes import GATE_OF, AnswerVotes, ItemOpinion, JudgedItem
from raggate_action.schema.case_run import CaseRun
from raggate_action.schema.judgement import ItemSaid
from raggate_action.strings.visible_text import cut

_LONGEST_NAME = 64
_LONGEST_ID = 80
# A judge's remark is for the case's reader, not an essay.
_LONGEST_NOTE = 300
_WORDS = {"cannot-tell": "cannot tell"}


def missed_items(reporting: Reporting) -> list[tuple[CaseRun, JudgedItem]]:
    """Every fact and criterion that a listed case fails by."""
    return [(row, item) for row in reporting.listed.failing for item in _failed_by(row)]


def _failed_by(row: CaseRun) -> Iterator[JudgedItem]:
    """Judged items that an answer fails, of gates that it fails."""
    for item in row.answer_votes.items if row.answer_votes is not None else ():
        gate = GATE_OF[item.kind]
        outcome = row.outcomes.get(gate) if gate is not None else None
        if outcome is not None and outcome.kind == "failed" and item.said not in {None, "cannot-tell", item.order[-1]}:
            yield item


def missed_item(missed: tuple[CaseRun, JudgedItem], reporting: Reporting, extent: Extent) -> Item:
    """A fact or criterion with every vote on it."""
    row, item = missed
    with_texts = reporting.shows_texts
    words = min(extent.words, _LONGEST_NOTE)
    lines = [opinion_text(vote, words=words, texts=with_texts) for vote in item.votes]
    quoted = Foreign(cut(item.text, extent.words)) if with_texts and item.text else None
    opinion = f"{_must_not(item)}, {votes_in_short(item)}"
    return Item(
        (Code(cut(row.case_id, _LONGEST_ID)), ": ", Code(item.item), opinion), quoted=quoted, under=tuple(lines)
    )


def votes_in_short(item: JudgedItem) -> str:
    """The votes in short: `2 of 3 armed judges say lacking`, `2 of 2 judges say yes, and only advise`."""
    armed = [vote for vote in item.votes if vote.armed]
    votes = armed or list(item.votes)
    if not votes:
        return "no judge says anything"
    counts: Counter[ItemSaid] = Counter([vote.said for vote in votes])
    most: ItemSaid = max(item.order, key=lambda each: counts[each]) if item.said is None else item.said
    kind = " armed" if armed else ""
    say = "judge says" if len(votes) == 1 else "judges say"
    counted = f"{counts[most]} of {len(votes)}{kind} {say} {_word(most)}"
    if item.said is not None:
        return counted
    return f"{counted}; too few to decide" if armed else f"{counted}, and only advise"


def opinion_text(vote: ItemOpinion, *, words: int, texts: bool) -> Text:
    """`owl: contradicted · “for thirty days” · the fact says a month`.

    Args:
        vote: The vote.
        words: Longest quotation and note, in characters.
        texts: Words of judge and answer may be shown.
    """
    standing = "" if vote.armed else " (advising)"
    parts: list[Text] = [(Code(cut(vote.judge, _LONGEST_NAME)), f"{standing}: {_word(vote.said)}")]
    if texts and vote.quote:
        parts.append(("“", Foreign(cut(vote.quote, words)), "”"))
    if texts and vote.note and vote.note.strip():
        parts.append(Foreign(cut(vote.note, words)))
    return joined(" · ", parts)


def item_lines(votes: AnswerVotes) -> Iterator[tuple[Text, tuple[Text, ...]]]:
    """Every judged item of an answer: the decision, and a line for each vote."""
    for item in votes.items:
        undecided = "open" if GATE_OF[item.kind] is not None else "advice"
        decided = "withheld" if item.withheld else _word(item.said) if item.said is not None else undecided
        text: Text = (": “", Foreign(item.text), "”") if item.text else ""
        head: Text = f"{decided:<12} ", _name(item), _must_not(item), text
        under = [opinion_text(vote, words=_LONGEST_NOTE, texts=True) for vote in item.votes]
        yield head, (votes_in_short(item), *under) if item.votes else ()


def _name(item: JudgedItem) -> Text:
    if item.kind == "answer":
        return "relevance of the answer"
    return ("relevance of ", Code(cut(item.item, _LONGEST_ID))) if item.kind == "chunk" else Code(item.item)


def _must_not(item: JudgedItem) -> str:
    return " (must not)" if item.must_not else ""


def _word(opinion: str) -> str:
    return _WORDS.get(opinion, opinion)
