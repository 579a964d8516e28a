"""What judges said of claims, facts and criteria, each vote with its quotation: the judges' words are a stranger's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from raggate_action.report.catalogue import BY_VALUE, LOST
from raggate_action.report.comment_size import Extent
from raggate_action.report.page import Code, Foreign, Item, Text, joined
from raggate_action.report.record_words import name_list, sentence
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun, Claim, Verdict
from raggate_action.schema.later import AnswerVotes, AskedJudge, ClaimVote, ItemOpinion, JudgedItem
from raggate_action.schema.outcome import GATE_OF
from raggate_action.strings.numbers import money
from raggate_action.strings.visible_text import cut

# What judges vote on.
Voted: TypeAlias = "Claim | JudgedItem"
_WORST_FIRST: Final[tuple[Verdict, ...]] = ("contradicted", "unsupported", "partial", "supported")
_LONGEST_ID = 80
# A judge's remark is for the case's reader, not an essay.
_LONGEST_NOTE = 300


def voted_claims(reporting: Reporting) -> list[tuple[CaseRun, Claim]]:
    """Every hallucinated claim that is listed and was voted on; with a baseline the new ones alone."""
    rows = reporting.listed.hallucinating
    return [(row, claim) for row in rows for claim in row.claims if claim.votes and _is_told(row, claim, reporting)]


def _is_told(row: CaseRun, claim: Claim, reporting: Reporting) -> bool:
    """Whether the claim is one of the hallucinations that the page is about; without its words, any faulty one."""
    if claim.verdict not in {"unsupported", "contradicted"}:
        return False
    if reporting.comparison is None or not claim.text:
        return True
    new = {(each.case_id, each.key) for each in reporting.comparison.found("hallucination_rate")}
    return any(each.text == claim.text and (row.case_id, each.key) in new for each in row.hallucinations)


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


def voted_item(voted: tuple[CaseRun, Voted], _reporting: Reporting, extent: Extent) -> Item:
    """What judges voted on, with every vote; by its id where its words are not kept."""
    row, what = voted
    if not isinstance(what, Claim):
        which: Text = (_named(what), ", ")
    else:
        which = "" if what.text else (Code(cut(what.claim_id, _LONGEST_ID)), ", ")
    return Item(
        (Code(cut(row.case_id, _LONGEST_ID)), ": ", which, votes_in_short(what)),
        quoted=Foreign(cut(what.text, extent.words)) if what.text else None,
        under=tuple(_vote_lines(what, min(extent.words, _LONGEST_NOTE))),
    )


def votes_in_short(what: Voted) -> str:
    """How the judges voted, and what decided: `2 of 3 armed judges say unsupported`, `...; a label decided`.

    Those that only advise are counted where no other was asked; those that count by declaration are told apart.
    """
    armed = [vote for vote in what.votes if vote.armed]
    votes = armed or list(what.votes)
    if not votes:
        return "no judge says anything"
    counts: Counter[str] = Counter(map(_opinion, votes))
    decided = what.said if not isinstance(what, Claim) else what.verdict if what.judged else None
    order: tuple[str, ...] = _WORST_FIRST if isinstance(what, Claim) else what.order
    most: str = decided or max(order, key=lambda each: counts[each])
    declared = sum([vote.declared for vote in what.votes if vote.armed]) if isinstance(what, Claim) else 0
    kind = " armed" if armed and not declared else ""
    whose = "" if not declared else " by declaration" if declared == len(votes) else f" ({declared} by declaration)"
    end = "" if decided else f"; {_decided_by(what)}" if armed else " (advice only)"
    say = "says" if counts[most] == 1 else "say"
    return f"{counts[most]} of {len(votes)}{kind} judges{whose} {say} {_word(most)}{end}"


def _decided_by(what: Voted) -> str:
    """What decided a verdict that the judges did not."""
    if not isinstance(what, Claim) or what.verdict == "unverified":
        return "too few to decide"
    if what.labelled:
        return "a label decided"
    return "a quotation decided" if what.verdict == "supported" else "a rule decided"


def _opinion(vote: ClaimVote | ItemOpinion) -> str:
    from raggate_action.schema.answer_votes import ItemOpinion

    return vote.said if isinstance(vote, ItemOpinion) else vote.verdict


def _word(opinion: str) -> str:
    return opinion.replace("-", " ")


def _vote_lines(what: Voted, words: int = _LONGEST_NOTE) -> list[Text]:
    """`owl, crow (advising): contradicted · menu-31 “walnuts” · walnuts are nuts`: votes that say the same together."""
    judges: dict[Text, list[Text]] = {}
    for vote in what.votes:
        who = (Code(cut(vote.judge, _LONGEST_ID)), "" if vote.armed else " (advising)")
        judges.setdefault(_vote(vote, words), []).append(who)
    return [(joined(", ", who), ": ", told) for told, who in judges.items()]


def _vote(vote: ClaimVote | ItemOpinion, words: int) -> Text:
    from raggate_action.schema.answer_votes import ItemOpinion

    opinion = _word(_opinion(vote))
    quote = Foreign(cut(vote.quote, words)) if vote.quote else ""
    note = Foreign(cut(vote.note, words)) if vote.note and vote.note.strip() else ""
    if isinstance(vote, ItemOpinion):
        return sentence("item vote", vote, opinion=opinion, quote=quote, note=note)
    parts = [("“", Foreign(cut(part.span, words)), f"”: {part.verdict}") for part in vote.parts[:5]]
    return sentence(
        "claim vote",
        vote,
        opinion=opinion,
        quote=quote,
        note=note,
        chunk=Code(cut(vote.chunk_id, _LONGEST_ID)) if vote.chunk_id else "",
        also=name_list([each for each in vote.support if each != vote.chunk_id]),
        hidden=vote.left_out.hits if vote.left_out is not None else 0,
        chunks=vote.left_out.total if vote.left_out is not None else 0,
        blind=vote.is_blind,
        parts=joined(" · ", parts),
    )


def claim_lines(claim: Claim) -> Iterator[Text]:
    """All that judges said of a claim; nothing where none was asked."""
    if claim.votes:
        yield votes_in_short(claim)
        yield from _vote_lines(claim)


def item_lines(votes: AnswerVotes) -> Iterator[tuple[Text, tuple[Text, ...]]]:
    """Every judged item of an answer: the decision, and what the judges said."""
    for item in votes.items:
        undecided = "open" if GATE_OF[item.kind] is not None else "advice"
        decided = "withheld" if item.withheld else _word(item.said) if item.said is not None else undecided
        text: Text = (": “", Foreign(item.text), "”") if item.text else ""
        under = (votes_in_short(item), *_vote_lines(item)) if item.votes else ()
        yield (f"{decided:<12} ", _named(item), text), under


def _named(item: JudgedItem) -> Text:
    named: Text = Code(cut(item.item, _LONGEST_ID)) if item.item else ""
    if item.kind in {"answer", "chunk"}:
        return "relevance of ", named or "the answer"
    return named, " (must not)" if item.must_not else ""


def judge_call_lines(judges: Sequence[AskedJudge]) -> Iterator[Text]:
    """What became of asking each judge about an answer."""
    for judge in judges:
        name = Code(cut(judge.judge, _LONGEST_ID))
        points = [
            ("point ", Code(each.point), *((" made by ", Code(each.claim_id)) if each.claim_id else (" not made",)))
            for each in judge.points
        ]
        yield sentence(
            "judge call",
            judge,
            name=name,
            standing=_standing(judge),
            judged=judge.lost is None and not judge.reused,
            price=money(judge.cost_usd) if judge.cost_usd is not None else "price unknown",
            why=LOST[judge.lost.code] if judge.lost is not None else "",
            detail=Foreign(judge.lost.detail) if judge.lost is not None and judge.lost.detail else "",
            stance=BY_VALUE["declines"][str(judge.declines)],
            points=joined(", ", points),
        )
        for each in judge.dropped:
            why: Text = (": ", Foreign(cut(each.reason, _LONGEST_NOTE))) if each.reason else ""
            yield name, ": no vote on ", Code(cut(each.claim_id, _LONGEST_ID)), why


def _standing(judge: AskedJudge) -> str:
    standing = "counts by declaration" if judge.declared else "armed" if judge.armed else "advising"
    gates = f" for {' and '.join(judge.armed_for)}" if judge.armed_for else ""
    return f"on facts and criteria, {standing}{gates}" if judge.job == "answer" else standing
