"""What judges say who do not count: two lines of the list, and each claim with the words that decide folded below."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from raggate_action.report.comment_size import Extent, names
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.origin_view import case_link
from raggate_action.report.page import Code, Foreign, Item, Strong, Text, WithCode
from raggate_action.report.panel_view import cards_of_members, declared_in_short
from raggate_action.report.report_input import Reporting
from raggate_action.report.vote_view import votes_in_short
from raggate_action.schema.case_run import Claim
from raggate_action.schema.judgement import ClaimVote
from raggate_action.schema.judging_counts import ClaimAdvice
from raggate_action.schema.listed_cases import AdvisedCase
from raggate_action.strings.numbers import count
from raggate_action.strings.visible_text import cut

if TYPE_CHECKING:
    from raggate_action.schema.panel import Panel

_NAMED = 3
_LONGEST_ID = 80
_LONGEST_SENTENCE = 300
# Characters of a claim or a quotation in the list, and of those in the fold.
_IN_LIST, _IN_FOLD = 120, 300
# Cases told at length in a comment.
_AT_LENGTH = 3
_FEW_LABELS = frozenset({"no-labels", "too-few-labels", "too-few-faults"})


def advice_lines(reporting: Reporting, extent: Extent) -> Iterator[FaultLine]:
    """`**All 3 judges call 7 claims of 6 answers unsupported** (advice only: ...). q1 and 5 more`, and the first claim.

    Where nobody was asked, why. Above it, that judges count by declaration.
    """
    panel, judging = reporting.run.panel, reporting.run.judging
    if panel is None:
        return
    if panel.unavailable is not None:
        why = WithCode(cut(panel.unavailable, _LONGEST_SENTENCE))
        yield FaultLine((Strong("Judges:"), " ", why), level="advice")
        return
    declared = declared_in_short(panel)
    if declared:
        yield FaultLine((Strong("Judges:"), " ", declared), level="advice")
    found = judging.advice if judging is not None else ClaimAdvice()
    if not (found.claims or found.by_most):
        return
    answers = found.answers + found.answers_by_most
    listed = reporting.listed.advised
    ids = [Code(cut(each.row.case_id, _LONGEST_ID)) for each in listed]
    named = names(ids[: _NAMED if answers <= _NAMED else 1], max(answers, len(ids)))
    yield FaultLine(
        (Strong(_advice(found, panel)), f" (advice only: {_why_only(panel)}): ", named),
        level="advice",
    )
    if listed and reporting.shows_texts and extent.rows:
        first, claim = listed[0], listed[0].claims[0]
        words = min(extent.words, _IN_LIST)
        quoted: Text = ("“", Foreign(cut(claim.text, words)), "”")
        yield FaultLine((ids[0], ": ", quoted, *_because(claim, words)), (first.row.case_id,), level="advice")


def _advice(found: ClaimAdvice, panel: Panel) -> str:
    """`All 3 judges call 7 claims of 6 answers unsupported; most of them 2 more claims`."""
    if not found.claims:
        what = f"{count(found.by_most, 'claim')} of {count(found.answers_by_most, 'answer')}"
        return f"Most of {count(len(panel.members), 'judge')} call {what} unsupported"
    judges = len(panel.members)
    if judges == 1:
        who = "The judge calls"
    elif found.heard == judges:
        who = "Both judges call" if judges == 2 else f"All {judges:,} judges call"
    else:
        who = "Every judge heard calls"
    kinds = (
        (found.unsupported, "unsupported"),
        (found.contradicted, "contradicted"),
        (found.partial, "backed in part"),
    )
    called = " or ".join([word for number, word in kinds if number])
    more = f"; most of them {count(found.by_most, 'more claim')}" if found.by_most else ""
    return f"{who} {count(found.claims, 'claim')} of {count(found.answers, 'answer')} {called}{more}"


def _why_only(panel: Panel) -> str:
    """Why they do not count, in a few words; the fold on judges says it at length."""
    reasons = {card.why_not for card in cards_of_members(panel) if not card.armed}
    if reasons and reasons <= _FEW_LABELS:
        return "not enough labels yet"
    if "not-judged" in reasons:
        return "not on trial yet"
    return "people's labels do not bear them out" if not panel.armed else "too few of them count"


def _because(claim: Claim, words: int) -> Iterator[Text]:
    """The words that decide: what a judge quotes against a claim, else what it notes; nothing where no judge does."""
    against = [vote for vote in claim.votes if vote.verdict != "supported"]
    quoting = next((vote for vote in against if vote.quote and vote.chunk_id), None)
    noting = next((vote for vote in against if vote.note and vote.note.strip()), None)
    if quoting is not None:
        yield " · ", Code(cut(quoting.chunk_id or "", _LONGEST_ID)), " “", Foreign(cut(quoting.quote or "", words)), "”"
    if noting is not None:
        yield " · ", *_note(noting, words)


def _note(vote: ClaimVote, words: int) -> tuple[Text, ...]:
    return Code(cut(vote.judge, _LONGEST_ID)), ": ", Foreign(cut(vote.note or "", words))


def advised_answers(reporting: Reporting) -> int:
    """How many answers judges only advise on."""
    advice = reporting.run.judging.advice if reporting.run.judging is not None else ClaimAdvice()
    return advice.answers + advice.answers_by_most


def advised_item(case: AdvisedCase, reporting: Reporting, extent: Extent) -> Item:
    """Question, claims, the base branch's answer, and the words that decide; of all but the first cases a line.

    Under `texts: ids` the votes alone.
    """
    row, words = case.row, min(extent.words, _IN_FOLD)
    link = case_link(row, reporting.run)
    if not reporting.shows_texts:
        votes = [(Code(cut(claim.claim_id, _LONGEST_ID)), ": ", votes_in_short(claim)) for claim in case.claims]
        return Item(link, under=tuple(votes))
    if not extent.whole and case not in reporting.listed.advised[:_AT_LENGTH]:
        return Item((link, ": “", Foreign(cut(case.claims[0].text, words)), "”"))
    lines: list[Text] = [
        ("“", Foreign(cut(claim.text, words)), f"” · {votes_in_short(claim)}", *_because(claim, words))
        for claim in case.claims
    ]
    before = reporting.comparison.answers.get(row.case_id) if reporting.comparison is not None else None
    if before is not None:
        lines.append((f"{reporting.base_name}: ", Foreign(cut(before, words), "an empty answer")))
    return Item((link, ": ", Foreign(cut(row.question, words), "no question")), under=tuple(lines))
