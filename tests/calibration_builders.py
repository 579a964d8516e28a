"""Labelled claims, and judgements of them, for tests of judges on trial."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from raggate_action.core.judging.agreement_with_labels import LABELLED, OnTrial, PlantResults
from raggate_action.core.judging.scorecard_and_arming import JudgeVotes
from raggate_action.schema.calibration import LabelledAnswer, LabelledChunk, LabelledClaim
from raggate_action.schema.judgement import JudgedVerdict, Judgement, Lost, Support, Vote
from raggate_action.schema.judges import Arming
from raggate_action.schema.panel import PanelMember

_CLAIMS_EACH = 5


def labels(
    right: int, faulty: int, *, made: int = 0, fault: JudgedVerdict = "unsupported"
) -> tuple[LabelledAnswer, ...]:
    """Labels of so many right claims, then of so many faulty ones, five to an answer; the last `made` are made."""
    verdicts: list[JudgedVerdict] = [*["supported"] * right, *[fault] * faulty]  # type: ignore[list-item]
    is_made = [place >= right + faulty - made for place in range(right + faulty)]
    return tuple(
        _answer(at, list(zip(verdicts[at : at + _CLAIMS_EACH], is_made[at : at + _CLAIMS_EACH], strict=True)))
        for at in range(0, len(verdicts), _CLAIMS_EACH)
    )


def _answer(at: int, claims: Sequence[tuple[JudgedVerdict, bool]]) -> LabelledAnswer:
    texts = [f"Parcel {at + place} weighs {at + place} kilograms." for place in range(len(claims))]
    return LabelledAnswer(
        id=f"answer-{at:03d}",
        question="How heavy are they?",
        chunks=(LabelledChunk(chunk_id="weights", text=" ".join(texts)),),
        answer=" ".join(texts),
        claims=tuple(
            LabelledClaim(claim_id=f"k{place}", text=texts[place], verdict=verdict, made=is_made)
            for place, (verdict, is_made) in enumerate(claims)
        ),
    )


def judgements(
    answers: Iterable[LabelledAnswer],
    *,
    judge: str = "owl",
    block: int = 0,
    passes: int = 0,
    silent: int = 0,
    **fields: Any,
) -> dict[str, Judgement]:
    """What a judge says that errs on the first `block` right and the first `passes` faulty claims; else as people say.

    It has no word on the `silent` claims behind these of each kind.
    """
    found = {}
    seen = {"supported": 0, "faulty": 0}
    for answer in answers:
        votes = []
        for claim in answer.claims:
            assert claim.verdict is not None
            kind = "supported" if claim.verdict == "supported" else "faulty"
            number, seen[kind] = seen[kind], seen[kind] + 1
            errs = number < (block if kind == "supported" else passes)
            if not errs and number < (block if kind == "supported" else passes) + silent:
                continue
            verdict: JudgedVerdict = (
                claim.verdict if not errs else "unsupported" if kind == "supported" else "supported"
            )
            votes.append(_vote(answer, claim.claim_id, claim.text, verdict))
        found[answer.id] = judgement(answer.id, tuple(votes), judge=judge, **fields)
    return found


def _vote(answer: LabelledAnswer, claim_id: str, text: str, verdict: JudgedVerdict) -> Vote:
    start = answer.chunks[0].text.index(text)
    place = Support(chunk_id="weights", quote=text, quote_start=start)
    return Vote(
        claim_id=claim_id,
        verdict=verdict,
        support=(place,) if verdict == "supported" else (),
        against=place if verdict == "contradicted" else None,
    )


def judgement(answer_id: str, votes: tuple[Vote, ...] = (), *, judge: str = "owl", **fields: Any) -> Judgement:
    made = {"fingerprint": f"is-{judge}", "prompt": "prompt", "key": f"{judge}-{answer_id}", "calls": 1}
    return Judgement(about="label", id=answer_id, judge=judge, votes=votes, **{**made, **fields})


def lost(answer_id: str, *, judge: str = "owl") -> Judgement:
    return judgement(answer_id, judge=judge, lost=Lost(code="judge-timeout", detail="no answer"))


def member(name: str = "owl") -> PanelMember:
    return PanelMember(name=name, lab="Northlab", model=f"{name}-1", fingerprint=f"is-{name}")


def on_trial(answers: tuple[LabelledAnswer, ...], **arming: Any) -> OnTrial[LabelledAnswer]:
    return OnTrial(LABELLED["claims"], answers, Arming(**arming))


def said(found: dict[str, Judgement], planted: PlantResults = PlantResults()) -> JudgeVotes:  # noqa: B008  a tuple is never changed
    return JudgeVotes(found, planted)
