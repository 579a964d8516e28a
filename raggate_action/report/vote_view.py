"""What judges said of a claim, each with its reason and its quotation: the judges' words are a stranger's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from raggate_action.report.attempt_words import further_attempts, unmetered_attempts
from raggate_action.report.catalogue import LOST
from raggate_action.report.comment_size import Extent, names
from raggate_action.report.page import Code, Foreign, Item, Text, joined
from raggate_action.report.report_input import Reporting
from raggate_action.schema.case_run import CaseRun, Claim, Verdict
from raggate_action.schema.judgement import AskedJudge, ClaimVote
from raggate_action.strings.numbers import count, money
from raggate_action.strings.visible_text import cut

_WORST_FIRST: tuple[Verdict, ...] = ("contradicted", "unsupported", "partial", "supported")
_ON_ITEMS = "on facts and criteria, advising"
_LONGEST_NAME = 64
_LONGEST_ID = 80
_NAMED = 5
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


def voted_item(voted: tuple[CaseRun, Claim], reporting: Reporting, extent: Extent) -> Item:
    """A claim with every vote on it."""
    row, claim = voted
    with_texts = reporting.shows_texts
    which: Text = "" if with_texts else (Code(cut(claim.claim_id, _LONGEST_ID)), ", ")
    words = min(extent.words, _LONGEST_NOTE)
    lines = [vote_text(votes, words=words, texts=with_texts) for votes in _alike(claim.votes, texts=with_texts)]
    quoted = Foreign(cut(claim.text, extent.words)) if with_texts and claim.text.strip() else None
    return Item(
        (Code(cut(row.case_id, _LONGEST_ID)), ": ", which, votes_in_short(claim)), quoted=quoted, under=tuple(lines)
    )


def votes_in_short(claim: Claim) -> str:
    """How the judges stand to a claim, and what decided its verdict: `2 of 3 armed judges say unsupported`.

    Those that only advise are counted where no other was asked; of those who count by declaration it is said so; where
    the judges did not decide it is said what did.
    """
    armed = [vote for vote in claim.votes if vote.armed]
    votes = armed or list(claim.votes)
    counts: Counter[Verdict] = Counter([vote.verdict for vote in votes])
    most = claim.verdict if claim.judged else min(_WORST_FIRST, key=lambda each: -counts[each])
    declared = sum(vote.declared for vote in armed)
    kind = " armed" if armed and not declared else ""
    whose = "" if not declared else " by declaration" if declared == len(votes) else f" ({declared} by declaration)"
    judges, say = ("judge", "says") if len(votes) == 1 else ("judges", "say")
    counted = f"{counts[most]} of {len(votes)}{kind} {judges}{whose} {say} {most}"
    if claim.judged:
        return counted
    return f"{counted}; {_decided_by(claim)}" if armed else f"{counted}, and only advise"


def _decided_by(claim: Claim) -> str:
    """What decided a verdict that the judges did not."""
    if claim.verdict == "unverified":
        return "too few to decide"
    if claim.labelled:
        return "a label decided"
    return "a quotation decided" if claim.verdict == "supported" else "a rule decided"


def _alike(votes: Iterable[ClaimVote], *, texts: bool) -> list[list[ClaimVote]]:
    """The votes in the panel's order, those together of which everything that is shown is the same."""
    found: dict[tuple[object, ...], list[ClaimVote]] = {}
    for vote in votes:
        words = (vote.quote, vote.note, vote.parts) if texts else ()
        found.setdefault((vote.verdict, vote.support, vote.chunk_id, vote.left_out, *words), []).append(vote)
    return list(found.values())


def vote_text(votes: Sequence[ClaimVote], *, words: int, texts: bool) -> Text:
    """`owl, crow (advising): contradicted · menu-31 “walnuts” · walnuts are nuts`.

    Args:
        votes: One vote or more, which say the same.
        words: Longest quotation and note, in characters.
        texts: Words of judge and evidence may be shown.
    """
    vote = votes[0]
    who = [(Code(cut(each.judge, _LONGEST_NAME)), "" if each.armed else " (advising)") for each in votes]
    parts: list[Text] = [(joined(", ", who), f": {vote.verdict}")]
    if vote.chunk_id is not None:
        chunk: Text = Code(cut(vote.chunk_id, _LONGEST_ID))
        parts.append((chunk, " “", Foreign(cut(vote.quote, words)), "”") if texts and vote.quote else chunk)
    others = [Code(cut(each, _LONGEST_ID)) for each in vote.support if each != vote.chunk_id]
    if others:
        parts.append(("also ", joined(", ", others[:5])))
    if texts and vote.note and vote.note.strip():
        parts.append(Foreign(cut(vote.note, words)))
    if said := not_shown(vote):
        parts.append(said)
    if texts:
        parts += [("“", Foreign(cut(part.span, words)), f"”: {part.verdict}") for part in vote.parts[:5]]
    return joined(" · ", parts)


def not_shown(vote: ClaimVote) -> str:
    """`2 of 14 chunks were not shown: the endpoint refused the length; so this vote does not count`; else empty."""
    left_out = vote.left_out
    if left_out is None:
        return ""
    were = "was" if left_out.hits == 1 else "were"
    told = f"{left_out.hits:,} of {count(left_out.total, 'chunk')} {were} not shown: the endpoint refused the length"
    return f"{told}; so this vote does not count" if vote.is_blind else told


def dissent(claim: Claim) -> str:
    """Where the judges say otherwise than what is certain; empty where none does. It changes nothing, and is shown."""
    if claim.judged or claim.verdict == "unverified":
        return ""
    good = claim.verdict == "supported"
    against = [vote for vote in claim.votes if (vote.verdict == "supported") != good]
    if not against:
        return ""
    by = "the label" if claim.labelled else "the quotation" if good else "the rule"
    return f"{count(len(against), 'judge says', 'judges say')} otherwise than {by}, which stands"


def claim_lines(claim: Claim) -> Iterator[Text]:
    """All that judges said of a claim, a line for each of them; nothing where none was asked."""
    if not claim.votes:
        return
    yield votes_in_short(claim)
    for vote in claim.votes:
        yield vote_text([vote], words=_LONGEST_NOTE, texts=True)
    if words := dissent(claim):
        yield words


def judge_call_lines(judges: Sequence[AskedJudge]) -> Iterator[Text]:
    """What became of asking each judge about an answer."""
    for judge in judges:
        standing = "counts by declaration" if judge.declared else "armed" if judge.armed else "advising"
        if judge.job == "answer":
            standing = f"on facts and criteria, armed for {' and '.join(judge.armed_for)}" if judge.armed else _ON_ITEMS
        yield Code(judge.judge), f" ({standing}): ", joined(", ", _judge_parts(judge))
        for each in judge.dropped:
            why: Text = (": ", Foreign(cut(each.reason, _LONGEST_NOTE))) if each.reason else ""
            yield Code(judge.judge), ": no vote on ", Code(cut(each.claim_id, _LONGEST_ID)), why


def _judge_parts(judge: AskedJudge) -> Iterator[Text]:
    if judge.lost is not None:
        detail: Text = (": ", Foreign(judge.lost.detail)) if judge.lost.detail else ""
        yield f"lost, {LOST[judge.lost.code]}", detail
    elif judge.reused:
        yield "judged before, reused"
    else:
        yield "judged"
    if judge.left_out:
        ids = [Code(cut(each, _LONGEST_ID)) for each in judge.left_out]
        yield "not shown ", names(ids[:_NAMED], len(ids)), ", which share no word with a claim"
    if judge.declines is not None:
        yield "says that the answer declines" if judge.declines else "says that the answer answers"
    for point in judge.points:
        made: Text = ("made by ", Code(point.claim_id)) if point.claim_id is not None else "not made"
        yield "point ", Code(point.point), " ", made
    if judge.calls:
        unknown = "cost unknown" if judge.unmetered else "price unknown"
        cost = unknown if judge.cost_usd is None else money(judge.cost_usd)
        tokens = f"{judge.usage.input:,} + {judge.usage.output:,} tokens"
        yield f"{count(judge.calls, 'call')}{further_attempts(judge)}, {tokens}, {cost}{unmetered_attempts(judge)}"
