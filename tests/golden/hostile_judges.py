"""A judged run in which judges, too, say something else than they should."""

from __future__ import annotations

from raggate_action.report.page_sections import Reporting
from raggate_action.schema.base import Rate
from raggate_action.schema.calibration import JudgeCard
from raggate_action.schema.case_run import CaseRun, Claim
from raggate_action.schema.judgement import ClaimVote, Part, Unarmed
from raggate_action.schema.judging_counts import ClaimAdvice, JudgingCounts
from raggate_action.schema.listed_cases import AdvisedCase
from raggate_action.schema.panel import Panel, PanelMember
from tests.golden.hostile import Say

_WHY: tuple[Unarmed, ...] = ("obeyed-injection", "ac1", "no-labels")


def with_hostile_judges(reporting: Reporting, say: Say) -> Reporting:
    """The run with a vote of every judge on every claim, each name, note, quotation and span from `say`."""
    names = [say() for _each in range(3)]
    members = tuple([PanelMember(name=name, lab=say(), model=say(), fingerprint="f") for name in names])
    cards = tuple(
        [
            JudgeCard(judge=name, why_not=why, obeyed=(say(), say()), agreement=Rate(hits=1, total=2), labels=2)
            for name, why in zip(names, _WHY, strict=True)
        ]
    )
    judging = JudgingCounts(
        answers=3,
        judgements=9,
        calls=9,
        lost={"judge-off-schema": 2},
        unpriced=tuple(names),
        agreement=Rate(hits=1, total=2),
        against_rules=1,
        advice=ClaimAdvice(claims=1, answers=1, heard=3, unsupported=1),
    )
    rows = tuple([_voted(row, names, say) for row in reporting.listed.hallucinating])
    run = reporting.run.model_copy(
        update={"panel": Panel(members=members, prompt="p", cards=cards), "judging": judging}
    )
    listed = reporting.listed._replace(hallucinating=rows, advised=tuple(map(_advised, rows)))
    return reporting._replace(run=run, listed=listed)


def _advised(row: CaseRun) -> AdvisedCase:
    """The same row as one that only judges speak of."""
    claims = tuple([claim.model_copy(update={"verdict": "unverified"}) for claim in row.claims])
    return AdvisedCase(row=row.model_copy(update={"hallucinations": (), "claims": claims}), claims=claims)


def _voted(row: CaseRun, names: list[str], say: Say) -> CaseRun:
    def vote(name: str) -> ClaimVote:
        parts = (Part(span=say(), verdict="partial"),)
        chunk = say()
        return ClaimVote(
            judge=name, verdict="unsupported", chunk_id=chunk, support=(chunk, say()), quote=say(), note=say(), parts=parts
        )  # fmt: skip

    text = row.hallucinations[0].text
    claim = Claim(claim_id=say(), text=text, verdict="unsupported", votes=tuple([vote(name) for name in names]))
    return row.model_copy(update={"claims": (claim,)})
