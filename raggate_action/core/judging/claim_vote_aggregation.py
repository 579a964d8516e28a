"""Votes become verdicts: what the judges of a panel say of one answer, folded into its claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.evidence_checks.nearest_evidence import meaning_of, shares_meaning
from raggate_action.core.text.context_dependence import leans_back
from raggate_action.core.text.languages.common_words import languages_of
from raggate_action.core.text.languages.language_rules import KNOWN
from raggate_action.schema.answer_votes import majority
from raggate_action.schema.base import digest_of, rate_of
from raggate_action.schema.case_run import Claim, Verdict
from raggate_action.schema.judgement import (
    AskedJudge,
    ClaimVote,
    DroppedVote,
    ItemSaid,
    JudgedVerdict,
    Judgement,
    JudgeReply,
    PointVote,
    Support,
)
from raggate_action.schema.outcome import ItemGate
from raggate_action.schema.verdicts import Verdicts

_Said = TypeVar("_Said", JudgedVerdict, ItemSaid, bool)

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


def decide(votes: Iterable[tuple[str, _Said]], terms: PanelTerms, worst_first: Sequence[_Said]) -> _Said | None:
    """What votes come to: the good, the last, where more than half say so, else what most of the others say.

    Of equals it is the worse. That something is good needs the votes of the judges whose good word verifies.

    Args:
        votes: Each vote with its judge; those of judges that do not count are left out.
        terms: Who decides; None comes of fewer votes than they ask for.
        worst_first: What can be said.
    """
    counted, deciding = list(votes), terms.deciding_judges
    given = [said for judge, said in counted if judge in deciding]
    if len(given) < terms.least:
        return None
    found = majority(given, worst_first)
    return decide(counted, terms.of_verifiers, worst_first) if found == worst_first[-1] and terms.faults_only else found


def judgements_by(members: Iterable[str], judgements: Iterable[Judgement]) -> list[Judgement]:
    """The judgements of these judges, in this order."""
    by_judge = {judgement.judge: judgement for judgement in judgements}
    return [by_judge[name] for name in members if name in by_judge]


def judge_record(
    judgement: Judgement,
    *,
    armed: bool,
    declared: bool = False,
    armed_for: tuple[ItemGate, ...] = (),
    apart: Sequence[DroppedVote] = (),
) -> AskedJudge:
    """What became of asking a judge, as the row of the answer keeps it; `apart` are votes dropped beside its own."""
    kept = {name: getattr(judgement, name) for name in JudgeReply.model_fields}
    kept["dropped"] = (*judgement.dropped, *apart)
    bound_to = digest_of([judgement.fingerprint, judgement.prompt])[:16]
    return AskedJudge(**kept, armed=armed, declared=declared, armed_for=armed_for, bound_to=bound_to)


def fold(
    claims: Sequence[Claim],
    judgements: Iterable[Judgement],
    terms: PanelTerms,
    *,
    chunks: Mapping[str, str | None],
    declined: bool | None,
    question: str = "",
) -> Verdicts:
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
    present = judgements_by(terms.members, judgements)
    declines = _declines(present, terms) if declined is None else None
    declined_at_all = declined if declined is not None else declines
    texts = list(chunks.values())
    folded = []
    apart: dict[str, list[DroppedVote]] = {judgement.judge: [] for judgement in present}
    before = question
    for claim in claims:
        votes = []
        for vote, places in _votes_on(claim, present, terms, chunks):
            backing = places if vote.verdict == "supported" else []
            near = {_is_near(claim.text, each, chunks[each.chunk_id] or "", before) for each in backing}
            if near == {False}:
                apart[vote.judge].append(DroppedVote(claim_id=claim.claim_id, reason=_APART))
            else:
                untested = None in near and True not in near
                votes.append((vote.model_copy(update={"untested": True}) if untested else vote, places))
        before = f"{question} {claim.text}"
        voted = claim.model_copy(update={"votes": tuple([vote for vote, _ in votes])}) if votes else claim
        seeing = [(vote, places) for vote, places in votes if not vote.is_blind]
        verdict = None
        if is_open(claim) and not declined_at_all and any(texts):
            verdict = decide([(vote.judge, vote.verdict) for vote, _ in seeing], terms, WORST_FIRST)
        # What judges miss may stand where nobody could look, and of what may decline nothing is faulty.
        if verdict != "supported" and (declined_at_all is None or (None in texts and verdict != "contradicted")):
            verdict = None
        if verdict is not None:
            heard = (terms.of_verifiers if verdict == "supported" else terms).deciding_judges
            winning = [each for each in seeing if each[0].verdict == verdict and each[0].judge in heard]
            voted = _judged_claim(voted, verdict, winning, chunks)
        folded.append(voted)
    deciding = terms.deciding_judges
    asked = [
        judge_record(
            each,
            armed=each.judge in deciding,
            declared=each.judge in deciding & terms.declared,
            apart=apart[each.judge],
        )
        for each in present
    ]
    points = tuple(_points(present, terms, folded))
    return Verdicts(claims=tuple(folded), judges=tuple(asked), declines=declines, points=points)


# A vote on a claim, with the places it rests on that are there, in context order.
_PlacedVote: TypeAlias = tuple[ClaimVote, list[Support]]


def _votes_on(
    claim: Claim, judgements: Iterable[Judgement], terms: PanelTerms, chunks: Mapping[str, str | None]
) -> Iterator[_PlacedVote]:
    """One vote of each judge that has one on the claim, and for `supported` a place that is there."""
    deciding = terms.deciding_judges
    for judgement in judgements:
        vote = next((each for each in judgement.votes if each.claim_id == claim.claim_id), None)
        if vote is None:
            continue
        backed = vote.verdict in _BACKED
        named = vote.support if backed else [vote.against] if vote.against is not None else []
        places = [each for chunk_id in chunks for each in named if each.chunk_id == chunk_id and is_there(each, chunks)]
        if vote.verdict == "supported" and not places:
            continue
        missing = sum(bool(chunks.get(chunk_id)) for chunk_id in judgement.left_out)
        record = ClaimVote(
            judge=judgement.judge,
            armed=judgement.judge in deciding,
            declared=judgement.judge in deciding & terms.declared,
            verdict=vote.verdict,
            support=tuple(dict.fromkeys([each.chunk_id for each in places])) if backed else (),
            chunk_id=places[0].chunk_id if places else None,
            quote=places[0].quote if places else None,
            note=vote.note,
            parts=tuple([part for part in vote.parts if part.span.strip() and part.span in claim.text]),
            left_out=rate_of(missing, sum(map(bool, chunks.values()))) if missing else None,
        )
        yield record, places


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


def _judged_claim(
    claim: Claim, verdict: JudgedVerdict, votes: Sequence[_PlacedVote], chunks: Mapping[str, str | None]
) -> Claim:
    """The claim with the panel's verdict, resting on what the votes for it rest on.

    These are the chunks that most of the votes name; where none is, those that are named most often.
    """
    named = Counter([chunk_id for vote, _ in votes for chunk_id in vote.support])
    enough = min(len(votes) // 2 + 1, max(named.values(), default=0))
    ids = tuple([chunk_id for chunk_id in chunks if named[chunk_id] >= enough > 0])
    place = next((each for _, places in votes for each in places if not ids or each.chunk_id == ids[0]), None)
    return claim.model_copy(
        update={
            "verdict": verdict,
            "supported_by": ids,
            "quote": place.quote if place is not None else None,
            "quote_start": place.quote_start if place is not None else None,
            "note": next((vote.note for vote, _ in votes if vote.note), claim.note),
            "judged": True,
        }
    )


def _declines(present: Sequence[Judgement], terms: PanelTerms) -> bool | None:
    """Whether the answer declines, where so many say and more of them say the one than the other.

    That it declines lets an answer off: judges whose good word verifies nothing may only say that it does not.
    """
    deciding = terms.deciding_judges
    votes = Counter([each.declines for each in present if each.judge in deciding and each.declines is not None])
    if votes.total() < terms.least or votes[True] == votes[False]:
        return None
    declines = votes[True] > votes[False]
    return _declines(present, terms.of_verifiers) if declines and terms.faults_only else declines


def _points(present: Sequence[Judgement], terms: PanelTerms, claims: Sequence[Claim]) -> Iterator[PointVote]:
    """Each point that is decided: made where more judges name a claim than none.

    Of several claims it is the one named most often; of equals the one that is verified least.
    """
    verdicts = {claim.claim_id: claim.verdict for claim in claims}
    votes: dict[str, dict[str, str | None]] = {}
    for judgement in present:
        for each in judgement.points:
            named = each.claim_id if each.claim_id in verdicts else None
            votes.setdefault(each.point, {})[judgement.judge] = named
    for point, by_judge in sorted(votes.items()):
        is_made = decide([(judge, named is not None) for judge, named in by_judge.items()], terms, (False, True))
        heard = terms.of_verifiers.deciding_judges
        found = Counter([named for judge, named in by_judge.items() if judge in heard and named is not None])
        worst_first = sorted(found, key=lambda claim_id: (-found[claim_id], _OF_EQUALS.index(verdicts[claim_id])))
        if is_made is not None:
            yield PointVote(point=point, claim_id=worst_first[0] if is_made else None)
