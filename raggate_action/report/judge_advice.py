"""What judges say who do not count: two lines of the list, and each claim with the words that decide folded below."""

from __future__ import annotations

from collections.abc import Iterator

from raggate_action.report.comment_size import NAMED, Extent, code, names
from raggate_action.report.fault_line import FaultLine
from raggate_action.report.origin_view import case_link
from raggate_action.report.page import Foreign, Item, Strong, Text, WithCode
from raggate_action.report.panel_view import cards_of_members, declared_in_short
from raggate_action.report.record_words import sentence
from raggate_action.report.report_input import Reporting
from raggate_action.report.vote_view import votes_in_short
from raggate_action.schema.case_run import Claim
from raggate_action.schema.later import ClaimAdvice, Panel
from raggate_action.schema.listed_cases import AdvisedCase
from raggate_action.strings.visible_text import cut

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
    found = judging.advice if judging is not None else None
    if found is None or not (found.claims or found.by_most):
        return
    answers = found.answers + found.answers_by_most
    listed = reporting.listed.advised
    ids = [each.row.case_id for each in listed]
    named = names(ids, max(answers, len(ids)), NAMED if answers <= NAMED else 1)
    yield FaultLine(
        (Strong(_advice(found, panel)), f" (advice only: {_why_only(panel)}): ", named),
        level="advice",
    )
    if listed and listed[0].claims[0].text and extent.rows:
        claim, words = listed[0].claims[0], min(extent.words, _IN_LIST)
        said_of = (_claim(claim, words), *_because(claim, words))
        yield FaultLine((code(ids[0]), ": ", *said_of), (listed[0].row.case_id,), level="advice")


def _advice(found: ClaimAdvice, panel: Panel) -> Text:
    """`All judges call 7 claims of 6 answers unsupported; most judges call 2 more claims unsupported`."""
    judges = len(panel.members)
    kinds = {"unsupported": found.unsupported, "contradicted": found.contradicted, "backed in part": found.partial}
    return sentence(
        "advice",
        found,
        one=judges == 1,
        all=bool(found.claims) and 1 < judges == found.heard,
        some=bool(found.claims) and 1 < judges != found.heard,
        called=" or ".join([word for word, number in kinds.items() if number]),
        more=found.by_most if found.claims else 0,
    )


def _why_only(panel: Panel) -> str:
    """Why they do not count, in a few words; the fold on judges says it at length."""
    reasons = {card.why_not for card in cards_of_members(panel) if not card.armed}
    if reasons and reasons <= _FEW_LABELS:
        return "not enough labels yet"
    if "not-judged" in reasons:
        return "not on trial yet"
    return "people's labels do not bear them out" if not panel.armed else "too few of them count"


def _because(claim: Claim, words: int) -> Iterator[Text]:
    """The words that decide: what a judge quotes against a claim, and what one notes; nothing where no judge does."""
    against = [vote for vote in claim.votes if vote.verdict != "supported"]
    for vote in [each for each in against if each.quote and each.chunk_id][:1]:
        yield " · ", code(vote.chunk_id or ""), " “", Foreign(cut(vote.quote or "", words)), "”"
    for vote in [each for each in against if (each.note or "").strip()][:1]:
        yield " · ", code(vote.judge), ": ", Foreign(cut(vote.note or "", words))


def advised_answers(reporting: Reporting) -> int:
    """How many answers judges only advise on."""
    judging = reporting.run.judging
    return judging.advice.answers + judging.advice.answers_by_most if judging is not None else 0


def advised_item(case: AdvisedCase, reporting: Reporting, extent: Extent) -> Item:
    """Question, claims, the base branch's answer, and the words that decide; of all but the first cases a line.

    Where no words are kept, the ids and the votes.
    """
    row, words = case.row, min(extent.words, _IN_FOLD)
    link = case_link(row, reporting.run)
    if not extent.whole and case not in reporting.listed.advised[:_AT_LENGTH]:
        return Item((link, ": ", _claim(case.claims[0], words)))
    lines: list[Text] = [
        (_claim(claim, words), f" · {votes_in_short(claim)}", *_because(claim, words)) for claim in case.claims
    ]
    if not case.claims[0].text:
        return Item(link, under=tuple(lines))
    before = reporting.comparison.answers.get(row.case_id) if reporting.comparison is not None else None
    if before is not None:
        lines.append((f"{reporting.base_name}: ", Foreign(cut(before, words), "an empty answer")))
    return Item((link, ": ", Foreign(cut(row.question, words), "no question")), under=tuple(lines))


def _claim(claim: Claim, words: int) -> Text:
    """The claim; by its id where its words are not kept."""
    return ("“", Foreign(cut(claim.text, words)), "”") if claim.text else code(claim.claim_id)
