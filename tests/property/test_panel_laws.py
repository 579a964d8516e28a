"""What holds for any panel, whatever its judges say of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from raggate_action.core.counting.judge_only_findings import is_open
from raggate_action.core.judging.claim_vote_aggregation import PanelTerms, fold
from raggate_action.schema.case_run import Claim, Finding
from raggate_action.schema.judgement import Judgement, Support, Vote
from raggate_action.schema.verdicts import Verdicts
from tests.panel_builders import CHUNKS, claim, judgement, lost
from tests.thorough import examples

# Whether rules know that the answer declines.
Known: TypeAlias = bool | None
MEMBERS = ("a", "b", "c", "d")
WORST_FIRST = ("contradicted", "unsupported", "partial", "supported")
DOUBT = Finding(kind="conflict", code="time", reason="", key="k")
CERTAIN = DOUBT.model_copy(update={"certain": True})
CLAIMS = [
    claim(),
    claim(findings=(DOUBT,)),
    claim(labelled=True),
    claim(verdict="supported", labelled=True, supported_by=("hours",)),
    claim(verdict="unsupported", labelled=True),
    claim(verdict="supported", supported_by=("hours",)),
    claim(verdict="contradicted", findings=(CERTAIN,)),
]

supports = st.builds(
    lambda chunk_id, start, end: Support(
        chunk_id=chunk_id, quote=CHUNKS.get(chunk_id, "Elsewhere.")[start:end] or "nowhere", quote_start=start
    ),
    st.sampled_from(["hours", "refunds", "elsewhere"]),
    st.integers(0, 30),
    st.integers(0, 60),
)
votes = st.builds(
    Vote,
    claim_id=st.sampled_from(["c0", "c1", "c2", "c9"]),
    verdict=st.sampled_from(WORST_FIRST),
    support=st.lists(supports, max_size=3).map(tuple),
    against=st.none() | supports,
)
names = st.sampled_from([None, "c0", "c1", "c9"])


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[Claim], list[Judgement]]:
    picked = draw(st.lists(st.sampled_from(CLAIMS), min_size=1, max_size=3))
    claims = [each.model_copy(update={"claim_id": f"c{number}"}) for number, each in enumerate(picked)]
    judgements = []
    for name in draw(st.lists(st.sampled_from([*MEMBERS, "stranger"]), unique=True)):
        if draw(st.booleans()) and draw(st.booleans()):
            judgements.append(lost(name))
            continue
        said = draw(st.lists(votes, max_size=4, unique_by=lambda each: each.claim_id))
        declines, point = draw(st.sampled_from([None, True, False])), draw(names)
        judgements.append(judgement(name, *said, declines=declines, points={"p": point}))
    return claims, judgements


terms = st.builds(
    PanelTerms, st.just(MEMBERS), st.frozensets(st.sampled_from(MEMBERS)), st.integers(min_value=0, max_value=4)
)
declined = st.sampled_from([None, True, False])
HAND = {**CHUNKS}


def folded(claims: Sequence[Claim], judgements: Sequence[Judgement], on: PanelTerms, known: Known) -> Verdicts:
    return fold(claims, judgements, on, chunks=HAND, declined=known)


def bare(claims: Sequence[Claim]) -> list[Claim]:
    return [each.model_copy(update={"votes": ()}) for each in claims]


@given(answers(), terms, declined)
def test_no_label_and_no_certain_finding_is_overruled(
    answer: tuple[list[Claim], list[Judgement]],
    on: PanelTerms,
    known: Known,
) -> None:
    claims, judgements = answer
    found = folded(claims, judgements, on, known).claims
    closed = [number for number, each in enumerate(claims) if not is_open(each)]
    assert [bare(found)[number] for number in closed] == [claims[number] for number in closed]


@given(answers(), terms, declined)
def test_the_votes_of_unarmed_judges_change_nothing(
    answer: tuple[list[Claim], list[Judgement]],
    on: PanelTerms,
    known: Known,
) -> None:
    claims, judgements = answer
    with_all = folded(claims, judgements, on, known)
    without = folded(claims, [each for each in judgements if each.judge in on.armed], on, known)
    assert bare(with_all.claims) == bare(without.claims)
    assert (with_all.declines, with_all.points) == (without.declines, without.points)
    silent = folded(claims, judgements, on._replace(armed=frozenset()), known)
    assert (bare(silent.claims), silent.declines, silent.points) == (claims, None, ())


@given(answers(), terms, declined, st.randoms(use_true_random=False))
def test_the_order_of_judgements_does_not_matter(
    answer: tuple[list[Claim], list[Judgement]],
    on: PanelTerms,
    known: Known,
    random: object,
) -> None:
    claims, judgements = answer
    shuffled = list(judgements)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert folded(claims, shuffled, on, known) == folded(claims, judgements, on, known)


@settings(max_examples=examples(200))
@given(answers(), terms, declined)
def test_a_verdict_has_its_quorum_and_a_supported_one_a_quote_that_is_there(
    answer: tuple[list[Claim], list[Judgement]],
    on: PanelTerms,
    known: Known,
) -> None:
    claims, judgements = answer
    found = folded(claims, judgements, on, known)
    if known or found.declines:
        assert not any(each.judged for each in found.claims)
    if known is None and found.declines is None:
        assert all(each.verdict == "supported" for each in found.claims if each.judged)
    for each in found.claims:
        armed: list[str] = [vote.verdict for vote in each.votes if vote.armed]
        assert all(vote.quote in HAND[vote.chunk_id] for vote in each.votes if vote.chunk_id and vote.quote)
        assert all(vote.support for vote in each.votes if vote.verdict == "supported")
        if not each.judged:
            assert each.verdict == next(claim.verdict for claim in claims if claim.claim_id == each.claim_id)
            continue
        assert len(armed) >= max(1, on.quorum)
        for_it, against = armed.count("supported"), len(armed) - armed.count("supported")
        assert (each.verdict == "supported") == (for_it > against)
        if each.verdict == "supported":
            assert each.supported_by
            assert each.quote
            assert each.quote_start is not None
            assert HAND[each.supported_by[0]].startswith(each.quote, each.quote_start)
        else:
            # No verdict has more votes, and none that is worse has as many.
            worse = WORST_FIRST[: WORST_FIRST.index(each.verdict)]
            assert all(armed.count(other) <= armed.count(each.verdict) for other in WORST_FIRST[:3])
            assert all(armed.count(other) < armed.count(each.verdict) for other in worse)
