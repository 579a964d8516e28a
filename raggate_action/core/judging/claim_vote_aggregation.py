"""Votes become verdicts: what the judges of a panel say of one answer, folded into its claims."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.evidence_checks.nearest_evidence import meaning_of, shares_meaning
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.schema.base import Rate, digest_of, rate_of
from raggate_action.schema.case_run import Claim, Verdict
from raggate_action.schema.judgement import (
    AskedJudge,
    ClaimVote,
    DroppedVote,
    JudgedVerdict,
    Judgement,
    JudgeReply,
    PointVote,
    Support,
    Vote,
)

WORST_FIRST: Final[tuple[JudgedVerdict, ...]] = ("contradicted", "unsupported", "partial", "supported")
# They rest on chunks that say it; the others at most on one that says otherwise.
_BACKED: Final = frozenset({"supported", "partial"})
# A statement of so few content words says what it is about by what stands around it: "Free of charge."
_ELLIPTIC = 2
_LONGEST_TITLE = 80
_SENTENCE_ENDS = re.compile(r"[.!?。！？\n]+")
_APART = "its passage shares no word and no value with the claim"
_OF_EQUALS: Final[tuple[Verdict, ...]] = ("contradicted", "unsupported", "partial", "unverified", "supported")


class PanelTerms(NamedTuple):
    """The terms a panel decides on.

    Attributes:
        members: The judges' names, in the suite's order.
        armed: Those whose votes count.
        quorum: Votes of armed judges that a verdict needs; fewer armed judges than that decide nothing.
        faults_only: Those of the armed whose good word verifies nothing: they count by declaration.
        quorum_without: Votes that a verdict needs among the other armed judges.
        declared: Those of the armed who count by declaration alone.
    """

    members: tuple[str, ...]
    armed: frozenset[str] = frozenset()
    quorum: int = 1
    faults_only: frozenset[str] = frozenset()
    quorum_without: int = 1
    declared: frozenset[str] = frozenset()

    @property
    def deciding_judges(self) -> frozenset[str]:
        """The judges whose votes count; none where they are too few to reach the quorum."""
        armed = self.armed & set(self.members)
        return armed if len(armed) >= self.least else frozenset()

    @property
    def least(self) -> int:
        """Votes that decide."""
        return max(1, self.quorum)

    @property
    def of_verifiers(self) -> PanelTerms:
        """The same without the judges whose good word verifies nothing; itself where there are none."""
        if not self.faults_only:
            return self
        return PanelTerms(self.members, self.armed - self.faults_only, self.quorum_without)


class FoldedAnswer(NamedTuple):
    """What a panel made of an answer.

    Attributes:
        claims: The answer's claims with the panel's votes, and with its verdict where it decided.
        judges: What became of asking each judge, in the panel's order.
        declines: Whether the answer declines, where that was open and the armed judges agree; else None.
        points: The required points that the panel decided, each with the claim that makes it, by name of the point.
    """

    claims: tuple[Claim, ...]
    judges: tuple[AskedJudge, ...]
    declines: bool | None = None
    points: tuple[PointVote, ...] = ()


def fold(
    claims: Sequence[Claim],
    judgements: Iterable[Judgement],
    terms: PanelTerms,
    *,
    chunks: Mapping[str, str | None],
    declined: bool | None,
    question: str = "",
) -> FoldedAnswer:
    """Fold the judgements of one answer into its claims.

    Every claim keeps the votes on it. Armed votes decide what is open (see `is_open`): supported where more of them say
    so than not, else the fault that most of them name; of equals the worse. A claim with fewer armed votes than the
    quorum stays open, and so do all claims of an answer that declines, which asserts nothing; of one that may decline
    none is faulty.

    A judge that counts by declaration may fail an answer and verifies none: what most call supported is decided by the
    votes of the others alone, and so is that an answer declines, or makes a point.

    Nothing is believed that can be looked up: a quote that is not in its chunk is dropped, with it the id, and with the
    last of them a vote for `supported`. So is that vote where no passage of its shares a content word or a value with
    the claim: nothing is said of the claim there. A passage in another language cannot be looked up so, and counts.
    Where the text of a chunk is not at hand, what speaks for a claim may stand in it, so that no vote says that nothing
    backs the claim. Nor does the vote of a judge that was not shown a chunk, whose endpoint refused the length: the
    chunk shares no word with the claim, and may say it in others.

    Args:
        claims: The claims with the verdicts that labels, quotation and rules give.
        judgements: At most one of each member, in any order; those of others are left out.
        terms: Who is asked, and whose votes count.
        chunks: What the app's model was shown, id -> text, in that order; None where the text is not at hand.
        declined: Whether the answer declines, see `known_decline`; None where that is open.
        question: What was asked: what "It is free." speaks of.
    """
    by_judge = {judgement.judge: judgement for judgement in judgements}
    present = [by_judge[name] for name in terms.members if name in by_judge]
    deciding = terms.deciding_judges
    armed = [judgement for judgement in present if judgement.judge in deciding]
    verifiers = terms.of_verifiers
    verifying = [judgement for judgement in armed if judgement.judge in verifiers.deciding_judges]
    declines = _declines(armed, terms.least) if declined is None else None
    if declines:
        # That it declines lets an answer off: judges whose good word verifies nothing may only say that it does not.
        declines = _declines(verifying, verifiers.least)
    declined_at_all = declined if declined is not None else declines
    folded = []
    apart: dict[str, list[DroppedVote]] = defaultdict(list)
    before = question
    for claim in claims:
        votes = []
        for each in _votes_on(claim, present, chunks, before):
            if each.is_near is False:
                apart[each.judge].append(DroppedVote(claim_id=claim.claim_id, reason=_APART))
            else:
                votes.append(each)
        before = f"{question} {claim.text}"
        kept = tuple([_claim_vote(each, claim, terms) for each in votes])
        voted = claim.model_copy(update={"votes": kept}) if kept else claim
        blind = {vote.judge for vote in kept if vote.is_blind}
        counted = [each for each in votes if each.judge in deciding - blind]
        verdict = _verdict(counted, terms.least, chunks) if is_open(claim) and not declined_at_all else None
        if verdict == "supported":
            counted = [each for each in counted if each.judge in verifiers.deciding_judges]
            verdict = _verdict(counted, verifiers.least, chunks)
        if declined_at_all is None and verdict != "supported":
            verdict = None
        folded.append(voted if verdict is None else _judged_claim(voted, verdict, counted, chunks))
    return FoldedAnswer(
        tuple(folded),
        tuple([_asked_judge(each, terms, apart[each.judge]) for each in present]),
        declines,
        tuple(_points_on(terms, armed, folded)),
    )


class _LocatedVote(NamedTuple):
    """A vote of a judge, with the places left that are there; `support` in context order, one for each chunk.

    `is_near` says of a vote for `supported` whether a passage shares a word or a value with the claim; None where that
    cannot be told.
    """

    judge: str
    vote: Vote
    support: tuple[Support, ...]
    against: Support | None
    is_near: bool | None = True
    left_out: Rate | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple([each.chunk_id for each in self.support])


def _votes_on(
    claim: Claim, judgements: Iterable[Judgement], chunks: Mapping[str, str | None], before: str
) -> Iterator[_LocatedVote]:
    """One vote of each judge that has one on the claim; `before` is the question, and the claim in front."""
    for judgement in judgements:
        vote = next((each for each in judgement.votes if each.claim_id == claim.claim_id), None)
        if vote is None:
            continue
        there = [place for place in vote.support if vote.verdict in _BACKED and is_there(place, chunks)]
        named: dict[str, Support] = {}
        for place in there:
            named.setdefault(place.chunk_id, place)
        support = tuple([named[chunk_id] for chunk_id in chunks if chunk_id in named])
        against = vote.against if vote.against is not None and is_there(vote.against, chunks) else None
        if vote.verdict != "supported":
            quoted = None if vote.verdict in _BACKED else against
            yield _LocatedVote(judgement.judge, vote, support, quoted, left_out=_left_out(judgement, chunks))
        elif support:
            near = {_is_near(claim.text, place, chunks[place.chunk_id] or "", before) for place in there}
            is_near = True in near or (None if None in near else False)
            yield _LocatedVote(judgement.judge, vote, support, None, is_near, _left_out(judgement, chunks))


def _left_out(judgement: Judgement, chunks: Mapping[str, str | None]) -> Rate | None:
    """How many of the chunks a judge was not shown; None where it saw them all."""
    missing = sum(bool(chunks.get(chunk_id)) for chunk_id in judgement.left_out)
    return rate_of(missing, sum(map(bool, chunks.values()))) if missing else None


def is_there(place: Support, chunks: Mapping[str, str | None]) -> bool:
    """Whether a chunk has the words of a place where they are said to be."""
    text = chunks.get(place.chunk_id) or ""
    return bool(place.quote.strip()) and text.startswith(place.quote, place.quote_start)


def _is_near(claim: str, place: Support, text: str, before: str) -> bool | None:
    """Whether a passage, with what it stands under, shares a content word or a value with a claim; None is untold.

    A claim that leans on what stands before it, or has hardly a word of its own, speaks of what was asked as well.
    """
    passage = _with_its_subject(place, text)
    found = shares_meaning(claim, passage, around=before)
    if found is False and is_short_of_a_subject(claim):
        return shares_meaning(f"{claim} {before}", passage)
    return found


def is_short_of_a_subject(sentence: str) -> bool:
    """Whether a sentence says only by what stands around it what it speaks of: "Free of charge.", "It is."."""
    if len(meaning_of(sentence)) <= _ELLIPTIC:
        return True
    lowered = sentence.strip().lower()
    return any(leans_back(lowered, language) for language in languages_of(sentence, KNOWN) or ())


def _with_its_subject(place: Support, text: str) -> str:
    """A passage with its heading; one that is short of a subject with the sentence before it as well."""
    before = text[: place.quote_start].strip()
    lines = before.splitlines()
    # The first line of a chunk is its title where it is no sentence.
    titles = [line for line in lines[:1] if len(line) <= _LONGEST_TITLE and not _SENTENCE_ENDS.search(line)]
    titles += [line for line in lines if line.lstrip().startswith("#")][-1:]
    if is_short_of_a_subject(place.quote):
        sentences = [each for each in _SENTENCE_ENDS.split(before) if each.strip()]
        titles += sentences[-1:]
    return " ".join([*titles, place.quote])


def _claim_vote(checked: _LocatedVote, claim: Claim, terms: PanelTerms) -> ClaimVote:
    vote = checked.vote
    place = checked.support[0] if checked.support else checked.against
    return ClaimVote(
        judge=checked.judge,
        armed=checked.judge in terms.deciding_judges,
        declared=checked.judge in terms.deciding_judges & terms.declared,
        verdict=vote.verdict,
        support=checked.ids,
        chunk_id=place.chunk_id if place is not None else None,
        quote=place.quote if place is not None else None,
        note=vote.note,
        parts=tuple([part for part in vote.parts if part.span.strip() and part.span in claim.text]),
        untested=checked.is_near is None,
        left_out=checked.left_out,
    )


def _asked_judge(judgement: Judgement, terms: PanelTerms, apart: Sequence[DroppedVote]) -> AskedJudge:
    found = judge_record(judgement, armed=judgement.judge in terms.deciding_judges, apart=apart)
    is_declared = judgement.judge in terms.deciding_judges & terms.declared
    return found.model_copy(update={"declared": True}) if is_declared else found


def judge_record(judgement: Judgement, *, armed: bool, apart: Sequence[DroppedVote] = ()) -> AskedJudge:
    """What became of asking a judge, as the row of the answer keeps it; `apart` are votes dropped beside its own."""
    kept = {name: getattr(judgement, name) for name in JudgeReply.model_fields}
    bound_to = digest_of([judgement.fingerprint, judgement.prompt])[:16]
    return AskedJudge(**{**kept, "dropped": (*judgement.dropped, *apart)}, armed=armed, bound_to=bound_to)


def _verdict(votes: Sequence[_LocatedVote], least: int, chunks: Mapping[str, str | None]) -> JudgedVerdict | None:
    """What the votes come to; None where they are too few, or what they miss may stand where nobody could look."""
    given = Counter([each.vote.verdict for each in votes])
    texts = list(chunks.values())
    if given.total() < least or not any(texts):
        return None
    if 2 * given["supported"] > given.total():
        return "supported"
    found = max(WORST_FIRST[:-1], key=lambda verdict: given[verdict])
    return found if found == "contradicted" or None not in texts else None


def _judged_claim(
    claim: Claim, verdict: JudgedVerdict, votes: Sequence[_LocatedVote], chunks: Mapping[str, str | None]
) -> Claim:
    """The claim with the panel's verdict, resting on what the votes for it rest on."""
    winning = [each for each in votes if each.vote.verdict == verdict]
    ids = _most_cited_chunks(winning, chunks)
    places = [place for each in winning for place in each.support if ids and place.chunk_id == ids[0]]
    places += [each.against for each in winning if each.against is not None]
    note = next((each.vote.note for each in winning if each.vote.note), None)
    return claim.model_copy(
        update={
            "verdict": verdict,
            "supported_by": ids,
            "quote": places[0].quote if places else None,
            "quote_start": places[0].quote_start if places else None,
            "note": note or claim.note,
            "judged": True,
        }
    )


def _most_cited_chunks(votes: Sequence[_LocatedVote], chunks: Mapping[str, str | None]) -> tuple[str, ...]:
    """The chunks that most of these votes name, in context order; where none is, those that are named most often."""
    named = Counter([chunk_id for each in votes for chunk_id in each.ids])
    enough = min(len(votes) // 2 + 1, max(named.values(), default=0))
    return tuple([chunk_id for chunk_id in chunks if named[chunk_id] >= enough > 0])


def _declines(armed: Sequence[Judgement], least: int) -> bool | None:
    """Whether the answer declines, where so many say and more of them say the one than the other."""
    votes = Counter([each.declines for each in armed if each.declines is not None])
    if votes.total() < least or votes[True] == votes[False]:
        return None
    return votes[True] > votes[False]


def _points_on(terms: PanelTerms, armed: Sequence[Judgement], claims: Sequence[Claim]) -> Iterator[PointVote]:
    """The points as the panel decides them; one that is made needs the votes of judges whose good word verifies."""
    verifiers = terms.of_verifiers
    own = [judgement for judgement in armed if judgement.judge in verifiers.deciding_judges]
    verified = {vote.point: vote for vote in _points(own, verifiers.least, claims)}
    for vote in _points(armed, terms.least, claims):
        if vote.claim_id is None:
            yield vote
        elif vote.point in verified:
            yield verified[vote.point]


def _points(armed: Sequence[Judgement], least: int, claims: Sequence[Claim]) -> Iterator[PointVote]:
    """Each point that enough votes speak of: made where more of them name a claim than none; of equals it is not.

    Of several claims it is the one named most often; of equals the one that is verified least.
    """
    verdicts = {claim.claim_id: claim.verdict for claim in claims}
    votes: dict[str, list[str | None]] = {}
    for judgement in armed:
        for point, claim_id in {each.point: each.claim_id for each in judgement.points}.items():
            votes.setdefault(point, []).append(claim_id if claim_id in verdicts else None)
    for point, named in sorted(votes.items()):
        if len(named) < least:
            continue
        found = Counter([claim_id for claim_id in named if claim_id is not None])
        is_made = 2 * found.total() > len(named)
        worst_first = sorted(found, key=lambda claim_id: (-found[claim_id], _OF_EQUALS.index(verdicts[claim_id])))
        yield PointVote(point=point, claim_id=worst_first[0] if is_made else None)
